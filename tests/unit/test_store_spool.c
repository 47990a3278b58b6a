/* The spool: what waits beside the database is what would have been stored, once, and nothing
 * that others put there.
 * wrap: pwrite fdatasync ftruncate fallocate */
#include "support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "sink/store_private.h"
#include "support/records.h"
#include "support/stored.h"

ssize_t __real_pwrite(int fd, const void *data, size_t n, off_t at);
int __real_fdatasync(int fd);
int __real_ftruncate(int fd, off_t size);
int __real_fallocate(int fd, int mode, off_t at, off_t size);
ssize_t __wrap_pwrite(int fd, const void *data, size_t n, off_t at);
int __wrap_fdatasync(int fd);
int __wrap_ftruncate(int fd, off_t size);
int __wrap_fallocate(int fd, int mode, off_t at, off_t size);

static unsigned calls, fails_at, fails; /* so many from the n-th on */

static bool must_fail(void)
{
	errno = EIO;
	return ++calls >= fails_at && calls < fails_at + fails;
}

ssize_t __wrap_pwrite(int fd, const void *data, size_t n, off_t at)
{
	return must_fail() ? -1 : __real_pwrite(fd, data, n, at);
}

int __wrap_fdatasync(int fd)
{
	return must_fail() ? -1 : __real_fdatasync(fd);
}

int __wrap_ftruncate(int fd, off_t size)
{
	return must_fail() ? -1 : __real_ftruncate(fd, size);
}

int __wrap_fallocate(int fd, int mode, off_t at, off_t size)
{
	return must_fail() ? -1 : __real_fallocate(fd, mode, at, size);
}

struct fixture {
	char dir[64], path[96], spool[128];
	struct sweep *sweep;
	struct store_header header;
	struct sample *sample;
	sqlite3 *browser;
	struct err e;
};

static int setup(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));

	(void)snprintf(f->dir, sizeof(f->dir), "/tmp/iosweep-unit.XXXXXX");
	if (!mkdtemp(f->dir))
		return -1;
	(void)snprintf(f->path, sizeof(f->path), "%s/a.db", f->dir);
	(void)snprintf(f->spool, sizeof(f->spool), "%s-spool", f->path);
	f->sweep = sweep_of("night");
	f->sample = sample_of(2000, 80001);
	f->header = (struct store_header){ .sweep = f->sweep, .host = "box" };
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	(void)sqlite3_close(f->browser);
	stored_empty(f->dir);
	(void)rmdir(f->dir);
	sweep_free(f->sweep);
	free(f->sample);
	free(f);
	return 0;
}

static struct store *create(struct fixture *f)
{
	struct store *s = NULL;

	assert_int_equal(store_create(&s, f->path, &f->header, &f->e), 0);
	return s;
}

static void hold(struct fixture *f)
{
	assert_int_equal(sqlite3_open(f->path, &f->browser), SQLITE_OK);
	assert_int_equal(sqlite3_exec(f->browser, "BEGIN IMMEDIATE", NULL, NULL, NULL),
	                 SQLITE_OK);
}

static void let_go(struct fixture *f)
{
	assert_int_equal(sqlite3_close(f->browser), SQLITE_OK);
	f->browser = NULL;
}

static void step(struct fixture *f, struct store *s, int64_t id)
{
	struct run_of a;

	run_of(&a, id, (unsigned)id, STATUS_OK, f->sample);
	a.record.why = "";
	(void)snprintf(a.label, sizeof(a.label), "\xff\x01 \"caf\xc3\xa9\"\n");
	(void)store_event(s, id, "info", "row", "measured", NULL);
	assert_int_equal(store_step(s, &a.record, NULL, true, &f->e), 0);
}

/* n rows in the spool of a closed database. */
static void leave_rows(struct fixture *f, int n)
{
	struct store *s = create(f);
	AUTO(text_fini) struct text expect = { 0 };

	hold(f);
	(void)sqlite3_busy_timeout(s->db, 1);
	for (int i = 1; i <= n; i++)
		step(f, s, i);
	assert_true(store_pending(s));
	assert_int_equal(store_close(s, &f->e), -EBUSY);
	text_addf(&expect, "%s: not everything reached it; what was measured is kept in %s",
	          f->path, f->spool);
	assert_string_equal(f->e.text, expect.s);
	let_go(f);
	f->e = (struct err){ 0 };
}

static char *slurp(const char *path)
{
	struct text t = { 0 };
	FILE *in = fopen(path, "r");
	int c;

	assert_non_null(in);
	while ((c = fgetc(in)) != EOF)
		text_addf(&t, "%c", c);
	(void)fclose(in);
	return t.s;
}

