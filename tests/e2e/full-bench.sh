# The bench goes through with runs too short to mean anything, has every part in its table, and leaves nothing behind, also when it
# is stopped in the middle.
. "$(dirname "$0")/functions.sh"
requires_root
requires fio
requires jq
unset MAKEFLAGS MAKELEVEL
cd "$root"
nothing_left() {
	equal "$(ls -A "$scratch/disk")" '' 'on the disk'
	equal "$(ls -A "$scratch/tmp")" '' 'temporary files'
	lacks /proc/self/mountinfo "$scratch/tmp"
	equal "$(find /sys/fs/cgroup -maxdepth 2 -name 'iosweep-bench-*')" '' 'a throttle'
}
mkdir "$scratch/disk" "$scratch/tmp"
export TMPDIR="$scratch/tmp" BENCH_N=1 BENCH_MS=100
remove_json() { rm -f "$root/${json:-results/none}"; }
cleanup_fn remove_json
scripts/bench.sh --dir "$scratch/disk" >"$scratch/table" 2>"$scratch/err" || { cat "$scratch/err"; die 'the bench failed'; }
json=$(sed -n 's/.*all of it: //p' "$scratch/err")
nothing_left
for part in a b c d e n; do
	grep -q "^| $part | " "$scratch/table" || { cat "$scratch/table"; die "no part $part"; }
done
equal "$(scripts/bench-table.sh "$json")" "$(cat "$scratch/table")"
contains "$scratch/table" "rows whose histogram is not ios | 0 |"

for after in 3 9; do
	timeout -s TERM $after scripts/bench.sh --dir "$scratch/disk" --only d >/dev/null 2>&1 && die 'not stopped'
	nothing_left
done
