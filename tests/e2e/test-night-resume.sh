#!/bin/sh
# A sweep that is killed inside a sentinel or inside a pilot ends with the same runs, in the same order, as one that was not.
. "$(dirname "$0")/functions.sh"
requires sqlite3
runs() { # DB: what was run, in order
	db "$1" "select group_concat(x, ' ') from (select purpose || ':' || label || ':' || repeat as x from all_runs where status = 'ok' group by run order by run)"
}
running() { # DB PURPOSE N: is the Nth run of this purpose under way?
	[ -e "$1" ] && [ "$(db "$1" "select count(*) = $3 and max(run * (status = 'running')) = max(run) from (select distinct run, status from all_runs where purpose = '$2')")" -eq 1 ]
}
kill_in() { # DB CONFIG PURPOSE N
	"$IOSWEEP" run "$2" --db "$1" -q &
	pid=$!
	eventually running "$1" "$3" "$4"
	kill -9 $pid
	wait $pid 2>/dev/null || true
	equal "$(db "$1" "select count(*) from run where purpose = '$3' and status = 'running'")" 1 "killed inside a $3"
	expect_exit 0 timeout 60 "$IOSWEEP" resume "$1" -q
}

cat >s.json <<'EOF2'
{"ioengine":"null","filename":"none","size":"1g","rw":"read","bs":["4k","8k","16k","32k","64k"],"runtime":"300ms","ramp_time":0,"sentinels":"700ms"}
EOF2
kill_in cut.db s.json sentinel 2
equal "$(runs cut.db)" 'sentinel:read_16k_1_1:1 grid:read_64k_1_1:1 grid:read_4k_1_1:1 grid:read_16k_1_1:1 sentinel:read_16k_1_1:2 grid:read_32k_1_1:1 grid:read_8k_1_1:1'
equal "$(db cut.db "select count(*) from all_runs where purpose = 'sentinel' and status = 'ok'")" 2
equal "$(db cut.db "select max(attempt) from all_runs where purpose = 'sentinel' and repeat = 2 and status = 'ok'")" 2

cat >p.json <<'EOF2'
{"ioengine":"null","filename":"none","size":"1g","rw":["read","write"],"bs":"4k","numjobs":[1,2],"runtime":"100ms","ramp_time":0,
 "precision":"2%","pilot":true,"pilot_time":"900ms"}
EOF2
kill_in cutp.db p.json pilot 3
equal "$(runs cutp.db)" 'pilot:read_4k_2_1:1 pilot:read_4k_2_1:1 grid:read_4k_1_1:1 pilot:write_4k_2_1:1 pilot:write_4k_2_1:1 grid:write_4k_1_1:1 grid:read_4k_2_1:1 grid:write_4k_2_1:1'
equal "$(db cutp.db "select group_concat(attempt || status, ' ') from (select distinct run, attempt, status from all_runs where purpose = 'pilot' and rw = 'write' order by run)")" \
	'1interrupted 2ok 2ok' 'the pilot is done again, its repeat with it'
equal "$(db cutp.db "select count(*) from event where code = 'pilot'")" 2
before=$(db cutp.db "select count(*) from run")
expect_exit 0 "$IOSWEEP" resume cutp.db
contains err 'nothing left to do'
equal "$(db cutp.db "select count(*) from run")" "$before"

# Killed again and again among runs that end early: each combination once, all as sure as asked.
cat >d.json <<'J'
{"name": "drive", "size": "1g", "servers": 4, "read": {"base": "500us", "spread": "lognormal", "cv": 0.3}, "write": {"base": "500us"}, "noise": {"cv": 0.01}}
J
cat >e.json <<'J'
{"ioengine":"sim","filename":"d.json","rw":["randread","randwrite"],"bs":["4k","8k","12k","16k","24k","32k","48k","64k"],"iodepth":[1,2,3,4,5],"runtime":"30s","ramp_time":"2s","precision":"2%"}
J
done_runs() { [ -e cute.db ] && [ "$(db cute.db "select count(*) from results where status = 'ok'")" -ge "$1" ]; }
set -- run e.json --db cute.db
for n in 8 25 45; do
	"$IOSWEEP" "$@" -q &
	pid=$!
	eventually done_runs $n
	kill -9 $pid
	wait $pid 2>/dev/null || true
	set -- resume cute.db
done
expect_exit 0 timeout 60 "$IOSWEEP" resume cute.db -q
equal "$(db cute.db "select count(*) || ' ' || count(distinct combination) || ' ' || sum(stop_reason = 'precision' and window_s < 20) from results where status = 'ok'")" '80 80 80'
[ "$(db cute.db "select count(distinct run) from all_runs where status = 'interrupted'")" -ge 1 ] || die 'no kill came in time'
equal "$(db cute.db 'pragma integrity_check')" ok
