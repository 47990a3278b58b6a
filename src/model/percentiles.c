#include "model/percentiles.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define DECIMALS 6
#define DIGITS   "0123456789"

/* clang-format off */
#define AT(hundredths) ((hundredths) * (PERCENTILE_UNIT / 100))
const struct percentiles percentiles_usual = {
	.n = 17,
	.at = { AT(100), AT(500), AT(1000), AT(2000), AT(3000), AT(4000), AT(5000), AT(6000), AT(7000),
	        AT(8000), AT(9000), AT(9500), AT(9900), AT(9950), AT(9990), AT(9995), AT(9999) },
};
/* clang-format on */

/* At most three digits. */
static uint32_t whole(const char *text, size_t n)
{
	uint32_t v = 0;

	for (size_t i = 0; i < n; i++)
		v = 10 * v + (uint32_t)(text[i] - '0');
	return v;
}

int percentile_parse(const char *text, uint32_t *p)
{
	size_t n = strspn(text, DIGITS), decimals = 0;
	const char *after = text + n;
	uint32_t part = 0, v;

	if (*after == '.') {
		decimals = strspn(++after, DIGITS);
		n += decimals;
	}
	if (!n || after[decimals])
		return -EINVAL;
	while (decimals && after[decimals - 1] == '0')
		decimals--;
	text += strspn(text, "0");
	n = strspn(text, DIGITS);
	if (n > 3 || decimals > DECIMALS)
		return -ERANGE;
	for (size_t i = 0; i < DECIMALS; i++)
		part = 10 * part + (i < decimals ? (uint32_t)(after[i] - '0') : 0);
	v = whole(text, n) * PERCENTILE_UNIT + part;
	if (!v || v > 100 * PERCENTILE_UNIT)
		return -ERANGE;
	*p = v;
	return 0;
}

char *percentile_print(char *buf, size_t size, uint32_t p, unsigned decimals)
{
	unsigned left = DECIMALS;
	uint32_t part = p % PERCENTILE_UNIT;

	while (left > decimals && part % 10 == 0) {
		part /= 10;
		left--;
	}
	if (left)
		(void)snprintf(buf, size, "%" PRIu32 ".%0*" PRIu32, p / PERCENTILE_UNIT,
		               (int)left, part);
	else
		(void)snprintf(buf, size, "%" PRIu32, p / PERCENTILE_UNIT);
	return buf;
}

int percentiles_add(struct percentiles *list, uint32_t p)
{
	size_t i = 0;

	while (i < list->n && list->at[i] < p)
		i++;
	if (i < list->n && list->at[i] == p)
		return 1;
	if (list->n == PERCENTILES_MAX)
		return -E2BIG;
	memmove(list->at + i + 1, list->at + i, (list->n - i) * sizeof(*list->at));
	list->at[i] = p;
	list->n++;
	return 0;
}

bool percentile_too_few(uint64_t n, uint32_t p)
{
	const uint64_t all = 100 * (uint64_t)PERCENTILE_UNIT;

	if (p == all / 2 || p == all)
		return n < 1;
	return n < all && n * (all - p) < all;
}

double percentile_ns(const struct hist *h, uint32_t p)
{
	return p == 100 * PERCENTILE_UNIT ? (double)h->max
	                                  : hist_percentile(h, (double)p / PERCENTILE_UNIT);
}
