#!/bin/sh
# Exports in other shapes: wide, matrix, intervals, histograms; as workbook, Markdown and JSON lines.
. "$(dirname "$0")/functions.sh"
requires jq
requires unzip
"$IOSWEEP" run -q --db t.db --set ioengine=null --set filename=x --set size=1g --set rw=randread,randrw --set bs=4k,64k \
	--set iodepth=1,4 --set runtime=250ms --set ramp_time=0 --set repeats=2 --tag "x==1+1|<b>"

# wide: a line per run; the sums of both ops are those of the rows
"$IOSWEEP" export t.db --wide --format jsonl >wide
equal "$(wc -l <wide)" 16
equal "$(jq -s 'map((.read_ios // 0) + (.write_ios // 0)) | add' wide)" "$(db t.db 'select sum(ios) from results')" 'ios'
equal "$(jq -s 'map(select(.rw == "randread" and .write_ios != null)) | length' wide)" 0
equal "$(jq -s 'map(has("op") or has("trim_ios")) | any' wide)" false

# a matrix of the best of the repeats
best() { db t.db "select max(run_iops) from results where rw = 'randread' and bs = $1 and iodepth = $2 and doubts = ''"; }
"$IOSWEEP" export t.db --pivot bs,iodepth,run_iops --where "rw = 'randread'" --format json >matrix
equal "$(jq -r '.rows | map(."bs\\iodepth") | join(" ")' matrix)" '4096 65536'
for bs in 4096 65536; do for depth in 1 4; do
	equal "$(jq -r ".rows[] | select(.\"bs\\\\iodepth\" == $bs) | .\"$depth\" | values | round" matrix)" \
		"$(best $bs $depth | awk '/./ { printf "%.0f\n", $1 }')" "$bs $depth"
done; done
# rows in doubt are not in it, and that is said
sqlite3 t.db "update run set flags = 1 where id = 1"
expect_exit 0 "$IOSWEEP" export t.db --pivot bs,iodepth,run_iops
contains err 'are in doubt and not in the matrix'
"$IOSWEEP" export t.db --pivot iodepth,bs,lat_p99_us --format markdown >md
equal "$(sed -n 2p md | tr -cd '|-')" '|---|---|---|'

# every I/O of a run is in its intervals and in its histogram
"$IOSWEEP" export t.db --intervals --format jsonl --where 'run = 3' >intervals
"$IOSWEEP" export t.db --histograms --format jsonl --where 'run = 3' >buckets
ios=$(db t.db 'select sum(ios) from results where run = 3')
# a comment in a condition ends with it, also beside --run
"$IOSWEEP" export t.db --run 3 --where "op = 'read' -- and no more" --format jsonl >commented
equal "$(jq -r '"\(.run) \(.op)"' commented)" '3 read'
equal "$(jq -s 'map(.ios) | add' intervals)" "$ios"
equal "$(jq -s 'map(.ios) | add' buckets)" "$ios"
equal "$(jq -s 'map(.low_us < .high_us) | all' buckets)" true
equal "$(jq -s 'map(.iops * .len_s - .ios | fabs < 0.5) | all' intervals)" true

# Markdown: nothing in a name is taken for its own
"$IOSWEEP" export t.db --format markdown --where 'run = 3' >md
contains md '| x==1+1\|\<b\> |'

# a workbook: texts as texts, numbers as numbers
if "$IOSWEEP" export t.db --format xlsx -o t.xlsx 2>err; then
	unzip -p t.xlsx xl/worksheets/sheet1.xml >sheet
	lacks sheet '<f>'
	contains sheet 'x==1+1|&lt;b&gt;'
	contains sheet '<pane ySplit="1"'
	contains sheet '<autoFilter ref="A1:'
	contains sheet "<v>$(db t.db 'select bytes from results where run = 3')</v>"
	unzip -p t.xlsx xl/workbook.xml >book
	contains book 'name="environment"'
	if command -v soffice >/dev/null; then
		# back to CSV by another program: the same values
		HOME=$PWD timeout 120 soffice --headless --convert-to 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,1' t.xlsx >/dev/null 2>&1
		sqlite3 :memory: '.import --csv t-rows.csv x' 'select run, op, ios, bytes, round(iops, 3), round(lat_p99_us, 3), sweep from x order by 1 + run, op' >theirs
		db t.db 'select run, op, ios, bytes, round(iops, 3), round(lat_p99_us, 3), sweep from results order by 1 + run, op' >ours
		cmp ours theirs || die 'LibreOffice reads other values'
	fi
else
	contains err 'built without libxlsxwriter'
fi
if command -v soffice >/dev/null; then
	# a sheet in a German locale (1031) reads the dialect for it: numbers as numbers, the same ones
	"$IOSWEEP" export t.db --format csv-excel -o german.csv
	HOME=$PWD timeout 120 soffice --headless --infilter='CSV:59,34,76,1,,1031,false,true' \
		--convert-to 'csv:Text - txt - csv (StarCalc):44,34,76,1,,1033,false,false' --outdir german german.csv >/dev/null 2>&1
	"$IOSWEEP" export t.db -o plain.csv
	for file in german/german.csv plain.csv; do
		sqlite3 :memory: ".import --csv $file x" 'select run, op, ios, bytes, iops, bw_mib_s, lat_p99_us + 0, tags, runtime + 0 from x'
	done >both
	lines=$(($(wc -l <both) / 2))
	head -n $lines both >theirs
	tail -n $lines both | diff - theirs || die 'a German sheet reads other values'
fi

# questions that make no sense
for wrong in '--pivot a' '--pivot bs,iodepth' '--pivot bs,iodepth,speed' '--pivot bs,iodepth,iops,op' '--wide --intervals' \
	'--wide --where nonsense=1' '--histograms --where x('; do
	# shellcheck disable=SC2086 # words
	expect_exit 2 "$IOSWEEP" export t.db $wrong
	[ ! -s out ] || die "$wrong: something was written"
done
