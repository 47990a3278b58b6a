/* cmd/export_query.h: the rows that an export is of, as SQL. */
#ifndef CMD_EXPORT_QUERY_H
#define CMD_EXPORT_QUERY_H

#include <stdbool.h>

#include "base/err.h"
#include "base/text.h"
#include "sink/store.h"

enum export_shape {
	EXPORT_ROWS,       /* one per run and op: the view `results` */
	EXPORT_WIDE,       /* one per run, a column of each op's metrics for each op */
	EXPORT_PIVOT,      /* a matrix of one value over two columns */
	EXPORT_INTERVALS,  /* one per run, op and second */
	EXPORT_HISTOGRAMS, /* one per run, op and bucket in use */
	EXPORT_DOCUMENTS,  /* one JSON per run: cmd/export_documents.h */
	EXPORT_JOBS,       /* one per combination, with all of its axes: fio/job_stored.h */
};

struct export_query {
	enum export_shape shape;
	const char *where; /* over the columns of `results`; NULL: all */
	const char *pivot; /* "bs,iodepth,bw_mib_s" */
	bool attempts;     /* EXPORT_INTERVALS, EXPORT_HISTOGRAMS, EXPORT_JOBS: of older attempts, too */
};

/* *left_out: with EXPORT_PIVOT, runs in doubt that would match. 0, -EINVAL when the question
 * makes no sense, or what the store says. */
int export_sql(struct text *sql, struct store *s, const struct export_query *q,
               size_t *left_out, struct err *e);

#endif
