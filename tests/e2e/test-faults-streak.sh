# Three failures in a row with one errno on one target and engine: the rest of its rows is skipped with that reason, what is
# on others is measured; --keep-going tries them all; resume tries again what was given up, and only that.
. "$(dirname "$0")/functions.sh"
. "$here/fuse.sh"

head -c 1M /dev/urandom >good.bin
set -- --set 'filename=["mp/data","good.bin"]' --set direct=0 --set ioengine=psync,pvsync2 --set rw=randread --set bs=1k,2k,4k,8k,16k,32k \
	--set order=listed --set benchmark_type=size
# by target and engine, in run order
states() { db $1 "select group_concat(status, ' ') from (select filename, ioengine, status from results where filename $2 order by run)"; }
all_ok="ok ok ok ok ok ok ok ok ok ok ok ok"

fault error read 5 20
expect_exit 1 "$IOSWEEP" run "$@" --db r.db
contains err "warning: given up after 3 failures in a row of psync on mp/data, the last one: read of "
contains err "Input/output error (EIO) (--keep-going tries them all)"
equal "$(states r.db "= 'good.bin'")" "$all_ok"
equal "$(db r.db "select ioengine, status, count(*) from results where filename = 'mp/data' and status <> 'ok' group by 1, 2 order by 1, 2")" \
	"psync|failed|3
psync|skipped|3
pvsync2|failed|3
pvsync2|skipped|3"
equal "$(db r.db "select count(*) from results where status = 'skipped' and error like 'given up after 3 %(EIO)%' and op is null")" 6
equal "$(db r.db "select count(*) from event where code = 'given-up'")" 2
contains out "3 skipped: given up after 3 failures in a row of psync"
# a failed row, and its numbers, wins nothing
equal "$(db r.db "select count(*) > 0 from results where status = 'failed' and iops > 0")" 1
expect_exit 0 "$IOSWEEP" best r.db
contains out good.bin
lacks out mp/data

fault off
expect_exit 1 "$IOSWEEP" resume r.db # three rows and three have failed, and stay so
equal "$(db r.db "select status, count(*) from results where filename = 'mp/data' group by 1 order by 1")" "failed|6
ok|6"
equal "$(db r.db "select count(*) from all_runs")" 30 "6 more attempts"
equal "$(tail -n +2 r.csv | wc -l)" 24 "each row once in the CSV"
expect_exit 0 "$IOSWEEP" resume r.db --retry failed
equal "$(db r.db "select count(*) from results where status = 'ok'")" 24

fault error read 5 20
expect_exit 1 "$IOSWEEP" run "$@" --set filename=mp/data --keep-going --db k.db
equal "$(db k.db "select status, count(*) from results group by 1")" "failed|12"

# another errno, or a success in between, begins to count anew
fault once read 5 20
expect_exit 1 "$IOSWEEP" run "$@" --set filename=mp/data --db o.db
equal "$(db o.db "select status, count(*) from results group by 1")" "failed|1
ok|11"
