# A device that hangs: a loop device over a file system of ours whose server is stopped. A window that has ended keeps
# its numbers, one without a completion for stall_timeout is `timeout`, and the shell comes back although threads of the
# worker are still in the kernel; so it does when interrupted.
. "$(dirname "$0")/functions.sh"
fuse_mib=16
. "$here/fuse.sh"
loop_over_data
cleanup_fn 'kill -CONT $server; mountpoint -q "$scratch/ram/mnt" && umount "$scratch/ram/mnt"'

start() {
	rm -f r.db r.db-* r.csv
	"$IOSWEEP" run --set filename="$loop" --set rw=randread --set ramp_time=0 --set numjobs=2 --db r.db "$@" >out 2>err &
	pid=$!
	wait_for_run
	kill -STOP $server
}
# until the first run is under way, and a moment more
wait_for_run() {
	for _ in $(seq 200); do
		[ -e r.db ] && [ "$(db r.db "select count(*) from run")" -gt 0 ] && break
		sleep 0.02
	done
	sleep 0.3
}
usable=0
for engine in io_uring libaio psync; do
	start --set ioengine=$engine --set bs=4k --set iodepth=4 --set runtime=1 --set stall_timeout=1200ms
	rc=0
	wait $pid || rc=$?
	kill -CONT $server
	[ "$(db r.db "select count(*) from results where status = 'skipped'")" -eq 0 ] || continue # no such engine here
	usable=$((usable + 1))
	equal $rc 0 "$engine"
	equal "$(db r.db "select status, doubts like '%stalls%', round(window_s, 1), ios > 0, longest_gap_ms > 200 from results")" \
		"ok|1|1.0|1|1" "$engine: the window had ended"
	equal "$(db r.db "select jobs_hung, inflight_at_stop from run where id = 1")" "2|$([ $engine = psync ] && echo 2 || echo 8)" "$engine"
	equal "$(db r.db "select count(*) from event where level = 'warning' and code = 'drain' and run_id = 1")" 1

	start --set ioengine=$engine --set iodepth=4 --set runtime=600 --set stall_timeout=500ms
	rc=0
	wait $pid || rc=$?
	kill -CONT $server
	equal $rc 1 "$engine"
	equal "$(db r.db "select status || error || ifnull(ios, '') from results")" \
		"timeoutno completion for 500 ms while I/O was in flight" "$engine"
done
[ $usable -gt 0 ] || die "no engine was tried"

# interrupted in the middle of it
start --set ioengine=psync --set runtime=600
kill -INT $pid
rc=0
wait $pid || rc=$?
equal $rc 130
contains err "resume r.db"
kill -CONT $server
equal "$(db r.db "select status from results")" interrupted

# a second signal leaves at once: the first is still waiting for the run to end
start --set ioengine=psync --set runtime=600
kill -INT $pid
kill -TERM $pid
rc=0
wait $pid || rc=$?
equal $rc 143
lacks err "to go on"
kill -CONT $server

# the flush after a buffered writing run: the device completes nothing, so it is given up; what was measured stays
start --set rw=randwrite --set direct=0 --set ioengine=psync --set runtime=1 --set stall_timeout=700ms --destroy "$loop"
rc=0
wait $pid || rc=$?
kill -CONT $server
equal $rc 0 "flush"
equal "$(db r.db "select status, ios > 0, doubts like '%stalls%', flush_s >= 0.7 and flush_s < 5 from results")" "ok|1|1|1"
equal "$(db r.db "select count(*) from event where code = 'flush' and run_id = 1 and text like 'the flush was given up after %'")" 1

# interrupted while a drain stalls: the window had ended, and the stall reached into it
start --set ioengine=psync --set runtime=1
sleep 2.5
kill -INT $pid
rc=0
wait $pid || rc=$?
equal $rc 130
kill -CONT $server
equal "$(db r.db "select status, ios > 0, doubts like '%stalls%' from results")" "ok|1|1"

# a file of ours on it: what cannot be removed now is kept and said, and removed later
command -v mkfs.ext4 >/dev/null && mkfs.ext4 -q -F "$loop" 2>/dev/null && mkdir mnt && mount "$loop" mnt 2>/dev/null || exit 0
rm -f r.db r.db-* r.csv
"$IOSWEEP" run --set filename=mnt/f.dat --set size=4m --set rw=randwrite --set ioengine=psync --set ramp_time=0 --set runtime=1,2 \
	--set stall_timeout=500ms --db r.db >out 2>err &
pid=$!
wait_for_run
kill -STOP $server
rc=0
wait $pid || rc=$?
equal $rc 1
equal "$(db r.db "select state from sweep")" "done"
if grep -q "was not removed: its device does not answer; later: iosweep clean r.db" err; then
	equal "$(db r.db "select count(*) from created")" 1
	kill -CONT $server
	expect_exit 0 "$IOSWEEP" clean r.db
fi
kill -CONT $server
[ ! -e mnt/f.dat ] || die "the file is still there"
