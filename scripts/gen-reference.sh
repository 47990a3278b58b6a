#!/bin/sh
# Write the reference sections of README.md, between the markers, from what `iosweep help TOPIC` prints. --check: change
# nothing, fail when they are stale.
set -eu
cd "$(dirname "$0")/.."
: "${IOSWEEP:=build/iosweep}"
new=$(mktemp)
trap 'rm -f "$new"' EXIT

topic=
while IFS= read -r line; do
	case $line in
	'<!-- reference '*' -->')
		topic=${line#<!-- reference } topic=${topic% -->}
		text=$("$IOSWEEP" help "$topic")
		# shellcheck disable=SC2016 # backquotes of a fence
		printf '%s\n```text\n%s\n```\n' "$line" "$text"
		;;
	'<!-- end of reference -->') topic= ;;
	esac
	[ -n "$topic" ] || printf '%s\n' "$line"
done <README.md >"$new"

if [ "${1:-}" = --check ]; then
	diff -u README.md "$new" && exit 0
	echo "README.md: the reference is stale: make reference" >&2
	exit 1
fi
cmp -s "$new" README.md || cat "$new" >README.md
