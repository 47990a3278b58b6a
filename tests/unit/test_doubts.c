/* Every rule of run/doubts.h at its threshold and just below it, on runs made by hand. */
#include "support/test.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "model/direction.h"
#include "run/doubts.h"
#include "support/records.h"

#define IOS    UINT64_C(20000)
#define BYTES  (IOS * 4096) /* 78.1 MiB in 2 s; the queue holds 32 KiB */
#define PERMIL (BYTES / 1000)

struct world_of_one {
	struct run_spec spec;
	struct sample *s;
	struct target_info target;
};

/* 2 jobs at depth 4, 2 s of direct random reads that nothing speaks against. */
static void set_clean(struct world_of_one *w)
{
	struct sample *s = w->s;

	w->spec =
	    (struct run_spec){ .job = job_of(RW_RANDREAD, 4096), .region_bytes = 16 * GIB };
	w->target = (struct target_info){ .kind = TARGET_FILE, .fs = "ext4", .zero_pct = -1 };
	s->region_bytes = 16 * GIB;
	s->ramp_ios = 5000;
	s->device = (struct device_delta){
		.valid = true, .read_ios = IOS, .read_bytes = BYTES, .elapsed_ns = 2 * SEC
	};
	s->busiest_job = 1;
	s->busiest_cpu_ns = 1000 * MSEC;
	s->busiest_window_ns = 2 * SEC;
	s->cpus_milli = 2000;
	s->system_ns = 2 * SEC;
	s->idle_ns = 2 * SEC;
}

static void as_writes(struct world_of_one *w)
{
	w->spec.job.rw = RW_RANDWRITE;
	w->spec.directory = true; /* else the jobs overlap */
	w->s->op[OP_WRITE] = w->s->op[OP_READ];
	memset(&w->s->op[OP_READ], 0, sizeof(w->s->op[OP_READ]));
	w->s->device.write_bytes = BYTES;
	w->s->device.read_bytes = 0;
	for (unsigned i = 0; i < w->s->slots; i++) {
		w->s->slot[i].bytes[OP_WRITE] = w->s->slot[i].bytes[OP_READ];
		w->s->slot[i].bytes[OP_READ] = 0;
	}
}

/* --- one change of the clean run each */

static void nothing(struct world_of_one *w)
{
	(void)w;
}
static void clean_writes(struct world_of_one *w)
{
	as_writes(w);
}

static void job_95(struct world_of_one *w)
{
	w->s->busiest_cpu_ns = 1900 * MSEC;
}
static void job_94(struct world_of_one *w)
{
	w->s->busiest_cpu_ns = 1899 * MSEC;
}
static void jobs_90(struct world_of_one *w)
{
	w->s->cpu_user_ns = 1600 * MSEC;
	w->s->cpu_sys_ns = 2000 * MSEC;
}
static void jobs_89(struct world_of_one *w)
{
	w->s->cpu_user_ns = 1599 * MSEC;
	w->s->cpu_sys_ns = 2000 * MSEC;
}
static void pollers(struct world_of_one *w)
{
	jobs_89(w);
	w->s->poller_ns = 401 * MSEC;
}
static void quota(struct world_of_one *w)
{
	w->s->cpus_milli = 500; /* the clean run uses 0.3 CPUs */
	w->s->cpu_user_ns = 500 * MSEC;
}
static void idle_4(struct world_of_one *w)
{
	w->s->system_ns = 3804 * MSEC;
	w->s->idle_ns = 196 * MSEC;
}
static void idle_5(struct world_of_one *w)
{
	w->s->system_ns = 3800 * MSEC;
	w->s->idle_ns = 200 * MSEC;
}
static void idle_short(struct world_of_one *w)
{
	w->s->system_ns = 790 * MSEC;
	w->s->idle_ns = 0;
}
static void polls_full(struct world_of_one *w)
{
	w->s->polls = 1000;
	w->s->polls_empty = 49;
}
static void polls_empty(struct world_of_one *w)
{
	job_95(w);
	w->s->polls = 1000;
	w->s->polls_empty = 50;
}
static void null_engine(struct world_of_one *w)
{
	w->spec.job.ioengine = ENGINE_NULL;
	w->s->device.valid = false;
	w->s->region_bytes = MIB;
	w->target.unwritten = true;
	job_95(w);
	idle_4(w);
}

