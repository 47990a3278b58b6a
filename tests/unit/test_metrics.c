#include "support/test.h"

#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "model/metrics.h"
#include "support/records.h"

static struct metric_value eval(enum metric_id id, const struct sample *s,
                                const struct job *job, enum op op)
{
	struct metric_input in = { .sample = s, .job = job, .op = op };

	return metric_eval(metric_at(id), &in);
}

static void every_number_of_a_plain_run(void **state)
{
	static const struct {
		enum metric_id id;
		double expect; /* stored units; NAN: not measured */
	} cases[] = {
		{ METRIC_ios, 2000 },
		{ METRIC_bytes, 8192000 },
		{ METRIC_iops, 1000 },
		{ METRIC_bw_mib_s, 4096000 },
		{ METRIC_bw_mb_s, 4096000 },
		{ METRIC_lat_min_us, 80000 },
		{ METRIC_lat_mean_us, 80000 },
		{ METRIC_lat_p50_us, 80000 },
		{ METRIC_lat_p90_us, 80000 },
		{ METRIC_lat_p95_us, 80000 },
		{ METRIC_lat_p99_us, 80000 },
		{ METRIC_lat_p99_9_us, 80000 },
		{ METRIC_lat_p99_99_us, (double)NAN }, /* 2000 x 0.0001 < 1 */
		{ METRIC_lat_max_us, 80000 },
		{ METRIC_iops_min, 1000 },
		{ METRIC_iops_max, 1000 },
		{ METRIC_iops_stddev, 0 },
		{ METRIC_errors, 0 },
		{ METRIC_short_ios, 0 },
		{ METRIC_window_s, 2e9 },
		{ METRIC_run_iops, 1000 },
		{ METRIC_run_bw_mib_s, 4096000 },
		{ METRIC_depth_total, 8 },
		{ METRIC_depth_mean, 4 },
		{ METRIC_longest_gap_ms, 1500000 },
		{ METRIC_cpu_us_per_io, 300000 },
		{ METRIC_cpu_user_pct, 10 },
		{ METRIC_cpu_sys_pct, 20 },
		{ METRIC_device_read_bytes, (double)NAN },
		{ METRIC_device_write_ios, (double)NAN },
		{ METRIC_device_queue_mean, (double)NAN },
		{ METRIC_device_util_pct, (double)NAN },
		{ METRIC_passes, 7.8125 },
		{ METRIC_flush_s, (double)NAN },
		{ METRIC_write_amplification, (double)NAN },
	};
	AUTO(freep) struct sample *s = sample_of(2000, 80000);
	struct job job = job_of(RW_RANDREAD, 4096);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct metric_value v = eval(cases[i].id, s, &job, OP_READ);
		double got =
		    metric_at(cases[i].id)->kind == METRIC_INTEGER ? (double)v.integer : v.real;

		if (v.measured != !isnan(cases[i].expect) ||
		    (v.measured && got != cases[i].expect))
			fail_msg("%s: measured %d, %.17g, not %.17g",
			         metric_at(cases[i].id)->name, v.measured, got,
			         cases[i].expect);
	}
}

static void the_device_when_it_was_seen(void **state)
{
	AUTO(freep) struct sample *s = sample_of(2000, 80000);
	struct job job = job_of(RW_RANDREAD, 4096);

	(void)state;
	s->device = (struct device_delta){ .valid = true,
		                           .read_ios = 9,
		                           .read_bytes = 4096,
		                           .queue_ns = 8000000000,
		                           .busy_ns = 1000000000,
		                           .elapsed_ns = 2000000000 };
	assert_int_equal(eval(METRIC_device_read_ios, s, &job, OP_READ).integer, 9);
	assert_int_equal(eval(METRIC_device_read_bytes, s, &job, OP_READ).integer, 4096);
	assert_true(eval(METRIC_device_write_bytes, s, &job, OP_READ)
	                .measured); /* nothing was written: 0 */
	assert_true(eval(METRIC_device_queue_mean, s, &job, OP_READ).real == 4);
	assert_true(eval(METRIC_device_util_pct, s, &job, OP_READ).real == 50);
	s->device.busy_ns = 2004000000; /* one tick too many */
	assert_true(eval(METRIC_device_util_pct, s, &job, OP_READ).real == 100);
	s->device.busy_unknown = true;
	assert_false(eval(METRIC_device_util_pct, s, &job, OP_READ).measured);
	assert_false(eval(METRIC_write_amplification, s, &job, OP_READ).measured); /* reads only */
	s->op[OP_WRITE].bytes = 4096;
	s->device.write_bytes = 6144;
	assert_true(eval(METRIC_write_amplification, s, &job, OP_READ).real == 1.5);
	s->flush_ns = 5;
	assert_int_equal(eval(METRIC_flush_s, s, &job, OP_READ).integer, 5);
}

