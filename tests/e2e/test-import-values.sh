#!/bin/sh
# Every number of documents that fio 2.1 to 3.34 printed, in the right unit, and nothing where nothing was measured.
# shellcheck source=tests/e2e/functions.sh
. "$(dirname "$0")/functions.sh"
requires sqlite3
fixtures=$root/tests/fixtures/fio

expect_exit 0 "$IOSWEEP" import "$fixtures" --db x.db
# near A B: the same, or neither is measured; within one of the last place that is given
near() { echo "(($1 is null and $2 = 'NULL') or abs($1 - $2) <= 1e-6 * abs($2) + $3)"; }
sqlite3 x.db >missing <<SQL
create temp table want(file, job, op, error_no, bytes, window_ms, iops, mean_ns, p99_ns);
.mode list
.separator |
.import $fixtures/expect.txt want
select * from want where not exists (
	select 1 from results as r join run on run.id = r.run join imported on run_id = r.run join document on hash = document
	where document.file = '$fixtures/' || want.file and r.label = job and ifnull(r.op, '-') = want.op and run.error_no = want.error_no
	and $(near r.bytes want.bytes 0) and $(near "r.window_s * 1000" window_ms 0.001) and $(near r.iops want.iops 1e-6)
	and $(near "r.lat_mean_us * 1000" mean_ns 0.5) and $(near "r.lat_p99_us * 1000" p99_ns 0.001));
select 'nothing to compare' where not exists (select 1 from want);
SQL
[ ! -s missing ] || { cat missing >&2; die "not the values of the documents"; }
equal "$(db x.db "select count(*) from results join imported on run_id = run join document on hash = document where op is not 'sync' and file not like '%clients%'")" \
	"$(wc -l <"$fixtures/expect.txt")"

# what a document does not say is not there, instead of a default or 0
equal "$(db x.db "select count(*) from results where label in ('fill', 'scan') and bs is null and iodepth is null and rw is null and filename is null and direct is null")" 2
equal "$(db x.db "select lat_p50_us is null and lat_mean_us is null and lat_max_us is null from results where label = 'nolat'")" 1
equal "$(db x.db "select op is null and iops is null and window_s is null from results where label = '2m'")" 1
equal "$(db x.db "select lat_p99_9_us is not null and iops_min = 1 from results where label = 'job0'")" 1
# ... but options that it does not repeat are those of fio
equal "$(db x.db "select ioengine || direct || bs || iodepth || numjobs from results where label = 'both'")" psync0409611
equal "$(db x.db "select ioengine || ' ' || rw || ' ' || bs || ' ' || iodepth || ' ' || ramp_time || ' ' || options from results where label = 'job0'")" \
	'libaio randread 16384 8 10.0 profile=fio rate=204800'
# an engine that is none of ours keeps its name; two files are two
equal "$(db x.db "select ioengine from results where label = 'check'")" windowsaio
equal "$(db x.db "select filename from results where label = 'fill' and bs = 131072")" /mnt/a/one.dat:/mnt/b/two.dat
contains err "the key 'filename' stands twice: several files"
# the total of 32 jobs, not the mean of one; extremes of single jobs are none of all
equal "$(db x.db "select cast(run_bw_mib_s as integer) || ifnull(iops_min, '-') from results where label = 'wall'")" 190-
# one that was stopped is told by the line before it
equal "$(db x.db "select status || ' ' || error from results where label = 'LAPTOP'")" 'interrupted stopped after 2000 ms'
equal "$(db x.db "select status || ' ' || error from results where label = 'check'")" 'failed fio ended with error 84'
# syncs are counted by their latencies
equal "$(db x.db "select ios || ' ' || round(lat_mean_us, 3) from results where label = 'wal' and op = 'sync'")" '255 334.77'
# bins become a histogram: as many as there were I/Os
expect_exit 0 "$IOSWEEP" export x.db --histograms --where "label = 'plus' and op = 'read'"
equal "$(awk -F, 'NR > 1 { n += $NF } END { print n }' out)" 352
# one of reads and writes together is drawn, and is in the page, as that of a direction is
expect_exit 0 "$IOSWEEP" import "$fixtures/3.33_jsonplus_bins_randrw70.json" --db mixed.db
sqlite3 mixed.db "delete from histogram where op = 1; delete from result where op = 1; update histogram set op = 4; update result set op = 4"
expect_exit 0 "$IOSWEEP" show mixed.db 1
contains out 'mixed: latency, from each value to the next; 352 I/Os'
! grep 'issued rwts' out || die "none of the directions is known"
expect_exit 0 "$IOSWEEP" report mixed.db -o mixed.html
contains mixed.html '"1":{"mixed":{"h":[['
# clones are rows in doubt, and each is told from the others
equal "$(db x.db "select group_concat(doubts || ' ' || substr(options, -7), ', ') from results where label = 'nogr'")" \
	'partial-job clone=1, partial-job clone=2, partial-job clone=3'
