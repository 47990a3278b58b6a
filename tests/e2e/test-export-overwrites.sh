# What is written by name takes the place of no database of iosweep, nor of a file that belongs to one; a name that is taken
# is said before anything else is refused; an option that gives something up is written out.
. "$(dirname "$0")/functions.sh"
requires sqlite3

sweep() { "$IOSWEEP" run --set ioengine=null --set filename=x --set size=1m --set rw=read --set bs=4k,8k --set ramp_time=0 --set runtime=1ms "$@"; }
expect_exit 0 sweep --db a.db
expect_exit 0 sweep --db b.db
ln -s b.db link.svg
cp b.db c.svg
echo x >b.db-wal
echo '{"iosweep_spool":1,"sweep":"x","session":0}' >kept.spool
sums=$(sha256sum a.db b.db b.db-wal kept.spool c.svg)
for to in a.db ./b.db link.svg b.db-wal kept.spool; do
	expect_exit 2 "$IOSWEEP" export a.db -o $to
	contains err "export: -o: $to: "
done
for to in c.svg link.svg; do
	expect_exit 2 "$IOSWEEP" plot a.db --x bs --y iops -o $to
	contains err "plot: -o: $to: is a database of iosweep, which is not overwritten"
done
equal "$(sha256sum a.db b.db b.db-wal kept.spool c.svg)" "$sums"
[ -h link.svg ] || die "the link was replaced"
expect_exit 0 "$IOSWEEP" export a.db -o new.csv
expect_exit 0 "$IOSWEEP" export a.db -o new.csv

# what a kill in the last writing of the CSV left goes with the next one; what is of others stays
head -n 1 a.csv >a.csv.new-4711
: >a.csv.new-12
echo mine >a.csv.new-13
cp a.csv a.csv.new-x
expect_exit 0 "$IOSWEEP" resume a.db
equal "$(ls -d a.csv* | tr '\n' ' ')" "a.csv a.csv.new-13 a.csv.new-x "

# one that is there already, and a file of others that would be refused
echo mine >t.dat
set -- --set filename=t.dat --set size=4k --set rw=write --set ioengine=psync
expect_exit 2 "$IOSWEEP" run "$@" --db a.db
contains err "a.db exists; one database holds one sweep. To go on with it: iosweep resume a.db"
lacks err may_overwrite
expect_exit 4 "$IOSWEEP" run "$@" --db new.db

expect_exit 2 "$IOSWEEP" run "$@" --db new.db --des /dev/null
contains err "run: --destroy must be written out"
expect_exit 2 "$IOSWEEP" run "$@" --db new.db --destro=/dev/null
contains err "run: --destroy must be written out"
expect_exit 2 "$IOSWEEP" run "$@" --quie --db new.db
contains err "run: --quiet must be written out"
# nor is one made that a database would read as its own
expect_exit 2 "$IOSWEEP" export a.db -o a.db-wal
contains err 'belongs to a database'
[ ! -e a.db-wal ] || die 'made'