static void percentiles_need_samples(void **state)
{
	static const struct {
		uint64_t n;
		size_t p;
		bool too_few;
	} cases[] = {
		{ 0, 5000, true },           { 1, 5000, false },   { 9, 9000, true },
		{ 10, 9000, false },         { 19, 9500, true },   { 20, 9500, false },
		{ 99, 9900, true },          { 100, 9900, false }, { 999, 9990, true },
		{ 1000, 9990, false },       { 9999, 9999, true }, { 10000, 9999, false },
		{ UINT64_MAX, 9000, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(metric_too_few(cases[i].n, cases[i].p), cases[i].too_few);
}

static void few_samples_is_noted(void **state)
{
	AUTO(freep) struct sample *s = sample_of(10000, 5);

	(void)state;
	assert_false(metric_few_samples(s, 1U << OP_READ));
	assert_true(metric_few_samples(s, 1U << OP_READ | 1U << OP_WRITE));
	s->op[OP_READ].lat.n--;
	assert_true(metric_few_samples(s, 1U << OP_READ));
}

static void nothing_measured_is_not_zero(void **state)
{
	static const enum metric_id empty[] = { METRIC_lat_min_us,    METRIC_lat_mean_us,
		                                METRIC_lat_stddev_us, METRIC_lat_p50_us,
		                                METRIC_lat_max_us,    METRIC_cpu_us_per_io };
	AUTO(freep) struct sample *s = sample_of(0, 0);
	struct job job = job_of(RW_READ, 4096);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(empty); i++)
		assert_false(eval(empty[i], s, &job, OP_READ).measured);
	assert_true(
	    eval(METRIC_iops, s, &job, OP_READ).measured); /* a rate of zero was measured */
	s->window_ns = 0;
	s->jobs = 0;
	s->region_bytes = 0;
	assert_false(eval(METRIC_iops, s, &job, OP_READ).measured);
	assert_false(eval(METRIC_run_iops, s, &job, OP_READ).measured);
	assert_false(eval(METRIC_depth_mean, s, &job, OP_READ).measured);
	assert_false(eval(METRIC_cpu_user_pct, s, &job, OP_READ).measured);
	assert_false(eval(METRIC_passes, s, &job, OP_READ).measured);
	assert_false(eval(METRIC_iops_min, s, &job, OP_READ).measured);
}

static void counters_stop_at_the_largest_integer(void **state)
{
	AUTO(freep) struct sample *s = sample_of(0, 0);
	struct job job = job_of(RW_READ, 4096);

	(void)state;
	s->op[OP_READ].bytes = (1ULL << 53) + 1;
	assert_true(eval(METRIC_bytes, s, &job, OP_READ).integer == 9007199254740993);
	s->op[OP_READ].bytes = UINT64_MAX;
	assert_true(eval(METRIC_bytes, s, &job, OP_READ).integer == INT64_MAX);
}

static void run_rates_are_of_reads_writes_and_trims(void **state)
{
	AUTO(freep) struct sample *s = sample_of(2000, 80000);
	struct job job = job_of(RW_RANDRW, 4096);

	(void)state;
	s->op[OP_WRITE].ios = 200;
	s->op[OP_TRIM].ios = 20;
	s->op[OP_SYNC].ios = 7777;
	assert_true(eval(METRIC_run_iops, s, &job, OP_READ).real == 1110);
}

/* Slots of 100 ms below 10 s, of 1 s above; idle ones count, a partial last one does not. */
static void the_series_by_slots(void **state)
{
	AUTO(freep) struct sample *s = sample_of(0, 0);
	struct job job = job_of(RW_READ, 4096);

	(void)state;
	s->window_ns = 350000000;
	s->slots = 2; /* the third was idle, the fourth is half */
	s->slot[0].ios[OP_READ] = 10;
	s->slot[1].ios[OP_READ] = 20;
	assert_true(eval(METRIC_iops_min, s, &job, OP_READ).real == 0);
	assert_true(eval(METRIC_iops_max, s, &job, OP_READ).real == 200);
	assert_true(eval(METRIC_iops_stddev, s, &job, OP_READ).real == 100);

	s->window_ns = 10500000000;
	s->slots = 105;
	for (unsigned i = 0; i < 105; i++)
		s->slot[i].ios[OP_READ] = i < 10 ? 20 : 10;
	s->slot[104].ios[OP_READ] = 100000;
	assert_true(eval(METRIC_iops_min, s, &job, OP_READ).real == 100);
	assert_true(eval(METRIC_iops_max, s, &job, OP_READ).real == 200);

	s->window_ns = 199100000; /* ends a little early: two */
	assert_true(eval(METRIC_iops_stddev, s, &job, OP_READ).measured);
	s->window_ns = 198900000; /* one whole slot: no spread */
	assert_true(eval(METRIC_iops_min, s, &job, OP_READ).real == 200);
	assert_false(eval(METRIC_iops_stddev, s, &job, OP_READ).measured);

	s->slot_ns = 400000000; /* a long run: 1 s is not a multiple */
	assert_int_equal(metric_slots_per(s->slot_ns, 1000000000), 3);
}

static void which_ops_have_a_row(void **state)
{
	static const struct {
		uint64_t reads, writes, write_errors;
		enum rw rw;
		uint64_t mix;
		bool ok;
		unsigned expect;
	} cases[] = {
		{ 5, 0, 0, RW_RANDRW, 50, true, 1U << OP_READ },
		{ 5, 1, 0, RW_RANDRW, 50, true, 1U << OP_READ | 1U << OP_WRITE },
		{ 0, 0, 3, RW_WRITE, 50, false, 1U << OP_WRITE },
		{ 0, 0, 0, RW_RANDRW, 50, true, 1U << OP_READ | 1U << OP_WRITE },
		{ 0, 0, 0, RW_RANDRW, 100, true, 1U << OP_READ },
		{ 0, 0, 0, RW_RW, 0, true, 1U << OP_WRITE },
		{ 0, 0, 0, RW_WRITE, 100, true, 1U << OP_WRITE },
		{ 0, 0, 0, RW_READ, 0, true, 1U << OP_READ },
		{ 0, 0, 0, RW_READ, 50, false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO(freep) struct sample *s = sample_of(0, 0);
		struct job job = job_of(cases[i].rw, 4096);

		job.rwmixread = cases[i].mix;
		s->op[OP_READ].ios = cases[i].reads;
		s->op[OP_WRITE].ios = cases[i].writes;
		s->op[OP_WRITE].errors = cases[i].write_errors;
		assert_int_equal(metric_ops(s, &job, cases[i].ok), cases[i].expect);
	}
}

TEST_MAIN(cmocka_unit_test(every_number_of_a_plain_run),
          cmocka_unit_test(the_device_when_it_was_seen),
          cmocka_unit_test(percentiles_need_samples), cmocka_unit_test(few_samples_is_noted),
          cmocka_unit_test(nothing_measured_is_not_zero),
          cmocka_unit_test(counters_stop_at_the_largest_integer),
          cmocka_unit_test(run_rates_are_of_reads_writes_and_trims),
          cmocka_unit_test(the_series_by_slots), cmocka_unit_test(which_ops_have_a_row))