static void read_89(struct world_of_one *w)
{
	w->s->device.read_bytes = 899 * PERMIL - 32 * KIB;
}
static void read_90(struct world_of_one *w)
{
	w->s->device.read_bytes = 900 * PERMIL - 32 * KIB;
}
static void read_89_buffered(struct world_of_one *w)
{
	read_89(w);
	w->spec.job.direct = 0;
}
static void read_89_raw(struct world_of_one *w)
{
	read_89_buffered(w);
	w->spec.block_device = true;
}
static void read_late(struct world_of_one *w) /* the counters were read 20 % too late */
{
	w->s->device.read_bytes = 800 * PERMIL;
	w->s->device.elapsed_ns = 1600 * MSEC;
}
static void base_cached(struct world_of_one *w)
{
	w->s->base = w->s->device;
	w->s->base.read_bytes = MIB;
}
static void base_same(struct world_of_one *w)
{
	w->s->base = w->s->device;
}

static void wrote_89(struct world_of_one *w)
{
	as_writes(w);
	w->s->device.write_bytes = 899 * PERMIL - 32 * KIB;
}
static void wrote_90(struct world_of_one *w)
{
	as_writes(w);
	w->s->device.write_bytes = 900 * PERMIL - 32 * KIB;
}

static void other_wrote(struct world_of_one *w)
{
	w->s->device.write_bytes = 2 * MIB + 1;
}
static void other_wrote_little(struct world_of_one *w)
{
	w->s->device.write_bytes = 2 * MIB;
}
static void other_wrote_pct(struct world_of_one *w) /* 1 % of 10 times as much */
{
	w->s->op[OP_READ].bytes *= 10;
	w->s->device.read_bytes *= 10;
	w->s->device.write_bytes = 10 * BYTES / 100;
}
static void other_read(struct world_of_one *w)
{
	w->s->device.read_bytes += 2 * MIB + 32 * KIB + 1;
}
static void other_read_little(struct world_of_one *w)
{
	w->s->device.read_bytes += 2 * MIB + 32 * KIB;
}
static void read_ahead(struct world_of_one *w)
{
	w->spec.job.direct = 0;
	w->s->device.read_bytes *= 2;
}
static void journal(struct world_of_one *w)
{
	as_writes(w);
	w->s->device.write_bytes = 3 * BYTES;
}
static void other_wrote_raw(struct world_of_one *w)
{
	journal(w);
	w->spec.block_device = true;
}
static void other_read_write(struct world_of_one *w)
{
	as_writes(w);
	w->s->device.read_bytes = 4 * MIB;
}
static void part_of_a_page(struct world_of_one *w)
{
	other_read_write(w);
	w->spec.job.direct = 0;
	w->spec.job.bs = 2048;
}
static void page_faults(struct world_of_one *w)
{
	other_read_write(w);
	w->spec.job.ioengine = ENGINE_MMAP;
	w->spec.job.direct = 0;
	w->spec.job.iodepth = 1;
	w->s->inflight_ns = 2 * 2 * SEC;
}
static void busy_gap(struct world_of_one *w)
{
	w->s->gap =
	    (struct device_delta){ .valid = true, .read_bytes = 4 * MIB, .elapsed_ns = SEC };
}
static void quiet_gap(struct world_of_one *w)
{
	busy_gap(w);
	w->s->gap.read_bytes = 4 * MIB - 1;
}
static void slow_gap(struct world_of_one *w)
{
	busy_gap(w);
	w->s->gap.elapsed_ns = 4 * SEC;
}
static void results_in_gap(struct world_of_one *w)
{
	busy_gap(w);
	w->s->gap.write_bytes = 100 * MIB;
	w->s->gap.read_bytes = 0;
}
static void busy_gap_raw(struct world_of_one *w)
{
	results_in_gap(w);
	w->spec.block_device = true;
}

static void refused(struct world_of_one *w)
{
	(void)snprintf(w->s->degraded, sizeof(w->s->degraded),
	               "fixedbufs=1: locked memory is limited to 64 KiB");
}

