/* sink/store_apply.c: transactions, and what becomes of their rows when the database does not
 * take them. */
#include <errno.h>

#include "sink/store_private.h"

static int run_simple(struct store *s, enum store_statement which, struct err *e)
{
	sqlite3_stmt *st;
	int r = store_statement(s, which, &st, e);

	return r ? r : store_run(s, st, "write", e);
}

int store_begin(struct store *s, bool durable, struct err *e)
{
	/* On a network file system every commit is made as durable as it gets (set at open). */
	if (!s->network && durable != s->full) {
		int r = store_exec(
		    s, durable ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL",
		    "open", e);

		if (r)
			return r;
		s->full = durable;
	}
	if (s->shm_fd >= 0) {
		int r = store_reserve_shm(s, e);

		if (r)
			return r;
	}
	return run_simple(s, STMT_BEGIN, e);
}

void store_rollback(struct store *s)
{
	if (!sqlite3_get_autocommit(s->db))
		(void)run_simple(s, STMT_ROLLBACK, NULL);
}

int store_commit(struct store *s, struct err *e)
{
	int r = run_simple(s, STMT_COMMIT, e);

	if (r)
		store_rollback(s);
	return r;
}

int store_transact(struct store *s, bool durable, store_work *work, const void *arg,
                   struct err *e)
{
	int r = store_begin(s, durable, e);

	if (!r)
		r = work(s, arg, e);
	if (!r)
		return store_commit(s, e);
	store_rollback(s);
	return r;
}

/* Why not `r` (in `why`) is one thing; where the rows are now is the other. */
static int spool_rows(struct store *s, int r, store_work *work, const void *arg,
                      const struct err *why, struct err *e)
{
	struct err lost = { 0 };
	int rc;

	text_clear(&s->lines);
	s->spooling = true;
	rc = work(s, arg, &lost);
	s->spooling = false;
	if (!rc)
		rc = spool_add(s, &lost);
	if (rc)
		return err_set(e, r, "%s; and %s", why->text, lost.text);
	if (r == -EBUSY)
		return 0;
	return err_set(e, r, "%s; what was measured is kept in %s", why->text, spool_place(s));
}

int store_apply(struct store *s, bool durable, store_work *work, const void *arg, struct err *e)
{
	struct err why = { 0 }, said = { 0 };
	int r;

	if (!s->writer)
		return err_set(e, -EROFS, "%s: opened for reading", s->path);
	r = spool_drain(s, &why); /* the order of the rows stays */
	if (!r)
		r = store_transact(s, durable, work, arg, &why);
	if (r == -EINVAL) /* the rows themselves are wrong */
		return err_set(e, r, "%s", why.text);
	if (r)
		r = spool_rows(s, r, work, arg, &why, &said);
	if (store_moved(s))
		return store_keep(s, e);
	return r ? err_set(e, r, "%s", said.text) : 0;
}
