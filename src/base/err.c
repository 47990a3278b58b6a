#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int err_set(struct err *e, int code, const char *fmt, ...)
{
	va_list ap;

	if (!e || e->code)
		return code;
	e->code = code;
	va_start(ap, fmt);
	(void)vsnprintf(e->text, sizeof(e->text), fmt, ap);
	va_end(ap);
	return code;
}

int err_wrap(struct err *e, const char *fmt, ...)
{
	char what[sizeof(e->text)];
	char old[sizeof(e->text)];
	va_list ap;

	if (!e)
		return 0;
	va_start(ap, fmt);
	(void)vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	memcpy(old, e->text, sizeof(old));
	/* A long sentence keeps its beginning: the place is worth more than the tail. */
	(void)snprintf(e->text, sizeof(e->text), "%.500s: %.500s", what, old);
	return e->code;
}

const char *err_name(int errnum)
{
	const char *s = strerrordesc_np(errnum);

	return s ? s : "unknown error";
}
