#!/bin/sh
# Doubts that compare what a run did with what the device did, on loop devices of this test: each provoked, and none
# of them raised when nothing provokes it.
. "$(dirname "$0")/functions.sh"
requires_root
requires losetup
requires sqlite3
[ "$(stat -f -c %T .)" != tmpfs ] || skip "the scratch directory has no block device below it"

dd if=/dev/urandom of=image bs=1M count=64 2>/dev/null
loop=$(losetup -f --show image) || skip "no loop device"
cleanup_fn 'losetup -d "$loop"'
# A loop device does not cache for itself only when the kernel lets it pass direct I/O on.
losetup --direct-io=on "$loop" 2>/dev/null || skip "no direct I/O through a loop device here"

# sweep NAME WHAT...: doubts of its only row in $doubts, why in $why
sweep() {
	name=$1
	shift
	"$IOSWEEP" run --db "$name.db" -q --set filename="$loop" --set ioengine=psync --set bs=64k --set runtime=500ms \
		--set ramp_time=100ms "$@" || { "$IOSWEEP" show "$name.db" 1; die "$name: exit $?"; }
	doubts=" $(db "$name.db" "select doubts || ' ' || notes from results") "
	why=$(db "$name.db" "select why from run")
}
has() { case $doubts in *" $1 "*) ;; *) die "$name: no $1 in '$doubts': $why" ;; esac; }
has_not() { case $doubts in *" $1 "*) die "$name: $1: $why" ;; esac; }

sweep clean --set rw=randread
for word in cached page-cache foreign-io unwritten lower-cache degraded throttled short-window; do has_not $word; done
sweep clean-ring --set rw=randread --set ioengine=io_uring --set iodepth=4
for word in cached foreign-io io-wq short-window; do has_not $word; done
sweep clean-write --set rw=randwrite --destroy "$loop"
for word in cached page-cache foreign-io unwritten lower-cache degraded throttled short-window; do has_not $word; done
equal "$(db clean-write.db "select write_amplification between 0.9 and 1.1 from results")" 1

# The file lies in the page cache, and a loop device without direct I/O reads it from there.
losetup --direct-io=off "$loop"
cat image >/dev/null
sweep cached --set rw=randread
has cached
has_not foreign-io
case $why in *"cached: the device under the loop device read "*" MiB of the "*" MiB that this run read"*) ;; *) die "$why" ;; esac
"$IOSWEEP" show cached.db 1 >out
contains out "  doubt cached: the device under the loop device read "
losetup --direct-io=on "$loop"

# Buffered writes end up in memory first.
sweep page-cache --set rw=write --set direct=0 --destroy "$loop"
has page-cache
case $why in *"page-cache: the device wrote "*"in the window"*) ;; *) die "$why" ;; esac

# Somebody else writes to the device while a run only reads, or reads as well.
other() {
	while :; do dd "$@" bs=1M count=32 2>/dev/null; done &
	other=$!
}
alone() {
	kill "$other" && wait "$other" 2>/dev/null || :
	other=
}
other=
cleanup_fn '[ -z "$other" ] || kill "$other"'
other if=/dev/zero of="$loop" oflag=direct conv=notrunc
sweep foreign-write --set rw=randread --set size=16m
alone
has foreign-io
case $why in *"foreign-io: the device wrote "*", this run none of it"*) ;; *) die "$why" ;; esac

other if="$loop" of=/dev/null iflag=direct
sweep foreign-read --set rw=randread --set bs=4k
alone
has foreign-io
case $why in *"foreign-io: the device read "*" of them"*) ;; *) die "$why" ;; esac

# Between two runs the device should be idle.
"$IOSWEEP" run --db gap.db -q --set filename="$loop" --set ioengine=psync --set rw=randread --set runtime=100ms \
	--set ramp_time=0 --set repeats=2 --set pause=3s &
run=$!
i=0
until [ "$(db gap.db "select count(*) from results" 2>/dev/null)" = 1 ]; do
	[ $((i += 1)) -lt 200 ] || die "no first run"
	sleep 0.05
done
dd if=/dev/zero of="$loop" oflag=direct conv=notrunc bs=1M count=16 2>/dev/null
wait $run || die "gap: exit $?"
equal "$(db gap.db "select group_concat(why like '%foreign-io: the device moved 16.0 MiB in the % s before the run%') from run")" 0,1

# So large a queue that it does not turn three times.
sweep short --set rw=read --set ioengine=libaio --set bs=4m --set iodepth=15 --set runtime=20ms --set ramp_time=0
has short-window
case $why in *"short-window: "*"I/Os in the window, 3 x numjobs x iodepth is 45"*) ;; *) die "$why" ;; esac
