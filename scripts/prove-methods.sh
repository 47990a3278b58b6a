#!/bin/sh
# The figures of the methods, each with its limit: coverage of the intervals, doubts, misleading values, time per run, repeats,
# percentiles, cost; on series whose long-run mean is known, and on simulated devices through `iosweep run`. Exit 1 when one is
# missed.
#   prove-methods.sh [--short]     --short: fewer runs, under a minute
set -eu
export LC_ALL=C
cd "$(dirname "$0")/.."
runs=1000 repeats=203
case ${1:-} in
--short) runs=200 repeats=103 ;;
'') ;;
*) sed -n '2,/^set/ { s/^# \{0,1\}//p }' "$0" >&2; exit 2 ;;
esac
# shellcheck source=scripts/packages.sh
. scripts/packages.sh
need command:sqlite3=sqlite3
make --no-print-directory all build/release/bench/prove_methods >&2
iosweep=$PWD/build/iosweep
missed=
build/release/bench/prove_methods "$runs" || missed=y

tmp=$(mktemp -d "${TMPDIR:-/tmp}/iosweep-prove.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
cd "$tmp"

# NAME MEMBERS: a device of 10,000 IOPS with these members
device() {
	printf '{"size":"100g","servers":10,"read":{"base":"1ms"},"noise":%s}\n' "$2" >"$1.json"
}
device quiet '{"cv":0.01,"rho":0.3}'
device white-noise '{"cv":0.05}'
device ar-.5 '{"cv":0.05,"rho":0.5}'
device ramp-up '{"cv":0.05,"rho":0.5},"ramp_up":{"tau":"1s","depth":0.4}'
device spent-credits '{"cv":0.03,"rho":0.5},"credits":{"size":100000,"refill":3000}'
device heat '{"cv":0.03,"rho":0.5},"heat":{"after":"8s","per_s":0.01,"floor":0.7}'
device ar-.9 '{"cv":0.15,"rho":0.9}'
device stalls-every-3s '{"cv":0.03,"rho":0.5},"stalls":{"every":"3s","for":"500ms","factor":0.1}'
device stalls-every-9s '{"cv":0.03,"rho":0.5},"stalls":{"every":"9s","for":"500ms","factor":0.1}'
device two-levels '{"cv":0.02,"rho":0.3},"modes":{"factor":0.8,"high":"2s","low":"2s"}'
printf '{"ioengine":"sim","filename":[%s],"rw":"randread","bs":"4k","iodepth":32,"ramp_time":5,"runtime":30,"repeats":%s,"seed":7}\n' \
	"$(printf '"%s",' ./*.json | sed 's/,$//')" $repeats >sweep.cfg
"$iosweep" run -q sweep.cfg --db r.db >/dev/null

# LIMIT WHAT SQL: a percentage that must be at least LIMIT
figure() {
	value=$(sqlite3 r.db "$3")
	if [ "$(echo "$value $1" | awk '{ print ($1 >= $2) }')" -eq 1 ]; then verdict=ok; else verdict=MISSED missed=y; fi
	printf '%-6s %8.2f  %-9s %s\n' $verdict "$value" ">= $1 %" "$2"
}
echo "iosweep run, $((repeats - 3)) runs of 30 s each on simulated devices"
rows="from results where status = 'ok' and repeat > 3" # credits are spent and the device is hot by then
for d in quiet,10000 white-noise,10000 ar-.5,10000 ramp-up,10000 spent-credits,3000 heat,7000; do
	name=${d%,*} truth=${d#*,}
	figure 92 "interval holds the mean: $name" \
		"select 100.0 * avg(abs(iops - $truth) <= iops * iops_half_width_pct / 100) $rows and filename = './$name.json'"
done
for name in ar-.9 stalls-every-3s stalls-every-9s two-levels; do
	figure 85 "runs carry a doubt: $name" "select 100.0 * avg(doubts <> '') $rows and filename = './$name.json'"
done
figure 95 'quiet runs are ok, without a doubt' "select 100.0 * avg(confidence = 'ok' and doubts = '') $rows and filename = './quiet.json'"
[ -z "$missed" ]
