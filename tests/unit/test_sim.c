/* Simulated devices: whole runs whose outcome is known beforehand. */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "base/units.h"
#include "engine/sim.h"
#include "support/core_bench.h"

#define SERVICE_NS (100 * USEC)

static struct run_spec spec_of(const struct bench *b, const struct sim_device *d, enum rw rw,
                               uint64_t runtime_ns)
{
	struct run_spec spec = bench_spec(b, ENGINE_SIM, rw);

	spec.sim = *d;
	spec.region_bytes = spec.target_bytes = d->size_bytes;
	spec.job.time_based = 1;
	spec.job.ramp_time = 0;
	spec.job.runtime = runtime_ns;
	return spec;
}

static uint64_t ios(const struct sample *s)
{
	return s->op[OP_READ].ios + s->op[OP_WRITE].ios;
}

static void run(struct bench *b, const struct run_spec *spec)
{
	assert_int_equal(bench_run(b, spec), 0);
	assert_true(b->sample->simulated);
	assert_int_equal(b->sample->window_ns, spec->job.runtime);
	assert_int_equal(b->sample->start_skew_ns + b->sample->stop_skew_ns, 0);
	assert_int_equal(b->sample->cpu_user_ns + b->sample->cpu_sys_ns + b->sample->system_ns,
	                 0);
}

/* Of `want`, within so many percent. */
static void near(double got, double want, double percent)
{
	if (!(fabs(got - want) <= fabs(want) * percent / 100))
		fail_msg("%.9g is not within %g %% of %.9g", got, percent, want);
}

/* k servers of fixed time: min(k, jobs x depth) I/Os per service time, and Little's law. */
static void servers_set_the_rate(void **state)
{
	static const struct {
		uint64_t servers, jobs, depth;
	} cases[] = { { 1, 1, 1 }, { 1, 1, 8 }, { 4, 1, 1 },   { 4, 1, 8 },  { 4, 4, 1 },
		      { 4, 3, 1 }, { 4, 7, 3 }, { 16, 5, 64 }, { 64, 33, 1 } };
	struct bench *b = *state;
	const struct sample *s = b->sample;

	for (size_t c = 0; c < ARRAY_SIZE(cases); c++) {
		struct sim_device d = bench_device(SERVICE_NS);
		uint64_t queue = cases[c].jobs * cases[c].depth,
			 busy = queue < cases[c].servers ? queue : cases[c].servers;
		struct run_spec spec;

		d.servers = cases[c].servers;
		spec = spec_of(b, &d, RW_RANDREAD, SEC);
		spec.job.numjobs = cases[c].jobs;
		spec.job.iodepth = cases[c].depth;
		run(b, &spec);
		/* those that complete with the window's end are drained */
		assert_int_equal(ios(s), busy * (SEC / SERVICE_NS - 1));
		assert_int_equal(s->inflight_ns, queue * SEC);
		assert_int_equal(s->inflight_at_stop, queue);
		assert_int_equal(s->op[OP_READ].lat.min, SERVICE_NS);
		near(hist_mean(&s->op[OP_READ].lat) * (double)ios(s), (double)queue * 1e9,
		     2 * 100.0 * (double)queue / (double)ios(s));
		if (queue <= cases[c].servers)
			assert_int_equal(s->op[OP_READ].lat.max, SERVICE_NS);
	}
}

