# Hostile strings in a config and in a received database: SQL, formulas, terminal escapes, shell and gnuplot commands reach
# every output as text and nothing else.
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires python3

# no control character but newline, tab and carriage return; no CSI of eight bits
tame() {
	equal "$(tr -cd '\001-\010\013\014\016-\037\177' <"$1" | wc -c)" 0 "$1 steers a terminal"
	! LC_ALL=C grep -qF "$(printf '\233')" "$1" || die "$1 steers a terminal"
}
harmless() { for p in pwned*; do [ ! -e "$p" ] || die "$p was made by: $1"; done; }
cat >c.json <<'JSON'
{"filename":["`touch pwned1`.dat","$(touch pwned2)","x'); DROP TABLE run;--","<img src=x onerror=alert(1)>","%s%n%n.dat",
 "a\"b,c;d.dat","| touch pwned3","< touch pwned4","-rf","@SUM(A1)","=1+1","+1","-1"],
 "size":"64k","ioengine":"psync","direct":0,"rw":"randread","bs":"4k","ramp_time":0,"runtime":"5ms",
 "description":"`touch pwned5` $(touch pwned6) '); DELETE FROM run;-- =1+1",
 "tags":{"=k":"@SUM(1)","q":"'; DROP TABLE run;--","b":"`touch pwned7`"},
 "include":[{"filename":"=1+1","bs":"16k"}]}
JSON
expect_exit 0 "$IOSWEEP" plan c.json
expect_exit 0 "$IOSWEEP" plan c.json --json
expect_exit 0 "$IOSWEEP" run c.json --db r.db --tag 'x==HYPERLINK("http://evil")' -v
tame out
tame err
harmless run
equal "$(db r.db "select count(*) from run where status = 'ok'")" 14
for command in 'show r.db' 'show r.db 1' 'show --json r.db' 'export r.db --format json' 'export r.db --format csv' \
	'export r.db --format csv-excel' 'export r.db --format tsv' 'probe -- -rf'; do
	# shellcheck disable=SC2086 # words
	expect_exit 0 "$IOSWEEP" $command
	tame out
	harmless "$command"
done
expect_exit 0 "$IOSWEEP" export r.db --format csv -o e.csv
expect_exit 0 "$IOSWEEP" export r.db --format json -o e.json
expect_exit 2 "$IOSWEEP" export r.db --where "1); DROP TABLE run;--"
expect_exit 2 "$IOSWEEP" export r.db --where "(select load_extension('x'))"
cmp r.csv e.csv
python3 - r.csv e.json c.json <<'PY' || die "a text did not arrive as it was"
import csv, json, sys
names = json.load(open(sys.argv[3]))["filename"]
rows = json.load(open(sys.argv[2]))["rows"]
assert sorted(set(r["filename"] for r in rows)) == sorted(names)
cells = list(csv.DictReader(open(sys.argv[1], newline="")))
for c in cells:
    for k, v in c.items():
        assert not v.startswith(("=", "@", "\t", "\r")), (k, v)
        if v.startswith(("+", "-")):
            float(v)
assert sorted(set(c["filename"].removeprefix("'") if c["filename"][1:2] in "=+-@" else c["filename"] for c in cells)) == sorted(names)
assert all(c["tags"].startswith("'=k=@SUM(1)") for c in cells)
PY
if command -v gnuplot >/dev/null; then
	for name in '`touch pwned1`.dat' '| touch pwned3' '< touch pwned4' '=1+1'; do
		for script in summary-vs-bs heatmap-bs-iodepth; do
			gnuplot -d -c "$root/scripts/$script.gp" r.csv x.svg "filename=$name" >said 2>&1 || { cat said >&2; die "$script: $name"; }
			harmless "$script"
		done
		gnuplot -d -c "$root/scripts/summary-vs-bs.gp" r.csv x.svg >said 2>&1
		harmless "no choice"
	done
fi

# what is refused at once, and not repeated raw
refused() {
	printf '%s' "$1" >bad.json
	expect_exit 3 "$IOSWEEP" run bad.json
	tame err
}
refused '{"filename":"a\u001b[31mb","size":"64k","rw":"read","runtime":1}'
refused '{"filename":"a","size":"64k","rw":"re\u001b]0;x\u0007ad","runtime":1}'
refused '{"filename":"a","size":"64k","rw":"read","runtime":1,"\u001b[2J":1}'
refused '{"filename":"a","size":"64k","rw":"read","runtime":1,"tags":{"a":"\u001b[31m"}}'
refused '{"filename":"a","size":"64k","rw":"read","runtime":1,"name":"../../etc/cron.d/x"}'
refused '{"filename":"a","size":"64k","rw":"read","runtime":1,"name":"a`id`"}'
refused '{"filename":"a","size":"64k","rw":"read","runtime":1,"where":"1; DROP TABLE run"}'
refused '{"filename":"a","size":"64k","rw":"read","runtime":1,"where":"load_extension('\''x'\'')"}'
refused '{"filename":"a\u0000b","size":"64k","rw":"read","runtime":1}'
refused "{\"filename\":\"$(printf '%05000d' 0)\",\"size\":\"64k\",\"rw\":\"read\",\"runtime\":1}"
expect_exit 2 "$IOSWEEP" run c.json --db t.db --tag "$(printf 'a=\033[31m')"
tame err

# a description may be any text, as far as the database
printf '%s' '{"filename":"a","size":"64k","rw":"read","runtime":"5ms","ioengine":"null","description":"\u001b[31m\u009b31m\u0007\nx"}' >d.json
expect_exit 0 "$IOSWEEP" run d.json --db d.db
for command in 'show d.db' 'show --json d.db' 'export d.db'; do
	# shellcheck disable=SC2086
	expect_exit 0 "$IOSWEEP" $command
	tame out
done

# a database that somebody sent: its texts steer no terminal, and it does not choose what is written
sqlite3 r.db "update run set error = char(27) || '[31m' || char(155) || '31m', why = char(27) || ']0;x' || char(7);
	update run set status = 'failed' where id = 1; update combination set device = char(27) || '[2J';
	update sweep set name = char(27) || 'x', description = char(27); update target set device = char(27) || 'c';
	update combination set ioengine = char(27) || '[31m', rw = 'read' || char(7);
	insert into event(run_id, wall_ns, level, code, text) values(1, 0, 'info', char(27), char(27) || '[31m')"
for command in 'show r.db' 'show r.db 1' 'show --json r.db' 'best r.db' 'best r.db --json' 'compare r.db r.db'; do
	# shellcheck disable=SC2086
	expect_exit 0 "$IOSWEEP" $command
	tame out
done
echo precious >precious
sqlite3 r.db "update sweep set state = 'interrupted'; update header set value = '$scratch/precious' where name = 'csv_path'"
mv r.csv kept.csv
"$IOSWEEP" resume r.db >out 2>err || true
tame out
tame err
equal "$(cat precious)" precious "the CSV of a database was written over another file"
[ -s r.csv ] || die "no CSV beside the database"
