# Files of sweeps that stay: nothing is taken for them that is not, and no database of another sweep removes them.
. "$(dirname "$0")/functions.sh"
requires sqlite3

sweep() { # arguments
	"$IOSWEEP" run --set ioengine=psync --set direct=0 --set size=1m --set runtime=10ms --set ramp_time=0 "$@"
}
expect_exit 0 sweep --set filename=k.dat --set rw=randwrite --set keep=true --db k.db
test -s k.dat || die "it was not kept"

# clean: the sweep is done, and its file is no leftover
expect_exit 0 "$IOSWEEP" clean k.db
contains out "nothing to remove"
test -s k.dat || die "clean removed what was to be kept"

# a row in another database, under one name or another
expect_exit 0 sweep --set filename=other.dat --set rw=randread --db other.db
for path in "$PWD/k.dat" "$PWD/./k.dat" "/$PWD/k.dat" k.dat; do
	sqlite3 other.db "delete from created; insert into created values('$path', $(stat -c '%d, %i, 0, 0, %s' k.dat))"
	expect_exit 1 "$IOSWEEP" clean other.db
	contains out "kept $path: "
	test -s k.dat || die "clean of another sweep removed it as $path"
done

# written over in place, it is somebody's file that happens to bear the marker
for size in 700 2M; do
	head -c $size /dev/urandom >valuables
	[ -e k.dat ] || expect_exit 0 sweep --set filename=k.dat --set rw=randwrite --set keep=true --db "k$size.db"
	cp valuables k.dat
	expect_exit 4 sweep --set filename=k.dat --set rw=randwrite --db new.db
	contains err may_overwrite
	cmp -s valuables k.dat || die "what was copied into the file was written over"
	rm k.dat
done

# used again by a later sweep, grown by it, kept by the first
expect_exit 0 sweep --set filename=g.dat --set rw=randwrite --set keep=true --db g.db
expect_exit 0 sweep --set filename=g.dat --set rw=randwrite --set size=2m --db grown.db
equal "$(stat -c %s g.dat)" 2097152
expect_exit 0 sweep --set filename=g.dat --set rw=randwrite --db again.db

# no file is made where programs share memory
name=/dev/shm/iosweep-test-$$.dat
cleanup_fn "rm -rf $name"
expect_exit 5 sweep --set filename=$name --set rw=randread --db shm.db
[ ! -e $name ] || die "a file was made in /dev/shm"
mkdir $name
expect_exit 5 sweep --set filename=$name --set rw=randread --db shm.db
equal "$(ls $name)" ""
