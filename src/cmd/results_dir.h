/* cmd/results_dir.h: is the place of the results one that only we can change? */
#ifndef CMD_RESULTS_DIR_H
#define CMD_RESULTS_DIR_H

#include <stdbool.h>

/* For root: every directory above `path` (of a file, which need not exist) belongs to it alone or is one where
 * nobody can replace what is another's. EXIT_OK, or EXIT_REFUSED after saying which is not, and what could be
 * done. */
int results_dir_check(const char *path);

/* DIR/NAME-<UTC>.db (DIR NULL: results/, which is made), with -2 and so on when that is taken, or, `with_csv`, the CSV
 * beside it. *db: for the caller to free. EXIT_OK, or a code after saying what is wrong. */
int results_new_db(const char *dir, const char *name, bool with_csv, char **db);
/* SQLite would take files that stand beside a new database for its own. EXIT_OK, or EXIT_USAGE after saying so. */
int results_check_planted(const char *db);

/* Root leaves nothing that others may write to, whatever its umask. */
void results_umask(void);

/* FILE with its .db replaced by .csv (or .csv added); the caller frees it. */
char *results_csv_beside(const char *db);
/* Where to go on with the CSV of `db` (absolute), when it says `said` (NULL: nothing): there, unless that is another
 * directory and holds no such CSV: a database that somebody sent must not choose what is written. NULL: nowhere, as
 * something else has the name; said. The caller frees it. */
char *results_csv_again(const char *db, const char *said);

#endif
