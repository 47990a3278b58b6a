#!/bin/sh
# What is written: seen in the file, by a real compressor, and by counting equal blocks.
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires gzip

# One pass of 1 MiB into t.dat, every block once
written() {
	rm -f t.db t.csv
	"$IOSWEEP" run -q --set benchmark_type=size --set filename=t.dat --set size=1m --set keep=1 --set ioengine=psync --set direct=0 \
		--set rw=randwrite --db t.db "$@" >/dev/null
	equal "$(db t.db "select status || ' ' || bytes from results")" "ok 1048576"
}
percent_left() { echo $(($("$@" -c t.dat | wc -c) * 100 / 1048576)); }
between() { [ "$1" -ge "$2" ] && [ "$1" -le "$3" ] || die "$1 is not within $2..$3${4:+ ($4)}"; }
distinct() { # blocks of 4 KiB
	split -b 4096 -a 4 t.dat part. && md5sum part.* | cut -c 1-32 | sort -u | wc -l
	find . -name "part.*" -delete
}

# a compressor finds what it was asked to find, for a block alone or over many
for bs in 4k 128k; do
	written --set bs=$bs
	between "$(percent_left gzip)" 99 101 "incompressible, bs $bs"
	equal "$(distinct)" 256
	for percent in 25 50 75; do
		written --set bs=$bs --set buffer_compress_percentage=$percent
		between "$(percent_left gzip)" $((100 - percent)) $((105 - percent)) "gzip, $percent %, bs $bs"
		if command -v zstd >/dev/null; then
			between "$(percent_left zstd -q --long=27)" $((100 - percent)) $((104 - percent)) "zstd, $percent %, bs $bs"
		fi
		equal "$(distinct)" 256
	done
done
equal "$(db t.db "select options from results")" "time_based=0 buffer_compress_percentage=75"
written --set buffer_compress_percentage=100
equal "$(tr -d '\000' <t.dat | wc -c)" 0
written --set bs=4k --set buffer_compress_percentage=50 --set buffer_compress_chunk=4k # the first half of a block is random
equal "$(for block in 0 1 254 255; do dd if=t.dat bs=2048 skip=$((2 * block + 1)) count=1 status=none; done | tr -d '\000' | wc -c)" 0

# a share of the writes repeats the one before
written --set bs=4k --set dedupe_percentage=50
between "$(distinct)" 100 156 "half of 256 blocks repeat"
between "$(head -c 4096 t.dat | gzip | wc -c)" 4096 4200 "a block by itself is random"
written --set bs=4k --set dedupe_percentage=100
equal "$(distinct)" 1
written --set bs=4k --set dedupe_percentage=25 --set buffer_compress_percentage=50
between "$(distinct)" 166 214
between "$(percent_left gzip)" 30 55

# the bytes that were asked for, from the start of every block; more than one way to write them, one way to store them
written --set bs=4k --set 'buffer_pattern="\"abc\"0x64"'
equal "$(head -c 4096 t.dat)" "$(yes abcd | tr -d '\n' | head -c 4096)"
equal "$(distinct)" 1
equal "$(db t.db "select options from results")" "time_based=0 buffer_pattern=0x61626364"
written --set bs=4k --set 'buffer_pattern="\"abc\""' # 4096 is no multiple of 3
equal "$(distinct)" 1
equal "$(tail -c 4096 t.dat | head -c 6)" abcabc
written --set bs=4k --set buffer_pattern=0x5a --set buffer_compress_percentage=50
equal "$(dd if=t.dat bs=256 skip=1 count=1 status=none | tr -d Z | wc -c)" 0
between "$(percent_left gzip)" 50 55

# what makes no difference is one row
rm -f t.db t.csv
"$IOSWEEP" run -q --set benchmark_type=size --set filename=t.dat --set size=1m --set ioengine=psync --set direct=0 --set rw=read,write \
	--set zero_buffers=0,1 --set refill_buffers=0,1 --set buffer_compress_percentage=0,50 --set 'buffer_pattern=["0x00","0x0000"]' --db t.db >/dev/null
equal "$(db t.db "select count(*) from results where rw = 'read'")" 1
equal "$(db t.db "select count(*) from results where rw = 'write'")" 4
expect_exit 3 "$IOSWEEP" plan --set filename=t.dat --set rw=write --set runtime=1 --set size=1m --set buffer_pattern=0xyz
contains err "buffer_pattern: '0xyz': not a pattern; allowed: 0x and hexadecimal digits"
