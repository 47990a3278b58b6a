# scripts/bench.jq: from the runs that bench.sh recorded ($runs) to the figures of its table. Medians over repeats; what compares
# two programs compares the runs that followed each other, pair by pair.

def median: sort | length as $n
	| if $n == 0 then null elif $n % 2 == 1 then .[($n - 1) / 2] else (.[$n / 2 - 1] + .[$n / 2]) / 2 end;
def round_to($digits): if . == null then null else . * pow(10; $digits) | round / pow(10; $digits) end;
# four significant digits
def short: if . == null then "-" elif . == 0 then "0" else . as $v | (3 - ($v | fabs | log10 | floor)) as $d
	| (if $d < 0 then 0 else $d end) as $d | $v | round_to($d) | tostring end;
def percent: if . == null then "-" else . * 100 | round_to(2) | "\(.) %" end;

# A figure: op "<=" or ">=" and the target, null where it is only told. values: one a repeat
def figure($part; $what; $values; $unit; $op; $target; $beside):
	($values | map(select(. != null))) as $v | ($v | median) as $median
	| {part: $part, what: $what, value: $median, min: ($v | min), max: ($v | max), n: ($v | length),
		unit: $unit, op: $op, target: $target, beside: $beside,
		verdict: (if $median == null then "not measured" elif $target == null then ""
			elif $op == "<=" then (if $median <= $target then "ok" else "short" end)
			else (if $median >= $target then "ok" else "short" end) end)};

