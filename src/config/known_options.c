#include "config/known_options.h"

#include "base/cleanup.h"
#include "base/text.h"

/* Those that are supported stand in the axis and setting tables, those that are so already in names.c. */
struct group {
	const char *hint;
	const char *names; /* space-separated */
};

/* clang-format off */
static const struct group groups[] = {
	/* targets and files */
	{ "one file per target, or one per job in a directory", "nrfiles nr_files openfiles opendir file_service_type filename_format unique_filename" },
	{ "a file is as large as size needs; size limits the region of an existing one", "filesize" },
	{ "io_size and size say how much is written; `fill` writes a target once", "fill_device file_append" },
	{ "missing files are laid out with real writes and fsynced before the first run", "create_serialize create_fsync create_on_open create_only allow_file_create fallocate" },
	{ "a mounted device is never written to", "allow_mounted_write" },
	{ "what was made is removed on completion; `keep` keeps it", "unlink unlink_each_loop" },
	{ "the target is opened once per job, without locks", "lockfile" },
	{ "read-only sweeps need no option: list only patterns that read", "readonly" },
	/* regions, sizes and order */
	{ "an offset in percent is rounded up to a multiple of blockalign, or of bs", "offset_align" },
	{ "use bsrange or bssplit; all sizes of a range are multiples of its smallest", "bs_is_seq_rand bs_unaligned blocksize_unaligned" },
	{ "random patterns visit each block once per pass, without a map; norandommap draws anew each time", "softrandommap random_generator" },
	{ "each direction walks by itself, one block after another", "rw_sequencer" },
	{ "I/Os of one pass do not overlap", "serialize_overlap" },
	/* load */
	{ "a rate is a schedule that goes on whatever happens; what is late catches up, also after thinktime", "rate_cycle ratecycle rate_ignore_thinktime" },
	{ "a row with less is in the results: use where, best or compare", "rate_min ratemin rate_iops_min" },
	{ "a pause comes when thinktime_blocks I/Os were started and are complete, which is both", "thinktime_blocks_type" },
	{ "jobs submit from their own threads", "io_submit_mode flow flow_id flow_sleep flow_watermark" },
	{ "the queue is refilled as completions come; see iodepth_batch_complete_min", "iodepth_low" },
	{ "make iodepth an axis and ask `iosweep best` for a latency bound", "latency_target latency_window latency_percentile latency_run max_latency" },
	{ "combinations run one after another: make each section an include entry", "stonewall new_group wait_for exitall exit_what exitall_on_error exit_on_io_done" },
	{ "use repeats", "loops" },
	{ "give ramp_time", "ramp_size" },
	{ "`precision` ends a run when its mean is known well enough", "steadystate ss steadystate_duration ss_dur steadystate_ramp_time ss_ramp steadystate_check_interval ss_interval" },
	/* durability, cache and data */
	{ "fsync, fdatasync, sync and end_fsync are there", "sync_file_range fsync_on_close write_barrier atomic readfua writefua" },
	{ "what repeats is the write before, of the same job (dedupe_percentage)", "dedupe_mode dedupe_global dedupe_working_set_percentage" },
	{ "no 4 KiB written are alike anyway", "scramble_buffers" },
	{ "data that was written is not read back and checked", "verify do_verify verify_async verify_async_cpus verify_backlog verify_backlog_batch verify_dump verify_fatal verify_header verify_header_seed verify_interval verify_offset verify_only verify_pattern verify_pattern_interval verify_state_load verify_state_save verify_write_sequence verifysort verifysort_nr experimental_verify" },
	{ "use rw trim, randtrim, trimwrite or randtrimwrite, on block devices", "trim_percentage trim_verify_zero trim_backlog trim_backlog_batch num_range" },
	{ "no hints go with writes", "write_hint stream_id" },
	{ "this device feature is not used", "fdp fdp_pli fdp_pli_select dp_scheme dataplacement plids plid_select pi_act pi_chk apptag apptag_mask md_per_io_size cmd_type write_mode deallocate" },
	{ "zoned devices are measured as plain ones are: by offset", "zonemode zonerange zone_range zonesize zone_size zoneskip zone_skip zonecapacity zone_reset_threshold zone_reset_frequency read_beyond_wp max_open_zones job_max_open_zones ignore_zone_limits recover_zbd_write_error" },
	/* the machine */
	{ "jobs are threads of this process, as its user", "uid gid cgroup cgroup_weight cgroup_nodelete" },
	{ "prioclass and prio are there, hints are not", "priohint" },
	{ "all I/Os of a job have one priority", "cmdprio cmdprio_percentage cmdprio_class cmdprio_hint cmdprio_bssplit cmdprio_split" },
	{ "use cpus_allowed and cpus_allowed_policy", "cpumask" },
	{ "run iosweep under numactl", "numa_cpu_nodes numa_mem_policy" },
	{ "buffers are anonymous memory, in huge pages where the kernel grants them", "mem iomem mem_align iomem_align hugepage-size hugepage_size thp lockmem mlock" },
	{ "set it before the sweep: echo NAME > /sys/block/DEVICE/queue/scheduler; it is recorded per run", "ioscheduler" },
	{ "no program is run beside a run", "exec_prerun exec_postrun" },
	{ "the clock is the TSC where the kernel trusts it, and recorded per run", "clocksource gtod_cpu" },
	/* engines */
	{ "use hipri: all I/Os poll, or none", "hipri_percentage" },
	{ "use cpus_allowed; the polling thread of the kernel is not bound", "sqthread_poll_cpu" },
	{ "io_uring is used as the kernel offers it", "nonvectored force_async nowait" },
	{ "libaio takes completions from the ring itself where it can, one buffer per I/O", "userspace_reap libaio_vectored" },
	{ "an option of an engine that is not here; see: iosweep help engines",
	  "bindname brick busy_poll chunk_size client clustername cpuchunks cpuload cpumode donorname hdfs_use_direct hostname http_host http_mode http_object_mode http_pass"
	  " http_s3_key http_s3_keyid http_s3_region http_s3_security_token http_s3_sse_customer_algorithm http_s3_sse_customer_key http_s3_storage_class http_swift_auth_token http_user http_verbose"
	  " inplace interface libblkio_driver libblkio_force_enable_completion_eventfd libblkio_num_entries libblkio_path libblkio_pre_connect_props libblkio_pre_start_props libblkio_queue_size"
	  " libblkio_vectored libblkio_wait_mode libblkio_write_zeroes_on_trim listen mss namenode nfs_url nodelay pingpong pool port program protocol rbdname readnode serverip single_instance single-instance sg_write_mode"
	  " skip_bad stat_type std_redirect touch_objects ttl uri verb volume window_size arguments xnvme_admin xnvme_async xnvme_dev_nsid xnvme_dev_subnqn xnvme_iovec xnvme_mem xnvme_sync grace_time"
	  " conf clientname max_open_files dev_nsid" },
	/* measuring and reporting */
	{ "the columns are fixed; every run keeps its whole latency histogram", "clat_percentiles slat_percentiles significant_figures unified_rw_reporting block_error_percentiles" },
	{ "statistics are always kept: their clock reads are per batch", "disable_lat disable_clat disable_slat disable_bw_measurement disable_bw stats" },
	{ "rates per second are kept in the table interval of the database", "bwavgtime iopsavgtime per_job_logs write_bw_log write_iops_log write_lat_log write_hist_log log_avg_msec log_hist_msec log_hist_coarseness log_max_value"
	  " log_window_value log_offset log_prio log_issue_time log_compression log_compression_cpus log_store_compressed log_unix_epoch log_alternate_epoch log_alternate_epoch_clock_id log_entries" },
	{ "sizes are in powers of 1024", "kb_base unit_base" },
	{ "the counters of the device are always read", "disk_util" },
	{ "an error ends its run, and the sweep goes on", "continue_on_error ignore_error error_dump" },
	{ "traces are neither recorded nor replayed", "read_iolog read_iolog_chunked write_iolog replay_align replay_no_stall replay_redirect replay_scale replay_skip replay_time_scale merge_blktrace_file merge_blktrace_iters merge_blktrace_scalars" },
	/* fio's command line */
	{ "an option of fio's command line; see: iosweep help run",
	  "alloc-size append-terse aux-path bandwidth-log client clientname debug eta eta-interval idle-prof inflate-log max-jobs minimal output output-format parse-only remote-config server showcmd"
	  " status-interval status_interval terse-version trigger trigger-file trigger-remote trigger-timeout warnings-fatal" },
};
/* clang-format on */

const char *known_option_hint(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++)
		if (text_has_word(groups[i].names, name))
			return groups[i].hint;
	return NULL;
}
