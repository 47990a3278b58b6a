# A device that stops answering while it is looked at costs the time limit, at whichever read it stops, and is refused.
# alone
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires losetup
requires_root
fusefile=$(dirname "$(readlink -f "$IOSWEEP")")/tests/fusefile
[ -x "$fusefile" ] || skip "needs libfuse3-dev"
[ -c /dev/fuse ] || skip "needs /dev/fuse"

mkdir mp
"$fusefile" 16 mp &
server=$!
stop_server() {
	kill -CONT $server
	[ -z "${loop:-}" ] || losetup -d "$loop"
	i=0
	until umount "$scratch/mp" 2>/dev/null || [ $i -ge 100 ]; do sleep 0.05; i=$((i + 1)); done
	kill $server 2>/dev/null
}
cleanup_fn stop_server
eventually test -e mp/ctl
loop=$(losetup -f --show --direct-io=on mp/data) || skip "no loop device"

set -- --set filename="$loop" --set rw=randwrite --set ioengine=psync --set ramp_time=0 --set runtime=20ms --set size=64k \
	--set stall_timeout=400ms --destroy "$loop" --db r.db
refused=0
for n in 1 2 3 5 9 17; do
	rm -f r.db r.csv
	echo "stop read 0 $n" >mp/ctl
	rc=0
	timeout 30 "$IOSWEEP" run "$@" >out 2>err || rc=$?
	kill -CONT $server
	case $rc in
	4) refused=$((refused + 1)); contains err "$loop: what uses it cannot be known: it does not answer" ;;
	5) contains err "$loop does not answer (0.4 s)" ;;
	*) cat err; die "stopped at read $n: exit $rc" ;;
	esac
	[ ! -e r.db ] || die "a refused sweep made a database"
	echo off >mp/ctl
done
[ $refused -gt 0 ] || die "it was never the guard that waited"
expect_exit 0 timeout 30 "$IOSWEEP" run "$@"
