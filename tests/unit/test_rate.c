/* Rates and pauses, seen at the engine: on a simulated clock to the nanosecond, on the real one
 * by what must hold however late a thread wakes up. wrap: engine_ops lane_prepare */
#include "support/test.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "engine/engines.h"
#include "support/engine_fault.h"
#include "support/recorded.h"

#define RUNTIME                (2 * SEC)
#define SEED_OF_A_STALL_INSIDE 3 /* of the window: it may begin anywhere in its period */

/* One server with this service time; every I/O is recorded. */
static struct run_spec sim_spec(const struct bench *b, enum rw rw, uint64_t service_ns)
{
	struct run_spec s = recorded_spec(b, ENGINE_SIM, rw);

	s.sim = bench_device(service_ns);
	s.region_bytes = s.target_bytes = s.sim.size_bytes;
	s.job.time_based = 1;
	s.job.ramp_time = 0;
	s.job.runtime = RUNTIME;
	s.job.iodepth = 32;
	return s;
}

static void set(struct run_spec *s, enum axis_id a, const char *text)
{
	assert_int_equal(
	    axis_parse(&axes[a], axes[a].name, text, axis_slot(&axes[a], &s->job), NULL), 0);
}

static const struct op_sample *reads(const struct bench *b)
{
	return &b->sample->op[OP_READ];
}

static void every_start_is_met(void **state)
{
	struct bench *b = *state;
	struct run_spec s = sim_spec(b, RW_RANDREAD, 100 * USEC);
	const struct stream *j = rec.job;

	set(&s, AXIS_rate_iops, "1000");
	assert_int_equal(bench_run(b, &s), 0);
	assert_int_equal(j->n, 2000);
	for (uint64_t i = 0; i < j->n; i++) {
		assert_int_equal(j->io[i].submit_ns - j->io[0].submit_ns, i * MSEC);
		assert_int_equal(j->io[i].inflight, 1);
	}
	assert_int_equal(reads(b)->ios, 2000);
	assert_int_equal(reads(b)->lat.max, 100 * USEC);
	assert_int_equal(reads(b)->service.n, 2000);
	assert_int_equal(reads(b)->service.max_ns, 100 * USEC);
	assert_int_equal(b->sample->inflight_ns, 2000 * 100 * USEC);
	assert_int_equal(b->sample->lag_max_ns, 0);
	assert_int_equal(b->sample->backlog_max, 0);
	assert_int_equal(b->sample->unstarted, 0);
	assert_int_equal(b->sample->start_late_ns, 0);
}

/* 20 ms of service with one server for each: as many in flight as that takes. */
static void depth_is_what_the_rate_needs(void **state)
{
	struct bench *b = *state;
	struct run_spec s = sim_spec(b, RW_RANDREAD, 20 * MSEC);

	s.sim.servers = 64;
	set(&s, AXIS_rate_iops, "1000");
	assert_int_equal(bench_run(b, &s), 0);
	assert_in_range(reads(b)->ios, 1979, 1981);
	assert_int_equal(rec.job[0].io[1000].inflight, 20);
	assert_int_equal(reads(b)->lat.max, 20 * MSEC);
	assert_int_equal(b->sample->lag_max_ns, 0);
}

static void jobs_and_bytes(void **state)
{
	struct bench *b = *state;
	struct run_spec s = sim_spec(b, RW_WRITE, 10 * USEC);

	set(&s, AXIS_rate, "4m");
	s.job.bs = 64 * KIB;
	s.job.numjobs = 4;
	assert_int_equal(bench_run(b, &s), 0);
	assert_int_equal(b->sample->op[OP_WRITE].bytes, 4 * 4 * MIB * RUNTIME / SEC);
	for (int job = 1; job < 4; job++)
		assert_int_equal(rec.job[job].io[5].submit_ns -
		                     rec.job[job - 1].io[5].submit_ns,
		                 SEC / 64 / 4);
}

static void directions(void **state)
{
	struct bench *b = *state;
	struct run_spec s = sim_spec(b, RW_RANDRW, 10 * USEC);

	set(&s, AXIS_rate_iops, "300,100");
	assert_int_equal(bench_run(b, &s), 0);
	assert_in_range(stream_of_op(rec.job, OP_READ), 600, 601);
	assert_int_equal(stream_of_op(rec.job, OP_WRITE), 200);
}

/* A direction without a rate takes all the depth there is. */
static void one_direction_alone(void **state)
{
	struct bench *b = *state;
	struct run_spec s = sim_spec(b, RW_RANDRW, 100 * USEC);

	set(&s, AXIS_rate_iops, "100,");
	assert_int_equal(bench_run(b, &s), 0);
	assert_int_equal(reads(b)->ios, 200);
	assert_in_range(b->sample->op[OP_WRITE].ios, 19700, 19800);
	assert_int_equal(b->sample->inflight_at_stop, 32);
	assert_int_equal(b->sample->op[OP_WRITE].lat.max,
	                 b->sample->op[OP_WRITE].service.max_ns);
}

/* What the histograms must be, from what the engine saw: the i-th I/O should have started at
 * i / rate. */
