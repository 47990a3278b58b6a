# A locale with decimal commas, made for this test, changes nothing.
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires localedef
[ -e /usr/share/i18n/locales/de_DE ] || skip "needs the locale sources (package locales)"

localedef -i de_DE -f UTF-8 "$scratch/de_DE.UTF-8" 2>/dev/null || [ -d "$scratch/de_DE.UTF-8" ] || skip "localedef failed"
export LOCPATH=$scratch LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8
[ "$(locale decimal_point)" = , ] || skip "the locale does not take effect"
run() {
	"$IOSWEEP" run --set filename=x --set ioengine=null --set size=1m --set rw=randread --set ramp_time=0 \
		--set runtime=30ms "$@"
}
expect_exit 0 run --db r.db
"$IOSWEEP" export r.db -o again.csv
cmp r.csv again.csv
awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' r.csv || die "a line of the CSV has another number of fields"
equal "$(db r.db "select typeof(iops) || typeof(window_s) from results")" realreal
expect_exit 0 "$IOSWEEP" plan --json --set filename=x --set ioengine=null --set size=1m --set rw=read --set runtime=0.5
contains out '"estimate_s":0.6'
expect_exit 3 run --set runtime=0,5s --db s.db
