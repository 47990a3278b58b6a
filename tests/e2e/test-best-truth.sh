#!/bin/sh
# `best` on simulated devices whose truth is known: 8 servers of 100 us and a cap of 800 MiB/s.
. "$(dirname "$0")/functions.sh"
requires jq
cat >device.json <<'J'
{"name": "known", "size": "1g", "servers": 8, "bandwidth": "800m",
 "read": {"base": "100us"}, "write": {"base": "200us"}}
J
"$IOSWEEP" run -q --db a.db --set name=a --set ioengine=sim --set filename=device.json --set rw=randread,randwrite,randrw \
	--set bs=4k,8k,16k,32k,64k --set numjobs=1,2 --set iodepth=1,2,4,8,16 --set runtime=2 --set ramp_time=100ms --set repeats=2
"$IOSWEEP" best a.db --json --limit 'lat_p99_us<=150' --limit 'lat_p99_us<=1' >a.json
group() { jq -r --arg rw "$1" ".groups[] | select(.rw == \$rw) | $2" a.json; }
# reads: 80,000 IOPS with 8 in flight; 8k then gives 625 MiB/s, 16k the cap, for which 5 would do and 8 is the least measured
equal "$(group randread '"\(.sweet_spot.bs) \(.sweet_spot.numjobs) \(.sweet_spot.iodepth) \(.sweet_spot.ioengine)"')" '16384 1 8 sim'
group randread '.peak.bw_mib_s' | awk '{ exit !($1 > 792 && $1 < 808) }' || die 'not the cap'
# writes take twice as long: 8k gives 312, 16k 625, 32k the cap
equal "$(group randwrite '"\(.sweet_spot.bs) \(.sweet_spot.numjobs) \(.sweet_spot.iodepth)"')" '32768 1 8'
# many choices reach the cap: which of them is a matter of chance, and it is said
equal "$(group randread '.tied_with_peak > 3')" true
# 100 us as long as no I/O waits for a server: 8 in flight, 80,000 IOPS
equal "$(group randread '.limits[0] | "\(.met) \(.numjobs * .iodepth) \(.iops / 80000 | . * 50 | round)"')" 'true 8 50'
equal "$(group randread '.limits[1] | "\(.limit) \(.met)"')" 'lat_p99_us<=1 false'
# a mixed run must keep the limit for both ops: writes never do
equal "$(group randrw '.limits[0].met')" false
equal "$(jq '.groups | length' a.json)" 3
equal "$(jq -r '.groups[0] | "\(.filename) \(.direct) \(.size) \(.rwmixread)"' a.json)" 'device.json 1 1073741824 null'
"$IOSWEEP" best a.db --where "rw = 'randread'" --limit 'lat_p99_us<=150' --limit 'lat_p99_us <= 1' >words
contains words 'device.json, randread (simulated)'
contains words '  sweet spot: bs 16k, numjobs 1, iodepth 8, sim: '
contains words 'the best 21 of 50 cannot be told apart; the cheapest of them: bs 64k, numjobs 1, iodepth 2, sim'
contains words '  most IOPS with lat_p99_us<=1: no run meets it'
contains words '  iodepth 1 to 16 at bs 16k, numjobs 1: 5.12 times as much as with 1, reached to 95 % with 8'
contains words '  numjobs 1 to 2 at bs 16k, iodepth 8: 1 is enough'
lacks words randwrite
# another share: half of the peak is reached by 8k
equal "$("$IOSWEEP" best a.db --json --within 50% | jq '.groups[] | select(.rw == "randread").sweet_spot.bs')" 8192
# another metric: where it is lowest
equal "$("$IOSWEEP" best a.db --json --metric lat_mean_us | jq '.groups[] | select(.rw == "randread") | .peak.numjobs * .peak.iodepth <= 8')" true
equal "$("$IOSWEEP" best a.db --json --by rw,iodepth | jq '.groups | length')" 15
equal "$("$IOSWEEP" best a.db --json --by filename | jq -r '.groups[0].peak.rest' | cut -c-3)" 'rw '

# a doubted winner: said, and the best clean one named
sqlite3 a.db "update run set flags = 1 where id in (select run from all_runs where rw = 'randread' and bs = 16384)"
"$IOSWEEP" best a.db --where "rw = 'randread'" >words
contains words '  left out: 20 of 100 runs, in doubt'
contains words '  sweet spot: bs 32k, numjobs 1, iodepth '
lacks words 'would have won' # they are no better than what is left
sqlite3 a.db "update run set flags = 1 where id in (select run from all_runs where rw = 'randwrite' and bs > 4096)"
"$IOSWEEP" best a.db --where "rw = 'randwrite'" >words
contains words "    the best of those would have won: 800 MiB/s ($("$IOSWEEP" export a.db --where "rw = 'randwrite' and bs = 65536" --format json | jq -r '.rows[0].doubts')): "
contains words '  sweet spot: bs 4k, '
contains words 'neighbouring sizes: none measured without doubt'

# a rate that was held is no peak of the target, and nothing is sweet about it; without the rate there is a peak
"$IOSWEEP" run -q --db rate.db --set name=rate --set ioengine=sim --set filename=device.json --set rw=randread --set bs=4k,64k \
	--set iodepth=1,8 --set rate_iops=0,2000 --set runtime=4 --set ramp_time=100ms
"$IOSWEEP" best rate.db --where 'rate_iops = 2000' >words
contains words '  the rate was held: rate_iops=2000, as asked: not what the target can do'
contains words '  highest: 125 MiB/s'
for no in 'sweet spot' peak: neighbouring 'most IOPS'; do lacks words "$no"; done
equal "$("$IOSWEEP" best rate.db --json | jq -c '[.groups[] | [.rate_held, .sweet_spot.bs]] | sort')" '[[null,65536],["rate_iops=2000",null]]'

# questions that make no sense
for wrong in '--by bss' '--by run_iops' '--metric rate' '--limit lat_p99_us=3' '--limit p99<=3' '--limit lat_p99_us<=x' \
	'--within 2x' '--within 0' '--where bs>>' '--by ,'; do
	# shellcheck disable=SC2086 # two words
	expect_exit 2 "$IOSWEEP" best a.db $wrong
	[ -s err ] && [ ! -s out ] || die "$wrong: nothing said"
done
expect_exit 2 "$IOSWEEP" best a.db --metric confidence
equal "$(cat err)" "iosweep: best: --metric: 'confidence' is no metric with a number (iosweep help metrics)"
expect_exit 2 "$IOSWEEP" best a.db --limit 'stop_reason<=3'
equal "$(cat err)" "iosweep: best: --limit: 'stop_reason' is no metric with a number (iosweep help metrics)"
"$IOSWEEP" best a.db --where 'bs = 1' >words
contains words 'no run that is ok matches'
expect_exit 3 "$IOSWEEP" best device.json
# nothing to rank is said; so is a full disk
# shellcheck disable=SC2016 # $1 is of the inner shell
for question in 'best a.db' 'best a.db --json' 'compare a.db a.db' 'compare a.db a.db --json' 'export a.db'; do
	expect_exit 6 sh -c '"$1" $2 >/dev/full' - "$IOSWEEP" "$question"
	contains err ': No space left on device'
done
expect_exit 6 "$IOSWEEP" report a.db -o /dev/full
contains err 'report: /dev/full: write: No space left on device'
sqlite3 a.db "update run set run_bw_bytes_s = null"
"$IOSWEEP" best a.db --where "rw = 'randwrite'" >words
contains words '  no run that is ok has run_bw_mib_s'