static void compare(const struct bench *b, uint64_t period_ns)
{
	const struct stream *j = rec.job;
	uint64_t start = j->io[0].submit_ns, end = start + b->sample->window_ns, n = 0;
	AUTO(freep) struct hist *lat = calloc(1, sizeof(*lat));

	hist_clear(lat);
	for (uint64_t i = 0; i < j->n; i++) {
		if (!j->io[i].done_ns || j->io[i].done_ns >= end)
			continue;
		assert_true(j->io[i].submit_ns >= start + i * period_ns);
		hist_record(lat, j->io[i].done_ns - (start + i * period_ns));
		n++;
	}
	assert_int_equal(reads(b)->ios, n);
	assert_memory_equal(lat, &reads(b)->lat, sizeof(*lat));
}

/* Nothing completes for 500 ms, somewhere in the window. Every I/O that should have started
 * meanwhile waits for the end of it, though no more than 32 can be in flight. */
static void a_stall_is_seen_by_all_that_should_have_started_in_it(void **state)
{
	struct bench *b = *state;
	struct run_spec s = sim_spec(b, RW_RANDREAD, 100 * USEC);
	const struct hist *h = &reads(b)->lat;

	s.sim.seed = SEED_OF_A_STALL_INSIDE;
	s.sim.stalls.every_ns = 4 * SEC;
	s.sim.stalls.for_ns = 500 * MSEC;
	s.job.runtime = 4 * SEC;
	set(&s, AXIS_rate_iops, "1000");
	assert_int_equal(bench_run(b, &s), 0);
	assert_int_equal(rec.job[0].n, 4000);
	compare(b, MSEC);
	for (unsigned i = 0; i < 4000; i++)
		assert_in_range(rec.job[0].io[i].inflight, 1, 32);
	/* 500 came in the stall, and wait for 500, 499, 498 ... ms */
	assert_in_range(h->max, 499 * MSEC, 501 * MSEC);
	assert_in_range(hist_percentile(h, 100 * (1 - 400.5 / 4000)) / 1e6, 100, 145);
	assert_in_range(hist_percentile(h, 100 * (1 - 250.5 / 4000)) / 1e6, 250, 275);
	/* a closed loop would have seen it 32 times */
	assert_true(reads(b)->service.p99_ns < 4 * MSEC);
	assert_in_range(b->sample->lag_max_ns, 460 * MSEC, 470 * MSEC);
	assert_in_range(b->sample->backlog_max, 460, 470);
	assert_int_equal(b->sample->unstarted, 0);
	assert_int_equal(b->sample->start_late_ns, 0);
}

/* 500 I/Os per second are all it does: the others wait longer and longer. */
static void a_rate_that_cannot_be_had_builds_up(void **state)
{
	struct bench *b = *state;
	struct run_spec s = sim_spec(b, RW_RANDREAD, 2 * MSEC);

	set(&s, AXIS_rate_iops, "1000");
	s.job.iodepth = 4;
	assert_int_equal(bench_run(b, &s), 0);
	compare(b, MSEC);
	assert_int_equal(reads(b)->ios, 999);
	assert_int_equal(b->sample->unstarted, 2000 - 999 - 4);
	assert_int_equal(b->sample->backlog_max, b->sample->unstarted);
	assert_int_equal(b->sample->lag_max_ns, (b->sample->unstarted - 1) * MSEC + MSEC);
	assert_int_equal(reads(b)->service.max_ns, 8 * MSEC);
	assert_true(reads(b)->lat.max > 990 * MSEC);
	assert_int_equal(b->sample->start_late_ns, 0);
}

/* The ramp belongs to the schedule. */
static void a_ramp_is_no_new_start(void **state)
{
	struct bench *b = *state;
	struct run_spec s = sim_spec(b, RW_RANDREAD, 100 * USEC);

	set(&s, AXIS_rate_iops, "1000");
	s.job.ramp_time = SEC;
	s.job.runtime = SEC;
	assert_int_equal(bench_run(b, &s), 0);
	assert_int_equal(rec.job[0].n, 2000);
	assert_int_equal(b->sample->ramp_ios, 1000);
	assert_int_equal(reads(b)->ios, 1000);
}

static void it_ends_with_its_work(void **state)
{
	struct bench *b = *state;
	struct run_spec s = sim_spec(b, RW_WRITE, 100 * USEC);

	set(&s, AXIS_rate_iops, "50");
	s.job.time_based = 0;
	s.job.runtime = AXIS_UNSET;
	s.job.io_size = 10 * 4096;
	s.job.fsync = 3;
	assert_int_equal(bench_run(b, &s), 0);
	assert_int_equal(b->sample->op[OP_WRITE].ios, 10);
	assert_int_equal(b->sample->op[OP_SYNC].ios, 3);
	assert_int_equal(b->sample->window_ns, 9 * 20 * MSEC + 100 * USEC);
}

/* --- pauses --- */

