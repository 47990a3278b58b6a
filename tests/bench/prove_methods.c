/* prove_methods [RUNS]: the statistics on devices whose long-run mean is known, RUNS (200) runs
 * of each. Every figure with its limit; exit 1 when one is missed. All seeds are fixed. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "stat/batch.h"
#include "stat/between.h"
#include "stat/judge.h"
#include "stat/stopping.h"
#include "stat/tail.h"
#include "support/behaviour.h"

#define TOTAL_S   35 /* 5 s of ramp and 30 s, without early stopping */
#define RAMP_S    5
#define FAR       0.04
#define PER_PILOT 20 /* runs of a class that share one */
#define SCALE     (BEHAVIOUR_RATE * BEHAVIOUR_SLOT_S)

enum {
	PILOT_SLOTS = STAT_PILOT_S * 10,
	REPROBE_SLOTS = STAT_REPROBE_S * 10,
	RUN_SLOTS = TOTAL_S * 10,
};

static bool missed;

__attribute__((format(printf, 4, 5))) static void
figure(bool ok, double value, const char *limit, const char *what, ...)
{
	va_list ap;
	char text[128];

	va_start(ap, what);
	(void)vsnprintf(text, sizeof(text), what, ap);
	va_end(ap);
	printf("%-6s %8.2f  %-9s %s\n", ok ? "ok" : "MISSED", value, limit, text);
	missed |= !ok;
}

/* --- single runs, fixed and stopped early --- */

struct tally {
	unsigned runs, covered, far, doubted, misleading;
	double seconds;
};

#define DOUBTS                                                                                 \
	(VERDICT_DRIFT | VERDICT_WARMING | VERDICT_FAST_START | VERDICT_STALLS |               \
	 VERDICT_BIMODAL | VERDICT_UNSETTLED | VERDICT_EXCURSION | VERDICT_PILOT_UNSTEADY |    \
	 VERDICT_PILOT_REFILLS | VERDICT_PILOT_STALLS)

static void count(struct tally *t, const struct verdict *v, double truth, double seconds)
{
	double mean = v->mean * BEHAVIOUR_SLOT_S, off = fabs(mean - truth);
	bool doubt = v->seen & DOUBTS;

	t->runs++;
	t->covered += off <= v->half_width * mean;
	t->far += off > FAR * truth;
	t->doubted += doubt;
	t->misleading += off > FAR * truth && !doubt && !(v->seen & VERDICT_WIDE);
	t->seconds += seconds;
}

static double pct(unsigned n, const struct tally *t)
{
	return 100.0 * n / t->runs;
}

static struct stat_series series(const double *v, unsigned n)
{
	return (struct stat_series){
		.count = v, .n = n, .slot_s = BEHAVIOUR_SLOT_S, .precision = STAT_PRECISION
	};
}

/* Look as a run would be looked at. Returns its seconds. */
static double stop_early(struct verdict *v, const double *x, const struct stat_pilot *pilot,
                         struct stat_room *room)
{
	struct stat_stopping s;
	double data;

	stat_stopping_init(&s, pilot, STAT_PRECISION, TOTAL_S);
	do {
		struct stat_series sr =
		    series(x + lround(s.discard_s * 10), (unsigned)lround(s.look_s * 10));

		data = s.look_s;
		stat_judge(v, &sr, room);
	} while (stat_look(&s, v) == STAT_GO_ON);
	return s.discard_s + data;
}

struct three {
	struct tally fixed, alone,
	    pilot; /* whole length; stopped early without and with a pilot */
};

struct device {
	const struct behaviour *b;
	struct rng r;
	double pilot[PILOT_SLOTS + REPROBE_SLOTS +
	             RUN_SLOTS]; /* a device that keeps its state: all of it is one course */
	struct stat_pilot knows;
	struct stat_room room;
};

static double fill(struct device *d, double *v, unsigned n)
{
	double truth = d->b->fill(&d->r, v, n, d->b->p);

	for (unsigned i = 0; i < n; i++)
		v[i] *= SCALE;
	return truth * SCALE;
}

/* The course of the next run into d->pilot + PILOT_SLOTS + REPROBE_SLOTS, behind a pilot. */
static double next_run(struct device *d, bool first_of_class)
{
	struct stat_series pilot = series(d->pilot, PILOT_SLOTS),
			   again = series(d->pilot + PILOT_SLOTS, REPROBE_SLOTS);
	double truth;

	if (d->b->keeps) {
		truth = fill(d, d->pilot, ARRAY_SIZE(d->pilot));
	} else {
		if (first_of_class) {
			(void)fill(d, d->pilot, PILOT_SLOTS);
			(void)fill(d, d->pilot + PILOT_SLOTS, REPROBE_SLOTS);
		}
		truth = fill(d, d->pilot + PILOT_SLOTS + REPROBE_SLOTS, RUN_SLOTS);
	}
	if (d->b->keeps || first_of_class)
		stat_pilot(&d->knows, &pilot, &again, &d->room);
	return truth;
}

