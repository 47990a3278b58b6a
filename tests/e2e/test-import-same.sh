#!/bin/sh
# What fio measured of a job is of the combination that the plan of its job file has, and so is what iosweep measured of it.
# shellcheck source=tests/e2e/functions.sh
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires jq
requires fio

planned() { "$IOSWEEP" plan -q - --json --list 2>/dev/null | jq -r '.list[].combination' | sort -u; }
imported() { db "$1" "select distinct combination from results order by 1"; }

# same OPTION...: fio runs them, in a file of 256 KiB; x.db is the result
same() {
	{ printf '[j]\nsize=256k\n' && printf '%s\n' "$@"; } >j.fio
	case "$*" in *filename=* | *directory=*) ;; *) echo filename=t.bin >>j.fio ;; esac
	fio j.fio --output-format=json --output=j.json >/dev/null
	rm -f x.db
	"$IOSWEEP" import -q j.json --db x.db 2>/dev/null
	equal "$(imported x.db)" "$("$IOSWEEP" import-job -q j.fio | planned)" "$*"
}
is() { equal "$(db x.db "select distinct $1 from results")" "$2" "$1"; }

same rw=randread:8
is "rw || ' ' || options" 'randread time_based=0 rw_step=8'
same rw=randread bsrange=4k-16k number_ios=20
is "bs || ' ' || options" '16384 time_based=0 number_ios=20 bssplit=4096-16384'
same rw=randrw bs=8k,4k
is bs 8192
same rw=randrw bssplit=4k/50:16k/50,64k
is bs 65536
same kb_base=1000 bs=4k size=200k
is "bs || ' ' || size || ' ' || (bytes / ios)" '4000 200000 4000'
same rw=randread random_distribution=zipf:1.20
same rw=write 'buffer_pattern="ab"' prio=3
same rw=rw rate_iops=500000,200000,0
same ioengine=libaio iodepth=2 iodepth_batch_submit=4 iodepth_batch_complete_max=4
same ioengine=null runtime=100ms time_based bs=64k
# a depth that a synchronous engine does not have is none
same ioengine=sync iodepth=32 invalidate=0
is "ioengine || iodepth || depth_total" psync11
same 'filename=co\:lon\x.dat'
is filename 'co:lon\x.dat'
mkdir many
same directory=many numjobs=2 rw=write group_reporting=1

# iosweep's own, of the same options, out and back, and run by fio
cat >c.json <<'JSON'
{"filename": "t.bin", "size": "256k", "rw": ["randread:8", "read:4k"], "bs": ["4k", {"read": "8k", "write": "4k"}],
	"bssplit": ["4k-16k"], "iodepth": 2, "ioengine": ["psync", "libaio"], "direct": 0, "runtime": 0.05, "ramp_time": 0}
JSON
jq 'del(.bssplit)' c.json >sizes.json
jq '.bs = "4k"' c.json >mixed.json
for c in sizes mixed; do
	planned <$c.json >want
	"$IOSWEEP" run -q $c.json --db $c.db
	"$IOSWEEP" export $c.db --format fio-json+ -o $c
	"$IOSWEEP" import -q $c --db $c-back.db
	imported $c-back.db | cmp want - || die "$c: others came back"
	"$IOSWEEP" plan -q $c.json --fio >$c.sh
	sh $c.sh $c.out >/dev/null 2>&1
	"$IOSWEEP" import -q $c.out --db $c-fio.db
	imported $c-fio.db | cmp want - || die "$c: fio ran others"
done
