# Results on a file system that fills up: the sentence and exit 6, wherever it happens, and never a signal. Its blocks are
# smaller than a page, so that a mapped file may have holes.
. "$(dirname "$0")/functions.sh"
requires mkfs.ext4
requires sqlite3
requires_root

truncate -s 256K r.img
mkfs.ext4 -q -F -b 1024 -O ^has_journal -m 0 -N 16 r.img
mkdir mnt
mount -o loop r.img mnt 2>/dev/null || skip "no loop device"
cleanup_fn 'umount "$scratch/mnt"'
set -- --set ioengine=null --set filename=x --set size=1g --set rw=randread --set ramp_time=0 --set runtime=5ms --db mnt/f.db
full=0
for left in 16 40 64 80 96 112 128 144 160 176 200; do
	rm -f mnt/*.*
	free=$(df -k --output=avail mnt | tail -n 1)
	head -c $(((free - left) * 1024)) /dev/zero >mnt/ballast.x
	rc=0
	"$IOSWEEP" run "$@" --set repeats=60 >out 2>err || rc=$?
	equal $rc 6 "$left KiB left: $(cat err)"
	grep -q "results could not be stored: mnt/f.\|mnt/f.db: " err || die "$left KiB left: $(cat err)"
	# what is there can be read, and gone on with where there is room again
	[ -e mnt/f.db ] || continue
	full=$((full + 1))
	rm mnt/ballast.x
	equal "$(db mnt/f.db "select state in ('running', 'interrupted') from sweep")" 1 "$left KiB left"
done
[ $full -gt 0 ] || die "it was never full while running"
rm -f mnt/*.*
expect_exit 0 "$IOSWEEP" run "$@" --set repeats=2
