# run --plot draws what was measured in the terminal, at the end; no gnuplot, or a broken one, costs neither a run nor an exit code.
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires gnuplot
name=$(printf 'x\140\302\233\303\274%%_&')
cat >c.json <<JSON
{"filename": "$name", "ioengine": "null", "size": "1g", "rw": ["read", "randwrite"], "bs": ["4k", "64k"], "iodepth": [1, 4], "ramp_time": 0,
 "runtime": "20ms"}
JSON
sed -i 's/\xc2\x9b//' c.json # the config refuses control characters
run() { "$IOSWEEP" run c.json "$@"; }

expect_exit 0 run --db a.db --plot
contains out 'CSV:     a.csv'
equal "$(grep -cE 'rw (read|randwrite): run_bw_mib_s' out)" 2 'panels'
contains out 'iodepth 4'
contains out 'a.db, '
lacks err warning:
[ "$(grep -n 'CSV:' out | cut -d: -f1)" -lt "$(grep -n 'rw read' out | cut -d: -f1)" ] || die 'the chart stands before the summary'
awk 'length > 200 { exit 1 }' out || die 'lines that are too long'
# it is the first of those of the report
expect_exit 0 "$IOSWEEP" report a.db
grep -o 'role="img" aria-label="[^"]*' a.html | head -n 1 >first
contains first 'Bandwidth: run_bw_mib_s (MiB/s) against bs (bytes), 2 panels by rw, 2 lines by iodepth,'

# none: said before the first run, and everything is measured
mkdir none broken
expect_exit 0 env PATH="$scratch/none" "$IOSWEEP" run c.json --db b.db --plot --progress=plain
contains err 'warning: --plot: gnuplot is not installed'
[ "$(grep -n 'warning: --plot' err | cut -d: -f1)" -lt "$(grep -n '^1/8' err | cut -d: -f1)" ] || die 'said too late'
equal "$(db b.db "select count(*) from results where status = 'ok'")" 8
equal "$(ls b.*)" "b.csv
b.db"

# one that fails
printf '#!/bin/sh\necho cannot >&2\nexit 3\n' >broken/gnuplot
chmod +x broken/gnuplot
expect_exit 0 env PATH="$scratch/broken:$PATH" "$IOSWEEP" run c.json --db d.db --plot -q
contains err '--plot: gnuplot failed'
equal "$(db d.db "select count(*) from results where status = 'ok'")" 8

# a sweep that stopped as asked, and resume; rows that fail keep their exit code
cat >e.json <<'JSON'
{"filename": "x", "ioengine": "null", "size": "1g", "runtime": ["20ms", "1h"], "rw": ["read", "randwrite"], "bs": ["4k", "64k"],
 "ramp_time": 0, "order": "listed", "sentinels": false}
JSON
expect_exit 7 "$IOSWEEP" run e.json --db e.db --plot -q --for 10m
contains out 'rw read: run_bw_mib_s'
contains err 'to go on: iosweep resume'
expect_exit 1 run --db f.db --plot -q --set ioengine=null,psync --set filename=/nowhere/x
contains out 'run_bw_mib_s'
expect_exit 0 "$IOSWEEP" resume a.db --plot -q
contains out 'rw read: run_bw_mib_s'

# nothing to draw
expect_exit 0 "$IOSWEEP" run --set filename=x --set ioengine=null --set size=1m --set rw=read --set runtime=1ms --set ramp_time=0 --db g.db \
	-q --plot
contains err 'one combination alone makes no chart'
