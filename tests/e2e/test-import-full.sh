#!/bin/sh
# A disk that fills up while an import is under way: it says so, and leaves nothing of what it made; with room it is all there. What was
# in a database before stays.
# shellcheck source=tests/e2e/functions.sh
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires jq
fixtures=$root/tests/fixtures/fio

mkdir disk
mount -t tmpfs -o size=1m tmpfs disk || skip "cannot mount"
# shellcheck disable=SC2016 # when the test ends
cleanup_fn 'umount "$scratch/disk"'
i=0
while [ $i -lt 120 ]; do
	i=$((i + 1))
	# a run of its own each, and no document that fio printed while it ran
	jq -c ".timestamp_ms += $i * 1000 | .jobs[] |= (.job_runtime += $i | .read.total_ios += $i | .read.io_bytes += 4096 * $i)" "$fixtures/3.33_jsonplus_bins_randrw70.json"
done >many.json

# at each step: the new file, its log, the room beside it, its rows
for kib in 64 128 192 256 320 384 448 512 1024; do
	mount -o remount,size=${kib}k disk
	expect_exit 6 "$IOSWEEP" import -q many.json --db disk/x.db
	contains err 'nothing was imported'
	[ -z "$(ls disk)" ] || die "left in $kib KiB: $(ls disk)"
done
mount -o remount,size=64m disk
expect_exit 0 "$IOSWEEP" import -q many.json --db disk/x.db
equal "$(db disk/x.db 'select count(*) from run')" 120
rm disk/x.db

# one that was there is added to, or left as it was
expect_exit 0 "$IOSWEEP" import -q "$fixtures/3.33_single_io.json" --db disk/x.db
mount -o remount,size=1m disk
expect_exit 6 "$IOSWEEP" import -q many.json --db disk/x.db
equal "$(db disk/x.db 'select count(*) from run; pragma integrity_check' | tr '\n' ' ')" '1 ok '
