#!/usr/bin/env bash
# What intervals and doubts are worth on real runs: devices in memory under throttles that are known. Untouched runs must carry
# no doubt, and their intervals hold the limit; whatever disturbs a run must raise its doubt. Each figure with its limit; exit 1
# when one is missed. What cannot be tried here is skipped, with the reason; nothing that was there before is touched.
#   prove-real.sh [--short]     needs root; --short: a few short runs, half a minute; else 50 of 12 s, three minutes
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin
export LC_ALL=C
cd "$(dirname "$0")/.."
# shellcheck source=scripts/packages.sh
. scripts/packages.sh
# shellcheck source=scripts/bench-lab.sh
. scripts/bench-lab.sh

# repeats in each lane, their seconds; window and step of the run that is slowed down; least percentage of untouched runs
repeats=10 seconds=12 step_window=30 step_at=20 least=92
case ${1:-} in
--short) repeats=1 seconds=7 step_window=8 step_at=5 least=80 ;;
'') ;;
*) usage ;;
esac
need command:sqlite3=sqlite3
[ -n "${IOSWEEP:-}" ] || make --no-print-directory all >&2
iosweep=${IOSWEEP:-$PWD/build/iosweep} programs=$PWD/build/release/bench

trap finish EXIT
trap 'exit 1' HUP INT TERM
tmp=$(mktemp -d "${TMPDIR:-/tmp}/iosweep-prove.XXXXXX")
later "rm -rf --one-file-system '$tmp'"
missed=''

figure() { # OK VALUE LIMIT TEXT
	[ -n "$1" ] || missed=y
	printf '%-7s %9s  %-24s %s\n' "${1:-MISSED}" "$2" "$3" "$4"
}
skipped() { printf '%-7s %9s  %-24s %s\n' skipped - "$why" "$1"; } # TEXT

memory_up() {
	needs_root || return
	mkdir "$tmp/ram"
	# shellcheck disable=SC2016 # expanded by the cleanup
	later '! mountpoint -q "$tmp/ram" || patiently umount "$tmp/ram"'
	mount -t tmpfs -o size=600m iosweep-prove "$tmp/ram" 2>"$tmp/mount.err" || { why="no tmpfs: $(head -n 1 "$tmp/mount.err")"; return 1; }
}

loop_up() { # NAME IOPS: sets $loop, a device over 64 MiB of noise, throttled
	head -c 64M /dev/urandom >"$tmp/ram/$1"
	loop=$(losetup -f --show "$tmp/ram/$1" 2>"$tmp/loop.err") || { why="no loop device: $(head -n 1 "$tmp/loop.err")"; return 1; }
	later "patiently losetup -d $loop"
	slow_down "$loop" "$2"
}

