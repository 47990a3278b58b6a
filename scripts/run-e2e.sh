#!/bin/sh
# Run tests/e2e/test-*.sh (or those named): one line each, logs in build/logs, sums at the end. Exit 77 of one is a skip
# with its reason on the last line. Up to E2E_JOBS (2) at a time; those with a line "# alone" come afterwards one by one.
set -u
cd "$(dirname "$0")/.." || exit 1
: "${IOSWEEP:=$PWD/build/iosweep}" "${E2E_JOBS:=2}" "${E2E_KIND:=e2e}"
export IOSWEEP E2E_JOBS E2E_KIND
mkdir -p build/logs

one() {
	log=build/logs/$E2E_KIND-${1##*/}.log
	began=$(date +%s)
	timeout -k 10 "${E2E_TIMEOUT:-300}" sh "$1" >"$log" 2>&1 </dev/null
	rc=$?
	echo "$(($(date +%s) - began)) s ${1##*/}" >>"build/logs/$E2E_KIND.times"
	case $rc in
	0) echo "$E2E_KIND ${1##*/}: ok" ;;
	77) echo "$E2E_KIND ${1##*/}: skipped: $(tail -n 1 "$log")" ;;
	*) printf '%s\n%s\n' "$(tail -n 40 "$log")" "$E2E_KIND ${1##*/}: FAILED, see $log" ;;
	esac
}
if [ "${1:-}" = --one ]; then
	one "$2"
	exit 0
fi

[ $# -gt 0 ] || set -- tests/e2e/test-*.sh
lines=build/logs/$E2E_KIND.lines
for t in "$@"; do grep -q '^# alone' "$t" || printf '%s\n' "$t"; done | xargs -r -n 1 -P "$E2E_JOBS" sh "$0" --one | tee "$lines"
for t in "$@"; do grep -q '^# alone' "$t" && one "$t"; done | tee -a "$lines"
count() { grep -c "^$E2E_KIND test-[^ ]*: $1" "$lines"; }
pass=$(count ok) skip=$(count skipped)
fail=$(($# - pass - skip)) # also one that left no line
echo "$E2E_KIND: $pass passed, $fail failed, $skip skipped"
[ "$fail" -eq 0 ]
