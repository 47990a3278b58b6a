#!/bin/sh
# alone
# More jobs than CPUs and short windows: the device's counters are compared with ours where they were read in time, else
# the row says so. Never is a row called cached because a reading came late.
. "$(dirname "$0")/functions.sh"
requires_root
requires losetup
truncate -s 64m image
"$IOSWEEP" run -q --db fill.db --set filename="$PWD/image" --set rw=write --set bs=1m --set benchmark_type=size --set size=64m \
	--set may_overwrite="$PWD/image" || [ $? -eq 1 ]
loop=$(losetup -f --show --direct-io=on image 2>/dev/null) || skip 'no loop devices'
cleanup_fn "losetup -d $loop"
"$IOSWEEP" run -q --db late.db --set filename="$loop" --set rw=randread --set ioengine=psync --set ramp_time=0,50ms \
	--set runtime=100ms,400ms --set numjobs=1,64 --set bs=4k || [ $? -eq 1 ]
equal "$(db late.db "select count(*) from results where status = 'ok'")" 8
equal "$(db late.db "select count(*) from results where ' '||doubts||' ' like '% cached %'")" 0
equal "$(db late.db "select count(*) from results where (device_read_bytes is null) <> (' '||notes||' ' like '% unverified %')")" 0
"$IOSWEEP" run -q --db brief.db --set filename="$loop" --set rw=randread --set ioengine=psync --set ramp_time=0.2ms \
	--set runtime=1ms --set repeats=10 --set bs=4k || [ $? -eq 1 ]
equal "$(db brief.db "select count(*) from results where ' '||doubts||' ' like '% cached %'")" 0
for run in $(db brief.db "select run from results where ' '||notes||' ' like '% unverified %'"); do
	"$IOSWEEP" show brief.db "$run" >shown
	lacks shown 'no counters of a block device'
	grep -qE 'not read in time|over before' shown || die "no reason: $(cat shown)"
done