static void times_follow_op_and_size(void **state)
{
	static const struct {
		enum rw rw;
		uint64_t bs, service_ns;
	} cases[] = { { RW_READ, 4096, 100000 + 4000 },
		      { RW_READ, MIB, 100000 + 1024000 },
		      { RW_WRITE, 65536, 50000 + 32000 } };
	struct sim_device d = bench_device(0);
	struct bench *b = *state;

	d.service[OP_READ] = (struct sim_service){ .base_ns = 100000, .per_mib_ns = 1024000 };
	d.service[OP_WRITE] = (struct sim_service){ .base_ns = 50000, .per_mib_ns = 512000 };
	d.service[OP_SYNC] = (struct sim_service){ .base_ns = 1000000 };
	for (size_t c = 0; c < ARRAY_SIZE(cases); c++) {
		struct run_spec spec = spec_of(b, &d, cases[c].rw, SEC);
		const struct op_sample *o =
		    &b->sample->op[rw_writes(cases[c].rw) ? OP_WRITE : OP_READ];

		spec.job.bs = cases[c].bs;
		run(b, &spec);
		assert_int_equal(o->lat.min, cases[c].service_ns);
		assert_int_equal(o->lat.max, cases[c].service_ns);
		assert_int_equal(o->ios, (SEC - 1) / cases[c].service_ns);
		spec.job.fsync = 1;
		run(b, &spec);
		assert_int_equal(
		    b->sample->op[OP_SYNC].lat.n,
		    rw_writes(cases[c].rw) ? (SEC - 1) / (cases[c].service_ns + MSEC) : 0);
		assert_int_equal(b->sample->op[OP_SYNC].lat.max,
		                 rw_writes(cases[c].rw) ? MSEC : 0);
	}
}

/* Quantiles against their formulas: the histogram's 0.4 %, and three standard errors of a
 * quantile of n draws. */
static void spreads_have_their_quantiles(void **state)
{
	static const double p[] = { 50, 90, 99, 99.9 },
			    z[] = { 0, 1.2815515655446004, 2.3263478740408408,
		                    3.0902323061678132 };
	struct sim_device d = bench_device(SERVICE_NS);
	struct bench *b = *state;
	const struct hist *h = &b->sample->op[OP_READ].lat;

	for (int spread = SIM_EXPONENTIAL; spread <= SIM_LOGNORMAL; spread++) {
		double variance = log1p(0.25), sigma = sqrt(variance);
		struct run_spec spec;

		d.service[OP_READ].spread = (uint64_t)spread;
		d.service[OP_READ].cv = 0.5;
		spec = spec_of(b, &d, RW_RANDREAD, 20 * SEC);
		run(b, &spec);
		near(hist_mean(h), 100000, 100 * 3 / sqrt((double)h->n));
		near(hist_stddev(h), spread == SIM_EXPONENTIAL ? 100000 : 50000, 1.5);
		for (size_t i = 0; i < ARRAY_SIZE(p); i++) {
			double tail = 1 - p[i] / 100, want, slope;

			want = spread == SIM_EXPONENTIAL
			           ? -100000 * log(tail)
			           : 100000 * exp(sigma * z[i] - variance / 2);
			/* density at the quantile, relative to it */
			slope =
			    spread == SIM_EXPONENTIAL
				? -log(tail) * tail
				: exp(-z[i] * z[i] / 2) / sqrt(2 * 3.141592653589793) / sigma;
			near(hist_percentile(h, p[i]), want,
			     0.4 + 300 * sqrt(p[i] / 100 * tail / (double)h->n) / slope);
		}
	}
}

static void caps_are_exact(void **state)
{
	static const struct {
		double iops, bytes_s;
		uint64_t bs;
		double want;
	} cases[] = { { 12345, 0, 4096, 12345 },    { 333.25, 0, 65536, 333.25 },
		      { 0, 1e8, 4096, 1e8 / 4096 }, { 0, 12345678, MIB, 12345678.0 / MIB },
		      { 1000, 1e8, 4096, 1000 },    { 1000, 1e8, MIB, 1e8 / MIB } };
	struct bench *b = *state;

	for (size_t c = 0; c < ARRAY_SIZE(cases); c++) {
		struct sim_device d = bench_device(SERVICE_NS);
		struct run_spec spec;

		d.servers = 100;
		d.iops = cases[c].iops;
		d.bytes_s = cases[c].bytes_s;
		spec = spec_of(b, &d, RW_RANDWRITE, 20 * SEC);
		spec.job.ramp_time = SEC;
		spec.job.bs = cases[c].bs;
		spec.job.iodepth = 32;
		spec.job.numjobs = 4;
		run(b, &spec);
		assert_in_range(ios(b->sample), (uint64_t)(20 * cases[c].want) - 1,
		                (uint64_t)(20 * cases[c].want) + 1);
	}
}

