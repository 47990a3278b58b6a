#include "cmd/json_value.h"

#include <errno.h>
#include <math.h>

#include "base/cleanup.h"
#include "base/text.h"

json_t *json_value_real(double v)
{
	if (!isfinite(v))
		return json_null();
	return fabs(v) < 9e15 && v == (double)(json_int_t)v ? json_integer((json_int_t)v)
	                                                    : json_real(v);
}

json_t *json_value_count(uint64_t v)
{
	return v <= INT64_MAX ? json_integer((json_int_t)v) : json_real((double)v);
}

json_t *json_value_text(const char *s)
{
	AUTO(text_fini) struct text clean = { 0 };

	text_add_utf8(&clean, s);
	return json_string(text_get(&clean));
}

int json_value_write(FILE *out, const json_t *doc)
{
	if (json_dumpf(doc, out, JSON_COMPACT | JSON_REAL_PRECISION(12)) ||
	    fputc('\n', out) == EOF)
		return errno ? -errno : -EIO;
	return 0;
}