# all of them say where they come from
equal "$(db x.db "select count(*) from results where ' ' || notes || ' ' not like '% imported %'")" 0
expect_exit 0 "$IOSWEEP" show x.db "$(db x.db "select run from results where label = 'LAPTOP'")"
contains out "imported from $fixtures/3.34_signal_noise.txt"
contains out '99.00th=[177.15]'
expect_exit 0 "$IOSWEEP" best x.db --where "label = 'both'"
contains out '250 MiB/s: bs 4k, numjobs 1, iodepth 1, psync'

# "mixed" beside its directions (unified_rw_reporting=both) is not one more of them
cat >both.json <<'JSON'
{"fio version": "fio-3.33", "jobs": [{"jobname": "both", "error": 0,
	"read": {"io_bytes": 540672, "io_kbytes": 528, "bw_bytes": 60074666, "iops": 14666.0, "runtime": 9, "total_ios": 132},
	"write": {"io_bytes": 507904, "io_kbytes": 496, "bw_bytes": 56433777, "iops": 13777.0, "runtime": 9, "total_ios": 124},
	"mixed": {"io_bytes": 1048576, "io_kbytes": 1024, "bw_bytes": 116508444, "iops": 28444.0, "runtime": 9, "total_ios": 256}}]}
JSON
expect_exit 0 "$IOSWEEP" import both.json --db both.db
equal "$(db both.db "select group_concat(op || ' ' || iops, ', '), max(run_iops), round(max(run_bw_mib_s) * 1048576) from results")" \
	'read 14666.0, write 13777.0, mixed 28444.0|28443.0|116508443.0'
expect_exit 0 "$IOSWEEP" export both.db --wide
equal "$(sqlite3 :memory: '.import --csv out x' 'select read_ios, write_ios, mixed_ios from x')" '132|124|256'
# bytes beyond what can be counted leave the other numbers where they are
sed 's/"io_bytes": 540672/"io_bytes": 18446744073709551615/; s/"io_bytes": 507904/"io_bytes": -1/' both.json >beyond.json
expect_exit 0 "$IOSWEEP" import beyond.json --db beyond.db
equal "$(db beyond.db "select group_concat(op || ' ' || ifnull(bytes, '-') || ' ' || ios, ', ') from results")" \
	'read - 132, write - 124, mixed 1048576 256'

# a percentile at the end of fio's histogram says only that it was no less; numbers that none can be are not there
sed 's/"total_ios": 132/&, "clat_ns": {"max": 94396000000, "mean": 41163568650.0, "N": 132, "percentile": {"50.000000": 17112760320, "90.000000": -4, "99.000000": 1e30}}/' \
	both.json >slow.json
expect_exit 0 "$IOSWEEP" import slow.json --db slow.db
equal "$(db slow.db "select distinct doubts from results")" saturated
equal "$(db slow.db "select lat_p50_us, ifnull(lat_p90_us, '-'), ifnull(lat_p99_us, '-') from results where op = 'read'")" '17112760.32|-|-'
expect_exit 0 "$IOSWEEP" show slow.db 1
contains out "doubt saturated: percentiles of read are at the end of fio's histogram"

# an axis at fio's default has that value, so that it is a column as soon as another document has another
printf '%s\n' '{"fio version": "fio-3.33", "jobs": [' >zipf.json
for d in '' ', "random_distribution": "zipf:1.2"'; do
	printf '%s{"jobname": "z", "job options": {"rw": "randread", "filename": "f"%s}, "read": {"io_bytes": 4096, "io_kbytes": 4, "iops": 1.0, "runtime": 9}}\n' \
		"${comma:-}" "$d" >>zipf.json
	comma=,
done
printf ']}\n' >>zipf.json
expect_exit 0 "$IOSWEEP" import zipf.json --db zipf.db
equal "$(db zipf.db "select group_concat(random_distribution, ' ') from results")" 'random zipf:1.2'

# a time that is no whole millisecond gives a sum no rate
half='{"jobname": "h", "job options": {"numjobs": "2"}, "read": {"io_bytes": 4096, "io_kbytes": 4, "iops": 1.0, "bw_bytes": 4096, "runtime": 0.5, "total_ios": 1}}'
printf '{"fio version": "fio-3.33", "jobs": [%s, %s]}\n' "$half" "$half" >half.json
expect_exit 0 "$IOSWEEP" import half.json --sum-jobs --db half.db
equal "$(db half.db "select bytes, ios, ifnull(iops, '-'), ifnull(bw_mib_s, '-') from results")" '8192|2|-|-'

# several files, also where another key stands twice before them
printf '%s\n' '{"jobs": [{"jobname": "f", "job options": {"bs": "4k", "bs": "8k", "filename": "/a", "filename": "/b"}, "read": {"io_bytes": 4096}}]}' >twice.json
expect_exit 0 "$IOSWEEP" import twice.json --db twice.db
contains err "twice.json: the key 'bs' stands twice; the last one counts"
contains err "twice.json: the key 'filename' stands twice: several files"
equal "$(db twice.db "select filename, bs from results")" '/a:/b|8192'
