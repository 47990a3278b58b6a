# Several targets at once: one run over all of them, with numjobs jobs on each; what was done on each adds up; each is made,
# laid out, flushed and removed; one that is not there skips the combination, by its name.
. "$(dirname "$0")/functions.sh"
requires sqlite3
requires python3

head -c 4M /dev/urandom >a
head -c 2M /dev/urandom >b
set -- --set ramp_time=0 --set ioengine=psync --set direct=0

# one pass over each of different sizes, by each of two jobs; the totals are the sums
expect_exit 0 "$IOSWEEP" run --set 'filename=[["a","b"],"a"]' --set rw=randread --set numjobs=2 --set benchmark_type=size --db x.db "$@"
set_text='["a","b"]'
equal "$(db x.db "select count(*) from results where filename = '$set_text'")" 1
equal "$(db x.db "select filename from results order by run limit 1")" "$set_text" "values run as they are listed"
equal "$(db x.db "select ios, size, depth_total, passes from results where filename = '$set_text'")" "3072|2097152|4|2.0"
equal "$(db x.db "select ios, size, depth_total from results where filename = 'a'")" "2048|4194304|2"
equal "$(db x.db "select group_concat(filename || ' ' || ios || ' ' || bytes, ', ') from (select * from target_result order by target)")" \
	"a 2048 8388608, b 1024 4194304"
contains x.csv '"[""a"",""b""]"'
"$IOSWEEP" show x.db "$(db x.db "select run from results where filename = '$set_text'")" >shown
contains shown '  ["a","b"] on '
contains shown "  of each target:"
[ "$(grep -c '^     [ab]: read: IOPS=.*, lat (usec): avg=' shown)" -eq 2 ] || die "not a line for each: $(cat shown)"
"$IOSWEEP" show --json x.db "$(db x.db "select run from results where filename = '$set_text'")" >shown
python3 - shown <<'PY' || die "show --json"
import json, sys
d = json.load(open(sys.argv[1]))
row = d["rows"][0]
assert [t["filename"] for t in d["targets"]] == ["a", "b"]
for k in ("ios", "bytes", "iops", "bw_mib_s"):
    total = sum(t[k] for t in d["targets"])
    assert abs(total - row[k]) <= 1e-9 * total, k
assert max(t["lat_max_us"] for t in d["targets"]) == row["lat_max_us"]
PY
"$IOSWEEP" show --json x.db "$(db x.db "select run from results where filename = 'a'")" | grep -q '"targets":\[\]' || die "one target has rows of its own"
"$IOSWEEP" export x.db --where "filename = '$set_text'" >one
equal "$(wc -l <one)" 2
"$IOSWEEP" best x.db >best
contains best "$set_text"
rm x.db x.csv

# a percentage is of each; where only the smallest one's bytes are the same, it is another combination
expect_exit 0 "$IOSWEEP" run --set 'filename=[["a","b"]]' --set rw=read --set 'size=["50%","1m"]' --set benchmark_type=size --db x.db "$@"
equal "$(db x.db "select group_concat(ios) from (select ios from results order by ios)")" "512,768"
equal "$(db x.db "select count(*) from results where size = 1048576")" 2
rm x.db x.csv

# made, a directory with a file for each job among them, laid out, written, flushed, and removed
mkdir d
"$IOSWEEP" plan --set 'filename=[["d","new"]]' --set rw=write --set size=1m --set numjobs=2 --set runtime=1 "$@" >planned
contains planned '["d","new"]: 2 targets at once'
contains planned "layout"
expect_exit 0 "$IOSWEEP" run --set 'filename=[["d","new"]]' --set rw=write,read --set size=1m --set numjobs=2 --set benchmark_type=size --set keep=1 \
	--db x.db "$@"
equal "$(find d new -type f | sort | tr '\n' ' ')" "d/iosweep.0.dat d/iosweep.1.dat new "
equal "$(db x.db "select group_concat(ios), min(flush_s > 0) from results where rw = 'write'")" "1024|1"
equal "$(db x.db "select group_concat(filename || ' ' || ios, ', ') from (select * from target_result where op = 1 order by target)")" "d 512, new 512"
equal "$(db x.db "select group_concat(filename || ' ' || written_bytes, ', ') from (select * from target_result where op = 1 order by target)")" \
	"d 4194304, new 3145728" # layout and run
