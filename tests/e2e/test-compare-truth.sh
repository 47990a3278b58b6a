#!/bin/sh
# `compare` on simulated devices: the same twice, one pattern 8 % slower in depth, everything slower, one file's halves.
. "$(dirname "$0")/functions.sh"
requires jq
device() { # NAME READ_US WRITE_US
	cat >"$1.json" <<-J
	{"name": "$1", "size": "1g", "servers": 32, "between_runs": 0.01, "read": {"base": "$2us"}, "write": {"base": "$3us"}}
	J
}
device same 1000 1000
device slow 1000 1090
device all 1110 1110
sweep() { # DB DEVICE SEED KEY=VALUE...
	db=$1 dev=$2 seed=$3
	shift 3
	for pair; do set -- "$@" --set "$pair"; shift; done
	"$IOSWEEP" run -q --db "$db" --set name=s --set seed="$seed" --set ioengine=sim --set filename="$dev.json" --set rw=randread,randwrite \
		--set bs=4k,8k,16k,32k,64k --set iodepth=1,4,16,64 --set runtime=2 --set ramp_time=100ms --set repeats=2 "$@"
}
sweep a.db same 1
sweep b.db same 2
sweep slow.db slow 3
sweep all.db all 4
get() { jq -r "$1" out; }

expect_exit 0 "$IOSWEEP" compare a.db b.db --json
equal "$(get '"\(.changed + .same + .undecided) \(.changed) \(.environment | length) \(.cells | length)"')" '40 0 0 40'
expect_exit 0 "$IOSWEEP" compare a.db b.db --fail-on regression

expect_exit 0 "$IOSWEEP" compare a.db slow.db --json
[ "$(get '[.cells[] | select(.verdict == "changed" and .rw == "randwrite")] | length')" -ge 16 ] || die 'missed'
equal "$(get '[.cells[] | select(.verdict == "changed" and .rw == "randread")] | length')" 0
equal "$(get '.clusters[0].cells_where')" randwrite
get '.clusters[0].ratio' | awk '{ exit !($1 > 0.90 && $1 < 0.935) }' || die 'not 8 % less'
expect_exit 1 "$IOSWEEP" compare a.db slow.db --fail-on regression:5
expect_exit 0 "$IOSWEEP" compare a.db slow.db --fail-on regression:20
expect_exit 0 "$IOSWEEP" compare slow.db a.db --fail-on regression # it got better
expect_exit 0 "$IOSWEEP" compare a.db slow.db
contains out 'note: filename is not compared: '
contains out '  randwrite: 20 cells, -'
expect_exit 0 "$IOSWEEP" compare a.db slow.db --markdown
contains out '| changed | A, MiB/s | B, MiB/s | difference |'

expect_exit 0 "$IOSWEEP" compare a.db all.db
contains out ': all 40 cells, -10 %'
expect_exit 0 "$IOSWEEP" compare a.db all.db --json --metric lat_mean_us
get '.global_shift.ratio' | awk '{ exit !($1 > 1.1 && $1 < 1.12) }' || die 'no slower'
expect_exit 1 "$IOSWEEP" compare a.db all.db --metric lat_mean_us --fail-on regression

# halves of one file, also by an axis that has no column of its own
sweep halves.db same 5 job_offset=split,same rw=read numjobs=2
expect_exit 0 "$IOSWEEP" compare halves.db --a iodepth=16 --b iodepth=64 --json
equal "$(get '"\(.cells | length) \(.only_a) \(.only_b)"')" '10 0 0'
expect_exit 0 "$IOSWEEP" compare halves.db --a bs=4k --b bs=8k --json --metric run_iops
equal "$(get '.changed')" 0
expect_exit 0 "$IOSWEEP" compare halves.db --a job_offset=split --b job_offset=same --json
equal "$(get '.cells | length')" 20

# a run in doubt is in no mean
sqlite3 b.db "update run set flags = 1 where id <= 3"
expect_exit 0 "$IOSWEEP" compare a.db b.db
contains out '; 3 runs in doubt, left out'

# questions that make no sense
expect_exit 2 "$IOSWEEP" compare a.db
expect_exit 2 "$IOSWEEP" compare a.db --a rw=randread
expect_exit 2 "$IOSWEEP" compare a.db b.db --a rwx=randread
expect_exit 2 "$IOSWEEP" compare a.db b.db --ignore nonsense
expect_exit 2 "$IOSWEEP" compare a.db b.db --metric doubts
expect_exit 2 "$IOSWEEP" compare a.db b.db --fail-on regression:x
expect_exit 2 "$IOSWEEP" compare a.db b.db --where 'bs >'
expect_exit 3 "$IOSWEEP" compare a.db same.json
sweep other.db same 6 bs=128k iodepth=2,3
expect_exit 5 "$IOSWEEP" compare a.db other.db
contains err 'not comparable'
expect_exit 0 "$IOSWEEP" compare a.db other.db --ignore bs,iodepth --json
equal "$(get '.cells | length')" 2
# a side of which nothing can be compared is named
sqlite3 other.db "update run set flags = 1"
expect_exit 5 "$IOSWEEP" compare a.db other.db
contains err 'no run of B that is ok and free of doubt'
# only a mixed pattern has a rwmixread
sweep mix-a.db same 1 rw=randread,randwrite,randrw rwmixread=20 iodepth=1
sweep mix-b.db slow 2 rw=randread,randwrite,randrw rwmixread=20 iodepth=1
expect_exit 0 "$IOSWEEP" compare mix-a.db mix-b.db
contains out '  randwrite, bs 4k  '
contains out '  randrw, bs 4k, rwmixread 20  '

# in Markdown a name is neither a column nor a tag
"$IOSWEEP" run -q --db p.db --set 'filename=["a|b","<i>_"]' --set ioengine=null --set size=1m --set rw=read --set bs=4k,8k --set repeats=3 \
	--set runtime=10ms --set ramp_time=0
sqlite3 p.db 'update run set run_bw_bytes_s = 1e6 + repeat * 1000'
cp p.db 'q_|.db'
sqlite3 'q_|.db' 'update run set run_bw_bytes_s = run_bw_bytes_s / 2 where combination_id in (select id from combination where bs = 4096)'
expect_exit 0 "$IOSWEEP" compare p.db 'q_|.db' --markdown
contains out '### run_bw_mib_s: A = p.db, B = q\_\|.db'
contains out '| filename a\|b, bs 4k | '
contains out '| filename \<i\>\_, bs 4k | '
