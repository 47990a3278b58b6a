# One database holds one sweep; one target serves one sweep at a time; the second start is refused, the first untouched.
. "$(dirname "$0")/functions.sh"
requires sqlite3

run() { # db file
	"$IOSWEEP" run --set filename="$2" --set size=1m --set ioengine=psync --set direct=0 --set rw=randread \
		--set ramp_time=0 --set runtime=2 --set bs=4k,8k --db "$1"
}
run a.db t.bin >first.out 2>first.err &
pid=$!
eventually attempts a.db running 1
expect_exit 2 run a.db other.bin
contains err "iosweep resume a.db"
expect_exit 2 "$IOSWEEP" resume a.db
contains err "a.db"
expect_exit 4 run b.db t.bin
contains err "t.bin"
[ ! -e b.db ] && [ ! -e other.bin ] || die "the refused start left files"
# readers may read all the time
equal "$(db a.db 'select count(*) from results' | grep -c '^[0-9]')" 1
expect_exit 0 "$IOSWEEP" show a.db
wait $pid
equal "$(db a.db "select count(*) from results where status = 'ok'")" 2
# after the end as well
expect_exit 2 run a.db t.bin
equal "$(db a.db "select count(*) from results where status = 'ok'")" 2