equal "$(db x.db "select written_before_bytes from results where rw = 'write'")" 3145728
"$IOSWEEP" run --set 'filename=[["d","new"]]' --set rw=write --set size=1m --set benchmark_type=size --db y.db "$@" 2>err ||
	die "what we made is ours: $(cat err)"
rm -rf x.db x.csv y.db y.csv d new
mkdir d
expect_exit 0 "$IOSWEEP" run --set 'filename=[["d","new"]]' --set rw=write --set size=1m --set benchmark_type=size --db x.db "$@"
equal "$(find d new -type f 2>/dev/null)" ""
rm x.db x.csv

# one that is not there, or there twice: skipped, and the rest runs
ln -s a alias
expect_exit 1 "$IOSWEEP" run --set 'filename=[["a","missing/x"],["a","alias"],"b"]' --set rw=read --set benchmark_type=size --db x.db "$@"
equal "$(db x.db "select status, error from results where filename like '%missing%'")" "skipped|no such directory: $scratch/missing"
equal "$(db x.db "select status, error from results where filename like '%alias%'")" "skipped|a and alias are the same: once is enough among targets at once"
equal "$(db x.db "select status from results where filename = 'b'")" ok
rm x.db x.csv

# one that belongs to somebody else refuses all, before the first byte
sum=$(cat a b | sha256sum)
expect_exit 4 "$IOSWEEP" run --set 'filename=[["new","b"]]' --set rw=write --set size=1m --set runtime=1 --db x.db "$@"
contains err "b: "
contains err "may_overwrite"
equal "$(cat a b | sha256sum)" "$sum"
[ ! -e new ] && [ ! -e x.db ] || die "something was made"

# what fails on one fails the run, which names it
cp b short
"$IOSWEEP" run --set 'filename=[["a","short"]]' --set rw=read --set runtime=5 --db y.db "$@" >out 2>err &
pid=$!
eventually attempts y.db running 1
truncate -s 1M short
rc=0
wait $pid || rc=$?
equal $rc 1 "$(cat err)"
equal "$(db y.db "select status, error like 'read of 4096 bytes at offset % past the end: the target was cut (ENODATA), on short' from results")" "failed|1"
equal "$(db y.db "select group_concat(filename || ' ' || (errors > 0)) from (select * from target_result order by target)")" "a 0,short 1"
rm y.db y.csv

# no target at all is needed by null; devices are simulated one at a time
expect_exit 0 "$IOSWEEP" run --set 'filename=[["a","b"]]' --set rw=write --set ioengine=null --set size=1m --set runtime=50ms --set ramp_time=0 --db x.db
equal "$(db x.db "select depth_total, (select count(*) from target_result where ios > 0) from results")" "2|2"
equal "$(cat a b | sha256sum)" "$sum"
expect_exit 3 "$IOSWEEP" plan --set 'filename=[["a","b"]]' --set rw=read --set ioengine=sim --set runtime=1
contains err 'sim for ["a","b"]: devices are simulated one at a time'

# killed and gone on with: nothing twice, nothing lost, the same files; what each was written is not forgotten
rm x.db x.csv
"$IOSWEEP" run --set 'filename=[["m","n"]]' --set rw=write --set size=1m --set bs=4k,8k,16k --set runtime=400ms --set repeats=2 --db x.db "$@" >out 2>err &
pid=$!
eventually attempts x.db ok 1
kill -KILL $pid
wait $pid 2>/dev/null || :
expect_exit 0 "$IOSWEEP" resume x.db
equal "$(db x.db "select count(*), count(distinct combination || repeat) from results where status = 'ok'")" "6|6"
equal "$(db x.db "select count(*) from target_result t join result r on r.run_id = t.run_id and r.op = t.op group by t.run_id, t.op having sum(t.ios) <> r.ios")" ""
equal "$(db x.db "select count(*) from (select written_bytes > lag(written_bytes) over (partition by target order by run_id) as more from target_result where op = 1) where more = 0")" 0
[ ! -e m ] && [ ! -e n ] || die "files are left"

# another file in the place of one of them: not gone on with
"$IOSWEEP" run --set 'filename=[["a","b"]]' --set rw=randread --set bs=4k,8k --set runtime=2 --db z.db "$@" >out 2>err &
pid=$!
eventually attempts z.db running 1
kill -TERM $pid
wait $pid || equal $? 143
cp b c && mv c b
expect_exit 4 "$IOSWEEP" resume z.db
contains err "b: is another file than when this sweep began"
