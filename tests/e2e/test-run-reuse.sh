# run --reuse takes over what an earlier sweep has of the same combinations on the same targets, and measures the rest.
. "$(dirname "$0")/functions.sh"
requires sqlite3

head -c 1m /dev/urandom >t.bin
sweep() { "$IOSWEEP" run --set filename=t.bin --set ioengine=psync --set direct=0 --set rw=randread --set ramp_time=0 --set runtime=50ms "$@"; }
expect_exit 0 sweep --set bs=4k,8k,16k --set repeats=2 --db old.db
sum=$(sha256sum old.db)
expect_exit 0 sweep --set bs=8k,16k,32k --set repeats=3 --reuse old.db --db new.db
contains err "4 of 9 runs taken over from old.db"
equal "$(sha256sum old.db)" "$sum" "the old file"
equal "$(db new.db "select count(*) from results where status = 'ok'")" 9
equal "$(db new.db "select count(distinct bs || ' ' || repeat) from results")" 9
# numbers, times and doubts are those of the old run; so are its intervals, histogram and machine
taken="select group_concat(v, ' ') from (select started_utc || iops || lat_p99_us || ios || doubts || host as v from results
	where bs in (8192, 16384) and repeat < 3 order by bs, repeat)"
equal "$(db new.db "$taken")" "$(db old.db "$taken")"
equal "$(db new.db "select count(*) from event where code = 'reuse' and run_id between 1 and 4 and text like 'taken over from run % of old.db'")" 4
equal "$(db new.db "select count(*) from event where code = 'reuse' and run_id is null and text like '4 of 9%'")" 1
for table in result interval histogram; do
	equal "$(db new.db "select count(*) from $table where run_id = 1")" "$(db old.db "select count(*) from $table where run_id = 3")" $table
done
equal "$(db new.db "select group_concat(distinct environment_id) from run where id < 5")" 0
equal "$(db new.db "select group_concat(distinct environment_id) from run where id >= 5")" 1
equal "$(tail -n +2 new.csv | wc -l)" 9
equal "$(db new.db "pragma integrity_check; pragma foreign_key_check")" ok
expect_exit 0 "$IOSWEEP" resume new.db
contains err "nothing left to do"
equal "$(db new.db "select max(run) from all_runs")" 9

# another file under the name, another host: nothing is taken over
expect_exit 0 sh -c 'cp old.db host.db && sqlite3 host.db "update environment set host = '"'elsewhere'"'"'
expect_exit 0 sweep --set bs=4k --reuse host.db --db other.db
contains err "0 of 1 runs taken over from host.db"
cp t.bin t2.bin && mv t2.bin t.bin
expect_exit 0 sweep --set bs=4k --reuse old.db --db moved.db
contains err "t.bin is not the same target as in old.db: measured anew"
contains err "0 of 1 runs taken over from old.db"
equal "$(db moved.db "select count(*) from event where run_id = 1")" 0

# a file that both made: gone in between, and the same all the same
made() { "$IOSWEEP" run --set filename=made.dat --set size=1m --set ioengine=psync --set direct=0 --set rw=randread --set ramp_time=0 --set runtime=50ms "$@"; }
expect_exit 0 made --set bs=4k --db m1.db
[ ! -e made.dat ] || die "not removed"
expect_exit 0 made --set bs=4k,8k --reuse m1.db --db m2.db
contains err "1 of 2 runs taken over from m1.db"

# numbers that cannot have been measured, and histograms that are none or another's
for forged in "update result set ios = -5" "update result set iops_half_width_pct = -1.0" "update result set bytes = -1" \
	"update interval set ios = -1" "update histogram set data = randomblob(500)" "update histogram set data = x''" "update result set ios = ios + 1"; do
	cp m1.db forged.db
	sqlite3 forged.db "$forged"
	rm -f m4.db m4.csv
	expect_exit 0 made --set bs=4k --reuse forged.db --db m4.db
	contains err "the numbers of 1 runs cannot have been measured: measured anew"
	contains err "0 of 1 runs taken over from forged.db"
done
cp m1.db huge.db
sqlite3 huge.db "update histogram set data = zeroblob(100000000)"
expect_exit 3 made --set bs=4k --reuse huge.db --db no.db
rm huge.db
[ ! -e no.db ] && [ ! -e no.csv ] || die "something was made"

# what failed is measured again
sqlite3 m1.db "update run set status = 'failed'"
expect_exit 0 made --set bs=4k --reuse m1.db --db m3.db
contains err "0 of 1 runs taken over from m1.db"

# no database, a foreign one, a damaged one: refused before anything is made
echo text >bad.db
sqlite3 foreign.db "create table x(y)"
head -c 65536 old.db >broken.db
for bad in absent.db bad.db foreign.db broken.db; do
	expect_exit 3 sweep --set bs=4k --reuse $bad --db no.db
	contains err "--reuse: $bad: "
	[ ! -e no.db ] && [ ! -e no.csv ] || die "$bad: something was made"
done
