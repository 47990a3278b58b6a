# Preconditioning on simulated devices, whose truth is known: passes end the freshness, rounds end when they are steady, reads
# wait until the device has tidied up; and what could not be had is a doubt.
. "$(dirname "$0")/functions.sh"
requires sqlite3

device() { # more members
	cat >d.json <<EOF2
{ "name": "small", "size": "64m", "servers": 8, "bandwidth": "100m", "iops": 20000, "read": {"base": "100us"}$1 }
EOF2
}
sweep() { # precondition, rw
	cat >c.json <<EOF2
{"ioengine":"sim","filename":"d.json","rw":$2,"bs":"4k","iodepth":16,"runtime":2,"order":"listed","precondition":$1}
EOF2
	rm -f r.db r.csv
	expect_exit 0 "$IOSWEEP" run c.json --db r.db
}
runs() { db r.db "select count(*) from all_runs where purpose = '$1' and status = 'ok'"; }
bytes() { db r.db "select ifnull(sum(bytes), 0) from all_runs where purpose = '$1'"; }

# fresh for 2.5 passes: two sequential ones and a random one write every block, then it is as it will be
device ', "fresh": {"passes": 2.5, "factor": 2}'
sweep '{"random_passes":1,"rounds":{"max":9,"runtime":"3s"}}' '["randwrite"]'
equal "$(runs fill) $(bytes fill)" "3 $((3 * 64 * 1048576))"
equal "$(runs round)" 5
equal "$(db r.db 'select count(*) from results')" 1 'preconditioning is in the results'
equal "$(db r.db "select iops between 19990 and 20010 and doubts = '' from results")" 1
contains err 'd.json fill 3 randwrite_4k_1_32 sim: '
equal "$(db r.db "select count(*) from event where text like 'd.json: steady after 5 rounds: %'")" 1
expect_exit 0 "$IOSWEEP" plan c.json
contains out 'precondition  2 sequential passes of 1m, 1 random pass of 4k, up to 9 rounds of 3.0 s; at most '

# it settles, though not at once: the pauses pass in its time, and 15 s of probing gave the baseline
device ', "cleaning": {"size": "32m", "recover": "4m", "factor": 0.7}'
sweep '{"sequential_passes":1}' '["randwrite","randread"]'
equal "$(db r.db "select min(iops) > 19900 from results where doubts = ''")" 1
equal "$(db r.db 'select count(*) from results where doubts like "%unsettled%"')" 0
equal "$(db r.db "select count(*) >= 3 and min(run_iops) < 15000 and max(run_iops) > 19900 from all_runs where purpose = 'settle'")" 1
equal "$(db r.db "select count(*) >= 5 from all_runs where purpose = 'baseline'")" 1

# too slow for the time that it is given: the reads that follow are in doubt, the writes are not
device ', "cleaning": {"size": "32m", "recover": "64k", "factor": 0.7}'
sweep '{"sequential_passes":0,"settle":"9s"}' '["randwrite","randread","read"]'
equal "$(db r.db "select group_concat(distinct rw) from results where doubts like '%unsettled%'")" 'randread,read'
"$IOSWEEP" show r.db "$(db r.db "select run from results where rw = 'randread'")" >shown
contains shown 'doubt unsettled: not settled after writes: a probe read 13999 IOPS, its baseline is 19999'
equal "$(runs settle)" 4 'three probes, and one more for the second read'

# never steady, and cut off: no run on it is beyond doubt
device ', "noise": {"cv": 0.5, "slot": "3s"}'
sweep '{"sequential_passes":1,"rounds":{"max":5,"runtime":"3s"},"settle":0}' '["randread"]'
"$IOSWEEP" show r.db "$(db r.db 'select run from results')" >shown
contains shown 'doubt unsettled: preconditioning: not steady after 5 rounds (range '
device ''
sweep '{"sequential_passes":3,"max_time":"1s","settle":0}' '["randread"]'
"$IOSWEEP" show r.db "$(db r.db 'select run from results')" >shown
contains shown 'doubt unsettled: preconditioning was cut off by max_time'
equal "$(db r.db "select sum(window_s) between 0.9 and 1.1 from all_runs where purpose = 'fill'")" 1
sweep '{"sequential_passes":3,"max_write":"100m","settle":0}' '["randread"]'
contains err 'preconditioning was cut off by its max_write'
equal "$(bytes fill)" $((100 * 1048576))