def of($who): map(select(.who == $who and .kind == "run"));
# pairs($a; $b; f): f of a over f of b, repeat by repeat
def pairs($a; $b; f): of($a) as $x | of($b) as $y
	| [$x[] | . as $one | ($y[] | select(.repeat == $one.repeat)) as $other | ($one | f) as $p | ($other | f) as $q
		| if $p == null or ($q // 0) == 0 then empty else $p / $q end];

# CPU per I/O in us: starting taken off
def with_cpu: . as $all | map(select(.kind == "run") | . as $r
	| ($all | map(select(.kind == "start" and .who == $r.who))) as $s | ($s | map(.cpu_s) | median // 0) as $cpu
	| ($s | map(.ios) | median // 0) as $ios
	| . + {cpu_us: (if .ios > $ios then (.cpu_s - $cpu) * 1e6 / (.ios - $ios) else null end)});
def cells($part): $runs | map(select(.part == $part and .kind != "absent")) | group_by([.target, .unit, .limit, .engine, .depth]);
def name: "\(.engine), depth \(.depth)";
def beside($names; f; $unit): . as $c | [$names[] | . as $w | "\($w) \($c | of($w) | map(f) | median | short)"] | join(", ") + " \($unit)";

# what a cell must reach: [iops of default, iops of tuned, cpu of default, cpu of tuned]
def must: {
	"null 1": [null, null, 0.333, 0.333], "null 32": [null, null, 0.125, 0.25],
	"io_uring 32": [1.5, 1.0, 0.65, 1.0], "libaio 32": [1.15, null, 1.0, null], "psync 1": [1.08, null, 1.0, null]
};
def cost($part): cells($part) | map(with_cpu | select(length > 0)) | map(. as $c | $c[0] as $first
	| (must["\($first.engine) \($first.depth)"] // [null, null, null, null]) as $m
	| ["iosweep", "fio", "tuned"] as $names
	| (if $part == "a" then empty else
		(["fio", $m[0]], ["tuned", $m[1]]) as [$who, $target]
		| figure($part; "IOPS, \($first | name), of \($who)";
			pairs("iosweep"; $who; .iops); "x"; ">="; $target; ($c | beside($names; .iops; "1/s"))) end),
	((["fio", $m[2]], ["tuned", $m[3]]) as [$who, $target]
	| figure($part; "CPU per I/O, \($first | name), of \($who)";
		pairs("iosweep"; $who; .cpu_us); "x"; "<="; $target; ($c | beside($names; .cpu_us * 1000; "ns")))));

def own_column: [("a", "b") | cells(.)[] | with_cpu | of("iosweep") | select(length > 0)
		| {cell: (.[0] | name), off: (map(if (.own_cpu_us // 0) > 0 and .cpu_us != null
			then .cpu_us / .own_cpu_us - 1 else empty end) | median)}
		| select(.off != null)]
	| (max_by(.off | fabs)) as $worst
	| figure("n"; "own column cpu_us_per_io, off the operating system by"; map(.off | fabs | . * 100) | [max // empty];
		"%"; "<="; 10;
		"worst of \(length) cells\(if $worst then ": " + $worst.cell + ", " + ($worst.off | percent) else "" end)");

def gaps: ($runs | map(select(.part == "c"))) as $c | ($c | map(select(.kind == "gap"))) as $gap
	| ($c | map(select(.kind == "sweep") | (.elapsed_s - .windows_s) * 1000 / .runs)) as $sweep
	| ($c | map(select(.kind == "process") | (.elapsed_s - .windows_s) * 1000)) as $fio
	| figure("c"; "gap between runs, not stored, p50"; $gap | map(.p50_ms); "ms"; "<="; 0.3;
		"\($gap[0].gaps // 0) gaps a repeat"),
	figure("c"; "gap between runs, not stored, p99"; $gap | map(.p99_ms); "ms"; "<="; 1;
		"longest \($gap | map(.max_ms) | max | short) ms"),
	figure("c"; "gap between runs, stored, mean"; $c | map(select(.kind == "sweep") | .gap_ms); "ms"; "<="; 1; ""),
	($c | map(select(.kind == "sim")) as $sim
	| figure("c"; "simulated run of 30 s at 10,000 IOPS"; $sim | map(.one_job_ms); "ms"; "<="; 50;
		"with 32 jobs \($sim | map(.many_jobs_ms) | median | short) ms")),
	figure("c"; "cost of a fio process per run"; $fio; "ms"; null; null; "iosweep \($sweep | median | short) ms, its own start and end in it");

# Agreement: the median of the pairs' differences, against the limit or half of what the pairs spread over, if larger
def differ(f; $limit): pairs("iosweep"; "fio"; f) | map(. - 1) | if length == 0 then null else
	{off: median, spread: ((max - min) / 2), limit: $limit}
	| . + {ok: ((.off | fabs) <= ([.limit, .spread] | max))} end;
def agreement: cells("d") | map(select(.[0].target != "zram")) | map(. as $c | $c[0] as $first
	| ($c | of("fio") | map(if (.lat_us // 0) > 0 then .user_cpu_us / .lat_us else empty end) | median) as $cpu
	| {IOPS: ($c | differ(.iops; 0.03)), lat: ($c | differ(.lat_us; 0.03)),
		p50: ($c | differ(.p50_us; 0.03)), p99: ($c | differ(.p99_us; 0.05))} as $d
	| ([$d[]] | any(. == null)) as $lacking
	| {part: "d", what: "agreement with fio, \($first.target), \($first | name)",
		value: (if $lacking then null else [$d[] | .off | fabs] | max * 100 end),
		min: null, max: null, n: ($c | of("fio") | length), unit: "%", op: "<=", target: 3, differences: $d,
		verdict: (if $lacking or $cpu == null then "not measured" elif $cpu >= 0.02 then "not compared"
			elif [$d[] | .ok] | all then "ok" else "short" end),
		beside: ([$d | to_entries[] | select(.value)
				| "\(.key) \(.value.off | percent) (pairs within \(.value.spread | percent))"]
			+ ["fio's own user CPU \($cpu | percent) of lat"] | join("; "))});
def zram_agreement: cells("d") | map(select(.[0].target == "zram")) | map(. as $c | $c[0] as $first
	| figure("d"; "zram like fio, \($first | name): IOPS of fio"; $c | pairs("iosweep"; "fio"; .iops); "x"; ">="; 1;
		($c | beside(["iosweep", "fio"]; .iops; "1/s"))),
	figure("d"; "zram like fio, \($first | name): lat of fio"; $c | pairs("iosweep"; "fio"; .lat_us); "x"; "<="; 1;
		($c | beside(["iosweep", "fio"]; .lat_us; "us"))));

# Truth: how far a rate is off the limit, in %; a cell counts when the target reaches 1.5 x the limit without it
def rate: if .unit == "bps" then .bytes / .window_s else .iops end;
def truth: cells("e") | map(select(any(.kind == "run"))) as $counted | length as $all
	| ("iosweep", "fio") as $who | (["iops", "IOPS"], ["bps", "bandwidth"]) as [$unit, $word]
	| [$counted[][] | select(.who == $who and .kind == "run" and .unit == $unit)
		| {off: ((rate / .limit - 1) * 100), cell: "\(.target) \(.limit), \(name)"}]
	| (map(.off | fabs)) as $off | (max_by(.off | fabs)) as $worst
	| (if $who == "fio" then null else 1 end) as $judged
	| (figure("e"; "throttle truth, \($word), \($who), median error"; $off; "%"; "<="; (if $judged then 0.3 else null end);
		"\(length) cells; \($counted | length) of \($all) count")),
	(figure("e"; "throttle truth, \($word), \($who), worst error"; [$off | max // empty]; "%"; "<=";
		(if $judged then 100 * 100 / $truth_ms else null end); # a slice of the throttle
		(if $worst then "\($worst.cell): \($worst.off | round_to(2)) %" else "" end)));

def little: [$runs[] | select(.who == "iosweep" and .kind == "run" and .part != "a" and (.engine == "io_uring" or .engine == "libaio")
		and .depth_mean != null and (.doubts | contains("cpu-bound") | not))
		| {off: ((.depth_mean / .depth - 1) | fabs * 100), cell: "\(.part), \(.target), \(name)"}]
	| (max_by(.off)) as $worst | figure("n"; "Little's law: depth_mean off iodepth"; [map(.off) | max // empty]; "%"; "<="; 2;
		"worst of \(length) runs\(if $worst then ": " + $worst.cell else "" end)");

def numbers: ($runs | map(select(.kind == "numbers"))[0]) as $x
	| figure("n"; "rows whose histogram is not ios"; [$x.histogram_differs]; ""; "<="; 0; "of \($x.rows // 0)"),
	figure("n"; "rows whose intervals are not the totals"; [$x.intervals_differ]; ""; "<="; 0; "of \($x.rows // 0)"),
	figure("n"; "percentiles off sorted samples by"; [$x.percentile_error | if . then . * 100 else . end]; "%"; "<="; 0.4;
		"worst of p50 to p99.99 of 1,000,000");

{date: $date, iosweep: $iosweep, fio: $fio, kernel: $kernel, cpu: $cpu, cpus: $cpus, load_at_end: $load,
	quick: ($quick != ""), repeats: $repeats, seconds: $seconds,
	figures: [((cost("a")[], cost("b")[], gaps, agreement[], zram_agreement[], truth) | select(.part as $p | $only | contains($p))),
		(if $only | test("[ab]") then own_column else empty end),
		(if $only | test("[bde]") then little else empty end), numbers],
	absent: [$runs[] | select(.kind == "absent") | {part, target, why}], runs: [$runs[] | select(.kind != "absent")]}
