# What is missing, in doubt, failed or alone: said and shown, never invented.
. "$(dirname "$0")/functions.sh"
. "$here/charts.sh"
both() { # CSV OUT args...: both scripts
	for script in summary-vs-bs heatmap-bs-iodepth; do draw $script "$1" "$script-$2" ${3:+"$3"}; done
}

# one point
{ header; row; } >one.csv
both one.csv one.svg
contains summary-vs-bs-one.svg '>4k<'
contains summary-vs-bs-one.svg 'n = 1 run,'
contains heatmap-bs-iodepth-one.svg '>100<'

# nothing at all, nothing ok, nothing that matches
header >none.csv
both none.csv none.svg
contains summary-vs-bs-none.svg 'no row of none.csv is ok'
{ header; row status=failed error=EIO; row status=skipped op= iops= bw_mib_s=; } >failed.csv
both failed.csv failed.svg
contains heatmap-bs-iodepth-failed.svg 'no row of failed.csv is ok'
contains heatmap-bs-iodepth-failed.svg '2 not ok, left out'
both one.csv other.svg rw=write
contains summary-vs-bs-other.svg 'no row of one.csv is ok and has rw=write'

# a row in doubt: its cell is an empty frame, it is never the best, and it is counted
{ header; row bs=4096 bw_mib_s=10; row bs=4096 bw_mib_s=999 doubts=unwritten numjobs=2; row bs=8192 bw_mib_s=777 doubts=unwritten; } >doubt.csv
both doubt.csv doubt.svg
contains summary-vs-bs-doubt.svg '2 in doubt (hollow, never best)'
contains heatmap-bs-iodepth-doubt.svg '>10<'
lacks heatmap-bs-iodepth-doubt.svg '>999<'
contains heatmap-bs-iodepth-doubt.svg '>777<'
{ header; row doubts=cached; } >only.csv
both only.csv only.svg

# a percentile that is missing; a size that is missing in one pattern
{
	header
	for bs in 4096 8192 16384; do
		row bs=$bs lat_p99_us=
		[ $bs = 8192 ] || row bs=$bs rw=read bw_mib_s=$((bs / 1000))
	done
} >missing.csv
both missing.csv missing.svg
contains heatmap-bs-iodepth-missing.svg '>16<'
{ header; row lat_p99_us=; row lat_p99_us= bs=8192; } >empty.csv
draw summary-vs-bs empty.csv empty.svg
contains empty.svg 'no values'

# repeats are averaged
{ header; row repeat=1 bw_mib_s=300; row repeat=2 bw_mib_s=500; } >repeats.csv
draw heatmap-bs-iodepth repeats.csv repeats.svg
contains repeats.svg '>400<'

# two conditions are never mixed: the first is drawn, the other is named
{ header; row direct=1 bw_mib_s=300; row direct=0 bw_mib_s=9000; } >two.csv
both two.csv two.svg
contains heatmap-bs-iodepth-two.svg '>300<'
contains heatmap-bs-iodepth-two.svg 'also in the file, not drawn here (choose by an argument): direct=0'
both two.csv buffered.svg direct=0
contains heatmap-bs-iodepth-buffered.svg '>9000<'

# what cannot be drawn is said, exit not 0; no name runs a command
refused() { # text args...
	text=$1; shift
	expect_exit "$1" gnuplot -d -c "$root/scripts/summary-vs-bs.gp" "$2" "$3" ${4:+"$4"}
	contains err "$text"
}
refused 'cannot read' 1 absent.csv x.png
echo 'a,b' >foreign.csv
refused 'not the CSV of a sweep' 1 foreign.csv x.png
refused 'not column=value with a column of one.csv' 2 one.csv x.png colour=red
refused 'cannot read' 1 '< touch pwned' x.png
refused 'must not be empty or begin with' 2 one.csv '|touch pwned'
expect_exit 2 gnuplot -d -c "$root/scripts/heatmap-bs-iodepth.gp" one.csv x.png metric=nosuch
contains err 'one.csv: no column nosuch'
[ ! -e pwned ] || die 'a file name ran as a command'
{ header; row filename='`touch${IFS}pwned`' device="'.system('touch_pwned').'"; } >evil.csv
both evil.csv evil.svg
[ ! -e pwned ] && [ ! -e touch_pwned ] || die 'a cell ran as a command'

# fields as RFC 4180 has them: quotes, commas and line ends within; and any name of the CSV and of the scripts' directory
quoted() { sed "s|/mnt/t_x|$1|"; }
{ header; row | quoted '"q""1,x.dat"'; row bs=8192 bw_mib_s=321 | quoted '"q""1,x.dat"'; row | quoted '"two\nlines, ""a"""'; row sweep='#hash'; } >quotes.csv
for name in "it's a \`touch pwned\` \"name\", \$HOME.csv" '<one.csv' '-n' '|x' "$PWD/a b.csv"; do
	cp quotes.csv "./$name" 2>/dev/null || cp quotes.csv "$name"
	draw heatmap-bs-iodepth "$name" quotes.svg
	contains quotes.svg 'n = 2 runs'
	contains quotes.svg ' 0 not ok'
	contains quotes.svg '>321<'
	contains quotes.svg "q''1,x.dat"
	draw summary-vs-bs "$name" quotes.png
done
draw heatmap-bs-iodepth quotes.csv quotes.svg 'filename=q"1,x.dat'
contains quotes.svg 'n = 2 runs with'
mkdir "it's \`here\`"
cp "$root"/scripts/*.gp "$root"/scripts/rows.awk "it's \`here\`"
gnuplot -d -c "it's \`here\`/heatmap-bs-iodepth.gp" quotes.csv moved.svg
contains moved.svg '>321<'
[ ! -e pwned ] || die 'a name ran as a command'