static uint64_t slot_ios(const struct sample *s, unsigned from, unsigned to)
{
	uint64_t n = 0;

	for (unsigned i = from; i < to && i < s->slots; i++)
		n += s->slot[i].ios[OP_READ] + s->slot[i].ios[OP_WRITE];
	return n;
}

/* 10,000 IOPS until size / (10,000 - refill) seconds have passed, then refill; and a rest
 * brings them back. */
static void credits_end_when_computed(void **state)
{
	struct sim_device d = bench_device(SERVICE_NS);
	struct bench *b = *state;
	const struct sample *s = b->sample;
	struct run_spec spec;

	d.credits.size = 45000;
	d.credits.refill = 1000;
	spec = spec_of(b, &d, RW_RANDREAD, 20 * SEC);
	spec.job.iodepth = 4;
	run(b, &spec);
	assert_int_equal(slot_ios(s, 0, 50), 49999); /* 5 s = 45000 / 9000 */
	assert_in_range(slot_ios(s, 50, 60), 999, 1002);
	assert_in_range(slot_ios(s, 60, 200), 13999, 14001);
	spec.rest_ns = 4500 * MSEC; /* of 45 */
	run(b, &spec);
	assert_in_range(slot_ios(s, 0, 5), 4990, 5001); /* half a second */
	assert_in_range(slot_ios(s, 6, 16), 999, 1001);
	d.credits.unit = SIM_BYTES; /* another device: begins anew */
	d.credits.size *= 4096;
	d.credits.refill *= 4096;
	spec.sim = d;
	spec.rest_ns = 0;
	run(b, &spec);
	assert_int_equal(slot_ios(s, 0, 50), 49999);
	assert_in_range(slot_ios(s, 60, 200), 13999, 14001);
}

static void a_cache_fills_and_recovers(void **state)
{
	struct sim_device d = bench_device(SERVICE_NS);
	struct bench *b = *state;
	const struct sample *s = b->sample;
	struct run_spec spec;

	d.cache.op = OP_WRITE;
	d.cache.size = 20000 * 4096;
	d.cache.factor = 0.25;
	d.cache.recover = 5000 * 4096;
	spec = spec_of(b, &d, RW_WRITE, 10 * SEC);
	run(b, &spec);
	assert_int_equal(slot_ios(s, 0, 20), 19999);
	assert_int_equal(slot_ios(s, 20, 100), 1 + 8 * 2500 - 1);
	run(b, &spec);
	assert_int_equal(ios(s), 24999); /* still full */
	spec.rest_ns = 2 * SEC;
	run(b, &spec);
	assert_in_range(slot_ios(s, 0, 10), 9998, 10000);
	assert_in_range(slot_ios(s, 10, 100), 22499, 22501);
	spec.job.rw = RW_READ;
	run(b, &spec);
	assert_int_equal(ios(s), 99999);
}

static void heat_builds_up_and_goes(void **state)
{
	struct sim_device d = bench_device(SERVICE_NS);
	struct bench *b = *state;
	const struct sample *s = b->sample;
	struct run_spec spec;

	d.heat.after_ns = 2 * SEC;
	d.heat.per_s = 0.1;
	d.heat.floor = 0.6;
	d.heat.cool = 2;
	spec = spec_of(b, &d, RW_READ, 10 * SEC);
	run(b, &spec);
	assert_int_equal(slot_ios(s, 0, 20), 19999);
	near((double)slot_ios(s, 20, 60), 40000 * 0.8, 0.2);
	near((double)slot_ios(s, 60, 100), 40000 * 0.6, 0.1);
	run(b, &spec);
	near((double)ios(s), 60000, 0.1);
	spec.rest_ns = 9 * SEC; /* 18 s of 20 */
	run(b, &spec);
	assert_int_equal(slot_ios(s, 0, 0), 0);
	near((double)slot_ios(s, 40, 100), 60000 * 0.6, 0.2);
}

