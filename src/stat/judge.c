#include "stat/judge.h"

#include <math.h>
#include <string.h>

#include "stat/batch.h"
#include "stat/shape.h"

#define SLICE_S 0.1 /* of dosed work, the longest that is usual */
#define SLICES_S                                                                               \
	0.6 /* slots of sliced work: whole numbers of slices of 100, 200 and 300 ms            \
	     */

#define FIFTHS 5

/* The series at two widths: x, slots with enough completions, for shapes; y,
 * means of some of them, for the mean. */
struct scales {
	double *x, *y, *work;
	unsigned nx, ny, per; /* x in a y */
	double x_s, y_s;
	bool regulated;
};

static unsigned at_least_one(double v)
{
	return v < 1 ? 1 : (unsigned)v;
}

static bool scale(struct scales *sc, const struct stat_series *s, struct stat_room *room)
{
	double value_s = STAT_VALUE_S;
	unsigned k;

	*sc = (struct scales){ .x = room->x, .y = room->y, .work = room->work };
	if (s->n < STAT_VALUES)
		return false;
	k = stat_merge_for(s->count, s->n, STAT_COUNT, room->work);
	if (s->n / k < STAT_VALUES)
		return false;
	memcpy(room->x, s->count, s->n * sizeof(*room->x));
	sc->nx = stat_merge(room->x, s->n, k);
	sc->x_s = k * s->slot_s;
	sc->regulated = stat_regulated(room->x, sc->nx);
	if (sc->regulated) {
		k = at_least_one(ceil(SLICES_S / sc->x_s - 1e-9));
		sc->nx = stat_merge(room->x, sc->nx, k);
		sc->x_s *= k;
		value_s = sc->nx < 2 * STAT_VALUES ? SLICES_S : 2 * SLICES_S;
	}
	sc->per = at_least_one(ceil(value_s / sc->x_s - 1e-9));
	memcpy(room->y, room->x, sc->nx * sizeof(*room->y));
	sc->ny = stat_merge(room->y, sc->nx, sc->per);
	sc->y_s = sc->per * sc->x_s;
	return sc->ny >= STAT_VALUES && stat_mean(room->y, sc->ny) > 0;
}

/* Over all of the series: a stall in its first half is no warm-up, though the
 * cut may fall behind it. A slow beginning is. */
static void judge_stalls(struct verdict *v, const struct scales *sc, unsigned cut)
{
	double median = stat_median(sc->x, sc->nx, sc->work);
	struct stat_stalls st;
	unsigned skip = 0;

	while (skip < cut * sc->per && sc->x[skip] < 0.5 * median)
		skip++;
	stat_stalls(&st, sc->x + skip, sc->nx - skip, median);
	v->stalls = st.events;
	v->stall_lost = st.lost;
	v->stall_longest_s = st.longest * sc->x_s;
	v->stall_at_s = (skip + st.at) * sc->x_s;
}

static void judge_levels(struct verdict *v, const struct scales *sc, unsigned cut, double per_s,
                         double precision)
{
	const unsigned skip = cut * sc->per;
	/* slots of dosed work hold one slice more or less */
	double apart = sc->regulated ? 2 * SLICE_S / sc->x_s : 0;
	struct stat_levels lv;

	stat_levels(&lv, sc->x + skip, sc->nx - skip, fmax(2 * precision, apart), sc->work);
	if (!lv.two)
		return;
	v->seen |= VERDICT_BIMODAL;
	v->low_rate = lv.low * per_s;
	v->high_rate = lv.high * per_s;
	v->low_share = lv.low_share;
}

/* Half width around the mean of all of the series, which is what is reported:
 * it must hold what the rest without its warm-up says. A count tells a rate to
 * one completion at best, or to one slice of dosed work: which one the end of
 * the window still saw is chance. */
static double widened(const struct stat_interval *in, const struct scales *sc,
                      const struct stat_series *s)
{
	double mean = stat_mean(sc->y, sc->ny),
	       least = sc->regulated ? SLICE_S / (s->n * s->slot_s) : 1 / (mean * s->n);

	return fmax((in->half_width + fabs(mean - in->mean)) / mean, least);
}

