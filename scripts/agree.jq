# scripts/agree.jq: from the runs that agree.sh recorded to what it prints. What two programs saw is compared pair by pair.

def median: sort | length as $n
	| if $n == 0 then null elif $n % 2 == 1 then .[($n - 1) / 2] else (.[$n / 2 - 1] + .[$n / 2]) / 2 end;
def percent: . * 1000 | round / 10 | "\(if . > 0 then "+" else "" end)\(.) %";

# One figure of one direction: the median of the differences, and half of what they spread over
def differ(f): (map(select(.who == "iosweep"))) as $a | (map(select(.who == "fio"))) as $b
	| [$a[] | . as $x | $b[] | select(.pair == $x.pair) | select(f and ($x | f)) | ($x | f) / f - 1]
	| if length == 0 then null else {off: median, spread: ((max - min) / 2), n: length}
		| . + {ok: ((.off | fabs) <= ([0.05, .spread] | max))} end;

def figures: group_by(.op) | map({op: .[0].op, IOPS: differ(.iops), mean: differ(.mean_us), p99: differ(.p99_us)});
def each_figure: .figures[] | .op as $op | ("IOPS", "mean", "p99") as $name | {$op, $name, value: .[$name]};

def combination: .[0] as $first | ($first | {target, rw, bs, engine, depth})
	+ {figures: figures, doubts: (map(.doubts // "" | select(. != "")) | unique), fio_user_share: (map(.user_share // empty) | median)}
	| . as $c | ([each_figure | select(.value)]) as $all
	| . + {verdict: (if ($all | length) == 0 then "none" elif all($all[]; .value.ok) then "agrees" else "differs" end),
		says: ([$all[] | "\(.op) \(.name) \(.value.off | percent) (pairs \(.value.spread | percent))"]
			+ (if $c.doubts == [] then [] else ["doubts: \($c.doubts | join(" "))"] end)
			+ ["fio's user CPU \($c.fio_user_share // 0 | . * 100 | round) %"] | join(", "))};

group_by([.target, .rw, .bs, .engine, .depth]) | map(combination)
	| {date: $date, iosweep: $iosweep, fio: $fio, pairs: $pairs, ms: $ms, agree: (map(select(.verdict == "agrees")) | length),
		combinations: .}
