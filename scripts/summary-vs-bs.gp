# summary-vs-bs.gp: bandwidth, IOPS, mean and p99 latency against block size, one line per pattern.
#
#   gnuplot -d -c summary-vs-bs.gp CSV OUT.png|OUT.svg [column=value ...]
#
# The line is the best cell over numjobs x iodepth x ioengine (highest bandwidth and IOPS, lowest latency), each panel by
# itself; all other cells stand faint behind it. column=value (iodepth=1, bs=4k, ioengine=libaio, ...) draws only such rows.
NGIVEN = ARGC
SCRIPT = ARG0
array GIVEN[NGIVEN + 1]
do for [i = 1:NGIVEN] { GIVEN[i] = ARGV[i] }
METRICS = 'bw_mib_s iops lat_mean_us lat_p99_us'
WIDE = 1200
HIGH = 900
HERE = SCRIPT[1:strlen(SCRIPT) - strlen('summary-vs-bs.gp')]
load HERE.'rows.gp'

array TITLE[4] = [ 'Bandwidth (highest)', 'IOPS (highest)', 'Mean latency (lowest)', 'p99 latency (lowest)' ]
array UNIT[4] = [ 'MiB/s', 'I/Os per second', 'latency', 'latency' ]

# Colours and shapes by pattern, the same in every picture: Okabe-Ito, filled shape; hollow is the shape before.
PATTERNS = 'read randread write randwrite rw randrw'
array RGB[6] = [ '0072b2', '56b4e9', 'd55e00', 'e69f00', '009e73', 'cc79a7' ]
array SHAPE[6] = [ 7, 5, 9, 11, 13, 15 ]
look_of(name) = (sum [LI = 1:6] (word(PATTERNS, LI) eq name ? LI : 0))

# The best clean cell of a pattern and size.
better(m, v, than) = than != than || (m <= 2 ? v > than : v < than)
consider(v, m) = (v == v && better(m, v, BEST) ? (BEST = v, 0) : 0)
best(r, b, m) = (BEST = NaN, sum [IJ = 1:nnj] (sum [IQ = 1:nqd] (sum [IN = 1:nen] \
                (clean(r, b, IJ, IQ, IN, m) ? consider(result(r, b, IJ, IQ, IN, m), m) : 0))), BEST)

# Three data blocks, one index per metric x pattern (each begins with a point outside, so that none is empty): the lines, with
# a NaN where a size has no value so that the line breaks; the other cells; the cells in doubt.
low = NaN; high = NaN
array LOW[4]
array HIGH_[4]
do for [m = 1:4] { LOW[m] = NaN; HIGH_[m] = NaN }
widen(m, v) = (LOW[m] = LOW[m] == LOW[m] && LOW[m] <= v ? LOW[m] : v, HIGH_[m] = HIGH_[m] == HIGH_[m] && HIGH_[m] >= v ? HIGH_[m] : v, 0)
row(b, v) = item(BS, b).' '.(v == v ? sprintf('%.9g', v) : 'NaN')
set print $lines
do for [m = 1:4] { do for [r = 1:nrw] {
	print '0.1 1'; print '0.1 NaN'
	do for [b = 1:nbs] { print row(b, best(r, b, m)) }
	print ''; print ''
} }
set print $cells
do for [m = 1:4] { do for [r = 1:nrw] {
	print '0.1 1'; print '0.1 NaN'
	do for [b = 1:nbs] { do for [j = 1:nnj] { do for [q = 1:nqd] { do for [n = 1:nen] {
		v = result(r, b, j, q, n, m)
		if (v == v) { low = widen(m, v) }
		if (v == v && !doubted(r, b, j, q, n, m)) { print row(b, v) }
	} } } }
	print ''; print ''
} }
set print $doubts
do for [m = 1:4] { do for [r = 1:nrw] {
	print '0.1 1'; print '0.1 NaN'
	do for [b = 1:nbs] { do for [j = 1:nnj] { do for [q = 1:nqd] { do for [n = 1:nen] {
		if (doubted(r, b, j, q, n, m)) { print row(b, result(r, b, j, q, n, m)) }
	} } } }
	print ''; print ''
} }
unset print

