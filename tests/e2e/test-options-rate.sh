#!/bin/sh
# Rates, pauses and delays from the config to the stored row: the schedule is kept with the depth it needs, what it could
# not keep is told, and so is what makes no difference.
. "$(dirname "$0")/functions.sh"
requires sqlite3

run() { "$IOSWEEP" run -q --set ramp_time=200ms --set rw=randread --set size=4m --set filename=t.dat --set direct=0 "$@"; }
one() { db "$1" "select $2 from results where op = '${3:-read}'"; }

# Within 0.5 %, whatever else this machine does: tries until nobody took the CPU away at the very end.
tries=0
while :; do
	run --set runtime=2 --set iodepth=32 --set rate_iops=1000 --db "a$tries.db" >/dev/null
	a=a$tries.db
	[ "$(one "$a" 'abs(iops - 1000) <= 5')" = 1 ] && break
	tries=$((tries + 1))
	[ $tries -lt 5 ] || die "rate_iops=1000 gave $(one "$a" iops)"
done
equal "$(one "$a" "depth_mean < 32 and service_mean_us <= lat_mean_us and service_p99_us > 0 and lag_max_ms >= 0 and backlog_max >= 0")" 1
equal "$(one "$a" "notes like '%rate-limited%' and notes not like '%depth-not-reached%' and doubts not like '%short-window%'")" 1
equal "$(one "$a" options)" rate_iops=1000
"$IOSWEEP" show "$a" 1 >out
contains out "rate_iops=1000 was asked for and held"
contains out "service (usec): avg="
contains out "schedule     : latest start "

# exactly, on a simulated device: in bytes, and for each direction
cat >d.json <<'E'
{"size": "1g", "servers": 4, "read": {"base": "100us"}, "write": {"base": "100us"}}
E
sim() { "$IOSWEEP" run -q --set ioengine=sim --set filename=d.json --set runtime=5 --set ramp_time=0 --set iodepth=8 "$@" >/dev/null; }
sim --set rw=randrw --set bs=64k --set 'rate={"read":"4m","write":"1m"}' --db b.db
equal "$(db b.db "select group_concat(op || ' ' || bw_mib_s, ' ') from results")" "read 4.0 write 1.0"
equal "$(head -n 1 b.csv | tr , '\n' | grep -c '^rate$')" 0 # not swept
equal "$(one b.db options)" "rate=4194304,1048576"
# more than it can do
sim --set rw=randread --set rate_iops=50000 --db c.db
equal "$(one c.db "doubts like '%behind-schedule%' and lat_max_us > 900000 and service_max_us < 300")" 1
equal "$(one c.db "round(iops / 100)")" 400.0
"$IOSWEEP" show c.db 1 >out
contains out "behind-schedule: 199996 I/Os were complete in the window, and 49996 waited for their turn at its end"
lacks out "asked for and held"
# a load curve; random starts; both rates at once make no row
sim --set rw=randread --set rate_iops=0,1000,2000 --set rate_process=linear,poisson --db e.db
equal "$(db e.db "select group_concat(rate_iops || rate_process, ' ') from (select * from results order by rate_iops, rate_process)")" \
	"0linear 1000linear 1000poisson 2000linear 2000poisson"
equal "$(db e.db "select count(*) from results where rate_iops > 500 and typeof(rate_iops) = 'integer'")" 4
sim --set rw=randread --set rate_iops=1000 --set rate=0,4m --set where="rate = 0" --db f.db
expect_exit 5 sim --set rw=randread --set rate_iops=1000 --set rate=4m --db g.db
contains err "rate 4m and rate_iops 1000 are two schedules; give one"

# pauses: 4 I/Os of 100 us on 4 servers, then 937 us
sim --set rw=randread --set thinktime=937 --set thinktime_blocks=4 --db h.db
equal "$(one h.db "ios || ' ' || options")" "19288 thinktime=0.000937 thinktime_blocks=4"
equal "$(one h.db "notes || doubts")" ""

# such runs do not end early, and are not expected to
"$IOSWEEP" plan --set ioengine=sim --set filename=d.json --set rw=randread --set runtime=60 --set precision=2% --set rate_iops=100 >plan.out
contains plan.out "about 1 min 02 s when every run ends as soon as it can"
sim --set rw=randread --set rate_iops=100 --set precision=2% --set runtime=60 --db j.db
equal "$(one j.db "window_s || ' ' || stop_reason")" "60.0 runtime"

# a delay before each run is in the estimate, and passes
"$IOSWEEP" plan --json --set ioengine=null --set size=1m --set filename=x --set rw=read --set runtime=1 --set ramp_time=0 \
	--set startdelay=0,2 >plan.json
grep -q '"estimate_s": 4[.,}]\|"estimate_s":4[.,}]' plan.json || die "$(cat plan.json)"
from=$(date +%s)
run --set runtime=100ms --set ramp_time=0 --set startdelay=2 --db i.db >/dev/null
[ $(($(date +%s) - from)) -ge 2 ] || die "no delay"
equal "$(one i.db options)" startdelay=2
