#!/bin/sh
# The figures of the methods, each with its limit: coverage of the intervals, doubts, misleading values, time per run, repeats,
# percentiles, cost, on simulated devices whose long-run mean is known. Exit 1 when one is missed.
#   prove-methods.sh [--short]     --short: fewer runs, under a minute
set -eu
cd "$(dirname "$0")/.."
runs=1000
case ${1:-} in
--short) runs=200 ;;
'') ;;
*) sed -n '2,/^set/ { s/^# \{0,1\}//p }' "$0" >&2; exit 2 ;;
esac
make --no-print-directory all build/release/bench/prove_methods >&2
exec build/release/bench/prove_methods "$runs"
