#!/bin/sh
# How the kernel is asked to schedule the jobs and their I/O: seen in the system calls and in /proc.
. "$(dirname "$0")/functions.sh"
export ASAN_OPTIONS=detect_leaks=0 # which strace does not let it look for
requires sqlite3
renice -n 0 -p $$ >/dev/null 2>&1 || [ "$(nice)" -eq 0 ] || skip 'the tests run with a nice value'

if command -v strace >/dev/null && strace -o trace true 2>/dev/null; then
	traced() {
		rm -f t.db t.csv
		strace -f -qq -o trace -e trace=setpriority,ioprio_set "$IOSWEEP" run -q --set benchmark_type=size --set filename=t.dat --set size=256k \
			--set ioengine=psync --set direct=0 --set rw=read --set order=listed --set keep=1 --db t.db "$@" >/dev/null
	}
	traced --set runtime=1 # lays the file out
	traced --set nice=5 --set numjobs=3
	equal "$(grep -c 'setpriority(PRIO_PROCESS, 0, 5' trace)" 3
	equal "$(db t.db "select options from results")" "time_based=0 nice=5"
	# one way to say each: 4 rows; what is as it was is not asked again
	traced --set prioclass=0,2,3 --set prio=0,4
	equal "$(db t.db "select group_concat(prioclass || ':' || coalesce(prio, '-'), ' ') from results")" "2:0 2:4 3:-"
	equal "$(grep -o 'IOPRIO_PRIO_VALUE([^)]*)' trace | tr '\n' ' ')" \
		"IOPRIO_PRIO_VALUE(IOPRIO_CLASS_BE, 0) IOPRIO_PRIO_VALUE(IOPRIO_CLASS_BE, 4) IOPRIO_PRIO_VALUE(IOPRIO_CLASS_IDLE, 0) "
	traced --set nice=0 --set prioclass=0
	equal "$(grep -c "ioprio_set(\|PRIO_PROCESS, 0, [1-9]" trace)" 0
fi

# a normal user may be nicer, and then as before, but not better than at the start
requires setpriv
requires_root
case $IOSWEEP in *san-*) skip 'sanitizers need more than these limits' ;; esac
chmod 755 .
mkdir work
chown 65534 work
nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all prlimit --nice=0:0 "$@"; }
nobody "$IOSWEEP" --version >/dev/null 2>&1 || skip "nobody cannot reach the program"
cd work
set -- --set benchmark_type=size --set filename=t.dat --set size=256k --set ioengine=psync --set direct=0 --set rw=read --set order=listed
expect_exit 1 nobody "$IOSWEEP" run "$@" --set nice=7,0,-3 --set prioclass=3,0,1 --db n.db
equal "$(db n.db "select group_concat(nice || '/' || prioclass || ':' || status, ' ') from results")" \
	"7/3:ok 7/0:ok 7/1:skipped 0/3:ok 0/0:ok 0/1:skipped -3/3:skipped -3/0:skipped -3/1:skipped"
contains err "nice=-3 is not permitted to this user, only 0 and more; it needs CAP_SYS_NICE or a limit (ulimit -e)"
contains err "prioclass=1 (realtime) is not permitted to this user"
# seen while it runs: the jobs alone
nobody "$IOSWEEP" run "$@" --set benchmark_type=time --set runtime=60 --set ramp_time=0 --set numjobs=2 --set nice=9 --db "$PWD/s.db" >/dev/null 2>&1 &
sweep=$!
threads() { ps -eLo ni=,args= | grep -F "$PWD/s.db" | grep -c "^ *$nice " || :; }
niced() { nice=9 && [ "$(threads)" -eq 2 ]; }
cleanup_fn "pkill -P $sweep; wait $sweep"
eventually niced
nice=0
[ "$(threads)" -ge 2 ] || die "supervisor and worker are not as they were"
