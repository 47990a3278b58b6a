#!/bin/sh
# What is written neither compresses nor repeats, whatever the engine, the pattern and the block size.
. "$(dirname "$0")/functions.sh"
requires gzip
written() { # KEY=VALUE...: a file of 2 MiB, written once
	rm -f data
	for pair; do set -- "$@" --set "$pair"; shift; done
	"$IOSWEEP" run -q --db "$((n += 1)).db" --set filename=data --set size=2m --set benchmark_type=size --set keep=true \
		--set iodepth=8 --set direct=0 "$@" || [ $? -eq 1 ]
	equal "$(db $n.db "select group_concat(status) from results")" ok
}
incompressible() {
	size=$(gzip -1 <data | wc -c)
	[ "$size" -gt 2076180 ] || die "2097152 bytes shrink to $size: $*"
}
n=0
engines='psync pvsync2 mmap'
"$IOSWEEP" probe >probed 2>&1 || true
for engine in io_uring libaio; do
	! grep -q "$engine *usable" probed || engines="$engines $engine"
done
for engine in $engines; do
	for rw in write randwrite; do
		written ioengine=$engine rw=$rw bs=4k
		incompressible $engine $rw 4k
		equal "$(od -An -v -tx8 -w512 data | sort -u | wc -l)" 4096 "different pieces of 512 bytes: $engine $rw"
	done
done
for bs in 512 64k 128k; do
	written ioengine=psync rw=write bs=$bs
	incompressible psync write $bs
done
written ioengine=psync rw=write bs=4k zero_buffers=1
equal "$(tr -d '\0' <data | wc -c)" 0 'zero_buffers'
written ioengine=psync rw=write bs=4k refill_buffers=1
incompressible refill_buffers
