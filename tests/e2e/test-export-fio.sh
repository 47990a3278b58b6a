#!/bin/sh
# What iosweep measured as fio would have printed it: the same keys and kinds, read by what reads fio, and back again without a loss.
# shellcheck source=tests/e2e/functions.sh
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires jq
fixtures=$root/tests/fixtures/fio

"$IOSWEEP" run -q --set filename=s.bin --set size=8m --set rw=randread,rw --set bs=4k,64k --set numjobs=2 --set iodepth=1 --set fsync=8 \
	--set ioengine=psync --set direct=0,1 --set repeats=2 --set runtime=200ms --set ramp_time=50ms --db a.db

# one run to stdout, more into a folder, each under a name of its own
expect_exit 2 "$IOSWEEP" export a.db --format fio-json
contains err 'name a folder with -o'
expect_exit 0 "$IOSWEEP" export a.db --format fio-json --run 1
jq -e '.jobs | length == 1' out >/dev/null
expect_exit 2 "$IOSWEEP" export a.db --format fio-json --run 99
expect_exit 0 "$IOSWEEP" export a.db --format fio-json+ -o docs
equal "$(find docs -type f | wc -l)" 16
[ -e docs/randread_4k_2_1_direct=0-r2.json ] || die "$(ls docs)"

# back again: each column of each row is the same, and of the same combination
expect_exit 0 "$IOSWEEP" import docs --db b.db
columns=$(db a.db "select group_concat(name) from pragma_table_info('results') where name not in ('sweep', 'run', 'host', 'device', 'fs', 'tags', 'notes')")
sqlite3 a.db "attach 'b.db' as b" "select $columns from main.results except select $columns from b.results" >lost
[ ! -s lost ] || { cat lost >&2; die "rows that did not come back"; }
equal "$(db b.db "select count(*) from results")" "$(db a.db "select count(*) from results")"
notes() { db "$1" "select combination, r.repeat, op, trim(replace(' ' || notes || ' ', ' imported ', ' ')), why from results as r join run on run.id = r.run order by 1, 2, 3"; }
notes a.db >want
notes b.db >have
contains have small-region
cmp have want || { diff have want >&2; die "notes that did not come back"; }
# ... where the whole target, or a share of each of several, was worked on, not a size
head -c 4M /dev/zero >w1
head -c 2M /dev/zero >w2
"$IOSWEEP" run -q --set 'filename=["w1",["w1","w2"]]' --set rw=randread --set bs=4k --set ioengine=psync --set direct=0 --set runtime=100ms \
	--set ramp_time=0 --set offset=0,25% --db w.db
"$IOSWEEP" run -q --set filename=w1 --set size=50% --set rw=randread --set bs=4k --set ioengine=psync --set direct=0 --set runtime=100ms \
	--set ramp_time=0 --db half.db
for d in w half; do
	expect_exit 0 "$IOSWEEP" export $d.db --format fio-json -o $d
	expect_exit 0 "$IOSWEEP" import $d --db $d-back.db
	equal "$(db $d-back.db "select combination, size from results order by 1")" "$(db $d.db "select combination, size from results order by 1")"
