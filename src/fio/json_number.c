#include "fio/json_number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOO_LARGE 1e18 /* beyond any rate, and 31 years in ns: no number of a run */

static bool real_of(const json_t *v, double *value)
{
	if (!json_is_number(v))
		return false;
	*value = json_number_value(v);
	return true;
}

bool json_number_real(const json_t *o, const char *key, double *value)
{
	return real_of(json_object_get(o, key), value) && *value >= 0 && *value < TOO_LARGE;
}

double json_term(const json_t *o, const char *key)
{
	double v;

	return json_number_real(o, key, &v) ? v : 0;
}

bool json_number_count(const json_t *o, const char *key, uint64_t *value)
{
	const json_t *v = json_object_get(o, key);
	double real;

	if (json_is_integer(v)) {
		*value = (uint64_t)json_integer_value(v);
		return json_integer_value(v) >= 0;
	}
	if (!real_of(v, &real) || !(real >= 0 && real < 9.2e18) || real != floor(real))
		return false;
	*value = (uint64_t)real;
	return true;
}

struct metric_value json_number_integer(uint64_t v)
{
	return (struct metric_value){ .measured = v <= INT64_MAX, .integer = (int64_t)v };
}

struct metric_value json_number_of(double v)
{
	return (struct metric_value){ .measured = isfinite(v), .real = v };
}

struct metric_value json_number_metric(enum metric_kind kind, const json_t *o, const char *key)
{
	uint64_t count;
	double real;

	if (kind == METRIC_INTEGER && json_number_count(o, key, &count))
		return json_number_integer(count);
	if (kind == METRIC_REAL && json_number_real(o, key, &real))
		return json_number_of(real);
	return (struct metric_value){ 0 };
}

double json_number_thousand(double v)
{
	char digits[48];

	(void)snprintf(digits, sizeof(digits), "%.15ge3", v);
	/* "%.15g" may have an exponent of its own */
	return strchr(digits, 'e') == strrchr(digits, 'e') ? strtod(digits, NULL) : v * 1000;
}
