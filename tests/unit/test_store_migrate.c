/* Databases of older programs: read as they are, and brought up to date when they are gone on
 * with; whatever fails on the way leaves the old file or the new one. */
#include "support/test.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "model/column.h"
#include "sink/store_private.h"
#include "support/records.h"
#include "support/stored.h"
#include "support/vfs_fault.h"

struct fixture {
	char dir[64], path[96], backup[128];
	struct err e;
};

static int setup(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));

	(void)snprintf(f->dir, sizeof(f->dir), "%s/iosweep-unit.XXXXXX",
	               access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
	if (!mkdtemp(f->dir))
		return -1;
	(void)snprintf(f->path, sizeof(f->path), "%s/a.db", f->dir);
	(void)snprintf(f->backup, sizeof(f->backup), "%s.bak-v1", f->path);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	vfs_fault_install(NULL);
	stored_empty(f->dir);
	(void)rmdir(f->dir);
	free(f);
	return 0;
}

static void sql_on(const char *path, const char *sql)
{
	sqlite3 *db = NULL;
	char *text = NULL;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, &text))
		fail_msg("%s", text);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* As the first program of that format left it: killed in its fifth run. */
static void make_v1(struct fixture *f)
{
	FILE *in = fopen("tests/fixtures/store-v1.sql", "r");
	struct text sql = { 0 };
	char buf[4096];
	size_t n;

	assert_non_null(in);
	while ((n = fread(buf, 1, sizeof(buf), in)) > 0)
		text_addn(&sql, buf, n);
	assert_int_equal(fclose(in), 0);
	sql_on(f->path, sql.s);
	text_fini(&sql);
}

/* `results` has the columns of this program, in their order, and `fsync`, which was swept. */
static void check_columns(struct store *s)
{
	struct column c[COLUMN_MAX];
	size_t n = column_list(c, UINT64_C(1) << AXIS_fsync);
	struct rows *r = NULL;
	struct err e = { 0 };

	assert_int_equal(rows_open(&r, s, "SELECT * FROM results", &e), 0);
	assert_int_equal(rows_columns(r), n);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(rows_name(r, (int)i), c[i].name);
	rows_close(r);
}

static void check_rows(struct store *s)
{
	static const char query_of_rows[] =
	    "SELECT run, label, op, notes, fsync, ios > 0, lat_p50_us IS NOT NULL FROM results "
	    "WHERE status = 'ok'";

	assert_query(s, query_of_rows,
	             "1|randread_4k_1_1|read|depth-not-reached|0|1|1|"
	             "2|randrw_4k_1_1|read|depth-not-reached|0|1|1|"
	             "2|randrw_4k_1_1|write|depth-not-reached|0|1|1|"
	             "3|randwrite_4k_1_1|write|depth-not-reached|0|1|1|"
	             "4|randrw_4k_1_1|read|few-samples depth-not-reached|32|1|1|"
	             "4|randrw_4k_1_1|write|few-samples depth-not-reached|32|1|1|"
	             "4|randrw_4k_1_1|sync|few-samples depth-not-reached|32|1|1");
	assert_query(s, "SELECT count(*) FROM histogram", "7");
}

static int version_of(const char *path)
{
	uint8_t head[100] = { 0 };
	int fd = open(path, O_RDONLY);

	assert_int_equal(read(fd, head, sizeof(head)), sizeof(head));
	close(fd);
	return head[63];
}

static void an_old_file_is_read_as_it_is(void **state)
{
	struct fixture *f = *state;
	struct store *s = NULL;

	make_v1(f);
	assert_int_equal(store_open(&s, f->path, &f->e), 0);
	check_columns(s);
	check_rows(s);
	assert_query(s, "SELECT status FROM all_runs WHERE run = 5", "running");
	assert_int_equal(store_close(s, NULL), 0);
	assert_int_equal(version_of(f->path), 1);
	assert_int_equal(access(f->backup, F_OK), -1);
}

