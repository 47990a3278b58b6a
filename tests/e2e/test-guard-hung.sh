# A device that stops answering while it is looked at costs the time limit, at whichever read it stops, and is refused.
# alone
. "$(dirname "$0")/functions.sh"
fuse_mib=16
. "$here/fuse.sh"
loop_over_data

set -- --set filename="$loop" --set rw=randwrite --set ioengine=psync --set ramp_time=0 --set runtime=20ms --set size=64k \
	--set stall_timeout=400ms --destroy "$loop" --db r.db
refused=0
for n in 1 2 3 5 9 17; do
	rm -f r.db r.csv
	fault "stop read 0 $n"
	rc=0
	timeout 30 "$IOSWEEP" run "$@" >out 2>err || rc=$?
	kill -CONT $server
	case $rc in
	4) refused=$((refused + 1)); contains err "$loop: what uses it cannot be known: it does not answer" ;;
	5) contains err "$loop does not answer (0.4 s)" ;;
	*) cat err; die "stopped at read $n: exit $rc" ;;
	esac
	[ ! -e r.db ] || die "a refused sweep made a database"
	fault off
done
[ $refused -gt 0 ] || die "it was never the guard that waited"
expect_exit 0 timeout 30 "$IOSWEEP" run "$@"
