# What the bench makes of runs: medians of pairs, starting taken off the CPU time, verdicts.
. "$(dirname "$0")/functions.sh"
requires jq
cat >runs <<'END'
{"part":"a","target":"null","engine":"null","depth":32,"who":"iosweep","kind":"start","repeat":1,"ios":100,"cpu_s":0.01}
{"part":"a","target":"null","engine":"null","depth":32,"who":"fio","kind":"start","repeat":1,"ios":100,"cpu_s":0.1}
{"part":"a","target":"null","engine":"null","depth":32,"who":"iosweep","kind":"run","repeat":1,"ios":1000100,"cpu_s":0.06,"own_cpu_us":0.04}
{"part":"a","target":"null","engine":"null","depth":32,"who":"fio","kind":"run","repeat":1,"ios":1000100,"cpu_s":0.6}
{"part":"a","target":"null","engine":"null","depth":32,"who":"iosweep","kind":"run","repeat":2,"ios":1000100,"cpu_s":0.11,"own_cpu_us":0.08}
{"part":"a","target":"null","engine":"null","depth":32,"who":"fio","kind":"run","repeat":2,"ios":1000100,"cpu_s":0.6}
{"part":"a","target":"null","engine":"null","depth":32,"who":"iosweep","kind":"run","repeat":3,"ios":1000100,"cpu_s":0.16,"own_cpu_us":0.15}
{"part":"a","target":"null","engine":"null","depth":32,"who":"fio","kind":"run","repeat":3,"ios":1000100,"cpu_s":0.6}
{"part":"b","target":"zram","engine":"io_uring","depth":32,"who":"iosweep","kind":"run","repeat":1,"ios":300000,"cpu_s":1,"iops":300000,"depth_mean":31.5,"doubts":"unwritten","own_cpu_us":3.3}
{"part":"b","target":"zram","engine":"io_uring","depth":32,"who":"fio","kind":"run","repeat":1,"ios":200000,"cpu_s":1,"iops":200000}
{"part":"b","target":"zram","engine":"io_uring","depth":32,"who":"tuned","kind":"run","repeat":1,"ios":310000,"cpu_s":1,"iops":310000}
{"part":"b","target":"zram","engine":"libaio","depth":32,"who":"iosweep","kind":"run","repeat":1,"ios":300000,"cpu_s":1,"iops":300000,"depth_mean":16,"doubts":"cpu-bound","own_cpu_us":3.3}
{"part":"c","who":"core","kind":"gap","repeat":1,"gaps":1000,"p50_ms":0.2,"p99_ms":1.5,"max_ms":2}
{"part":"c","who":"core","kind":"sim","repeat":1,"runs":5,"one_job_ms":35.5,"many_jobs_ms":45}
{"part":"c","who":"iosweep","kind":"sweep","repeat":1,"runs":1000,"windows_s":10,"elapsed_s":10.9,"gap_ms":0.7}
{"part":"c","who":"fio","kind":"process","repeat":1,"runs":1,"windows_s":0.01,"elapsed_s":0.31}
{"part":"d","target":"disk","engine":"psync","depth":1,"who":"iosweep","kind":"run","repeat":1,"ios":1,"iops":1010,"lat_us":990,"p50_us":980,"p99_us":1040,"doubts":"","options":"profile=fio"}
{"part":"d","target":"disk","engine":"psync","depth":1,"who":"fio","kind":"run","repeat":1,"ios":1,"iops":1000,"lat_us":1000,"p50_us":1000,"p99_us":1000,"user_cpu_us":2}
{"part":"d","target":"delay","engine":"psync","depth":1,"who":"iosweep","kind":"run","repeat":1,"ios":1,"iops":1040,"lat_us":990,"p50_us":980,"p99_us":1040,"doubts":"","options":"profile=fio"}
{"part":"d","target":"delay","engine":"psync","depth":1,"who":"fio","kind":"run","repeat":1,"ios":1,"iops":1000,"lat_us":1000,"p50_us":1000,"p99_us":1000,"user_cpu_us":2}
{"part":"d","target":"throttle","engine":"psync","depth":1,"who":"iosweep","kind":"run","repeat":1,"ios":1,"iops":1040,"lat_us":100,"p50_us":98,"p99_us":104,"doubts":"","options":"profile=fio"}
{"part":"d","target":"throttle","engine":"psync","depth":1,"who":"fio","kind":"run","repeat":1,"ios":1,"iops":1000,"lat_us":100,"p50_us":100,"p99_us":100,"user_cpu_us":2}
{"part":"e","target":"disk","unit":"iops","limit":500,"engine":"psync","depth":1,"who":"iosweep","kind":"open","repeat":1,"iops":9000}
{"part":"e","target":"disk","unit":"iops","limit":500,"engine":"psync","depth":1,"who":"iosweep","kind":"run","repeat":1,"iops":501,"bytes":1,"window_s":5,"doubts":""}
{"part":"e","target":"disk","unit":"iops","limit":500,"engine":"psync","depth":1,"who":"fio","kind":"run","repeat":1,"iops":510,"bytes":1,"window_s":5}
{"part":"e","target":"disk","unit":"iops","limit":2000,"engine":"psync","depth":1,"who":"iosweep","kind":"open","repeat":1,"iops":2100}
{"part":"e","target":"disk","unit":"bps","limit":1000,"engine":"psync","depth":1,"who":"iosweep","kind":"run","repeat":1,"iops":1,"bytes":5200,"window_s":5,"doubts":""}
{"part":"d","target":"zram","kind":"absent","why":"needs zram"}
{"part":"n","who":"iosweep","kind":"numbers","repeat":1,"rows":9,"histogram_differs":0,"intervals_differ":1,"percentile_error":0.0031}
END
figures() {
	jq -n --arg date D --arg iosweep I --arg fio F --arg kernel K --arg cpu C --argjson cpus 2 --argjson repeats 3 --argjson truth_ms 5000 \
		--arg quick '' --arg only "$1" --arg load 0 --argjson seconds 1 --slurpfile runs runs -f "$root/scripts/bench.jq"
}
figures abcde >json
jq -r '.figures[] | select(.verdict != "") | "\(.what): \(.value | if . then . * 1000 | round / 1000 else . end) \(.verdict)"' json >out
cat >want <<'END'
CPU per I/O, null, depth 32, of fio: 0.2 short
CPU per I/O, null, depth 32, of tuned: null not measured
IOPS, io_uring, depth 32, of fio: 1.5 ok
IOPS, io_uring, depth 32, of tuned: 0.968 short
CPU per I/O, io_uring, depth 32, of fio: 0.667 short
CPU per I/O, io_uring, depth 32, of tuned: 1.033 short
IOPS, libaio, depth 32, of fio: null not measured
IOPS, libaio, depth 32, of tuned: null not measured
CPU per I/O, libaio, depth 32, of fio: null not measured
CPU per I/O, libaio, depth 32, of tuned: null not measured
gap between runs, not stored, p50: 0.2 ok
gap between runs, not stored, p99: 1.5 short
gap between runs, stored, mean: 0.7 ok
simulated run of 30 s at 10,000 IOPS: 35.5 ok
agreement with fio, delay, psync, depth 1: 4 short
agreement with fio, disk, psync, depth 1: 4 ok
agreement with fio, throttle, psync, depth 1: 4 not compared
throttle truth, IOPS, iosweep, median error: 0.2 ok
throttle truth, IOPS, iosweep, worst error: 0.2 ok
throttle truth, bandwidth, iosweep, median error: 4 short
throttle truth, bandwidth, iosweep, worst error: 4 short
throttle truth, bandwidth, fio, median error: null not measured
throttle truth, bandwidth, fio, worst error: null not measured
own column cpu_us_per_io, off the operating system by: 25 short
Little's law: depth_mean off iodepth: 1.563 ok
rows whose histogram is not ios: 0 ok
rows whose intervals are not the totals: 1 short
percentiles off sorted samples by: 0.31 ok
END
diff want out || die 'other figures'
contains json '2 of 3 count'
equal "$(jq -r '.figures[] | select(.what == "CPU per I/O, null, depth 32, of fio") | "\(.min * 1000 | round) \(.max * 1000 | round) \(.n) \(.beside)"' json)" \
	'100 300 3 iosweep 100, fio 500, tuned - ns'
