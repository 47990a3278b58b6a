#include "fio/job_units.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"

static const char letters[] = "kmgtp";

/* The power of `suffix` (n letters) and whether it is one of the IEC names; 0: no size. */
static unsigned power(const char *suffix, size_t n, bool *iec)
{
	const char *u = n ? strchr(letters, tolower((unsigned char)*suffix)) : NULL;

	*iec = n == 3 && !strncasecmp(suffix + 1, "ib", 2);
	if (!u || !(n == 1 || *iec || (n == 2 && tolower((unsigned char)suffix[1]) == 'b')))
		return 0;
	return (unsigned)(u - letters) + 1;
}

static bool multiply(uint64_t *v, uint64_t base, unsigned times)
{
	while (times--)
		if (__builtin_mul_overflow(*v, base, v))
			return false;
	return *v <= INT64_MAX;
}

/* A number at p, n digits long, with its suffix: 1 when it was rewritten, 0 when copied. */
static int one(const char *p, size_t digits, size_t suffix, unsigned kb_base, struct text *out)
{
	bool iec;
	unsigned times = power(p + digits, suffix, &iec);
	unsigned base = iec == (kb_base == 1024) ? 1000 : 1024;
	uint64_t v = 0;

	if (!times || (base == 1024 && times < 5)) { /* iosweep has no p */
		text_addn(out, p, digits + suffix);
		return 0;
	}
	for (size_t i = 0; i < digits; i++)
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(p[i] - '0'), &v))
			return -ERANGE;
	if (!multiply(&v, base, times))
		return -ERANGE;
	text_addf(out, "%" PRIu64, v);
	return 1;
}

int fio_sizes(const char *value, unsigned kb_base, struct text *out)
{
	int changed = 0, r;

	for (const char *p = value; *p;) {
		size_t digits = strspn(p, "0123456789"), suffix = 0;

		while (isalpha((unsigned char)p[digits + suffix]))
			suffix++;
		if (digits) {
			r = one(p, digits, suffix, kb_base, out);
			if (r < 0)
				return r;
			changed += r;
		} else {
			suffix += !suffix;
			text_addn(out, p, suffix);
		}
		p += digits + suffix;
	}
	return changed;
}

void fio_time(const char *value, struct text *out)
{
	size_t digits = strspn(value, "0123456789"), n = strlen(value);
	const char *suffix = value + digits;

	if (!strcasecmp(suffix, "msec") || !strcasecmp(suffix, "usec"))
		n -= 2;
	text_addn(out, value, n);
}

bool fio_cut_short(const char *value)
{
	size_t digits = strspn(value, "0123456789");

	return digits && value[digits] == '.';
}
