# A rehearsal that was killed goes on; a pause passes in the devices' time; a description that was changed meanwhile is refused.
. "$(dirname "$0")/functions.sh"
requires sqlite3
cat >d.json <<'EOF2'
{"name": "quiet", "size": "1g", "servers": 4, "iops": 1000, "read": {"base": "75us", "spread": "exponential"}}
EOF2
cat >c.json <<'EOF2'
{"ioengine":"sim","filename":"d.json","rw":["randread","randwrite"],"bs":["4k","8k"],"iodepth":{"from":1,"to":8,"plus":1},
 "runtime":2,"repeats":20,"pause":"10m"}
EOF2
"$IOSWEEP" run c.json --db r.db -q &
pid=$!
eventually attempts r.db ok 5
kill -9 $pid
wait $pid 2>/dev/null || true
done=$(sqlite3 r.db "select count(*) from run where status = 'ok'")
[ "$done" -lt 640 ] || die 'it was over before it was killed'
sed -i 's/75us/85us/' d.json
expect_exit 4 "$IOSWEEP" resume r.db
contains err 'd.json: describes another device than when this sweep began'
sed -i 's/85us/75us/; s/quiet/a quiet/' d.json # its name is of no importance
expect_exit 0 timeout 60 "$IOSWEEP" resume r.db -q
equal "$(db r.db "select count(distinct combination || repeat) from results where status = 'ok' and device = 'simulated'")" 640
rm d.json
expect_exit 0 "$IOSWEEP" show r.db
