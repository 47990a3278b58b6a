# Every SQL query of the README, on a real sweep: it returns rows, and what they say is true.
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires python3
"$IOSWEEP" probe --json | python3 -c 'import json, sys
sys.exit(not all(e["usable"] for e in json.load(sys.stdin)["engines"] if e["name"] in ("io_uring", "libaio")))' || skip 'needs two engines'

awk '/^```sql runnable / { file = "q-" $3 ".sql"; printf "" >file; next } /^```/ { file = "" } file { print >file }' "$root/README.md"
[ "$(find . -name 'q-*.sql' | wc -l)" -ge 10 ] || die 'few queries found'

truncate -s 1m sparse.dat
cat >c.json <<'JSON'
{"filename": "t.dat", "size": "4m", "ioengine": ["io_uring", "libaio"], "rw": ["randread", "randrw"], "bs": ["4k", "64k"], "numjobs": [1, 2],
 "iodepth": [1, 4], "ramp_time": "20ms", "runtime": "60ms", "repeats": 2, "keep": true,
 "include": [{"filename": "sparse.dat", "size": "1m", "ioengine": "libaio", "rw": "read", "bs": "4k", "numjobs": 1, "iodepth": 1},
             {"ioengine": "libaio", "rw": "randwrite", "bs": "4k", "numjobs": 1, "iodepth": 1, "runtime": "3300ms"}]}
JSON
expect_exit 0 "$IOSWEEP" run c.json --db s.db -q
expect_exit 0 "$IOSWEEP" resume s.db -q --redo "rw = 'randread' and bs = 4096 and numjobs = 1 and iodepth = 1 and repeat = 1"
# how busy this machine is, is not the question
sqlite3 s.db "update run set flags = 0 where combination_id in (select id from combination where filename = 't.dat')"
for q in q-*.sql; do
	name=${q#q-}
	sqlite3 -readonly -json s.db <"$q" >"${name%.sql}.json" 2>err || { cat "$q" err; die "$name"; }
	! [ -s err ] || { cat err; die "$name"; }
done
python3 - <<'PY' || die 'an answer is not plausible'
import glob, json, sqlite3
answer = {f[:-5]: json.load(open(f)) if open(f).read().strip() else [] for f in glob.glob("*.json") if f != "c.json"}
db = sqlite3.connect("file:s.db?mode=ro", uri=True)
def ask(sql):
    return db.execute(sql).fetchall()

spots = {(r["filename"], r["rw"]): r for r in answer.pop("sweet-spot")}
assert set(spots) == {("t.dat", rw) for rw in ("randread", "randrw", "randwrite")}, spots
assert all(95 <= r["of_peak_pct"] <= 100 and r["mib_s"] > 0 and r["bs"] in (4096, 65536) for r in spots.values()), spots

within = answer.pop("within-limit")
assert within and all(0 < r["p99_us"] <= 50000 and r["iops"] > 0 for r in within), within
best = dict(ask("SELECT rw, max(run_iops) FROM results WHERE status = 'ok' AND doubts = '' GROUP BY rw"))
assert all(r["iops"] <= best[r["rw"]] for r in within)

scaling = answer.pop("scaling")
assert len(scaling) == 16 and all(r["numjobs"] == 2 and 0 < r["efficiency_pct"] < 1000 for r in scaling), scaling
r = scaling[0]
rate = [ask("SELECT avg(run_iops) FROM results WHERE status = 'ok' AND ioengine = '%s' AND rw = '%s' AND bs = %d AND iodepth = %d AND numjobs = %d"
            % (r["ioengine"], r["rw"], r["bs"], r["iodepth"], n))[0][0] for n in (1, 2)]
assert abs(r["efficiency_pct"] - 50 * rate[1] / rate[0]) < 1e-6

doubts = {r["doubt"]: r for r in answer.pop("doubts")}
assert doubts["unwritten"]["runs"] == 2 and doubts["unwritten"]["patterns"] == "read", doubts
assert all(" " not in d for d in doubts)

repeats = answer.pop("repeats")
assert len(repeats) == 34 and all(r["repeats"] == 2 and 0 <= r["spread_pct"] < 200.01 for r in repeats), repeats

slow = answer.pop("slowest-second")
assert len(slow) == 2 and all(r["op"] == "write" and 0 <= r["second"] <= 2 and 0 <= r["of_mean_pct"] < 101 for r in slow), slow

engines = answer.pop("engines")
assert len(engines) == 16
for r in engines:
    assert r["libaio"] > 0 and r["io_uring"] > 0 and abs(r["io_uring"] / r["libaio"] - 1 - r["gain_pct"] / 100) < 1e-6, r

cpu = answer.pop("cpu")
assert cpu and all(0 < r["cpu_us_per_io"] < 1e5 and abs(r["cpu_us_per_io"] * r["iops_of_one_cpu"] - 1e6) < 1 for r in cpu), cpu

attempts = answer.pop("attempts")
assert len(attempts) == 2 and all(r["attempts"] == 2 and r["outcomes"] == "1: ok,2: ok" for r in attempts), attempts

amplification = answer.pop("amplification")
known = ask("SELECT count(*) FROM results WHERE device_read_bytes IS NOT NULL")[0][0]
assert bool(amplification) == bool(known)
for r in amplification:
    assert (r["read_factor"] is None) == (r["rw"] == "randwrite") and (r["write_factor"] is None) == (r["rw"] in ("read", "randread")), r
    assert all(f is None or f >= 0 for f in (r["read_factor"], r["write_factor"]))

time = {r["rw"]: r for r in answer.pop("time")}
assert sum(r["runs"] for r in time.values()) == 68, time
assert 6.6 <= time["randwrite"]["windows_s"] < 60 and time["randread"]["ramps_s"] > 0.3
assert all(r["longest_s"] is None or r["longest_s"] > -1 for r in time.values())
assert not answer, "no word on " + ", ".join(answer)
PY
if python3 -c 'import pandas' 2>/dev/null; then
	mkdir results
	cp s.db results/mine.db
	awk '/^```python/ { on = 1; next } /^```/ { on = 0 } on' "$root/README.md" >pandas.py
	python3 pandas.py >out || die 'pandas'
	contains out 65536
fi
