#include "stat/pilot.h"

#include <math.h>
#include <string.h>

#include "stat/batch.h"
#include "stat/shape.h"

#define FIRST_S 1.0 /* of a pilot or re-probe that is never looked at: opening, first seeks */

const double stat_look_s[STAT_LOOKS] = { 6, 8, 11, 15, 20, 27, 34 };

/* Means over STAT_VALUE_S from FIRST_S on, into y; *x has the slots behind it. */
static unsigned values(const struct stat_series *s, double *y, const double **x, unsigned *nx)
{
	unsigned skip = (unsigned)lround(FIRST_S / s->slot_s),
		 per = (unsigned)lround(STAT_VALUE_S / s->slot_s);

	if (s->n <= skip)
		return 0;
	*x = s->count + skip;
	*nx = s->n - skip;
	memcpy(y, *x, *nx * sizeof(*y));
	return stat_merge(y, *nx, per ? per : 1);
}

/* Scatter of the means of all windows of w values that begin a second apart. */
static double spread(const double *y, unsigned n, unsigned w, double mean)
{
	double window = 0, sum = 0, sum2 = 0, count = 0;

	for (unsigned i = 0; i < n; i++) {
		window += y[i] - mean;
		if (i >= w)
			window -= y[i - w] - mean;
		if (i + 1 < w || (i + 1 - w) % 2)
			continue;
		sum += window / w;
		sum2 += window / w * (window / w);
		count++;
	}
	if (count < 3)
		return 1;
	return sqrt(fmax(0, sum2 / count - sum / count * (sum / count))) / mean;
}

static void learn_spread(struct stat_pilot *out, const double *y, unsigned n, double mean,
                         double precision)
{
	out->shortest_s = stat_look_s[STAT_LOOKS - 1];
	for (unsigned i = STAT_LOOKS; i-- > 0;)
		out->spread[i] =
		    spread(y, n, (unsigned)lround(stat_look_s[i] / STAT_VALUE_S), mean);
	for (unsigned i = 0; i < STAT_LOOKS; i++)
		if (2 * out->spread[i] <= precision) {
			out->shortest_s = stat_look_s[i];
			break;
		}
}

/* A head unlike the rest: slower is warm-up; faster is something that is used up, and the
 * re-probe shows whether it comes back. */
static void learn_head(struct stat_pilot *out, struct stat_room *room, unsigned cut,
                       double rest, const struct stat_series *reprobe, double precision)
{
	double head = stat_mean(room->y, cut), head_s = cut * STAT_VALUE_S;
	const double *x;
	unsigned nx, n = values(reprobe, room->work, &x, &nx);

	if (head <= rest) {
		out->warm_up_s = head_s;
		return;
	}
	out->fast_s = head_s;
	out->spent =
	    n && fabs(stat_mean(x, nx) - rest) < fmax(0.25 * (head - rest), precision * rest);
	out->refills = !out->spent;
}

void stat_pilot(struct stat_pilot *out, const struct stat_series *pilot,
                const struct stat_series *reprobe, struct stat_room *room)
{
	double *y = room->y, rest, median, precision = pilot->precision;
	struct stat_stalls stalls;
	struct stat_interval in;
	const double *x;
	unsigned nx, n = values(pilot, y, &x, &nx), cut, left, third, skip;

	*out = (struct stat_pilot){ 0 };
	if (n < 2 * STAT_VALUES || stat_mean(y, n) <= 0)
		return;
	out->known = true;
	cut = stat_warm_up(y, n, n / 2 - 1, precision);
	left = n - cut;
	rest = stat_mean(y + cut, left);
	out->level = rest / pilot->slot_s;
	if (cut)
		learn_head(out, room, cut, rest, reprobe, precision);
	third = left / 3;
	out->unsteady = fabs(stat_mean(y + cut, third) - stat_mean(y + n - third, third)) >
	                3 * precision * rest;
	learn_spread(out, y + cut, left, rest, precision);
	skip = cut * (nx / n);
	median = stat_median(x + skip, nx - skip, room->work);
	stat_stalls(&stalls, x + skip, nx - skip, median);
	out->stalls = stalls.events;
	out->stall_lost = stalls.lost;
	stat_batch_means(&in, y + cut, left, STAT_CONFIDENCE);
	out->half_width = in.half_width / in.mean;
	out->rest_s = left * STAT_VALUE_S;
}

double stat_pilot_expects(const struct stat_pilot *p, double seconds)
{
	return p && p->known ? p->half_width * sqrt(p->rest_s / seconds) : 0;
}

double stat_pilot_floor(const struct stat_pilot *p, double seconds)
{
	double floor = 0;

	if (!p || !p->known)
		return 0;
	floor = 2 * p->spread[0];
	for (unsigned i = 1; i < STAT_LOOKS && stat_look_s[i] <= seconds + 1e-9; i++)
		floor = 2 * p->spread[i];
	return floor;
}
