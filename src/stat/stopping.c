#include "stat/stopping.h"

#include <math.h>

#include "stat/batch.h"

#define VETO                                                                                   \
	(VERDICT_WARMING | VERDICT_DRIFT | VERDICT_BIMODAL | VERDICT_UNSETTLED |               \
	 VERDICT_EXCURSION | VERDICT_FAST_START | VERDICT_PILOT_REFILLS)
#define STALLS_MIN 5 /* fewer say nothing about how often they come */

/* The next length in steps of 4 / 3; the last one is the cap. */
static double next_look(double after_s, double cap_s)
{
	double look = after_s;

	for (unsigned i = 0; i < STAT_LOOKS && look <= after_s; i++)
		look = stat_look_s[i];
	if (look <= after_s)
		look = ceil(after_s * 4 / 3);
	return fmin(look, cap_s);
}

void stat_stopping_init(struct stat_stopping *s, const struct stat_pilot *pilot,
                        double precision, double total_s)
{
	double warm_up = pilot && pilot->known ? pilot->warm_up_s : 0;

	*s = (struct stat_stopping){ .pilot = pilot && pilot->known ? pilot : NULL,
		                     .precision = precision };
	s->discard_s = fmin(STAT_DISCARD_S + warm_up, STAT_DISCARD_MAX_S);
	s->discard_s = fmin(s->discard_s, total_s / 2);
	s->cap_s = total_s - s->discard_s;
	s->look_s = next_look(0, s->cap_s);
	while (s->pilot && s->look_s < s->cap_s && s->look_s < s->pilot->shortest_s)
		s->look_s = next_look(s->look_s, s->cap_s);
}

/* Does the pilot say that even the longest run would hardly be precise? Its own half width is
 * uncertain by about a fifth. */
static bool hopeless(const struct stat_stopping *s)
{
	return s->precision < 1.25 * stat_pilot_expects(s->pilot, s->cap_s) ||
	       s->precision < stat_pilot_floor(s->pilot, s->cap_s);
}

static void apply_pilot(const struct stat_stopping *s, struct verdict *v)
{
	double floor = stat_pilot_floor(s->pilot, s->look_s);

	if (!s->pilot) {
		v->seen |= VERDICT_NO_PILOT;
		return;
	}
	if (v->half_width < floor)
		v->half_width = floor;
	if (v->half_width > s->precision)
		v->seen |= VERDICT_WIDE;
	if (s->pilot->stall_lost > s->precision / 2)
		v->seen |= VERDICT_PILOT_STALLS;
	if (s->pilot->unsteady || hopeless(s))
		v->seen |= VERDICT_PILOT_UNSTEADY;
	if (s->pilot->refills)
		v->seen |= VERDICT_PILOT_REFILLS;
}

static bool precise(const struct stat_stopping *s, const struct verdict *v)
{
	return v->judged && v->half_width <= s->precision / (1 + s->precision) &&
	       v->values >= STAT_VALUES &&
	       !(fabs(v->drift) > s->precision && fabs(v->drift_t) > 2) && !(v->seen & VETO) &&
	       (!v->stalls || v->stalls >= STALLS_MIN);
}

enum stat_stop stat_look(struct stat_stopping *s, struct verdict *v)
{
	bool ok;

	apply_pilot(s, v);
	ok = precise(s, v);
	if (ok && (s->pilot || s->passed))
		return STAT_STOP_PRECISION;
	if (s->look_s >= s->cap_s)
		return v->seen & (VETO | VERDICT_STALLS | VERDICT_PILOT_UNSTEADY)
		           ? STAT_STOP_CAP_UNSTEADY
		           : STAT_STOP_CAP;
	s->passed = ok;
	s->look_s = next_look(s->look_s, s->cap_s);
	return STAT_GO_ON;
}
