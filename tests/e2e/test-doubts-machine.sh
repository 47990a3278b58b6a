#!/bin/sh
# alone
# Doubts and notes about the machine and the kernel: each provoked, and none of them raised when nothing provokes it.
. "$(dirname "$0")/functions.sh"
requires sqlite3

# sweep NAME WHAT...: words of its only row in $words, why in $why
sweep() {
	name=$1
	shift
	$in "$IOSWEEP" run --db "$name.db" -q --set runtime=500ms --set ramp_time=100ms --set rw=randread --set size=16m "$@" ||
		die "$name: exit $?"
	words=" $(db "$name.db" "select doubts || ' ' || notes from results") "
	why=$(db "$name.db" "select why from run")
}
has() { case $words in *" $1 "*) ;; *) die "$name: no $1 in '$words': $why" ;; esac; }
has_not() { case $words in *" $1 "*) die "$name: $1: $why" ;; esac; }
usable() { "$IOSWEEP" probe 2>/dev/null | grep -q "^  $1 *usable:"; }
in=

# The null engine measures this program: it may take all of a CPU, and has no device to doubt.
sweep null --set filename=nowhere --set ioengine=null --set iodepth=4
for word in cpu-bound cached page-cache unverified foreign-io io-wq small-region throttled degraded short-window; do has_not $word; done

# Reads out of the page cache take a CPU, or what others leave of it.
dd if=/dev/urandom of=file bs=1M count=16 2>/dev/null
sweep psync --set filename=file --set ioengine=psync --set direct=0 --set size=1m --set bs=64k
has cpu-bound
has small-region
has_not io-wq
has_not cached
has_not depth-not-reached
has_not unwritten
case $why in *"cpu-bound: "*" %"* | *"cpu-bound: "*"usable CPUs"*) ;; *) die "$why" ;; esac
"$IOSWEEP" show psync.db 1 >out
contains out "  doubt cpu-bound: "
contains out "  note small-region: "

# Buffered libaio does the work inside of io_submit().
if usable libaio; then
	sweep libaio --set filename=file --set ioengine=libaio --set direct=0 --set iodepth=8
	has depth-not-reached
	case $why in *"I/Os were complete when their submission returned"*) ;; *) die "$why" ;; esac
fi

truncate -s 16m sparse
sweep sparse --set filename=sparse --set ioengine=psync --set direct=0
has unwritten

# A file system without asynchronous reads: the kernel's workers wait for them.
if usable io_uring && [ "$(stat -f -c %T /dev/shm)" = tmpfs ]; then
	shm=$(mktemp -d /dev/shm/iosweep-test.XXXXXX)
	cleanup_fn 'rm -rf "$shm"'
	cp file "$shm/file"
	sweep tmpfs --set filename="$shm/file" --set ioengine=io_uring --set direct=0 --set iodepth=4
	has unverified
	has io-wq
	case $why in *"io-wq: kernel workers of the ring ran "*" times, "*) ;; *) die "$why" ;; esac
fi

# A quota of a fifth of a CPU.
group=/sys/fs/cgroup/cpu/iosweep-test-$$
if [ "$(id -u)" -eq 0 ] && mkdir "$group" 2>/dev/null; then
	cleanup_fn 'sleep 0.1; rmdir "$group"'
	echo 20000 >"$group/cpu.cfs_quota_us"
	cat >in <<-END
		#!/bin/sh
		echo \$\$ >$group/cgroup.procs
		exec "\$@"
	END
	chmod +x in
	in=./in
	sweep quota --set filename=nowhere --set ioengine=null
	has throttled
	case $why in *"throttled: a CPU quota of the control group held threads back for "*" ms of a window of 500 ms"*) ;; *) die "$why" ;; esac
	# reads of memory, so that nothing but the quota holds it back; long, since a quota is spent in slices of 20 ms
	cleanup_fn 'rm -f /dev/shm/iosweep-test-$$.dat'
	head -c 16M /dev/urandom >/dev/shm/iosweep-test-$$.dat
	sweep quota-psync --set filename=/dev/shm/iosweep-test-$$.dat --set ioengine=psync --set direct=0 --set bs=64k --set runtime=2
	has cpu-bound
fi
