#!/usr/bin/env bash
# Does iosweep see what fio sees? 20 combinations of rw, bs, depth and engine with profile=fio, on this disk and behind a delay
# of 1 ms, each run by both in turns; prints a table, and writes results/agree-<UTC>.json.
#   agree.sh [--pairs N] [--ms MS] [--dir DIR] [--only REGEX]
# --only: of "disk, write, 1m, io_uring, depth 4" and the others, those that it fits. --pairs: of runs (5). --ms: length of a run (2000). --dir: the disk to measure on (default: results/).
# fio runs the job that `iosweep export --format fio-job` writes. Of each figure the median of the pairs' ratios counts: it agrees
# within 5 %, or within half of what the pairs spread over, whichever is larger. Exit code 1: fewer than 9 in 10 agree.
# Both make new data for every write (refill_buffers): making it takes time, too.
# To be run on a machine that does nothing else: about 8 minutes.
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin
export LC_ALL=C
cd "$(dirname "$0")/.."
# shellcheck source=scripts/packages.sh
. scripts/packages.sh
# shellcheck source=scripts/bench-lab.sh
. scripts/bench-lab.sh

pairs=5 ms=2000 dir=results only=.
while [ $# -gt 0 ]; do
	[ $# -ge 2 ] || usage
	case $1 in
	--pairs) pairs=$2 ;;
	--ms) ms=$2 ;;
	--dir) dir=$2 ;;
	--only) only=$2 ;;
	*) usage ;;
	esac
	shift 2
done
# shellcheck disable=SC2034 # of bench-lab.sh
disk_mib=512
lab_open "$dir"
pairs_file=$tmp/pairs # one JSON object a run and op
: >"$pairs_file"
databases=0

ours() {
	db=$tmp/$((++databases)).db
	"$iosweep" run -q --db "$db" --set filename="$file" --set may_overwrite="$file" --set profile=fio --set rw="$rw" --set bs="$bs" \
		--set ioengine="$engine" --set iodepth="$depth" --set refill_buffers=1 --set runtime="${ms}ms" \
		--set ramp_time=$((ms / 5))ms 2>"$tmp/err" ||
		{ say "iosweep failed: $(tail -n 1 "$tmp/err")"; return 0; }
	"$iosweep" export "$db" --format json | jq -c --argjson cell "$cell" --argjson pair "$pair" '.rows[] | select(.op != "sync")
		| $cell + {$pair, who: "iosweep", op, iops, mean_us: .lat_mean_us, p99_us: .lat_p99_us, doubts}' >>"$pairs_file"
	"$iosweep" export "$db" --format fio-job >"$tmp/job.fio"
}
theirs() {
	fio --output-format=json --output="$tmp/fio.json" "$tmp/job.fio" >"$tmp/err" 2>&1 </dev/null ||
		{ say "fio failed: $(tail -n 1 "$tmp/err")"; return 0; }
	jq -c --argjson cell "$cell" --argjson pair "$pair" '.jobs[0] as $j | "read", "write" | . as $op | $j[$op] | select(.total_ios > 0)
		| $cell + {$pair, who: "fio", $op, iops, mean_us: (.lat_ns.mean / 1000), p99_us: (.lat_ns.percentile["99.000000"] / 1000),
			user_share: ($j.usr_cpu / 100)}' "$tmp/fio.json" >>"$pairs_file"
}

# both TARGET FILE RW BS ENGINE DEPTH: who goes first takes turns, since a disk that drifts favours neither
both() {
	local target=$1 pair
	file=$2 rw=$3 bs=$4 engine=$5 depth=$6
	[[ "$target, $rw, $bs, $engine, depth $depth" =~ $only ]] || return 0
	say "$target, $rw, $bs, $engine, depth $depth"
	cell=$(jq -nc --arg target "$target" --arg rw "$rw" --arg bs "$bs" --arg engine "$engine" --argjson depth "$depth" \
		'{$target, $rw, $bs, $engine, $depth}')
	for ((pair = 1; pair <= pairs; pair++)); do
		if ((pair % 2)); then
			ours
			theirs
		else
			theirs
			ours
		fi
	done
}

if disk_up; then
	both disk "$disk_file" randread 4k io_uring 1
	both disk "$disk_file" randread 4k io_uring 16
	both disk "$disk_file" randread 4k libaio 16
	both disk "$disk_file" randread 64k psync 1
	both disk "$disk_file" read 64k io_uring 4
	both disk "$disk_file" read 1m libaio 4
	both disk "$disk_file" randwrite 4k io_uring 4
	both disk "$disk_file" randwrite 4k libaio 16
	both disk "$disk_file" write 64k psync 1
	both disk "$disk_file" write 1m io_uring 4
	both disk "$disk_file" randrw 4k libaio 4
	both disk "$disk_file" randrw 16k io_uring 16
else
	say "disk: not measured: $why"
fi
if delay_up; then
	both delay "$delay_file" randread 4k io_uring 1
	both delay "$delay_file" randread 4k io_uring 16
	both delay "$delay_file" randread 4k libaio 16
	both delay "$delay_file" randread 4k psync 1
	both delay "$delay_file" randread 64k io_uring 4
	both delay "$delay_file" randread 64k libaio 4
	both delay "$delay_file" read 4k psync 1
	both delay "$delay_file" read 64k io_uring 16
else
	say "delay: not measured: $why"
fi
[ -s "$pairs_file" ] || { echo 'agree: nothing measured' >&2; exit 1; }

json=results/agree-$(date -u +%Y%m%dT%H%M%SZ).json
mkdir -p results
jq -s --arg date "$(date -u +%Y-%m-%dT%H:%M:%SZ)" --arg iosweep "$("$iosweep" --version | head -n 1)" --arg fio "$(fio --version)" \
	--argjson pairs "$pairs" --argjson ms "$ms" -f scripts/agree.jq "$pairs_file" >"$tmp/result"
mv "$tmp/result" "$json"
jq -r '.combinations[] | [.target, .rw, .bs, .engine, "depth \(.depth)", .verdict, .says] | @tsv' "$json" | awk -F '\t' '
	{ printf "%-6s %-10s %-4s %-9s %-9s %-8s %s\n", $1, $2, $3, $4, $5, $6, $7 }'
jq -r '"\(.agree) of \(.combinations | length) agree"' "$json"
say "all of it: $json"
jq -e '.agree >= 0.9 * (.combinations | length)' "$json" >/dev/null
