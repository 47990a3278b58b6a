#!/usr/bin/env bash
# How fast and how exact, beside fio: prints one table, writes results/bench-<UTC>.json.
#   bench.sh [--quick] [--dir DIR] [--only PARTS]
# --dir: the disk to measure on (default: results/). --only: of the parts
#   a CPU per I/O, null engine    b ext4 on zram    c gap between runs    d agreement with fio    e throttle truth
# Programs take turns, A B C A B C ..., and what counts is the median of the turns, with the smallest and the largest.
# CPU time is what the operating system charged to all processes of a program, less what the same program is charged for a run
# of 10 ms: starting is compared in part c. Nothing is judged by exit code: 0 when it could measure.
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin
export LC_ALL=C
cd "$(dirname "$0")/.."
# shellcheck source=scripts/packages.sh
. scripts/packages.sh
# shellcheck source=scripts/bench-lab.sh
. scripts/bench-lab.sh

quick='' dir=results only=abcde
while [ $# -gt 0 ]; do
	case $1 in
	--quick) quick=y ;;
	--dir) [ $# -ge 2 ] || usage; dir=$2; shift ;;
	--only) [ $# -ge 2 ] || usage; only=${2//,/}; shift ;;
	*) usage ;;
	esac
	shift
done

# repeats; ms of a run in parts a and b, d, d under a throttle (whose slices are 100 ms), e; ramp of e; sweeps of c; MiB of the file on the disk
if [ -n "$quick" ]; then
	n=3 cost_ms=400 agree_ms=500 throttle_ms=3000 truth_ms=1000 ramp_ms=300 sweeps=1 disk_mib=256
else
	n=5 cost_ms=1000 agree_ms=1200 throttle_ms=5000 truth_ms=5000 ramp_ms=2000 sweeps=2 disk_mib=512
fi
# to try the script itself: figures of such runs mean nothing
n=${BENCH_N:-$n}
if [ -n "${BENCH_MS:-}" ]; then
	cost_ms=$BENCH_MS agree_ms=$BENCH_MS throttle_ms=$BENCH_MS truth_ms=$BENCH_MS ramp_ms=$BENCH_MS sweeps=1 disk_mib=64
fi

lab_open "$dir"
mkdir "$tmp/db"
runs=$tmp/runs # one JSON object a line
: >"$runs"
databases=0
part() { [[ $only == *$1* ]]; }
not_here() { # PART TARGET: with the reason
	say "$1: not measured: $2: $why"
	jq -nc --arg part "$1" --arg target "$2" --arg why "$why" '{part: $part, target: $target, kind: "absent", why: $why}' >>"$runs"
}

# timed command...: elapsed, user and system seconds of it and all that it waited for into $times; its output into $tmp/out
group='' # the throttle that it runs under
timed() {
	local rc=0 TIMEFORMAT='%R %U %S'
	# shellcheck disable=SC2016 # for the inner shell
	[ -z "$group" ] || set -- sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$@"
	{ time "$@" >"$tmp/out" 2>"$tmp/err" </dev/null; } 2>"$tmp/times" || rc=$?
	read -r -a times <"$tmp/times"
	[ $rc -eq 0 ] || say "failed ($rc): $* $(tail -n 1 "$tmp/err")"
	return $rc
}

# record WHO KIND REPEAT FILTER: what $tmp/out says, as an object; $cell says what was measured
cell='{}'
record() {
	jq -c --argjson cell "$cell" --arg who "$1" --arg kind "$2" --argjson repeat "$3" --argjson real "${times[0]}" \
		--argjson user "${times[1]}" --argjson sys "${times[2]}" \
		'$cell + {who: $who, kind: $kind, repeat: $repeat, elapsed_s: $real, cpu_s: ($user + $sys)} + ('"$4"')' "$tmp/out" >>"$runs"
}

