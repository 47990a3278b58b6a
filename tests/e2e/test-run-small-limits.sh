# A shell with few open files or a small stack is enough for a small sweep.
. "$(dirname "$0")/functions.sh"
requires sqlite3

set -- --set filename=t.dat --set size=1m --set rw=randread,read --set ioengine=psync --set direct=0 --set numjobs=2,8 \
	--set ramp_time=0 --set runtime=20ms
(
	ulimit -n 32
	expect_exit 0 "$IOSWEEP" run "$@" --db r.db
)
equal "$(db r.db "select count(*) from results where status = 'ok'")" 4
(
	ulimit -n 26
	expect_exit 1 "$IOSWEEP" run "$@" --db f.db
)
equal "$(db f.db "select distinct status || numjobs from results order by 1")" "ok2
skipped8"
contains out "numjobs 8 with psync needs 28 open files, but the limit is 26 (ulimit -n)"
case $IOSWEEP in *san-* | *-O0*) exit 0 ;; esac # sanitizers, and code that is not optimised, need far more stack
(
	ulimit -s 64
	expect_exit 0 "$IOSWEEP" run "$@" --db s.db
	expect_exit 0 "$IOSWEEP" plan "$@"
	expect_exit 0 "$IOSWEEP" show s.db
	expect_exit 0 "$IOSWEEP" resume s.db
	expect_exit 0 "$IOSWEEP" export s.db
)
equal "$(db s.db "select count(*) from results where status = 'ok'")" 4
