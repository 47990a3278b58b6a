#!/bin/sh
# One command: install what is missing, build, sweep a scratch file, say where it is fastest, draw it.
set -eu
PATH=$PATH:/usr/sbin:/sbin
export LC_ALL=C
cd "$(dirname "$0")/.."
. scripts/packages.sh
# shellcheck disable=SC2086 # lists
need $needs_build $needs_charts
make -j"$(nproc)"

takes_o_direct() {
	probe=$1/iosweep.scratch.probe
	dd if=/dev/zero of="$probe" bs=64k count=1 oflag=direct conv=fsync 2>/dev/null && ok=0 || ok=1
	rm -f "$probe"
	return $ok
}
direct=1
for dir in . /var/tmp "${HOME:-/root}" /tmp none; do
	if [ "$dir" = none ]; then
		dir=. direct=0
		echo "demo: no file system here takes O_DIRECT: this measures the page cache, not a device" >&2
	elif takes_o_direct "$dir"; then
		break
	fi
done

target=$dir/iosweep.scratch
mkdir -p results
name=results/demo-$(date -u +%Y%m%dT%H%M%SZ)
rc=0
build/iosweep run configs/demo.json --db "$name.db" --set filename="${target#./}" --set direct=$direct || rc=$?
# 1: finished, but some runs failed or could not run on this machine: there is something to show all the same
[ $rc -le 1 ] || exit $rc
gnuplot -d -c scripts/summary-vs-bs.gp "$name.csv" "$name-summary.png"
gnuplot -d -c scripts/heatmap-bs-iodepth.gp "$name.csv" "$name-heatmap.png"
cat <<EOF

The sweep is in
  $name.db            every run: sqlite3 $name.db 'select rw, bs, iodepth, iops, lat_p99_us from results'
  $name.csv           the same for a spreadsheet
  $name-summary.png   bandwidth, IOPS and latency by block size
  $name-heatmap.png   bandwidth by block size and depth
Next: build/iosweep plan configs/quick.json, and README.md for a config of your own.
EOF
exit $rc
