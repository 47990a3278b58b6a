# benchmark_type size: exactly one pass, whole blocks only, every engine and pattern; fsync is an op of its own.
. "$(dirname "$0")/functions.sh"
requires sqlite3

cat >c.json <<EOF
{"benchmark_type":"size","filename":"t.bin","size":"1M","ioengine":["io_uring","libaio","psync"],"direct":0,
 "rw":["write","read","randread","randwrite"],"name":"size"}
EOF
expect_exit 0 "$IOSWEEP" run c.json --db r.db
equal "$(db r.db "select count(*) from results where status = 'ok' and ios = 256 and bytes = 1048576")" 12
equal "$(db r.db "select distinct options from results")" "time_based=0"
equal "$(db r.db 'select count(*) from results where window_s <= 0 or abs(iops * window_s - 256) > 0.01')" 0

# 30 KiB holds seven whole blocks
expect_exit 0 "$IOSWEEP" run --set filename=u.bin --set size=30k --set ioengine=psync --set direct=0 \
	--set rw=write,randwrite,read --db s.db
equal "$(db s.db 'select distinct ios || "/" || bytes from results')" 7/28672

# one I/O: every number is defined, what one sample cannot support is empty
expect_exit 0 "$IOSWEEP" run --set filename=u.bin --set size=4k --set ioengine=psync --set direct=0 \
	--set rw=read,write --set benchmark_type=size --db one.db
equal "$(db one.db 'select count(*) from results where ios = 1 and lat_min_us = lat_max_us and lat_p50_us is not null
	and lat_p99_us is null and lat_stddev_us = 0 and instr(notes, "few-samples")')" 2

# fsync every N writes
cat >f.json <<EOF
{"benchmark_type":"size","filename":"t.bin","size":"1M","ioengine":["psync","io_uring","libaio"],"direct":0,"rw":"write",
 "fsync":[0,1,16]}
EOF
expect_exit 0 "$IOSWEEP" run f.json --db f.db
equal "$(db f.db "select group_concat(n) from (select distinct fsync || ':' || ios n from results where op = 'sync'
	order by fsync)")" 1:256,16:16
equal "$(db f.db "select count(*) from results where op = 'write' and ios = 256")" 9
equal "$(db f.db "select count(*) from results where op = 'sync' and fsync = 0")" 0
