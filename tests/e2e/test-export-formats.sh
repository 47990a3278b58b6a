# The rows of a real sweep in every format, read back by other programs; a German locale changes nothing.
. "$(dirname "$0")/functions.sh"
requires sqlite3

"$IOSWEEP" run --set ioengine=null --set filename=x --set size=1g --set rw=randread,randrw --set bs=4k,64k \
	--set iodepth=1,4 --set runtime=30ms --set ramp_time=0 --set fsync=0,4 --tag "note==1+1" --db t.db -q
rows=$(db t.db 'select count(*) from results')
[ "$rows" -ge 12 ] || die "only $rows rows"

# the CSV of the run is the export, and its header the columns of the view
expect_exit 0 "$IOSWEEP" export t.db
cmp -s out t.csv || die "export and CSV of the run differ"
equal "$(head -n 1 t.csv)" "$(db t.db "select group_concat(name, ',') from pragma_table_info('results')")" header
equal "$(sqlite3 -csv :memory: ".import --csv t.csv t" 'select count(*) from t')" "$rows" "lines of the CSV"
equal "$(sqlite3 :memory: ".import --csv t.csv t" 'select sum(ios), sum(bytes) from t')" \
	"$(db t.db 'select sum(ios), sum(bytes) from results')" "integers, exact"
contains t.csv ",note==1+1,"

LC_ALL=de_DE.UTF-8 "$IOSWEEP" export t.db >german.csv
cmp -s german.csv t.csv || die "a German locale changes the CSV"

expect_exit 0 "$IOSWEEP" export t.db --format csv-excel -o x.csv
equal "$(head -c 3 x.csv | od -An -tx1 | tr -d ' ')" efbbbf "byte order mark"
equal "$(grep -c "$(printf '\r')\$" x.csv)" "$((rows + 1))" "CRLF on every line"
expect_exit 0 "$IOSWEEP" export t.db --format tsv -o x.tsv
equal "$(awk -F '\t' '{ print NF }' x.tsv | sort -u | wc -l)" 1 "fields per line"
equal "$(wc -l <x.tsv)" "$((rows + 1))"

expect_exit 0 "$IOSWEEP" export t.db --format json --where "op = 'sync' and bs = 4096"
equal "$(sqlite3 :memory: "select json_valid(cast(readfile('out') as text))")" 1 "valid JSON"
equal "$(sqlite3 :memory: "select json_array_length(cast(readfile('out') as text), '\$.rows')")" \
	"$(db t.db "select count(*) from results where op = 'sync' and bs = 4096")" "chosen rows"

# errors: nothing is written, an existing file stays
echo keep >y.csv
expect_exit 2 "$IOSWEEP" export t.db --where "nonsense = 1" -o y.csv
contains err "no such column: nonsense"
expect_exit 2 "$IOSWEEP" export t.db --where "1); delete from run; --" -o y.csv
equal "$(cat y.csv)" keep
expect_exit 2 "$IOSWEEP" export t.db --format xlxs
contains err "export: --format: 'xlxs', did you mean 'xlsx'?: allowed: csv, csv-excel, tsv, json, jsonl, markdown, xlsx, fio-job, fio-json or fio-json+"
expect_exit 6 "$IOSWEEP" export t.db -o /dev/full
contains err "No space left on device"
expect_exit 3 "$IOSWEEP" export t.csv
contains err "not an iosweep database"
equal "$(find . -name '*.new-*')" "" "left behind"

# sizes and times in --where as in the `where` of a config, in every command
equal "$("$IOSWEEP" export t.db --where "bs = size('4k') and runtime < seconds('1m')" | wc -l)" "$("$IOSWEEP" export t.db --where "bs = 4096 and runtime < 60" | wc -l)"
expect_exit 2 "$IOSWEEP" export t.db --where "bs = size('4q')"
contains err "size('4q'): not a size"
