/* cmd/best_load.h: the runs of a stored sweep as points, for best_find(). */
#ifndef CMD_BEST_LOAD_H
#define CMD_BEST_LOAD_H

#include "base/err.h"
#include "base/text.h"
#include "cmd/best_find.h"
#include "sink/store.h"

/* What is asked of the rows. All borrowed; NULL or empty: the default. */
struct best_query {
	const char *by;              /* "filename,rw,...": what makes a group */
	const char *metric;          /* what is ranked: run_bw_mib_s */
	const char *where;           /* SQL over the columns of `results` */
	const struct strlist *limit; /* "lat_p99_us<=2000" */
	double within;               /* 0: BEST_WITHIN */
};

struct best_title {         /* of one group */
	char **value;       /* of each group column, as stored; "" is NULL */
	const char *unreal; /* the engine where it does no real I/O, else "" */
	bool simulated;     /* ... but that of a simulated device */
};

struct best_data {
	struct strlist column; /* of a group */
	bool *varies;          /* has this column more than one value in the sweep? */
	struct best_title *title;
	size_t *by_title; /* groups in the order of their titles */
	size_t groups;
	struct best_point *point;
	size_t points;
	struct best_ask ask;
	char metric[64];
	const char *unit;     /* of the metric */
	struct strlist limit; /* as asked, without blanks */
	struct strlist word;  /* each text that points borrow, once */
};

/* 0, or -EINVAL when the question makes no sense (unknown column, metric or limit; bad SQL), or
 * what the store says. */
int best_load(struct best_data *d, struct store *s, const struct best_query *q, struct err *e);
void best_data_fini(struct best_data *d);

/* The value of a group column by name; NULL when it is none. */
const char *best_title_value(const struct best_data *d, size_t group, const char *column);

#endif
