# The wall clock steps back two hours while a run measures: only labels may notice.
. "$(dirname "$0")/functions.sh"
requires sqlite3
lib=$(ls /usr/lib/*/faketime/libfaketimeMT.so.1 2>/dev/null | head -n 1)
[ -n "$lib" ] || skip "needs libfaketime"
case $IOSWEEP in *san-*) skip 'a sanitizer must be the first library' ;; esac

echo "+0" >clock
export FAKETIME_TIMESTAMP_FILE=$scratch/clock FAKETIME_NO_CACHE=1 DONT_FAKE_MONOTONIC=1 FAKETIME_DONT_FAKE_MONOTONIC=1
LD_PRELOAD=$lib "$IOSWEEP" run --set filename=t.bin --set size=4m --set ioengine=psync --set direct=0 --set rw=randread \
	--set bs=4k,8k,16k --set ramp_time=0 --set runtime=500ms --db r.db >out 2>err &
pid=$!
eventually attempts r.db ok 1 # the second is under way then
echo "-7200" >clock
wait $pid || { cat err; die "the sweep failed"; }
equal "$(sqlite3 r.db "select count(*) from results where status = 'ok' and abs(window_s - 0.5) < 0.02 and ios > 0
	and lat_min_us >= 0 and lat_max_us < 2e6")" 3
# the clock really stepped
equal "$(sqlite3 r.db "select count(*) from results a join results b on b.run = a.run + 1 and b.started_utc < a.started_utc")" 1
# ... and it is said, once
equal "$(sqlite3 r.db "select count(*) from event where code = 'clock' and text like 'the wall clock was set back by 7200._ s, it is %'")" 1
contains err "warning: the wall clock was set back by 7200."
