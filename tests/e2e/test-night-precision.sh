#!/bin/sh
# precision: runs end when they are sure enough, on a simulated device; pilots teach how long that takes.
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires jq
cat >d.json <<'EOF2'
{"name": "drive", "size": "1g", "servers": 4, "read": {"base": "2ms", "spread": "lognormal", "cv": 0.3}, "write": {"base": "2ms"}, "noise": {"cv": 0.01}}
EOF2
cat >c.json <<'EOF2'
{"ioengine":"sim","filename":"d.json","rw":["randread","randwrite"],"bs":["4k","16k","64k"],"iodepth":[2,4],"runtime":"30s","ramp_time":"2s","precision":"2%"}
EOF2
expect_exit 0 "$IOSWEEP" plan c.json
contains out 'at most 6 min 24 s'
contains out 'about 2 min 00 s when every run ends as soon as it can'
expect_exit 0 "$IOSWEEP" plan c.json --set pilot=true --json
equal "$(jq -c '[.estimate_s,.expected_s,.pilots,.pilot_s]' out)" '[916,628,4,532]'

expect_exit 0 "$IOSWEEP" run c.json --db a.db -q
equal "$(db a.db "select count(*) from results where stop_reason = 'precision' and window_s < 12")" 12 'all end early'
equal "$(db a.db "select count(*) from results where ' ' || notes || ' ' like '% uncalibrated %' and confidence = 'ok'")" 12
equal "$(db a.db "select count(*) from results where window_s < 8")" 0 'two looks without a pilot'
expect_exit 0 "$IOSWEEP" run c.json --set pilot=true --db b.db -q
equal "$(db b.db "select count(*) from results where stop_reason = 'precision' and window_s < 10 and notes not like '%uncalibrated%'")" 12
equal "$(db b.db "select group_concat(label, ' ') from (select label from all_runs where purpose = 'pilot' and runtime = 120 order by label)")" \
	'randread_4k_1_4 randread_64k_1_4 randwrite_4k_1_4 randwrite_64k_1_4'
equal "$(db b.db "select count(*) from all_runs where purpose = 'pilot' and runtime = 8 and status = 'ok'")" 4
equal "$(db b.db "select count(*) from results where iops_half_width_pct > 2")" 0
"$IOSWEEP" show b.db >shown
contains shown 'pilots:'
contains shown '  randread_4k_1_4 of d.json: '

# A device that is never sure runs to its cap and says so; one whose cache refills says that no short run tells.
sed 's/}$/, "wave": {"shape": "square", "period": "9s", "amplitude": 0.4}}/' d.json >unsteady.json
expect_exit 0 "$IOSWEEP" run c.json --set filename=unsteady.json --set rw=randread --set bs=4k --db u.db -q
equal "$(db u.db "select count(*) from results where stop_reason = 'cap-unsteady' and window_s between 29.99 and 30.01 and doubts <> ''")" 2
sed 's/}$/, "cache": {"size": "300m", "op": "read", "factor": 0.3, "recover": "100m"}}/' d.json >cache.json
expect_exit 0 "$IOSWEEP" run c.json --set filename=cache.json --set rw=randread --set bs=16k --set iodepth=4 --set pilot=true --db r.db -q
equal "$(db r.db "select count(*) from results where stop_reason = 'cap-unsteady' and ' ' || doubts || ' ' like '% unsteady %'")" 1
contains_event() { db r.db "select text from event where code = 'pilot' and level = 'warning'" >event; contains event "$1"; }
contains_event 'no short run of its class is steady'

# Off by default, and it needs a runtime.
expect_exit 3 "$IOSWEEP" plan --set filename=x --set rw=read --set size=1m --set precision=2%
contains err 'precision: runs that are bound by size do not end early'
# In real time: two looks, a common stop at the end of a slot. A steady engine ends early.
[ "${IOSWEEP_FULL:-0}" = 1 ] || exit 0
expect_exit 0 "$IOSWEEP" run --db real.db -q --set ioengine=null --set filename=none --set size=1g --set rw=randread --set bs=4k --set numjobs=2 --set ramp_time=1 \
	--set runtime=20 --set precision=10%
equal "$(db real.db "select round(window_s * 10) = window_s * 10 or abs(window_s * 10 - round(window_s * 10)) < 0.01 from results")" 1
db real.db "select stop_reason from results" >reason
grep -qxE 'precision|cap|cap-unsteady' reason || { cat reason; die 'no reason'; }
