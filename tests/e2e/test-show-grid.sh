# The grid of `show`: what is done, failed, in doubt, skipped and not yet, from the database alone, in 80 columns.
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires python3
export LC_ALL=C

# 2 patterns x 4 sizes x 2 jobs and three more, twice; 16k is larger than the region
cat >c.json <<'JSON'
{"filename": "t.dat", "ioengine": "psync", "size": "8k", "rw": ["read", "randread"], "bs": ["4k", "8k", "16k", "512"], "numjobs": [1, 2],
 "direct": 0, "repeats": 2, "include": [{"ioengine": "null", "rw": "read", "bs": "4k", "numjobs": 1, "iodepth": [2, 4, 8]}], "ramp_time": 0, "runtime": "40ms", "order": "listed"}
JSON
expect_exit 0 "$IOSWEEP" run c.json --db s.db -q
# as if it had been stopped after run 30
sqlite3 s.db "update run set status = 'failed', error = 'for this test' where id = 5;
	delete from result where run_id > 30; delete from interval where run_id > 30; delete from histogram where run_id > 30;
	delete from run where id > 30; update sweep set state = 'interrupted'"
expect_exit 0 "$IOSWEEP" show s.db
contains out 'grid: '
contains out '. not yet'
contains out '- skipped'
contains out 'X failed'
awk '/^grid:/ { on = 1 } /^targets:/ { on = 0 } on && length > 80 { exit 1 }' out || { cat out; die 'wider than 80 columns'; }
expect_exit 0 "$IOSWEEP" show s.db --json
python3 - out "$(db s.db 'select count(distinct run) from results')" <<'PY' || { cat out; die 'the grid is not what the database has'; }
import json, sys
d = json.load(open(sys.argv[1]))
cells = d["grid"]["cells"]
assert d["grid"]["whole"] is True
states = ("left", "done", "doubted", "failed", "skipped", "running")
total = {s: sum(c[s] for c in cells) for s in states}
assert sum(total.values()) == d["planned_runs"], (total, d["planned_runs"])
assert sum(total.values()) - total["left"] == int(sys.argv[2]), total
assert total["failed"] == d["failed"] == 1 and total["skipped"] == d["skipped"] > 0
assert total["left"] == 8 and total["done"] + total["doubted"] == d["ok"]
assert {c["bs"] for c in cells} == {512, 4096, 8192, 16384} and {c["rw"] for c in cells} == {"read", "randread"}
PY

# nothing of its targets is looked at: another machine, another directory, and a name that would block
mkdir elsewhere
cp s.db elsewhere/
cd elsewhere
mkfifo t.dat
expect_exit 0 timeout 20 "$IOSWEEP" show s.db --json
contains out '"whole":true'
cd ..

# signs of a terminal that shows UTF-8
LC_ALL=C.UTF-8 "$IOSWEEP" show s.db >out
contains out '· not yet'

# without a config that makes sense: by its rows, and it says that some are missing
cp s.db received.db
sqlite3 received.db "update sweep set config = '{\"rw\":'"
expect_exit 0 "$IOSWEEP" show received.db
contains out 'grid: '
contains out 'the config in it gives no plan here'
expect_exit 0 "$IOSWEEP" show received.db --json
contains out '"whole":false'

# a config that somebody made up costs no more than one that was run
sqlite3 received.db "update sweep set config = json_set('$(cat c.json | tr -d '\n')', '\$.repeats', 900000000000)"
expect_exit 0 timeout 20 "$IOSWEEP" show received.db
contains out 'grid: '

# the reference sweep of 2,376 combinations stays on a few pages
printf '{"filename":"/dev/no","ioengine":"null","size":"1g","bs":["4k","8k","16k","32k","64k","128k","256k","512k","1m","2m","4m"],
 "numjobs":[1,2,4,8,16,32],"iodepth":[1,2,4,8,16,32],"rw":["read","randread","write","randwrite","rw","randrw"],"ramp_time":0,
 "runtime":"1ms"}' >r.json
"$IOSWEEP" run r.json --db r.db --for 1s -q >/dev/null 2>&1 || [ $? -eq 7 ] || die 'the reference sweep'
expect_exit 0 "$IOSWEEP" show r.db
equal "$(grep -cE '^ +[0-9]+[km] [#.oX]{6} [#.oX]{6} [#.oX]{6} [#.oX]{6} [#.oX]{6} [#.oX]{6}$' out)" 66
contains out '    in each: iodepth 1 2 4 8 16 32'
contains out '  rows: bs 4k 8k 16k 32k 64k 128k 256k 512k 1m 2m 4m'

# one combination has no grid; a target's name is text
strange=$(printf 'x\303\251\342\202\254-%0100d' 7)
expect_exit 0 "$IOSWEEP" run --set filename="$strange" --set ioengine=null --set size=1m --set rw=read --set runtime=1ms --set ramp_time=0 \
	--db one.db -q
expect_exit 0 "$IOSWEEP" show one.db
lacks out 'grid: '
# no name is too long to be shown
deep=/$(printf '%0200d/%0200d/%0200d' 1 2 3)/end
expect_exit 0 "$IOSWEEP" run --set filename="$deep" --set ioengine=null --set size=1m --set rw=read --set runtime=1ms --set ramp_time=0 \
	--db deep.db -q
expect_exit 0 "$IOSWEEP" show deep.db 1
contains out "$deep on "
cp one.db two.db
sqlite3 two.db "update sweep set config = replace(config, '\"rw\": \"read\"', '\"rw\": [\"read\",\"write\"]')"
expect_exit 0 "$IOSWEEP" show two.db
contains out '  columns: rw read write'
contains out '  1/2'
