#!/bin/sh
# Run the unit test programs given as arguments; print only what fails, and one line per program.
set -u
fail=0
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
for t in "$@"; do
	timeout 300 "$t" >"$log" 2>&1
	rc=$?
	passed=$(grep -c '^\[       OK \]' "$log")
	bad=$(grep -c '^\[  FAILED  \] [a-z]' "$log")
	if [ "$rc" -eq 0 ]; then
		printf 'unit %s: %s passed, 0 failed\n' "${t##*/}" "$passed"
	else
		cat "$log"
		[ "$bad" -gt 0 ] || bad=1
		printf 'unit %s: %s passed, %s failed (exit %s)\n' "${t##*/}" "$passed" "$bad" "$rc"
		fail=1
	fi
done
exit $fail
