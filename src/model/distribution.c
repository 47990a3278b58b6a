#include "model/distribution.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define ALLOWED                                                                                \
	"allowed: random, zipf or zipf:THETA (above 0, up to 10; 1.1), pareto or pareto:H "   \
	"(between 0 and 1; 0.2), normal:PERCENT (above 0, up to 100)"

/* clang-format off */
static const struct shape {
	const char *name;
	double preset;     /* 0: it must be given */
	double most;
	bool plain, open;  /* it takes no value; `most` itself is not allowed */
} shapes[] = {
	[DISTRIBUTION_RANDOM] = { "random", 0,   0,   true,  false },
	[DISTRIBUTION_ZIPF] =   { "zipf",   1.1, 10,  false, false },
	[DISTRIBUTION_PARETO] = { "pareto", 0.2, 1,   false, true },
	[DISTRIBUTION_NORMAL] = { "normal", 0,   100, false, false },
};
/* clang-format on */

/* Digits and one point: no sign, no exponent, no hexadecimal. */
static bool parse_value(const char *text, double *out)
{
	char *end;

	if (!*text || text[strspn(text, "0123456789.")])
		return false;
	*out = strtod(text, &end);
	*out = round(*out * 1e6) / 1e6;
	return !*end;
}

static bool parse(const char *text, struct distribution *out)
{
	size_t n = strcspn(text, ":");

	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++) {
		const struct shape *s = &shapes[i];

		if (strlen(s->name) != n || strncmp(s->name, text, n) != 0)
			continue;
		*out = (struct distribution){ (enum distribution_kind)i, s->preset };
		if (s->plain || !text[n])
			return !text[n] && (s->plain || s->preset > 0);
		return parse_value(text + n + 1, &out->value) && out->value > 0 &&
		       (s->open ? out->value < s->most : out->value <= s->most);
	}
	return false;
}

int distribution_parse(const char *text, struct distribution *out, struct err *e)
{
	if (parse(text, out))
		return 0;
	return err_set(e, -EINVAL, "'%.80s': not a distribution; " ALLOWED, text);
}

int distribution_canonical(const char *text, char *buf, size_t size, struct err *e)
{
	struct distribution d;
	int r = distribution_parse(text, &d, e);

	if (r)
		return r;
	if (shapes[d.kind].plain)
		(void)snprintf(buf, size, "%s", shapes[d.kind].name);
	else
		(void)snprintf(buf, size, "%s:%.8g", shapes[d.kind].name, d.value);
	return 0;
}
