# What cannot work is said before the first run: each kind of I/O is tried once, only writing where a row will write; what is
# certain is skipped with its reason, else it is only said; what the machine keeps from running is said, too.
. "$(dirname "$0")/functions.sh"
. "$here/fuse.sh"
pid=
cleanup_fn '[ -z "$pid" ] || { kill $pid; wait $pid; } 2>/dev/null'

head -c 1M /dev/urandom >good.bin
set -- --set filename=mp/data --set ioengine=psync,pvsync2 --set direct=0 --set benchmark_type=size --set bs=4k,8k,16k
# certain: the file system takes no writes
fault error write 30 1
expect_exit 1 "$IOSWEEP" run "$@" --set rw=randread,randwrite,randrw --set may_overwrite=mp/data --db c.db
equal "$(db c.db "select rw, status, count(*) from results group by 1, 2 order by 1, 2")" "randread|ok|6
randrw|skipped|6
randwrite|skipped|6"
equal "$(db c.db "select distinct error from results where status = 'skipped' and bs = 8192")" \
	"tried before the first run: write of 4096 bytes at offset 0: Read-only file system (EROFS)"
contains err "warning: mp/data with psync, direct=0, write of 4k: write of 4096 bytes at offset 0: Read-only file system (EROFS); such rows are skipped"
equal "$(db c.db "select count(*) from event where code = 'preflight'")" 4 "two engines, two block sizes"
equal "$(db c.db "select min(e.wall_ns) < min(r.started_wall_ns) from event e, run r where e.code = 'preflight' and r.started_wall_ns > 0")" 1
# perhaps it passes: tried all the same
fault error read 5 4
expect_exit 1 "$IOSWEEP" run "$@" --set ioengine=psync --set rw=randread --db p.db
contains err "Input/output error (EIO); such rows are tried all the same"
equal "$(db p.db "select status, count(*) from results group by 1")" "failed|3"
# a target that hangs costs a limited time
fault off
kill -STOP $server
expect_exit 5 "$IOSWEEP" run "$@" --set rw=randread --set stall_timeout=400ms --db h.db
contains err "mp/data does not answer"
kill -CONT $server
fault stop read 0 4
expect_exit 1 "$IOSWEEP" run "$@" --set 'filename=["mp/data","good.bin"]' --set ioengine=psync --set rw=randread --set stall_timeout=400ms --db s.db
kill -CONT $server
contains err ": no completion for 400 ms while I/O was in flight; such rows are tried all the same"
equal "$(db s.db "select filename, status = 'ok', count(*) from results group by 1, 2")" "good.bin|1|3
mp/data|0|3"
# reads only: a target that is only read is never written to
sum=$(sha256sum mp/data)
expect_exit 0 "$IOSWEEP" run "$@" --set rw=randread --db q.db
equal "$(sha256sum mp/data)" "$sum"
lacks err warning
# what the plan skips because of the machine is said at the start
expect_exit 1 "$IOSWEEP" run --set 'filename=["mp/data","/dev/iosweep-none"]' --set ioengine=psync --set direct=0 --set ramp_time=0 \
	--set runtime=10ms --set rw=randread --db n.db
contains err "warning: 1 of 2 combinations cannot run here: no such device: /dev/iosweep-none"
# what must be made is made, and tried, before the first run of all
expect_exit 0 "$IOSWEEP" run --set 'filename=["a.bin","b.bin"]' --set size=1m --set ioengine=psync --set direct=0 --set ramp_time=0 \
	--set runtime=10ms --set rw=randread,randwrite --db m.db
equal "$(db m.db "select count(*) from results where status = 'ok'")" 4
[ ! -e a.bin ] && [ ! -e b.bin ] || die "files are left"
# results that will not fit
if mkdir mnt && mount -t tmpfs -o size=512k tmpfs mnt; then
	cleanup_fn 'umount "$scratch/ram/mnt"'
	"$IOSWEEP" run --set filename=x --set size=1m --set ioengine=null --set ramp_time=0 --set runtime=48h --set rw=read --db mnt/x.db >out 2>err &
	pid=$!
	eventually grep -q "^warning: the results may not fit: about .*iB are to come, .* KiB are free on the file system of mnt/x.db" err
	kill -INT $pid
	wait $pid || equal $? 130
fi
# null asks nothing of its target
expect_exit 0 "$IOSWEEP" run --set filename=mp/data --set size=1m --set ioengine=null --set ramp_time=0 --set runtime=10ms --set rw=randread \
	--db null.db
