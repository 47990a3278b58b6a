# Guard matrix, mounts, partitions and swap: a device in use is refused under every name, and no option overrides that.
# alone
. "$(dirname "$0")/functions.sh"
. "$here/guard-matrix.sh"
requires sqlite3
requires losetup
requires mkfs.ext4
requires_root

rm -f a.img
truncate -s 2M a.img
mkfs.ext4 -q -F a.img
loop_over a.img
number=$(stat -c '%Hr:%Lr' "$loop")
ln -s "$loop" link
mknod node b "${number%:*}" "${number#*:}"
head -c 1 node >/dev/null 2>&1 || rm node
mkdir mnt mnt2
cleanup_fn "umount $scratch/mnt2 $scratch/mnt 2>/dev/null"
mount "$loop" mnt 2>/dev/null || skip "ext4 cannot be mounted here"
all="--destroy $loop --overwrite-signature=ext4"
mounted="mounted at $scratch/mnt"

state "mounted" 4 "it is $mounted: unmount it first; no option overrides this" a.img --set filename="$loop" $all
contains err "No option overrides all of the above"
state "mounted, by a link" 4 "it is $mounted" a.img --set filename=link --destroy link --overwrite-signature=ext4
state "mounted, by its number" 4 "it is $mounted" a.img --set filename="$loop" --destroy "$number" --overwrite-signature=ext4
[ ! -e node ] || state "mounted, by a second node" 4 "it is $mounted" a.img --set filename=node --destroy node --overwrite-signature=ext4
state "mounted, all reasons at once" 4 "signature of type ext4" a.img --set filename="$loop"
contains err "--destroy $loop"
contains err "it is $mounted"
state "mounted, only read" 0 - - --set filename="$loop" --set rw=read
mount -o remount,ro "$loop" mnt
state "mounted read-only" 4 "it is $mounted" a.img --set filename="$loop" $all
mount -o remount,rw "$loop" mnt
second=$(losetup -f --show a.img) && cleanup_fn "losetup -d $second 2>/dev/null"
state "mounted through another loop" 4 "${loop#/dev/}, over the same file, is $mounted" a.img --set filename="$second" --destroy "$second" \
	--overwrite-signature=ext4
losetup -d "$second"
above=$(losetup -f --show "$loop") && cleanup_fn "losetup -d $above 2>/dev/null"
state "a loop over a mounted loop" 4 "which backs it, is $mounted" a.img --set filename="$above" --destroy "$above" --overwrite-signature=ext4
top=$(losetup -f --show "$above") && cleanup_fn "losetup -d $top 2>/dev/null"
state "a loop over a loop over a mounted loop" 4 "is $mounted" a.img --set filename="$top" --destroy "$top" --overwrite-signature=ext4
losetup -d "$top"
losetup -d "$above"
mkdir mnt/sub
mount --bind mnt/sub mnt2
umount mnt
state "only bind-mounted" 4 "mounted at $scratch/mnt2" a.img --set filename="$loop" $all
exec 3>mnt2/file
umount -l mnt2
state "unmounted, but a file is open" 4 "holds it exclusively" a.img --set filename="$loop" $all
exec 3>&-
free() { "$IOSWEEP" probe "$loop" | grep -q 'holds it exclusively' && return 1; return 0; }
eventually free

# in another mount namespace: not in our list of mounts
if command -v unshare >/dev/null && unshare -m true 2>/dev/null; then
	background unshare -m sh -c "mount --make-rprivate / 2>/dev/null; mount $loop $scratch/mnt && : >ready && exec sleep 600"
	eventually test -e ready
	elsewhere=$pid
	lacks /proc/self/mountinfo "$loop"
	state "mounted in another namespace" 4 "it is $mounted as sleep (process $elsewhere) sees it: unmount it there first" a.img \
		--set filename="$loop" $all
	stop "$elsewhere"
	eventually free
fi
state "unmounted" 0 - a.img --set filename="$loop" $all

