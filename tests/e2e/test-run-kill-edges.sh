# kill -9 where nothing is measured: while a file is laid out and filled, and while the CSV is written anew at the end. Nothing
# is lost, nothing is left behind. IOSWEEP_KILLS sets how often (default 8 each).
. "$(dirname "$0")/functions.sh"
requires sqlite3

kills=${IOSWEEP_KILLS:-8}
nap() { # N MS: up to MS milliseconds, spread
	sleep "0.$(printf %03d $((($1 * 137 + $$) % $2 + 3)))"
}
kill_it() { # N MS
	nap "$1" "$2"
	kill -9 $pid 2>/dev/null || true
	wait $pid 2>/dev/null || true
}
# a layout of some 100 ms, then a fill
cat >c.json <<EOF
{"filename":"t.bin","size":"48m","fill":true,"ioengine":"psync","rw":"randread","direct":0,"ramp_time":0,
 "runtime":"5ms","repeats":3,"name":"edges"}
EOF
n=0
while [ $n -lt "$kills" ]; do
	n=$((n + 1))
	if [ -e r.db ]; then
		"$IOSWEEP" resume r.db >/dev/null 2>err &
	else
		[ ! -e t.bin ] || die "a scratch file, but no database"
		"$IOSWEEP" run c.json --db r.db >/dev/null 2>err &
	fi
	pid=$!
	kill_it $n 160
	[ ! -e r.db ] || equal "$(sqlite3 r.db 'pragma integrity_check')" ok "kill $n"
	# begun again when it was quicker than the kill
	if [ -e r.db ] && [ ! -e t.bin ] && [ "$(sqlite3 r.db "select state from sweep")" = done ]; then
		equal "$(sqlite3 r.db "select count(*) from results where status = 'ok'")" 3
		rm -f r.*
	fi
done
[ -e r.db ] || "$IOSWEEP" run c.json --db r.db >/dev/null 2>err
expect_exit 0 "$IOSWEEP" resume r.db
equal "$(db r.db "select count(*), count(distinct repeat) from all_runs where status = 'ok'")" '3|3'
[ ! -e t.bin ] || die "the scratch file is left"

# the last rewriting of the CSV: what is there is whole
expect_exit 0 "$IOSWEEP" run --set filename=x --set size=1m --set ioengine=null --set rw=randread --set repeats=300 \
	--set ramp_time=0 --set runtime=1ms --db e.db
cp e.csv whole.csv
equal "$(wc -l <e.csv)" 301
n=0
while [ $n -lt "$kills" ]; do
	n=$((n + 1))
	"$IOSWEEP" resume e.db >/dev/null 2>&1 &
	pid=$!
	kill_it $n 60
	cmp -s e.csv whole.csv || die "kill $n: half a CSV"
	equal "$(sqlite3 e.db "select count(*), count(distinct repeat) from all_runs where status = 'ok'")" '300|300' "kill $n"
done
expect_exit 0 "$IOSWEEP" resume e.db
cmp e.csv whole.csv
equal "$(db e.db "select state from sweep")" done
[ ! -e e.db-spool ] && [ ! -e e.db-wal ] || die "something is left"