static void put(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	assert_true(fputs(text, out) >= 0);
	assert_int_equal(fclose(out), 0);
}

static void resume(struct fixture *f, struct store **s)
{
	if (store_resume(s, f->path, &f->e))
		fail_msg("%s", f->e.text);
}

static void refused(struct fixture *f, const char *why)
{
	struct store *s = NULL;
	AUTO(text_fini) struct text expect = { 0 };

	text_addf(&expect, "%s: %s", f->spool, why);
	f->e = (struct err){ 0 };
	assert_int_equal(store_resume(&s, f->path, &f->e), -EINVAL);
	assert_string_equal(f->e.text, expect.s);
}

/* Values of every kind come out as they would have without it. */
static void a_row_that_waited_is_the_same(void **state)
{
	static const char *const table[] = { "result", "run", "histogram", "interval",
		                             "combination" };
	struct fixture *f = *state;
	struct store *s = create(f);

	step(f, s, 1);
	hold(f);
	(void)sqlite3_busy_timeout(s->db, 1);
	step(f, s, 2);
	assert_true(store_pending(s));
	let_go(f);
	step(f, s, 3);
	assert_false(store_pending(s));
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		AUTO(text_fini) struct text sql = { 0 };
		AUTO(freep) char *columns = NULL;

		text_addf(&sql,
		          "SELECT name FROM pragma_table_info('%s') WHERE name NOT IN ('id', "
		          "'run_id', 'combination_id', 'key', 'key_text')",
		          table[i]);
		store_read_only_sql(s->db, false);
		{
			sqlite3_stmt *st = NULL;
			struct text list = { 0 };

			assert_int_equal(sqlite3_prepare_v2(s->db, sql.s, -1, &st, NULL), 0);
			while (sqlite3_step(st) == SQLITE_ROW)
				text_addf(&list, "%s%s || ':' || typeof(%s)",
				          list.len ? ", " : "", sqlite3_column_text(st, 0),
				          sqlite3_column_text(st, 0));
			(void)sqlite3_finalize(st);
			columns = list.s;
		}
		text_clear(&sql);
		text_addf(&sql, "SELECT count(*) FROM (SELECT DISTINCT %s FROM %s)", columns,
		          table[i]);
		assert_query(s, sql.s, strcmp(table[i], "interval") ? "1" : "2");
	}
	assert_query(s, "SELECT count(*), count(DISTINCT id) FROM event", "3|3");
	assert_int_equal(store_close(s, &f->e), 0);
	assert_int_equal(access(f->spool, F_OK), -1);
}

static void rows_that_wait_are_taken_over_once(void **state)
{
	struct fixture *f = *state;
	AUTO(freep) char *text = NULL;
	struct store *s = NULL;

	leave_rows(f, 3);
	text = slurp(f->spool);
	resume(f, &s);
	assert_query(s, "SELECT run, ios FROM results", "1|2000|2|2000|3|2000");
	assert_query(s, "SELECT count(*) FROM event", "3");
	/* its file could not be cleared, and the process was killed before it went on */
	assert_int_equal(sqlite3_exec(s->db,
	                              "UPDATE header SET value = 0 WHERE name = 'session'",
	                              NULL, NULL, NULL),
	                 0);
	assert_int_equal(store_close(s, &f->e), 0);
	put(f->spool, text);
	resume(f, &s);
	assert_query(s, "SELECT count(*) FROM event", "3");
	assert_query(s, "SELECT run FROM results", "1|2|3");
	assert_int_equal(store_close(s, &f->e), 0);
}

static void a_batch_that_was_cut_off_is_not_there(void **state)
{
	struct fixture *f = *state;
	AUTO(freep) char *text = NULL;
	struct store *s = NULL;

	leave_rows(f, 3);
	text = slurp(f->spool);
	text[strlen(text) - 10] = '\0';
	put(f->spool, text);
	resume(f, &s);
	assert_query(s, "SELECT run FROM results", "1|2");
	assert_int_equal(store_close(s, &f->e), 0);
}

