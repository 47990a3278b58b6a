#!/bin/sh
# bench-table.sh [--readme] JSON: the figures of a results/bench-<UTC>.json as one table, in Markdown. --readme: between the
# markers in README.md instead.
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C
readme=
if [ "${1:-}" = --readme ]; then
	readme=y
	shift
fi
[ $# -eq 1 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }

table() {
	jq -r '
		def short: if . == null then "-" elif . == 0 then "0" else . as $v | (2 - ($v | fabs | log10 | floor)) as $d
			| (if $d < 0 then 0 else $d end) as $d | ($v * pow(10; $d) | round) / pow(10; $d) | tostring end;
		def with($unit): if $unit == "" then . elif $unit == "x" then . + "x" else "\(.) \($unit)" end;
		"Measured \(.date) with \(.iosweep) and \(.fio), Linux \(.kernel), \(.cpus) CPUs (\(.cpu)): \(
			if .quick then "quick, " else "" end)\(.repeats) repeats, \(.seconds) s.",
		"",
		"| | what | reached | min to max | target | | beside |",
		"|---|---|---|---|---|---|---|",
		(.figures[] | .unit as $u
			| "| \(.part) | \(.what) | \(if .value == null then "" else .value | short | with($u) end) | \(
			if .min == null or .n < 2 then "" else "\(.min | short) to \(.max | short)" end) | \(
			if .target == null then "" else "\(.op) \(.target | short | with($u))" end) | \(.verdict) | \(.beside) |"),
		(.absent[] | "| \(.part) | \(.target) | | | | not measured | \(.why) |")' "$1"
}

[ -n "$readme" ] || { table "$1"; exit; }
text=$(mktemp)
new=$(mktemp)
trap 'rm -f "$text" "$new"' EXIT
table "$1" >"$text"
awk -v text="$text" '
	/^<!-- bench -->$/ { print; while ((getline line < text) > 0) print line; inside = 1; seen = 1; next }
	/^<!-- end of bench -->$/ { inside = 0 }
	!inside { print }
	END { exit !seen }' README.md >"$new" || { echo "$0: README.md has no line: <!-- bench -->" >&2; exit 1; }
cat "$new" >README.md
