# A run that makes no progress ends as `timeout` after stall_timeout; the worker is replaced and the sweep goes on. The
# hang is made by stopping the worker process.
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires pkill

"$IOSWEEP" run --set ioengine=null --set filename=x --set size=1m --set rw=randread --set bs=4k,8k,16k \
	--set ramp_time=0 --set runtime=1 --set stall_timeout=1500ms --db r.db >out 2>err &
pid=$!
eventually attempts r.db running 1
pkill -STOP -P $pid
rc=0; wait $pid || rc=$?
equal $rc 1
equal "$(db r.db "select count(*) from results where status = 'ok'")" 2
equal "$(db r.db "select count(*) from results where status = 'timeout' and op is null and error like '%1.5 s%'")" 1
equal "$(pgrep -c -P $pid || true)" 0 "workers left"
expect_exit 0 "$IOSWEEP" resume r.db --retry timeout
equal "$(db r.db "select count(*) from results where status = 'ok'")" 3
