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
