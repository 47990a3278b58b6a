# `list` tells how the sweeps of a folder stand, whatever else lies there, and leaves everything as it was.
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires python3

sweep() { # FILE NAME [--set ...]
	file=$1 name=$2; shift 2
	"$IOSWEEP" run --set name="$name" --set ioengine=null --set filename=x --set size=1g --set rw=randread --set bs=4k \
		--set ramp_time=0 "$@" --db "$file" -q >/dev/null 2>&1
}
# every file, with its content unless a sweep runs on it or readers of a log note there where they are
picture() { find "$1" -type f ! -name 'live.*' ! -name '*-shm' -exec sha256sum {} + | sort -k 2; find "$1" | sort; }

expect_exit 0 "$IOSWEEP" list
contains err 'no sweeps in results/'
[ ! -s out ] || die 'a list of nothing'
mkdir empty "$(printf 'n\033one')"
expect_exit 0 "$IOSWEEP" list empty "$(printf 'n\033one')"
contains err 'list: no sweeps in empty, n?one'
expect_exit 3 "$IOSWEEP" list nowhere
contains err 'nowhere: No such file or directory'

mkdir results
long=$(python3 -c 'print("ä" * 40 + "-日本語" * 9)')
sweep results/done.db "$(printf '%064d' 1)" --set iodepth=1,2 --set runtime=20ms
expect_exit 1 "$IOSWEEP" run --set name=failing --set filename=/nowhere/x --set ioengine=psync,null --set size=1m --set rw=read \
	--set runtime=20ms --db results/half.db -q
sweep results/stopped.db stopped --set runtime=1 --set repeats=100 &
stopped=$!
cleanup_fn "kill $stopped 2>/dev/null; wait $stopped 2>/dev/null"
sweep results/killed.db killed --set runtime=1 --set repeats=100 &
killed=$!
cleanup_fn "kill -9 $killed 2>/dev/null; wait $killed 2>/dev/null"
eventually attempts results/stopped.db ok 1
eventually attempts results/killed.db ok 1
# those functions run the program beneath a shell
for shell in $stopped $killed; do
	child=$(cat "/proc/$shell/task/$shell/children")
	# shellcheck disable=SC2086 # words
	if [ $shell = "$stopped" ]; then kill -TERM $child; else kill -9 $child; fi
done
wait $stopped || true
wait $killed || true
sweep results/live.db live --set runtime=1 --set repeats=500 &
live=$!
cleanup_fn "kill \$(cat /proc/$live/task/$live/children) 2>/dev/null; wait $live 2>/dev/null"
eventually attempts results/live.db ok 1
cp results/live.db results/copied.db
printf 'no database' >results/text.db
sqlite3 results/other.db 'create table t(x)'
head -c 5000 results/done.db >results/cut.db
mkdir results/folder.db
mkfifo results/pipe.db
ln -s nowhere results/dangling.db
strange="results/$(printf 'a\033[2J\nb\233')$long.db"
cp results/done.db "$strange"
sqlite3 "$strange" "update sweep set name = char(27) || '[2J$long'; update environment set host = '$long' || char(10)"
echo 'not listed' >results/notes.txt

picture results >before
expect_exit 0 "$IOSWEEP" list
picture results >after
cmp before after || die 'something was changed or left'
equal "$(tr -cd '\001-\011\013-\037\177' <out | wc -c)" 0 'it steers a terminal'
! LC_ALL=C grep -qF "$(printf '\233')" out || die 'it steers a terminal'
lacks out notes.txt
python3 - out <<'PY' || die 'lines that are too wide'
import sys, unicodedata
for line in open(sys.argv[1], encoding="utf-8"):
    wide = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line.rstrip("\n"))
    assert wide <= 80, (wide, line)
PY
expect_exit 0 "$IOSWEEP" list --json
python3 - out <<'PY' || die 'not what is there'
import json, sys
d = json.load(open(sys.argv[1]))
by = {s["file"]: s for s in d["sweeps"]}
state = {f: by["results/%s.db" % f]["state"] for f in ("done", "half", "stopped", "killed", "live", "copied")}
assert state == {"done": "done", "half": "done", "stopped": "stopped", "killed": "stopped", "live": "running",
                 "copied": "stopped"}, state
done, half = by["results/done.db"], by["results/half.db"]
assert (done["planned_runs"], done["done"], done["failed"], done["targets"]) == (2, 2, 0, ["x"]), done
assert len(done["name"]) == 64 and done["host"] and done["size_bytes"] > 4096
assert half["done"] == 2 and half["targets"] == ["/nowhere/x"], half
assert 0 < by["results/stopped.db"]["done"] < 100
assert len(by) == 7 and sum(s["name"].startswith("\x1b[2Jä") for s in d["sweeps"]) == 1, sorted(by)
reason = {u["file"]: u["reason"] for u in d["unreadable"]}
assert sorted(reason) == ["results/%s.db" % f for f in ("cut", "dangling", "folder", "other", "pipe", "text")], reason
assert "no SQLite file" in reason["results/text.db"] and "not one of iosweep" in reason["results/other.db"]
assert "no regular file" in reason["results/pipe.db"] and "No such file" in reason["results/dangling.db"]
assert [s["created_utc"] for s in d["sweeps"]] == sorted(s["created_utc"] for s in d["sweeps"])
PY
expect_exit 3 "$IOSWEEP" list results/done.db results/text.db # named, and no database
contains out 'results/done.db'
contains out 'unreadable: not an iosweep database (no SQLite file)'
# targets that a line cannot hold are counted, none is lost
deep=/$(printf '%090d' 0)
sweep results/targets.db targets --set "filename=[\"$deep/a\",\"$deep/b\"]" --set runtime=20ms
expect_exit 0 "$IOSWEEP" list results/targets.db
contains out '0/a and 1 more'
# shellcheck disable=SC2016 # $1 is of the inner shell
expect_exit 6 sh -c '"$1" list results >/dev/full' - "$IOSWEEP"
contains err 'stdout: No space left on device'
expect_exit 3 "$IOSWEEP" list nowhere results
contains out 'results/done.db'
