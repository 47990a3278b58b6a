# A crashed worker costs its run, is replaced, and the sweep goes on.
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires pkill

"$IOSWEEP" run --set ioengine=null --set filename=x --set size=1m --set rw=randread --set bs=4k,8k,16k \
	--set ramp_time=0 --set runtime=700ms --db r.db >out 2>err &
pid=$!
eventually attempts r.db ok 1 # the second is under way then
pkill -KILL -P $pid
rc=0; wait $pid || rc=$?
equal $rc 1
equal "$(db r.db "select count(*) from results where status = 'ok'")" 2
equal "$(db r.db "select count(*) from results where status = 'failed' and error like '%killed by signal 9%' and op is null")" 1
# the failed row is done again when asked for
expect_exit 0 "$IOSWEEP" resume r.db --retry failed
equal "$(db r.db "select count(*) from results where status = 'ok'")" 3
equal "$(db r.db "select count(*) from all_runs")" 4
