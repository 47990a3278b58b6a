# plot.gp: one picture from the data that `iosweep plot --keep` leaves beside it.
#
#   gnuplot -d -c plot.gp DATA OUT.svg|OUT.png|OUT.pdf|.txt
#
# The data are blocks of lines with tabs: texts and kinds of axes; the names of panels, series and values of x and y; then for
# each panel and series its points: x, y, low, high, doubt, label (a heat map: low is the colour). No text of the data becomes
# a command, a format or a file name.
if (ARGC != 2) { printerr 'usage: gnuplot -d -c plot.gp DATA OUT.svg|OUT.png|OUT.pdf|.txt'; exit status 2 }
DATA = ARG1
OUT = ARG2
if (OUT eq '' || OUT[1:1] eq '|' || DATA[1:1] eq '<') { printerr 'plot.gp: that is no name of a file'; exit status 2 }
set encoding utf8
set datafile separator tab
set datafile commentschars ''
ending = strlen(OUT) > 3 ? OUT[strlen(OUT) - 3:] : ''
dumb = ending eq '.txt'

KEYS = 'title subtitle note footer kind xlabel xscale xbytes ylabel yscale ybytes zlabel zscale zbytes series panel label npanels nseries nx ny'
array VALUE[words(KEYS)]
do for [K = 1:words(KEYS)] { VALUE[K] = '-' }
take(i) = (sum [K = 1:words(KEYS)] (word(KEYS, K) eq strcol(1) ? (VALUE[K] = strcol(2), 1) : 0))
stats DATA index 0 using (take(0)) nooutput
at(key) = (AT = 0, sum [K = 1:words(KEYS)] (word(KEYS, K) eq key ? (AT = K, 0) : 0), VALUE[AT])
said(key) = at(key) eq '-' ? '' : at(key)
np = int(at('npanels')); ns = int(at('nseries')); nx = int(at('nx')); ny = int(at('ny'))
kind = at('kind'); xscale = at('xscale'); yscale = at('yscale'); xbytes = int(at('xbytes')); zscale = at('zscale')
array PANEL[np + 1]; array SERIES[ns + 1]; array XNAME[nx + 1]; array YNAME[ny + 1]
stats DATA index 1 using (PANEL[int(column(1)) + 1] = (strcol(2) eq '-' ? '' : strcol(2)), 0) nooutput
stats DATA index 2 using (SERIES[int(column(1)) + 1] = (strcol(2) eq '-' ? '' : strcol(2)), 0) nooutput
if (nx) { stats DATA index 3 using (XNAME[int(column(1)) + 1] = strcol(2), 0) nooutput }
if (ny) { stats DATA index 4 using (YNAME[int(column(1)) + 1] = strcol(2), 0) nooutput }
# a number, or - where there is none
num(c) = strcol(c) eq '-' ? NaN : real(strcol(c))
block(p, s) = 5 + (p - 1) * ns + s - 1

# The range of all panels, so that they can be compared.
xlo = NaN; xhi = NaN; ylo = NaN; yhi = NaN; zlo = NaN; zhi = NaN; npoints = 0
least(a, b) = b != b ? a : a != a || b < a ? b : a
most(a, b) = b != b ? a : a != a || b > a ? b : a
see(x, y, l, h) = x != x ? 0 : (npoints = npoints + 1, xlo = least(xlo, x), xhi = most(xhi, x), ylo = least(least(ylo, y), kind eq 'heatmap' ? NaN : l), \
                  yhi = most(most(yhi, y), kind eq 'heatmap' ? NaN : h), zlo = least(zlo, l), zhi = most(zhi, l), 0)
do for [b = 5:4 + np * ns] { stats DATA index b using (see(num(1), num(2), num(3), num(4))) nooutput }

columns = np <= 1 ? 1 : np <= 4 ? 2 : 3
lines = (np + columns - 1) / columns
WIDE = 1200
# names of x that would run into each other are turned, and need room below
crowded(characters, n) = characters + 2 * n > 130 / columns
characters = nx ? sum [i = 1:nx] strlen(XNAME[i]) : 0
longest = 0
do for [i = 1:nx] { longest = most(longest, strlen(XNAME[i])) }
below = crowded(characters, nx) ? 4.5 * longest + 20 : 0
# the legend has as many columns as its longest name leaves room for
keyed = kind ne 'heatmap' && (ns > 1 || said('series') ne '')
longest = 0
do for [i = 1:ns] { longest = most(longest, strlen(SERIES[i])) }
keyrows = int(ceil(ns / most(1.0, floor(720 / (8.0 * (strlen(said('series')) + longest) + 60)))))
above = keyed && keyrows > 3 ? 17 * (keyrows - 3) : 0
HIGH = 250 + (420 + below) * lines + above
if (HIGH < 700) { HIGH = 700 }
if (ending eq '.svg') { set terminal svg size WIDE, HIGH noenhanced font 'sans,13' background '#ffffff' }
if (ending eq '.png') { set terminal pngcairo size WIDE, HIGH noenhanced font 'sans,11' background '#ffffff' }
if (ending eq '.pdf') { set terminal pdfcairo size WIDE / 100.0, HIGH / 100.0 noenhanced font 'sans,10' background '#ffffff' }
if (dumb) { set terminal dumb 80, 26 noenhanced }
if (!dumb || OUT ne '.txt') { set output OUT }

