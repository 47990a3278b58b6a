# A file that an earlier sweep made and left is used without consent, and stays: only its own sweep removes it. Nobody
# takes a file away from a sweep that runs on it.
. "$(dirname "$0")/functions.sh"
requires sqlite3

run() { # db
	"$IOSWEEP" run --set filename=t.bin --set size=1m --set ioengine=psync --set direct=0 --set rw=randwrite \
		--set ramp_time=0 --set bs=4k,8k --db "$@"
}
"$IOSWEEP" run --set filename=t.bin --set size=1m --set ioengine=psync --set direct=0 --set rw=randwrite \
	--set ramp_time=0 --set bs=4k,8k --db a.db --set runtime=20 >a.out 2>a.err &
pid=$!
eventually attempts a.db running 1
kill -TERM $pid
wait $pid || [ $? -eq 143 ] || die "not interrupted"
[ -f t.bin ] || die "the file of a sweep that can go on is gone"
inode=$(stat -c %i t.bin)
expect_exit 0 run b.db --set runtime=30ms
equal "$(stat -c %i t.bin)" "$inode" "the file of the first sweep"
# smaller than needed: ours, so it may grow
expect_exit 0 run c.db --set runtime=30ms --set size=2m
equal "$(stat -c %s t.bin)" 2097152
expect_exit 0 "$IOSWEEP" clean c.db
[ -f t.bin ] || die "clean of a sweep that did not make it"
# while another sweep runs on it, not even its own sweep removes it
run d.db --set runtime=1 >d.out 2>d.err &
pid=$!
eventually attempts d.db running 1
expect_exit 1 "$IOSWEEP" clean a.db
contains out "another iosweep uses"
[ -f t.bin ] || die "clean took the file away from a running sweep"
wait $pid || die "the running sweep failed"
expect_exit 0 "$IOSWEEP" clean a.db
[ ! -e t.bin ] || die "clean of its own sweep left it"

# two sweeps that start at the same moment on a file that is not there: one wins, the other leaves it alone
run e.db --set runtime=400ms >e.out 2>e.err &
one=$!
run f.db --set runtime=400ms >f.out 2>f.err &
two=$!
r1=0; wait $one || r1=$?
r2=0; wait $two || r2=$?
case "$r1 $r2" in
"0 0") die "both ran on one file at a time" ;;
0\ [14] | [14]\ 0) ;;
*) die "exit codes $r1 $r2" ;;
esac
[ ! -e t.bin ] || die "the file is left"
