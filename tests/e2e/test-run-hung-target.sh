# After a run on a target timed out, the others of that target are put off, at no cost, until it answers again or nothing
# else is left to do; there they wait once more, and are skipped then. Other targets are not concerned.
. "$(dirname "$0")/functions.sh"
fuse_mib=16
. "$here/fuse.sh"
loop_over_data

start() { # RUNTIME: of the runs on the loop device; back when the first is under way and the device hangs
	rm -f r.db r.db-* r.csv
	cat >c.json <<-EOC
	{ "rw": "randread", "ioengine": "psync", "ramp_time": 0, "stall_timeout": "400ms", "order": "listed", "include": [
	  { "filename": "$loop", "bs": ["4k", "8k", "16k"], "runtime": "$1", "direct": 1 },
	  { "filename": "other.dat", "bs": ["4k", "8k"], "runtime": "200ms", "size": "1m", "direct": 0 } ] }
	EOC
	"$IOSWEEP" run c.json --db r.db >out 2>err &
	pid=$!
	eventually attempts r.db running 1
	kill -STOP $server
}
ends() { # CODE
	rc=0; wait $pid || rc=$?
	kill -CONT $server
	[ $rc -eq "$1" ] || { cat err; die "exit $rc, not $1"; }
	equal "$(db r.db "select count(*) from results where filename = 'other.dat' and status = 'ok'")" 2
	contains err "warning: $loop does not answer since 2"
}

# to the end
start 30
ends 1
equal "$(db r.db "select status from results where filename = '$loop' and bs = 4096")" timeout
equal "$(db r.db "select status from results where filename = '$loop' and bs > 4096 and error like '$loop does not answer since 2%'")" \
	"skipped
skipped"
equal "$(db r.db "select count(*) from event where code = 'hang' and level = 'warning'")" 1
# the runs that were put off came after those of the other target
equal "$(db r.db "select min(run) > (select max(run) from results where filename = 'other.dat') from results where filename = '$loop' and bs > 4096")" 1

# it answers again: nothing is lost but the run that was under way
start 1
eventually attempts r.db ok 1
kill -CONT $server
rc=0; wait $pid || rc=$?
equal "$(db r.db "select count(*) from results where status = 'ok' and bs > 4096")" 3
equal "$(db r.db "select count(*) from results where status = 'skipped'")" 0
contains err "$loop answers again"

# while it waits, a signal and --for end it at once
start 30
eventually grep -q 'does not answer' err
kill -INT $pid
rc=0; wait $pid || rc=$?
kill -CONT $server
equal $rc 130
equal "$(db r.db "select count(*) from results where status = 'skipped'")" 0