equal "$(figures c | jq -r '[.figures[].part] | unique | join(" ")')" 'c n'

# the table, and where the README takes it
cp -r "$root/scripts" scripts
printf '%s\n' before '<!-- bench -->' old '<!-- end of bench -->' after >README.md
sh scripts/bench-table.sh json >table
contains table '| c | gap between runs, not stored, p99 | 1.5 ms |  | <= 1 ms | short | longest 2 ms |'
contains table '| a | CPU per I/O, null, depth 32, of fio | 0.2x | 0.1 to 0.3 | <= 0.125x | short | iosweep 100, fio 500, tuned - ns |'
contains table '| d | zram | | | | not measured | needs zram |'
sh scripts/bench-table.sh --readme "$PWD/json"
{ printf '%s\n' before '<!-- bench -->'; cat table; printf '%s\n' '<!-- end of bench -->' after; } >want
diff want README.md
echo nothing >README.md
expect_exit 1 sh scripts/bench-table.sh --readme "$PWD/json"
contains err 'README.md has no line: <!-- bench -->'

# what the scripts take, wherever they are called from
for script in agree bench prove-real; do
	expect_exit 2 bash "../${scratch##*/}/scripts/$script.sh" --no-such-option
	contains err "  $script.sh ["
done
for script in agree bench; do
	expect_exit 2 bash "scripts/$script.sh" --dir /nowhere/at/all
	contains err "$script: no directory to write to: /nowhere/at/all"
done
