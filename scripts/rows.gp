# rows.gp: loaded by the chart scripts: reads the CSV of a sweep by column names into arrays.
#
# In:   GIVEN[1] the CSV, GIVEN[2] the picture, GIVEN[3..NGIVEN] column=value; METRICS: words, names of columns;
#       SCRIPT: the name of the script; HERE: its directory, "" or with the slash; WIDE, HIGH: the picture in pixels.
# Out:  RW BS NJ QD EN: lists (see item()) and their lengths nrw nbs nnj nqd nen, bs, numjobs and iodepth sorted;
#       result(...) and doubted(...) of a cell; texts for the picture (title_text, cond_text, ...).
# A cell is one rw x bs x numjobs x iodepth x ioengine; repeats are averaged; a row in doubt counts only in a cell that has
# no other. What else differs between rows (target, direct, size, ...) is fixed to the first value found, and said.
# No text of a file ever becomes a command, a format or a file name.

if (NGIVEN < 2) { printerr 'usage: gnuplot -d -c '.SCRIPT.' CSV OUT.png|OUT.svg [column=value ...]'; exit status 2 }
CSV = GIVEN[1]
OUT = GIVEN[2]
if (OUT eq '' || OUT[1:1] eq '|') { printerr 'the name of the picture must not be empty or begin with |'; exit status 2 }
NL = sprintf('%c', 10)

# One fixed command turns the CSV into lines and tabs; both file names are words quoted for the shell.
replaced(s, old, new) = (REPLACED = '', sum [RI = 1:strlen(s)] (REPLACED = REPLACED.(s[RI:RI] eq old ? new : s[RI:RI]), 0), REPLACED)
quoted(s) = "'".replaced(s, "'", "'\\''")."'"
# strings by bytes: a name need not be valid text. In the C locale they are, and gnuplot warns of any change.
BY_BYTES = GPVAL_ENCODING ne 'utf8'
if (!BY_BYTES) { set encoding iso_8859_1 }
TABLE = system('LC_ALL=C awk -f '.quoted(HERE.'rows.awk').' 2>/dev/null <'.quoted(CSV[1:1] eq '/' ? CSV : './'.CSV))
if (!BY_BYTES) { set encoding utf8 }
if (TABLE eq '') { printerr 'cannot read '.CSV; exit status 1 }
set print $rows
print TABLE
unset print
undefine TABLE
set datafile separator tab
set datafile commentschars ''

# Lists of words with a fixed width: position, length and membership by arithmetic.
WIDTH = 24
cell(w) = '|'.w.'                        '[1:WIDTH - 1 - strlen(w)]
pos(list, w) = strlen(w) >= WIDTH ? 0 : (POS = strstrt(list, '|'.w.' '), POS ? (POS - 1) / WIDTH + 1 : 0)
len(list) = strlen(list) / WIDTH
item(list, i) = (ITEM = list[(i - 1) * WIDTH + 2 : i * WIDTH], ITEM[1 : strstrt(ITEM, ' ') - 1])
add(list, w) = pos(list, w) || strlen(w) >= WIDTH - 1 ? list : list.cell(w)
numbers(list) = (NUMBERS = '', sum [NI = 1:len(list)] (NUMBERS = NUMBERS.(NI > 1 ? ', ' : '').item(list, NI), 0), NUMBERS)

# 4k, 1M: powers of 1024, as people write them; and back.
human(v) = v >= 2**30 && v % 2**30 == 0 ? sprintf('%dG', v / 2**30) : \
           v >= 2**20 && v % 2**20 == 0 ? sprintf('%dM', v / 2**20) : \
           v >= 1024 && v % 1024 == 0 ? sprintf('%dk', v / 1024) : sprintf('%d', v)
suffix(s) = strstrt('kmgt', s[strlen(s):]) + strstrt('KMGT', s[strlen(s):])
bytes(s) = strlen(s) && suffix(s) ? sprintf('%.0f', real(s[1:strlen(s) - 1]) * 1024.0**suffix(s)) : s
sized(name) = name eq 'bs' || name eq 'size'
people(name, v) = sized(name) && v ne '' ? human(int(real(v))) : v
log2(v) = log(v) / log(2)

# The header, to know which columns there are.
HEADER = ' '
stats $rows using (0) nooutput
ncolumns = int(STATS_columns)
nlines = int(STATS_records)
do for [i = 1:ncolumns] { stats $rows every ::::0 using (HEADER = HEADER.strcol(i).' ', 0) nooutput }
has(name) = strstrt(HEADER, ' '.name.' ') > 0
do for [name in METRICS] { if (has('rw') && !has(name)) { printerr CSV.': no column '.name; exit status 2 } }
needed = 'status doubts op rw bs numjobs iodepth ioengine run_bw_mib_s run_iops '
do for [name in needed] {
	if (!has(name)) { printerr CSV.': no column '.name.': not the CSV of a sweep?'; exit status 1 }
}