static void ramp_7(struct world_of_one *w)
{
	w->s->ramp_ios = 7;
}
static void ramp_8(struct world_of_one *w)
{
	w->s->ramp_ios = 8;
}
static void no_ramp(struct world_of_one *w)
{
	w->s->ramp_ios = 0;
	w->spec.job.ramp_time = 0;
}
static void deep_queue(struct world_of_one *w, uint64_t depth)
{
	w->spec.job.iodepth = depth;
	w->s->inflight_ns = depth * 2 * 2 * SEC;
	w->s->ramp_ios = IOS;
}
static void window_short(struct world_of_one *w)
{
	deep_queue(w, 3334);
}
static void window_3_turns(struct world_of_one *w)
{
	deep_queue(w, 3333);
}
static void size_mode(struct world_of_one *w)
{
	window_short(w);
	w->spec.job.time_based = 0;
}

/* 2.5 passes over the region; it takes `first` in the slots of the first one, then `later`. */
static void passes(struct world_of_one *w, uint64_t first, uint64_t later)
{
	uint64_t bytes = 0;

	w->s->ramp_ios = 8;
	w->s->region_bytes = 10 * first + 8 * 4096;
	for (unsigned i = 0; i < 30; i++) {
		w->s->slot[i].bytes[OP_READ] = i < 10 ? first : later;
		bytes += w->s->slot[i].bytes[OP_READ];
	}
	w->s->slots = 30;
	w->s->op[OP_READ].bytes = w->s->device.read_bytes = bytes;
}
static void warm_110(struct world_of_one *w)
{
	passes(w, 10 * MIB, 11 * MIB);
}
static void warm_111(struct world_of_one *w)
{
	passes(w, 10 * MIB, 11 * MIB + 8);
}
static void warm_noise(struct world_of_one *w)
{
	passes(w, 10 * MIB, 12 * MIB);
	for (unsigned i = 0; i < 30; i++) /* slots apart by far more than the passes are */
		w->s->slot[i].bytes[OP_READ] += i % 2 ? 9 * MIB : -(9 * MIB);
}
static void
warm_from_ramp(struct world_of_one *w) /* the first pass was over before the window */
{
	passes(w, 10 * MIB, 20 * MIB);
	w->s->ramp_ios = w->s->region_bytes / 4096;
}

static void stolen(struct world_of_one *w)
{
	w->s->steal_ns = 40 * MSEC;
}
static void stolen_less(struct world_of_one *w)
{
	w->s->steal_ns = 39 * MSEC;
}
static void stolen_tick(struct world_of_one *w)
{
	w->s->system_ns = w->s->idle_ns = 100 * MSEC;
	w->s->steal_ns = 10 * MSEC;
}
static void held_back(struct world_of_one *w)
{
	w->s->throttled_ns = 20 * MSEC + 1;
}
static void held_back_less(struct world_of_one *w)
{
	w->s->throttled_ns = 20 * MSEC;
}
static void too_hot(struct world_of_one *w)
{
	w->s->thermal = 3;
}
static void null_held_back(struct world_of_one *w)
{
	null_engine(w);
	held_back(w);
}

static void idle_job(struct world_of_one *w)
{
	w->s->jobs_idle = 1;
}
static void holes(struct world_of_one *w)
{
	w->target.unwritten = true;
}
static void zeros(struct world_of_one *w)
{
	w->target =
	    (struct target_info){ .kind = TARGET_BLOCK, .unwritten = true, .zero_pct = 37 };
}
static void holes_written(struct world_of_one *w)
{
	as_writes(w);
	holes(w);
}

