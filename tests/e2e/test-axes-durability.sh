#!/bin/sh
# What makes writes durable, and what the kernel is told of the page cache: seen in the system calls of the run.
. "$(dirname "$0")/functions.sh"
export ASAN_OPTIONS=detect_leaks=0 # which strace does not let it look for
requires sqlite3
requires strace
strace -o trace true 2>err || skip "strace cannot trace here: $(cat err)"

# One pass of 64 blocks, by the system calls of `what`, into ./trace
traced() {
	what=$1; shift
	rm -f t.db t.csv
	strace -f -y -qq -o trace -e "trace=$what" "$IOSWEEP" run -q --set benchmark_type=size --set filename=t.dat --set size=256k \
		--set ioengine=psync --set direct=0 --set keep=1 --db t.db "$@" >/dev/null
}
# How many of them name the target and hold this
calls() { grep 't\.dat>' trace | grep -cE -- "$1" || :; }

traced fsync --set rw=write # lays the file out
# fdatasync after every 8th write, no fsync but those of cold start and flush; together the stronger one alone
traced fdatasync,fsync --set rw=write --set fdatasync=8
equal "$(calls ' fdatasync\(')" 8
equal "$(db t.db "select group_concat(op || ':' || ios, ' ') from results")" "write:64 sync:8"
equal "$(db t.db "select options from results limit 1")" "time_based=0 fdatasync=8"
fsyncs=$(calls ' fsync\(')
traced fdatasync,fsync --set rw=write --set fdatasync=8 --set fsync=16
equal "$(calls ' fdatasync\(')" 4
equal "$(($(calls ' fsync\(') - fsyncs))" 4
equal "$(db t.db "select ios from results where op = 'sync'")" 8

# O_SYNC and O_DSYNC for writers alone, by name or by number
opened() { grep 't\.dat' trace | grep -c "$1" || :; }
traced openat --set rw=write --set sync=none
equal "$(opened O_SYNC)$(opened O_DSYNC)" 00
traced openat --set rw=write --set sync=1
equal "$(opened 'O_WRONLY.*O_SYNC')" 1
traced openat --set rw=randrw --set sync=dsync
equal "$(opened 'O_RDWR.*O_DSYNC')" 1
traced openat --set rw=read --set sync=sync,dsync
equal "$(opened O_SYNC)$(opened O_DSYNC)" 00
equal "$(db t.db "select count(*) from results")" 1 "merged: reads are synchronous anyway"

# cold by default; otherwise nothing is dropped
traced fadvise64 --set rw=randread --set invalidate=1
equal "$(calls FADV_DONTNEED)" 1
traced fadvise64 --set rw=randread --set invalidate=0
equal "$(calls FADV_DONTNEED)" 0
equal "$(db t.db "select options from results")" "time_based=0 invalidate=0"

# what the kernel is told: by pattern, by name, or nothing; with direct=1 never. A first look at the target comes before.
advice() { grep 't\.dat>' trace | grep -o 'FADV_[A-Z]*' | grep -v DONTNEED | tail -n "$1" | tr '\n' ' '; }
traced fadvise64 --set rw=randread
equal "$(advice 1)" "FADV_RANDOM "
traced fadvise64 --set rw=read
equal "$(advice 9)" "FADV_SEQUENTIAL "
traced fadvise64 --set rw=read --set fadvise_hint=0
equal "$(advice 9)" ""
traced fadvise64 --set rw=read --set order=listed --set fadvise_hint=random,noreuse,0,1
equal "$(advice 9)" "FADV_RANDOM FADV_NORMAL FADV_NOREUSE FADV_NORMAL FADV_SEQUENTIAL "
equal "$(db t.db "select group_concat(fadvise_hint, ' ') from (select * from results order by run)")" "random noreuse 0 1"
traced fadvise64 --set rw=read,randread --set fadvise_hint=1,sequential,random
equal "$(db t.db "select group_concat(x, ' ') from (select rw || ':' || fadvise_hint as x from results order by x)")" \
	"randread:1 randread:sequential read:1 read:random"
traced fadvise64 --set rw=read --set direct=1 --set fadvise_hint=0,random --set invalidate=0,1
equal "$(advice 9)" ""
equal "$(db t.db "select count(*) from results")" 1
