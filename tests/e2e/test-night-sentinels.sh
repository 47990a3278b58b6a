#!/bin/sh
# Sentinels: cells that are run again tell a change of the device, and how far runs of the same lie apart. A simulated night.
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires jq
cat >steady.json <<'EOF2'
{"name": "drive", "size": "4g", "servers": 2, "read": {"base": "1ms"}, "write": {"base": "1ms"}, "noise": {"cv": 0.01}, "between_runs": 0.01}
EOF2
sed 's/}$/, "steps": [{"at": "250s", "factor": 0.7}, {"at": "550s", "factor": 1}]}/' steady.json >steps.json
cat >c.json <<'EOF2'
{"ioengine":"sim","filename":"steps.json","rw":"randread","bs":["4k","8k","16k"],"iodepth":[1,2,4,8],"runtime":"28s","ramp_time":2,
 "repeats":2,"sentinels":"100s","order":"listed"}
EOF2

expect_exit 0 "$IOSWEEP" plan c.json
contains out 'sentinels     8 runs of 1 cell, one every 1 min 40 s of runs: 4 min 00 s (25.0 %)'
expect_exit 0 "$IOSWEEP" plan c.json --json
equal "$(jq -c '[.estimate_s,.expected_s,.sentinels,.sentinel_s,.pilots]' out)" '[960,960,8,240,0]'

expect_exit 0 "$IOSWEEP" run c.json --db n.db
contains err 'warning: randread of steps.json changed between'
contains out '  drift: randread of steps.json changed between'
equal "$(db n.db "select count(*) from results")" 24
equal "$(db n.db "select group_concat(distinct label) from all_runs where purpose = 'sentinel' and status = 'ok'")" randread_8k_1_4
sentinels=$(db n.db "select count(*) from all_runs where purpose = 'sentinel'")
[ "$sentinels" -ge 6 ] || die "only $sentinels sentinels"
# The step and the way back are told once each, rows between are in doubt, those before and after are not.
equal "$(db n.db "select group_concat(code, ' ') from event where code in ('drift', 'back')")" 'drift back'
"$IOSWEEP" show n.db >shown
contains shown 'changes, by the sentinels:'
contains shown 'randread of steps.json is back at'
equal "$(db n.db "select count(*) from results where iodepth = 1 and doubts = '' and run_iops < 0.85 * (select max(run_iops) from results where iodepth = 1)")" 0 'slow rows without a doubt'
equal "$(db n.db "select doubts from results where run = 2")" ''
equal "$(db n.db "select doubts from results order by run desc limit 1")" ''
run=$(db n.db "select min(run) from results where doubts = 'drift'")
"$IOSWEEP" show n.db "$run" >shown
contains shown 'drift: randread of steps.json changed between'
# Another run lies within about 1 % either way, times what so few runs leave open.
equal "$(db n.db "select count(*) from results where iops_half_width_repro_pct is null")" 0
equal "$(db n.db "select count(*) from results where doubts = '' and iops_half_width_repro_pct not between 1 and 8")" 0
equal "$(tail -n +2 n.csv | cut -d, -f12 | grep -c drift)" "$(db n.db "select count(*) from results where doubts = 'drift'")" 'the CSV says the same'

# A device that stays as it is: nothing is told.
expect_exit 0 "$IOSWEEP" run c.json --set filename=steady.json --db s.db
equal "$(db s.db "select count(*) from event where code in ('drift', 'back')")" 0
equal "$(db s.db "select count(*) from results where doubts <> ''")" 0
# Off: no sentinels, and too few repeats to know their spread.
expect_exit 0 "$IOSWEEP" run c.json --set filename=steady.json --set sentinels=false --set repeats=1 --db o.db
equal "$(db o.db "select count(*) from all_runs where purpose <> 'grid'")" 0
equal "$(db o.db "select count(iops_half_width_repro_pct) from results")" 0
