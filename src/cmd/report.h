/* cmd/report.h: the parts of the page that `iosweep report` makes. Each appends its HTML to a
 * text. */
#ifndef CMD_REPORT_H
#define CMD_REPORT_H

#include "base/err.h"
#include "base/text.h"
#include "cmd/best_load.h"
#include "cmd/compare_words.h"
#include "cmd/show_standing.h"
#include "model/column.h"
#include "model/flag.h"
#include "sink/store.h"

#define REPORT_SIDES  2
#define REPORT_PLAIN  50        /* rows that can be read without script */
#define REPORT_FEW    64        /* distinct values of a column that are written once each */
#define REPORT_RUNS   3000      /* whose inside is in the page, at most ... */
#define REPORT_INSIDE (4 << 20) /* ... and bytes of it */
#define REPORT_SETS   8         /* of charts */

#define REPORT_MARK "<meta name=\"generator\" content=\"iosweep " /* of our pages */

struct report_column {
	char name[64];
	const char *unit, *help;      /* "": none */
	bool text, size, axis, shown; /* size: in bytes */
	struct strlist few;           /* the distinct values as JSON ... */
	uint8_t *index;               /* ... and which of them each row has, */
	size_t rows, last;
	bool many;            /* or when there are more: */
	struct text value;    /* all, with commas between */
	struct strlist plain; /* of the first rows, for people */
};

struct report_flag {
	size_t runs;
	int64_t first[3]; /* of them */
};

struct report_counts { /* of one side */
	size_t runs, doubted;
	int64_t last; /* run that was counted */
	struct report_flag flag[FLAG_COUNT];
};

struct report_side {
	const char *name; /* "A", "B"; "" when there is one */
	const char *path; /* of the database */
	struct store *store;
	struct show_standing standing;
	struct report_counts counts;
	struct best_data best;
};

struct report {
	struct report_side side[REPORT_SIDES];
	size_t sides;
	const char *where;    /* NULL: all */
	struct column *known; /* all that there can be */
	size_t knowns;
	struct report_column *column;
	size_t columns, rows;
	struct compare_data difference; /* of two sides ... */
	struct comparison found;
	struct compared compared;
};

/* All rows that match, into the columns; and what is counted and ranked of them. -EINVAL:
 * `where` is no condition. */
int report_load(struct report *r, struct err *e);
void report_fini(struct report *r);
const struct report_column *report_column(const struct report *r, const char *name);
bool report_varies(const struct report_column *c); /* has it several values? */

/* The page before its sections, and behind them. */
void report_head(struct text *t, const struct report *r);
void report_foot(struct text *t);

int report_asked(struct text *t, const struct report *r, struct err *e);
int report_environment(struct text *t, const struct report *r, struct err *e);
int report_doubts(struct text *t, const struct report *r, struct err *e);
void report_compared(struct text *t, const struct report *r);
void report_answers(struct text *t, const struct report *r);
int report_charts(struct text *t, const struct report *r, struct err *e);
void report_table(struct text *t, const struct report *r);
/* What scripts read: all rows, and the inside of the most interesting runs. */
void report_rows_data(struct text *t, const struct report *r);
int report_runs_data(struct text *t, const struct report *r, struct err *e);

/* For people: a heading of one side, when there are two. */
void report_side_title(struct text *t, const struct report *r, const struct report_side *s);

/* Lines as paragraphs, indented as they are; one without indentation as an element TAG. */
void report_words(struct text *t, const char *words, const char *tag);

#endif
