#!/bin/sh
# `compare` over imports: fio's percentiles leave the submission out, ours do not, and that is said before any number.
# shellcheck source=tests/e2e/functions.sh
. "$(dirname "$0")/functions.sh"
requires jq
clat=$root/tests/fixtures/fio/3.33_group4_randrw70.json
jq '.jobs[] |= reduce ("read", "write") as $op (.; .[$op] |= (.lat_ns.percentile = .clat_ns.percentile | del(.clat_ns.percentile)))' \
	"$clat" >lat.json
expect_exit 0 "$IOSWEEP" import "$clat" --db clat.db
expect_exit 0 "$IOSWEEP" import lat.json --db lat.db
said='lat_p99_us is not comparable: in A it is of the completion latency (clat), without the submission, in B of the whole latency (lat) (clat-percentiles)'

expect_exit 0 "$IOSWEEP" compare clat.db lat.db --metric lat_p99_us
contains out "note: $said"
[ "$(grep -n 'not comparable' out | cut -d: -f1)" -lt "$(grep -n '^cells: ' out | cut -d: -f1)" ] || die 'said after the numbers'
expect_exit 5 "$IOSWEEP" compare clat.db lat.db --metric lat_p99_us --fail-on regression
contains err '--fail-on: not comparable'
expect_exit 0 "$IOSWEEP" compare clat.db lat.db --metric lat_p99_us --json
equal "$(jq -c .percentiles out)" '{"clat_a":2,"clat_b":0,"comparable":false}'
equal "$(jq -r '.notes[0]' out)" "$said"

# one kind on both sides, and what is no percentile
expect_exit 0 "$IOSWEEP" compare clat.db clat.db --metric lat_p99_us --json
equal "$(jq -c .percentiles out)" '{"clat_a":2,"clat_b":2,"comparable":true}'
lacks out 'not comparable'
expect_exit 0 "$IOSWEEP" compare clat.db lat.db --metric iops --json
equal "$(jq -c .percentiles out)" null
