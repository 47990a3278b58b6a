#!/bin/sh
# cpus_allowed: a text axis: equal sets fall together, CPUs that there are not make a skipped row, and the sets stand in
# plan, rows, options and keys as they were understood.
. "$(dirname "$0")/functions.sh"
requires sqlite3

cpu=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
set -- --set ioengine=null --set rw=read --set size=1m --set filename=none --set runtime=50ms --set ramp_time=0
"$IOSWEEP" run -q "$@" --set "cpus_allowed=[\"$cpu\", \"$cpu,$cpu\", \"1000-1001\"]" --set numjobs=1,3 --set cpus_allowed_policy=shared,split \
	--db a.db >/dev/null || rc=$?
equal "${rc:-0}" 1 "rows skipped because of the machine"
equal "$(db a.db "select group_concat(distinct cpus_allowed) from results where status = 'ok'")" "$cpu"
equal "$(db a.db "select count(*) from results where status = 'ok'")" 4
equal "$(db a.db "select count(*) from run where effective like '% cpus=$cpu%'")" 4
equal "$(db a.db "select count(*) from run where effective like '% cpus=$cpu jobs_exceed_cpus=1%'")" 2
equal "$(db a.db "select count(*) from results where status = 'skipped' and error like 'cpus_allowed 1000-1001: CPU 1000-1001 cannot be used here, only %'")" 4
equal "$(db a.db "select count(*) from combination where key_text like 'cpus_allowed=$cpu cpus_allowed_policy=split %'")" 2

# one value: no column of its own; none given: nothing of it
"$IOSWEEP" run -q "$@" --set cpus_allowed="$cpu" --db b.db >/dev/null
equal "$(db b.db "select options from results")" "cpus_allowed=$cpu"
"$IOSWEEP" run -q "$@" --db c.db >/dev/null
equal "$(db c.db "select options || coalesce(cpus_allowed, 'null') from combination")" null
lacks c.csv cpus_allowed

"$IOSWEEP" plan "$@" --set "cpus_allowed=[\"$cpu\"]" --set numjobs=999 >out
contains out "999 jobs share "
"$IOSWEEP" plan "$@" --set "cpus_allowed=[\"$cpu\", \"0-1\"]" --set where="cpus_allowed = '0-1'" --list >out
contains out "cpus_allowed=0-1"
lacks out "cpus_allowed=$cpu "
expect_exit 3 "$IOSWEEP" plan "$@" --set cpus_allowed=0-x
contains err "cpus_allowed: '0-x': not a list of CPUs"