/* Lowest and highest batch; of work that is dosed, fifths of the series: how
 * slices fall into short batches is no change of the rate. */
static void extremes(struct verdict *v, const struct scales *sc, unsigned cut,
                     const struct stat_interval *in)
{
	unsigned per = (sc->ny - cut) / FIFTHS;

	v->lowest = in->lowest / in->mean;
	v->highest = in->highest / in->mean;
	if (!sc->regulated)
		return;
	v->lowest = v->highest = 1;
	for (unsigned i = 0; i < FIFTHS; i++) {
		double part = stat_mean(sc->y + cut + (size_t)i * per, per) / in->mean;

		v->lowest = fmin(v->lowest, part);
		v->highest = fmax(v->highest, part);
	}
}

static void judge_mean(struct verdict *v, const struct stat_interval *in, double precision)
{
	v->rho = in->rho;
	v->batches = in->batches;
	v->drift = in->drift;
	v->drift_t = in->drift_t;
	if (fabs(v->drift) > 2 * precision && fabs(v->drift_t) > 3)
		v->seen |= VERDICT_DRIFT;
	if (v->rho >= 0.7)
		v->seen |= VERDICT_UNSETTLED;
	if (v->highest - v->lowest > 0.2)
		v->seen |= VERDICT_EXCURSION;
	if (v->half_width > precision)
		v->seen |= VERDICT_WIDE;
}

/* Hardly any scatter: 0.2 %, or one I/O more or less in a batch. */
static bool plateau(const struct scales *sc, const struct stat_interval *in, unsigned cut,
                    double slots)
{
	double sd = sqrt(stat_variance(sc->y + cut, sc->ny - cut)), count = in->mean * slots;

	return sd * slots <= fmax(0.002 * count, 0.6);
}

void stat_judge(struct verdict *out, const struct stat_series *s, struct stat_room *room)
{
	struct stat_interval in;
	struct scales sc;
	unsigned cut;
	double mean, per_s = 1 / s->slot_s;

	*out = (struct verdict){ 0 };
	if (!scale(&sc, s, room))
		return;
	mean = stat_mean(sc.y, sc.ny);
	cut = stat_warm_up(sc.y, sc.ny, sc.ny / 2, s->precision / 2);
	stat_batch_means(&in, sc.y + cut, sc.ny - cut, STAT_CONFIDENCE);
	out->judged = true;
	out->seconds = s->n * s->slot_s;
	out->values = sc.ny - cut;
	out->mean = mean * per_s;
	out->half_width = widened(&in, &sc, s);
	if (cut) {
		out->head_s = cut * sc.y_s;
		out->head_rate = stat_mean(sc.y, cut) * per_s;
	}
	out->rest_rate = in.mean * per_s;
	if (cut >= sc.ny / 2)
		out->seen |= VERDICT_WARMING;
	if (cut >= 2 && out->head_rate > 1.05 * out->rest_rate &&
	    stat_contrast(sc.y, sc.ny, cut) > 3)
		out->seen |= VERDICT_FAST_START;
	extremes(out, &sc, cut, &in);
	judge_mean(out, &in, s->precision);
	judge_stalls(out, &sc, cut);
	if (out->stall_lost > s->precision / 2)
		out->seen |= VERDICT_STALLS;
	judge_levels(out, &sc, cut, per_s, s->precision);
	if (plateau(&sc, &in, cut, sc.y_s / s->slot_s))
		out->seen |= VERDICT_PLATEAU;
}

void stat_judge_op(struct op_verdict *out, const struct stat_series *s, struct stat_room *room)
{
	struct stat_interval in;
	struct scales sc;
	unsigned cut;

	if (!scale(&sc, s, room))
		return;
	cut = stat_warm_up(sc.y, sc.ny, sc.ny / 2, s->precision / 2);
	stat_batch_means(&in, sc.y + cut, sc.ny - cut, STAT_CONFIDENCE);
	out->judged = true;
	out->half_width = widened(&in, &sc, s);
	out->rho = in.rho;
	out->batches = in.batches;
}
