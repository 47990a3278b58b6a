#!/bin/sh
# Run the unit test programs given as arguments: one line each; the output only of what fails. UNIT_KIND names the variant,
# UNIT_WRAPPER is put in front of each program.
set -u
: "${UNIT_KIND:=unit}" "${UNIT_WRAPPER:=}"
fail=0
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
names() { sed -n "s/^\[ *$1 *\] \([a-z][a-z0-9_]*\)\$/\1/p" "$log" | sort -u | wc -l; } # cmocka says it twice
for t in "$@"; do
	# shellcheck disable=SC2086 # a command with its arguments
	timeout -k 10 300 $UNIT_WRAPPER "$t" >"$log" 2>&1 </dev/null
	rc=$?
	passed=$(grep -c '^\[       OK \]' "$log")
	skipped=$(names SKIPPED)
	bad=$(names FAILED)
	if [ "$rc" -eq 0 ]; then
		bad=0
		[ "$passed" -gt 0 ] || [ "$skipped" -gt 0 ] || bad=1 # a program without a test tests nothing
	elif [ "$bad" -eq 0 ]; then
		bad=1
	fi
	[ "$bad" -eq 0 ] || { cat "$log"; fail=1; }
	printf '%s %s: %s passed, %s failed, %s skipped\n' "$UNIT_KIND" "${t##*/}" "$passed" "$bad" "$skipped"
done
exit $fail
