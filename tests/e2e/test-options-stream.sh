# Where the I/Os of the options go, seen in the file that they wrote, beside fio where it is installed.
. "$(dirname "$0")/functions.sh"
requires sqlite3

MIB=1048576

blank() { rm -f t.bin && truncate -s "${1:-1M}" t.bin; }
# The numbers of the blocks of 4 KiB that are not zeros.
touched() {
	od -An -v -t x8 -w4096 t.bin | awk '/[1-9a-f]/ { printf "%s%d", sep, NR - 1; sep = " " }'
}
count() { touched | wc -w; }
# ours KEY=VALUE...: one pass of writes to t.bin, which is not ours
ours() {
	sets=
	for set in "$@"; do sets="$sets --set '$set'"; done
	rm -f r.db r.csv
	eval "expect_exit 0 \"\$IOSWEEP\" run -q --set filename=t.bin --set 'may_overwrite=[\"t.bin\"]' --set ioengine=psync --set direct=0 \
		--set benchmark_type=size $sets --db r.db"
}
theirs() {
	fio --name=x --filename=t.bin --ioengine=psync --refill_buffers=1 "$@" >fio.out 2>&1 || { cat fio.out >&2; die "fio $*"; }
}
# same KEY=VALUE...: by iosweep and by fio; both touch the same blocks
same() {
	blank
	ours "$@"
	mine=$(touched)
	command -v fio >/dev/null || return 0
	blank
	fio_args=
	for arg in "$@"; do fio_args="$fio_args --$arg"; done
	# shellcheck disable=SC2086 # words without blanks
	theirs $fio_args
	equal "$mine" "$(touched)" "$*"
}

same rw=write offset=64k size=64k
equal "$mine" "16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31"
same rw=write offset=50% size=16k
equal "$mine" "128 129 130 131"
same rw=write offset=10% size=16k # 104857.6 bytes: up to the next multiple of 4k
equal "$mine" "26 27 28 29"
same rw=write:4k size=64k
equal "$mine" "0 2 4 6 8 10 12 14"
same rw=write:-8k size=64k # 0 14 13 12 ... 1 0
equal "$mine" "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14"
same rw=write number_ios=5 size=64k
equal "$mine" "0 1 2 3 4"
same rw=write numjobs=3 offset_increment=128k size=12k
equal "$mine" "0 1 2 32 33 34 64 65 66"
same rw=randwrite size=64k
equal "$mine" "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"
same rw=randwrite size=10k
equal "$mine" "0 1"
same rw=randwrite percentage_random=0 size=1m
equal "$(echo "$mine" | wc -w)" 256

# without the map: what a Poisson process leaves out, 1/e of 2,560 blocks; as many as fio, give or take
blank 10M
ours rw=randwrite norandommap=1
mine=$(count)
{ [ "$mine" -gt 1540 ] && [ "$mine" -lt 1700 ]; } || die "$mine of 2560 blocks"
if command -v fio >/dev/null; then
	blank 10M
	theirs --rw=randwrite --norandommap=1 --size=10m
	apart=$((mine - $(count)))
	{ [ "$apart" -gt -100 ] && [ "$apart" -lt 100 ]; } || die "$apart blocks apart"
fi

# frequent blocks, and where: not together
blank 4M
ours rw=randwrite random_distribution=zipf:1.2
mine=$(count)
{ [ "$mine" -gt 180 ] && [ "$mine" -lt 290 ]; } || die "zipf touched $mine of 1024 blocks"
blank 4M
ours rw=randwrite random_distribution=normal:2
mine=$(count)
{ [ "$mine" -gt 60 ] && [ "$mine" -lt 160 ]; } || die "normal touched $mine of 1024 blocks"

# the same seed, the same blocks, whatever else differs; another, others
blank && ours rw=randwrite number_ios=40 randseed=7 && first=$(touched)
[ "$(count)" -le 41 ] || die "$(count) blocks" # the preflight tries the first one
blank && ours rw=randwrite number_ios=40 randseed=7 description=x seed=5
equal "$(touched)" "$first"
blank && ours rw=randwrite number_ios=40 randseed=8
[ "$first" != "$(touched)" ] || die "other seeds, the same blocks"
# randrepeat=0: twice the same command, other blocks
blank && ours rw=randwrite number_ios=40 randrepeat=0 && first=$(touched)
blank && ours rw=randwrite number_ios=40 randrepeat=0
[ "$first" != "$(touched)" ] || die "randrepeat=0 repeats"

# sizes: of each direction, and by their shares; all are in bytes / ios
blank 8M
ours rw=randrw 'bs=[{"read":"8k","write":"4k"},{"read":"4k","write":"16k"},"4k"]'
equal "$(db r.db "select group_concat(x, ' ') from (select op || ':' || (bytes / ios) || ':' || bs || ':' || options as x
	from results order by run_iops is null, bs desc, options, op)" | tr ' ' '\n' | sed 's/:time_based=0//' | sort | tr '\n' ' ')" \
	"bssplit=4096,16384 bssplit=4096,16384 bssplit=8192,4096 bssplit=8192,4096 read:4096:16384 read:4096:4096 read:8192:8192 write:16384:16384 write:4096:4096 write:4096:8192 "
equal "$(db r.db 'select count(*) from results where status <> "ok" or ios < 300')" 0
ours rw=write 'bs={"read":"8k","write":"16k"}' size=1m # one direction: one size, no mix
equal "$(db r.db "select bs || ' ' || ios || ' ' || options from results")" "16384 64 time_based=0"
ours rw=write,randread bssplit=4k/50:64k/50
equal "$(db r.db "select count(*) from results where bytes / ios between 30000 and 40000 and bs = 65536")" 2
ours rw=write,randread bsrange=4k-16k
equal "$(db r.db "select count(*) from results where bytes / ios between 9000 and 11500 and bs = 16384")" 2
db r.db "select distinct options from results" >out
contains out "bssplit=4096-16384"

# what cannot be: said with numbers, the rest runs
blank
ours rw=write,randwrite size=512k offset=0,900k
equal "$(db r.db "select group_concat(distinct error) from results where status = 'skipped'")" \
	"job 1 would end at 1445888 (size 512k + offset 900k), but t.bin has $MIB bytes"
equal "$(db r.db "select count(*) from results where status = 'ok'")" 2
expect_exit 3 "$IOSWEEP" plan --set filename=t.bin --set rw=read --set 'bs={"read":"8k","write":"4k"}' --set bssplit=4k --set size=1m
contains err "each says all sizes; give one of them"

# plan says what makes no difference
expect_exit 0 "$IOSWEEP" plan --set filename=t.bin --set rw=read,randread --set runtime=1 --set norandommap=0,1 \
	--set random_distribution=random,zipf --set percentage_random=50,100 --set bssplit=8k --set bs=4k,8k
contains out "random_distribution makes no difference for read"
contains out "bs makes no difference with bssplit"
