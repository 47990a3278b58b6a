# The database is removed or replaced while a sweep runs on it: exit 6, and every row is in a copy that can be gone on with.
. "$(dirname "$0")/functions.sh"
requires sqlite3

TMPDIR=$scratch/tmp
export TMPDIR
mkdir tmp
set -- --set ioengine=null --set filename=x --set size=1g --set rw=randread --set ramp_time=0 --set runtime=20ms --set repeats=60
expect_exit 0 "$IOSWEEP" run --set ioengine=null --set filename=x --set size=1g --set rw=read --set ramp_time=0 --set runtime=1ms --db other.db -q
sum=$(sha256sum <other.db)

for case in remove replace directory; do
	rm -rf r
	mkdir r
	"$IOSWEEP" run "$@" --db r/m.db --progress=plain >out 2>err &
	pid=$!
	eventually attempts r/m.db ok 3
	case $case in
	remove) rm r/m.db ;;
	replace) cp other.db r/n.db && mv r/n.db r/m.db ;;
	directory) mv r gone && rm -rf gone ;; # at once: rm alone would race with files that the sweep makes
	esac
	rc=0
	wait $pid || rc=$?
	equal $rc 6 "$case: $(cat err)"
	contains err "r/m.db: was removed or replaced while the sweep ran; what was measured is kept in"
	measured=$(grep -c ' IOPS' err)
	kept=$(sed -n 's/^to go on: iosweep resume //p' err)
	[ -n "$kept" ] && [ "$measured" -lt 60 ] || die "$case: $(cat err)"
	equal "$(db "$kept" "select count(*) from all_runs where status = 'ok'")" "$measured" "$case"
	equal "$(db "$kept" "select state from sweep")" interrupted "$case"
	case $case in
	remove) equal "$(ls r)" "$(printf 'm.csv\nm.kept.db')" ;;
	replace) equal "$(ls r)" "$(printf 'm.csv\nm.db\nm.kept.db')" && equal "$(sha256sum <r/m.db)" "$sum" ;;
	esac
	[ "$case" != directory ] || mkdir r
	expect_exit 0 "$IOSWEEP" resume "$kept" --csv r/again.csv -q
	equal "$(db "$kept" "select count(*), count(distinct repeat) from all_runs where status = 'ok'")" '60|60' "$case"
done
