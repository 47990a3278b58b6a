# resume goes on only on what the sweep began on, and only with the permissions given again.
. "$(dirname "$0")/functions.sh"
requires sqlite3

# stop_after ROWS: end the sweep that runs as $pid once it has so many rows
stop_after() {
	for _ in $(seq 200); do
		[ ! -e r.db ] || [ "$(db r.db "select count(*) from results")" -lt "$1" ] || break
		sleep 0.05
	done
	kill -TERM $pid
	wait $pid && die "a stopped sweep returned 0" || equal $? 143
}
head -c 1M /dev/urandom >foreign.dat
"$IOSWEEP" run --set filename=foreign.dat --set ioengine=psync --set direct=0 --set rw=randwrite --set bs=4k,8k,16k --set runtime=1 \
	--set ramp_time=0 --set 'may_overwrite=["foreign.dat"]' --db r.db >out 2>err &
pid=$!
stop_after 1
# a database that does not tell which file it was consents to nothing, whatever its config names
before=$(sha256sum foreign.dat)
cp r.db sent.db
cp r.csv sent.csv
sqlite3 sent.db "delete from target; delete from created"
expect_exit 4 "$IOSWEEP" resume sent.db
contains err "foreign.dat: the database does not tell which one this sweep began on"
sqlite3 r.db "update target set born_ns = born_ns + 1"
expect_exit 4 "$IOSWEEP" resume r.db
contains err "foreign.dat: is another file than when this sweep began"
equal "$(sha256sum foreign.dat)" "$before"
sqlite3 r.db "update target set born_ns = born_ns - 1"
cp foreign.dat copy
mv copy foreign.dat
before=$(sha256sum foreign.dat)
expect_exit 4 "$IOSWEEP" resume r.db
contains err "foreign.dat: is another file than when this sweep began"
contains err "needs a new one"
lacks err "would be accepted"
truncate -s 2M foreign.dat
expect_exit 4 "$IOSWEEP" resume r.db
contains err "its size is 2097152 bytes; it was 1048576"
truncate -s 1M foreign.dat
equal "$(sha256sum foreign.dat)" "$before"
equal "$(db r.db "select count(*) from results where status = 'interrupted'")" 1

# the permission for a device is given again
[ "$(id -u)" -eq 0 ] && command -v losetup >/dev/null || exit 0
truncate -s 8M a.img
loop=$(losetup -f --show a.img) || exit 0
cleanup_fn "losetup -d $loop"
rm r.db r.csv
"$IOSWEEP" run --set filename="$loop" --set ioengine=psync --set rw=randwrite --set bs=4k,8k,16k --set runtime=0.7 \
	--set ramp_time=0 --destroy "$loop" --db r.db >out 2>err &
pid=$!
stop_after 1
contains err "to go on: iosweep resume r.db --destroy $loop"
expect_exit 4 "$IOSWEEP" resume r.db
contains err "this would be accepted:"
contains err "  iosweep resume r.db --destroy $loop"
lacks err "--set"
expect_exit 0 "$IOSWEEP" resume r.db --destroy "$loop"
equal "$(db r.db "select count(*) from results where status = 'ok'")" 3
