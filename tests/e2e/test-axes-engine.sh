#!/bin/sh
# The options of the engines from the config to the stored row: what is asked for is granted and recorded, or the row
# is skipped or fails; nothing is dropped in silence.
. "$(dirname "$0")/functions.sh"
requires sqlite3

run() { "$IOSWEEP" run -q --set runtime=50ms --set ramp_time=0 --set rw=randread --set size=1m --set filename=t.dat "$@"; }
"$IOSWEEP" probe --json >probe.json
usable() { grep -A1 "\"name\": \"$1\"" probe.json | grep -q '"usable": true'; }

# both profiles of every engine; engines of one I/O at a time know no profile
run --set ioengine=psync,pvsync2,null --set direct=0 --set iodepth=4 --set profile=max,fio --db a.db >/dev/null
equal "$(db a.db "select group_concat(x, ' ') from (select ioengine || ':' || profile || ':' || iodepth as x from results where status = 'ok' order by x)")" \
	"null:fio:4 null:max:4 psync:max:1 pvsync2:max:1"
equal "$(db a.db "select count(*) from run where effective like 'engine=pvsync2 hipri=0 depth=1 clock=%'")" 1
equal "$(db a.db "select options from results where profile = 'fio'")" profile=fio

# mmap: not with direct=1; else like any other, syncs included
run --set ioengine=mmap --set rw=randrw --set direct=0,1 --set fsync=8 --db b.db >/dev/null
equal "$(db b.db "select status || ':' || error from results where direct = 1")" \
	"skipped:ioengine mmap goes through the page cache; it needs direct=0"
equal "$(db b.db "select group_concat(op, ' ') from results where direct = 0 and status = 'ok' and ios > 0")" "read write sync"

# no polled queue under a file here: a row of the machine; no such option: a row of the config
expect_exit 5 run --set ioengine=pvsync2 --set hipri=1 --set direct=1 --db c.db
contains err "hipri=1: "
expect_exit 5 run --set ioengine=psync --set fixedbufs=1 --db d.db
contains err "fixedbufs=1 means nothing to ioengine psync; it needs io_uring"

usable io_uring || skip "io_uring is not usable here"
run --set ioengine=io_uring --set direct=0 --set iodepth=4 --set profile=max,fio --set fixedbufs=0,1 --db e.db >/dev/null
equal "$(db e.db "select count(*) from results where status = 'ok'")" 4
equal "$(db e.db "select count(*) from results join run on run.id = results.run where effective like '% fixedbufs=' || fixedbufs || ' %'")" 4
# not asked for: by the profile
run --set ioengine=io_uring --set direct=0 --set iodepth=4 --set profile=max,fio --db f.db >/dev/null
equal "$(db f.db "select effective like '% fixedbufs=1 registerfiles=1 %' from run join combination c on c.id = combination_id where profile = 'max'")" 1
equal "$(db f.db "select effective like '% fixedbufs=0 registerfiles=0 %' from run join combination c on c.id = combination_id where profile = 'fio'")" 1
equal "$(db f.db "select group_concat(coalesce(fixedbufs, '')) from (select * from combination order by profile)")" "0,"
# a thread of the kernel takes the submissions
run --set ioengine=io_uring --set direct=0 --set iodepth=4 --set sqthread_poll=1 --db g.db >/dev/null
equal "$(db g.db "select effective like 'engine=io_uring flags=sqpoll,%' from run where status = 'ok'")" 1
"$IOSWEEP" show g.db 1 >out
contains out "flags=sqpoll"
contains out "in flight at the stop"
