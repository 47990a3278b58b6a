# 100 runs of 30 s at 10,000 I/Os per second are over in seconds, whatever the number of jobs.
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires timeout
cat >d.json <<'EOF2'
{ "size": "1g", "servers": 32, "iops": 10000, "read": {"base": "1ms", "spread": "lognormal", "cv": 0.3}, "noise": {"cv": 0.02, "rho": 0.5} }
EOF2
cat >c.json <<'EOF2'
{"ioengine":"sim","filename":"d.json","rw":"randread","bs":"4k","numjobs":[1,16],"iodepth":16,"ramp_time":0,"runtime":30,"repeats":50}
EOF2
expect_exit 0 timeout 240 "$IOSWEEP" run c.json --db r.db -q
equal "$(db r.db "select count(*) from results where status = 'ok' and window_s = 30 and ios between 294000 and 306000")" 100
