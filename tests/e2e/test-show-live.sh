# A sweep can be read while it runs and after it: by show, by the distribution's sqlite3, by another user from a
# read-only directory.
. "$(dirname "$0")/functions.sh"
requires sqlite3
reader() { # as another user when there is one to be had
	if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	else
		"$@"
	fi
}
chmod 755 .

"$IOSWEEP" run --set ioengine=null --set filename=x --set size=1g --set rw=randread --set bs=4k --set iodepth=1,2,3,4 \
	--set runtime=1 --set ramp_time=0 --set repeats=50 --db t.db -q 2>/dev/null &
sweep=$!
cleanup_fn "kill $sweep 2>/dev/null; wait $sweep 2>/dev/null"
eventually attempts t.db ok 1

expect_exit 0 env LC_ALL=C "$IOSWEEP" show t.db
contains out "sweep: running, "
grep -qE "^sweep: running, [0-9]+/200 runs done \(" out || die "no done/total"
grep -qE "^ETA [0-9a-z .]+ \([0-9-]+ [0-9:]+ [^ ]+\)$" out || die "no ETA"
contains out " 0 failed, "
contains out "; 0 in doubt"
contains out "now:"
grep -qE '^ +([#o+.>] +){3}[#o+.>]$' out || die "no grid"
contains out "> now"
expect_exit 0 "$IOSWEEP" show t.db --json
contains out '"live":true'
equal "$(reader sqlite3 -readonly t.db "select count(*) > 0 from results")" 1 "another user, live"
expect_exit 2 "$IOSWEEP" resume t.db
contains err "a sweep is running on this database"

kill -TERM $sweep
set +e; wait $sweep; rc=$?; set -e
equal "$rc" 143 "exit code of the sweep"
equal "$(ls t.db*)" t.db "one plain file"

expect_exit 0 "$IOSWEEP" show t.db
contains out ": stopped, "
contains out "go on with: iosweep resume t.db"
first=$(db t.db "select min(run) from results where status = 'ok'")
expect_exit 0 "$IOSWEEP" show t.db "$first"
grep -Eq '^  read: IOPS=[0-9.]+[kM]?, BW=[0-9.]+[KMGT]iB/s \([0-9.]+[kMGT]B/s\)\([0-9.]+[KMGT]iB/[0-9]+msec\)$' out || {
	cat out >&2
	die "no read line"
}
contains out "     lat (usec): min="
contains out "  IO depth     : asked="
expect_exit 2 "$IOSWEEP" show t.db 99999

mkdir box
mv t.db box/
chmod 444 box/t.db
chmod 555 box
cleanup_fn "chmod 755 '$scratch/box'"
equal "$(reader sqlite3 -readonly box/t.db 'select count(*) > 0 from results')" 1 "another user, read-only directory"
cp "$IOSWEEP" ./program
chmod 755 program
reader ./program show box/t.db | grep -q ': stopped, ' || die "show from a read-only directory"
