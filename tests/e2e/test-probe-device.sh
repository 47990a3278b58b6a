#!/bin/sh
# iosweep probe on a memory device and a mounted loop device that this test makes.
. "$(dirname "$0")/functions.sh"
requires_root
requires losetup
requires mkfs.ext4

truncate -s 16M img
loop=$(losetup -f --show img 2>/dev/null) || skip "no loop devices here"
cleanup_fn "losetup -d $loop"
mkfs.ext4 -q "$loop"
mkdir mnt
mount "$loop" mnt || skip "cannot mount here"
cleanup_fn "umount $scratch/mnt"
sync
before=$(sha256sum img)
expect_exit 0 "$IOSWEEP" probe "$loop"
contains out "$loop: all data on this device would be lost: to allow it, add --destroy $loop"
contains out "$loop: it is mounted at $scratch/mnt: unmount it first; no option overrides this"
contains out "--overwrite-signature=ext4"
contains out "block device"
equal "$(sha256sum img)" "$before"

[ -e /sys/class/zram-control/hot_add ] || skip "no zram here"
n=$(cat /sys/class/zram-control/hot_add)
cleanup_fn "echo 1 >/sys/block/zram$n/reset; echo $n >/sys/class/zram-control/hot_remove"
echo 16M >"/sys/block/zram$n/disksize"
[ -b "/dev/zram$n" ] || skip "no /dev/zram$n"
expect_exit 0 "$IOSWEEP" probe "/dev/zram$n"
contains out "100 % of 256 sampled reads are all zero"
contains out "add --destroy /dev/zram$n"
lacks out "signature"
dd if=/dev/urandom of="/dev/zram$n" bs=1M count=16 2>/dev/null
expect_exit 0 "$IOSWEEP" probe "/dev/zram$n"
contains out "0 % of 256 sampled reads are all zero"
