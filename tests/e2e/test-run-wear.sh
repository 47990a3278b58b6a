# max_write: at the limit writing runs become skipped, with the numbers, whatever way they would pass it; reads go on.
. "$(dirname "$0")/functions.sh"
requires sqlite3

sweep() { # max_write, arguments
	max=$1; shift
	rm -f r.db r.csv
	expect_exit "${code:-0}" "$IOSWEEP" run --set filename=f.dat --set ioengine=psync --set direct=0 --set size=1m --set order=listed \
		--set max_write="$max" --db r.db "$@"
}
written() { db r.db "select value from header where name = 'written_bytes'"; }
statuses() { db r.db "select group_concat(status) from (select status from results group by run order by run)"; }

# bound by size: the layout (1m), a few I/Os to try it, and one pass each; what would not fit is not begun
sweep 3200k --set rw=write,read --set benchmark_type=size --set bs=4k,64k --set numjobs=1,2
equal "$(statuses)" "ok,skipped,ok,skipped,ok,ok,ok,ok"
[ "$(written)" -ge $((3 << 20)) ] && [ "$(written)" -le $((3200 << 10)) ] || die "written: $(written)"
contains out "($(written) bytes), ramps and layout included"
for bs in 4096 65536; do
	case $(db r.db "select distinct error from results where numjobs = 2 and bs = $bs and rw = 'write'") in
	"max_write 3200k: it would write 2 MiB more, and "*" bytes) are written already") ;;
	*) die "not the reason: $(db r.db "select error from results where bs = $bs")" ;;
	esac
done
# --strict: skipped rows count
code=1 sweep 3m --set rw=write --set benchmark_type=size --set bs=4k --set numjobs=1,4 --strict

# bound by time: ended while it runs, far from its end
sweep 64m --set rw=write --set ramp_time=0 --set runtime=60 --set bs=64k,128k
equal "$(statuses)" skipped,skipped
equal "$(db r.db "select count(*) from results where bs = 131072 and error like 'max_write 64m is reached: this sweep has written % ($(written) bytes)'")" 1
contains out "max_write 64m was reached while it ran, which ended it"
[ "$(written)" -ge $((64 << 20)) ] || die "it was ended too early: $(written)"
equal "$(db r.db "select count(ios) from results")" 0

# no room for the layout: not begun at all
sweep 512k --set rw=write,read --set benchmark_type=size
equal "$(statuses)" "skipped,skipped"
[ ! -e f.dat ] || die "it was laid out"
equal "$(written)" ""

# the ramp counts; a mixed pattern counts its writes; a sweep that reads has no limit
sweep 1t --set rw=write --set ramp_time=100ms --set runtime=100ms
[ "$(written)" -gt "$(db r.db "select sum(bytes) + 1048576 from results")" ] || die "the ramp was not counted"
sweep 1t --set rw=rw --set rwmixread=90 --set benchmark_type=size --set bs=512
mixed=$(($(written) - 1048576))
[ $mixed -gt 50000 ] && [ $mixed -lt 170000 ] || die "a tenth of 1 MiB, not $mixed"
head -c 1m /dev/urandom >f.dat
sweep 4k --set rw=read --set benchmark_type=size
equal "$(statuses)" ok
lacks out "written:"
rm f.dat

# what an interrupted sweep wrote counts when it goes on
rm -f r.db r.csv
"$IOSWEEP" run --set filename=f.dat --set ioengine=psync --set direct=0 --set size=1m --set order=listed --set max_write=1t \
	--set rw=write --set ramp_time=0 --set runtime=300ms,60 --db r.db >out 2>err &
pid=$!
eventually attempts r.db ok 1
eventually attempts r.db running 1
kill -TERM $pid
wait $pid || equal $? 143
first=$(written)
contains err " written" # in the line of progress
db r.db "select sum(bytes) from results" >ok
[ "$first" -gt $(($(cat ok) + 1048576)) ] || die "the interrupted run was not counted"
sqlite3 r.db "update sweep set config = replace(config, '\"1t\"', '\"2m\"')"
expect_exit 0 timeout 20 "$IOSWEEP" resume r.db
equal "$(statuses)" "ok,skipped"
equal "$(written)" "$first"
expect_exit 3 "$IOSWEEP" run --set filename=f.dat --set rw=write --set size=1m --set runtime=1 --set max_write=0
contains err "max_write: '0': not a valid value; allowed: bytes, more than 0"
expect_exit 3 "$IOSWEEP" run --set filename=f.dat --set rw=write --set size=1m --set runtime=1 --set max_write=1m,2m
contains err "a sweep setting takes one value"
expect_exit 0 "$IOSWEEP" plan --set filename=f.dat --set rw=write --set size=1m --set runtime=1 --set max_write=20t
contains out "max_write     20t, layout and fill included: then writing runs are skipped"
lacks out "is overwritten"
head -c 1m /dev/urandom >g.dat
expect_exit 0 "$IOSWEEP" plan --set filename=g.dat --set rw=write --set runtime=1 --set may_overwrite=g.dat
contains out "written: what is on it now is overwritten"