done
equal "$(db w-back.db "select count(distinct combination) from results")" 4
# what an import does not know of its machine is one line
"$IOSWEEP" compare w-back.db w.db >out || [ $? -eq 1 ]
equal "$(grep -c 'known of B alone' out)" 1
! grep 'not known ->' out || die "a line for each fact"
# ... by fio's own keys alone as well, as far as these go
mkdir plain
for f in docs/*; do
	jq '.jobs[0]."job options" |= with_entries(select(.key | startswith("iosweep_") | not))' "$f" >"plain/${f#docs/}"
done
expect_exit 0 "$IOSWEEP" import plain --db plain.db
equal "$(sqlite3 a.db "attach 'plain.db' as b" "select count(*) from main.results as a join b.results as b using (combination, repeat, op) where a.ios = b.ios
	and a.bytes = b.bytes and a.iops = b.iops and a.lat_min_us = b.lat_min_us and a.lat_max_us = b.lat_max_us and a.lat_mean_us = b.lat_mean_us
	and a.lat_stddev_us = b.lat_stddev_us and abs(a.lat_p99_us - b.lat_p99_us) < 0.001 and abs(a.run_bw_mib_s - b.run_bw_mib_s) < 0.001
	and abs(a.window_s - b.window_s) < 0.001 and abs(a.cpu_user_pct - b.cpu_user_pct) < 0.01 * (1 + a.cpu_user_pct)")" \
	"$(db a.db "select count(*) from results where lat_p99_us is not null")"

# the readers there are: the expressions of pipelines, the histogram of json+
f=docs/rw_4k_2_1_direct=0-r1.json
tsv() { awk -F'\t' '{ printf "%s %d %.6f %.6f\n", $1, $2, $3, $4 }'; }
equal "$(jq -r '.jobs[] | [.jobname, .read.io_bytes, .write.iops, .read.lat_ns.mean] | @tsv' "$f" | tsv)" \
	"$(sqlite3 -readonly -separator "$(printf '\t')" a.db "select r.label, r.bytes, w.iops, r.lat_mean_us * 1000 from results as r join results as w using (run)
	where r.op = 'read' and w.op = 'write' and r.rw = 'rw' and r.bs = 4096 and r.direct = 0 and r.repeat = 1" | tsv)"
jq -e '.jobs[0].read | .bw == (.bw_bytes / 1024 | floor) and (.lat_ns.bins | add) == .lat_ns.N and .lat_ns.N == .total_ios and
	.slat_ns.N == 0 and .clat_ns == .lat_ns' "$f" >/dev/null || die "the read of $f"
jq -e '.jobs[0] | (.sync.total_ios > 0) and (.sync.lat_ns.N == .sync.total_ios) and ."job options".fsync == "8" and
	([.latency_ns[], .latency_us[], .latency_ms[]] | add | . > 99.9 and . < 100.5) and ([.iodepth_level[]] | add == 100)' "$f" >/dev/null ||
	die "the job of $f"
expect_exit 0 "$IOSWEEP" export a.db --format fio-json --run 1
equal "$(jq '[.. | objects | select(has("bins"))] | length' out)" 0

# bandwidth over whole seconds with I/O: the same in both, whatever is in the last part and between
cp a.db seconds.db
sqlite3 seconds.db "delete from interval where run_id = 1; insert into interval values (1, 0, 0, 1000.0, 1, 8589934592, 1),
	(1, 0, 1000, 1000.0, 0, 0, 0), (1, 0, 2000, 1000.0, 1, 8589938688, 1), (1, 0, 3000, 990.0, 1, 8504035246, 1), (1, 0, 4000, 989.0, 1, 4096, 1)"
expect_exit 0 "$IOSWEEP" show seconds.db 1
contains out '   bw (  KiB/s): min=8388608, max=8388612, avg=8388609.33, stdev=2.31, samples=3'
expect_exit 0 "$IOSWEEP" export seconds.db --format fio-json --run 1
equal "$(jq -r '.jobs[0].read | "\(.bw_min) \(.bw_max) \(.bw_mean * 100 | round) \(.bw_dev * 100 | round) \(.bw_samples)"' out)" \
	'8388608 8388612 838860933 231 3'
# ... and none below a second
expect_exit 0 "$IOSWEEP" show a.db 1
lacks out 'bw ( '
expect_exit 0 "$IOSWEEP" export a.db --format fio-json --run 1
equal "$(jq -c '.jobs[0].read | [.bw_min, .bw_max, .bw_samples]' out)" '[0,0,0]'

# as bench-fio has them: its file names are taken apart; logs in fio's five columns
expect_exit 0 "$IOSWEEP" export a.db --format fio-json --layout bench-fio --intervals -o bench
[ -e bench/s.bin/direct=0/rw50/4k/r1/rw-1-2.json ] || die "$(find bench)"
[ -e bench/s.bin/direct=1/64k/r2/randread-1-2.json ] || die "$(find bench)"
cat bench/s.bin/direct=0/rw50/4k/r1/rw-iodepth-1-numjobs-2_bw.1.log >log
awk -F', ' '!/^[0-9]+, [0-9]+, [012], 0, 0$/ { bad = 1 } END { exit bad || NR != 2 }' log || { cat log >&2; die "no log of fio"; }
expect_exit 2 "$IOSWEEP" export a.db --format csv --layout bench-fio
expect_exit 2 "$IOSWEEP" export a.db --format fio-json --layout other -o x
# a database is not a folder, and nothing of it is overwritten
expect_exit 2 "$IOSWEEP" export a.db --format fio-json -o b.db
equal "$(db b.db 'pragma integrity_check')" ok

# what was imported goes out as it came, in today's keys, and comes back
expect_exit 0 "$IOSWEEP" import "$fixtures" --db old.db
expect_exit 0 "$IOSWEEP" export old.db --format fio-json+ -o old
expect_exit 0 "$IOSWEEP" import old --db again.db
columns=$(db old.db "select group_concat(name) from pragma_table_info('results') where name not in ('sweep', 'run')")
equal "$(sqlite3 old.db "attach 'again.db' as b" "select count(*) from (select $columns from main.results except select $columns from b.results)")" 0
equal "$(db again.db "select count(*) from results")" "$(db old.db "select count(*) from results")"
expect_exit 0 "$IOSWEEP" export old.db --format fio-json+ --where "label = 'plus'"
cp out plus.json
jq -S . plus.json >have
jq -S . "$fixtures/3.33_jsonplus_bins_randrw70.json" >want
cmp have want || { diff have want >&2; die "a document of today does not go out as it came"; }
expect_exit 0 "$IOSWEEP" export old.db --format fio-json --where "label = 'scan'"
jq -e '.jobs[0].read | .io_bytes == 83886080 and .lat_ns.mean == 969810 and .clat_ns.percentile."99.000000" == 2448000' out >/dev/null || die "old units"

# without a target, and where nothing was measured
"$IOSWEEP" run -q --set filename=n --set ioengine=null --set rw=read --set size=1m --set bs=4k,2m --set runtime=50ms --db n.db || :
expect_exit 0 "$IOSWEEP" export n.db --format fio-json -o n
equal "$(ls n)" read_4k_1_1.json
jq -e '.jobs[0].read.iops > 0 and (has("disk_util") | not)' n/read_4k_1_1.json >/dev/null

# of a simulated device, which fio has not: in the words of iosweep, and with its defaults
"$IOSWEEP" run -q --set filename="$root/configs/sim/nvme.json" --set ioengine=sim --set rw=randread --set bs=4k --set thinktime=0,100 --set runtime=500ms --db sim.db
expect_exit 0 "$IOSWEEP" export sim.db --format fio-json -o sim
expect_exit 0 "$IOSWEEP" import sim --db sim-back.db
equal "$(db sim-back.db "select group_concat(distinct combination) from (select * from results order by combination)")" \
	"$(db sim.db "select group_concat(distinct combination) from (select * from results order by combination)")"

# the same keys of the same kinds as fio's own
command -v fio >/dev/null || skip "the rest needs fio"
fio --name=x --filename=f.bin --size=4m --rw=randrw --bs=4k --ioengine=psync --fsync=8 --lat_percentiles=1 --output-format=json+ >fio.json
"$IOSWEEP" export a.db --format fio-json+ --where "rw = 'rw' and bs = 4096 and direct = 1 and repeat = 1" >ours.json
# path kind, from the one form that both are printed in: options and counts of their own keys are not compared
kinds() {
	awk '{ match($0, /^ */); depth = RLENGTH / 2 }
	/^ *".*" : / { key = $0; sub(/^ *"/, "", key); sub(/" : .*/, "", key); value = $0; sub(/^[^:]* : /, "", value); sub(/,$/, "", value)
		path[depth] = key; p = ""; for (i = 1; i <= depth; i++) if (i in path) p = p "/" path[i]
		kind = value ~ /^"/ ? "text" : value ~ /^[{[]/ ? "object" : value ~ /\./ ? "real" : "integer"
		print p, kind }
	{ for (i in path) if (i > depth) delete path[i] }' "$1" |
		grep -v -e '/job options/' -e '/bins/' -e '/percentile/' -e /disk_util/ | sort -u
}
kinds fio.json >want
kinds ours.json >have
comm -13 want have >ours
grep -v -e '/job_start integer' -e '/bins object' -e '/percentile object' ours && die "keys, or kinds of them, that fio has not"
comm -23 want have >lack
grep -v -e '/ctx ' -e '/majf ' -e '/minf ' -e /iodepth_submit -e /iodepth_complete -e '/bins object' -e '/percentile object' -e /disk_util lack && die "keys that fio has"
exit 0
