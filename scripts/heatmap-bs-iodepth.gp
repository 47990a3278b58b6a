# heatmap-bs-iodepth.gp: block size x depth, a panel per pattern, colour and number the best over numjobs and ioengine.
#
#   gnuplot -d -c heatmap-bs-iodepth.gp CSV OUT.png|OUT.svg [metric=COLUMN] [column=value ...]
#
# metric is bw_mib_s (MiB/s) unless another column is named: iops, lat_p99_us, cpu_us_per_io, ... For lat_* and cpu_* the
# best is the lowest. A white cell was not measured; an empty frame holds a value in doubt.
METRICS = 'bw_mib_s'
NGIVEN = 0
SCRIPT = ARG0
array GIVEN[ARGC + 1]
do for [i = 1:ARGC] {
	if (strlen(ARGV[i]) > 7 && ARGV[i][1:7] eq 'metric=') { METRICS = ARGV[i][8:] } else { NGIVEN = NGIVEN + 1; GIVEN[NGIVEN] = ARGV[i] }
}
if (words(METRICS) != 1) { printerr 'metric=COLUMN names one column'; exit status 2 }
WIDE = 1200
HIGH = 900
HERE = SCRIPT[1:strlen(SCRIPT) - strlen('heatmap-bs-iodepth.gp')]
load HERE.'rows.gp'

lowest = METRICS[1:4] eq 'lat_' || METRICS[1:4] eq 'cpu_'
metric_text = METRICS eq 'bw_mib_s' ? 'bandwidth, MiB/s' : METRICS eq 'iops' ? 'I/Os per second' : METRICS
better(v, than) = than != than || (lowest ? v < than : v > than)
consider(v) = (v == v && better(v, BEST) ? (BEST = v, 0) : 0)
best(r, b, q, d) = (BEST = NaN, sum [IJ = 1:nnj] (sum [IN = 1:nen] \
                   ((d ? doubted(r, b, IJ, q, IN, 1) : clean(r, b, IJ, q, IN, 1)) ? consider(result(r, b, IJ, q, IN, 1)) : 0)), BEST)

# A cell reaches half way to its neighbours on both log2 axes.
place(list, i) = log2(real(item(list, i)))
half(list, n, i, k) = k < 1 ? (n > 1 ? place(list, 1) - (place(list, 2) - place(list, 1)) / 2 : place(list, 1) - 0.5) : \
                      k >= n ? (n > 1 ? place(list, n) + (place(list, n) - place(list, n - 1)) / 2 : place(list, 1) + 0.5) : \
                      (place(list, k) + place(list, k + 1)) / 2
from(list, n, i) = half(list, n, i, i - 1)
to(list, n, i) = half(list, n, i, i)
inset(edge, opposite) = edge + 0.04 * (opposite - edge)
short(v) = v >= 1e6 ? sprintf('%.3gM', v / 1e6) : v >= 1e4 ? sprintf('%.3gk', v / 1e3) : v >= 100 ? sprintf('%.0f', v) : sprintf('%.3g', v)

# x from to, y from to, value, text; one index per pattern, each begun with a point outside so that none is empty.
low = NaN; high = NaN
set print $full
do for [r = 1:nrw] {
	print '-99 -99 -99 -99 -99 -99 1 x'
	do for [b = 1:nbs] { do for [q = 1:nqd] {
		v = best(r, b, q, 0)
		if (v == v) {
			low = low == low && low < v ? low : v
			high = high == high && high > v ? high : v
			print sprintf('%g %g %g %g %g %g %.9g %s', place(QD, q), place(BS, b), from(QD, nqd, q), to(QD, nqd, q), \
				from(BS, nbs, b), to(BS, nbs, b), v, short(v))
		}
	} }
	print ''; print ''
}
set print $hollow
do for [r = 1:nrw] {
	print '-99 -99 -99 -99 -99 -99 1 x'
	do for [b = 1:nbs] { do for [q = 1:nqd] {
		v = best(r, b, q, 1)
		w = best(r, b, q, 0)
		if (v == v && w != w) {
			print sprintf('%g %g %g %g %g %g %.9g %s', place(QD, q), place(BS, b), from(QD, nqd, q), to(QD, nqd, q), \
				from(BS, nbs, b), to(BS, nbs, b), v, short(v))
		}
	} }
	print ''; print ''
}
unset print

