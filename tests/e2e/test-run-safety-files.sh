# A file that we did not make is never written, extended, truncated or removed unless the config names it.
. "$(dirname "$0")/functions.sh"
requires sqlite3

head -c 700 /dev/urandom >precious.txt
before=$(sha256sum precious.txt)
sweep() {
	"$IOSWEEP" run --set filename=precious.txt --set ioengine=psync --set direct=0 --set ramp_time=0 \
		--set runtime=50ms --set bs=512 --db r.db "$@"
}
expect_exit 4 sweep --set size=64k --set rw=read,write
contains err precious.txt
contains err may_overwrite
expect_exit 4 sweep --set size=64k --set rw=read # never extended
expect_exit 4 sweep --set rw=randwrite
[ ! -e r.db ] || die "a refused sweep made a database"
equal "$(sha256sum precious.txt)" "$before"
expect_exit 0 sweep --set rw=read
equal "$(sha256sum precious.txt)" "$before"
rm r.db r.csv
expect_exit 0 sweep --set rw=write --set 'may_overwrite=["precious.txt"]'
equal "$(stat -c %s precious.txt)" 700
[ "$(sha256sum precious.txt)" != "$before" ] || die "nothing was written although it was allowed"

# links, fifos and character devices
ln -s precious.txt link
mkfifo fifo
rm r.db r.csv
expect_exit 4 "$IOSWEEP" run --set filename=link --set rw=write --set bs=512 --set ioengine=psync --set direct=0 \
	--set runtime=50ms --db r.db
expect_exit 5 "$IOSWEEP" run --set filename=fifo --set rw=read --set runtime=50ms --db r.db
expect_exit 5 "$IOSWEEP" run --set filename=/dev/full --set rw=write --set size=1m --set runtime=50ms --db r.db
contains err "character device"
expect_exit 5 "$IOSWEEP" run --set filename=/dev/no-such-disk --set rw=read --set runtime=50ms --db r.db
contains err "no such device"
expect_exit 5 "$IOSWEEP" run --set filename=no/such/dir/t.bin --set rw=write --set size=1m --set runtime=50ms --db r.db
contains err "no/such/dir"
[ ! -e no ] || die "a directory was made"
