/* cmd/results_dir.h: is the place of the results one that only we can change? */
#ifndef CMD_RESULTS_DIR_H
#define CMD_RESULTS_DIR_H

/* For root: every directory above `path` (of a file, which need not exist) belongs to it alone or is one where
 * nobody can replace what is another's. EXIT_OK, or EXIT_REFUSED after saying which is not, and what could be
 * done. */
int results_dir_check(const char *path);

/* Root leaves nothing that others may write to, whatever its umask. */
void results_umask(void);

/* FILE with its .db replaced by .csv (or .csv added); the caller frees it. */
char *results_csv_beside(const char *db);
/* Where to go on with the CSV of `db` (absolute), when it says `said` (NULL: nothing): there, unless that is another
 * directory and holds no such CSV: a database that somebody sent must not choose what is written. NULL: nowhere, as
 * something else has the name; said. The caller frees it. */
char *results_csv_again(const char *db, const char *said);

#endif
