#!/bin/sh
# Runs that are asked to start warm, or to leave nothing in the page cache: seen in the system calls and in the cache.
. "$(dirname "$0")/functions.sh"
export ASAN_OPTIONS=detect_leaks=0 # which strace does not let it look for
requires sqlite3
requires fincore

"$IOSWEEP" probe --json >probe.json
usable() { grep -A1 "\"name\": \"$1\"" probe.json | grep -q '"usable": true'; }
one_pass() {
	rm -f t.db t.csv
	"$IOSWEEP" run -q --set benchmark_type=size --set filename=t.dat --set size=4m --set keep=1 --set direct=0 --db t.db "$@" >/dev/null
}
cached() { fincore -bno RES t.dat | tr -d ' '; }

# the region is read before the window, by every job in one go, and counted nowhere; what was asked for is no doubt but a note
one_pass --set rw=randread --set ioengine=psync --set pre_read=1 --set numjobs=2
equal "$(db t.db "select status || ' ' || ios || ' ' || doubts from results")" "ok 2048 "
contains t.csv warm-cache
equal "$(db t.db "select effective like '% cache=pre_read%' from run")" 1
equal "$(cached)" 4194304
# a run without it starts cold, invalidate or not: it says what it was
one_pass --set rw=randread --set ioengine=psync --set io_size=64k
equal "$(db t.db "select notes like '%warm-cache%' from results")" 0
equal "$(cached)" 65536
one_pass --set rw=randread --set ioengine=psync --set io_size=64k --set invalidate=0
equal "$(db t.db "select notes like '%warm-cache%' from results")" 1
# direct I/O passes the cache by
one_pass --set rw=read --set ioengine=psync --set direct=1 --set pre_read=0,1 --set uncached=0,1
equal "$(db t.db "select count(*) from results")" 1
expect_exit 5 one_pass --set rw=read --set ioengine=psync --set uncached=1
contains err "uncached=1 means nothing to ioengine psync; it needs io_uring or pvsync2"

if command -v strace >/dev/null && strace -o trace true 2>/dev/null; then
	strace -f -y -qq -o trace -e trace=pread64 "$IOSWEEP" run -q --set benchmark_type=size --set filename=t.dat --set size=4m --set keep=1 \
		--set direct=0 --set rw=read --set ioengine=psync --set pre_read=1 --set bs=64k --db s.db >/dev/null
	equal "$(grep 't\.dat>' trace | grep -c ' = 1048576$')" 4
	equal "$(grep 't\.dat>' trace | tail -n 1 | grep -c ' = 65536$')" 1
fi

# nothing is left behind
one_pass --set rw=read --set ioengine=pvsync2 --set uncached=1 2>err || skip "$(cat err)"
equal "$(db t.db "select options like '%uncached=1%' and ios = 1024 from results")" 1
equal "$(cached)" 0
one_pass --set rw=read --set ioengine=pvsync2
equal "$(cached)" 4194304
usable io_uring || skip "io_uring is not usable here"
for fixed in 0 1; do
	one_pass --set rw=randread --set ioengine=io_uring --set iodepth=4 --set fixedbufs=$fixed --set uncached=1
	equal "$(db t.db "select status || ' ' || ios from results")" "ok 1024"
	equal "$(cached)" 0
done
