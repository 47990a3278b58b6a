/* cmd/compare_load.h: the runs of two stored sweeps, or of two halves of one, joined cell by
 * cell. */
#ifndef CMD_COMPARE_LOAD_H
#define CMD_COMPARE_LOAD_H

#include <stdint.h>

#include "base/err.h"
#include "base/text.h"
#include "cmd/compare_find.h"
#include "sink/store.h"

struct compare_query {
	struct store
	    *store[COMPARE_SIDES]; /* the same one twice: then select[] tells the sides apart */
	const struct strlist *select[COMPARE_SIDES]; /* "ioengine=libaio": rows of this side */
	const struct strlist *ignore;                /* axes that may differ */
	const char *where, *metric;                  /* NULL: all; run_bw_mib_s */
};

struct compare_axis { /* one that cells are joined on */
	char *name;
	struct strlist value; /* the distinct ones, in ascending order where ordered */
	bool ordered;         /* numbers */
};

struct compare_kinds { /* of latency, in the rows of one side that are compared */
	size_t rows, completion; /* the latter without the submission, as fio gives it */
};

struct compare_data {
	char metric[64];
	const char *unit;
	bool lower;   /* is better */
	bool each_op; /* a metric of each op: so are the cells */
	bool percentile; /* of a latency, ... */
	struct compare_kinds kinds[COMPARE_SIDES]; /* ... of these; else 0 */
	struct compare_axis *axis;
	size_t axes;
	uint32_t *value; /* cells x axes: index into the axis' values */
	size_t cells, classes;
	struct compare_point *point;
	size_t points;
	struct strlist note;    /* what was ignored, and why, in sentences */
	struct strlist differs; /* of the environments */
	size_t doubted;         /* runs left out */
};

/* Are the percentiles of both sides of one kind of latency? True for other metrics. */
bool compare_alike(const struct compare_data *d);

/* 0, -EINVAL when the question makes no sense, or what the stores say. */
int compare_load(struct compare_data *d, const struct compare_query *q, struct err *e);
void compare_data_fini(struct compare_data *d);

#endif
