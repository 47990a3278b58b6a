/* cmd/summary.h: what a finished sweep says at the end, in words, from its results. */
#ifndef CMD_SUMMARY_H
#define CMD_SUMMARY_H

#include "base/err.h"
#include "sink/store.h"

/* To stdout: counts by status (skipped by reason, doubted), where the files are, and the sweet
 * spots; a sweep of up to 8 runs prints each run instead. */
int summary_print(struct store *s, const char *db_path, const char *csv_path, struct err *e);

/* One run as fio's users read it, for `show DB ID` and small sweeps. */
int show_run(struct store *s, int64_t run_id, struct err *e);

#endif
