# One of several targets at once hangs: the runs on all of them are put off, by its name; those on the others alone are not, and
# when it answers again nothing is lost but the run that was under way.
. "$(dirname "$0")/functions.sh"
fuse_mib=16
. "$here/fuse.sh"
loop_over_data
head -c 1M /dev/urandom >b

cat >c.json <<E
{ "rw": "randread", "ioengine": "psync", "ramp_time": 0, "stall_timeout": "400ms", "order": "listed", "runtime": "1s", "include": [
  { "filename": [["$loop", "b"]], "bs": ["4k", "8k"], "direct": 0 },
  { "filename": "b", "bs": ["4k", "8k"], "runtime": "200ms", "direct": 0 } ] }
E
"$IOSWEEP" run c.json --db r.db >out 2>err &
pid=$!
eventually attempts r.db running 1
kill -STOP $server
eventually attempts r.db ok 2
kill -CONT $server
rc=0; wait $pid || rc=$?
equal $rc 1 "$(cat err)"
contains err "warning: $loop does not answer since 2"
lacks err "b does not answer"
contains err "$loop answers again"
equal "$(db r.db "select count(*) from results where filename = 'b' and status = 'ok'")" 2
equal "$(db r.db "select group_concat(status) from (select status from results where filename <> 'b' order by run)")" "timeout,ok"
equal "$(db r.db "select min(run) > (select max(run) from results where filename = 'b') from results where filename <> 'b' and status = 'ok'")" 1
