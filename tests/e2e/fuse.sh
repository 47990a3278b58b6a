# Sourced after functions.sh: a file system of ours in ./mp with one file, `data`, of $fuse_mib MiB (4), whose server does what
# `fault` tells it (see tests/tools/fusefile.c). Everything lies in memory, so that no busy disk is waited for.
requires sqlite3
requires_root
fusefile=$(dirname "$(readlink -f "$IOSWEEP")")/tests/fusefile
[ -x "$fusefile" ] || skip "needs libfuse3-dev"
[ -c /dev/fuse ] || skip "needs /dev/fuse"
mkdir ram
mount -t tmpfs -o size=128m tmpfs ram || skip "cannot mount"
cleanup_fn 'umount "$scratch/ram"'
cd ram
mkdir mp
"$fusefile" "${fuse_mib:-4}" mp &
server=$!
stop_server() {
	kill -CONT $server 2>/dev/null
	i=0
	until umount "$scratch/ram/mp" 2>/dev/null || ! mountpoint -q "$scratch/ram/mp" || [ $i -ge 100 ]; do sleep 0.05; i=$((i + 1)); done
	kill $server 2>/dev/null
}
cleanup_fn stop_server
eventually [ -e mp/data ]
fault() { echo "$*" >mp/ctl; }
# A loop device over it, as $loop; it is detached after a stopped server was let go on.
loop_over_data() {
	requires losetup
	cleanup_fn 'kill -CONT $server; [ -z "${loop:-}" ] || losetup -d "$loop"'
	loop=$(losetup -f --show --direct-io=on mp/data) || skip "no loop device"
}
