# alone
# One 4k randread run for each engine and depth: the numbers agree with each other and with the kernel's counters.
. "$(dirname "$0")/functions.sh"
requires sqlite3

cat >c.json <<EOF
{"filename":"t.bin","size":"64m","ioengine":["io_uring","libaio","psync"],"rw":"randread","bs":"4k",
 "iodepth":[1,32],"ramp_time":"200ms","runtime":1,"name":"measure"}
EOF
expect_exit 0 "$IOSWEEP" run c.json --db r.db
contains err "results: r.db r.csv"
[ ! -e t.bin ] || die "t.bin is still there"

equal "$(db r.db 'select count(*) from results')" 5 "psync collapses depth"
equal "$(db r.db "select count(*) from results where status='ok'")" 5
equal "$(db r.db 'select count(*) from results where bytes <> 4096 * ios or ios = 0')" 0
equal "$(db r.db 'select count(*) from results where abs(window_s - 1) > 0.01')" 0
equal "$(db r.db 'select count(*) from results where not (lat_min_us <= lat_p50_us and lat_p50_us <= lat_p99_us
	and lat_p99_us <= coalesce(lat_p99_99_us, lat_max_us) and coalesce(lat_p99_99_us, lat_p99_us) <= lat_max_us)')" 0
# what a busy machine takes away between two batches is time with nothing in flight
equal "$(db r.db "select count(*) from results where ioengine <> 'psync' and depth_mean / iodepth not between 0.85 and 1.001")" 0
equal "$(db r.db 'select count(*) from results where abs(iops - ios / window_s) > 1')" 0
equal "$(db r.db 'select count(*) from results r where op is not null and abs(run_iops - iops) > 0.001')" 0
# the device read at least what we say, wherever there is a device with counters (others may read from it too); its
# counters may have been read late on a busy machine
equal "$(db r.db 'select count(*) from results join run on run.id = results.run
	where results.device_read_bytes < 0.95 * bytes * min(1, device_elapsed_ns / 1e9 / results.window_s)')" 0
# stored parts add up to the totals
equal "$(db r.db 'select count(*) from (select run_id, sum(ios) n from interval group by run_id) i
	join result r on r.run_id = i.run_id where i.n <> r.ios')" 0
# CSV and view are the same rows
equal "$(tail -n +2 r.csv | wc -l)" 5
equal "$(head -n 1 r.csv)" "$(sqlite3 -readonly -csv -header r.db 'select * from results limit 1' | head -n 1 | tr -d '\r')"
# one plain file at the end
[ ! -e r.db-wal ] && [ ! -e r.db-shm ] || die "WAL files are left"

# a device of our own, which nobody else reads: its counters agree with ours, and with what the kernel says from outside
requires_root
requires losetup
head -c 64M /dev/urandom >a.img
loop=$(losetup -f --show --direct-io=on a.img 2>/dev/null) || loop=$(losetup -f --show a.img) || skip "no loop device"
cleanup_fn "losetup -d $loop 2>/dev/null"
read_sectors() { awk -v d="${loop#/dev/}" '$3 == d { print $6 }' /proc/diskstats; }
before=$(read_sectors)
expect_exit 0 "$IOSWEEP" run --set filename="$loop" --set ioengine=io_uring,libaio,psync --set rw=randread --set iodepth=8 \
	--set ramp_time=0 --set runtime=500ms --db loop.db
after=$(read_sectors)
equal "$(db loop.db "select count(*) from results where status = 'ok' and abs(1.0 * device_read_bytes / bytes - 1) <= 0.02")" 3
# from outside: all runs, their drains and the 256 sampled blocks
equal "$(db loop.db "select abs((($after - $before) * 512.0 - 256 * 4096) / sum(bytes) - 1) <= 0.02 from results")" 1