static void speed_changes_as_described(void **state)
{
	struct sim_device steps = bench_device(SERVICE_NS), stalls = steps, wave = steps,
			  ramp = steps, decay = steps;
	struct bench *b = *state;
	const struct sample *s = b->sample;
	struct run_spec spec;
	uint64_t stalled = 0;

	steps.steps = 2;
	steps.step[0].at_ns = 3 * SEC;
	steps.step[0].factor = 0.5;
	steps.step[1].at_ns = 7 * SEC;
	steps.step[1].factor = 2;
	spec = spec_of(b, &steps, RW_READ, 10 * SEC);
	run(b, &spec);
	assert_int_equal(slot_ios(s, 0, 30), 29999);
	assert_in_range(slot_ios(s, 30, 70), 19999, 20001);
	assert_in_range(slot_ios(s, 70, 100), 59998, 60000);

	stalls.stalls.every_ns = 3 * SEC;
	stalls.stalls.for_ns = 500 * MSEC;
	spec = spec_of(b, &stalls, RW_READ, 30 * SEC);
	run(b, &spec);
	assert_in_range(ios(s), 249980, 250010);
	for (unsigned i = 0; i < s->slots; i++)
		stalled += slot_ios(s, i, i + 1) == 0;
	assert_in_range(stalled, 40, 50);
	assert_in_range(s->longest_gap_ns, 500 * MSEC, 500 * MSEC + 2 * SERVICE_NS);

	wave.wave.period_ns = 2 * SEC;
	wave.wave.shape = SIM_SINE;
	wave.wave.amplitude = 0.5;
	spec = spec_of(b, &wave, RW_READ, 20 * SEC);
	run(b, &spec);
	near((double)ios(s), 200000, 0.5);
	wave.wave.shape = SIM_SAW;
	spec.sim = wave;
	run(b, &spec);
	near((double)ios(s), 150000, 0.5);
	wave.wave.shape = SIM_SQUARE;
	spec.sim = wave;
	run(b, &spec);
	near((double)ios(s), 150000, 0.5);

	ramp.ramp_up.tau_ns = SEC;
	ramp.ramp_up.depth = 0.4;
	spec = spec_of(b, &ramp, RW_READ, 10 * SEC);
	for (int again = 0; again < 2; again++) {
		run(b, &spec);
		near((double)ios(s), 10000 * (10 - 0.4 * -expm1(-10)), 0.2);
	}

	decay.decay.tau_ns = 2 * SEC;
	decay.decay.drop = 0.2;
	spec = spec_of(b, &decay, RW_READ, 10 * SEC);
	run(b, &spec);
	near((double)ios(s), 10000 * (10 - 0.2 * (10 - 2 * -expm1(-5))), 0.2);
	run(b, &spec);
	near((double)ios(s), 80000, 0.2);
}

/* Mean and correlation of the slots over 400 s. */
static void noise_is_as_described(void **state)
{
	struct bench *b = *state;
	const struct sample *s = b->sample;
	double mean = 0, variance = 0, lagged = 0, n;
	struct sim_device d = bench_device(MSEC);
	struct run_spec spec;

	d.noise.cv = 0.05;
	d.noise.rho = 0.6;
	spec = spec_of(b, &d, RW_READ, 400 * SEC);
	run(b, &spec);
	n = s->slots;
	for (unsigned i = 0; i < s->slots; i++)
		mean += (double)slot_ios(s, i, i + 1) / n;
	for (unsigned i = 0; i < s->slots; i++) {
		double v = (double)slot_ios(s, i, i + 1) - mean;

		variance += v * v / n;
		lagged += i ? v * ((double)slot_ios(s, i - 1, i) - mean) / n : 0;
	}
	near(mean, 100, 0.6);
	near(sqrt(variance), 5, 10);
	near(lagged / variance, 0.6, 10);
}

