# tests/e2e/charts.sh: sourced by the chart tests: makes CSVs by hand and draws them.
requires gnuplot
columns=sweep,label,combination,run,repeat,started_utc,host,device,fs,tags,status,doubts,notes,error,op,filename,ioengine,rw,bs,numjobs,iodepth,direct,size,rwmixread,ramp_time,runtime,options,ios,bytes,iops,bw_mib_s,bw_mb_s,lat_min_us,lat_mean_us,lat_stddev_us,lat_p50_us,lat_p90_us,lat_p95_us,lat_p99_us,lat_p99_9_us,lat_p99_99_us,lat_max_us,iops_min,iops_max,iops_stddev,errors,short_ios,window_s,run_iops,run_bw_mib_s,depth_total,depth_mean,longest_gap_ms,cpu_us_per_io,cpu_user_pct,cpu_sys_pct,device_read_bytes,device_write_bytes,device_read_ios,device_write_ios,device_queue_mean,device_util_pct,passes,flush_s,write_amplification,iops_half_width_pct,iops_half_width_repro_pct,confidence,stop_reason,batches,rho,lat_p99_low_us,lat_p99_high_us
header() { echo "$columns"; }
# row key=value ...: one CSV line; columns not named are plausible or empty
row() {
	echo "$columns" | awk -F, -v given="$*" 'BEGIN {
		v["sweep"] = "t"; v["status"] = "ok"; v["op"] = "read"; v["filename"] = "/mnt/t_x"; v["ioengine"] = "io_uring"
		v["rw"] = "randread"; v["bs"] = 4096; v["numjobs"] = 1; v["iodepth"] = 1; v["direct"] = 1; v["size"] = 1073741824
		v["rwmixread"] = 50; v["runtime"] = 30; v["iops"] = 1000; v["bw_mib_s"] = 100; v["lat_mean_us"] = 90; v["lat_p99_us"] = 200
		v["run_iops"] = 2000; v["run_bw_mib_s"] = 150
		n = split(given, g, " ")
		for (i = 1; i <= n; i++) { k = g[i]; sub(/=.*/, "", k); sub(/^[^=]*=/, "", g[i]); v[k] = g[i] }
	} { for (i = 1; i <= NF; i++) printf "%s%s", v[$i], i < NF ? "," : "\n" }'
}
# draw SCRIPT CSV OUT args...: must succeed and say nothing
draw() {
	script=$1; shift
	gnuplot -d -c "$root/scripts/$script.gp" "$@" >said 2>&1 || { cat said >&2; die "gnuplot $script $*"; }
	[ ! -s said ] || { cat said >&2; die "gnuplot $script $* is not silent"; }
	[ -s "$2" ] || die "no picture $2"
}
png() { equal "$(od -An -tx1 -N8 "$1" | tr -d ' \n')" 89504e470d0a1a0a "PNG signature of $1"; }
