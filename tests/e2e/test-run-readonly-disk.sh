# Results on a file system that becomes read-only in the middle: the measured rows wait in TMPDIR, exit 6, and resume takes
# them over once. Where no directory takes them they are printed.
. "$(dirname "$0")/functions.sh"
requires mkfs.ext4
requires e2fsck
requires sqlite3
requires_root

truncate -s 8M r.img
mkfs.ext4 -q -F r.img
mkdir mnt tmp
loop=$(losetup -f --show r.img 2>/dev/null) || skip "no loop device"
cleanup_fn 'losetup -d "$loop"'
mount -o errors=remount-ro "$loop" mnt
cleanup_fn 'umount "$scratch/mnt" 2>/dev/null'
break_it() { echo 1 >"/sys/fs/ext4/${loop##*/}/trigger_fs_error"; }
repair() {
	umount mnt
	e2fsck -fy "$loop" >/dev/null 2>&1 || true
	mount -o errors=remount-ro "$loop" mnt
}
# What was synced stays, and what waits; short runs are synced once a second.
ids() { sed -n 's/^{"put":"run_outcome".*"id":\([0-9]*\)}$/\1/p' "$@"; }
taken_over() {
	[ -n "$waiting" ] || die "nothing was spooled"
	for id in $waiting; do
		equal "$(db "$1" "select status from all_runs where run = $id")" ok "run $id"
	done
}
[ -e "/sys/fs/ext4/${loop##*/}/trigger_fs_error" ] || skip "this kernel cannot break a file system on demand"
set -- --set ioengine=null --set filename=x --set size=1g --set rw=randread --set ramp_time=0 --set runtime=10ms \
	--set repeats=200 --progress=plain

TMPDIR=$scratch/tmp "$IOSWEEP" run "$@" --db mnt/f.db >out 2>err &
pid=$!
eventually attempts mnt/f.db ok 10
break_it
rc=0
wait $pid || rc=$?
equal $rc 6 "$(cat err)"
contains err "what was measured is kept in $scratch/tmp/iosweep-"
contains err "to go on: iosweep resume mnt/f.db"
waiting=$(ids tmp/*.spool)
repair
equal "$(sqlite3 mnt/f.db 'pragma integrity_check')" ok
TMPDIR=$scratch/tmp expect_exit 0 "$IOSWEEP" resume mnt/f.db --progress=plain
taken_over mnt/f.db
equal "$(db mnt/f.db "select count(*), count(distinct repeat) from all_runs where status = 'ok'")" '200|200'
equal "$(ls tmp)" "" "left in TMPDIR"
equal "$(ls mnt | grep -c spool)" 0

# no directory at all: in a place of its own where /tmp and /var/tmp are read-only
cp "$IOSWEEP" program
unshare -m true 2>/dev/null || exit 0
cat >alone.sh <<'END'
set -e
mount --make-rprivate /
mount --bind "$1" /mnt
mount --bind "$1/mnt" /mnt/mnt
mount -t tmpfs -o ro none /var/tmp
mount -t tmpfs -o ro none /tmp
cd /mnt
shift
TMPDIR=/tmp exec ./program run "$@"
END
mkdir -p /mnt
unshare -m sh alone.sh "$scratch" "$@" --db mnt/g.db >out 2>err &
pid=$!
eventually attempts mnt/g.db ok 10
break_it
rc=0
wait $pid || rc=$?
equal $rc 6 "$(cat err)"
contains err "resume finds them in a file mnt/g.db-spool of the lines that follow:"
repair
sed -n '/^{"iosweep_spool"/,$p' err | grep '^{' >mnt/g.db-spool
waiting=$(ids mnt/g.db-spool)
# it goes on in the directory where it began
expect_exit 0 unshare -m sh -c 'mount --make-rprivate / && mount --bind "$1" /mnt && mount --bind "$1/mnt" /mnt/mnt &&
	cd /mnt && exec ./program resume mnt/g.db --progress=plain' sh "$scratch"
taken_over mnt/g.db
equal "$(db mnt/g.db "select count(*), count(distinct repeat) from all_runs where status = 'ok'")" '200|200'
