# What stands where a sweep made its file must be that file: anything else is refused and left as it is, also when it got
# the inode number of the one that was made.
. "$(dirname "$0")/functions.sh"
requires sqlite3

begin() { # rw
	rm -rf d.db d.csv d.dat
	"$IOSWEEP" run --set filename=d.dat --set ioengine=psync --set direct=0 --set "rw=$1" --set bs=4k,8k --set size=1m \
		--set runtime=30 --set ramp_time=0 --db d.db >/dev/null 2>&1 &
	pid=$!
	eventually attempts d.db running 1
	kill -9 $pid
	wait $pid || true
}
refused() { # what
	expect_exit 4 "$IOSWEEP" resume d.db
	contains err d.dat
	lacks err "would be accepted"
}
for rw in randread randwrite; do
	begin $rw
	rm d.dat
	echo precious >d.dat
	refused
	equal "$(cat d.dat)" precious "$rw: a short file of the user"
	begin $rw
	rm d.dat
	head -c 1M /dev/urandom >d.dat
	before=$(sha256sum d.dat)
	refused
	equal "$(sha256sum d.dat)" "$before" "$rw: a file of the same size"
	begin $rw
	rm d.dat
	mkdir d.dat
	refused
	equal "$(ls d.dat)" ""
	begin $rw
	mv d.dat o.dat
	ln -s o.dat d.dat
	refused
	rm -f o.dat d.dat
done
# gone altogether: it is made again
begin randread
rm d.dat
"$IOSWEEP" resume d.db >/dev/null 2>&1 &
pid=$!
eventually test -s d.dat
kill -INT $pid
wait $pid || true
expect_exit 0 "$IOSWEEP" clean d.db
