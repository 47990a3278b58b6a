# Where the file system holds no markers a sweep knows its files by more than their inode number, which is given to the next file at
# once; where that cannot be known, nothing is overwritten or removed.
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires_root
mkdir ram
mount -t ramfs none ram 2>/dev/null || skip "no ramfs can be mounted here"
cleanup_fn 'umount -l "$scratch/ram"'

# what is made and held from then on is removed
expect_exit 0 "$IOSWEEP" run --set ioengine=psync --set direct=0 --set rw=randwrite --set size=1m --set ramp_time=0 --set filename=ram/n.dat \
	--set runtime=10ms --db done.db
equal "$(ls ram)" ""

begin() { # FILENAME FILE SIZE
	rm -rf n.db n.csv ram/*
	[ "$1" = "$2" ] || mkdir "$1"
	"$IOSWEEP" run --set ioengine=psync --set direct=0 --set rw=randwrite --set size=1m --set ramp_time=0 --set filename="$1" \
		--set runtime=30 --db n.db >out 2>err &
	pid=$!
	eventually attempts n.db running 1
	kill -9 $pid
	wait $pid || true
	rm "$2"
	head -c "$3" /dev/urandom >"$2"
	theirs=$(sha256sum "$2")
	# as if it had got the inode number of the one that was made
	sqlite3 n.db "update created set dev = $(stat -c %d "$2"), ino = $(stat -c %i "$2")"
	sqlite3 n.db "update target set dev = $(stat -c %d "$2"), ino = $(stat -c %i "$2") where kind = 1"
}
for size in 1M 700; do
	begin ram/n.dat ram/n.dat $size
	expect_exit 4 "$IOSWEEP" resume n.db
	equal "$(sha256sum ram/n.dat)" "$theirs" "resume: $size"
	expect_exit 1 "$IOSWEEP" clean n.db
	contains out "kept $scratch/ram/n.dat"
	contains out "cannot be told from a file of yours"
	equal "$(sha256sum ram/n.dat)" "$theirs" "clean: $size"
	begin ram/d ram/d/iosweep.0.dat $size
	expect_exit 4 "$IOSWEEP" resume n.db
	expect_exit 1 "$IOSWEEP" clean n.db
	equal "$(sha256sum ram/d/iosweep.0.dat)" "$theirs" "a directory: $size"
done
