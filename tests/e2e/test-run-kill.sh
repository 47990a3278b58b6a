# kill -9 at random moments, each followed by resume: every combination exactly one ok row, none lost, none twice, nothing
# left behind. IOSWEEP_KILLS sets how often (default 20).
. "$(dirname "$0")/functions.sh"
requires sqlite3

cat >c.json <<EOF
{"filename":"t.bin","size":"4m","ioengine":["io_uring","psync"],"rw":["randread","randwrite"],"bs":["4k","8k"],
 "numjobs":[1,2],"direct":0,"ramp_time":0,"runtime":"40ms","repeats":3,"name":"kill"}
EOF
pids() { pgrep -f "[i]osweep (run|resume) .*$scratch" || true; }
"$IOSWEEP" run c.json --db "$scratch/r.db" >/dev/null 2>&1 &
pid=$!
n=0 kills=${IOSWEEP_KILLS:-20}
while [ $n -lt "$kills" ]; do
	# between 5 and 300 ms after the start, from the shell's own counter
	sleep "0.$(printf %03d $(((n * 137 + $$) % 295 + 5)))"
	kill -9 $pid 2>/dev/null || true
	wait $pid 2>/dev/null || true
	n=$((n + 1))
	if [ ! -e r.db ]; then # killed before it could be resumed: then nothing else may be there either
		[ ! -e t.bin ] || die "a scratch file, but no database"
		"$IOSWEEP" run c.json --db "$scratch/r.db" >/dev/null 2>&1 &
	else
		# not -readonly: after a kill at the wrong moment the first who opens it has to recover the log
		equal "$(sqlite3 r.db 'pragma integrity_check')" ok "kill $n"
		"$IOSWEEP" resume "$scratch/r.db" >/dev/null 2>&1 &
	fi
	pid=$!
done
kill -9 $pid 2>/dev/null || true
wait $pid 2>/dev/null || true
expect_exit 0 "$IOSWEEP" resume "$scratch/r.db"
equal "$(db r.db 'pragma integrity_check')" ok
equal "$(db r.db 'pragma foreign_key_check')" ""
equal "$(db r.db 'select count(*) from results')" "$(db r.db "select count(distinct combination || repeat) from results")"
equal "$(db r.db "select count(*) from results where status = 'ok'")" 48
equal "$(db r.db "select count(*) from all_runs where status = 'running'")" 0
equal "$(db r.db "select count(*) from (select combination, repeat from all_runs where status = 'ok'
	group by 1, 2 having count(*) <> 1)")" 0
equal "$(tail -n +2 r.csv | wc -l)" 48
[ ! -e t.bin ] || die "the scratch file is left"
equal "$(pids)" "" "processes left"
expect_exit 0 "$IOSWEEP" resume r.db
contains err "nothing left to do"
