#!/bin/sh
# What an earlier call left counts at the end of a later one; an absent target is no part of the ETA; paths are the user's.
. "$(dirname "$0")/functions.sh"
requires sqlite3

printf '{"filename":["x.bin","/dev/iosweep-none"],"size":"1m","ioengine":"psync","direct":0,"rw":"read","order":"listed",
"runtime":[0.1,2],"ramp_time":0}' >c.json
"$IOSWEEP" run c.json --db r.db >out 2>err &
pid=$!
for _ in $(seq 100); do
	[ ! -e r.db ] || [ "$(db r.db "select count(*) from results where status = 'ok'")" != 1 ] || break
	sleep 0.1
done
"$IOSWEEP" show r.db --json >live
kill -USR1 $pid
sleep 0.2
kill -TERM $pid
wait $pid && die "a stopped sweep returned 0" || equal $? 143
grep -qE '"eta_s":[012](\.|,)' live || { cat live; die "the ETA counts what cannot run"; }
grep -qE '^1/4 done, ETA [012]\.[0-9] s \(.*\), 0 failed, [0-9]+ in doubt, 1 MiB written$' err || { cat err; die "SIGUSR1"; }
contains err "1/4 x.bin read_4k_1_1 psync interrupted"
lacks err "interrupted: interrupted"

# the rows of the absent device make it 1, now and whenever it is asked again
mkdir elsewhere
cd elsewhere
expect_exit 1 "$IOSWEEP" resume ../r.db --csv mine.csv
[ -s mine.csv ] || die "the CSV is not where the user stands"
cd ..
equal "$(db r.db "select group_concat(status, ' ') from (select status from results order by status)")" "ok ok skipped skipped"
expect_exit 1 "$IOSWEEP" resume r.db
contains err "nothing left to do"

# skipped by the config is no failure, unless asked to be
expect_exit 0 "$IOSWEEP" run c.json --set filename=y.bin --set runtime=0.1 --set bs=4k,2m --db s.db
expect_exit 0 "$IOSWEEP" resume s.db
expect_exit 1 "$IOSWEEP" resume s.db --strict
