# A mapping: what cannot be read, written back or synced, and a file that is cut while it is mapped, is a failed row and
# never the death of the worker.
. "$(dirname "$0")/functions.sh"
. "$here/fuse.sh"
pid=
cleanup_fn '[ -z "$pid" ] || { kill $pid; wait $pid; } 2>/dev/null'

sweep() { # RW, then more
	rw=$1; shift
	rm -f r.db r.csv
	rc=0
	"$IOSWEEP" run --set filename=mp/data --set may_overwrite=mp/data --set ioengine=mmap --set direct=0 --set rw="$rw" \
		--set bs=4k --set benchmark_type=size --set fadvise_hint=0 "$@" --db r.db >out 2>err || rc=$?
}
fault cache 1
sweep read
equal "$rc $(db r.db "select status, ios from results")" "0 ok|1024"
fault error read 5 20 # each reads many pages
sweep read
equal "$rc $(db r.db "select status, op, ios between 1 and 1023, errors from results")" "1 failed|read|1|1"
contains r.csv "read of 4096 bytes at offset "
contains r.csv "(EIO)"
fault error sync 5 3 # one before the first run, one that empties the cache
sweep write --set end_fsync=1
equal "$rc $(db r.db "select status, op, ios, errors from results order by op desc")" "1 failed|write|1024|0
failed|sync|0|1"
contains r.csv "fsync: Input/output error (EIO)"
fault off

# cut while it runs: SIGBUS
cp mp/data t.bin
"$IOSWEEP" run --set filename=t.bin --set ioengine=mmap --set direct=0 --set rw=read --set ramp_time=0 --set runtime=60 \
	--set bs=4k --db c.db >out 2>err &
pid=$!
eventually attempts c.db running 1
sleep 0.2
truncate -s 1m t.bin
rc=0
wait $pid || rc=$?
equal "$rc $(db c.db "select status, op, errors from results")" "1 failed|read|1"
contains c.csv "(EIO)"
lacks err "killed by signal"
