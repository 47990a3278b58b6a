# Block devices (loops over files of this test): written only when named on the command line and free; mounted or with a
# signature nobody gave up: refused, untouched.
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires losetup
requires mkfs.ext4
requires_root

truncate -s 64M a.img
loop=$(losetup -f --show a.img) || skip "no loop device"
cleanup_fn "losetup -d $loop 2>/dev/null"
sweep() {
	"$IOSWEEP" run --set filename="$loop" --set ioengine=io_uring --set ramp_time=0 --set runtime=50ms --set bs=64k "$@" --db r.db
}
sum() { sha256sum a.img | cut -d' ' -f1; }
before=$(sum)
expect_exit 4 sweep --set rw=randwrite
contains err "--destroy $loop"
contains err "rw=randread"
expect_exit 2 sweep --set rw=randwrite --destroy /dev/null
[ ! -e r.db ] || die "a refused sweep made a database"
equal "$(sum)" "$before"

# reads need no permission; a device nobody wrote to says so
expect_exit 0 sweep --set rw=randread
equal "$(db r.db "select status, doubts like '%unwritten%' from results")" 'ok|1'
equal "$(sum)" "$before"
rm r.db r.csv
expect_exit 4 sweep --set rw=randread --set fill=true
expect_exit 0 sweep --set rw=randread --set fill=true --destroy "$loop"
equal "$(db r.db "select status, doubts like '%unwritten%' from results")" 'ok|0'
rm r.db r.csv
expect_exit 0 sweep --set rw=randwrite --destroy "$loop"
equal "$(db r.db "select count(*) from results where status = 'ok' and ios > 0 and device like '%${loop#/dev/}%'")" 1
rm r.db r.csv

# a file system on it
mkfs.ext4 -q -F "$loop"
sync
before=$(sum)
expect_exit 4 sweep --set rw=randwrite --destroy "$loop"
contains err ext4
equal "$(sum)" "$before"
# mounted: no option helps
mkdir mnt
mount "$loop" mnt
cleanup_fn "umount $scratch/mnt 2>/dev/null"
expect_exit 4 sweep --set rw=randwrite --destroy "$loop" --overwrite-signature=ext4
contains err mounted
contains err "No option overrides"
ln -s "$loop" link
expect_exit 4 "$IOSWEEP" run --set filename=link --set rw=write --set runtime=50ms --destroy link --overwrite-signature=ext4 --db r.db
umount mnt
expect_exit 0 sweep --set rw=randwrite --destroy "$loop" --overwrite-signature=ext4
