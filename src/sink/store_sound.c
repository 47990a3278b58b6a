/* sink/store_sound.c: is what another database says of a run a measurement at all? It came from
 * anywhere, and is about to stand beside numbers of our own. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "sink/store_private.h"
#include "sink/store_reuse.h"

#define TOO_LARGE 1e18

static bool sound_real(const char *name, double v)
{
	if (!strcmp(name, "rho")) /* a correlation */
		return isfinite(v);
	if (strstr(name, "half_width")) /* of a rate that may be 0 */
		return v >= 0;
	return v >= 0 && v < TOO_LARGE;
}

static bool sound_row(const struct rows *r)
{
	for (int i = 0; i < rows_columns(r); i++)
		if ((rows_type(r, i) == ROWS_INTEGER && rows_int(r, i) < 0) ||
		    (rows_type(r, i) == ROWS_REAL &&
		     !sound_real(rows_name(r, i), rows_real(r, i))))
			return false;
	return true;
}

/* Every row of the query. 1, 0 or -errno. */
static int sound_rows(struct store *s, const char *sql, int64_t run,
                      bool (*sound)(const struct rows *r), struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	int rc = rows_open(&r, s, sql, e);

	if (rc)
		return rc;
	rows_bind_int(r, 1, run);
	while ((rc = rows_next(r, e)) == 1)
		if (!sound(r))
			return 0;
	return rc ? rc : 1;
}

static bool sound_histogram(const struct rows *r)
{
	AUTO(freep) struct hist *h = xcalloc(1, sizeof(*h));
	size_t size;
	const void *data = rows_blob(r, 0, &size);

	return !hist_unpack(h, data, size, NULL) && h->n == (uint64_t)rows_int(r, 1);
}

int store_reuse_sound(struct store *from, int64_t run, struct err *e)
{
	int r = sound_rows(from, "SELECT * FROM result WHERE run_id = ?", run, sound_row, e);

	if (r == 1)
		r = sound_rows(from, "SELECT * FROM interval WHERE run_id = ?", run, sound_row,
		               e);
	if (r == 1)
		r = sound_rows(from,
		               "SELECT h.data, r.ios FROM histogram h LEFT JOIN result r ON "
		               "r.run_id = h.run_id AND r.op = h.op WHERE h.run_id = ?",
		               run, sound_histogram, e);
	return r;
}
