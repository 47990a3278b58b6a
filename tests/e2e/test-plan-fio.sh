# plan --fio: a script that runs the plan with fio, goes on where it stopped, and writes to nothing that is not its own.
. "$(dirname "$0")/functions.sh"

# What fio is told and writes; a name in `fail` fails.
cat >fio <<'EOF'
#!/bin/sh
for a; do
	case $a in --output=*) json=${a#*=} ;; --name=*) name=${a#*=} ;; --filename=*) file=${a#*=} ;; esac
done
[ -f "$file" ] || exit 9
echo "$*" >>calls
echo '{}' >"$json"
! grep -qx "$name" fail 2>/dev/null
EOF
chmod +x fio
FIO=$PWD/fio
export FIO

"$IOSWEEP" plan --fio --set name=s --set filename='a b.bin' --set size=1m --set rw=randread,write --set bs=4k,64k --set runtime=1 \
	--set repeats=2 --set ioengine=psync >plan.sh
sh -n plan.sh
! command -v shellcheck >/dev/null || shellcheck -s sh -S warning plan.sh
echo write_64k_1_1 >fail
expect_exit 1 sh plan.sh res
contains err '2 failed: res/*.failed'
equal "$(wc -l <calls)" 8
equal "$(find res -name '*.json' | wc -l)" 6
equal "$(find res -name '*.failed' | wc -l)" 2
[ -e 'a b.bin' ] || die 'the file went although runs are left'
contains calls "--filename=a b.bin"
contains calls "--bs=65536"
contains calls "--direct=1"

# Only what is missing runs again; then its file goes.
: >fail
: >calls
expect_exit 0 sh plan.sh res
equal "$(wc -l <calls)" 2
equal "$(find res -name '*.json' | wc -l)" 8
[ ! -e 'a b.bin' ] || die 'its file is left'
equal "$(find res -name '*.failed' | wc -l)" 0 'import takes a whole folder'

# The pause is between two runs, not behind those that were there; who stops it meanwhile sees no further run.
cat >sleep <<'EOF'
#!/bin/sh
echo "$1" >>pauses
[ ! -e stop ] || kill -TERM "$PPID"
EOF
chmod +x sleep
"$IOSWEEP" plan --fio --set filename=p.bin --set size=1m --set rw=randread,write --set bs=4k,64k --set runtime=1 --set pause=7500ms \
	--set ioengine=psync --set direct=0 >pause.sh
: >calls
echo write_64k_1_1 >fail
expect_exit 1 env PATH="$PWD:$PATH" sh pause.sh paused
equal "$(wc -l <calls)" 4
equal "$(tr '\n' ' ' <pauses)" '7.5 7.5 7.5 '
expect_exit 1 env PATH="$PWD:$PATH" sh pause.sh paused
equal "$(wc -l <pauses)" 3 'one run was left'
: >fail
expect_exit 0 env PATH="$PWD:$PATH" sh pause.sh paused
: >calls
: >stop
expect_exit 130 env PATH="$PWD:$PATH" sh pause.sh stopped
equal "$(wc -l <calls)" 1
equal "$(find stopped -name '*.json*' | wc -l)" 1
rm stop
expect_exit 0 env PATH="$PWD:$PATH" sh pause.sh stopped
equal "$(wc -l <calls)" 4

# A file that came meanwhile is not its own, nor one that shrank.
yes precious | head -c 8192 >'a b.bin'
: >calls
expect_exit 4 sh plan.sh other
contains err 'refused: a b.bin was not there when this was planned'
equal "$(head -n 1 'a b.bin')" precious
head -c 65536 /dev/zero >small
"$IOSWEEP" plan --fio --set filename=small --set rw=randread --set runtime=1 --set direct=0 >read.sh
head -c 4096 /dev/zero >small
expect_exit 4 sh read.sh
contains err 'small is no file of 65536 bytes'
head -c 65536 /dev/zero >small
mkdir blind
printf '#!/bin/sh\nexit 1\n' | tee blind/stat >blind/blockdev
chmod +x blind/*
expect_exit 4 env PATH="$PWD/blind:$PATH" sh read.sh
contains err 'small is no file of 65536 bytes'
equal "$(wc -l <calls)" 0

# Names to the letter: those with a blank at an end are others than those without.
for f in ' victim' 'victim ' ' victim ' 'vic\nt\im'; do
	echo precious >victim
	"$IOSWEEP" plan --fio --set filename="$f" --set size=1m --set rw=write --set runtime=1 --set direct=0 --set ioengine=psync >v.sh
	expect_exit 0 sh v.sh "v$f"
	equal "$(cat victim)" precious "beside '$f'"
	[ ! -e "$f" ] || die "'$f' is left"
done

# What it made here is not what lies elsewhere under that name.
echo write_4k_1_1 >fail
"$IOSWEEP" plan --fio --set filename=here.bin --set size=1m --set rw=write --set runtime=1 --set direct=0 --set ioengine=psync >h.sh
expect_exit 1 sh h.sh "$PWD/h"
mkdir elsewhere
echo precious >elsewhere/here.bin
cp fio elsewhere
expect_exit 4 sh -c 'cd elsewhere && sh ../h.sh "$1"' sh "$PWD/h"
contains err 'refused: here.bin was not there when this was planned'
ln -sf elsewhere/here.bin here.bin
expect_exit 4 sh h.sh "$PWD/h"
rm here.bin
mkdir "elsewhere/a
b"
expect_exit 4 sh -c 'cd elsewhere/a* && sh ../../h.sh ../h' sh
contains err 'a line end in the name of its folder'
equal "$(cat elsewhere/here.bin)" precious
: >fail
: >calls

# What plan refuses has no script.
expect_exit 4 "$IOSWEEP" plan --fio --set filename='a b.bin' --set rw=write --set runtime=1 --set direct=0
equal "$(wc -c <out)" 0
expect_exit 2 "$IOSWEEP" plan --fio --json --set filename=t --set size=1m --set rw=read

# A device: by plan and by script only when it is named.
if [ "$(id -u)" -eq 0 ] && truncate -s 4m image && loop=$(losetup -f --show image); then
	cleanup_fn "losetup -d $loop"
	expect_exit 4 "$IOSWEEP" plan --fio --set filename="$loop" --set rw=write --set runtime=1
	equal "$(wc -c <out)" 0
	contains err "iosweep plan --fio --set filename=$loop"
	sed -i 's/-f /-b /' fio
	"$IOSWEEP" plan --fio --destroy "$loop" --set filename="$loop" --set rw=write --set runtime=1 >dev.sh
	expect_exit 4 sh dev.sh dev
	contains err "all data on $loop would be lost; this is permitted by: --destroy $loop"
	equal "$(wc -l <calls)" 0
	[ ! -e dev ] || die 'a folder of nothing is left'
	expect_exit 4 env PATH="$PWD/blind:$PATH" sh dev.sh --destroy "$loop" dev
	contains err "$loop is no device of 4194304 bytes"
	truncate -s 5m image
	losetup -c "$loop"
	expect_exit 4 sh dev.sh --destroy "$loop" dev
	contains err "$loop is no device of 4194304 bytes"
	truncate -s 4m image
	losetup -c "$loop"
	expect_exit 0 sh dev.sh --destroy "$loop" dev
	equal "$(wc -l <calls)" 1
	expect_exit 4 sh dev.sh --destroy "x $loop y" other
	expect_exit 2 sh dev.sh --destory "$loop" other
fi

# in_use STATE MESSAGE: while that is so (in a mount namespace of its own) the script of $loop refuses
in_use() {
	expect_exit 4 unshare -m sh -c "mount --make-rprivate / && $1 && exec sh dev.sh --destroy $loop other"
	contains err "refused: $loop: $2"
}
if [ "${loop:-}" ] && command -v mkfs.ext4 >/dev/null && unshare -m mount -t tmpfs none /mnt 2>/dev/null; then
	: >calls
	name=${loop#/dev/}
	number=$(cat "/sys/class/block/$name/dev")
	mkdir mnt
	mkfs.ext4 -q -F "$loop"
	in_use "mount $loop mnt" "$loop is mounted at $scratch/mnt"
	mkdir "$(printf 'm\033[1mn')"
	in_use "mount $loop m*n" "$loop is mounted at $scratch/m?[1mn"
	ln -s "$loop" link
	in_use "mount $scratch/link mnt" "$loop is mounted"
	# as a btrfs shows: no number, but the device that it was mounted from, and all of its devices elsewhere
	in_use "mount -t tmpfs $loop mnt" "$loop is mounted at $scratch/mnt"
	in_use 'mount -t tmpfs /dev/nowhere mnt' "/dev/nowhere is mounted at $scratch/mnt, and on which device cannot be told"
	in_use "mount -t tmpfs none /sys/fs && mkdir -p /sys/fs/btrfs/u/devices/$name && echo $number >/sys/fs/btrfs/u/devices/$name/dev" \
		"$name is mounted, in a btrfs"
	in_use "mount -t tmpfs none /sys/class && mkdir -p /sys/class/block/$name/holders/dm-9 && echo $number >/sys/class/block/$name/dev" \
		"$name is held by dm-9"
	in_use "mount -t tmpfs none /sys/class && mkdir -p /sys/class/block/sdz/holders/dm-9" \
		"sdz is held by dm-9, and on which device cannot be told"
	# what cannot be seen is no permission
	in_use "mount -t tmpfs none /proc" 'whether it is in use cannot be told'
	expect_exit 4 unshare -m sh -c "mount -t tmpfs none /sys && exec sh dev.sh --destroy $loop other"
	contains err "$loop is no device of 4194304 bytes"

	above=$(losetup -f --show "$loop")
	cleanup_fn "losetup -d $above"
	expect_exit 4 sh dev.sh --destroy "$loop" other
	contains err "refused: $loop: $loop is below ${above#/dev/}"
	"$IOSWEEP" plan --fio --destroy "$above" --overwrite-signature=ext4 --set filename="$above" --set rw=write --set runtime=1 >above.sh
	expect_exit 4 unshare -m sh -c "mount $loop mnt && exec sh above.sh --destroy $above other"
	contains err "refused: $above: $loop is mounted at $scratch/mnt"
	losetup -d "$above"

	beside=$(losetup -f --show image)
	cleanup_fn "losetup -d $beside"
	in_use "mount $beside mnt" "$beside is mounted at $scratch/mnt"
	losetup -d "$beside"
	if mkswap "$loop" >/dev/null 2>&1 && swapon "$loop" 2>/dev/null; then
		cleanup_fn "swapoff $loop 2>/dev/null"
		expect_exit 4 sh dev.sh --destroy "$loop" other
		swapoff "$loop"
		contains err "refused: $loop: $loop is swapped to"
	fi
	equal "$(wc -l <calls)" 0

	# a partition is part of its disk, and the disk of it; beside each other they are two
	losetup -d "$loop"
	wipefs -qa image
	disk=$(losetup -f --show -P image)
	cleanup_fn "losetup -d $disk"
	if addpart "$disk" 1 64 3000 && addpart "$disk" 2 4000 3000; then
		cleanup_fn "delpart $disk 1; delpart $disk 2"
		eventually test -b "${disk}p1"
		eventually test -b "${disk}p2"
		for d in "$disk" "${disk}p1" "${disk}p2"; do
			"$IOSWEEP" plan --fio --destroy "$d" --set filename="$d" --set rw=write --set runtime=1 >"${d##*/}.sh"
		done
		# on MOUNTED DEVICE CODE
		on() { expect_exit "$3" unshare -m sh -c "mkfs.ext4 -q -F $1 && mount $1 mnt && exec sh ${2##*/}.sh --destroy $2 on-$3"; }
		on "${disk}p1" "$disk" 4
		contains err "refused: $disk: ${disk}p1 is mounted at $scratch/mnt"
		on "${disk}p1" "${disk}p2" 0
		equal "$(wc -l <calls)" 1
		wipefs -qaf "${disk}p1"
		on "$disk" "${disk}p2" 4
		contains err "refused: ${disk}p2: $disk is mounted at $scratch/mnt"
	fi
fi

# What fio really measured comes back under the keys that iosweep's own runs have.
if command -v fio >/dev/null && command -v sqlite3 >/dev/null; then
	set -- --set name=s --set filename=s.bin --set size=1m --set rw=randread,write,randrw --set bs=4k,16k --set numjobs=2 \
		--set iodepth=4 --set ioengine=io_uring,psync --set direct=0 --set runtime=50ms
	"$IOSWEEP" plan --fio "$@" >real.sh
	FIO=fio sh real.sh 2>/dev/null
	"$IOSWEEP" import s-fio --db fio.db 2>/dev/null
	"$IOSWEEP" run -q --db own.db "$@"
	for db in fio own; do db $db.db 'select distinct combination, label from results order by 1' >$db.keys; done
	cmp fio.keys own.keys || die 'fio ran other combinations'
fi
