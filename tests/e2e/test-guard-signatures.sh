# Guard matrix, what lies on a device: refused by its name, until that is given up.
# alone
. "$(dirname "$0")/functions.sh"
. "$here/guard-matrix.sh"
requires sqlite3
requires python3
requires losetup
requires_root

# on TYPE WORD: as WORD for --overwrite-signature; the image is in a.img
on() {
	loop_over a.img
	state "$1 on it" 4 "signature of type $2" a.img --set filename="$loop" --destroy "$loop"
	contains err "--overwrite-signature=$2"
	state "$1 on it, given up" 0 - a.img --set filename="$loop" --destroy "$loop" --overwrite-signature="$2"
	losetup -d "$loop"
}
for type in xfs:xfs btrfs:btrfs luks1:crypto_LUKS luks2:crypto_LUKS lvm:LVM2_member md-1.2:linux_raid_member \
	md-1.1:linux_raid_member md-1.0:linux_raid_member gpt:gpt dos:dos f2fs:f2fs squashfs:squashfs iso9660:iso9660 \
	bcache:bcache zfs:zfs_member; do
	rm -f a.img
	truncate -s "$([ $type = zfs:zfs_member ] && echo 64M || echo 2M)" a.img
	python3 "$here/signatures.py" "${type%:*}" a.img
	on "${type%:*}" "${type#*:}"
done
real() { # TYPE COMMAND...: made by its own program
	word=$1; shift
	command -v "$1" >/dev/null 2>&1 || return 0
	rm -f a.img
	truncate -s 2M a.img
	"$@" a.img >/dev/null 2>&1
	on "$1" "$word"
}
real ext4 mkfs.ext4 -q -F
real ext2 mkfs.ext2 -q -F
real swap mkswap

# of a GPT the copy at the end is enough, of ext4 nothing but its superblock
rm -f a.img
truncate -s 2M a.img
python3 "$here/signatures.py" gpt a.img
dd if=/dev/zero of=a.img bs=512 count=40 conv=notrunc 2>/dev/null
on "backup gpt" gpt
rm -f a.img
truncate -s 2M a.img
if mkfs.ext4 -q -F a.img 2>/dev/null; then
	dd if=/dev/zero of=a.img bs=4k seek=1 conv=notrunc count=400 2>/dev/null
	on "damaged ext4" ext4
fi

# giving up one is not giving up another, nor the device
rm -f a.img
truncate -s 2M a.img
python3 "$here/signatures.py" xfs a.img
loop_over a.img
state "xfs on it, another given up" 4 "signature of type xfs" a.img --set filename="$loop" --destroy "$loop" --overwrite-signature=ext4
state "xfs given up, device not named" 4 "--destroy $loop" a.img --set filename="$loop" --overwrite-signature=xfs
losetup -d "$loop"

# two at once: both are named, both must be given up
rm -f a.img
truncate -s 2M a.img
python3 "$here/signatures.py" btrfs a.img
python3 "$here/signatures.py" md-1.0 a.img
loop_over a.img
state "two on it" 4 "signature of type btrfs" a.img --set filename="$loop" --destroy "$loop"
contains err "signature of type linux_raid_member"
state "two on it, one given up" 4 "signature of type linux_raid_member" a.img --set filename="$loop" --destroy "$loop" \
	--overwrite-signature=btrfs
lacks err "signature of type btrfs"
state "two on it, both given up" 0 - a.img --set filename="$loop" --destroy "$loop" --overwrite-signature=btrfs \
	--overwrite-signature=linux_raid_member
echo "$states states"
