# alone
# Every command of the README that is marked as runnable runs as it stands.
. "$(dirname "$0")/functions.sh"
requires gnuplot
requires sqlite3
mkdir build results
ln -s "$IOSWEEP" build/iosweep
ln -s "$root/scripts" "$root/configs" .
awk '/^```sh runnable$/ { on = 1; next } /^```/ { on = 0 } on' "$root/README.md" >commands
[ "$(grep -c iosweep commands)" -ge 6 ] || die 'few commands found'
sh -eu commands >out 2>err || { cat out err >&2; die 'a command failed'; }
grep -q 'sweet spot: bs ' out || { cat out err >&2; die 'no sweet spot'; }
for f in from-sql.png results/mine.db results/mine.csv mine-for-a-spreadsheet.csv summary.png heatmap.svg p99.png mine.html; do [ -s $f ] || die "no $f"; done
[ ! -e mine.dat ] || die 'the scratch file is left'
equal "$(db results/mine.db "select count(*) from results where status = 'ok'")" 12