# One line of legend, away from the data.
set label 1 title_text at screen 0.03, 0.975 left font ',15'
if (nruns) {
	set label 2 'line: the best over   '.best_over(0).dim('iodepth', nqd, QD).(cond_text ne '' ? 'fixed:   '.cond_text : '') at screen 0.03, 0.945 left
}
set label 3 other_text at screen 0.03, 0.922 left textcolor rgb '#a04000'
do for [r = 1:nrw] {
	k = look_of(item(RW, r))
	x = 0.04 + (r - 1) * 0.085
	set label 10 + r item(RW, r) at screen x, 0.893 left offset 1.2, 0 point pt SHAPE[k] ps 1.3 lc rgb '#'.RGB[k]
}
if (nruns) {
	x = 0.04 + nrw * 0.085 + 0.02
	set label 21 'in doubt' at screen x, 0.893 left offset 1.2, 0 point pt 6 ps 1.3 lc rgb '#606060'
	set label 22 'another cell' at screen x + 0.085, 0.893 left offset 1.2, 0 point pt 7 ps 0.5 lc rgb '#a0a0a0'
}
has_mixed = pos(RW, 'rw') || pos(RW, 'randrw')
mixed_text = has_mixed ? '; rw, randrw: both directions together, latency of the '.(write_asked ? 'writes' : 'reads') : ''
set label 4 footer_text.mixed_text at screen 0.03, 0.015 left textcolor rgb '#505050' font ',9'

if (!nruns) {
	set label 5 empty_text at screen 0.5, 0.5 center font ',16'
	unset tics; unset border; unset key
	set xrange [0:1]; set yrange [0:1]
	plot NaN notitle
	exit
}

# Block sizes as powers of two, labelled 4k .. 4M.
lo = log2(real(item(BS, 1))) - 0.5
hi = log2(real(item(BS, nbs))) + 0.5
set xrange [lo:hi]
step = ceil((hi - lo) / 12.0)
set xtics ('' 0)
do for [e = int(ceil(lo)):int(floor(hi)):int(step)] { set xtics add (human(2**e) e) }
if (nbs == 1) { set xtics (human(int(item(BS, 1))) log2(real(item(BS, 1)))) }
set xlabel 'block size (bytes)'
time_text(us) = us >= 1e6 ? sprintf('%g s', us / 1e6) : us >= 1e3 ? sprintf('%g ms', us / 1e3) : sprintf('%g µs', us)
rate_text(v) = v >= 1e6 ? sprintf('%gM', v / 1e6) : v >= 1e3 ? sprintf('%gk', v / 1e3) : sprintf('%g', v)
set grid ytics xtics lc rgb '#e0e0e0' lt 1
set border 3 lc rgb '#606060'
set tics nomirror
unset key
set multiplot layout 2, 2 margins 0.07, 0.98, 0.09, 0.835 spacing 0.08, 0.125
do for [m = 1:4] {
	if (m == 2) { do for [l = 1:30] { unset label l } }
	set title TITLE[m] font ',12'
	set ylabel UNIT[m]
	if (!(HIGH_[m] == HIGH_[m])) {
		unset logscale y; set ytics auto; set yrange [0:1]
		set label 30 'no values' at graph 0.5, 0.5 center
	} else { if (m == 1) {
		unset logscale y
		set yrange [0:HIGH_[m] > 0 ? HIGH_[m] * 1.08 : 1]
		set format y '%g'
		set ytics auto
	} else {
		floor_ = LOW[m] > 0 ? int(floor(log10(LOW[m]))) : 0
		ceil_ = HIGH_[m] > 0 ? int(ceil(log10(HIGH_[m]))) : 1
		if (ceil_ <= floor_) { ceil_ = floor_ + 1 }
		set logscale y 10
		set yrange [0.99 * 10.0**floor_:1.01 * 10.0**ceil_]
		set ytics (1 1)
		do for [e = floor_:ceil_] {
			tic = m == 2 ? rate_text(10.0**e) : time_text(10.0**e)
			set ytics add (tic 10.0**e)
			do for [d = 2:9] { set ytics add ('' d * 10.0**e 1) }
		}
	} }
	plot for [r = 1:nrw] $cells index (m - 1) * nrw + r - 1 using (log2($1)):2 with points pt 7 ps 0.4 lc rgb '#a0'.RGB[look_of(item(RW, r))], \
	     for [r = 1:nrw] $lines index (m - 1) * nrw + r - 1 using (log2($1)):2 with linespoints lw 2 ps 1.2 \
	         pt SHAPE[look_of(item(RW, r))] lc rgb '#'.RGB[look_of(item(RW, r))], \
	     for [r = 1:nrw] $doubts index (m - 1) * nrw + r - 1 using (log2($1)):2 with points ps 1.1 lw 1.3 \
	         pt SHAPE[look_of(item(RW, r))] - 1 lc rgb '#'.RGB[look_of(item(RW, r))]
}
unset multiplot
set output
