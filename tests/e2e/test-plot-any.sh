#!/bin/sh
# Any column against any column: what stands in the data of a picture, pictures of all kinds, and questions that make no sense.
. "$(dirname "$0")/functions.sh"
requires gnuplot
cat >'dev $(touch x)`touch y`"q_1%&.json' <<'J'
{"name": "d", "size": "1g", "servers": 8, "bandwidth": "800m", "read": {"base": "100us"}, "write": {"base": "200us"}}
J
"$IOSWEEP" run -q --db a.db --set name=a --set ioengine=sim --set 'filename=dev $(touch x)`touch y`"q_1%&.json' --set rw=randread,randwrite \
	--set bs=4k,16k,64k --set numjobs=1,2 --set iodepth=1,4,16 --set runtime=2 --set ramp_time=100ms --set repeats=3
picture() { # NAME OPTION...
	name=$1; shift
	expect_exit 0 "$IOSWEEP" plot a.db "$@" --keep -o "$name"
	[ ! -s err ] || { cat err >&2; die "$name: not silent"; }
	[ -s "$name" ] && [ -s "$name.data" ] && [ -s "$name.gp" ] || die "$name: not there"
}
# points PANEL SERIES: of one line, 0-based: x and y rounded
points() { awk -F '\t' -v n=$((5 + $1 * nseries + $2)) 'NF == 0 { if (!blank++) {} ; if (blank == 2) { b++ } ; next } { blank = 0 }
	b == n && $1 != "-" { printf "%s:%.0f%s ", $1, $2, $5 == 1 ? "?" : "" }' "$data"; }

picture a.svg --x bs --y run_bw_mib_s --series iodepth --panel rw
data=a.svg.data nseries=3
# 8 servers of 100 us: depth 1 of the better of 1 and 2 jobs: 20,000 IOPS; then the cap
equal "$(points 0 0)" '4096:78 16384:312 65536:800 '
equal "$(points 0 2)" '4096:312 16384:800 65536:800 '
equal "$(points 1 0)" '4096:39 16384:156 65536:625 '
contains a.svg.data '	the highest over numjobs (1, 2)'
contains a.svg '<svg'
# kept files make the same picture anywhere
mkdir elsewhere && cp a.svg.data a.svg.gp elsewhere && (cd elsewhere && gnuplot -d -c a.svg.gp a.svg.data b.svg)
[ -s elsewhere/b.svg ] || die 'not drawn elsewhere'

picture b.png --x run_iops --y lat_p99_us --series numjobs --label iodepth --where "rw = 'randread' and bs = 4096"
data=b.png.data nseries=2
contains b.png.data "where rw = 'randread' and bs = 4096" # what was chosen stands in the picture
equal "$(points 0 0)" '10000:100 40000:100 80000:200 ' # 16 in flight on 8 servers wait as long again
png() { equal "$(od -An -tx1 -N8 "$1" | tr -d ' \n')" 89504e470d0a1a0a "PNG signature of $1"; }
png b.png
picture c.png --kind heatmap --x iodepth --series bs --y run_iops --panel rw
png c.png
picture d.pdf --x rw --y run_bw_mib_s --series numjobs
# bars of numbers stand side by side by name: a box for each of 3 block sizes, and one in the legend
picture boxes.svg --kind bars --x bs --y run_iops --series rw
data=boxes.svg.data nseries=2
equal "$(points 0 0)" '0:80000 1:51200 2:12800 '
equal "$(grep -c "fill *= *'rgb(  0, 114, 178)'" boxes.svg)" 4
contains boxes.svg '64k'
picture e.png --x percentile --y lat --series iodepth --where "rw = 'randread' and bs = 4096 and numjobs = 1"
picture f.png --x time --y iops --where "rw = 'randread' and bs = 4096 and iodepth = 4 and numjobs = 1"
data=f.png.data nseries=3
contains f.png.data "	where rw = 'randread' and bs = 4096 and iodepth = 4 and numjobs = 1"
equal "$(points 0 0)" '0.5:40000 1.5:40000 '
picture g.svg --x bs --y run_iops --ratio iodepth=4/1 --where "rw = 'randread' and numjobs = 1"
data=g.svg.data nseries=1
contains g.svg.data "	where rw = 'randread' and numjobs = 1"
equal "$(points 0 0)" '4096:4 16384:4 65536:1 '
picture h.png --x bs --y run_iops --all --kind points
picture j.svg --x confidence --y run_iops
picture i.png --x bs --y iops --where 'bs = 4096 and iodepth = 1 and numjobs = 1 and run < 40' # next to nothing
expect_exit 0 "$IOSWEEP" plot a.db --x bs --y run_iops --series rw
contains out 'a: dev $(touch x)`touch y`'
equal "$(ls x y 2>/dev/null)" '' 'a name was run'

# directions of a mixed run: each with its own numbers where they are asked for, else those of the run
"$IOSWEEP" run -q --db m.db --set name=m --set ioengine=sim --set 'filename=dev $(touch x)`touch y`"q_1%&.json' --set rw=randrw --set bs=4k \
	--set iodepth=1,4,16 --set runtime=1 --set ramp_time=100ms
rounded() { sqlite3 m.db "SELECT group_concat(iodepth || ':' || CAST(round(iops) AS INTEGER) || ' ', '') FROM
	(SELECT * FROM results WHERE op = '$1' ORDER BY iodepth)"; }
expect_exit 0 "$IOSWEEP" plot m.db --x iodepth --y iops --series op --keep -o op.svg
data=op.svg.data nseries=2
equal "$(points 0 0)" "$(rounded read)"
equal "$(points 0 1)" "$(rounded write)"
expect_exit 0 "$IOSWEEP" plot m.db --x iodepth --y lat_p99_us --keep -o worse.svg
contains worse.svg.data 'mixed runs: the worse of their reads and writes'
# all at one place of a linear axis; a name as the label of a tic
expect_exit 0 "$IOSWEEP" plot m.db --x time --y iops --series op -o place.svg
expect_exit 0 "$IOSWEEP" plot m.db --x filename --y run_iops -o tic.svg
equal "$(grep -c 'q_1%&amp;.json' tic.svg)" 2 'the title and the tic'
# numbers in their order; several points for one x are not joined
expect_exit 0 "$IOSWEEP" plot m.db --x percentile --y lat --panel op --series iodepth --keep -o tail.svg
equal "$(awk 'NF == 0 { if (++blank == 2) { b++ } ; next } { blank = 0 } b == 2 { printf "%s ", $2 }' tail.svg.data)" '1 4 16 '
expect_exit 0 "$IOSWEEP" plot m.db --x bs --y run_iops --all --keep -o all.svg
contains all.svg.data 'kind	points'

# doubt: hollow, and never where a clean one could stand
sqlite3 a.db "update run set flags = 1 where id in (select run from all_runs where bs = 16384 and (numjobs = 2 or iodepth = 16))"
picture a.svg --x bs --y run_bw_mib_s --series iodepth --panel rw
data=a.svg.data nseries=3
equal "$(points 0 0)" '4096:78 16384:156 65536:800 '
equal "$(points 0 2)" '4096:312 16384:800? 65536:800 '
contains a.svg.data '2 of 18 points in doubt'

# a value of x for which a line has nothing is a gap in it: failed runs, here all at 16k of depth 4
sqlite3 a.db "update run set status = 'failed' where id in (select run from all_runs where bs = 16384 and iodepth = 4)"
picture gap.svg --x bs --y run_bw_mib_s --series iodepth --where "rw = 'randwrite'"
equal "$(awk -F '\t' 'NF == 0 { if (++blank == 2) { b++ } ; next } { blank = 0 } b == 6 { printf "%s ", $1 }' gap.svg.data)" '- 4096 - 65536 '
# long names: many targets are counted in the title, a name loses its middle, and the legend is there
one=a/rather/long/path/as/under/dev/disk/by-id/with_a_serial_number_1.json
two=a/rather/long/path/as/under/dev/disk/by-id/with_a_serial_number_2.json
mkdir -p "${one%/*}"
cp dev* "$one" && cp dev* "$two"
"$IOSWEEP" run -q --db long.db --set name=long --set ioengine=sim --set "filename=[\"$one\",\"$two\"]" --set rw=randread --set bs=4k,8k --set runtime=1 \
	--set ramp_time=100ms
for how in '--x bs --series filename --panel rw' '--x filename --series bs --panel rw' '--kind heatmap --x filename --series bs'; do
	# shellcheck disable=SC2086 # words
	expect_exit 0 "$IOSWEEP" plot long.db $how --y run_iops -o long.svg
	[ ! -s err ] || { cat err >&2; die "$how: not silent"; }
	contains long.svg 'long: 2 targets'
	contains long.svg 'ial_number_1.json'
	lacks long.svg "${one%_1.json}"
done

for wrong in '--x bs' '--y iops' '--x bss --y iops' '--x bs --y label' '--x bs --y iops --series nothing' '--x bs --y iops --kind pie' \
	'--x bs --y iops --kind heatmap' '--x bs --y iops -o a.gif' '--x bs --y iops --ratio iodepth' '--x bs --y iops --ratio speed=1/2' \
	'--x bs --y iops --ratio iodepth=4/1 --series numjobs' \
	'--x percentile --y lat' '--x time --y lat_p99_us' '--x bs --y iops --where 1>'; do
	# shellcheck disable=SC2086 # words
	expect_exit 2 "$IOSWEEP" plot a.db $wrong
	[ -s err ] || die "$wrong: nothing said"
done
expect_exit 2 "$IOSWEEP" plot a.db --x bs --y iops --kind line
contains err "plot: --kind: 'line', did you mean 'lines'?: allowed: lines, bars, heatmap or points"
expect_exit 5 "$IOSWEEP" plot a.db --x bs --y iops --where 'bs = 1'
expect_exit 3 "$IOSWEEP" plot a.svg --x bs --y iops
expect_exit 6 "$IOSWEEP" plot a.db --x bs --y iops -o nowhere/a.png
PATH=$(dirname "$(command -v env)")/none expect_exit 6 "$IOSWEEP" plot a.db --x bs --y iops -o z.png
contains err 'gnuplot is not installed'
contains err '; --keep leaves data and script'
PATH=$(dirname "$(command -v env)")/none expect_exit 6 "$IOSWEEP" plot a.db --x bs --y iops
lacks err '--keep' # of what is drawn in the terminal it leaves nothing
expect_exit 6 "$IOSWEEP" plot a.db --x bs --y iops -o nowhere/a.png
lacks err '--keep'
[ ! -e z.png ] || die 'an empty picture'
equal "$(find . -name '*.??????.*' -o -name 'iosweep.??????')" '' 'left behind'

# no rate is no load of zero, and a rate for each direction no number: each stands by its name
cp "$root/configs/sim/nvme.json" nvme.json
expect_exit 0 "$IOSWEEP" run -q --db rate.db --set ioengine=sim --set filename=nvme.json --set rw=randrw --set bs=4k --set iodepth=1,32 \
	--set 'rate_iops=["0","2000","1000,200"]' --set runtime=1
expect_exit 0 "$IOSWEEP" plot rate.db --x rate_iops --y run_iops --series iodepth -o rate.txt
for word in 'no limit' 1000,200 2000; do contains rate.txt "$word"; done
