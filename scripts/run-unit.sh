#!/bin/sh
# Run the unit test programs given as arguments, UNIT_JOBS (3) at a time: one line each; the output only of what fails.
# UNIT_KIND names the variant, UNIT_WRAPPER is put in front of each program.
set -u
: "${UNIT_KIND:=unit}" "${UNIT_WRAPPER:=}" "${UNIT_JOBS:=3}"
export UNIT_KIND UNIT_WRAPPER
names() { sed -n "s/^\[ *$1 *\] \([a-z][a-z0-9_]*\)\$/\1/p" "$log" | sort -u | wc -l; } # cmocka says it twice

one() {
	log=$(mktemp) || exit 1
	trap 'rm -f "$log"' EXIT
	# shellcheck disable=SC2086 # a command with its arguments
	timeout -k 10 300 $UNIT_WRAPPER "$1" >"$log" 2>&1 </dev/null
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
	line="$UNIT_KIND ${1##*/}: $passed passed, $bad failed, $skipped skipped"
	[ "$bad" -eq 0 ] || line="$(cat "$log")
$line"
	printf '%s\n' "$line" # at once: others write as well
	exit "$bad"
}
if [ "${1:-}" = --one ]; then
	one "$2"
fi
printf '%s\n' "$@" | xargs -r -n 1 -P "$UNIT_JOBS" sh "$0" --one || exit 1