static void depth_89(struct world_of_one *w)
{
	w->s->inflight_ns = 14399 * MSEC;
}
static void depth_90(struct world_of_one *w)
{
	w->s->inflight_ns = 14400 * MSEC;
}
static void rated(struct world_of_one *w)
{
	w->spec.job.rate_iops = 5000;
	w->s->inflight_ns = 1000 * MSEC;
	w->s->unstarted = 200;
}
static void rated_behind(struct world_of_one *w)
{
	rated(w);
	w->s->unstarted = 201;
}
static void rated_turn(struct world_of_one *w) /* fewer than the queue holds */
{
	rated_behind(w);
	w->spec.job.iodepth = 128;
}
static void rated_by_bytes(struct world_of_one *w)
{
	w->spec.job.rate = 20 * MIB;
}
static void rated_elsewhere(struct world_of_one *w) /* reads only, and no rate for them */
{
	rated(w);
	assert_int_equal(direction_parse(&axes[AXIS_rate_iops], "0,5000", &w->spec.job.rate_iops), 0);
}
static void mixed_rated(struct world_of_one *w, const char *rate)
{
	rated(w);
	w->spec.job.rw = RW_RANDRW;
	w->spec.directory = true;
	w->s->op[OP_WRITE] = w->s->op[OP_READ];
	w->s->device.write_bytes = BYTES;
	assert_int_equal(direction_parse(&axes[AXIS_rate_iops], rate, &w->spec.job.rate_iops), 0);
}
static void mixed_rated_reads(struct world_of_one *w)
{
	mixed_rated(w, "5000,0");
}
static void mixed_rated_both(struct world_of_one *w)
{
	mixed_rated(w, "5000,3000");
}
static void rated_late(struct world_of_one *w)
{
	rated(w);
	w->s->start_late_ns = w->s->op[OP_READ].lat.sum / 10 + 1;
}
static void rated_in_time(struct world_of_one *w)
{
	rated(w);
	w->s->start_late_ns = w->s->op[OP_READ].lat.sum / 10;
}
static void paused(struct world_of_one *w)
{
	depth_89(w);
	w->spec.job.thinktime = MSEC;
	w->spec.job.iodepth = 5000; /* 3 queues of that are more than there were I/Os */
	w->s->ramp_ios = 2;
}
static void looks_at_the_clock(struct world_of_one *w)
{
	idle_4(w);
	w->s->spin_ns = 4 * MSEC;
}
static void effective(struct world_of_one *w, const char *text)
{
	(void)snprintf(w->s->effective, sizeof(w->s->effective), "%s", text);
}
static void at_once_90(struct world_of_one *w)
{
	effective(w, "engine=libaio done_at_submit_pct=90");
}
static void at_once_89(struct world_of_one *w)
{
	effective(w, "engine=libaio done_at_submit_pct=89");
}
static void at_once_1(struct world_of_one *w)
{
	at_once_90(w);
	w->spec.job.iodepth = 1;
}
static void overlap(struct world_of_one *w)
{
	as_writes(w);
	w->spec.directory = false;
}
static void no_overlap(struct world_of_one *w)
{
	overlap(w);
	w->spec.job.offset_increment = 16 * GIB;
}
static void sequential(struct world_of_one *w)
{
	overlap(w);
	w->spec.job.rw = RW_WRITE;
}
static void sequential_same(struct world_of_one *w)
{
	sequential(w);
	w->spec.job.job_offset = JOB_OFFSET_SAME;
}
static void large_twice(struct world_of_one *w)
{
	w->s->op[OP_READ].bytes = w->s->device.read_bytes = 33 * GIB;
}
static void small(struct world_of_one *w)
{
	w->s->region_bytes = BYTES - 1;
	w->s->ramp_ios = IOS;
}
static void small_once(struct world_of_one *w)
{
	w->s->region_bytes = BYTES;
}
static void counters_late(struct world_of_one *w)
{
	w->s->device.valid = false;
	w->s->edges_missed = true;
	w->s->edge_from_ns = 92 * MSEC;
	w->s->edge_to_ns = 1300 * USEC;
}
static void counters_too_late(struct world_of_one *w)
{
	w->s->device.valid = false;
	w->s->edges_missed = true;
}
static void workers_often(struct world_of_one *w)
{
	w->s->worker_runs = 200;
}
static void workers_seldom(struct world_of_one *w)
{
	w->s->worker_runs = 199;
}
static void workers_busy(struct world_of_one *w)
{
	w->s->worker_ns = 20 * MSEC;
}
static void workers_idle(struct world_of_one *w)
{
	w->s->worker_ns = 19 * MSEC;
}
static void no_counters(struct world_of_one *w)
{
	w->s->device.valid = false;
}

