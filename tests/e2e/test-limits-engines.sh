# alone
# An engine that this machine refuses: said once up front with the true reason, its rows skipped with errno and hint, the
# others measured, and never another engine under its name.
. "$(dirname "$0")/functions.sh"
requires sqlite3
case $IOSWEEP in *san-*) skip 'a sanitizer needs more system calls' ;; esac
tools=$(dirname "$(readlink -f "$IOSWEEP")")/tests
[ -x "$tools/refuse" ] && [ -x "$tools/hold_aio" ] || skip "needs the test tools: make unit-programs"
"$tools/refuse" io_uring_setup 1 true || skip "needs seccomp"
"$IOSWEEP" probe | grep -qE '^ *io_uring +usable' || skip "needs io_uring"

set -- --set filename=t.bin --set size=4m --set direct=0,1 --set iodepth=4 --set rw=randread --set ramp_time=0 --set runtime=20ms
three="$* --set ioengine=io_uring,libaio,psync"
rows() { db "$1" "select ioengine, status, count(*) from results group by 1, 2 order by 1"; }
# blocked NAME ERRNO SENTENCE command...: io_uring is, the rest runs
blocked() {
	name=$1 errno=$2 sentence=$3; shift 3
	# shellcheck disable=SC2086 # words
	expect_exit 1 "$@" "$IOSWEEP" run $three --db $name.db
	equal "$(rows $name.db)" "io_uring|skipped|2
libaio|ok|2
psync|ok|2" "$name"
	equal "$(db $name.db "select distinct error_no from run where status = 'skipped'")" $errno
	contains $name.csv "ioengine io_uring cannot be used here: $sentence"
	contains err "warning: 2 of 6 combinations cannot run here: ioengine io_uring cannot be used here: $sentence"
	contains out "2 skipped: ioengine io_uring cannot be used here: $sentence"
	# shellcheck disable=SC2086
	expect_exit 0 "$@" "$IOSWEEP" plan $three
	contains out "$sentence"
}
blocked eperm 1 "io_uring: Operation not permitted: blocked by seccomp (container default?)" "$tools/refuse" io_uring_setup 1
blocked enosys 38 "io_uring: Function not implemented: not in this kernel, or blocked by seccomp" "$tools/refuse" io_uring_setup 38
# not named: the next one, said, and stored under its name
expect_exit 0 "$tools/refuse" io_uring_setup 1 "$IOSWEEP" run "$@" --db d.db
equal "$(rows d.db)" "libaio|ok|2"
# asked for alone: nothing can run
expect_exit 5 "$tools/refuse" io_uring_setup 1 "$IOSWEEP" run "$@" --set ioengine=io_uring --db a.db
contains err "blocked by seccomp"
[ ! -e a.db ] || die "a database of nothing"
# no threads
expect_exit 1 "$tools/refuse" clone3 11 "$IOSWEEP" run "$@" --set ioengine=psync --db t.db
contains t.csv "cannot start job 1 of 1: Resource temporarily unavailable (limits: ulimit -u"
equal "$(rows t.db)" "psync|failed|2"

switch=/proc/sys/kernel/io_uring_disabled
if [ "$(id -u)" -eq 0 ] && [ -w $switch ]; then
	was=$(cat $switch)
	cleanup_fn "echo $was >$switch"
	echo 2 >$switch
	blocked sysctl 1 "io_uring: Operation not permitted: kernel.io_uring_disabled=2" env
	echo "$was" >$switch
fi

# the events of libaio used up by others: what still fits runs
mkfifo go
"$tools/hold_aio" 600 <go >held &
holder=$!
exec 9>go
i=0
until grep -q held held || ! kill -0 $holder 2>/dev/null || [ $i -ge 100 ]; do sleep 0.02; i=$((i + 1)); done
if grep -q held held; then
	expect_exit 1 "$IOSWEEP" run "$@" --set ioengine=libaio --set direct=1 --set order=listed --set iodepth=1,4096,2 --db aio.db
	equal "$(db aio.db "select group_concat(iodepth || status, ' ') from (select iodepth, status from results order by run)")" "1ok 4096skipped 2ok"
	contains aio.csv "libaio needs 4096 events (numjobs 1 x iodepth 4096), but aio-nr is "
	contains aio.csv "; raise the sysctl fs.aio-max-nr"
fi
exec 9>&-
wait $holder || true
[ ! -e t.bin ] || die "t.bin is left"