static void try_behaviour(const struct behaviour *b, unsigned runs, struct three *t)
{
	static struct device d;

	*t = (struct three){ 0 };
	d.b = b;
	rng_seed(&d.r, (uint64_t)(b - behaviours) + 1);
	for (unsigned i = 0; i < runs; i++) {
		double truth = next_run(&d, i % PER_PILOT == 0), seconds;
		const double *run = d.pilot + PILOT_SLOTS + REPROBE_SLOTS,
			     *cold = b->keeps ? d.pilot : run;
		struct stat_series whole = series(cold + RAMP_S * 10, RUN_SLOTS - RAMP_S * 10);
		struct verdict v;

		stat_judge(&v, &whole, &d.room);
		count(&t->fixed, &v, truth, TOTAL_S);
		seconds = stop_early(&v, cold, NULL, &d.room);
		count(&t->alone, &v, truth, seconds);
		seconds = stop_early(&v, run, &d.knows, &d.room);
		count(&t->pilot, &v, truth, seconds);
	}
}

/* What the interval or the doubts of early-stopped runs with a pilot must reach. */
static void judge_behaviour(const struct behaviour *b, const struct tally *t)
{
	double covered = pct(t->covered, t), doubted = pct(t->doubted, t), far = pct(t->far, t);

	switch (b->expect) {
	case EXPECT_COVER:
		figure(covered >= 92, covered, ">= 92 %", "interval holds the mean: %s",
		       b->name);
		break;
	case EXPECT_DOUBT:
		figure(doubted >= 85, doubted, ">= 85 %", "runs carry a doubt: %s", b->name);
		break;
	case EXPECT_CLOSE:
		figure(far <= 2, far, "<= 2 %", "values more than 4 %% off: %s", b->name);
		break;
	case EXPECT_FRESH:
		break;
	}
}

static void prove_runs(unsigned runs)
{
	double misleading[3] = { 0 }, quiet = 0;

	printf("%-35s %21s %21s %29s\n", "percent of runs", "35 s", "stopped, no pilot",
	       "stopped, with pilot");
	printf("%-35s %21s %21s %29s\n", "", "holds doubt  mislead", "holds doubt   s  misl",
	       "holds doubt  far  mislead   s");
	for (unsigned i = 0; i < behaviour_count; i++) {
		const struct behaviour *b = &behaviours[i];
		struct three t;

		try_behaviour(b, runs, &t);
		printf("%-35s  %5.0f %5.0f %8.1f %5.0f %5.0f %5.1f %4.0f  %5.0f %5.0f %5.1f "
		       "%6.1f %5.1f\n",
		       b->name, pct(t.fixed.covered, &t.fixed), pct(t.fixed.doubted, &t.fixed),
		       pct(t.fixed.misleading, &t.fixed), pct(t.alone.covered, &t.alone),
		       pct(t.alone.doubted, &t.alone), t.alone.seconds / runs,
		       pct(t.alone.misleading, &t.alone), pct(t.pilot.covered, &t.pilot),
		       pct(t.pilot.doubted, &t.pilot), pct(t.pilot.far, &t.pilot),
		       pct(t.pilot.misleading, &t.pilot), t.pilot.seconds / runs);
		misleading[0] += pct(t.fixed.misleading, &t.fixed) / behaviour_count;
		misleading[1] += pct(t.alone.misleading, &t.alone) / behaviour_count;
		misleading[2] += pct(t.pilot.misleading, &t.pilot) / behaviour_count;
		if (i == 0)
			quiet = t.pilot.seconds / runs;
		judge_behaviour(b, &t.pilot);
	}
	printf("%-35s  %.1f %% of 35 s runs, %.1f %% stopped without a pilot\n",
	       "misleading, all behaviours", misleading[0], misleading[1]);
	figure(misleading[2] <= 2, misleading[2], "<= 2 %",
	       "no-doubt values more than 4 %% off, with pilots, all %u behaviours",
	       behaviour_count);
	figure(quiet <= 9, quiet, "<= 9 s", "seconds of a run at 2 %%, quiet device");
}

/* --- two sweeps of the same device --- */

static double one_run(struct rng *r, double spread, struct verdict *v, struct stat_room *room)
{
	double x[100], level = 1 + behaviour_gauss(r, spread);
	const double p[] = { 0.5, 0.03 };
	struct stat_series s = series(x, ARRAY_SIZE(x));

	(void)behaviours[2].fill(r, x, s.n, p); /* an autoregression */
	for (unsigned i = 0; i < s.n; i++)
		x[i] *= level * SCALE;
	stat_judge(v, &s, room);
	return v->mean / BEHAVIOUR_RATE;
}

