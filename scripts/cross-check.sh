#!/bin/sh
# Runs the jobs of N runs of a sweep (10), taken at random, again in fio, and prints both side by side.
#   cross-check.sh [--write] [--seed S] DB [N]
# Reads, and writes to what the sweep made: a file of it that is gone is made anew and removed. With --write also to other files
# of the sweep that are there. Never to a device. The same seed (1) takes the same runs.
set -u
LC_ALL=C
export LC_ALL
usage() {
	sed -n '2,/^set/ { s/^# \{0,1\}//p; }' "$0" >&2
	exit 2
}
write='' seed=1
while [ $# -gt 0 ]; do
	case $1 in
	--write) write=y ;;
	--seed) [ $# -ge 2 ] || usage; seed=$2; shift ;;
	-*) usage ;;
	*) break ;;
	esac
	shift
done
[ $# -ge 1 ] && [ $# -le 2 ] || usage
db=$1 n=${2:-10}
case $n$seed in *[!0-9]*) usage ;; esac
iosweep=${IOSWEEP:-$(dirname "$0")/../build/iosweep}
case $db in /*) ;; *) db=$PWD/$db ;; esac
case $iosweep in /*) ;; *) iosweep=$PWD/$iosweep ;; esac
for tool in fio jq; do
	command -v $tool >/dev/null || { echo "cross-check: $tool is not installed" >&2; exit 5; }
done

tmp=$(mktemp -d "${TMPDIR:-/tmp}/iosweep-cross-check.XXXXXX") || exit 6
made='' # the file that is there for the job at hand
forget() {
	[ -z "$made" ] || rm -f -- "$made"
	made=''
}
trap 'forget; rm -rf "$tmp"' EXIT
trap 'exit 130' HUP INT TERM

"$iosweep" export "$db" --format json --where "status = 'ok' and ioengine <> 'sim'" -o "$tmp/rows.json" || exit
jq -r '[.rows[].run] | unique[]' "$tmp/rows.json" | awk -v seed="$seed" 'BEGIN { srand(seed) } { printf "%.9f %s\n", rand(), $1 }' |
	sort | head -n "$n" | cut -d ' ' -f 2 | sort -n >"$tmp/runs"
[ -s "$tmp/runs" ] || { echo 'cross-check: no run of it ended ok' >&2; exit 5; }

option() { sed -n "s/^$1=//p" "$tmp/job.fio" | tail -n 1; }
writes() { case $(option rw) in read | randread) return 1 ;; esac; }
is_ours() { "$iosweep" probe --json "$1" 2>/dev/null | jq -e '.targets[0].ours == true' >/dev/null; }

# How far the jobs reach into a file: fio replaces one that is smaller.
reach() {
	increment=$(option offset_increment) offset=$(option offset)
	case $offset in *%) offset=0 ;; esac # within the file
	echo $((${offset:-0} + $(option size) + ${increment:-0} * ($(option numjobs) - 1)))
}

# May this job run? Else why not.
permitted() {
	why=''
	file=$(option filename | sed 's/\\:/:/g')
	if [ "$(option ioengine)" = null ]; then
		return 0
	elif [ -z "$file" ]; then
		why='a directory: its files go with the sweep'
	elif [ -b "$file" ]; then
		! writes || why='it writes to a device'
	elif [ ! -e "$file" ]; then
		if (set -C && : >"$file") 2>/dev/null; then
			made=$file
		else
			why="$file is not there and cannot be made"
		fi
	elif [ ! -f "$file" ]; then
		why="$file is no file"
	elif [ "$(stat -Lc %s -- "$file")" -lt "$(reach)" ]; then
		why="$file is smaller than the job needs"
	elif writes && [ -z "$write" ] && ! is_ours "$file"; then
		why="it writes to $file (permitted by --write)"
	fi
	[ -z "$why" ]
}

skipped() { printf '%6s  %-28s not run: %s\n' "$run" "$(sed -n 's/^\[\(.*\)\]$/\1/p' "$tmp/job.fio" | head -n 1)" "$1"; }

printf '%6s  %-28s %-5s %32s %32s %32s\n' '' '' '' 'IOPS: iosweep, fio, ratio' 'mean us: iosweep, fio, ratio' \
	'p99 us: iosweep, fio, ratio'
while read -r run; do
	"$iosweep" export "$db" --format fio-job --run "$run" -o "$tmp/job.fio" || exit
	start=$(sed -n 's/^; file names are relative to //p' "$tmp/job.fio")
	[ -z "$start" ] || cd "$start" || exit 5
	grep -q '^\[' "$tmp/job.fio" || { skipped "$(sed -n '$ s/^; //p' "$tmp/job.fio")"; continue; }
	# a section each, of which fio has no sum; and each would have to be permitted
	[ "$(grep -c '^\[' "$tmp/job.fio")" -eq 1 ] || { skipped 'several targets at once'; continue; }
	permitted || { skipped "$why"; continue; }
	if ! fio --output-format=json --output="$tmp/fio.json" "$tmp/job.fio" >"$tmp/fio.out" 2>&1 </dev/null; then
		skipped "fio failed: $(tail -n 1 "$tmp/fio.out")"
	else
		jq -r --slurpfile fio "$tmp/fio.json" --argjson run "$run" '
			.rows[] | select(.run == $run) | . as $row | $fio[0].jobs[0][$row.op] | select(. != null)
			| [$row.run, $row.label, $row.op, $row.iops, .iops, $row.lat_mean_us, .lat_ns.mean / 1000,
				$row.lat_p99_us, (.lat_ns.percentile["99.000000"] // null | if . then . / 1000 else . end)]
			| map(. // "-") | @tsv' "$tmp/rows.json" | tee -a "$tmp/pairs" | awk -F '\t' '
			function rounded(v, form) { return v == "-" ? v : sprintf(form, v) }
			function pair(a, b) {
				return sprintf("%12s %12s %6s", rounded(a, "%.1f"), rounded(b, "%.1f"),
					rounded(a == "-" || b == "-" || b == 0 ? "-" : a / b, "%.3f"))
			}
			{ printf "%6d  %-28s %-5s %s %s %s\n", $1, $2, $3, pair($4, $5), pair($6, $7), pair($8, $9) }'
	fi
	forget
done <"$tmp/runs"
if [ -s "$tmp/pairs" ]; then
	awk -F '\t' '
		$4 != "-" && $5 > 0 { n++; r = $4 / $5; near += r >= 0.95 && r <= 1.05 }
		END { printf "%d of %d within 5 %% in IOPS; the device at another time is another device\n", near, n }' "$tmp/pairs"
fi
