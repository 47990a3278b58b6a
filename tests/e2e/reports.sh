# tests/e2e/reports.sh: sourced by the tests of reports: sweeps whose names and texts want to be markup.
# A page is long: what it lacks is said, not what it holds.
contains() { grep -qF -- "$2" "$1" || die "$1 does not contain: $2"; }
lacks() { ! grep -qF -- "$2" "$1" || die "$1 contains: $(grep -F -- "$2" "$1" | head -n 1 | cut -c 1-300)"; }
# a name cannot hold a slash: that of </script> makes a directory
hostile='<img src=x onerror=alert(1)>&"quoted" </script><script>alert(2)</script>`touch y`$(touch x).json'
device='<svg onload=alert(3)> & "model"'
# make_reports: a.db, 36 runs of a simulated device, 12 in doubt; b.db, the same of a slower one
make_reports() {
	mkdir -p "$(dirname "$hostile")"
	cat >"$hostile" <<-'J'
	{"name": "d", "size": "1g", "servers": 8, "bandwidth": "800m", "read": {"base": "100us"}, "write": {"base": "200us"}}
	J
	sed 's/100us/130us/' "$hostile" >slow.json
	for pair in "a=$hostile" b=slow.json; do
		"$IOSWEEP" run -q --db "${pair%%=*}.db" --set name="${pair%%=*}" --set description='<b>bold</b> & more' --set ioengine=sim \
			--set "filename=${pair#*=}" --set rw=randread,randrw --set bs=4k,16k,64k --set iodepth=1,4,16 --set runtime=2 \
			--set ramp_time=100ms --set repeats=2
	done
	sqlite3 a.db "update run set flags = 1, why = 'unwritten: <i>most</i> of it' where id in (select run from results where bs = 16384)" \
		"update combination set device = '$device'; update target set device = '$device'"
}
# grow DB N: its runs doubled N times, each with numbers of its own
grow() {
	for _ in $(seq "$2"); do
		sqlite3 "$1" "begin;
			create temp table n as select max(id) as runs, max(repeat) as repeats from run;
			create temp table r as select * from run;
			update r set id = id + (select runs from n), repeat = repeat + (select repeats from n);
			insert into run select * from r;
			$(for table in result histogram interval; do
				echo "create temp table $table$table as select * from $table;
					update $table$table set run_id = run_id + (select runs from n);
					insert into $table select * from $table$table;"
			done)
			commit;"
	done
	for table in run result; do
		sqlite3 "$1" "select 'update $table set ' || group_concat(name || ' = ' || name || case type when 'REAL'
				then ' * (1 + abs(random() % 1000) / 1e5)' else ' + abs(random() % 1000)' end) || ';'
			from pragma_table_info('$table') where type in ('REAL', 'INTEGER') and name not in ('id', 'run_id', 'op', 'combination_id',
				'environment_id', 'repeat', 'attempt', 'skipped_by_machine', 'error_no', 'flags', 'started_wall_ns', 'first_error_no',
				'first_error_op', 'first_error_len')" | sqlite3 "$1"
	done
}