set label 1 title_text at screen 0.03, 0.975 left font ',15'
if (nruns) {
	set label 2 metric_text.(lowest ? ', lowest over   ' : ', highest over   ').best_over(0).(cond_text ne '' ? 'fixed:   '.cond_text : '') at screen 0.03, 0.945 left
}
set label 3 other_text at screen 0.03, 0.92 left textcolor rgb '#a04000'
set label 4 footer_text at screen 0.03, 0.015 left textcolor rgb '#505050' font ',9'
if (!nruns || (low != low && nruns > ndoubt)) {
	set label 5 (nruns ? METRICS.': no value in '.base(CSV) : empty_text) at screen 0.5, 0.5 center font ',16'
	unset tics; unset border; unset key
	set xrange [0:1]; set yrange [0:1]
	plot NaN notitle
	exit
}

# Viridis, one scale for all panels: from 0 where a bar would be, logarithmic for what spans decades.
set palette defined (0 '#440154', 1 '#472c7a', 2 '#3b518b', 3 '#2c718e', 4 '#21908d', 5 '#27ad81', 6 '#5cc863', 7 '#aadc32', 8 '#fde725')
if (low != low) { low = 0; high = 1 }
logarithmic = METRICS ne 'bw_mib_s' && low > 0 && high / low > 10
if (logarithmic) { set logscale cb 10 }
bottom = logarithmic ? low : 0
top = high > bottom ? high : bottom + 1
set cbrange [bottom:top]
shade(v) = logarithmic ? log(v / bottom) / log(top / bottom) : (v - bottom) / (top - bottom)
ink(v) = v != v || v < bottom ? 0x000000 : shade(v) > 0.5 ? 0x000000 : 0xffffff

set xrange [from(QD, nqd, 1):to(QD, nqd, nqd)]
set yrange [from(BS, nbs, 1):to(BS, nbs, nbs)]
set xtics ('' -99)
do for [q = 1:nqd] { set xtics add (item(QD, q) place(QD, q)) }
set ytics ('' -99)
do for [b = 1:nbs] { set ytics add (human(int(item(BS, b))) place(BS, b)) }
set tics out nomirror scale 0.5
set border 3 lc rgb '#606060'
set style fill solid 1.0 noborder
unset key
unset colorbox
columns = nrw <= 1 ? 1 : nrw <= 4 ? 2 : 3
lines = (nrw + columns - 1) / columns
set multiplot layout lines, columns margins 0.07, 0.9, 0.09, 0.87 spacing 0.06, 0.12
do for [r = 1:nrw] {
	if (r == 2) { do for [l = 1:4] { unset label l } }
	if (r == nrw) {
		set colorbox user origin screen 0.93, screen 0.25 size screen 0.015, screen 0.5
		set cblabel metric_text
		set format cb (logarithmic ? '%.0s%c' : '%g')
		set cblabel offset 1, 0
	}
	set title item(RW, r) font ',12'
	set xlabel (r > nrw - columns ? 'iodepth (per job)' : '')
	set ylabel ((r - 1) % columns == 0 ? 'block size (bytes)' : '')
	plot $full index r - 1 using 1:2:3:4:5:6:7 with boxxyerror fillcolor palette, \
	     $hollow index r - 1 using 1:2:(inset($3, $4)):(inset($4, $3)):(inset($5, $6)):(inset($6, $5)) \
	         with boxxyerror fillstyle empty linecolor rgb '#808080' lw 2, \
	     $full index r - 1 using 1:2:8:(ink($7)) with labels font ',9' textcolor rgb variable, \
	     $hollow index r - 1 using 1:2:8 with labels font ',9' textcolor rgb '#808080'
}
unset multiplot
set output
