/* What the course of a run is said to have been: words, sentences, and the columns beside them.
 */
#include "support/test.h"

#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "model/metrics.h"
#include "run/doubts.h"
#include "support/records.h"

static const struct {
	struct verdict v;
	uint64_t longest_gap_ns, window_ns;
	struct op_verdict op;
	const char *why; /* all of it */
	const char *confidence;
} cases[] = {
	{ .why = "", .confidence = "short" },
	{ .v = { .judged = true, .mean = 10000 }, .why = "", .confidence = "ok" },
	{ .v = { .seen = VERDICT_DRIFT }, .why = "", .confidence = "short" },
	{ .v = { .judged = true, .seen = VERDICT_DRIFT, .drift = -0.123, .drift_t = -8.06 },
	  .why = "drift: the rate fell by 12.3 % over the window, 8.1 standard errors",
	  .confidence = "drift" },
	{ .v = { .judged = true,
	         .seen = VERDICT_DRIFT | VERDICT_WARMING,
	         .drift = 0.05,
	         .drift_t = 4 },
	  .why = "drift: the rate rose by 5.0 % over the window, 4.0 standard errors",
	  .confidence = "drift" },
	{ .v = { .judged = true,
	         .seen = VERDICT_FAST_START,
	         .head_rate = 30000,
	         .head_s = 4.5,
	         .rest_rate = 9000.4 },
	  .why = "drift: 30000 IOPS in the first 4.5 s of the window, 9000 IOPS in the rest",
	  .confidence = "drift" },
	{ .v = { .judged = true,
	         .seen = VERDICT_STALLS,
	         .stalls = 3,
	         .stall_lost = 0.052,
	         .stall_longest_s = 0.6,
	         .stall_at_s = 12.3 },
	  .why = "stalls: 3 times the rate fell below half its median, which cost 5.2 % of the "
	         "work; the longest lasted "
	         "0.6 s, from second 12.3 of the window on",
	  .confidence = "stalls" },
	{ .longest_gap_ns = 200 * MSEC,
	  .why = "stalls: a job saw no completion for 200 ms of a window of 2000 ms",
	  .confidence = "stalls" },
	{ .longest_gap_ns = 199 * MSEC, .why = "", .confidence = "short" },
	{ .window_ns = SEC,
	  .longest_gap_ns = 200 * MSEC,
	  .why = "stalls: a job saw no completion for 200 ms of a window of 1000 ms",
	  .confidence = "stalls" },
	{ .window_ns = SEC, .longest_gap_ns = 199 * MSEC, .why = "", .confidence = "short" },
	{ .v = { .judged = true, .seen = VERDICT_PILOT_STALLS },
	  .why = "stalls: the pilot run of its class stalled; a shorter run may have met fewer",
	  .confidence = "stalls" },
	{ .v = { .judged = true,
	         .seen = VERDICT_BIMODAL,
	         .low_rate = 8020,
	         .high_rate = 10010,
	         .low_share = 0.38 },
	  .why = "bimodal: 8020 IOPS in 38 % of the window and 10010 IOPS in 62 %",
	  .confidence = "bimodal" },
	{ .v = { .judged = true,
	         .seen = VERDICT_EXCURSION,
	         .lowest = 0.87,
	         .highest = 1.121,
	         .rho = 0.31 },
	  .why = "unsteady: parts of the window lie between 87.0 % and 112.1 % of the mean, "
	         "neighbours correlate by 0.31",
	  .confidence = "unsteady" },
	{ .v = { .judged = true, .seen = VERDICT_PILOT_UNSTEADY },
	  .why = "unsteady: the pilot run of its class did not become steady enough for this "
	         "precision",
	  .confidence = "unsteady" },
	{ .v = { .judged = true, .seen = VERDICT_PILOT_REFILLS | VERDICT_UNSETTLED },
	  .why = "unsteady: the pilot run of its class started fast again after a pause: what "
	         "a short run measures is a "
	         "cache or credit",
	  .confidence = "unsteady" },
	{ .v = { .judged = true,
	         .seen = VERDICT_WIDE,
	         .mean = 10000.04,
	         .half_width = 0.0312,
	         .batches = 15,
	         .rho = 0.4 },
	  .why = "wide: 10000.0 IOPS +- 3.1 % (15 batches, rho 0.40)",
	  .confidence = "wide" },
	{ .v = { .judged = true, .seen = VERDICT_PLATEAU, .mean = 3001 },
	  .why = "rate-limited: 3001.0 IOPS all the time",
	  .confidence = "ok" },
	{ .v = { .judged = true, .seen = VERDICT_PLATEAU, .mean = 16384 }, /* of 4 KiB */
	  .why = "rate-limited: 64.00 MiB/s all the time",
	  .confidence = "ok" },
	{ .v = { .judged = true, .seen = VERDICT_PLATEAU, .mean = 18311 },
	  .why = "rate-limited: 75.00 MB/s all the time",
	  .confidence = "ok" },
	{ .v = { .judged = true, .seen = VERDICT_PLATEAU, .mean = 2711 },
	  .why = "",
	  .confidence = "ok" },
	{ .v = { .judged = true, .seen = VERDICT_NO_PILOT, .seconds = 8 },
	  .why = "uncalibrated: ended after 8 s without a pilot run",
	  .confidence = "ok" },
	{ .v = { .judged = true },
	  .op = { .judged = true, .tail_unresolved = true },
	  .why = "p-unresolved: 20000 reads: the share above p99 is not known to half of 1 %",
	  .confidence = "ok" },
};