# ours KIND REPEAT KEY=VALUE...; theirs WHO KIND REPEAT OPTION...: one run of iosweep or fio
ours() {
	local kind=$1 repeat=$2 db=$tmp/db/$((++databases)).db set=() pair
	shift 2
	for pair; do
		set+=(--set "$pair")
	done
	timed "$iosweep" run -q --db "$db" --set rw=randread --set ramp_time=0 "${set[@]}" || return 0
	"$iosweep" export "$db" --format json -o - >"$tmp/out"
	record iosweep "$kind" "$repeat" '.rows[0] | {ios, bytes, window_s, iops: .run_iops, lat_us: .lat_mean_us, p50_us: .lat_p50_us,
		p99_us: .lat_p99_us, own_cpu_us: .cpu_us_per_io, depth_mean, doubts, notes, options}'
}
theirs() {
	local who=$1 kind=$2 repeat=$3
	shift 3
	timed fio --name=bench --output-format=json --rw=randread --time_based "$@" || return 0
	record "$who" "$kind" "$repeat" '.jobs[0] as $j | $j.read | {ios: .total_ios, bytes: .io_bytes, window_s: (.runtime / 1000), iops,
		lat_us: (.lat_ns.mean / 1000), p50_us: ((.lat_ns.percentile["50.000000"] // 0) / 1000),
		p99_us: ((.lat_ns.percentile["99.000000"] // 0) / 1000), user_cpu_us: ($j.usr_cpu * $j.job_runtime * 10 / ([.total_ios, 1] | max))}'
}

batches=(--norandommap --thread --iodepth_batch=16 --iodepth_batch_complete_min=1 --iodepth_batch_complete_max=32)

# cost PART TARGET ENGINE DEPTH SIZE FILE: iosweep, fio, tuned fio in turn, and what a run of 10 ms costs
cost() {
	local repeat kind ms where=(--filename="$6" --direct=1) tuned=("${batches[@]}")
	say "$1: $2, $3, depth $4"
	[ "$3" != null ] || where=()
	case $3 in
	io_uring) tuned+=(--fixedbufs=1 --registerfiles=1) ;;
	psync) tuned=(--norandommap --thread) ;;
	esac
	cell=$(jq -nc --arg part "$1" --arg target "$2" --arg engine "$3" --argjson depth "$4" '{$part, $target, $engine, $depth}')
	for ((repeat = 1; repeat <= n; repeat++)); do
		for kind in start run; do
			ms=$cost_ms
			if [ $kind = start ]; then
				[ $repeat -le 3 ] || continue
				ms=10
			fi
			ours $kind $repeat filename="$6" ioengine="$3" bs=4k iodepth="$4" size="$5" runtime=${ms}ms
			theirs fio $kind $repeat --ioengine="$3" --bs=4k --iodepth="$4" --size="$5" --runtime=${ms}ms "${where[@]}"
			theirs tuned $kind $repeat --ioengine="$3" --bs=4k --iodepth="$4" --size="$5" --runtime=${ms}ms "${where[@]}" "${tuned[@]}"
		done
	done
}

# agree TARGET FILE MS RAMP_MS CELL...: the same work, done the same way; a cell is engine:depth
agree() {
	local target=$1 file=$2 ms=$3 ramp=$4 repeat engine depth one first
	shift 4
	for one; do
		engine=${one%:*} depth=${one#*:}
		say "d: $target, $engine, depth $depth"
		cell=$(jq -nc --arg target "$target" --arg engine "$engine" --argjson depth "$depth" '{part: "d", $target, $engine, $depth}')
		for ((repeat = 1; repeat <= n; repeat++)); do
			first=$((repeat % 2)) # who goes first takes turns: a disk that drifts favours neither
			[ $first -eq 0 ] || agree_ours
			theirs fio run $repeat --filename="$file" --direct=1 --ioengine="$engine" --bs=4k --iodepth="$depth" --runtime=${ms}ms \
				--ramp_time=${ramp}ms --lat_percentiles=1 --clat_percentiles=0
			[ $first -eq 1 ] || agree_ours
		done
	done
}
agree_ours() {
	ours run $repeat filename="$file" ioengine="$engine" bs=4k iodepth="$depth" runtime=${ms}ms ramp_time=${ramp}ms "${profile[@]}"
}

# truth TARGET FILE DEVICE iops|bps LIMIT BS: iosweep and fio under a limit, where the target reaches 1.5 times as much without
truth() {
	local engine depth
	for one in io_uring:1 io_uring:16 libaio:1 libaio:16 psync:1; do # psync holds one I/O at any depth
		engine=${one%:*} depth=${one#*:}
		say "e: $1, $4 limit $5, $engine, depth $depth"
		cell=$(jq -nc --arg target "$1" --arg unit "$4" --argjson limit "$5" --arg engine "$engine" --argjson depth "$depth" \
			'{part: "e", $target, $unit, $limit, $engine, $depth}')
		group=''
		ours open 1 filename="$2" ioengine="$engine" bs="$6" iodepth="$depth" runtime=$((truth_ms / 10))ms
		tail -n 1 "$runs" | jq -e --argjson c "$cell" 'select(.kind == "open") | (if $c.unit == "iops" then .iops else .bytes / .window_s end)
			>= 1.5 * $c.limit' >"$tmp/reached" || continue
		limit "$3" "$4" "$5"
		group=$throttle
		ours run 1 filename="$2" ioengine="$engine" bs="$6" iodepth="$depth" runtime=${truth_ms}ms ramp_time=${ramp_ms}ms
		theirs fio run 1 --filename="$2" --direct=1 --ioengine="$engine" --bs="$6" --iodepth="$depth" --runtime=${truth_ms}ms \
			--ramp_time=${ramp_ms}ms
		limit "$3" "$4" max
	done
	group=''
}

gaps() {
	local repeat db=$dir/iosweep.scratch.bench.$$.db # on a disk: storing is part of it
	# shellcheck disable=SC2016 # a cleanup
	later 'rm -f "$dir/iosweep.scratch.bench.$$".*'
	say 'c: runs without storing'
	cell='{"part":"c"}'
	for ((repeat = 1; repeat <= n; repeat++)); do
		timed "$programs/core_gap" 1000 1 || continue
		record core gap $repeat .
	done
	say 'c: simulated runs of 30 s at 10,000 IOPS'
	for ((repeat = 1; repeat <= n; repeat++)); do
		timed "$programs/sim_run" 5 || continue
		record core sim $repeat .
	done
	for ((repeat = 1; repeat <= sweeps; repeat++)); do
		say 'c: a sweep of 1,000 runs of 10 ms'
		rm -f "$db" "${db%.db}.csv"
		timed "$iosweep" run -q --db "$db" --set filename=none --set ioengine=null --set size=1g --set runtime=10ms --set ramp_time=0 \
			--set rw=read,randread,write,randwrite --set 'bs=[{"from":"4k","to":"100k","plus":"4k"}]' \
			--set 'iodepth=[{"from":1,"to":10,"plus":1}]' || continue
		"$iosweep" export "$db" --format json -o - >"$tmp/out"
		# from the start of the first window to the start of the last: every window but the last, and every gap
		record iosweep sweep $repeat 'def seconds: (.[:19] + "Z" | fromdateiso8601) + (.[20:23] | tonumber / 1000);
			.rows | sort_by(.run) | {runs: length, windows_s: (map(.window_s) | add),
			gap_ms: (((.[-1].started_utc | seconds) - (.[0].started_utc | seconds) - (.[:-1] | map(.window_s) | add)) * 1000 / (length - 1))}'
	done
	say 'c: a fio process per run'
	for ((repeat = 1; repeat <= 2 * n; repeat++)); do
		timed fio --name=bench --output-format=json --ioengine=null --size=1g --rw=randread --time_based --runtime=10ms || continue
		record fio process $repeat '.jobs[0].read | {runs: 1, windows_s: (.runtime / 1000)}'
	done
}

profile=()
! "$iosweep" help axes | grep -q '^  profile ' || profile=(profile=fio)
on_disk='' on_zram='' throttled=''
if part d || part e; then
	disk_up && on_disk=y || not_here de disk
fi
if part b || part d || part e; then
	zram_up && on_zram=y || not_here bde zram
fi
if part d || part e; then
	if [ -n "$on_disk" ] && [ -z "$disk_device" ]; then
		why="the file system of $dir is on no single block device: --dir names another"
		not_here de throttle
	else
		throttle_up && throttled=y || not_here de throttle
	fi
fi

if part a; then
	cost a null null 1 1g none
	cost a null null 32 1g none
fi
if part b && [ -n "$on_zram" ]; then
	for one in io_uring:1 io_uring:32 libaio:1 libaio:32 psync:1; do
		cost b zram "${one%:*}" "${one#*:}" 256m "$zram_file"
	done
fi
if part c; then
	gaps
fi
if part d; then
	if [ -n "$on_disk" ]; then
		agree disk "$disk_file" $((2 * agree_ms)) 0 io_uring:16 libaio:16 psync:1
	fi
	if [ -n "$on_disk" ] && [ -n "$throttled" ]; then
		limit "$disk_device" iops 2000
		group=$throttle
		agree throttle "$disk_file" $throttle_ms $ramp_ms io_uring:16 libaio:16 psync:1
		group=''
		limit "$disk_device" iops max
	fi
	if delay_up; then
		agree delay "$delay_file" $agree_ms 0 io_uring:16 libaio:16 psync:1
	else
		not_here d delay
	fi
	if [ -n "$on_zram" ]; then
		agree zram "$zram_file" $agree_ms 0 io_uring:32 libaio:32 psync:1
	fi
fi
if part e && [ -n "$throttled" ]; then
	if [ -n "$on_disk" ]; then
		truth disk "$disk_file" "$disk_device" iops 500 4k
		truth disk "$disk_file" "$disk_device" iops 2000 4k
		truth disk "$disk_file" "$disk_device" bps $((20 << 20)) 64k
	fi
	if [ -n "$on_zram" ]; then
		truth zram "$zram_file" "$zram_device" iops 20000 4k
	fi
fi
[ -s "$runs" ] || { echo 'bench: nothing measured' >&2; exit 1; }
cell='{"part":"n"}'
find "$tmp/db" -name '*.db' -print0 | sort -z >"$tmp/list"
mapfile -d '' -t list <"$tmp/list"
if timed "$programs/check_numbers" "${list[@]}"; then
	record iosweep numbers 1 .
fi

stamp=$(date -u +%Y%m%dT%H%M%SZ)
json=results/bench-$stamp.json
jq -n --arg date "$(date -u +%Y-%m-%dT%H:%M:%SZ)" --arg iosweep "$("$iosweep" --version | head -n 1)" --arg fio "$(fio --version)" \
	--arg kernel "$(uname -r)" --arg cpu "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" --argjson cpus "$(nproc)" \
	--argjson repeats "$n" --argjson truth_ms "$truth_ms" --arg quick "$quick" --arg only "$only" \
	--arg load "$(cut -d ' ' -f 1 /proc/loadavg)" --argjson seconds $((SECONDS - began)) --slurpfile runs "$runs" \
	-f scripts/bench.jq >"$tmp/result"
mkdir -p results
mv "$tmp/result" "$json"
scripts/bench-table.sh "$json"
say "all of it: $json"
