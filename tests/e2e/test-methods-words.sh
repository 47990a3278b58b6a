# What the course of a run says about its numbers, on simulated devices: columns, words, and the sentences of `show`.
. "$(dirname "$0")/functions.sh"
requires sqlite3
device() { printf '{"size":"100g","servers":10,"read":{"base":"1ms","spread":"lognormal","cv":0.3},"noise":%s}\n' "$2" >"$1.json"; }
device quiet '{"cv":0.02}'
device stalls '{"cv":0.02},"stalls":{"every":"5s","for":"600ms"}'
device step '{"cv":0.02},"steps":[{"at":"20s","factor":0.6}]'
device levels '{"cv":0.02},"modes":{"factor":0.7,"high":"1s","low":"1s"}'
device wanders '{"cv":0.02},"wave":{"period":"10s","amplitude":0.2}'
device limited '{"cv":0},"iops":3000'

# NAME RUNTIME: one run, its row
measure() {
	expect_exit 0 "$IOSWEEP" run -q --set ioengine=sim --set "filename=$1.json" --set rw=randread --set bs=4k --set iodepth=10 \
		--set ramp_time=2 --set "runtime=$2" --db "$1-$2.db"
}
row() { db "$1" "select confidence, stop_reason, doubts, notes from results"; }

measure quiet 20
equal "$(row quiet-20.db)" 'ok|runtime||'
equal "$(db quiet-20.db 'select iops_half_width_pct between 0.05 and 1, batches, rho between 0 and 0.7, iops_half_width_repro_pct is null,
	lat_p99_low_us <= lat_p99_us and lat_p99_us <= lat_p99_high_us from results')" '1|20|1|1|1'
"$IOSWEEP" show quiet-20.db 1 >shown
contains shown 'iops 95%    : +-'
contains shown 'p99 95%     : '
measure quiet 4
equal "$(row quiet-4.db)" 'short|runtime||'
equal "$(db quiet-4.db 'select iops_half_width_pct is null and batches is null and rho is null from results')" 1

measure stalls 20
equal "$(db stalls-20.db "select confidence, ' ' || doubts || ' ' like '% stalls %' from results")" 'stalls|1'
"$IOSWEEP" show stalls-20.db 1 >shown
contains shown 'times the rate fell below half its median, which cost'
measure step 30
equal "$(db step-30.db "select ' ' || doubts || ' ' like '% drift %' from results")" 1
measure levels 30
equal "$(db levels-30.db "select ' ' || doubts || ' ' like '% bimodal %' from results")" 1
"$IOSWEEP" show levels-30.db 1 | grep -qE 'bimodal: [67][0-9]{3} IOPS in [0-9]+ % of the window and [0-9]+ IOPS in [0-9]+ %' || die 'not both levels'
measure wanders 30
equal "$(db wanders-30.db "select ' ' || doubts || ' ' like '% unsteady %', notes like '%wide%' from results")" '1|1'
measure limited 10
equal "$(row limited-10.db)" 'ok|runtime||rate-limited'

# a run that ends with its work
expect_exit 0 "$IOSWEEP" run -q --set ioengine=sim --set filename=quiet.json --set rw=read --set bs=64k --set size=64m --db size.db
equal "$(db size.db 'select confidence, stop_reason from results')" 'short|size'
