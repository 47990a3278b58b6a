# resume --redo measures the rows again for which an SQL expression is true; older attempts stay in all_runs.
. "$(dirname "$0")/functions.sh"
requires sqlite3

expect_exit 0 "$IOSWEEP" run --set ioengine=null --set filename=x --set size=1m --set rw=randrw --set bs=4k,8k,16k --set ramp_time=0 \
	--set runtime=50ms --db r.db
before=$(db r.db "select iops from results where bs = 8192 and op = 'read'")
expect_exit 0 "$IOSWEEP" resume r.db --redo "bs = 8192 and op = 'read'"
contains err "to be measured again: 1 runs"
equal "$(db r.db "select group_concat(attempt) from (select distinct bs, attempt from all_runs order by bs, attempt)")" 1,1,2,1
equal "$(db r.db "select count(*) from results")" 6
equal "$(db r.db "select iops from all_runs where bs = 8192 and op = 'read' and attempt = 1")" "$before" "the older attempt"
equal "$(db r.db "select run from results where bs = 8192 and op = 'write'")" 4 "results has the last attempt"
equal "$(tail -n +2 r.csv | wc -l)" 6

expect_exit 0 "$IOSWEEP" resume r.db --redo "iops < (select min(iops) from results)"
contains err "to be measured again: 0 runs"
contains err "nothing left to do"
equal "$(db r.db "select count(distinct run) from all_runs")" 4

for bad in "no_such_column = 1" "bs = 4096, 1" "bs = 4096) --" "bs = 4096; delete from run" "(" "" "1), (2" "load_extension('x')" \
	"bs = 4096) or (1=1" "(with recursive a(x) as (select 1 union all select x + 1 from a) select max(x) from a)"; do
	sum=$(db r.db "select count(*), max(run) from all_runs")
	expect_exit 2 "$IOSWEEP" resume r.db --redo "$bad"
	contains err "--redo: '"
	equal "$(db r.db "select count(*), max(run) from all_runs")" "$sum"
done

# stopped in between: the command that is printed has the expression
expect_exit 7 "$IOSWEEP" resume r.db --redo "doubts is not null" --for 1ms
contains err "to go on: iosweep resume $PWD/r.db --redo 'doubts is not null'"
