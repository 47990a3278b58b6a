#!/bin/sh
# Run tests/e2e/test-*.sh (or those named); exit 77 of one is a skip with its reason on the last line.
set -u
cd "$(dirname "$0")/.." || exit 1
: "${IOSWEEP:=$PWD/build/iosweep}"
export IOSWEEP
pass=0 fail=0 skip=0
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
[ $# -gt 0 ] || set -- tests/e2e/test-*.sh
for t in "$@"; do
	[ -e "$t" ] || continue
	timeout 300 sh "$t" >"$log" 2>&1
	case $? in
	0) pass=$((pass + 1)); echo "e2e ${t##*/}: ok" ;;
	77) skip=$((skip + 1)); echo "e2e ${t##*/}: skipped: $(tail -n 1 "$log")" ;;
	*) fail=$((fail + 1)); cat "$log"; echo "e2e ${t##*/}: FAILED" ;;
	esac
done
echo "e2e: $pass passed, $fail failed, $skip skipped"
[ "$fail" -eq 0 ]
