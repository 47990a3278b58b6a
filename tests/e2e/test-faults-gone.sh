# A target that goes away under the sweep: cut, removed, taken off line. Its rows fail, the sweep ends by itself.
. "$(dirname "$0")/functions.sh"
. "$here/fuse.sh"
pid=
cleanup_fn '[ -z "$pid" ] || { kill $pid; wait $pid; } 2>/dev/null'

# start ENGINE FILE DIRECT...: in the background, until the first of its runs is under way
start() {
	engine=$1 file=$2 direct=$3; shift 3
	rm -f r.db r.csv
	"$IOSWEEP" run --set filename="$file" --set ioengine=$engine --set direct=$direct --set rw=read --set bs=4k,8k,16k,32k,64k --set ramp_time=0 \
		--set runtime=60 --set stall_timeout=5 --db r.db "$@" >out 2>err &
	pid=$!
	eventually attempts r.db running 1
	sleep 0.2
}
for engine in io_uring libaio psync pvsync2 mmap; do
	"$IOSWEEP" probe | grep -qE "^ *$engine +usable" || continue
	head -c 4M /dev/urandom >t.bin
	start $engine t.bin 0 --set order=listed
	truncate -s 0 t.bin
	rc=0
	wait $pid || rc=$?
	equal $rc 1 "$engine: cut"
	equal "$(db r.db "select count(*) from results where status = 'failed' and ios > 0 and errors = 1")" 1 "$engine: cut"
	equal "$(db r.db "select count(*) from results where status = 'ok'")" 0 "$engine: cut"
done
head -c 4M /dev/urandom >t.img
# removed: the run that has it open goes on, those after it fail
head -c 4M /dev/urandom >t.bin
start psync t.bin 0 --set order=listed --set runtime=1 --set bs=4k,8k
rm t.bin
rc=0
wait $pid || rc=$?
equal "$rc $(db r.db "select group_concat(status, ' ') from (select status from results order by run)")" "1 ok failed"
contains r.csv "t.bin: No such file or directory"
# a device that shrinks
if loop=$(losetup -f --show t.img 2>/dev/null); then
	cleanup_fn "losetup -d $loop"
	start psync "$loop" 1 --set order=listed --set bs=4k,8k
	truncate -s 64k t.img
	losetup -c "$loop"
	rc=0
	wait $pid || rc=$?
	equal "$rc $(db r.db "select count(*) from results where status = 'failed' and ios > 0 and errors = 1")" "1 2"
	contains r.csv "bytes at offset 65536: "
fi
# the server of its file system dies: ENOTCONN
start psync "$PWD/mp/data" 1 --set order=listed
kill -KILL $server
rc=0
wait $pid || rc=$?
# the run under way sees ECONNABORTED or ENOTCONN; three of ENOTCONN in a row are enough
equal "$rc $(db r.db "select count(*) from results where status = 'failed' and error like '%not connected%'")" "1 3"
equal "$(db r.db "select status from results order by run desc limit 1")" skipped
contains r.csv "Transport endpoint is not connected"
