# Results on a file system that fills up: the sentence and exit 6, wherever it happens, never a signal, and no measured row
# lost. Its blocks are smaller than a page, so that a mapped file may have holes.
. "$(dirname "$0")/functions.sh"
requires mkfs.ext4
requires sqlite3
requires_root

truncate -s 4M r.img
mkfs.ext4 -q -F -b 1024 -O ^has_journal -m 0 -N 32 r.img
mkdir mnt
mount -o loop r.img mnt 2>/dev/null || skip "no loop device"
cleanup_fn 'umount "$scratch/mnt"'
set -- --set ioengine=null --set filename=x --set size=1g --set rw=randread --set ramp_time=0 --set runtime=5ms --db mnt/f.db
full=0
for left in 16 320 560 640 720 900; do
	rm -f mnt/*.*
	free=$(df -k --output=avail mnt | tail -n 1)
	head -c $(((free - left) * 1024)) /dev/zero >mnt/ballast.x
	rc=0
	"$IOSWEEP" run "$@" --set repeats=100 --progress=plain >out 2>err || rc=$?
	equal $rc 6 "$left KiB left: $(cat err)"
	grep -q "results could not be stored: mnt/f.\|mnt/f.db" err || die "$left KiB left: $(cat err)"
	# what is there can be read, and gone on with where there is room again
	[ -e mnt/f.db ] || continue
	rm mnt/ballast.x
	equal "$(db mnt/f.db "select state in ('running', 'interrupted') from sweep")" 1 "$left KiB left"
	first=$(grep -c ' IOPS' err) || continue
	full=$((full + 1))
	expect_exit 0 "$IOSWEEP" resume mnt/f.db --progress=plain
	equal $((first + $(grep -c ' IOPS' err))) 100 "$left KiB left: rows measured"
	equal "$(db mnt/f.db "select count(*), count(distinct repeat) from all_runs where status = 'ok'")" '100|100'
	equal "$(db mnt/f.db 'pragma integrity_check')" ok
	[ ! -e mnt/f.db-spool ] || die "the spool is left"
done
[ $full -gt 0 ] || die "it was never full while running"

# full at once, in the middle
rm -f mnt/*.*
"$IOSWEEP" run "$@" --set repeats=100 --set runtime=20ms --progress=plain >out 2>err &
pid=$!
eventually attempts mnt/f.db ok 5
cat /dev/zero >mnt/ballast.x 2>/dev/null || true
rc=0
wait $pid || rc=$?
equal $rc 6 "$(cat err)"
contains err "database or disk is full; what was measured is kept in"
first=$(grep -c ' IOPS' err)
# the room reserved for the spool was enough to store its rows after all, or it is still there
equal "$(($(db mnt/f.db "select count(*) from all_runs where status = 'ok'") + $(cat mnt/f.db-spool 2>/dev/null | grep -c '"put":"run_outcome"')))" "$first"
if [ ! -e mnt/f.db-spool ]; then contains err "f.db: the rows that had to wait are in it after all"; else lacks err "after all"; fi
rm mnt/ballast.x
expect_exit 0 "$IOSWEEP" resume mnt/f.db --progress=plain
equal $((first + $(grep -c ' IOPS' err))) 100
equal "$(db mnt/f.db "select count(*), count(distinct repeat) from all_runs where status = 'ok'")" '100|100'
rm -f mnt/*.*
expect_exit 0 "$IOSWEEP" run "$@" --set repeats=2
equal "$(ls mnt | grep -c spool)" 0
