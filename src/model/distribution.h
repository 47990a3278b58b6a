/* model/distribution.h: fio's random_distribution: how often each block of a region is touched. */
#ifndef MODEL_DISTRIBUTION_H
#define MODEL_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum distribution_kind { DISTRIBUTION_RANDOM, DISTRIBUTION_ZIPF, DISTRIBUTION_PARETO, DISTRIBUTION_NORMAL };

struct distribution {
	enum distribution_kind kind;
	double value; /* zipf: theta; pareto: the share h of the blocks that has 1 - h of the
	                 I/Os; normal: the standard deviation in % of the region */
};

/* "random", "zipf:1.2", "pareto:0.2", "normal:10". -EINVAL or -ERANGE, with what is allowed in e. */
int distribution_parse(const char *text, struct distribution *out, struct err *e);
/* The same in one way, with the value when it was left out. */
int distribution_canonical(const char *text, char *buf, size_t size, struct err *e);

#endif
