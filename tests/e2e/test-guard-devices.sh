# Guard matrix, devices: names, consent, openers, other loop devices, zram; each refused or written as it must be.
# alone
. "$(dirname "$0")/functions.sh"
. "$here/guard-matrix.sh"
requires sqlite3
requires losetup
requires_root

image a.img
image b.img
loop_over b.img; other=$loop
loop_over a.img
number=$(stat -c '%Hr:%Lr' "$loop")
mkdir by-id
ln -s "$loop" by-id/ata-DISK_1234
ln -s by-id/ata-DISK_1234 chain
mknod node b "${number%:*}" "${number#*:}"
head -c 1 node >/dev/null 2>&1 || rm node # a file system mounted nodev
dev="--set filename=$loop"

# names and consent
state "not named" 4 "--destroy $loop" a.img $dev
state "a config alone" 4 "all data on this device would be lost" a.img $dev --set may_overwrite="$loop"
state "another device named" 2 "no target of this sweep is that device" a.img $dev --destroy "$other"
state "no device named" 2 "no such block device" a.img $dev --destroy nothing
state "a file named" 2 "no such block device" a.img $dev --destroy a.img
state "named by its path" 0 - a.img $dev --destroy "$loop"
state "named by a link" 0 - a.img $dev --destroy by-id/ata-DISK_1234
state "named by a chain of links" 0 - a.img $dev --destroy chain
state "named by its number" 0 - a.img $dev --destroy "$number"
state "a link, not named" 4 "--destroy chain" a.img --set filename=chain
state "a link, named by its path" 0 - a.img --set filename=chain --destroy "$loop"
state "named twice" 0 - a.img $dev --destroy "$loop" --destroy chain
if [ -e node ]; then
	state "a second node, not named" 4 "--destroy node" a.img --set filename=node
	state "a second node, named by the first" 0 - a.img --set filename=node --destroy "$loop"
	state "named by a second node" 0 - a.img $dev --destroy node
	# under three names in one sweep it is one device
	state "one device under three names" 0 - a.img --set "filename=[\"$loop\",\"chain\",\"node\"]" --destroy "$loop"
fi
state "two devices, one named" 4 "$other: all data" b.img --set "filename=[\"$loop\",\"$other\"]" --destroy "$loop"
state "two devices, both named" 0 - b.img --set "filename=[\"$loop\",\"$other\"]" --destroy "$loop" --destroy "$other"
state "filled before it is read" 4 "--destroy $loop" a.img $dev --set rw=read --set fill=true
state "only read" 0 - - $dev --set rw=read

# who has it open
exec 3<"$loop"
state "open for reading elsewhere" 0 - a.img $dev --destroy "$loop"
exec 3<&-
background python3 -c 'import os,sys,time; f = os.open(sys.argv[1], os.O_RDWR); open("held","w"); time.sleep(600)' "$loop"
writer=$pid
eventually test -e held
state "open for writing elsewhere" 4 "is open for writing by python3 (process $writer): end that first" a.img $dev --destroy "$loop"
contains err "No option overrides all of the above"
stop "$writer"
background python3 -c 'import os,sys,time; f = os.open(sys.argv[1], os.O_RDONLY | os.O_EXCL); open("held2","w"); time.sleep(600)' "$loop"
eventually test -e held2
state "held exclusively elsewhere" 4 "holds it exclusively" a.img $dev --destroy "$loop"
stop "$pid"
background "$IOSWEEP" run $dev --set rw=randread --set ioengine=psync --set runtime=600 --db reader.db -q
eventually attempts reader.db running 0
eventually test -e reader.csv
state "read by another sweep" 4 "another iosweep uses $loop" a.img $dev --destroy "$loop"
stop "$pid"
loop=$(losetup -f --show -r a.img) || skip "no loop device"
cleanup_fn "losetup -d $loop 2>/dev/null"
state "read-only" 4 "$loop: it is read-only" a.img --set filename="$loop" --destroy "$loop"
losetup -d "$loop"
state "detached" 5 "no medium" a.img --set filename="$loop"
loop=${dev#*filename=}

background python3 -c 'import time; f = open("a.img", "r+b"); open("held3", "w"); time.sleep(600)'
eventually test -e held3
state "its file is open for writing elsewhere" 4 "the file below it is open for writing by python3 (process $pid)" a.img $dev --destroy "$loop"
stop "$pid"

# what is no sweep does not write there either
before=$(digest a.img)
for command in "export reader.db -o $loop" "resume reader.db --csv $loop"; do
	# shellcheck disable=SC2086 # words
	! "$IOSWEEP" $command >out 2>err || die "not refused: $command"
	contains err "a block device is no place for a file"
	states=$((states + 1))
done
equal "$(digest a.img)" "$before"

# loops over it, under it, beside it
second=$(losetup -f --show a.img) && cleanup_fn "losetup -d $second 2>/dev/null"
state "an unused loop over the same file" 0 - a.img $dev --destroy "$loop"
losetup -d "$second"
above=$(losetup -f --show "$loop") && cleanup_fn "losetup -d $above 2>/dev/null"
state "a loop over it" 4 "backs the loop device ${above#/dev/}" a.img $dev --destroy "$loop"
state "a loop over a free loop" 0 - a.img --set filename="$above" --destroy "$above"
losetup -d "$above"

# where the kernel's lists cannot be read, nothing is known
if command -v unshare >/dev/null && unshare -m mount -t tmpfs none /sys 2>/dev/null; then
	iosweep=$IOSWEEP
	# the leak checker of a sanitizer cannot do without /proc
	case $IOSWEEP in *san-*) lists=sys ;; *) lists='sys proc' ;; esac
	for list in $lists; do
		printf '#!/bin/sh\nexec unshare -m sh -c '"'"'mount -t tmpfs none /%s; exec %s "$@"'"'"' sh "$@"\n' $list "$iosweep" >without
		chmod +x without
		IOSWEEP=$scratch/without
		state "without /$list" 4 "mount /proc and /sys first" a.img $dev --destroy "$loop"
	done
	IOSWEEP=$iosweep
fi

# zram
zram=$(cat /sys/class/zram-control/hot_add 2>/dev/null) || zram=
if [ -n "$zram" ]; then
	remove_zram() {
		swapoff "/dev/zram$zram" 2>/dev/null
		echo 1 >"/sys/block/zram$zram/reset"
		echo "$zram" >/sys/class/zram-control/hot_remove
	}
	cleanup_fn remove_zram
	eventually test -b "/dev/zram$zram"
	z="--set filename=/dev/zram$zram"
	state "zram without a size" 5 "no medium" - $z
	echo 16M >"/sys/block/zram$zram/disksize"
	state "zram, not named" 4 "--destroy /dev/zram$zram" - $z
	state "zram, named" 0 - "/dev/zram$zram" $z --destroy "/dev/zram$zram"
	if mkswap "/dev/zram$zram" >/dev/null 2>&1 && swapon "/dev/zram$zram" 2>/dev/null; then
		state "zram as swap" 4 "active swap: swapoff" - $z --destroy "/dev/zram$zram" --overwrite-signature=swap
		swapoff "/dev/zram$zram"
		state "zram after swapoff" 4 "signature of type swap" "/dev/zram$zram" $z --destroy "/dev/zram$zram"
	fi
fi

echo "$states states"