slow_down() { # LOOP IOPS
	limit "$(cat "/sys/block/${1#/dev/}/dev")" iops "$2"
}

# sweep NAME KEY=VALUE...: random reads of 4k by a sweep in the throttled group, into $tmp/NAME.db
sweep() {
	local name=$1 pair set=()
	shift
	for pair; do
		set+=(--set "$pair")
	done
	# shellcheck disable=SC2016,SC2154 # for the inner shell; $throttle is the lab's
	sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$throttle" "$iosweep" run -q --db "$tmp/$name.db" --set rw=randread --set bs=4k \
		--set name="$name" "${set[@]}" </dev/null >"$tmp/$name.out" 2>"$tmp/$name.err" ||
		echo "prove-real: $name: exit $?: $(tail -n 1 "$tmp/$name.err")" >&2
}
of() { # NAME SQL
	[ ! -s "$tmp/$1.db" ] || sqlite3 -readonly -separator ' ' "$tmp/$1.db" "$2"
}

# Runs that other work of this host disturbed say so themselves.
disturbed="(doubts like '%cpu-bound%' or doubts like '%vm-steal%' or doubts like '%throttled%')"

# raises WORDS NAME TEXT: is one of the words among the doubts of the rows?
raises() {
	local doubts word
	doubts=$(of "$2" "select distinct doubts from results where status = 'ok'" | tr '\n' ' ')
	for word in ${1//|/ }; do
		if [[ " $doubts " == *" $word "* ]]; then
			figure ok "$word" "$1" "$3"
			return
		fi
	done
	if [ "$(of "$2" "select 2 * total($disturbed) > count(*) from results where status = 'ok'")" = 1 ]; then
		why='busy host'
		skipped "$3"
	else
		figure '' "${doubts:-none}" "$1" "$3"
	fi
}

# --- untouched: lanes at the same time, each on a device of its own ---

lanes=('500 io_uring 1' '1000 psync 1' '1000 io_uring 16' '1500 libaio 4' '2000 libaio 16')
begin_untouched() {
	local lane
	for lane in "${lanes[@]}"; do
		# shellcheck disable=SC2086 # three words
		set -- $lane
		loop_up "$1-$2-$3" "$1" || return
		sweep "$1-$2-$3" filename="$loop" ioengine="$2" iodepth="$3" ramp_time=1 runtime="$seconds" repeats="$repeats" &
		jobs+=($!)
	done
}
judge_untouched() { # of the runs that the host left alone
	local lane all=0 left=0 held=0 quiet=0 row
	for lane in "${lanes[@]}"; do
		# shellcheck disable=SC2086
		set -- $lane
		read -r -a row < <(of "$1-$2-$3" "select count(*), total(not $disturbed), total(not $disturbed and doubts = ''),
			total(not $disturbed and ifnull(abs(iops - $1) <= iops * iops_half_width_pct / 100, 0)) from results where status = 'ok'") || row=(0 0 0 0)
		all=$((all + row[0])) left=$((left + ${row[1]%.*})) quiet=$((quiet + ${row[2]%.*})) held=$((held + ${row[3]%.*}))
		of "$1-$2-$3" "select printf('  $1 IOPS, %s, depth %d: %.1f +-%.2f %% %s %s', ioengine, iodepth, iops, iops_half_width_pct, confidence, doubts)
			from results where not $disturbed and (doubts <> '' or ifnull(abs(iops - $1) > iops * iops_half_width_pct / 100, 1))"
	done
	why="busy host: $((all - left)) of $all runs"
	if [ $((2 * left)) -le "$all" ]; then
		skipped 'untouched runs carry no doubt, and the interval holds the limit'
		return
	fi
	row=($((100 * quiet / left)) $((100 * held / left)))
	figure "$([ "${row[0]}" -lt "$least" ] || echo ok)" "${row[0]}" ">= $least %" "no doubt: $left untouched runs of $seconds s under a constant throttle"
	figure "$([ "${row[1]}" -lt "$least" ] || echo ok)" "${row[1]}" ">= $least %" 'the interval of these holds the limit'
}

# --- disturbed ---

stepped() {
	sweep stepped filename="$1" ioengine=psync ramp_time=1 runtime="$step_window" &
	sleep $((1 + step_at))
	slow_down "$1" 500
	wait $!
}
beside_dd() {
	sweep dd filename="$1" ioengine=psync ramp_time=1 runtime=5 &
	while kill -0 $! 2>/dev/null; do
		dd if="$1" of=/dev/null bs=1M count=1 iflag=direct 2>/dev/null || :
		sleep 0.1
	done
}
stalling() { # FILE PID: of the process that serves the file
	sweep stalling filename="$1" ioengine=psync ramp_time=1 runtime=6 &
	sleep 3
	kill -STOP "$2"
	sleep 1.5
	kill -CONT "$2"
	wait $!
}
between_sentinels() {
	local i known
	sweep sentinels filename="$1" ioengine=io_uring iodepth=1,2,4,8 repeats=4 ramp_time=200ms runtime=800ms sentinels=2s &
	for ((i = 0; i < 300; i++)); do
		known=$(of sentinels "select count(*) from all_runs where purpose = 'sentinel' and status = 'ok'" 2>/dev/null || :)
		[ "${known:-0}" -lt 3 ] || break
		sleep 0.1
	done
	slow_down "$1" 400
	wait $!
}
beside_hogs() {
	local i hogs=()
	for ((i = 0; i < 2 * $(nproc); i++)); do
		(while :; do :; done) &
		hogs+=($!)
	done
	later "kill ${hogs[*]} 2>/dev/null"
	sweep hogs filename="$1" ioengine=psync ramp_time=500ms runtime=4
	kill "${hogs[@]}"
	wait "${hogs[@]}" 2>/dev/null || :
}
fuse_up() { # sets $delay_file, $fuse
	pkg-config --exists fuse3 2>/dev/null || { why='needs libfuse3'; return 1; }
	make --no-print-directory "${programs#"$PWD/"}/fuse_delay" >&2 || { why='fuse_delay was not built'; return 1; }
	delay_up || return
	fuse=$!
	later "kill -CONT $fuse 2>/dev/null"
}

if ! memory_up || ! throttle_up; then
	skipped 'runs under a throttle'
	exit 0
fi
jobs=() stalled=''
fuse_up || stalled=$why # first: it may have to be built
if ! begin_untouched || ! { loop_up stepped 1000 && steps=$loop; } || ! { loop_up dd 1000 && shared=$loop; } ||
	! { loop_up sentinels 1000 && watched=$loop; }; then
	wait "${jobs[@]}"
	skipped 'runs under a throttle'
	exit 0
fi
stepped "$steps" & jobs+=($!)
beside_dd "$shared" & jobs+=($!)
between_sentinels "$watched" & jobs+=($!)
[ -n "$stalled" ] || { stalling "$delay_file" "$fuse" & jobs+=($!); }
wait "${jobs[@]}"
beside_hogs "$shared"

judge_untouched
raises 'drift|stalls|bimodal|unsteady' stepped "a throttle stepped down after $step_at of $step_window s"
raises foreign-io dd 'a dd on the device'
why=$stalled
if [ -n "$why" ]; then skipped 'a FUSE target that stalls'; else raises stalls stalling 'a FUSE target that stalls for 1.5 s'; fi
raises cpu-bound hogs 'a CPU hog'
raises drift sentinels 'a throttle changed between two sentinels'
[ -z "$missed" ]
