#include "fio/job_units.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/units.h"

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

/* A number in a value: digits, and the letters and digits that follow them. */
struct number {
	const char *at;
	size_t digits, suffix; /* `digits` with the 0x */
	bool hex;
};

static struct number number_at(const char *p)
{
	static const char hex[] = "0123456789abcdefABCDEF";
	struct number n = { .at = p, .digits = strspn(p, "0123456789") };

	n.hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && hex_digit(p[2]) >= 0;
	if (n.hex)
		n.digits = 2 + strspn(p + 2, hex);
	while (isalnum((unsigned char)p[n.digits + n.suffix]))
		n.suffix++;
	return n;
}

/* What it is in fio, where a hexadecimal number takes no suffix: "0x10k" is 16. False: it is a
 * number followed by something else. */
static bool in_fio(const struct number *n, unsigned kb_base, uint64_t *v, int *error)
{
	const char *p = n->hex ? n->at + 2 : n->at;
	bool iec = false;
	unsigned times = n->hex ? 0 : power(p + n->digits, n->suffix, &iec);

	if (n->suffix && !n->hex && !times)
		return false;
	*error = take_u64(&p, n->hex ? 16 : 10, v);
	if (!*error && !multiply(v, iec == (kb_base == 1024) ? 1000 : 1024, times))
		*error = -ERANGE;
	return true;
}

/* Does iosweep read the same there? */
static bool read_alike(const struct number *n, unsigned kb_base)
{
	bool iec;
	unsigned times = power(n->at + n->digits, n->suffix, &iec);

	if (n->hex || !times)
		return !n->suffix;
	return iec != (kb_base == 1024) && times < 5; /* iosweep has no p */
}

/* 1 when it was rewritten, 0 when copied. */
static int rewrite(const struct number *n, unsigned kb_base, bool plain, struct text *out)
{
	bool as_is = plain ? !n->hex && !n->suffix : read_alike(n, kb_base);
	uint64_t v;
	int error;

	if (as_is || !in_fio(n, kb_base, &v, &error)) {
		text_addn(out, n->at, n->digits + n->suffix);
		return 0;
	}
	if (error)
		return error;
	text_addf(out, "%" PRIu64, v);
	return 1;
}

/* All numbers of a value; `plain`: iosweep takes neither a suffix nor hexadecimal digits. */
static int numbers(const char *value, unsigned kb_base, bool plain, struct text *out)
{
	int changed = 0, r;

	for (const char *p = value; *p;) {
		struct number n = number_at(p);
		size_t word = 0;

		if (n.digits) {
			r = rewrite(&n, kb_base, plain, out);
			if (r < 0)
				return r;
			changed += r;
			word = n.digits + n.suffix;
		} else {
			while (isalpha((unsigned char)p[word]))
				word++;
			word += !word;
			text_addn(out, p, word);
		}
		p += word;
	}
	return changed;
}

static int time_in(const char *value, struct text *out)
{
	struct number number = number_at(value);
	const char *suffix = value + number.digits;
	size_t n = strlen(value);
	uint64_t us;
	int error;

	if (number.hex && number.digits + number.suffix == n &&
	    in_fio(&number, 1024, &us, &error) && !error) {
		text_addf(out, "%" PRIu64 "us", us); /* whatever unit is behind it */
		return 1;
	}
	if (!strcasecmp(suffix, "msec") || !strcasecmp(suffix, "usec"))
		n -= 2;
	text_addn(out, value, n);
	return 0;
}

static bool has_sizes(const struct axis *a)
{
	return a->kind == AXIS_SIZE || a->kind == AXIS_SIZE_OR_PERCENT || a == &axes[AXIS_rw] ||
	       (a->kind == AXIS_TEXT && !strncmp(a->name, "bs", 2));
}

bool fio_has_numbers(const struct axis *a)
{
	return a->kind == AXIS_INT || a->kind == AXIS_PERCENT || a->kind == AXIS_TIME ||
	       has_sizes(a);
}

int fio_numbers(const struct axis *a, const char *value, unsigned kb_base, struct text *out)
{
	if (a->kind == AXIS_INT || a->kind == AXIS_PERCENT)
		return numbers(value, kb_base, true, out);
	if (has_sizes(a))
		return numbers(value, kb_base, false, out);
	if (a->kind == AXIS_TIME)
		return time_in(value, out);
	text_add(out, value);
	return 0;
}

bool fio_cut_short(const char *value)
{
	size_t digits = strspn(value, "0123456789");

	return digits && value[digits] == '.';
}
