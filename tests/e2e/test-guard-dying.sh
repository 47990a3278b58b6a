# A file of ours that a worker which was killed still has open is asked for again; who keeps it open is refused.
. "$(dirname "$0")/functions.sh"

mkdir d
sweep() { "$IOSWEEP" run --set filename="$1" --set size=64k --set rw=write --set ioengine=psync --set direct=0 --set benchmark_type=size \
	--set keep=true --db r.db; }
for target in k.dat d/; do
	rm -f r.*
	expect_exit 0 sweep $target
	file=$(find k.dat d -type f 2>/dev/null | tail -n 1)
	sleep 1 3>>"$file" &
	rm -f r.*
	expect_exit 0 sweep $target
	wait
	sleep 60 3>>"$file" &
	pid=$!
	cleanup_fn "kill $pid 2>/dev/null"
	rm -f r.*
	expect_exit 4 sweep $target
	kill $pid
	wait $pid || true
done