human(v) = v >= 2**40 && v % 2**40 == 0 ? sprintf('%dt', v / 2**40) : v >= 2**30 && v % 2**30 == 0 ? sprintf('%dg', v / 2**30) : \
           v >= 2**20 && v % 2**20 == 0 ? sprintf('%dm', v / 2**20) : v >= 1024 && v % 1024 == 0 ? sprintf('%dk', v / 1024) : sprintf('%g', v)
short(v) = v >= 1e9 ? sprintf('%.3gG', v / 1e9) : v >= 1e6 ? sprintf('%.3gM', v / 1e6) : v >= 1e4 ? sprintf('%.3gk', v / 1e3) : sprintf('%.4g', v)
log2(v) = log(v) / log(2)
px(v) = xscale eq 'log2' ? log2(v) : v

# Okabe-Ito, told apart by shape as well; the shape before a filled one is the same, hollow.
array RGB[8] = [ '0072b2', 'd55e00', '009e73', 'cc79a7', 'e69f00', '56b4e9', '000000', '8c6d31' ]
array SHAPE[8] = [ 7, 5, 9, 11, 13, 15, 7, 5 ]
colour(s) = '#'.RGB[(s - 1) % 8 + 1]
shape(s) = SHAPE[(s - 1) % 8 + 1]
dash(s) = s > 8 ? 2 : 1

set label 1 said('title') at screen 0.03, 0.97 left font ',15'
set label 2 said('subtitle') at screen 0.03, 0.97 left offset 0, -1.6
set label 3 said('note') at screen 0.03, 0.97 left offset 0, (said('subtitle') eq '' ? -1.6 : -2.9) textcolor rgb '#606060'
set label 4 said('footer') at screen 0.03, 0.015 left font ',9' textcolor rgb '#505050'
if (dumb) {
	unset label 2; unset label 3; unset label 4
	unset label 1
}
if (!npoints) {
	set label 5 'no values' at screen 0.5, 0.5 center font ',16'
	unset tics; unset border; unset key
	set xrange [0:1]; set yrange [0:1]
	plot NaN notitle
	exit
}

set tics nomirror
set border 3 lc rgb '#606060'
set grid ytics xtics lc rgb '#e0e0e0' lt 1
top = 1 - ((said('panel') eq '' ? 80.0 : 105.0) + (said('subtitle') eq '' ? 0 : 25) + (said('note') eq '' ? 0 : 25) + above) / HIGH
bottom = (75.0 + below) / HIGH
if (dumb) { unset grid }

