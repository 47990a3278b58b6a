# Both charts draw PNG and SVG from a CSV by column names, labelled 4k .. 4M, silently and from any directory.
. "$(dirname "$0")/functions.sh"
. "$here/charts.sh"
run=0
{
	header
	for rw in read randrw; do
		for bs in 4096 65536 4194304; do
			for depth in 1 32; do
				row run=$((run += 1)) rw=$rw bs=$bs iodepth=$depth bw_mib_s=$((bs / 4096 + depth)) run_bw_mib_s=$((bs / 2048 + depth))
				[ $rw = read ] || row run=$run rw=$rw bs=$bs iodepth=$depth op=write bw_mib_s=1
			done
		done
	done
} >t.csv
for script in summary-vs-bs heatmap-bs-iodepth; do
	draw $script t.csv $script.png
	png $script.png
	draw $script t.csv $script.svg
	for text in '>4k<' '>64k<' '>4M<' '>read<' '>randrw<' 'n = 12 runs' '/mnt/t_x' 'MiB/s'; do contains $script.svg "$text"; done
	lacks $script.svg 'e+0'
done
contains summary-vs-bs.svg 'iodepth (1, 32)'
contains heatmap-bs-iodepth.svg '>1056<' # read, 4M, depth 32: one row of its own
contains heatmap-bs-iodepth.svg '>2080<' # randrw, 4M, depth 32: both directions together

# an argument fixes a column, sizes as people write them
draw heatmap-bs-iodepth t.csv fixed.svg rw=read bs=4M
contains fixed.svg 'n = 2 runs with rw=read, bs=4M'
lacks fixed.svg '>randrw<'
draw heatmap-bs-iodepth t.csv metric.svg metric=lat_p99_us
contains metric.svg 'lat_p99_us, lowest over'

# the columns may stand in another order
awk -F, 'BEGIN { OFS = "," } { t = $1; $1 = $NF; $NF = t; t = $20; $20 = $31; $31 = t; print }' t.csv >moved.csv
draw heatmap-bs-iodepth moved.csv moved.svg
contains moved.svg '>1056<'
