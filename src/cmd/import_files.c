#include "cmd/import_files.h"

#include <errno.h>
#include <fts.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/units.h"

static void fts_closep(FTS **fts)
{
	if (*fts)
		(void)fts_close(*fts);
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool says_json(const char *name)
{
	size_t n = strlen(name);

	return n > 5 && !strcmp(name + n - 5, ".json");
}

int import_each_file(const char *path,
                     int (*fn)(void *arg, const char *file, bool expected, struct err *e),
                     void *arg, struct err *e)
{
	AUTO(freep) char *root = xstrdup(path);
	char *const roots[] = { root, NULL };
	AUTO(fts_closep) FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name);
	int r = 0;

	if (!fts)
		return err_set(e, -errno, "%s: %s", path, err_name(errno));
	for (FTSENT *f; !r && (f = fts_read(fts));) {
		bool named = f->fts_level == FTS_ROOTLEVEL;

		switch (f->fts_info) {
		case FTS_D:
		case FTS_DP:
		case FTS_SL:
			break;
		case FTS_DEFAULT: /* a pipe, where it was named */
			r = named ? fn(arg, f->fts_path, named, e) : 0;
			break;
		default: /* what cannot be looked at is found out by reading it */
			r = fn(arg, f->fts_path, named || says_json(f->fts_name), e);
		}
	}
	return r;
}

int import_read(struct text *out, const char *path, struct err *e)
{
	int r = file_load(out, path, GIB);

	return r == -EFBIG ? err_set(e, r, "larger than 1 GiB")
	       : r         ? err_set(e, r, "%s", err_name(-r))
	                   : 0;
}
