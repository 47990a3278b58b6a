# scripts/bench-lab.sh: sourced by bench.sh, agree.sh and prove-real.sh, in the top folder. What they measure on: scratch files on this disk, on ext4 on zram, and behind
# a delay, and a throttle for the group of processes that does the I/O. All of it goes when the script ends, however
# it ends. A function that makes something returns 1 with the reason in $why where that cannot be had.
# A cleanup is noted before what it cleans up is made. Uses $dir, $disk_mib, $programs and $tmp of them.
# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034,SC2016 # variables of the two scripts; expanded by a cleanup

script=$(basename "$0" .sh)
began=$SECONDS why=''

say() { printf '%s: %4d s  %s\n' "$script" $((SECONDS - began)) "$*" >&2; }

usage() { # what stands at the top of the script
	sed -n '2,/^set/ { s/^# \{0,1\}//p }' "scripts/$script.sh" >&2
	exit 2
}

cleanups=()
later() { cleanups=("$1" "${cleanups[@]}"); } # text of a command; the last one added runs first
finish() {
	local rc=$? command
	trap - EXIT
	trap '' INT TERM HUP
	set +e
	for command in "${cleanups[@]}"; do
		eval "$command"
	done
	exit $rc
}

patiently() { # command...: a child that has just ended may still hold what is to go
	local i
	for i in 1 2 3 4 5 6 7 8 9 10; do
		"$@" 2>/dev/null && return
		sleep 0.2
	done
	"$@"
}

lab_open() { # DIR: checks and builds what is needed; sets $dir, $iosweep, $programs and $tmp
	[ -d "$1" ] && [ -w "$1" ] || { echo "$script: no directory to write to: $1" >&2; exit 2; }
	dir=$(cd "$1" && pwd)
	# shellcheck disable=SC2086 # lists
	need $needs_build $needs_bench
	make --no-print-directory -j"$(nproc)" bench-programs >&2
	iosweep=$PWD/build/iosweep programs=$PWD/build/release/bench

	trap finish EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
	tmp=$(mktemp -d "${TMPDIR:-/tmp}/iosweep-$script.XXXXXX")
	later "rm -rf --one-file-system '$tmp'"
	began=$SECONDS
}

needs_root() {
	[ "$(id -u)" -eq 0 ] || { why='needs root'; return 1; }
}

noise_file() { # PATH MIB: incompressible, and written: holes cost no device anything
	dd if=/dev/urandom of="$1" bs=1M count="$2" iflag=fullblock oflag=direct conv=fsync 2>"$tmp/dd" ||
		{ why="cannot write $1: $(grep -v records "$tmp/dd" | head -n 1)"; return 1; }
}

disk_up() { # sets $disk_file, and $disk_device (empty: no block device of its own)
	local device
	disk_file=$dir/iosweep.scratch.bench.$$ disk_device=
	later 'rm -f "$disk_file"'
	noise_file "$disk_file" "$disk_mib" || return
	device=$(stat -c %Hd:%Ld "$disk_file")
	[ -e "/sys/dev/block/$device" ] || return 0
	# a throttle takes whole disks
	[ ! -e "/sys/dev/block/$device/partition" ] || device=$(cat "$(readlink -f "/sys/dev/block/$device")/../dev")
	disk_device=$device
}

zram=''
zram_down() {
	[ -z "$zram" ] || patiently sh -c "echo 1 >/sys/block/$zram/reset && echo ${zram#zram} >/sys/class/zram-control/hot_remove"
}
zram_up() { # sets $zram_file, $zram_device
	local control=/sys/class/zram-control
	needs_root || return
	[ -e $control ] || modprobe zram 2>/dev/null || :
	[ -e $control/hot_add ] || { why='needs zram'; return 1; }
	[ "$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo)" -gt 1000000 ] || { why='needs 1 GB of free memory'; return 1; }
	later zram_down
	zram=zram$(cat $control/hot_add) # a new one, never an assumed number
	echo 400M >"/sys/block/$zram/disksize"
	zram_device=$(cat "/sys/block/$zram/dev")
	mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 "/dev/$zram" || { why='mkfs.ext4 failed'; return 1; }
	mkdir "$tmp/zram"
	later '! mountpoint -q "$tmp/zram" || patiently umount "$tmp/zram"'
	mount "/dev/$zram" "$tmp/zram" || { why='cannot mount'; return 1; }
	zram_file=$tmp/zram/data
	noise_file "$zram_file" 256
}

delay_up() { # sets $delay_file: each read takes 1 ms
	local i
	[ -w /dev/fuse ] || { why='needs /dev/fuse'; return 1; }
	mkdir "$tmp/delay"
	later '! mountpoint -q "$tmp/delay" || patiently fusermount3 -u "$tmp/delay"; wait' # it ends when unmounted
	"$programs/fuse_delay" "$tmp/delay" $((256 << 20)) 1000 2>"$tmp/fuse.err" &
	delay_file=$tmp/delay/data
	for ((i = 0; i < 50; i++)); do
		[ ! -e "$delay_file" ] || return 0
		sleep 0.1
	done
	why="FUSE: $(head -n 1 "$tmp/fuse.err")"
	return 1
}

throttle_up() { # sets $throttle, a group of its own
	local v1=/sys/fs/cgroup/blkio v2=/sys/fs/cgroup
	needs_root || return
	if [ -e $v1/blkio.throttle.read_iops_device ]; then
		throttle=$v1/iosweep-bench-$$
	elif grep -qw io $v2/cgroup.controllers 2>/dev/null && { echo +io >$v2/cgroup.subtree_control; } 2>/dev/null; then
		throttle=$v2/iosweep-bench-$$
	else
		why='needs the blkio or io controller of cgroups'
		return 1
	fi
	later '[ ! -d "$throttle" ] || patiently rmdir "$throttle"'
	mkdir "$throttle" 2>/dev/null || { why="cannot make $throttle"; return 1; }
}

limit() { # DEVICE iops|bps N|max: reads of the group's processes
	local n=$3
	if [ -e "$throttle/io.max" ]; then
		echo "$1 r$2=$n" >"$throttle/io.max"
	else
		[ "$n" != max ] || n=0
		echo "$1 $n" >"$throttle/blkio.throttle.read_$2_device"
	fi
}
