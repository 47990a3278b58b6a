# A sweep on simulated devices through the whole tool: `simulated` wherever its rows appear, the same numbers again, nothing
# opened, an hour of the devices' time in seconds.
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires gnuplot
ln -s "$root/configs" configs
before=$(cat configs/sim/*.json | cksum)

expect_exit 0 "$IOSWEEP" plan configs/rehearse.json
contains out 'simulated: quiet NVMe, 1 TiB; nothing is opened or written'
contains out '6 min 00 s of it simulated, which takes seconds'
lacks out 'writing  '
expect_exit 0 "$IOSWEEP" run configs/rehearse.json --db r.db
contains out 'cloud-burst.json, randread, size 100g (simulated)'
equal "$(db r.db 'select count(*) from results')" 144
equal "$(db r.db "select count(*) from results where status = 'ok' and device = 'simulated'")" 144
equal "$(db r.db 'select count(*) from results where cpu_us_per_io is not null or cpu_sys_pct is not null or device_read_ios is not null')" 0
equal "$(db r.db "select count(*) from results where doubts like '%cpu%' or notes like '%unverified%'")" 0
equal "$(head -n 1 r.csv | tr , '\n' | grep -c '^device$')" 1
equal "$(tail -n +2 r.csv | grep -c ',simulated,')" 144
"$IOSWEEP" show r.db >shown
contains shown 'configs/sim/nvme.json: simulated'
"$IOSWEEP" show r.db 1 >shown
contains shown ' on simulated'
contains shown 'engine=sim device=simulated'
lacks shown 'cpu   '
"$IOSWEEP" export r.db --format json | grep -q '"device":"simulated"' || die 'the JSON does not say simulated'
gnuplot -d -c "$root/scripts/summary-vs-bs.gp" r.csv summary.svg
contains summary.svg simulated
# the caps of the devices, and a window that passes in their time
equal "$(db r.db "select max(iops) between 390000 and 412000 from results where filename like '%nvme%'")" 1
equal "$(db r.db "select max(iops) between 2900 and 3100 from results where filename like '%cloud%'")" 1
equal "$(db r.db 'select count(*) from results where window_s <> 2')" 0
# 2.5 s apart, as the devices' clock has it
equal "$(db r.db "select min(b.t - a.t) > 2.49 and max(b.t - a.t) < 9 from
	(select run, julianday(started_utc) * 86400 as t from results) a join (select run, julianday(started_utc) * 86400 as t from results) b
	on b.run = a.run + 1")" 1

# again: the same to the last digit; another seed: not
numbers='select combination, op, ios, lat_p99_us, lat_max_us, iops_stddev from results order by run'
"$IOSWEEP" run configs/rehearse.json --set 'rw=randread,write' --db a.db -q
"$IOSWEEP" run configs/rehearse.json --set 'rw=randread,write' --db b.db -q
"$IOSWEEP" run configs/rehearse.json --set 'rw=randread,write' --set seed=2 --db c.db -q
db a.db "$numbers" >a && db b.db "$numbers" >b && db c.db "$numbers" >c
cmp a b || die 'the same config gives other numbers'
! cmp -s a c || die 'another seed gives the same numbers'
equal "$(cat configs/sim/*.json | cksum)" "$before" 'a description was written to'
