# A run whose processes were stopped measured nothing: it is `interrupted`, with the time, and done again at once.
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires pgrep
requires bash
requires setsid

# NAME: a sweep as a job of a shell (else Ctrl-Z does nothing), back when its first run is under way
cat >job <<'EOJ'
set -m
"$IOSWEEP" run --set ioengine=null --set filename=x --set size=1m --set rw=randread --set bs=4k,8k --set ramp_time=0 \
	--set runtime=1 --set stall_timeout=700ms --db "$1.db" >out 2>err &
echo $! >"$1.pid"
until wait -f $!; rc=$?; ! kill -0 $! 2>/dev/null; do :; done
exit $rc
EOJ
start() {
	setsid bash job "$1" &
	shell=$!
	eventually attempts "$1.db" running 1
	pid=$(cat "$1.pid")
}
ends() { # NAME: both rows are ok, one of them after an interrupted attempt
	rc=0; wait $shell || rc=$?
	[ $rc -eq 0 ] || { cat err; die "exit $rc"; }
	equal "$(db "$1.db" "select count(*) from results where status = 'ok' and window_s < 1.1")" 2
	equal "$(db "$1.db" "select attempt, status, op is null, started_utc is null from all_runs where error glob 'stopped for [0-9]*.[0-9] s'")" \
		'1|interrupted|1|1'
	equal "$(db "$1.db" "select max(attempt), count(*) from all_runs")" '2|3'
	equal "$(tail -n +2 "$1.csv" | grep -c interrupted || true)" 0
}

# SIGSTOP to both, longer than stall_timeout: no timeout comes of it
start stop
worker=$(pgrep -P $pid)
kill -STOP $pid "$worker"
sleep 1
kill -CONT $pid "$worker"
ends stop

# Ctrl-Z reaches the supervisor, which stops the worker, too
start tstp
kill -TSTP $pid
eventually grep -q 'State:.T' "/proc/$(pgrep -P $pid)/status"
eventually grep -q 'State:.T' "/proc/$pid/status"
sleep 0.3
kill -CONT $pid
ends tstp

# a frozen cgroup: no signal tells, but both come late at the same time
for group in /sys/fs/cgroup/freezer/iosweep-test-$$:freezer.state:FROZEN:THAWED /sys/fs/cgroup/iosweep-test-$$:cgroup.freeze:1:0; do
	old_ifs=$IFS; IFS=:
	# shellcheck disable=SC2086 # four words
	set -- $group
	IFS=$old_ifs
	mkdir "$1" 2>/dev/null || continue
	cleanup_fn "echo $4 >$1/$2; rmdir $1"
	[ -w "$1/$2" ] || continue
	start frozen
	for p in $pid $(pgrep -P $pid); do echo "$p" >"$1/cgroup.procs"; done
	echo "$3" >"$1/$2"
	sleep 1.5
	echo "$4" >"$1/$2"
	ends frozen
	break
done

# the supervisor alone: the worker measured on, and its run counts
start alone
kill -STOP $pid
sleep 1.5
kill -CONT $pid
rc=0; wait $shell || rc=$?
equal $rc 0
equal "$(db alone.db "select count(*), max(attempt), min(status) from all_runs")" '2|1|ok'

# every time: it is kept, in doubt, in the end
start often
worker=$(pgrep -P $pid)
for i in 1 2 3 4; do
	eventually attempts often.db interrupted $((i - 1))
	sleep 0.1
	kill -STOP "$worker"
	sleep 0.4
	kill -CONT "$worker"
done
eventually attempts often.db ok 1
kill -INT $pid
wait $shell || true
equal "$(db often.db "select count(*) from all_runs where error like 'stopped for%'")" 3
equal "$(db often.db "select attempt, doubts like '%stalls%', window_s > 0.99 from all_runs where status = 'ok' and bs = 4096")" '4|1|1'
equal "$(db often.db "select count(*) from event where code = 'stopped'")" 1
