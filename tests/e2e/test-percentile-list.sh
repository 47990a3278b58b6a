#!/bin/sh
# percentile_list from a job file to what is printed: exactly these, wherever percentiles are shown.
# shellcheck source=tests/e2e/functions.sh
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires jq

cat >job.fio <<'JOB'
[global]
ioengine=psync
filename=t.bin
size=1m
bs=4k
time_based
runtime=300ms
percentile_list=99.9:50:99  ; in any order

[first]
rw=randread

[second]
stonewall
rw=randrw
JOB
expect_exit 0 "$IOSWEEP" import-job job.fio -o c.json
jq -e '.percentile_list == "99.9:50:99"' c.json >/dev/null || die "$(cat c.json)"
expect_exit 0 "$IOSWEEP" run -q c.json --db c.db
equal "$(db c.db "select count(*) from results where lat_p95_us is not null and lat_p99_us is not null")" 3 'columns are fixed'

# as text and as numbers, of each op
expect_exit 0 "$IOSWEEP" show c.db 2
equal "$(grep -c '     lat percentiles (usec):' out)" 2
equal "$(grep '      |' out | grep -o '[0-9.]*th=' | tr '\n' ' ')" '50.00th= 99.00th= 99.90th= 50.00th= 99.00th= 99.90th= '
expect_exit 0 "$IOSWEEP" show c.db 2 --json
jq -e '(.rows | length == 2) and all(.rows[]; (.percentiles | keys_unsorted == ["50", "99", "99.9"]) and
	.percentiles."50" == .lat_p50_us and .percentiles."99" == .lat_p99_us and .percentiles."99.9" == .lat_p99_9_us)' out >/dev/null ||
	{ jq '.rows[] | .percentiles, .lat_p50_us' out >&2; die "show --json"; }

# as documents of fio
for format in fio-json fio-json+; do
	expect_exit 0 "$IOSWEEP" export c.db --format $format --run 1
	jq -e '.jobs[0] | .read.lat_ns.percentile == .read.clat_ns.percentile and (.read.lat_ns.percentile | keys_unsorted == ["50.000000", "99.000000", "99.900000"])
		and ."job options".percentile_list == "50:99:99.9"' out >/dev/null || die "$(jq .jobs[0].read.lat_ns out)"
done
expect_exit 0 "$IOSWEEP" export c.db --format fio-json+ -o docs
expect_exit 0 "$IOSWEEP" import docs --db back.db
same='op, ios, lat_p50_us, lat_p90_us, lat_p99_us, lat_p99_9_us from results order by rw, op'
equal "$(db back.db "select $same")" "$(db c.db "select $same")" 'back again'

# as a job of fio, which is this sweep again; and as a script
expect_exit 0 "$IOSWEEP" export c.db --format fio-job -o again.fio
equal "$(grep -c '^percentile_list=50:99:99.9$' again.fio)" 2
expect_exit 0 "$IOSWEEP" import-job again.fio -q
jq -e '.percentile_list == "50:99:99.9"' out >/dev/null || die "$(cat out)"
rm -f t.bin
expect_exit 0 "$IOSWEEP" plan c.json --fio
equal "$(grep -c -- '--percentile_list=50:99:99.9' out)" 2

# what there are too few I/Os for is no number
expect_exit 0 "$IOSWEEP" run -q --set filename=few.bin --set size=80k --set rw=read --set bs=4k --set ioengine=psync --set direct=0 \
	--set percentile_list=99.99999:100:50:99.99999 --db few.db
"$IOSWEEP" plan --set filename=none.bin --set size=80k --set rw=read --set percentile_list=50:99:50.0 >out
contains out 'percentile_list: 1 equal value merged'
expect_exit 0 "$IOSWEEP" show few.db 1
grep -q '^      |    50.00th=\[ *[0-9.]*\], 99.99999th=\[    -\],   100.00th=\[ *[0-9.]*\]$' out || { cat out >&2; die "few I/Os"; }
expect_exit 0 "$IOSWEEP" show few.db 1 --json
jq -e '.rows[0] | .percentiles."99.99999" == null and .percentiles."100" == .lat_max_us' out >/dev/null || die "few I/Os, JSON"
expect_exit 0 "$IOSWEEP" export few.db --format fio-json --run 1
jq -e '.jobs[0].read.lat_ns.percentile | keys_unsorted == ["50.000000", "100.000000"]' out >/dev/null || die "few I/Os, fio"

# without it they are fio's usual ones; it is never an axis
expect_exit 0 "$IOSWEEP" run -q --set filename=few.bin --set may_overwrite=few.bin --set size=80k --set rw=read --set ioengine=psync --set direct=0 --db usual.db
expect_exit 0 "$IOSWEEP" show usual.db 1 --json
jq -e '.rows[0].percentiles | length == 17 and has("99.95")' out >/dev/null || die "usual ones"
expect_exit 3 "$IOSWEEP" plan c.json --set 'include=[{"rw":"read","percentile_list":"50"}]'
contains err 'percentile_list'
expect_exit 3 "$IOSWEEP" plan c.json --set percentile_list="$(seq -s: 21)"
contains err 'percentile_list: more than 20 percentiles'