static void each_word_has_its_sentence(void **state)
{
	AUTO(freep) struct doubts *d = xcalloc(1, sizeof(*d));

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct sample *s = sample_of(20000, 80000);
		struct run_spec spec = { .job = job_of(RW_RANDREAD, 4096),
			                 .region_bytes = 16 * GIB };
		struct target_info target = { .kind = TARGET_NOT_NEEDED, .zero_pct = -1 };
		struct metric_input in = { .sample = s, .job = &spec.job, .op = OP_READ };

		spec.job.ioengine = ENGINE_NULL;
		s->ramp_ios = 5000;
		s->verdict = cases[i].v;
		s->op[OP_READ].verdict = cases[i].op;
		if (cases[i].window_ns)
			s->window_ns = cases[i].window_ns;
		if (cases[i].longest_gap_ns)
			s->longest_gap_ns = cases[i].longest_gap_ns;
		doubts_eval(d, &spec, s, &target, 8 * GIB);
		if (strcmp(d->why, cases[i].why) != 0)
			fail_msg("case %zu: '%s', not '%s'", i, d->why, cases[i].why);
		in.flags = d->flags;
		assert_string_equal(metric_eval(metric_at(METRIC_confidence), &in).text,
		                    cases[i].confidence);
		free(s);
	}
}

static void columns_of_an_op(void **state)
{
	AUTO(freep) struct sample *s = sample_of(20000, 80000);
	struct job job = job_of(RW_RANDREAD, 4096);
	struct metric_input in = { .sample = s, .job = &job, .op = OP_READ };
	static const enum metric_id id[] = { METRIC_iops_half_width_pct,
		                             METRIC_iops_half_width_repro_pct, METRIC_rho,
		                             METRIC_lat_p99_low_us, METRIC_lat_p99_high_us };
	static const double expect[] = { 1.5, 4, 0.25, 78000, 83000 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(id); i++)
		assert_false(metric_eval(metric_at(id[i]), &in).measured);
	assert_false(metric_eval(metric_at(METRIC_batches), &in).measured);
	s->op[OP_READ].verdict = (struct op_verdict){ .judged = true,
		                                      .half_width = 0.015,
		                                      .reproducible = 0.04,
		                                      .rho = 0.25,
		                                      .batches = 15,
		                                      .tail = true,
		                                      .p99_low_ns = 78000,
		                                      .p99_high_ns = 83000 };
	for (size_t i = 0; i < ARRAY_SIZE(id); i++)
		assert_true(metric_eval(metric_at(id[i]), &in).real == expect[i]);
	assert_int_equal(metric_eval(metric_at(METRIC_batches), &in).integer, 15);
	s->op[OP_READ].verdict.reproducible = 0;
	assert_false(metric_eval(metric_at(METRIC_iops_half_width_repro_pct), &in).measured);
}

static void reasons_to_stop(void **state)
{
	static const char *const name[] = { NULL,        "runtime", "size",
		                            "precision", "cap",     "cap-unsteady" };
	AUTO(freep) struct sample *s = sample_of(20000, 80000);
	struct metric_input in = { .sample = s };

	(void)state;
	for (unsigned i = 0; i < STOPPED_COUNT; i++) {
		struct metric_value v;

		s->stop_reason = (enum stop_reason)i;
		v = metric_eval(metric_at(METRIC_stop_reason), &in);
		assert_int_equal(v.measured, name[i] != NULL);
		if (name[i])
			assert_string_equal(v.text, name[i]);
	}
	assert_null(stop_reason_name(STOPPED_COUNT));
}

TEST_MAIN(cmocka_unit_test(each_word_has_its_sentence), cmocka_unit_test(columns_of_an_op),
          cmocka_unit_test(reasons_to_stop))