static void modes_have_two_levels(void **state)
{
	struct bench *b = *state;
	const struct sample *s = b->sample;
	struct sim_device d = bench_device(MSEC);
	struct run_spec spec;
	unsigned high = 0, low = 0;

	d.modes.factor = 0.8;
	d.modes.high_ns = 2 * SEC;
	d.modes.low_ns = 2 * SEC;
	spec = spec_of(b, &d, RW_READ, 400 * SEC);
	run(b, &spec);
	for (unsigned i = 0; i < s->slots; i++) {
		uint64_t got = slot_ios(s, i, i + 1);

		high += got > 98;
		low += got < 82;
	}
	assert_true(high + low > s->slots * 9 / 10);
	assert_in_range(low, s->slots / 3, s->slots * 2 / 3);
}

static void writes_slow_reads_until_tidied_up(void **state)
{
	struct bench *b = *state;
	const struct sample *s = b->sample;
	struct sim_device d = bench_device(SERVICE_NS);
	struct run_spec write, read;

	d.cleaning.size = 10000 * 4096;
	d.cleaning.recover = 5000 * 4096;
	d.cleaning.factor = 0.5;
	d.fresh.passes = 1;
	d.fresh.factor = 2;
	d.size_bytes = 20000 * 4096;
	write = spec_of(b, &d, RW_WRITE, 2 * SEC);
	read = spec_of(b, &d, RW_READ, 4 * SEC);
	run(b, &write);
	assert_in_range(slot_ios(s, 0, 10), 19998,
	                20000); /* fresh: twice as fast, for one pass */
	assert_in_range(slot_ios(s, 10, 20), 9999, 10001);
	run(b, &read);
	assert_in_range(slot_ios(s, 0, 20), 9998, 10001); /* 2 s to tidy up 10000 blocks */
	assert_in_range(slot_ios(s, 20, 40), 19998, 20001);
}

static void sample_copy(struct sample *to, const struct sample *from)
{
	memcpy(to, from, sizeof(*to));
	to->window_start_wall_ns = 0;
}

/* All of it again in another core, with many jobs: the same to the last nanosecond; another
 * seed: not. */
static void the_same_seed_gives_the_same(void **state)
{
	struct bench *b = *state;
	struct sim_device d = bench_device(SERVICE_NS);
	AUTO(freep) struct sample *first = xcalloc(2, sizeof(*first));

	d.servers = 7;
	d.service[OP_READ] = d.service[OP_WRITE] =
	    (struct sim_service){ .base_ns = 90000, .spread = SIM_LOGNORMAL, .cv = 1 };
	d.noise.cv = 0.1;
	d.noise.rho = 0.5;
	d.stalls.every_ns = SEC;
	d.stalls.for_ns = 20 * MSEC;
	d.stalls.random = 1;
	d.modes.high_ns = d.modes.low_ns = SEC;
	d.modes.factor = 0.7;
	d.between_runs = 0.02;
	for (int turn = 0; turn < 3; turn++) {
		struct run_spec spec = spec_of(b, &d, RW_RANDRW, SEC);

		spec.job.numjobs = 9;
		spec.job.iodepth = 5;
		spec.sim.seed = turn < 2 ? 1 : 2;
		for (int i = 0; i < 2; i++) {
			struct sample now;

			run(b, &spec);
			sample_copy(&now, b->sample);
			if (!turn)
				first[i] = now;
			else
				assert_int_equal(
				    memcmp(&first[i].op, &now.op, sizeof(now.op)) == 0,
				    turn == 1);
			spec.rest_ns = SEC;
		}
		core_free(b->core);
		assert_int_equal(core_new(&b->core, b->live, NULL), 0);
	}
}

/* Jobs share one device and one clock: alike they get alike, and no job is ahead of another. */
static void jobs_share_the_device(void **state)
{
	struct bench *b = *state;
	struct sim_device d = bench_device(SERVICE_NS);

	d.servers = 4;
	d.service[OP_READ].spread = SIM_EXPONENTIAL;
	for (uint64_t jobs = 1; jobs <= 16; jobs *= 4) {
		struct run_spec spec = spec_of(b, &d, RW_RANDREAD, 4 * SEC);

		spec.job.numjobs = jobs;
		spec.job.iodepth = 64 / jobs;
		run(b, &spec);
		near((double)ios(b->sample), 4 * 4 * 10000, 1);
		assert_int_equal(b->sample->jobs_idle, 0);
		assert_int_equal(b->sample->inflight_ns, 64 * 4 * SEC);
	}
}

