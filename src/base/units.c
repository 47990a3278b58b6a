#include "base/units.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"

int parse_u64(const char *s, uint64_t *value)
{
	uint64_t v = 0;

	if (!*s)
		return -EINVAL;
	for (; *s; s++) {
		if (!isdigit((unsigned char)*s))
			return -EINVAL;
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(*s - '0'), &v))
			return -ERANGE;
	}
	*value = v;
	return 0;
}

int take_u64(const char **s, int base, uint64_t *value)
{
	unsigned long long v;
	char *end;

	if (!isxdigit((unsigned char)**s)) /* strtoull() passes over blanks and signs */
		return -EINVAL;
	errno = 0;
	v = strtoull(*s, &end, base);
	if (end == *s)
		return -EINVAL;
	if (errno)
		return -errno;
	*s = end;
	*value = v;
	return 0;
}

static int size_shift(const char *suffix)
{
	static const char units[] = "kmgt";
	const char *u;

	if (!*suffix)
		return 0;
	u = strchr(units, tolower((unsigned char)*suffix));
	if (!u)
		return -EINVAL;
	if (suffix[1] && strcasecmp(suffix + 1, "b") != 0 &&
	    strcasecmp(suffix + 1, "ib") != 0 && strcasecmp(suffix + 1, "i") != 0)
		return -EINVAL;
	return 10 * (int)(u - units + 1);
}

int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Digits of the given base; the end of them in *end. */
static int digits(const char *s, unsigned base, uint64_t *value, const char **end)
{
	uint64_t v = 0;
	const char *start = s;

	for (;; s++) {
		int d = hex_digit(*s);

		if (d < 0 || (unsigned)d >= base)
			break;
		if (__builtin_mul_overflow(v, base, &v) ||
		    __builtin_add_overflow(v, (uint64_t)d, &v))
			return -ERANGE;
	}
	if (s == start)
		return -EINVAL;
	*value = v;
	*end = s;
	return 0;
}

int parse_size(const char *s, uint64_t *bytes)
{
	bool hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
	const char *end;
	uint64_t v;
	int shift, r;

	r = digits(hex ? s + 2 : s, hex ? 16 : 10, &v, &end);
	if (r)
		return r;
	shift = size_shift(end);
	if (shift < 0)
		return shift;
	if (v > (uint64_t)INT64_MAX >> shift)
		return -ERANGE;
	*bytes = v << shift;
	return 0;
}

static int time_unit(const char *suffix, uint64_t *ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} unit[] = {
		{ "", SEC },       { "s", SEC },        { "ms", MSEC },       { "us", USEC },
		{ "m", 60 * SEC }, { "h", 3600 * SEC }, { "d", 86400 * SEC },
	};

	for (size_t i = 0; i < ARRAY_SIZE(unit); i++)
		if (!strcasecmp(suffix, unit[i].name)) {
			*ns = unit[i].ns;
			return 0;
		}
	return -EINVAL;
}

int parse_time(const char *s, uint64_t *ns)
{
	const uint64_t limit = 1000000000ULL * SEC;
	uint64_t whole, unit, frac = 0, scale = 1;
	const char *end;
	int r = digits(s, 10, &whole, &end);

	if (r)
		return r;
	if (*end == '.') {
		const char *p = end + 1;

		for (; isdigit((unsigned char)*p); p++)
			if (scale <
			    1000000000ULL) { /* below a ns of the largest unit nothing counts */
				frac = frac * 10 + (uint64_t)(*p - '0');
				scale *= 10;
			}
		if (p == end + 1)
			return -EINVAL;
		end = p;
	}
	r = time_unit(end, &unit);
	if (r)
		return r;
	if (whole > limit / unit)
		return -ERANGE;
	*ns = whole * unit + (uint64_t)((unsigned __int128)frac * unit / scale);
	return 0;
}

char *print_size(char *buf, size_t size, uint64_t bytes)
{
	static const char units[] = "tgmk";

	for (int i = 0; i < 4; i++) {
		int shift = 40 - 10 * i;

		if (bytes && !(bytes & ((1ULL << shift) - 1))) {
			(void)snprintf(buf, size, "%" PRIu64 "%c", bytes >> shift, units[i]);
			return buf;
		}
	}
	(void)snprintf(buf, size, "%" PRIu64, bytes);
	return buf;
}

char *print_seconds(char *buf, size_t size, uint64_t ns)
{
	size_t n;

	(void)snprintf(buf, size, "%" PRIu64 ".%09" PRIu64, ns / SEC, ns % SEC);
	n = strlen(buf);
	while (n && buf[n - 1] == '0')
		n--;
	if (n && buf[n - 1] == '.')
		n--;
	buf[n] = '\0';
	return buf;
}

char *print_duration(char *buf, size_t size, uint64_t ns)
{
	/* each unit is chosen after rounding: never "1000 ms" or "10.0 s" */
	uint64_t s = (ns + SEC / 2) / SEC, ms = (ns + MSEC / 2) / MSEC,
		 tenths = (ns + SEC / 20) / (SEC / 10);

	if (ms < 1000)
		(void)snprintf(buf, size, "%" PRIu64 " ms", ms);
	else if (tenths < 100)
		(void)snprintf(buf, size, "%" PRIu64 ".%" PRIu64 " s", tenths / 10,
		               tenths % 10);
	else if (s < 60)
		(void)snprintf(buf, size, "%" PRIu64 " s", s);
	else if (s < 3600)
		(void)snprintf(buf, size, "%" PRIu64 " min %02" PRIu64 " s", s / 60, s % 60);
	else if (s < UINT64_C(48) * 3600)
		(void)snprintf(buf, size, "%" PRIu64 " h %02" PRIu64 " min", s / 3600,
		               s % 3600 / 60);
	else
		(void)snprintf(buf, size, "%" PRIu64 " d %02" PRIu64 " h", s / 86400,
		               s % 86400 / 3600);
	return buf;
}

char *print_bytes(char *buf, size_t size, uint64_t bytes)
{
	static const char *const unit[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	double v = (double)bytes;
	unsigned u = 0;

	while (v >= 1023.5 && u + 1 < ARRAY_SIZE(unit)) {
		v /= 1024;
		u++;
	}
	(void)snprintf(buf, size, v < 10 && v != (double)(uint64_t)v ? "%.1f %s" : "%.0f %s", v,
	               unit[u]);
	return buf;
}
