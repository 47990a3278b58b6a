# Job files in the habits of their users become configs that run.
. "$(dirname "$0")/functions.sh"
requires sqlite3
jobs=$root/tests/fixtures/jobs
export ENGINE=psync TARGET=t.bin MEGABYTES=2 BS=4k
cp -r "$jobs/parts" .
mkdir data

# as_sweep NAME ROWS [OPTION]...: imported, loaded by plan, and run; all of its rows are ok. As jobs of fio and back it is the same
# sweep. Then $NAME.json and $NAME.db are there.
as_sweep() {
	name=$1 rows=$2
	shift 2
	"$IOSWEEP" import-job "$jobs/$name.fio" "$@" >"$name.json" 2>"$name.err" || { cat "$name.err" >&2; die "$name: not imported"; }
	"$IOSWEEP" plan -q - <"$name.json" || die "$name: plan refuses it"
	"$IOSWEEP" run -q "$name.json" --db "$name.db" || die "$name: did not run"
	equal "$(db "$name.db" "select count(*) || ' ' || sum(status = 'ok') from results")" "$rows $rows" "$name"
	"$IOSWEEP" export "$name.db" --format fio-job >"$name.out.fio"
	"$IOSWEEP" import-job -q "$name.out.fio" | "$IOSWEEP" plan -q --list - | awk '{ print $2 }' | sort >"$name.again"
	db "$name.db" "select distinct combination from results order by 1" | cmp - "$name.again" || die "$name: another one came back"
}
# is NAME SQL WANT: of the view results
is() { equal "$(db "$1.db" "select $2")" "$3" "$1: $2"; }

as_sweep env 1
is env "bs || ' ' || size || ' ' || iodepth || ' ' || ioengine || ' ' || direct || ' ' || runtime from results" '4096 2097152 1 psync 0 0.1'

as_sweep include 2
is include "group_concat(rw || ' ' || bs, ',') from (select * from results order by run)" 'randread 4096,randwrite 8192'

as_sweep comments 1
is comments "rw || ' ' || bs || ' ' || numjobs || ' ' || size from results" 'read 65536 2 1048576'

# Without --sweep they run as they stand in the file.
as_sweep overrides 5
is overrides "group_concat(label, ' ') from (select label from results where op <> 'sync' order by run)" 'seq-q8 seq-write-q8 rnd-q32 rnd-write-q1'
is overrides "group_concat(distinct ioengine || ' ' || direct || ' ' || runtime) from results" 'libaio 1 0.08,psync 0 0.05'
is overrides "count(*) from results where op = 'sync' and ios > 0" 1

as_sweep mixed 4
is mixed "group_concat(bytes / ios, ' ') from (select * from results order by run, op)" '8192 4096 4096 65536'
is mixed "group_concat(distinct rwmixread) from results" '70,10'

as_sweep bssplit 2
is bssplit "min(bytes / ios) >= 4096 and max(bytes / ios) < 65536 from results" 1
contains bssplit.err "'4k/60:16kib/30:64k/10,8k/50:32k/50' in fio is 4k/60:16000/30:64k/10,8k/50:32k/50"

as_sweep rate 5
is rate "count(*) from results where label in ('iops', 'both') and iops < 1000" 3

as_sweep percentiles 1

as_sweep durable 8
is durable "group_concat(ios, ' ') from (select ios from results where op = 'sync' order by run)" '64 4 1'
is durable "sum(bytes) from results where op = 'write'" $((5 * 262144))

as_sweep database 2
is database "count(*) from results where options like '%zipf:1.2%'" 2

# Two at once, each with its jobs; then one alone.
as_sweep disks 2
is disks "group_concat(filename || ' ' || depth_total, ' ') from (select * from results order by run)" '["a.bin","b.bin"] 4 a.bin 2'

as_sweep regions 3
is regions "group_concat(ios, ' ') from (select * from results order by run)" '30 256 10'
is regions "group_concat(bs || ' ' || filename, ' ') from (select * from results order by run)" '4096 data 4096 ./x:y.bin 4096 data/n.bin'

# Any of them is a sweep.
rm env.db env.csv
as_sweep env 18 --sweep bs=4k..16k*2 --sweep iodepth=1,8 --sweep ioengine=libaio,psync --sweep rw=randread,randwrite --sweep runtime=20ms \
	--sweep direct=1

# What is not set or not supported stops it, with file, line and name, all at once.
unset BS
expect_exit 3 "$IOSWEEP" import-job "$jobs/env.fio"
contains err "$jobs/env.fio:6: bs: undefined variable BS"
equal "$(wc -c <out)" 0
printf '[a]\nfilename=t.bin\nsize=1m\nwrite_bw_log=x\nfrobnicate\n' >odd.fio
expect_exit 3 "$IOSWEEP" import-job odd.fio -o odd.json
contains err 'odd.fio:4: write_bw_log: '
contains err 'odd.fio:5: frobnicate: unknown key'
contains err '--without write_bw_log,frobnicate'
[ ! -e odd.json ] || die 'a config was written'
expect_exit 0 "$IOSWEEP" import-job odd.fio --without write_bw_log,frobnicate -o odd.json
expect_exit 3 "$IOSWEEP" import-job nowhere.fio
expect_exit 2 "$IOSWEEP" import-job
expect_exit 0 "$IOSWEEP" import-job --cmdline 'fio --name=a --filename=t.bin --size=1m --rw=randread --runtime=1 --time_based' -q
equal "$(wc -c <err)" 0