# partitions: two of 6 MiB
requires partx
rm -f p.img
image p.img 16M
command -v python3 >/dev/null || skip "needs python3"
loop_over p.img
# shellcheck disable=SC2016 # not for the shell
part='import fcntl,struct,sys,ctypes
op, number, fd = int(sys.argv[1]), int(sys.argv[2]), open(sys.argv[3])
p = ctypes.create_string_buffer(struct.pack("=qqi64s64s4x", (1 + 7 * (number - 1)) << 20, 6 << 20, number, b"", b""))
fcntl.ioctl(fd, 0x1269, struct.pack("@iiiP", op, 0, len(p) - 1, ctypes.addressof(p)))'
p1=${loop}p1 p2=${loop}p2
python3 -c "$part" 1 1 "$loop" && python3 -c "$part" 1 2 "$loop" || skip "no partitions here"
cleanup_fn "partx -d $loop 2>/dev/null"
eventually test -b "$p1"
eventually test -b "$p2"
whole="--set filename=$loop --destroy $loop --overwrite-signature=ext4"
first="--set filename=$p1 --destroy $p1 --overwrite-signature=ext4"
state "a disk with unused partitions" 0 - p.img $whole
state "a partition" 0 - p.img $first
state "a partition, its disk named" 2 "no target of this sweep" p.img --set filename="$p1" --destroy "$loop"
state "a disk, its partition named" 2 "no target of this sweep" p.img --set filename="$loop" --destroy "$p1"
mkfs.ext4 -q -F "$p1"
mount "$p1" mnt
state "a disk whose partition is mounted" 4 "its partition ${p1#/dev/} is $mounted" p.img $whole
state "the partition beside it" 0 - p.img --set filename="$p2" --destroy "$p2"
state "the mounted partition" 4 "it is $mounted" p.img $first
umount mnt
mkfs.ext4 -q -F "$loop" 2>/dev/null
if mount "$loop" mnt 2>/dev/null; then
	state "a partition of a mounted disk" 4 "its whole disk ${loop#/dev/} is $mounted" p.img $first
	umount mnt
fi
background python3 -c 'import os,sys,time; f = os.open(sys.argv[1], os.O_RDONLY | os.O_EXCL); open("held","w"); time.sleep(600)' "$loop"
eventually test -e held
state "a partition of a held disk" 4 "holds it exclusively" p.img $first
stop "$pid"
background python3 -c 'import os,sys,time; f = os.open(sys.argv[1], os.O_RDONLY | os.O_EXCL); open("held2","w"); time.sleep(600)' "$p2"
eventually test -e held2
state "a disk with a held partition" 4 "holds it exclusively" p.img $whole
state "the partition beside the held one" 0 - p.img $first
stop "$pid"
background python3 -c 'import os,sys,time; f = os.open(sys.argv[1], os.O_RDWR); open("held3","w"); time.sleep(600)' "$p2"
eventually test -e held3
state "a disk with a partition open for writing" 4 "its partition ${p2#/dev/} is open for writing by python3" p.img $whole
stop "$pid"
above=$(losetup -f --show "$p2") && cleanup_fn "losetup -d $above 2>/dev/null"
state "a disk with a loop over its partition" 4 "its partition ${p2#/dev/} backs the loop device ${above#/dev/}" p.img $whole
losetup -d "$above"
if mkswap "$p2" >/dev/null 2>&1 && swapon "$p2" 2>/dev/null; then
	cleanup_fn "swapoff $p2 2>/dev/null"
	state "a disk with swap on a partition" 4 "its partition ${p2#/dev/} is active swap: swapoff it first" - $whole
	state "swap on a partition" 4 "it is active swap: swapoff it first" - --set filename="$p2" --destroy "$p2" --overwrite-signature=swap
	swapoff "$p2"
	state "swap that is off" 4 "signature of type swap" p.img --set filename="$p2" --destroy "$p2"
fi
echo "$states states"
