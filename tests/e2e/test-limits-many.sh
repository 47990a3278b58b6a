# Very many jobs and very deep queues: each row runs with all of them, or says which limit it met; no thread is left.
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires pgrep
case $IOSWEEP in *san-*) skip 'a sanitizer needs far more memory' ;; esac

many=1000
[ -z "${IOSWEEP_FULL:-}" ] || many=10000
head -c 4M /dev/urandom >t.bin
set -- --set filename=t.bin --set rw=randread --set direct=0 --set ramp_time=0 --set runtime=300ms --set order=listed
rc=0
"$IOSWEEP" run "$@" --set ioengine=psync --set numjobs=1,$many,2 --db j.db >out 2>err || rc=$?
equal "$(db j.db "select group_concat(results.status || (run.jobs = results.numjobs), ' ') from results join run on run.id = results.run
	where results.numjobs < 10")" "ok1 ok1"
equal "$(db j.db "select status from results where numjobs = $many" | sed 's/skipped\|failed/limit/')" "$([ $rc -eq 0 ] && echo ok || echo limit)"
[ $rc -eq 1 ] || equal "$(db j.db "select run.jobs from run join results r on r.run = run.id where r.numjobs = $many")" $many
# deeper than a ring, than a context, than the core
expect_exit 1 "$IOSWEEP" run "$@" --set ioengine=io_uring,libaio --set direct=1 --set iodepth=2,32768,100000,3 --db d.db
equal "$(db d.db "select count(*) from results where iodepth < 10 and status = 'ok'")" 4
equal "$(db d.db "select count(*) from results where iodepth = 100000 and status = 'skipped' and error like 'iodepth 100000 is above the kernel''s limit of 32768 for io_uring'
	or error like 'libaio needs 100000 events%' or error like 'iodepth 100000 is above 65535, %'")" 2
# far more memory than there is: nothing is allocated for it
expect_exit 5 "$IOSWEEP" run "$@" --set ioengine=io_uring --set bs=1m --set numjobs=60000 --set iodepth=30000 --db m.db
contains err "numjobs 60000 x iodepth 30000 x bs 1m need "
