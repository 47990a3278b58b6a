#include "fio/json_member.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/text.h"

void member_set(json_t *o, const char *key, json_t *v)
{
	(void)json_object_set_new(o, key, v);
}

void member_count(json_t *o, const char *key, int64_t v)
{
	member_set(o, key, json_integer(v));
}

void member_real(json_t *o, const char *key, double v)
{
	member_set(o, key, json_real(isfinite(v) ? v : 0));
}

void member_text(json_t *o, const char *key, const char *s)
{
	AUTO(text_fini) struct text clean = { 0 };

	text_add_utf8(&clean, s);
	member_set(o, key, json_string(text_get(&clean)));
}