static void an_old_file_is_brought_up_to_date(void **state)
{
	struct fixture *f = *state;
	struct store *s = NULL;

	make_v1(f);
	assert_int_equal(store_resume(&s, f->path, &f->e), 0);
	check_columns(s);
	check_rows(s);
	assert_query(s, "SELECT run, status FROM results WHERE status <> 'ok'",
	             "5|interrupted");
	assert_string_equal(store_get(s, "session"), "1");
	assert_int_equal(store_close(s, &f->e), 0);
	assert_int_equal(version_of(f->path), STORE_USER_VERSION);
	assert_int_equal(version_of(f->backup), 1);
	assert_int_equal(store_open(&s, f->backup, &f->e), 0);
	check_rows(s);
	assert_int_equal(store_close(s, NULL), 0);
	assert_int_equal(unlink(f->backup), 0);
	assert_int_equal(store_resume(&s, f->path, &f->e), 0); /* once */
	assert_int_equal(store_close(s, &f->e), 0);
	assert_int_equal(access(f->backup, F_OK), -1);
}

/* What a later program adds to a table needs no step. */
static void what_is_missing_is_added(void **state)
{
	struct fixture *f = *state;
	struct store *s = NULL;

	make_v1(f);
	sql_on(f->path,
	       "DROP VIEW results; DROP VIEW all_runs;"
	       "ALTER TABLE result DROP COLUMN lat_p95_ns; ALTER TABLE run DROP COLUMN why;"
	       "ALTER TABLE target DROP COLUMN wwn; DROP TABLE event;"
	       "CREATE VIEW results AS SELECT 1 AS sweep, 2 AS fsync");
	assert_int_equal(store_open(&s, f->path, &f->e), 0);
	check_columns(s);
	check_rows(s);
	assert_query(s, "SELECT DISTINCT lat_p95_us FROM results WHERE run = 1", "-");
	assert_query(s, "SELECT why FROM run WHERE id = 1", "");
	assert_query(s, "SELECT count(*) FROM event", "0");
	assert_int_equal(store_close(s, NULL), 0);
	assert_int_equal(store_resume(&s, f->path, &f->e), 0);
	check_columns(s);
	check_rows(s);
	assert_int_equal(store_event(s, 0, "info", "x", "y", &f->e), 0);
	assert_int_equal(store_step(s, NULL, NULL, true, &f->e), 0);
	assert_query(s, "SELECT text FROM event", "y");
	assert_query(s, "SELECT why FROM main.run WHERE id = 1", "");
	assert_query(s, "SELECT count(*) FROM main.results", "8");
	assert_int_equal(store_close(s, &f->e), 0);
}

/* A call of SQLite fails, each in turn. */
static void a_failure_leaves_the_old_or_the_new(void **state)
{
	struct fixture *f = *state;
	const char *full = getenv("IOSWEEP_FULL");
	unsigned step = full && *full == '1' ? 1 : 4;

	for (unsigned n = 1;; n += step) {
		struct vfs_fault fault = { .fail_at = n, .fails = 1000, .code = SQLITE_FULL };
		struct store *s = NULL;
		int r;

		stored_empty(f->dir);
		make_v1(f);
		vfs_fault_install(&fault);
		f->e = (struct err){ 0 };
		r = store_resume(&s, f->path, &f->e);
		if (!r)
			(void)store_close(s, NULL);
		vfs_fault_install(NULL);
		if (r)
			assert_true(*f->e.text != '\0');
		f->e = (struct err){ 0 };
		if (store_resume(&s, f->path, &f->e))
			fail_msg("call %u: %s", n, f->e.text);
		check_columns(s);
		check_rows(s);
		assert_int_equal(store_close(s, &f->e), 0);
		assert_int_equal(version_of(f->backup), 1);
		if (fault.calls < n) {
			assert_true(n > 20);
			return;
		}
	}
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

TEST_MAIN(T(an_old_file_is_read_as_it_is), T(an_old_file_is_brought_up_to_date),
          T(what_is_missing_is_added), T(a_failure_leaves_the_old_or_the_new))
