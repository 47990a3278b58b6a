# Default file names, stdin, tags, locale, and a config that cannot choose paths.
. "$(dirname "$0")/functions.sh"
requires sqlite3

printf '{"filename":"x","size":"1m","ioengine":"null","rw":"read","runtime":"20ms","ramp_time":0,"name":"stdin"}' >c.json
expect_exit 0 "$IOSWEEP" run - --tag rack=r1 --tag who=me <c.json
first=$(head -n 1 err)
case $first in
"results: results/stdin-2"*Z.db" results/stdin-2"*Z.csv) ;;
*) die "first line: $first" ;;
esac
database=$(echo results/stdin-*.db)
contains out "$database"
equal "$(db "$database" 'select tags from results' | grep -c 'rack=r1.*who=me')" 1
# a tag on the command line replaces the config's
sed 's/{/{"tags":{"rack":"r0","room":"5"},/' c.json >tags.json
expect_exit 0 "$IOSWEEP" run tags.json --tag rack=r1 --db tags.db
equal "$(db tags.db 'select tags from results')" "rack=r1 room=5"
# sweeps that begin in the same second get names of their own
for i in 1 2 3 4; do
	"$IOSWEEP" run c.json --out same -q &
	pids="${pids:-} $!"
done
for pid in $pids; do
	wait "$pid" || die "one of four sweeps at the same time failed"
done
equal "$(ls same/*.db | wc -l) $(ls same/*.csv | wc -l)" "4 4"
ls same/stdin-*Z-2.db >/dev/null
expect_exit 0 "$IOSWEEP" run c.json --out other
ls other/stdin-*.db other/stdin-*.csv >/dev/null
expect_exit 3 "$IOSWEEP" run c.json --set name=../../evil
expect_exit 2 "$IOSWEEP" run
expect_exit 3 "$IOSWEEP" run no-such-config.json
contains err no-such-config.json

# verbose: what the machine and the targets are, on stderr
expect_exit 0 "$IOSWEEP" run c.json --db v.db -v
contains err "engine null: usable"
contains err "target x: not opened"
expect_exit 0 "$IOSWEEP" run c.json --db nv.db
lacks err "engine null: usable"

# quiet: nothing but errors
expect_exit 0 "$IOSWEEP" run c.json --db q.db -q
[ ! -s out ] && [ ! -s err ] || die "-q printed something"

# a locale with decimal commas changes nothing
if locale -a 2>/dev/null | grep -qi '^de_DE.utf-\?8$'; then
	LC_ALL=de_DE.UTF-8 expect_exit 0 "$IOSWEEP" run c.json --db de.db
	equal "$(head -n 1 de.csv | tr -cd , | wc -c)" "$(sed -n 2p de.csv | tr -cd , | wc -c)"
fi
