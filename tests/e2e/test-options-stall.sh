# A target that stands still for half a second: with a rate each I/O that should have started meanwhile has waited for it,
# whether the engine holds one I/O or many.
. "$(dirname "$0")/functions.sh"
. "$here/fuse.sh"

"$IOSWEEP" probe --json >probe.json
for engine in psync libaio io_uring; do
	grep -A1 "\"name\": \"$engine\"" probe.json | grep -q '"usable": true' || continue
	rm -f r.db r.db-* r.csv
	"$IOSWEEP" run --set name=r --set filename=mp/data --set rw=randread --set bs=4k --set ioengine=$engine --set iodepth=32 \
		--set direct=0 --set rate_iops=1000 --set ramp_time=200ms --set runtime=4 --db r.db >out 2>err &
	pid=$!
	eventually attempts r.db running 1
	sleep 1
	kill -STOP $server
	sleep 0.5
	kill -CONT $server
	rc=0; wait $pid || rc=$?
	[ $rc -eq 0 ] || { cat err; die "$engine: exit $rc"; }
	# 500 of 4,000 came in it, at even times: 400 of them waited for 100 ms or more, 200 for 300 ms, 40 for 460 ms
	equal "$(db r.db "select lat_p90_us >= 98000 and lat_p95_us >= 295000 and lat_p99_us >= 455000 and lat_max_us >= 495000 from results")" 1 "$engine"
	equal "$(db r.db "select lag_max_ms >= 450 and backlog_max >= 450 and ios <= 4001 from results")" 1 "$engine"
	[ $engine != psync ] || equal "$(db r.db "select service_p99_us < lat_p90_us and service_max_us >= 495000 from results")" 1
	"$IOSWEEP" show r.db 1 >out
	contains out " I/Os of a job waited for theirs"
done
