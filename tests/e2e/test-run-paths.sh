# Database, CSV and targets are different files; what is closed or hostile outside does no harm.
. "$(dirname "$0")/functions.sh"
requires sqlite3

run() {
	"$IOSWEEP" run --set ioengine=psync --set direct=0 --set rw=randread --set size=1m --set ramp_time=0 \
		--set runtime=50ms "$@"
}
mkdir d
for csv in v.db ./v.db "$scratch/v.db" d/../v.db; do
	expect_exit 2 run --set filename=t.bin --db v.db --csv "$csv"
	contains err "two files"
done
for target in q.db ./q.db q.csv q.db-wal d/../q.db; do
	expect_exit 2 run --set "filename=$target" --db q.db
	contains err "is a target"
done
[ ! -e q.db ] && [ ! -e q.csv ] && [ ! -e v.db ] || die "a refused start left files"

# two sweeps never share a CSV: its name is taken from the start
run --set filename=a.bin --set runtime=1 --db a.db >/dev/null 2>&1 &
pid=$!
eventually test -s a.csv
expect_exit 2 run --set filename=b.bin --db b.db --csv a.csv
wait $pid || die "the first sweep failed"

# tags that could tear a line
expect_exit 2 run --set filename=t.bin --db tag.db --tag "a=$(printf 'x\ny')"
contains err "control characters"

# no stdin, stdout or stderr
rc=0
(exec <&- >&- 2>&-; exec "$IOSWEEP" run --set ioengine=null --set filename=x --set rw=read --set size=1m --set runtime=30ms \
	--set ramp_time=0 --db closed.db) || rc=$?
equal $rc 0 "with all of them closed"
equal "$(db closed.db "select status from results")" ok

# a row whose target could not be made has its line as well
(ulimit -f 4000; expect_exit 1 run --set filename=big.bin --set bs=4k,8k --set size=8m --db big.db)
contains err "1/2 big.bin"
contains err "2/2 big.bin"

# while a resumed sweep runs, its CSV holds no combination twice
"$IOSWEEP" run --set ioengine=null --set filename=x --set rw=read --set size=1m --set bs=4k,8k --set ramp_time=0 \
	--set runtime=30 --db twice.db >/dev/null 2>&1 &
pid=$!
eventually attempts twice.db running 1
kill -INT $pid
wait $pid || true
equal "$(tail -n +2 twice.csv | wc -l)" 1 "the interrupted row"
"$IOSWEEP" resume twice.db >/dev/null 2>&1 &
pid=$!
eventually attempts twice.db running 1
equal "$(tail -n +2 twice.csv | wc -l)" 0 "rows that are done again"
kill -INT $pid
wait $pid || true
