# A database that is copied while its sweep runs, by SQLite's own backup or by cp with its log, and read by three readers all
# the time: the copies are whole, no row of the sweep is lost, and nobody waits.
. "$(dirname "$0")/functions.sh"
requires sqlite3

"$IOSWEEP" run --set filename=x --set ioengine=null --set size=1m --set rw=randread --set repeats=100 --set ramp_time=0 \
	--set runtime=20ms --db r.db >out 2>err &
pid=$!
eventually attempts r.db ok 3
for i in 1 2 3; do
	while [ -e r.db-wal ]; do
		sqlite3 -cmd '.timeout 5000' -readonly r.db 'select count(*), max(iops) from results' >>"reader.$i" 2>&1 || {
			echo failed >>"reader.$i"
			break
		}
	done &
	readers="${readers:-} $!"
done
sqlite3 r.db '.timeout 5000' '.backup copy.db' || die "no backup while it runs"
# the file and its log: together they are what was committed when the log was read
cp r.db torn.db
cp r.db-wal torn.db-wal
equal "$(sqlite3 copy.db 'pragma integrity_check')" ok
for copy in copy.db torn.db; do
	expect_exit 0 "$IOSWEEP" export $copy
	[ "$(wc -l <out)" -ge 4 ] || die "$copy: too few rows"
	expect_exit 0 "$IOSWEEP" show $copy
done
wait $pid || die "it disturbed the sweep: $(cat err)"
for reader in $readers; do wait "$reader"; done
lacks reader.1 failed
lacks reader.2 failed
lacks reader.3 failed
equal "$(db r.db "select count(*), count(distinct repeat) from all_runs where status = 'ok'")" '100|100'
equal "$(db r.db 'pragma integrity_check')" ok
equal "$(tail -n +2 r.csv | wc -l)" 100
# a copy is a sweep of its own, to be gone on with
expect_exit 0 "$IOSWEEP" resume copy.db --csv copy.csv
equal "$(db copy.db "select count(*), count(distinct repeat) from all_runs where status = 'ok'")" '100|100'
