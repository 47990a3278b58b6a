#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "config/loader.h"

/* Names of fio's options (job file and command line, engines' own ones too) that are not
 * supported yet, in the order of strcmp(): they must be told from typing errors. Those that are
 * supported stand in the axis and setting tables. */
/* clang-format off */
static const char *const names[] = {
	"alloc-size", "allow_file_create", "allow_mounted_write", "allrandrepeat", "append-terse",
	"apptag", "apptag_mask", "arguments", "atomic", "aux-path", "ba", "bandwidth-log", "bindname",
	"block_error_percentiles", "blockalign", "blocksize_range", "blocksize_unaligned", "brick",
	"bs_is_seq_rand", "bs_unaligned", "bsrange", "bssplit", "buffer_compress_chunk",
	"buffer_compress_percentage", "buffer_pattern", "busy_poll", "bwavgtime", "cgroup",
	"cgroup_nodelete", "cgroup_weight", "chunk_size", "clat_percentiles", "client", "clientname",
	"clocksource", "clustername", "cmd_type", "cmdprio", "cmdprio_bssplit", "cmdprio_class",
	"cmdprio_hint", "cmdprio_percentage", "conf", "continue_on_error", "cpuchunks", "cpuload",
	"cpumask", "cpumode", "cpus_allowed", "cpus_allowed_policy", "create_fsync", "create_on_open",
	"create_only", "create_serialize", "dataplacement", "deallocate", "debug", "dedupe_global",
	"dedupe_mode", "dedupe_percentage", "dedupe_working_set_percentage", "disable_bw_measurement",
	"disable_clat", "disable_lat", "disable_slat", "disk_util", "do_verify", "donorname", "dp_scheme",
	"error_dump", "eta", "eta-interval", "exec_postrun", "exec_prerun", "exit_on_io_done",
	"exit_what", "exitall", "exitall_on_error", "experimental_verify", "fadvise_hint", "fallocate",
	"fdatasync", "fdp", "fdp_pli", "fdp_pli_select", "file_append", "file_service_type",
	"filename_format", "filesize", "fill_device", "fixedbufs", "flow", "flow_id", "flow_sleep",
	"flow_watermark", "force_async", "fsync_on_close", "gid", "grace_time", "gtod_cpu",
	"hdfs_use_direct", "hipri", "hipri_percentage", "hostname", "http_host", "http_mode",
	"http_object_mode", "http_pass", "http_s3_key", "http_s3_keyid", "http_s3_region",
	"http_s3_sse_customer_algorithm", "http_s3_sse_customer_key", "http_s3_storage_class",
	"http_swift_auth_token", "http_user", "http_verbose", "hugepage-size", "hugepage_size",
	"idle-prof", "ignore_error", "ignore_zone_limits", "inflate-log", "inplace", "interface",
	"invalidate", "io_submit_mode", "iodepth_batch", "iodepth_batch_complete",
	"iodepth_batch_complete_max", "iodepth_batch_complete_min", "iodepth_batch_submit", "iodepth_low",
	"iomem", "iomem_align", "iopsavgtime", "ioscheduler", "job_max_open_zones", "kb_base",
	"lat_percentiles", "latency_percentile", "latency_run", "latency_target", "latency_window",
	"libaio_vectored", "libblkio_driver", "libblkio_force_enable_completion_eventfd",
	"libblkio_num_entries", "libblkio_path", "libblkio_pre_connect_props", "libblkio_pre_start_props",
	"libblkio_queue_size", "libblkio_vectored", "libblkio_wait_mode", "libblkio_write_zeroes_on_trim",
	"listen", "lockfile", "lockmem", "log_alternate_epoch", "log_alternate_epoch_clock_id",
	"log_avg_msec", "log_compression", "log_compression_cpus", "log_entries", "log_hist_coarseness",
	"log_hist_msec", "log_issue_time", "log_max_value", "log_offset", "log_prio",
	"log_store_compressed", "log_unix_epoch", "log_window_value", "loops", "max-jobs", "max_latency",
	"max_open_zones", "md_per_io_size", "mem", "mem_align", "merge_blktrace_file",
	"merge_blktrace_iters", "merge_blktrace_scalars", "minimal", "mlock", "mss", "namenode",
	"new_group", "nfs_url", "nice", "nodelay", "nonvectored", "norandommap", "nowait", "nr_files",
	"nrfiles", "numa_cpu_nodes", "numa_mem_policy", "number_ios", "offset", "offset_align", "opendir",
	"openfiles", "output-format", "overwrite", "parse-only", "per_job_logs", "percentage_random",
	"percentage_sequential", "percentile_list", "pi_act", "pi_chk", "pingpong", "plid_select",
	"plids", "pool", "port", "pre_read", "prio", "prioclass", "priohint", "profile", "program",
	"protocol", "ramp_size", "random_distribution", "random_generator", "randseed", "rate",
	"rate_cycle", "rate_ignore_thinktime", "rate_iops", "rate_iops_min", "rate_min", "rate_process",
	"ratecycle", "ratemin", "rbdname", "read_beyond_wp", "read_iolog", "read_iolog_chunked",
	"readfua", "readonly", "registerfiles", "remote-config", "replay_align", "replay_no_stall",
	"replay_redirect", "replay_scale", "replay_skip", "replay_time_scale", "rw_sequencer",
	"scramble_buffers", "serialize_overlap", "server", "sg_write_mode", "showcmd",
	"significant_figures", "single_instance", "skip_bad", "slat_percentiles", "softrandommap",
	"sqthread_poll", "sqthread_poll_cpu", "start_delay", "startdelay", "stat_type", "stats",
	"status-interval", "status_interval", "std_redirect", "steadystate", "steadystate_duration",
	"steadystate_ramp_time", "stonewall", "stream_id", "sync", "sync_file_range", "terse-version",
	"thinktime", "thinktime_blocks", "thinktime_blocks_type", "thinktime_iotime", "thinktime_spin",
	"thp", "touch_objects", "trigger", "trigger-file", "trigger-remote", "trigger-timeout",
	"trim_backlog", "trim_backlog_batch", "trim_percentage", "trim_verify_zero", "ttl", "uid",
	"uncached", "unified_rw_reporting", "unique_filename", "unit_base", "unlink", "unlink_each_loop",
	"uri", "userspace_reap", "verb", "verify", "verify_async", "verify_backlog",
	"verify_backlog_batch", "verify_dump", "verify_fatal", "verify_header", "verify_header_seed",
	"verify_interval", "verify_offset", "verify_only", "verify_pattern", "verify_state_load",
	"verify_state_save", "verify_write_sequence", "volume", "wait_for", "warnings-fatal",
	"window_size", "write_barrier", "write_bw_log", "write_hint", "write_hist_log", "write_iolog",
	"write_iops_log", "write_lat_log", "write_mode", "writefua", "xnvme_admin", "xnvme_async",
	"xnvme_dev_nsid", "xnvme_dev_subnqn", "xnvme_iovec", "xnvme_mem", "xnvme_sync", "zone_range",
	"zone_reset_frequency", "zone_reset_threshold", "zone_size", "zone_skip", "zonecapacity",
	"zonemode", "zonerange", "zonesize", "zoneskip",
};
/* clang-format on */

static int by_name(const void *key, const void *row)
{
	return strcmp(key, *(const char *const *)row);
}

bool known_option(const char *name)
{
	return bsearch(name, names, ARRAY_SIZE(names), sizeof(names[0]), by_name) != NULL;
}