# The filters of the command line.
nfilter = NGIVEN - 2
array FNAME[nfilter + 1]
array FVALUE[nfilter + 1]
filter_text = ''
do for [i = 1:nfilter] {
	arg = GIVEN[i + 2]
	eqs = strstrt(arg, '=')
	FNAME[i] = eqs > 1 ? arg[1:eqs - 1] : arg
	FVALUE[i] = eqs > 1 ? replaced(arg[eqs + 1:], '"', "''") : '' # as rows.awk writes it
	if (sized(FNAME[i])) { FVALUE[i] = bytes(FVALUE[i]) }
	if (eqs < 2 || !has(FNAME[i])) { printerr arg.': not column=value with a column of '.CSV; exit status 2 }
	filter_text = filter_text.(i > 1 ? ', ' : '').FNAME[i].'='.people(FNAME[i], FVALUE[i])
}
FNAME[nfilter + 1] = ''
fixed(name) = (sum [FI = 1:nfilter] (FNAME[FI] eq name)) > 0
wanted(z) = (sum [FI = 1:nfilter] (strcol(FNAME[FI]) eq FVALUE[FI])) == nfilter

# One row per run: a mixed pattern is its sums, and the latencies of its reads unless op=write was asked for.
mixed(rw) = rw eq 'rw' || rw eq 'randrw'
write_asked = (sum [FI = 1:nfilter] (FNAME[FI] eq 'op' && FVALUE[FI] eq 'write')) > 0
one_row(rw, op) = op eq (rw[strlen(rw) - 4 < 1 ? 1 : strlen(rw) - 4 :] eq 'write' || (mixed(rw) && write_asked) ? 'write' : 'read')

# Pass 1: the first usable row fixes the conditions; count what is left out.
CONDITIONS = 'filename direct size rwmixread ramp_time runtime options'
ncond = words(CONDITIONS)
array CVALUE[ncond]
array COTHER[ncond]
do for [i = 1:ncond] { CVALUE[i] = ''; COTHER[i] = '' }
nseen = 0; nbad = 0
sweep = ''; device = ''; fs = ''; started = ''
applies(i, rw) = has(word(CONDITIONS, i)) && (word(CONDITIONS, i) ne 'rwmixread' || mixed(rw))
cval(i) = strcol(word(CONDITIONS, i))
first_seen(i) = (CVALUE[i] = cval(i), 0)
array CSET[ncond]
do for [i = 1:ncond] { CSET[i] = 0 }
other(i) = strstrt(NL.COTHER[i], NL.cval(i).NL) ? 0 : (COTHER[i] = COTHER[i].cval(i).NL, 0)
note(i, rw) = !applies(i, rw) ? 0 : !CSET[i] ? (CSET[i] = 1, first_seen(i)) : cval(i) ne CVALUE[i] ? other(i) : 0
head(z) = nseen ? 0 : (sweep = has('sweep') ? strcol('sweep') : '', device = has('device') ? strcol('device') : '', \
          fs = has('fs') ? strcol('fs') : '', started = has('started_utc') ? strcol('started_utc') : '', 0)
look(z) = (head(0), nseen = nseen + 1, sum [CI = 1:ncond] note(CI, strcol('rw')))
pass1(z) = !wanted(0) ? 0 : strcol('status') ne 'ok' ? (nbad = nbad + 1, 0) : \
           one_row(strcol('rw'), strcol('op')) ? look(0) : 0
set datafile columnheaders
if (nlines > 1) { stats $rows using (pass1(0)) nooutput }

# Pass 2: the lists of what is there under those conditions.
same(i, rw) = !applies(i, rw) || cval(i) eq CVALUE[i]
usable(z) = wanted(0) && strcol('status') eq 'ok' && one_row(strcol('rw'), strcol('op')) && \
            (sum [CI = 1:ncond] same(CI, strcol('rw'))) == ncond
RW = ''; BS = ''; NJ = ''; QD = ''; EN = ''
collect(z) = (RW = add(RW, strcol('rw')), BS = add(BS, strcol('bs')), NJ = add(NJ, strcol('numjobs')), \
              QD = add(QD, strcol('iodepth')), EN = add(EN, strcol('ioengine')), 0)
if (nseen) { stats $rows using (usable(0) ? collect(0) : 0) nooutput }

# Numbers in order, patterns in a fixed one.
smallest(list, above) = (SMALL = '', sum [NI = 1:len(list)] (real(item(list, NI)) > above && \
                        (SMALL eq '' || real(item(list, NI)) < real(SMALL)) ? (SMALL = item(list, NI), 0) : 0), SMALL)
