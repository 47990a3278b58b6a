#include "cmd/results_dir.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/text.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "sink/csv.h"

static int refuse(const char *dir, const char *why)
{
	char safe[PATH_MAX];

	text_printable(safe, sizeof(safe), dir);
	complain("refused: %s %s could put other files in the place of the results, and this "
	         "runs as root; name a directory of your own with --out or --db, or take the "
	         "permission away (chown, chmod go-w)",
	         safe, why);
	return EXIT_REFUSED;
}

/* Cut the last component off; false: there is none left. "/" is its own end. */
static bool cut(char *path)
{
	char *slash = strrchr(path, '/');

	if (!slash || !slash[1])
		return false;
	slash[slash == path] = '\0';
	return true;
}

/* Root itself, or who became root by sudo. */
static bool is_trusted(uid_t uid)
{
	const char *sudo = getenv("SUDO_UID");
	uint64_t who;

	return !uid || (sudo && !parse_u64(sudo, &who) && who == uid);
}

/* Its group alone, or who became root by sudo from it: no group of others. */
static bool is_trusted_group(gid_t gid)
{
	const char *sudo = getenv("SUDO_GID");
	uint64_t which;

	return !gid || (sudo && !parse_u64(sudo, &which) && which == gid);
}

/* Who could exchange what is in this directory? */
static int check_directory(const char *path, const struct stat *st)
{
	const bool sticky = st->st_mode & S_ISVTX;

	if (!is_trusted(st->st_uid))
		return refuse(path, "belongs to another user, who");
	if ((st->st_mode & S_IWOTH) && !sticky)
		return refuse(path, "is writable by every user: any");
	if ((st->st_mode & S_IWGRP) && !sticky && !is_trusted_group(st->st_gid))
		return refuse(path, "is writable by a group, whose members");
	return EXIT_OK;
}

/* `path` is absolute and of a directory, or of a link to one, that exists. */
static int check_up(char *path)
{
	struct stat st, above;

	while (!lstat(path, &st)) {
		AUTO(freep) char *dir = xstrdup(path);

		if (S_ISDIR(st.st_mode) && check_directory(path, &st))
			return EXIT_REFUSED;
		if (!cut(path))
			return EXIT_OK;
		/* Where all may make files, what is there already may be anyone's. */
		if (!lstat(path, &above) && (above.st_mode & S_IWOTH) && !is_trusted(st.st_uid))
			return refuse(dir,
			              "lies where every user may write, and is another's, who");
	}
	return EXIT_OK;
}

int results_dir_check(const char *path)
{
	AUTO(text_fini) struct text absolute = { 0 };
	AUTO(freep) char *cwd = NULL;
	char real[PATH_MAX];
	int r;

	if (geteuid())
		return EXIT_OK;
	cwd = getcwd(NULL, 0);
	text_addf(&absolute, "%s%s%s", path[0] == '/' || !cwd ? "" : cwd,
	          path[0] == '/' ? "" : "/", path);
	do { /* to the first that is there: what is missing is made by us */
		if (!cut(absolute.s))
			return EXIT_OK;
	} while (!realpath(absolute.s, real) && errno == ENOENT);
	r = check_up(absolute.s);
	return r ? r : check_up(real);
}

static int make_directory(const char *dir)
{
	if (mkdir(dir, 0777) && errno != EEXIST) {
		complain("%s: cannot create the results directory: %s; name another place with "
		         "--out or --db",
		         dir, err_name(errno));
		return EXIT_STORE;
	}
	return EXIT_OK;
}

static bool exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

static bool taken(const char *db, bool with_csv)
{
	AUTO(freep) char *csv = results_csv_beside(db);

	return exists(db) || (with_csv && exists(csv));
}

int results_new_db(const char *dir, const char *name, bool with_csv, char **db)
{
	AUTO(text_fini) struct text inside = { 0 };
	char when[40];
	int r;

	*db = NULL;
	dir = dir ? dir : "results";
	text_addf(&inside, "%s/-", dir);
	r = results_dir_check(text_get(&inside));
	if (!r)
		r = make_directory(dir);
	if (r)
		return r;
	(void)clock_compact_utc(when, sizeof(when), clock_wall_ns());
	for (unsigned i = 1; i < 10000; i++) {
		struct text t = { 0 };

		text_addf(&t, "%s/%s-%s", dir, name, when);
		if (i > 1)
			text_addf(&t, "-%u", i);
		text_add(&t, ".db");
		free(*db);
		*db = t.s;
		if (!taken(*db, with_csv))
			break;
	}
	return EXIT_OK;
}

int results_check_planted(const char *db)
{
	static const char *const suffix[] = { "-wal", "-shm", "-journal" };
	AUTO(text_fini) struct text path = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(suffix); i++) {
		text_clear(&path);
		text_addf(&path, "%s%s", db, suffix[i]);
		if (exists(text_get(&path))) {
			complain("%s exists, but no database that it belongs to: remove it, or "
			         "name another with --db",
			         text_get(&path));
			return EXIT_USAGE;
		}
	}
	return EXIT_OK;
}

void results_umask(void)
{
	if (!geteuid())
		(void)umask(umask(0022) | 0022);
}

char *results_csv_beside(const char *db)
{
	struct text t = { 0 };
	size_t n = strlen(db);

	text_addn(&t, db, n > 3 && !strcmp(db + n - 3, ".db") ? n - 3 : n);
	text_add(&t, ".csv");
	return t.s;
}

static bool same_directory(const char *a, const char *b)
{
	const char *x = strrchr(a, '/'), *y = strrchr(b, '/');

	return x && y && x - a == y - b && !strncmp(a, b, (size_t)(x - a));
}

static bool is_free(const char *path)
{
	struct stat st;

	return lstat(path, &st) && errno == ENOENT;
}

char *results_csv_again(const char *db, const char *said)
{
	char *beside = results_csv_beside(db);
	char safe[PATH_MAX];

	if (said && (csv_is_ours(said) || (same_directory(db, said) && is_free(said)))) {
		free(beside);
		return xstrdup(said);
	}
	if (csv_is_ours(beside) || is_free(beside))
		return beside;
	text_printable(safe, sizeof(safe), beside);
	complain("%s exists and is no CSV of iosweep; name another with --csv", safe);
	free(beside);
	return NULL;
}
