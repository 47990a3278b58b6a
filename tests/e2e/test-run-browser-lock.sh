# Another program holds the database for writing while the sweep runs: the sweep goes on, and no row is lost. For 30 s in
# the long form.
. "$(dirname "$0")/functions.sh"
requires sqlite3

hold=2
[ "${IOSWEEP_FULL:-}" != 1 ] || hold=30
"$IOSWEEP" run --set filename=t.bin --set size=1m --set ioengine=psync --set direct=0 --set rw=randread --set bs=4k \
	--set repeats=$((hold * 8)) --set ramp_time=0 --set runtime=100ms --db a.db --progress=plain >out 2>err &
pid=$!
eventually attempts a.db ok 2
mkfifo statements
sqlite3 a.db <statements >locked.out 2>&1 &
browser=$!
exec 9>statements
echo 'pragma busy_timeout = 10000; begin immediate; select 1;' >&9
eventually grep -q 1 locked.out
before=$(db a.db "select count(*) from results")
sleep $hold
equal "$(db a.db "select count(*) from results")" "$before" "the lock did not hold"
[ $(($(grep -c ' IOPS' err) - before)) -gt $((hold)) ] || die "the sweep did not go on: $(cat err)"
[ -s a.db-spool ] || die "no spool"
contains err "another program holds the database; rows are kept beside it until it lets go"
echo 'rollback;' >&9
exec 9>&-
wait $browser
wait $pid || die "the sweep failed: $(cat err)"
equal "$(db a.db "select count(*), count(distinct repeat), max(run) from all_runs where status = 'ok'")" \
	"$((hold * 8))|$((hold * 8))|$((hold * 8))"
equal "$(db a.db "select state from sweep")" done
equal "$(tail -n +2 a.csv | wc -l)" $((hold * 8))
[ ! -e a.db-spool ] && [ ! -e t.bin ] || die "something is left"

# it never lets go: stopped by the user, the rows wait for resume
"$IOSWEEP" run --set filename=x --set size=1m --set ioengine=null --set rw=randread --set repeats=100 --set ramp_time=0 \
	--set runtime=20ms --db b.db --progress=plain >out 2>err &
pid=$!
eventually attempts b.db ok 2
mkfifo more
sqlite3 b.db <more >locked.out 2>&1 &
browser=$!
exec 9>more
echo 'pragma busy_timeout = 10000; begin immediate; select 1;' >&9
eventually grep -q 1 locked.out
eventually test -s b.db-spool
kill -INT $pid
rc=0
wait $pid || rc=$?
equal $rc 6 "$(cat err)"
contains err "another program holds the database; what was measured is kept beside it"
first=$(grep -c ' IOPS' err)
exec 9>&-
wait $browser
expect_exit 0 "$IOSWEEP" show b.db
contains out "waiting:  b.db-spool: rows that resume brings into it"
expect_exit 0 "$IOSWEEP" resume b.db --progress=plain
equal $((first + $(grep -c ' IOPS' err))) 100
equal "$(db b.db "select count(*), count(distinct repeat) from all_runs where status = 'ok'")" '100|100'
