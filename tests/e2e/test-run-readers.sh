# The database is read by anybody with plain SQLite: while the sweep runs, and at rest from a read-only directory as
# another user.
. "$(dirname "$0")/functions.sh"
requires sqlite3

query="select rw, bs, iops, lat_p99_us from results"
"$IOSWEEP" run --set filename=x --set ioengine=null --set size=1m --set rw=randread --set bs=4k,8k,16k --set ramp_time=0 \
	--set runtime=600ms --db r.db >out 2>err &
pid=$!
n=0 seen=
while kill -0 $pid 2>/dev/null; do
	if [ -e r.db ]; then
		# at its end the file changes to one without a WAL: readers wait for that, as they do for any writer
		rows=$(sqlite3 -cmd '.timeout 5000' r.db "$query" | wc -l) || die "a reader failed while the sweep ran"
		seen="$seen $rows"
		"$IOSWEEP" show r.db >show.out || die "show failed while the sweep ran"
	fi
	n=$((n + 1))
	sleep 0.1
done
wait $pid || die "readers disturbed the sweep"
case "$seen" in *" 1"* | *" 2"*) ;; *) die "finished rows were not seen while it ran:$seen" ;; esac
equal "$(sqlite3 r.db "$query" | wc -l)" 3
[ ! -e r.db-wal ] && [ ! -e r.db-shm ] || die "more than one file at rest"

requires_root
requires setpriv
mkdir closed
cp r.db closed/
chmod 755 "$scratch"
chmod 555 closed
equal "$(cd closed && setpriv --reuid=65534 --regid=65534 --clear-groups sqlite3 r.db "$query" | wc -l)" 3
program=$IOSWEEP
if setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$program"; then
	equal "$(cd closed && setpriv --reuid=65534 --regid=65534 --clear-groups "$program" export r.db | wc -l)" 4
fi
