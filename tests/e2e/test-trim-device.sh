#!/bin/sh
# Trims: of block devices alone, behind the guards of every write; what is trimmed is gone, and what was asked for nothing else.
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires losetup
requires_root

head -c 8M /dev/urandom >disk.img
loop=$(losetup -f --show disk.img) || skip "no loop device to be had"
cleanup_fn "losetup -d $loop"
[ "$(cat "/sys/block/${loop#/dev/}/queue/discard_max_bytes")" -gt 0 ] || skip "this loop device takes no trims"
"$IOSWEEP" probe --json >probe.json
usable() { grep -A1 "\"name\": \"$1\"" probe.json | grep -q '"usable": true'; }

run() {
	rm -f t.db t.csv
	"$IOSWEEP" run -q --set benchmark_type=size --set filename="$loop" --set bs=64k --set order=listed --db t.db "$@" >/dev/null
}

# nothing is touched without consent, and a file is never trimmed
cp disk.img before.img
for rw in trim randtrim trimwrite randtrimwrite; do
	expect_exit 4 run --set rw=$rw
	contains err "--destroy $loop"
done
cmp disk.img before.img
expect_exit 5 "$IOSWEEP" run -q --set benchmark_type=size --set filename=t.dat --set size=1m --set rw=trim --set ioengine=psync --db f.db
contains err "rw trim discards blocks of a block device, and t.dat is a file"
[ ! -e t.dat ] || die "a file was made"

# each engine trims the region, and no more; the row is of the op trim, and nothing is counted as written
for engine in psync pvsync2 libaio io_uring; do
	usable $engine || continue
	for rw in trim randtrim; do
		dd if=before.img of="$loop" bs=1M conv=fsync status=none
		run --destroy "$loop" --set ioengine=$engine --set rw=$rw --set size=4m --set iodepth=8 || {
			grep -q "from Linux 6.12" t.csv && continue
			cat t.csv && die "$engine $rw"
		}
		equal "$(db t.db "select op || ' ' || ios || ' ' || bytes || ' ' || errors from results")" "trim 64 4194304 0" "$engine $rw"
		equal "$(dd if="$loop" bs=1M count=4 iflag=direct status=none | tr -d '\000' | wc -c)" 0 "$engine $rw: it is gone"
		equal "$(dd if="$loop" bs=1M skip=4 iflag=direct status=none | cksum)" "$(dd if=before.img bs=1M skip=4 status=none | cksum)"
		equal "$(db t.db "select coalesce(value, 0) from header where name = 'written_bytes'")" "" "a trim writes nothing"
	done
	# trimwrite: each block trimmed, then written with new data
	for rw in trimwrite randtrimwrite; do
		dd if=before.img of="$loop" bs=1M conv=fsync status=none
		run --destroy "$loop" --set ioengine=$engine --set rw=$rw --set size=4m --set iodepth=8 --set fsync=16 || {
			grep -q "from Linux 6.12" t.csv && continue
			cat t.csv && die "$engine $rw"
		}
		equal "$(db t.db "select group_concat(op || ' ' || ios || ' ' || bytes, ', ') from results")" \
			"write 64 4194304, trim 64 4194304, sync 4 0" "$engine $rw"
		[ "$(dd if="$loop" bs=1M count=4 iflag=direct status=none | tr -d '\000' | wc -c)" -gt 4100000 ] || die "$engine $rw: zeros are left"
		! cmp -s -n 65536 "$loop" before.img || die "$engine $rw: the old data is there"
		equal "$(db t.db "select value from header where name = 'written_bytes'")" $((4194304 + 65536)) "with the block of the first try"
	done
done

# reads that meet what was trimmed are in doubt
dd if=before.img of="$loop" bs=1M conv=fsync status=none
run --destroy "$loop" --set ioengine=psync --set rw=trim,randread
equal "$(db t.db "select status || ' ' || (doubts like '%unwritten%') from results where rw = 'randread'")" "ok 1"
# and those before it are not
dd if=before.img of="$loop" bs=1M conv=fsync status=none
run --destroy "$loop" --set ioengine=psync --set rw=randread,trim
equal "$(db t.db "select status || ' ' || (doubts like '%unwritten%') from results where rw = 'randread'")" "ok 0"