# --- axes ---
pad = 0.5
# gnuplot takes the label of a tic for a format
plain(text) = (PLAIN = '', sum [K = 1:strlen(text)] (PLAIN = PLAIN.(text[K:K] eq '%' ? '%%' : text[K:K]), 0), PLAIN)
if (xscale eq 'text') {
	set xrange [-0.6:nx - 0.4]
	set xtics ('' -99)
	do for [i = 1:nx] { set xtics add (plain(XNAME[i]) i - 1) }
	if (crowded(characters, nx)) { set xtics rotate by 40 right }
	set grid noxtics
}
if (xscale eq 'log2') {
	lo = log2(xlo) - pad; hi = log2(xhi) + pad
	set xrange [lo:hi]
	set xtics ('' -99)
	step = ceil((hi - lo) / 14.0)
	if (!dumb && crowded(3.5 * (hi - lo) / step, (hi - lo) / step)) { set xtics rotate by -40 left }
	do for [e = int(ceil(lo)):int(floor(hi)):int(step)] { set xtics add ((xbytes ? human(2**e) : sprintf('%g', 2**e)) e) }
	if (xlo == xhi) { set xtics ((xbytes ? human(int(xlo)) : sprintf('%g', xlo)) log2(xlo)) }
}
if (xscale eq 'nines') { # the share of slower I/Os, in decades: 90, 99, 99.9 % are equally far apart
	set xrange [0:xhi * 1.02]
	set xtics ('0' 0, '50 %%' 0.30103)
	do for [e = 1:(xhi < 9 ? int(ceil(xhi)) : 9)] { set xtics add (word('90 99 99.9 99.99 99.999 99.9999 99.99999 99.999999 99.9999999', e).' %%' e) }
}
if (xscale eq 'log10') {
	set logscale x 10
	set xrange [xlo / 1.3:xhi * 1.3]
	set format x '%.0s%c'
}
if (xscale eq 'linear') {
	w = xhi > xlo ? (xhi - xlo) * 0.05 : (xhi != 0 ? abs(xhi) * 0.1 : 1)
	set xrange [(xlo >= 0 && xlo < (xhi - xlo) ? 0 : xlo - w):xhi + w]
	set format x '%.1s%c'
	if (xhi < 1e4) { set format x '%g' }
}
if (kind ne 'heatmap') {
	if (yscale eq 'log10') {
		set logscale y 10
		set yrange [10.0**floor(log10(ylo > 0 ? ylo : yhi / 1e3)):10.0**ceil(log10(yhi) + 0.02)]
		set format y (yhi >= 1e4 ? '%.0s%c' : '%g')
	} else {
		set yrange [(ylo < 0 ? ylo * 1.08 : 0):(yhi > 0 ? yhi * 1.08 : 1)]
		set format y (yhi >= 1e4 ? '%.1s%c' : '%g')
	}
}
ratio_line = strstrt(said('ylabel'), ' / ') > 0

# --- heat map: evenly spaced cells, a gap where nothing was measured, one scale for all panels ---
if (kind eq 'heatmap') {
	set palette defined (0 '#440154', 1 '#472c7a', 2 '#3b518b', 3 '#2c718e', 4 '#21908d', 5 '#27ad81', 6 '#5cc863', 7 '#aadc32', 8 '#fde725')
	ratio_map = strstrt(said('zlabel'), ' / ') > 0
	logarithmic = zscale eq 'log10'
	cblo = logarithmic ? zlo : 0; cbhi = zhi > cblo ? zhi : cblo + 1
	if (ratio_map) { # 1 in the middle: neither
		far = most(most(zhi, 1 / zlo), 1.1); cblo = 1 / far; cbhi = far; logarithmic = 1 # less than 10 % is faint
		set palette defined (0 '#b35806', 1 '#f1a340', 2 '#f7f7f7', 3 '#998ec3', 4 '#542788')
	}
	if (logarithmic) { set logscale cb 10 }
	set cbrange [cblo:cbhi]
	shade(v) = logarithmic ? log(v / cblo) / log(cbhi / cblo) : (v - cblo) / (cbhi - cblo)
	ink(v) = ratio_map ? (abs(shade(v) - 0.5) > 0.3 ? 0xffffff : 0x000000) : shade(v) > 0.5 ? 0x000000 : 0xffffff
	set xrange [-0.5:nx - 0.5]; set yrange [-0.5:ny - 0.5]
	set xtics ('' -99); set ytics ('' -99)
	do for [i = 1:nx] { set xtics add (plain(XNAME[i]) i - 1) }
	do for [i = 1:ny] { set ytics add (plain(YNAME[i]) i - 1) }
	if (crowded(characters, nx)) { set xtics rotate by 40 right }
	set tics out scale 0.5
	unset grid
	unset key
	set style fill solid 1.0 noborder
	set format cb (cbhi < 1e4 ? '%g' : logarithmic ? '%.0s%c' : '%.1s%c')
	set cblabel said('zlabel') offset 1, 0
	unset colorbox
	set multiplot layout lines, columns margins 0.09, 0.89, bottom + 20.0 / HIGH, top spacing 0.07, (110.0 + below) / HIGH
	do for [p = 1:np] {
		if (p == 2) { do for [l = 1:4] { unset label l } }
		if (p == np) { set colorbox user origin screen 0.905, screen 0.25 size screen 0.015, screen 0.5 }
		set title (said('panel') ne '' ? said('panel').' '.PANEL[p] : '') font ',12'
		set xlabel (p > np - columns ? said('xlabel') : ''); set ylabel ((p - 1) % columns == 0 ? said('ylabel') : '')
		clean(c) = strcol(5) eq '0' ? num(c) : NaN
		dirty(c) = strcol(5) eq '1' ? num(c) : NaN
		plot DATA index block(p, 1) using (clean(1)):(num(2)):(num(1) - 0.5):(num(1) + 0.5):(num(2) - 0.5):(num(2) + 0.5):(num(3)) \
		         with boxxyerror fillcolor palette, \
		     '' index block(p, 1) using (dirty(1)):(num(2)):(num(1) - 0.44):(num(1) + 0.44):(num(2) - 0.44):(num(2) + 0.44) \
		         with boxxyerror fillstyle empty linecolor rgb '#808080' lw 2, \
		     '' index block(p, 1) using (nx > 14 || ny > 16 ? NaN : clean(1)):(num(2)):(short(num(3))):(ink(num(3))) with labels font ',9' textcolor rgb variable, \
		     '' index block(p, 1) using (nx > 14 || ny > 16 ? NaN : dirty(1)):(num(2)):(short(num(3))) with labels font ',9' textcolor rgb '#808080'
	}
	unset multiplot
	set output
	exit
}