static void rows_of_others_are_refused(void **state)
{
	static const char other[] = "holds rows of another sweep, or from before this one was "
				    "resumed without it; move it away to go on";
	struct fixture *f = *state;
	AUTO(freep) char *text = NULL;
	AUTO(text_fini) struct text bad = { 0 }, batch = { 0 };
	struct store *s = NULL;

	leave_rows(f, 1);
	text = slurp(f->spool);
	put(f->spool, "");
	resume(f, &s); /* without it */
	assert_int_equal(store_close(s, &f->e), 0);
	put(f->spool, text);
	refused(f, other);
	text_add(&bad, text);
	memcpy(strstr(bad.s, "\"sweep\":\"") + 9, "00000000", 8);
	put(f->spool, bad.s);
	refused(f, other);
	put(f->spool, "hello\n");
	refused(f, other);

	text_clear(&bad);
	text_addn(&bad, text, strcspn(text, "\n") + 1);
	strstr(bad.s, "\"session\":0")[10] = '1';
	text_add(&batch, "{\"put\":\"DROP TABLE run\"}\n");
	store_replay_end(&batch, 1);
	text_add(&bad, batch.s);
	put(f->spool, bad.s);
	refused(f, "damaged: a line that no iosweep wrote");
	assert_int_equal(unlink(f->spool), 0);
	resume(f, &s);
	assert_query(s, "SELECT count(*) FROM results", "0");
	assert_int_equal(store_close(s, &f->e), 0);
}

static void a_new_sweep_leaves_the_rows_of_an_old_one(void **state)
{
	struct fixture *f = *state;
	AUTO(text_fini) struct text expect = { 0 };
	struct store *s = NULL;

	leave_rows(f, 1);
	assert_int_equal(unlink(f->path), 0);
	assert_int_equal(store_create(&s, f->path, &f->header, &f->e), -EINVAL);
	text_addf(&expect, "%s: holds rows of another sweep; move it away", f->spool);
	assert_string_equal(f->e.text, expect.s);
	assert_int_equal(access(f->path, F_OK), -1);
}

static void nothing_is_written_through_a_link(void **state)
{
	static const char way[] = "is in the way: no file that an iosweep of this user made";
	struct fixture *f = *state;
	struct store *s = create(f);
	char victim[128];

	assert_int_equal(store_close(s, &f->e), 0);
	(void)snprintf(victim, sizeof(victim), "%s/victim", f->dir);
	put(victim, "precious\n");
	assert_int_equal(symlink("victim", f->spool), 0);
	assert_int_not_equal(store_resume(&s, f->path, &f->e), 0);
	assert_int_equal(unlink(f->spool), 0);
	assert_int_equal(link(victim, f->spool), 0);
	refused(f, way);
	assert_int_equal(unlink(f->spool), 0);
	assert_int_equal(mkfifo(f->spool, 0600), 0);
	refused(f, way);
	{
		AUTO(freep) char *text = slurp(victim);

		assert_string_equal(text, "precious\n");
	}
}

/* Two calls in a row fail, wherever: writing it, syncing it, or cutting off what was half
 * written. Another place takes over; none is left behind. */
static void the_spool_may_fail_too(void **state)
{
	struct fixture *f = *state;
	const char *was = getenv("TMPDIR");
	AUTO(freep) char *before = was ? xstrdup(was) : NULL;
	unsigned n = 1;
	bool met;

	assert_int_equal(setenv("TMPDIR", f->dir, 1), 0);
	do {
		struct store *s = create(f);

		hold(f);
		(void)sqlite3_busy_timeout(s->db, 1);
		calls = 0;
		fails_at = n++;
		fails = 2;
		for (int i = 1; i <= 3; i++)
			step(f, s, i);
		assert_null(store_unsaved(s));
		met = calls >= fails_at;
		(void)store_close(s, NULL);
		fails = 0;
		let_go(f);
		resume(f, &s);
		if (strcmp(stored_query(s, "SELECT run, ios FROM results"),
		           "1|2000|2|2000|3|2000") != 0)
			fail_msg("call %u: %s", n - 1,
			         stored_query(s, "SELECT run, ios FROM results"));
		assert_query(s, "SELECT count(*) FROM event", "3");
		assert_int_equal(store_close(s, &f->e), 0);
		assert_int_equal(unlink(f->path), 0);
		assert_int_equal(rmdir(f->dir), 0); /* nothing else was there */
		assert_int_equal(mkdir(f->dir, 0700), 0);
	} while (met);
	assert_true(n > 6);
	assert_int_equal(before ? setenv("TMPDIR", before, 1) : unsetenv("TMPDIR"), 0);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

TEST_MAIN(T(a_row_that_waited_is_the_same), T(rows_that_wait_are_taken_over_once),
          T(a_batch_that_was_cut_off_is_not_there), T(rows_of_others_are_refused),
          T(a_new_sweep_leaves_the_rows_of_an_old_one), T(nothing_is_written_through_a_link),
          T(the_spool_may_fail_too))
