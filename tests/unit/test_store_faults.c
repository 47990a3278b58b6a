/* The store on a file system that fails: whichever call of SQLite it is, no row is lost, none
 * is there twice, and the sweep can be gone on with. */
#include "support/test.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "sink/csv.h"
#include "sink/store_private.h"
#include "support/records.h"
#include "support/stored.h"
#include "support/vfs_fault.h"

#define ROWS 5

struct fixture {
	char *dir, path[256];
	struct sweep *sweep;
	struct store_header header;
	struct sample *sample;
	bool kept[ROWS + 1]; /* rows that were handed to the store */
};

static int setup(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));

	f->dir = access("/dev/shm", W_OK) ? xstrdup("/tmp/iosweep-unit.XXXXXX")
	                                  : xstrdup("/dev/shm/iosweep-unit.XXXXXX");
	if (!mkdtemp(f->dir))
		return -1;
	(void)snprintf(f->path, sizeof(f->path), "%s/a.db", f->dir);
	f->sweep = sweep_of("night");
	f->sample = sample_of(2000, 80000);
	f->header = (struct store_header){ .sweep = f->sweep, .host = "box" };
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	vfs_fault_install(NULL);
	stored_empty(f->dir);
	(void)rmdir(f->dir);
	sweep_free(f->sweep);
	free(f->sample);
	free(f->dir);
	free(f);
	return 0;
}

/* From row `first` on, as a session would: until something cannot be stored. */
static void sweep(struct fixture *f, struct store *s, unsigned first, unsigned attempt)
{
	int64_t next_run = store_last_run(s) + 1;
	struct run_of r[2];
	int rc = 0;

	for (unsigned i = first; i <= ROWS && !rc; i++) {
		struct err e = { 0 };

		run_of(&r[0], next_run, i, STATUS_OK, f->sample);
		run_of(&r[1], next_run + 1, i + 1, STATUS_RUNNING, NULL);
		r[0].record.attempt = r[1].record.attempt = attempt;
		(void)store_event(s, next_run++, "info", "row", "measured", NULL);
		f->kept[i] = true;
		rc = store_step(s, &r[0].record, i < ROWS ? &r[1].record : NULL, true, &e);
		assert_true(rc ? *e.text != '\0' : *e.text == '\0');
	}
	(void)store_set_state(s, rc ? "interrupted" : "done", NULL);
}

static int collect(void *arg, const struct store_state *st)
{
	unsigned *seen = arg;

	assert_in_range(st->key[5], 1, ROWS);
	if (st->status == STATUS_OK)
		seen[st->key[5]]++;
	return 0;
}

/* Everything that was handed over is there, once; the rest is done now. */
static void go_on(struct fixture *f, unsigned n)
{
	unsigned seen[ROWS + 1] = { 0 };
	struct store *s = NULL;
	struct err e = { 0 };
	unsigned first = 1;

	if (access(f->path, F_OK)) {
		assert_int_equal(store_create(&s, f->path, &f->header, &e), 0);
	} else if (store_resume(&s, f->path, &e)) {
		fail_msg("call %u: %s", n, e.text);
	}
	assert_int_equal(store_each_state(s, collect, seen, &e), 0);
	while (first <= ROWS && seen[first])
		first++;
	for (unsigned i = 1; i <= ROWS; i++)
		if (seen[i] != (unsigned)f->kept[i])
			fail_msg("call %u: row %u is there %u times", n, i, seen[i]);
	sweep(f, s, first, 2);
	e = (struct err){ 0 };
	if (store_close(s, &e))
		fail_msg("call %u: %s", n, e.text);
}

static void check_end(struct fixture *f)
{
	struct store *s = NULL;
	struct err e = { 0 };

	assert_int_equal(store_open(&s, f->path, &e), 0);
	assert_query(s,
	             "SELECT label, ios, bytes, lat_p50_us FROM results WHERE status = 'ok' "
	             "ORDER BY label",
	             "randread_4k_1|2000|8192000|80.0|randread_4k_2|2000|8192000|80.0|"
	             "randread_4k_3|2000|8192000|80.0|randread_4k_4|2000|8192000|80.0|"
	             "randread_4k_5|2000|8192000|80.0");
	assert_query(s, "SELECT count(*) FROM all_runs WHERE status = 'running'", "0");
	assert_query(s, "SELECT count(*), sum(len_ms) FROM interval", "10|10000.0");
	assert_query(s, "SELECT count(*) FROM histogram", "5");
	assert_query(s, "SELECT count(*) FROM event", "5");
	assert_query(s, "SELECT state FROM sweep", "done");
	assert_int_equal(store_close(s, &e), 0);
}

static void check_integrity(struct fixture *f, unsigned n)
{
	sqlite3 *db = NULL;
	sqlite3_stmt *st = NULL;

	if (access(f->path, F_OK))
		return;
	assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &st, NULL),
	                 SQLITE_OK);
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	if (strcmp((const char *)sqlite3_column_text(st, 0), "ok") != 0)
		fail_msg("call %u: %s", n, (const char *)sqlite3_column_text(st, 0));
	(void)sqlite3_finalize(st);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* Returns whether the fault was met. */
static bool try_fault(struct fixture *f, struct vfs_fault *fault)
{
	struct store *s = NULL;
	struct err e = { 0 };
	int r;

	vfs_fault_install(fault);
	r = store_create(&s, f->path, &f->header, &e);
	if (!r) {
		sweep(f, s, 1, 1);
		(void)store_close(s, &e);
	} else {
		assert_true(*e.text != '\0');
	}
	vfs_fault_install(NULL);
	check_integrity(f, fault->fail_at);
	go_on(f, fault->fail_at);
	check_end(f);
	stored_empty(f->dir);
	memset(f->kept, 0, sizeof(f->kept));
	return fault->calls >= fault->fail_at;
}

/* Every `step`-th call; every one in full. */
static void loop(struct fixture *f, int code, unsigned fails, unsigned step)
{
	const char *full = getenv("IOSWEEP_FULL");

	for (unsigned n = 1;; n += full && *full == '1' ? 1 : step) {
		struct vfs_fault fault = { .fail_at = n, .fails = fails, .code = code };

		if (!try_fault(f, &fault)) {
			assert_true(n > 50);
			return;
		}
	}
}

static void each_call_that_fails_once_loses_nothing(void **state)
{
	loop(*state, SQLITE_IOERR, 1, 3);
}

static void a_disk_that_stays_full_loses_nothing(void **state)
{
	loop(*state, SQLITE_FULL, 100000, 11);
}

static void a_disk_that_stays_broken_loses_nothing(void **state)
{
	loop(*state, SQLITE_IOERR, 100000, 11);
}

static void a_call_that_is_busy_loses_nothing(void **state)
{
	loop(*state, SQLITE_BUSY, 1, 7);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

TEST_MAIN(T(each_call_that_fails_once_loses_nothing), T(a_disk_that_stays_full_loses_nothing),
          T(a_disk_that_stays_broken_loses_nothing), T(a_call_that_is_busy_loses_nothing))
