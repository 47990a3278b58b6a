/* model/percentiles.h: which percentiles of a histogram are shown. */
#ifndef MODEL_PERCENTILES_H
#define MODEL_PERCENTILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/hist.h"

/* A percentile is an integer of these parts of a percent: six decimals, as fio prints them. */
#define PERCENTILE_UNIT UINT32_C(1000000)
#define PERCENTILES_MAX 20 /* of a list, as in fio */

struct percentiles {
	size_t n;
	uint32_t at[PERCENTILES_MAX]; /* in 1 / PERCENTILE_UNIT of a percent, rising */
};

/* fio's list, where none is chosen. */
extern const struct percentiles percentiles_usual;

/* "99.9": a decimal number of at most six decimals, more than 0 and at most 100. 0, -EINVAL, or
 * -ERANGE. */
int percentile_parse(const char *text, uint32_t *p);
/* The shortest text of it with at least so many decimals. */
char *percentile_print(char *buf, size_t size, uint32_t p, unsigned decimals);
/* Put it in its place: 0, 1 when it was there already, -E2BIG. */
int percentiles_add(struct percentiles *list, uint32_t p);

/* Are n samples too few for percentile p: n(1-p) < 1? The median and the largest need one. */
bool percentile_too_few(uint64_t n, uint32_t p);
/* In ns, of h->n > 0; 100 is the largest itself. */
double percentile_ns(const struct hist *h, uint32_t p);

#endif
