# An error before the window opens: the row has the error and no rate, and says so in words.
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires losetup
requires_root

head -c 8M /dev/urandom >a.img
loop=$(losetup -f --show a.img) || skip "no loop device"
cleanup_fn "losetup -d $loop"
truncate -s 4k a.img
expect_exit 1 "$IOSWEEP" run --set filename="$loop" --set ioengine=psync --set rw=randread --set bs=64k --set ramp_time=30 \
	--set runtime=30 --db r.db
contains out "  read: the window never opened"
lacks out nan
lacks out "lat (usec)"
contains out "never started"
equal "$(db r.db "select status, op, ios, errors, iops is null, lat_mean_us is null, depth_mean is null, started_utc is null from results")" \
	"failed|read|0|1|1|1|1|1"
contains r.csv "Input/output error (EIO)"