static const struct {
	void (*change)(struct world_of_one *w);
	const char *why; /* all of it: nothing else may be said */
} cases[] = {
	{ nothing, "" },
	{ clean_writes, "" },
	{ job_95, "cpu-bound: job 1 used 95.0 % of a CPU" },
	{ job_94, "" },
	{ jobs_90, "cpu-bound: the jobs used 1.80 of 2.00 usable CPUs" },
	{ jobs_89, "" },
	{ pollers,
	  "cpu-bound: the jobs and their kernel pollers used 2.00 of 2.00 usable CPUs" },
	{ quota, "cpu-bound: the jobs used 0.45 of 0.50 usable CPUs" },
	{ idle_4, "cpu-bound: all CPUs of this machine together were 4.9 % idle" },
	{ idle_5, "" },
	{ idle_short, "" },
	{ polls_full, "cpu-bound: only 4.9 % of the polls for completions came back empty" },
	{ polls_empty, "" },
	{ null_engine, "" },
	{ read_89, "cached: the device read 70.2 MiB of the 78.1 MiB that this run read" },
	{ read_90, "" },
	{ read_89_buffered, "" },
	{ read_89_raw, "cached: the device read 70.2 MiB of the 78.1 MiB that this run read" },
	{ read_late, "" },
	{ base_cached, "cached: the device under the loop device read 1.0 MiB of the 78.1 MiB "
	               "that this run read" },
	{ base_same, "" },
	{ wrote_89, "page-cache: the device wrote 70.2 MiB of the 78.1 MiB that this run wrote "
	            "in the window" },
	{ wrote_90, "" },
	{ other_wrote,
	  "foreign-io: the device wrote 2.0 MiB (1.0 MiB/s), this run none of it" },
	{ other_wrote_little, "" },
	{ other_wrote_pct, "" },
	{ other_read, "foreign-io: the device read 80.2 MiB, this run 78.1 MiB of them" },
	{ other_read_little, "" },
	{ read_ahead, "" },
	{ journal, "" },
	{ other_wrote_raw,
	  "foreign-io: the device wrote 234.4 MiB, this run 78.1 MiB of them" },
	{ other_read_write,
	  "foreign-io: the device read 4.0 MiB (2.0 MiB/s), this run none of it" },
	{ counters_late, "unverified: the device's counters were not read in time: 92.00 ms from the start "
	                 "and 1.30 ms from the end of a window of 2000.0 ms" },
	{ counters_too_late, "unverified: the window of 2000.0 ms was over before the device's counters could be read" },
	{ part_of_a_page, "" },
	{ page_faults, "" },
	{ busy_gap, "foreign-io: the device moved 4.0 MiB in the 1.0 s before the run, when it "
	            "should have been idle" },
	{ quiet_gap, "" },
	{ slow_gap, "" },
	{ results_in_gap, "" },
	{ busy_gap_raw, "foreign-io: the device moved 100.0 MiB in the 1.0 s before the run, "
	                "when it should have been idle" },
	{ refused, "degraded: fixedbufs=1: locked memory is limited to 64 KiB" },
	{ ramp_7, "short-window: the ramp completed 7 I/Os, one turn of the queue is 8" },
	{ ramp_8, "" },
	{ no_ramp, "" },
	{ window_short,
	  "short-window: 20000 I/Os in the window, 3 x numjobs x iodepth is 20004" },
	{ window_3_turns, "" },
	{ size_mode, "" },
	{ warm_110, "small-region: 3.2 passes over a region of 100.0 MiB; this machine has 8.0 "
	            "GiB of memory" },
	{ warm_111, "lower-cache: 100.0 MiB/s in the first pass over the region, 110.0 MiB/s "
	            "after it\n"
	            "small-region: 3.2 passes over a region of 100.0 MiB; this machine has 8.0 "
	            "GiB of memory" },
	{ warm_noise, "small-region: 3.4 passes over a region of 100.0 MiB; this machine has "
	              "8.0 GiB of memory" },
	{ warm_from_ramp,
	  "small-region: 5.0 passes over a region of 100.0 MiB; this machine has "
	  "8.0 GiB of memory" },
	{ stolen, "vm-steal: the hypervisor withheld 1.0 % of the CPU time" },
	{ stolen_less, "" },
	{ stolen_tick, "" },
	{ held_back, "throttled: a CPU quota of the control group held threads back for 20 ms "
	             "of a window of 2000 ms" },
	{ held_back_less, "" },
	{ too_hot, "throttled: CPUs slowed down for heat 3 times" },
	{ null_held_back,
	  "throttled: a CPU quota of the control group held threads back for 20 "
	  "ms of a window of 2000 ms" },
	{ idle_job, "partial-job: 1 of 2 jobs completed nothing" },
	{ holes, "unwritten: the file has holes or unwritten extents" },
	{ zeros, "unwritten: 37 % of the sampled blocks are all zero" },
	{ holes_written, "" },
	{ depth_89, "depth-not-reached: 3.60 of 4 I/Os per job were in flight" },
	{ depth_90, "" },
	{ rated, "rate-limited: rate_iops=5000 was asked for and held" },
	{ rated_behind, "behind-schedule: 20000 I/Os were complete in the window, and 201 waited "
	                "for their turn at its end" },
	{ rated_turn, "rate-limited: rate_iops=5000 was asked for and held" },
	{ rated_elsewhere, "" },
	{ mixed_rated_reads, "" },
	{ mixed_rated_both, "rate-limited: rate_iops=5000,3000 was asked for and held" },
	{ rated_by_bytes, "rate-limited: rate=20m was asked for and held" },
	{ rated_late, "cpu-bound: starts were 8.0 us late on average with room in the queue; the "
	              "mean latency is 80.0 us\n"
	              "rate-limited: rate_iops=5000 was asked for and held" },
	{ rated_in_time, "rate-limited: rate_iops=5000 was asked for and held" },
	{ paused, "" },
	{ looks_at_the_clock, "" },
	{ at_once_90, "depth-not-reached: 90 % of the I/Os were complete when their submission "
	              "returned" },
	{ at_once_89, "" },
	{ at_once_1, "" },
	{ overlap, "overlapping-offsets: 2 jobs write the same blocks of one region" },
	{ no_overlap, "" },
	{ sequential, "" },
	{ sequential_same, "overlapping-offsets: 2 jobs write the same blocks of one region" },
	{ large_twice, "" },
	{ small, "small-region: 1.0 passes over a region of 78.1 MiB; this machine has 8.0 GiB "
	         "of memory" },
	{ small_once, "" },
	{ workers_often, "io-wq: kernel workers of the ring ran 200 times, 0.0 ms of CPU, for "
	                 "20000 I/Os" },
	{ workers_seldom, "" },
	{ workers_busy, "io-wq: kernel workers of the ring ran 0 times, 20.0 ms of CPU, for "
	                "20000 I/Os" },
	{ workers_idle, "" },
	{ no_counters, "unverified: there are no counters of a block device under ext4" },
};