sorted = ''; last = -1.0
do for [i = 1:len(BS)] { last_text = smallest(BS, last); last = real(last_text); sorted = sorted.cell(last_text) }
BS = sorted; sorted = ''; last = -1.0
do for [i = 1:len(NJ)] { last_text = smallest(NJ, last); last = real(last_text); sorted = sorted.cell(last_text) }
NJ = sorted; sorted = ''; last = -1.0
do for [i = 1:len(QD)] { last_text = smallest(QD, last); last = real(last_text); sorted = sorted.cell(last_text) }
QD = sorted; sorted = ''
do for [name in 'read randread write randwrite rw randrw'] { if (pos(RW, name)) { sorted = sorted.cell(name) } }
RW = sorted
nrw = len(RW); nbs = len(BS); nnj = len(NJ); nqd = len(QD); nen = len(EN)
ncells = nrw * nbs * nnj * nqd * nen

# Pass 3: sums and counts per cell, metric and doubt.
nmetric = words(METRICS)
array SUM[ncells * nmetric * 2 + 1]
array COUNT[ncells * nmetric * 2 + 1]
do for [i = 1:ncells * nmetric * 2 + 1] { SUM[i] = 0.0; COUNT[i] = 0 }
nruns = 0; ndoubt = 0
slot(r, b, j, q, n, m, d) = ((((((r - 1) * nbs + b - 1) * nnj + j - 1) * nqd + q - 1) * nen + n - 1) * nmetric + m - 1) * 2 + d + 1
source(name, rw) = mixed(rw) && (name eq 'bw_mib_s' || name eq 'iops') ? 'run_'.name : name
put(k, s) = s eq '' ? 0 : (SUM[k] = SUM[k] + real(s), COUNT[k] = COUNT[k] + 1, 0)
store(d) = (nruns = nruns + 1, ndoubt = ndoubt + d, sum [MI = 1:nmetric] put(slot(pos(RW, strcol('rw')), pos(BS, strcol('bs')), \
           pos(NJ, strcol('numjobs')), pos(QD, strcol('iodepth')), pos(EN, strcol('ioengine')), MI, d), \
           strcol(source(word(METRICS, MI), strcol('rw')))))
if (ncells) { stats $rows using (usable(0) && pos(RW, strcol('rw')) ? store(strcol('doubts') ne '') : 0) nooutput }
unset datafile columnheaders
set datafile separator whitespace

# A cell's value, NaN when there is none; it is in doubt when no run of it is free of doubt.
clean(r, b, j, q, n, m) = COUNT[slot(r, b, j, q, n, m, 0)] > 0
doubted(r, b, j, q, n, m) = !clean(r, b, j, q, n, m) && COUNT[slot(r, b, j, q, n, m, 1)] > 0
mean(k) = COUNT[k] ? SUM[k] / COUNT[k] : NaN
result(r, b, j, q, n, m) = clean(r, b, j, q, n, m) ? mean(slot(r, b, j, q, n, m, 0)) : mean(slot(r, b, j, q, n, m, 1))

# Texts. File names are shown without their directories.
base(s) = (BASE = s, sum [BI = 1:strlen(s)] (s[BI:BI] eq '/' ? (BASE = s[BI + 1:], 0) : 0), BASE)
dim(name, n, list) = fixed(name) ? '' : n > 1 ? name.' ('.numbers(list).')   ' : n == 1 ? name.' '.item(list, 1).'   ' : ''
best_over(z) = dim('numjobs', nnj, NJ).dim('ioengine', nen, EN)
title_text = sweep.(CVALUE[1] ne '' ? ': '.CVALUE[1] : '').(device ne '' ? ', '.device : '').(fs ne '' ? ', '.fs : '')
cond_text = ''
other_text = ''
do for [i = 2:ncond] {
	name = word(CONDITIONS, i)
	if (CVALUE[i] ne '' && !fixed(name)) { cond_text = cond_text.name.' '.people(name, CVALUE[i]).'   ' }
}
do for [i = 1:ncond] {
	name = word(CONDITIONS, i)
	if (COTHER[i] ne '') {
		text = COTHER[i]
		text = text[1:strstrt(text, NL) - 1]
		more = strlen(COTHER[i]) > strlen(text) + 1 ? ', ...' : ''
		other_text = other_text.name.'='.people(name, text).more.'  '
	}
}
if (other_text ne '') { other_text = 'also in the file, not drawn here (choose by an argument): '.other_text }
footer_text = base(CSV).(started ne '' ? ', '.started[1:10] : '').': n = '.sprintf('%d', nruns).(nruns == 1 ? ' run' : ' runs'). \
	(filter_text ne '' ? ' with '.filter_text : '').', mean over repeats; '.sprintf('%d in doubt', ndoubt).' (hollow, never best); '. \
	sprintf('%d', nbad).' not ok, left out'

empty_text = 'no row of '.base(CSV).' is ok'.(filter_text ne '' ? ' and has '.filter_text : '')

# The picture.
if (strlen(OUT) > 4 && OUT[strlen(OUT) - 3:] eq '.svg') {
	set terminal svg size WIDE, HIGH noenhanced font 'sans,12' background '#ffffff'
} else {
	set terminal pngcairo size WIDE, HIGH noenhanced font 'sans,10' background '#ffffff'
}
set output OUT
