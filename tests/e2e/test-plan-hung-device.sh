# A file system of ours whose server is stopped: its file as a target, and a loop device over it, cost the time limit and
# no more, and no other target is concerned.
. "$(dirname "$0")/functions.sh"
fuse_mib=16
. "$here/fuse.sh"
loop_over_data
head -c 1m /dev/urandom >disk
other=$(losetup -f --show disk)
cleanup_fn 'losetup -d "$other"'
sleep 1.2 # the kernel's knowledge of mp/data lasts a second
kill -STOP $server

set -- --set rw=randwrite --set ioengine=psync --set ramp_time=0 --set runtime=50ms --set size=64k --set stall_timeout=1s -q
expect_exit 0 timeout 20 "$IOSWEEP" run --set filename="$scratch/f.dat" "$@"
expect_exit 0 timeout 20 "$IOSWEEP" run --set filename="$other" "$@" --destroy "$other"
for hung in "$loop" "$PWD/mp/data"; do
	for command in plan run; do
		expect_exit 5 timeout 20 "$IOSWEEP" $command --set filename="$hung" "$@" --set rw=read
		contains err "$hung does not answer (1 s)"
	done
done
expect_exit 1 timeout 20 "$IOSWEEP" run --set filename="[\"$loop\",\"$scratch/f.dat\"]" "$@" --set rw=randread --db r.db
equal "$(db r.db "select status, error from results where filename like '/dev%'")" "skipped|$loop does not answer (1 s)"
equal "$(db r.db "select status from results where filename like '%f.dat'")" ok