static void each_rule_at_its_threshold(void **state)
{
	AUTO(freep) struct doubts *d = xcalloc(1, sizeof(*d));

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct world_of_one w = { .s = sample_of(IOS, 80000) };

		set_clean(&w);
		cases[i].change(&w);
		doubts_eval(d, &w.spec, w.s, &w.target, 8 * GIB);
		if (strcmp(d->why, cases[i].why) != 0)
			fail_msg("case %zu: '%s', not '%s'", i, d->why, cases[i].why);
		assert_int_equal(!d->flags, !*d->why);
		free(w.s);
	}
}

static void few_samples_are_counted(void **state)
{
	AUTO(freep) struct doubts *d = xcalloc(1, sizeof(*d));
	struct world_of_one w = { .s = sample_of(9980, 80000) };

	(void)state;
	set_clean(&w);
	w.s->device.read_bytes = w.s->op[OP_READ].bytes;
	doubts_eval(d, &w.spec, w.s, &w.target, 8 * GIB);
	assert_string_equal(d->why,
	                    "few-samples: 9980 reads in the window; p99.99 needs 10,000");
	assert_true(d->flags == FLAG_BIT(few_samples));
	free(w.s);
}

/* Whatever is said of one run fits: every flag at once. */
static void all_at_once(void **state)
{
	AUTO(freep) struct doubts *d = xcalloc(1, sizeof(*d));
	struct world_of_one w = { .s = sample_of(20, 80000) };
	static void (*const change[])(struct world_of_one *) = {
		holes, idle_job, job_95, stolen, held_back, refused, workers_busy, depth_89,
	};

	(void)state;
	set_clean(&w);
	for (size_t i = 0; i < ARRAY_SIZE(change); i++)
		change[i](&w);
	w.s->device.valid = false;
	w.spec.job.iodepth = 7;
	doubts_eval(d, &w.spec, w.s, &w.target, 8 * GIB);
	assert_true(d->flags ==
	            (FLAG_BIT(unwritten) | FLAG_BIT(partial_job) | FLAG_BIT(cpu_bound) |
	             FLAG_BIT(vm_steal) | FLAG_BIT(throttled) | FLAG_BIT(degraded) |
	             FLAG_BIT(io_wq) | FLAG_BIT(depth_not_reached) | FLAG_BIT(unverified) |
	             FLAG_BIT(few_samples) | FLAG_BIT(short_window)));
	assert_non_null(strstr(d->why, "\nio-wq: "));
	free(w.s);
}

TEST_MAIN(cmocka_unit_test(each_rule_at_its_threshold),
          cmocka_unit_test(few_samples_are_counted), cmocka_unit_test(all_at_once))
