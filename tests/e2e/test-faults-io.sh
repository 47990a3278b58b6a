# An I/O that fails costs its row, with errno, op, offset and length, its partial numbers marked, and the next combination
# runs: the same on every engine. What is only short, or is to be tried again, costs nothing.
. "$(dirname "$0")/functions.sh"
. "$here/fuse.sh"

# sweep ENGINE RW FSYNC: one pass each of 4 to 32 KiB
sweep() {
	rm -f r.db r.csv
	rc=0
	"$IOSWEEP" run --set filename=mp/data --set may_overwrite=mp/data --set ioengine="$1" --set rw="$2" --set bs=4k,8k,16k,32k \
		--set order=listed --set benchmark_type=size --set fsync="$3" --db r.db >out 2>err || rc=$?
}
# fails ENGINE OP "ERRNO NAME"...: the rows fail in turn, each with its own; the last one is measured
fails() {
	engine=$1 op=$2; shift 2
	kind=once bs=4096 want='' numbers=''
	for e in "$@"; do
		fault $kind $op ${e% *} 50
		case $op in
		sync) want="$want${e% *} fsync: (${e#* })|" ;;
		*) want="$want${e% *} $op of $bs bytes at offset N: (${e#* })|" ;;
		esac
		numbers="${numbers}failed11 "
		kind=then
		bs=$((2 * bs))
	done
	left=$((4 - $#))
	while [ $left -gt 0 ]; do want="${want}0 |" numbers="${numbers}ok10 " left=$((left - 1)); done
	case $op in sync) sweep $engine write 1 ;; *) sweep $engine $op 0 ;; esac
	equal $rc 1 "$engine $op"
	got=$(db r.db "select error_no || ' ' || error || '|' from run order by id" | sed 's/offset [0-9]*/offset N/; s/: .* (/: (/' | tr -d '\n')
	equal "$got" "$want" "$engine $op"
	equal "$(db r.db "select group_concat(status || (ios > 0) || errors, ' ') from (select * from results where op = '$op' order by run)")" \
		"${numbers% }" "$engine $op: partial numbers"
	equal "$(db r.db "select count(*) from run where first_error_no = error_no and first_error_offset % 4096 = 0")" $# "$engine $op"
}
tried=0
for engine in io_uring libaio psync pvsync2; do
	"$IOSWEEP" probe | grep -qE "^ *$engine +usable" || continue
	tried=$((tried + 1))
	fails $engine read "5 EIO" "6 ENXIO" "12 ENOMEM"
	fails $engine write "28 ENOSPC" "122 EDQUOT" "30 EROFS"
	fails $engine write "27 EFBIG" "107 ENOTCONN"
	fails $engine sync "5 EIO" "28 ENOSPC"
	fault once read 11 200 # EAGAIN: once more
	sweep $engine read 0
	equal "$rc $(db r.db "select group_concat(status || ios, ' ') from results")" "0 ok1024 ok512 ok256 ok128" "$engine EAGAIN"
	fault short read 0 100
	sweep $engine read 0
	equal "$rc $(db r.db "select sum(status = 'failed' and error like 'read of % bytes at offset %: short: % of % bytes'), sum(short_ios) > 100, sum(bytes) < 16777216 from results where status <> 'skipped'")" "1 3|1|1" "$engine short reads"
	case $engine in io_uring | libaio) continue ;; esac # the kernel makes an asynchronous short write to this file system an EIO
	fault short write 0 100
	sweep $engine write 0
	equal "$rc $(db r.db "select sum(status = 'failed' and error like 'write of % bytes at offset %: short: % of % bytes'), sum(short_ios) > 100, sum(bytes) < 16777216 from results where status <> 'skipped'")" "1 3|1|1" "$engine short writes"
done
# the fsync after a buffered write, or before the next run: the fourth and third one here
buffered() {
	rm -f r.db r.csv
	expect_exit 1 "$IOSWEEP" run --set filename=mp/data --set may_overwrite=mp/data --set ioengine=psync --set direct=0 --set rw=write \
		--set bs=4k,8k --set order=listed --set benchmark_type=size --db r.db
}
fault once sync 28 4
buffered
equal "$(db r.db "select status, op, ios, errors, error from results order by run, op desc")" "failed|write|1024|0|fsync: No space left on device (ENOSPC)
failed|sync|0|1|fsync: No space left on device (ENOSPC)
ok|write|512|0|"
fault once sync 28 3
buffered
equal "$(db r.db "select status, op, error from results order by run" | sed "s|$PWD/||")" "failed||fsync mp/data: No space left on device (ENOSPC)
ok|write|"
fault error read 11 50 # nothing but EAGAIN: believed for a second
rm -f r.db r.csv
expect_exit 1 "$IOSWEEP" run --set filename=mp/data --set ioengine=psync --set rw=read --set bs=16k --set benchmark_type=size --db r.db
contains r.csv "Resource temporarily unavailable (EAGAIN)"
[ $tried -gt 0 ] || die "no engine was tried"