# --- lines, points, bars ---
size = xscale eq 'nines' ? 0.3 : 1.2 # a curve of many points, or single ones
if (ns > 1 || said('series') ne '') {
	set key at screen 0.985, 1 - 12.0 / HIGH right top horizontal maxrows (keyrows > 3 ? keyrows : 3) samplen 2 font ',11'
	if (dumb) { set key outside bottom center horizontal samplen 1 }
} else { unset key }
name(s) = said('series') ne '' ? said('series').' '.SERIES[s] : SERIES[s]
box = 0.8 / ns
bx(s) = num(1) + (s - 1 - (ns - 1) / 2.0) * box
clean(c) = strcol(5) eq '0' ? num(c) : NaN
dirty(c) = strcol(5) eq '1' ? num(c) : NaN
width = box * 0.9
# of an error bar, which is drawn as a vector: gnuplot's own cut a hole in what they stand on
foot(c) = yscale eq 'log10' && num(c) <= 0 ? yhi / 1e9 : num(c)
if (!dumb) {
	set multiplot layout lines, columns margins 0.085, 0.985, bottom + 20.0 / HIGH, top spacing 0.06, (110.0 + below) / HIGH
}
panel(p) = said('panel') ne '' ? said('panel').' '.PANEL[p] : ''
do for [p = 1:np] {
	if (p == 2 && !dumb) { do for [l = 1:4] { unset label l }; unset key }
	set title (dumb ? said('title').(panel(p) ne '' ? ', '.panel(p) : '').': '.said('ylabel') : panel(p)) font ',12'
	set xlabel (dumb || p > np - columns ? said('xlabel') : ''); set ylabel ((p - 1) % columns == 0 ? said('ylabel') : '')
	if (ratio_line) { set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb '#909090' dt 3 }
	if (kind eq 'bars') {
		set style fill solid 0.85 border lc rgb '#404040'
		plot for [s = 1:ns] DATA index block(p, s) using (bx(s)):(clean(2)):(width) with boxes lc rgb colour(s) title name(s), \
		     for [s = 1:ns] DATA index block(p, s) using (bx(s)):(dirty(2)):(width) with boxes fs empty lc rgb colour(s) notitle, \
		     for [s = 1:ns] DATA index block(p, s) using (bx(s)):(foot(3)):(0):(num(4) - foot(3)) with vectors heads size graph 0.008, 90 lc rgb '#404040' notitle
	} else {
		joined = kind eq 'lines' ? 1 : 0
		plot for [s = 1:ns] DATA index block(p, s) using (joined ? px(num(1)) : NaN):(num(2)) with lines lw 2 dt dash(s) lc rgb colour(s) notitle, \
		     for [s = 1:ns] DATA index block(p, s) using (px(num(1))):(foot(3)):(0):(num(4) - foot(3)) with vectors heads size graph 0.008, 90 lc rgb colour(s) notitle, \
		     for [s = 1:ns] DATA index block(p, s) using (px(clean(1))):(num(2)) with points pt shape(s) ps size lc rgb colour(s) notitle, \
		     for [s = 1:ns] DATA index block(p, s) using (px(dirty(1))):(num(2)) with points pt shape(s) - 1 ps size lw 1.3 lc rgb colour(s) notitle, \
		     for [s = 1:ns] NaN with linespoints lw 2 pt shape(s) dt dash(s) lc rgb colour(s) title name(s), \
		     for [s = 1:ns] DATA index block(p, s) using (said('label') eq '' ? NaN : px(num(1))):(num(2)):(strcol(6)) with labels offset 1, 0.7 font ',9' notitle
	}
}
if (!dumb) { unset multiplot }
set output
