#include "cmd/show_value.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"

/* For a terminal: names and errors come from outside. */
const char *show_text(const struct rows *r, const char *name, char *buf, size_t size)
{
	text_printable(buf, size, rows_named_text(r, name));
	return buf;
}

/* Three or four digits. */
static int decimals(double v)
{
	return v >= 100 ? 0 : v >= 10 ? 1 : 2;
}

/* "983", "12.3k", "1.05M" */
const char *show_count(double v, char *buf, size_t size)
{
	if (v < 10000)
		(void)snprintf(buf, size, "%.*f", v < 10 && v != floor(v) ? 2 : 0, v);
	else if (v < 999.5e3)
		(void)snprintf(buf, size, "%.*fk", decimals(v / 1e3), v / 1e3);
	else
		(void)snprintf(buf, size, "%.*fM", decimals(v / 1e6), v / 1e6);
	return buf;
}

/* "39.1MiB", "41.0MB": units of 1024 or 1000; as fio has it, "3456MiB" is not yet GiB. */
const char *show_amount(double bytes, double unit, char *buf, size_t size)
{
	static const char *const name[2][6] = { { "B", "KiB", "MiB", "GiB", "TiB", "PiB" },
		                                { "B", "kB", "MB", "GB", "TB", "PB" } };
	int n = 0;

	while (bytes >= (n == 2 ? 9999.5 : 999.5) && n < 5) {
		bytes /= unit;
		n++;
	}
	(void)snprintf(buf, size, "%.*f%s", n ? decimals(bytes) : 0, bytes,
	               name[unit < 1024][n]);
	return buf;
}

/* Microseconds: below 10 down to the ns. */
const char *show_us(double v, char *buf, size_t size)
{
	(void)snprintf(buf, size, "%.*f", v < 10 ? 3 : v < 1000 ? 2 : 0, v);
	return buf;
}
