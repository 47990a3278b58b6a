#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "config/loader.h"

#define PRECISION_MAX 0.5

static void refuse(struct loader *l, const struct setting *s, const char *key, const char *text)
{
	problem(l, key, "'%.80s': not a valid value; allowed: %s", text, s->value);
}

/* A number is a time: what is neither on nor off is an interval of its own, in sweeps of any
 * length. */
void set_sentinels(struct loader *l, const struct setting *s, const char *key, const json_t *v)
{
	char buf[64];
	const char *text = plain_value(l, s, key, v, buf);
	uint64_t ns = 0;

	if (!text)
		return;
	l->sweep->sentinel_long = !strcmp(text, "true");
	l->sweep->sentinel_ns = SENTINEL_NS;
	if (l->sweep->sentinel_long)
		return;
	if (strcmp(text, "false") != 0 && (parse_time(text, &ns) || ns > MAX_TIME_NS))
		refuse(l, s, key, text);
	l->sweep->sentinel_ns = ns;
}

void set_precision(struct loader *l, const struct setting *s, const char *key, const json_t *v)
{
	char buf[64], *end;
	const char *text = plain_value(l, s, key, v, buf);
	double value;

	if (!text)
		return;
	value = strtod(text, &end) / 100;
	if (strcmp(end, "%") != 0 || strspn(text, "0123456789.") != strlen(text) - 1 ||
	    !(value >= 0 && value <= PRECISION_MAX))
		refuse(l, s, key, text);
	else
		l->sweep->precision = value;
}

void check_confidence(struct loader *l)
{
	if (l->sweep->precision > 0 && l->benchmark == BENCHMARK_SIZE)
		problem(l, "precision",
		        "runs that are bound by size do not end early: give runtime");
	if (l->sweep->pilot && !(l->sweep->precision > 0))
		problem(l, "pilot",
		        "a pilot teaches when runs may end early: give precision, "
		        "for example \"2%%\"");
}
