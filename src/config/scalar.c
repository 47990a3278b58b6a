#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "config/loader.h"

const char *scalar_text(const json_t *v, bool time, char *buf, size_t size)
{
	switch (json_typeof(v)) {
	case JSON_STRING:
		return json_string_value(v);
	case JSON_INTEGER:
		(void)snprintf(buf, size, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
		return buf;
	case JSON_REAL:
		/* 15 digits print what was written, without the binary tail; a tiny time must
		 * not come as 5e-07 */
		(void)snprintf(buf, size, "%.15g", json_real_value(v));
		if (time && strchr(buf, 'e'))
			(void)snprintf(buf, size, "%.9f", json_real_value(v));
		else if (!strpbrk(buf, ".e"))
			(void)snprintf(buf + strlen(buf), size - strlen(buf), ".0");
		return buf;
	case JSON_TRUE:
		return "true";
	case JSON_FALSE:
		return "false";
	case JSON_NULL:
	case JSON_ARRAY:
	case JSON_OBJECT:
		break;
	}
	return NULL;
}

bool scalar_bool(const json_t *v, bool *out)
{
	char buf[32];
	const char *s = scalar_text(v, false, buf, sizeof(buf));

	if (!s)
		return false;
	*out = !strcmp(s, "1") || !strcmp(s, "true");
	return *out || !strcmp(s, "0") || !strcmp(s, "false");
}

