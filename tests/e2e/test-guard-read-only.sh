# A sweep that only reads opens nothing of its targets for writing and asks the kernel for no write to them, with every
# engine; one that writes shows that the test would see it.
# alone
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires strace
case $IOSWEEP in *san-*) skip 'a leak checker does not work under strace' ;; esac
strace -f -o /dev/null true 2>/dev/null || skip "strace may not be used here"
strace -f -y -e trace=io_submit,pwritev2,io_uring_setup -o /dev/null true 2>/dev/null || skip "this strace is too old"

mkdir targets
head -c 1M /dev/urandom >targets/f.dat
list="\"$scratch/targets/f.dat\""
if [ "$(id -u)" -eq 0 ] && head -c 2M /dev/urandom >image && loop=$(losetup -f --show image 2>/dev/null); then
	cleanup_fn "losetup -d $loop"
	list="$list,\"$loop\""
fi
targets="$scratch/targets${loop:+|$loop}"
# what could write: an open that allows it, a call on a descriptor of the target, a request, a mapping
trace() {
	rm -f r.db r.csv log
	expect_exit 0 strace -f -y -s 8 -e trace=file,desc,mmap,io_submit,io_uring_setup,io_uring_enter -o log \
		"$IOSWEEP" run --set filename="[$list]" --set size=256k --set ramp_time=0 --set runtime=5ms --db r.db -q "$@"
	grep -E "(open|openat|openat2|creat)\(.*\"($targets)[^\"]*\".*(O_WRONLY|O_RDWR|O_CREAT|O_TRUNC)" log >opens || true
	grep -E "(write|pwrite64|writev|pwritev|pwritev2|ftruncate|fallocate|sendfile|copy_file_range|splice)\([0-9]+<($targets)" log >writes || true
	grep -E "io_submit\(.*($targets).*" log | grep -F IOCB_CMD_PWRITE >>writes || true
	grep -E "mmap\(.*PROT_WRITE.*MAP_SHARED.*<($targets)" log >>writes || true
	grep -E "ioctl\([0-9]+<($targets)[^,]*, (BLKDISCARD|BLKZEROOUT|BLKSECDISCARD|FITRIM|BLKROSET)" log >>writes || true
}
engines=
for engine in io_uring libaio psync pvsync2 mmap; do
	for direct in 0 1; do
		[ $engine$direct != mmap1 ] || continue
		trace --set ioengine=$engine --set direct=$direct --set rw=read,randread --set numjobs=2 --set iodepth=4 ||
			continue
		[ "$(db r.db "select count(*) from results where status = 'ok'")" -gt 0 ] || continue # no such engine or no O_DIRECT here
		engines="$engines $engine"
		[ ! -s opens ] || { cat opens; die "$engine direct=$direct opened a target for writing"; }
		[ ! -s writes ] || { cat writes; die "$engine direct=$direct wrote to a target"; }
		grep -qE "openat\(.*\"$scratch/targets/f.dat\"" log || die "the trace does not see the target at all"
	done
done
[ "$(echo "$engines" | wc -w)" -ge 3 ] || die "only these engines were tried:$engines"

# the same eyes on a sweep that writes
for engine in psync libaio mmap; do
	trace --set ioengine=$engine --set direct=0 --set rw=write --set bs=4k --set may_overwrite="$scratch/targets/f.dat" \
		${loop:+--destroy "$loop"}
	[ "$(db r.db "select count(*) from results where status = 'ok'")" -gt 0 ] || continue
	[ -s opens ] || die "$engine: an open for writing was not seen"
	[ -s writes ] || die "$engine: a write was not seen"
done
echo "engines:$engines"