static void prove_repeats(unsigned runs)
{
	enum { SENTINELS = 8 };
	static struct stat_room room;
	const double spread = 0.02;
	unsigned held = 0, alone = 0, agree = 0;
	struct rng r;

	rng_seed(&r, 77);
	for (unsigned i = 0; i < runs; i++) {
		double mean[2], half[2], bare = 0;

		for (int sweep = 0; sweep < 2; sweep++) {
			double sentinel[SENTINELS];
			struct verdict v;

			for (int k = 0; k < SENTINELS; k++)
				sentinel[k] = one_run(&r, spread, &v, &room);
			mean[sweep] = one_run(&r, spread, &v, &room);
			bare = v.half_width;
			half[sweep] = stat_reproducible(v.half_width,
			                                stat_run_spread(sentinel, SENTINELS),
			                                SENTINELS, STAT_CONFIDENCE);
		}
		alone += fabs(mean[1] - 1) <= bare * mean[1];
		held += fabs(mean[1] - 1) <= half[1] * mean[1];
		agree += fabs(mean[1] - mean[0]) <= hypot(half[0], half[1]);
	}
	printf("%-35s  %.0f %% of intervals of one run hold the device's mean\n",
	       "run-to-run sd 2 %", 100.0 * alone / runs);
	figure(held >= 0.93 * runs, 100.0 * held / runs, ">= 93 %",
	       "reproducible interval, 8 sentinels, run-to-run sd 2 %%: holds the mean");
	figure(agree >= 0.93 * runs, 100.0 * agree / runs, ">= 93 %",
	       "A/A: two sweeps of the same device differ by no more than it");
}

/* --- percentiles --- */

enum { TAIL_BATCHES = 20, TAIL_IOS = 2000 };

/* Are more I/Os above `at` when 2 % of them are slow, in clumps of mean length `clump`? p99 is
 * 5 ln 2 above the fastest slow one. */
static double clumped(struct rng *r, double clump, bool *slow)
{
	double u = behaviour_uniform(r, 0, 1), enter = 0.02 / clump / 0.98;

	if (clump <= 1)
		*slow = u < 0.02;
	else
		*slow = u < (*slow ? 1 - 1 / clump : enter);
	u = -log(1 - behaviour_uniform(r, 0, 1));
	return *slow ? 10 + 5 * u : 1 + u / 4;
}

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Does the interval of p99 of one run hold the truth? *resolved: there is one. */
static bool tail_holds(struct rng *r, double clump, bool *resolved)
{
	enum { N = TAIL_BATCHES * TAIL_IOS };
	static double io[N], sorted[N];
	uint64_t above[TAIL_BATCHES] = { 0 }, all[TAIL_BATCHES];
	double truth = 10 + 5 * log(2), half;
	bool slow = false;

	for (int i = 0; i < N; i++)
		io[i] = clumped(r, clump, &slow);
	memcpy(sorted, io, sizeof(io));
	qsort(sorted, N, sizeof(*sorted), ascending);
	for (int b = 0; b < TAIL_BATCHES; b++) {
		all[b] = TAIL_IOS;
		for (int i = 0; i < TAIL_IOS; i++)
			above[b] += io[b * TAIL_IOS + i] > sorted[N * 99 / 100];
	}
	half = stat_share_half_width(above, all, TAIL_BATCHES, 0.99, STAT_CONFIDENCE);
	*resolved = stat_tail_resolved(0.99, half);
	return *resolved && sorted[(int)((0.99 - half) * N)] <= truth &&
	       truth <= sorted[(int)((0.99 + half) * N)];
}

static void prove_tail(unsigned runs)
{
	static const double clump[] = { 1, 8, 64 };

	for (size_t c = 0; c < ARRAY_SIZE(clump); c++) {
		unsigned resolved = 0, held = 0;
		struct rng r;
		bool any;

		rng_seed(&r, 5);
		for (unsigned i = 0; i < runs; i++) {
			held += tail_holds(&r, clump[c], &any);
			resolved += any;
		}
		if (clump[c] < 10)
			figure(held >= 0.92 * resolved, 100.0 * held / resolved, ">= 92 %",
			       "interval of p99 holds it, slow I/Os in clumps of %.0f",
			       clump[c]);
		else
			figure(resolved <= 0.1 * runs, 100.0 * resolved / runs, "<= 10 %",
			       "p99 is given although slow I/Os come in clumps of %.0f",
			       clump[c]);
	}
}

/* --- cost --- */

static void prove_cost(void)
{
	enum { TIMES = 50 };
	static double x[SERIES_MAX];
	static struct stat_room room;
	struct stat_series s = series(x, 300);
	uint64_t best = UINT64_MAX;
	struct verdict v;
	struct rng r;

	rng_seed(&r, 3);
	for (unsigned i = 0; i < s.n; i++)
		x[i] = SCALE * (1 + behaviour_gauss(&r, 0.05));
	for (int i = 0; i < TIMES; i++) {
		uint64_t from = clock_mono_ns(), took;

		stat_judge(&v, &s, &room);
		took = clock_mono_ns() - from;
		best = took < best ? took : best;
	}
	figure(best < 1000000, (double)best / 1e6, "< 1 ms", "judging a run of 30 s");
}

int main(int argc, char **argv)
{
	unsigned runs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 200;

	if (argc > 2 || runs < 20) {
		(void)fprintf(stderr, "usage: %s [RUNS], at least 20\n", argv[0]);
		return 2;
	}
	prove_runs(runs);
	prove_repeats(5 * runs);
	prove_tail(runs < 200 ? runs : 200);
	prove_cost();
	return missed;
}