static void waiting_for_several_works(void **state)
{
	struct bench *b = *state;
	struct sim_device d = bench_device(SERVICE_NS);

	for (uint64_t min = 0; min <= 8; min += 4) {
		struct run_spec spec = spec_of(b, &d, RW_RANDREAD, SEC);

		spec.job.iodepth = 8;
		spec.job.iodepth_batch_complete_min = min;
		run(b, &spec);
		assert_int_equal(ios(b->sample), min == 8 ? 9992 : min == 4 ? 9996 : 9999);
		assert_int_equal(b->sample->polls, 0);
	}
}

/* Started times are of the device's clock: runs lie apart as the device saw them. */
static void started_times_are_simulated(void **state)
{
	struct bench *b = *state;
	struct sim_device d = bench_device(100 * MSEC);
	struct run_spec spec = spec_of(b, &d, RW_RANDREAD, 600 * SEC);
	int64_t before = 0;

	for (int i = 0; i < 3; i++) {
		run(b, &spec);
		if (i)
			assert_in_range(b->sample->window_start_wall_ns - before, 660 * SEC,
			                661 * SEC);
		before = b->sample->window_start_wall_ns;
		spec.rest_ns = 60 * SEC;
	}
}

/* What a description may hold at most: slow beyond reason, but it ends, and nothing overflows.
 */
static void extremes_end(void **state)
{
	struct bench *b = *state;
	struct sim_device d = bench_device(3600 * SEC);
	struct run_spec spec;

	d.service[OP_WRITE].per_mib_ns = 3600 * SEC;
	d.service[OP_WRITE].spread = SIM_LOGNORMAL;
	d.service[OP_WRITE].cv = 10;
	d.iops = 0.001;
	d.bytes_s = 1;
	d.credits.size = 1;
	d.credits.refill = 0.001;
	d.credits.unit = SIM_BYTES;
	d.cache.size = 1;
	d.cache.op = OP_WRITE;
	d.cache.factor = 0.001;
	d.stalls.every_ns = MSEC;
	d.stalls.for_ns = 1;
	d.stalls.random = 1;
	d.modes.high_ns = d.modes.low_ns = MSEC;
	d.modes.factor = 0.001;
	d.noise.cv = 1;
	d.noise.rho = 0.9999;
	d.noise.slot_ns = MSEC;
	d.steps = 1;
	d.step[0].at_ns = UINT64_C(1000000000) * SEC;
	spec = spec_of(b, &d, RW_RANDWRITE, 366 * UINT64_C(86400) * SEC);
	spec.job.bs = 1 << 30;
	spec.job.iodepth = 8;
	spec.rest_ns = 366 * UINT64_C(86400) * SEC;
	for (int i = 0; i < 2; i++) {
		run(b, &spec);
		assert_in_range(ios(b->sample), 1, 100);
	}
}

#define ON_CORE(fn) cmocka_unit_test_setup_teardown(fn, bench_setup, bench_teardown)

TEST_MAIN(ON_CORE(servers_set_the_rate), ON_CORE(times_follow_op_and_size),
          ON_CORE(spreads_have_their_quantiles), ON_CORE(caps_are_exact),
          ON_CORE(credits_end_when_computed), ON_CORE(a_cache_fills_and_recovers),
          ON_CORE(heat_builds_up_and_goes), ON_CORE(speed_changes_as_described),
          ON_CORE(noise_is_as_described), ON_CORE(modes_have_two_levels),
          ON_CORE(writes_slow_reads_until_tidied_up), ON_CORE(the_same_seed_gives_the_same),
          ON_CORE(jobs_share_the_device), ON_CORE(waiting_for_several_works),
          ON_CORE(started_times_are_simulated), ON_CORE(extremes_end))