static void a_pause_comes_after_so_many(void **state)
{
	struct bench *b = *state;
	struct run_spec s = sim_spec(b, RW_RANDREAD, 100 * USEC);
	const struct stream *j = rec.job;

	set(&s, AXIS_thinktime, "10ms");
	s.job.thinktime_blocks = 4;
	assert_int_equal(bench_run(b, &s), 0);
	for (uint64_t i = 0; i < j->n; i++)
		assert_int_equal(j->io[i].submit_ns - j->io[0].submit_ns,
		                 i / 4 * (10 * MSEC + 400 * USEC));
	assert_int_equal(j->io[3].inflight, 4);
	assert_int_equal(reads(b)->ios, 4 * (RUNTIME / (10400 * USEC) + 1));
}

static void a_pause_without_more_words_comes_after_each(void **state)
{
	struct bench *b = *state;
	struct run_spec s = sim_spec(b, RW_RANDREAD, 100 * USEC);

	set(&s, AXIS_thinktime, "900"); /* us */
	s.job.thinktime_spin = 500 * USEC;
	assert_int_equal(bench_run(b, &s), 0);
	assert_int_equal(rec.job[0].io[100].submit_ns - rec.job[0].io[0].submit_ns, 100 * MSEC);
	assert_int_equal(rec.job[0].io[100].inflight, 1);
}

static void a_pause_may_come_by_time(void **state)
{
	struct bench *b = *state;
	struct run_spec s = sim_spec(b, RW_RANDREAD, 100 * USEC);
	uint64_t last = 0, pauses = 0;

	set(&s, AXIS_thinktime, "100ms");
	set(&s, AXIS_thinktime_iotime, "0.4");
	s.job.thinktime_blocks = 0;
	assert_int_equal(bench_run(b, &s), 0);
	for (size_t i = 0; i < rec.job[0].n; i++) {
		pauses += i && rec.job[0].io[i].submit_ns - last >= 100 * MSEC;
		last = rec.job[0].io[i].submit_ns;
	}
	assert_int_equal(pauses, 3);
	assert_in_range(reads(b)->ios, 15900, 16200);
}

/* The schedule goes on while the job pauses, and is caught up with. */
static void a_pause_delays_a_rate(void **state)
{
	struct bench *b = *state;
	struct run_spec s = sim_spec(b, RW_RANDREAD, 100 * USEC);

	set(&s, AXIS_rate_iops, "1000");
	set(&s, AXIS_thinktime, "10ms");
	s.job.thinktime_blocks = 20;
	assert_int_equal(bench_run(b, &s), 0);
	compare(b, MSEC);
	assert_in_range(reads(b)->ios, 1985, 2000);
	assert_in_range(b->sample->lag_max_ns, 9 * MSEC, 11 * MSEC);
	assert_int_equal(b->sample->start_late_ns, 0);
}

/* --- the real clock --- */

static const struct engine_ops *stand_in;

/* The engine stands still for 500 ms of real time. I/Os that should have started in the first
 * 400 ms of it have waited for 100 ms or more, whatever else this machine does. */
static void a_real_stall_is_seen_by_all(void **state)
{
	struct bench *b = *state;
	struct fault f = { .inner = &engine_null, .stall_at = 300, .stall_ns = 500 * MSEC };
	struct run_spec s = bench_spec(b, ENGINE_NULL, RW_RANDREAD);
	const struct hist *h = &reads(b)->lat;
	uint64_t long_ones = 0;

	stand_in = fault_engine(&f);
	rec = (struct recording){ .engine = ENGINE_NULL, .inner = stand_in };
	record_into(&rec);
	s.job.time_based = 1;
	s.job.ramp_time = 0;
	s.job.runtime = 1500 * MSEC;
	s.job.iodepth = 8;
	set(&s, AXIS_rate_iops, "1000");
	assert_int_equal(bench_run(b, &s), 0);
	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		if (hist_low(i) >= 99 * MSEC)
			long_ones += h->bucket[i];
	assert_true(long_ones >= 400);
	assert_true(h->max >= 499 * MSEC);
	assert_true(b->sample->lag_max_ns >= 490 * MSEC);
	assert_true(b->sample->backlog_max >= 490);
	assert_true(reads(b)->ios <= 1501);
	assert_int_equal(rec.job[0].io[299].op, OP_READ);
}

TEST_MAIN(RECORDED_TEST(every_start_is_met), RECORDED_TEST(depth_is_what_the_rate_needs),
          RECORDED_TEST(jobs_and_bytes), RECORDED_TEST(directions),
          RECORDED_TEST(one_direction_alone),
          RECORDED_TEST(a_stall_is_seen_by_all_that_should_have_started_in_it),
          RECORDED_TEST(a_rate_that_cannot_be_had_builds_up),
          RECORDED_TEST(a_ramp_is_no_new_start), RECORDED_TEST(it_ends_with_its_work),
          RECORDED_TEST(a_pause_comes_after_so_many),
          RECORDED_TEST(a_pause_without_more_words_comes_after_each),
          RECORDED_TEST(a_pause_may_come_by_time), RECORDED_TEST(a_pause_delays_a_rate),
          RECORDED_TEST(a_real_stall_is_seen_by_all))
