#include "support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "sink/store_private.h"
#include "support/records.h"
#include "support/stored.h"

struct fixture {
	char *dir, path[256];
	struct sweep *sweep;
	struct store_header header;
	struct err e;
};

static int setup(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));

	f->dir = scratch_dir();
	(void)snprintf(f->path, sizeof(f->path), "%s/a.db", f->dir);
	f->sweep = sweep_of("night");
	f->header = (struct store_header){ .sweep = f->sweep,
		                           .start_directory = "/work",
		                           .command_options = "--destroy /dev/x",
		                           .planned_runs = 4,
		                           .estimate_s = 10,
		                           .host = "box",
		                           .facts_json = "{\"cpu\":\"x\"}" };
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	sweep_free(f->sweep);
	scratch_remove(f->dir);
	free(f);
	return 0;
}

static struct store *create(struct fixture *f)
{
	struct store *s = NULL;

	assert_int_equal(store_create(&s, f->path, &f->header, &f->e), 0);
	return s;
}

static void step(struct store *s, const struct record *done, const struct record *next)
{
	struct err e = { 0 };
	int r = store_step(s, done, next, true, &e);

	assert_string_equal(e.text, "");
	assert_int_equal(r, 0);
}

static void a_run_becomes_a_row(void **state)
{
	struct fixture *f = *state;
	AUTO(freep) struct sample *sample = sample_of(2000, 80000);
	struct store *s = create(f);
	struct run_of a;

	run_of(&a, 1, 1, STATUS_OK, sample);
	step(s, NULL, &a.record);
	assert_query(s, "SELECT count(*) FROM results", "0");
	assert_query(s, "SELECT run, status FROM all_runs", "1|running");
	a.record.flags = FLAG_BIT(few_samples);
	step(s, &a.record, NULL);
	assert_query(s,
	             "SELECT sweep, label, combination, run, repeat, started_utc, host, "
	             "device, fs, tags, status, doubts, "
	             "notes, error, op FROM results",
	             "night|randread_4k_1|cab0000000001|1|1|2026-11-30T18:00:00.250Z|box|Some "
	             "SSD (nvme0n1)|ext4||ok||"
	             "few-samples||read");
	assert_query(s,
	             "SELECT filename, ioengine, rw, bs, numjobs, iodepth, direct, size, "
	             "rwmixread, ramp_time, runtime, options FROM results",
	             "/mnt/t.dat|psync|randread|4096|2|4|1|1048576|50|0.5|2.0|");
	assert_query(
	    s,
	    "SELECT ios, bytes, iops, bw_mib_s, bw_mb_s, lat_min_us, lat_mean_us, "
	    "lat_stddev_us, lat_max_us, window_s, run_iops, depth_total, depth_mean, "
	    "longest_gap_ms, flush_s, device_read_ios FROM results",
	    "2000|8192000|1000.0|3.90625|4.096|80.0|80.0|0.0|80.0|2.0|1000.0|8|4.0|1.5|-|-");
	assert_query(s, "SELECT lat_p99_9_us, lat_p99_99_us FROM results", "80.0|-");
	assert_query(s, "SELECT t_ms, len_ms, ios, lat_sum_ns FROM interval",
	             "0|1000.0|1000|80000000|1000|1000.0|1000|80000000");
	assert_query(s, "SELECT effective, jobs, cpu_sys_ns FROM run",
	             "engine=psync|2|400000000");
	assert_int_equal(store_close(s, &f->e), 0);
}

static void each_of_several_targets_has_its_rows(void **state)
{
	struct fixture *f = *state;
	AUTO(freep) struct sample *sample = sample_of(2000, 80000);
	struct store *s = create(f);
	struct run_of a, b;

	sample->targets = 2;
	sample->target[0] = (struct target_sum){ .ios = { 1500 }, .bytes = { 6144000 }, .lat_sum_ns = { 120000000 },
		                                 .lat_max_ns = { 80000 }, .written_bytes = 7 };
	sample->target[1] = (struct target_sum){ .ios = { 500 }, .bytes = { 2048000 }, .errors = { 3 } };
	run_of(&a, 1, 1, STATUS_OK, sample);
	a.record.member[0] = "/dev/a";
	a.record.member[1] = "/dev/b";
	step(s, &a.record, NULL);
	assert_query(s, "SELECT * FROM target_result",
	             "1|0|0|/dev/a|1500|6144000|0|120000000|80000|7|1|1|0|/dev/b|500|2048000|3|0|0|0");
	assert_query(s, "SELECT ios, depth_total FROM results", "2000|16");
	sample->targets = 1;
	run_of(&b, 2, 2, STATUS_OK, sample);
	step(s, &b.record, NULL);
	assert_query(s, "SELECT count(*) FROM target_result", "2");
	assert_int_equal(store_close(s, &f->e), 0);
}

static void only_the_last_attempt_shows(void **state)
{
	struct fixture *f = *state;
	AUTO(freep) struct sample *sample = sample_of(2000, 80000);
	struct store *s = create(f);
	struct run_of a, b;

	run_of(&a, 1, 1, STATUS_FAILED, sample);
	a.record.error = "read: Input/output error";
	a.record.error_no = EIO;
	step(s, &a.record, NULL);
	assert_query(s, "SELECT run, status, error, op, ios FROM results",
	             "1|failed|read: Input/output error|read|2000");
	run_of(&b, 2, 1, STATUS_OK, sample);
	b.record.attempt = 2;
	step(s, NULL, &b.record);
	assert_query(s, "SELECT run, status FROM results",
	             "1|failed"); /* until the new one has an outcome */
	step(s, &b.record, NULL);
	assert_query(s, "SELECT run, status FROM results", "2|ok");
	assert_query(s, "SELECT run, attempt, purpose FROM all_runs", "1|1|grid|2|2|grid");
	run_of(&b, 3, 1, STATUS_OK, sample);
	b.record.purpose = PURPOSE_PILOT;
	step(s, &b.record, NULL);
	assert_query(s, "SELECT run FROM results", "2");
	assert_int_equal(store_close(s, &f->e), 0);
}

static void rows_without_a_window_have_no_numbers(void **state)
{
	static const struct {
		enum run_status status;
		const char *expect;
	} cases[] = {
		{ STATUS_SKIPPED, "skipped|bs 2097152 is larger than size 1048576|-|-|-|-" },
		{ STATUS_TIMEOUT, "timeout|bs 2097152 is larger than size 1048576|-|-|-|-" },
		{ STATUS_INTERRUPTED,
		  "interrupted|bs 2097152 is larger than size 1048576|-|-|-|-" },
	};
	struct fixture *f = *state;
	AUTO(freep) struct sample *sample = sample_of(2000, 80000);
	struct store *s = create(f);
	char sql[128];

	for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
		struct run_of a;

		run_of(&a, (int64_t)i + 1, i, cases[i].status, sample);
		a.record.error = "bs 2097152 is larger than size 1048576";
		step(s, &a.record, NULL);
		(void)snprintf(sql, sizeof(sql),
		               "SELECT status, error, op, ios, window_s, depth_total FROM "
		               "results WHERE run = %u",
		               i + 1);
		assert_query(s, sql, cases[i].expect);
	}
	assert_int_equal(store_close(s, &f->e), 0);
}

static void counters_stay_exact(void **state)
{
	struct fixture *f = *state;
	AUTO(freep) struct sample *sample = sample_of(0, 0);
	struct store *s = create(f);
	struct run_of a;

	sample->op[OP_READ].ios = 9007199254740993; /* 2^53 + 1 */
	sample->op[OP_READ].bytes = INT64_MAX;
	sample->op[OP_WRITE].ios = 1;
	run_of(&a, 1, 1, STATUS_OK, sample);
	step(s, &a.record, NULL);
	assert_query(s, "SELECT op, ios, bytes FROM results",
	             "read|9007199254740993|9223372036854775807|write|1|0");
	assert_int_equal(store_close(s, &f->e), 0);
}

static void an_idle_run_has_a_row_for_its_pattern(void **state)
{
	struct fixture *f = *state;
	AUTO(freep) struct sample *sample = sample_of(0, 0);
	struct store *s = create(f);
	struct run_of a;

	run_of(&a, 1, 1, STATUS_OK, sample);
	a.job.rw = RW_RANDRW;
	step(s, &a.record, NULL);
	assert_query(s,
	             "SELECT op, ios, iops, lat_min_us, lat_p50_us, lat_max_us, cpu_us_per_io "
	             "FROM results",
	             "read|0|0.0|-|-|-|-|write|0|0.0|-|-|-|-");
	assert_int_equal(store_close(s, &f->e), 0);
}

static void hostile_names_are_only_text(void **state)
{
	static const char name[] = "x'); drop table run;--";
	struct fixture *f = *state;
	struct store *s;
	struct run_of a;

	free(f->sweep->name);
	f->sweep->name = xstrdup(name);
	f->header.csv_path = name;
	s = create(f);
	run_of(&a, 1, 1, STATUS_SKIPPED, NULL);
	(void)snprintf(a.target.filename, sizeof(a.target.filename), "%s", name);
	(void)snprintf(a.label, sizeof(a.label), "%s", name);
	a.record.error = name;
	step(s, &a.record, NULL);
	assert_string_equal(store_get(s, "csv_path"), name);
	assert_null(store_get(s, name));
	assert_query(s, "SELECT sweep, filename, label, error FROM results",
	             "x'); drop table run;--|x'); drop table run;--|x'); drop table "
	             "run;--|x'); drop table run;--");
	assert_int_equal(store_close(s, &f->e), 0);
}

static void other_axes_become_columns_when_swept(void **state)
{
	struct fixture *f = *state;
	struct axis_values *v = &f->sweep->axis[AXIS_fsync];
	struct rows *r = NULL;
	struct store *s;
	struct run_of a;

	v->val = xrealloc(v->val, 2, sizeof(*v->val));
	v->val[1] = 32;
	v->len = 2;
	s = create(f);
	run_of(&a, 1, 1, STATUS_SKIPPED, NULL);
	a.job.fsync = 32;
	a.job.io_size = 65536;
	step(s, &a.record, NULL);
	assert_query(s, "SELECT options, fsync FROM results", "io_size=65536 fsync=32|32");
	assert_int_equal(rows_open(&r, s, "SELECT io_size FROM results", &f->e), -EINVAL);
	assert_non_null(strstr(f->e.text, "no such column: io_size"));
	assert_int_equal(store_close(s, &f->e), 0);
}

static void header_targets_and_created_come_back(void **state)
{
	struct fixture *f = *state;
	struct target_info t = { .kind = TARGET_BLOCK,
		                 .dev = UINT64_MAX,
		                 .ino = 7,
		                 .size_bytes = 1ULL << 50,
		                 .zero_pct = -1 },
			   back;
	struct store *s;

	f->header.csv_path = "/work/a.csv";
	s = create(f);
	assert_string_equal(store_get(s, "name"), "night");
	assert_string_equal(store_get(s, "config"), "{\"rw\":\"randread\"}");
	assert_string_equal(store_get(s, "start_directory"), "/work");
	assert_string_equal(store_get(s, "command_options"), "--destroy /dev/x");
	assert_string_equal(store_get(s, "planned_runs"), "4");
	assert_string_equal(store_get(s, "seed"), "1");
	assert_string_equal(store_get(s, "csv_path"), "/work/a.csv");
	assert_null(store_get(s, "default_ioengine"));
	assert_int_equal(store_set_state(s, "done", &f->e), 0);
	assert_string_equal(store_get(s, "state"), "done");

	(void)snprintf(t.filename, sizeof(t.filename), "/dev/x");
	(void)snprintf(t.serial, sizeof(t.serial), "S1");
	assert_int_equal(store_put_target(s, &t, &f->e), 0);
	assert_int_equal(store_get_target(s, "/dev/x", &back, &f->e), 0);
	assert_memory_equal(&back, &t, sizeof(t));
	assert_int_equal(store_get_target(s, "/dev/y", &back, &f->e), -ENOENT);

	assert_int_equal(
	    store_put_created(s,
	                      &(struct store_created){ .path = (char[]){ "/mnt/a" },
	                                               .dev = 1,
	                                               .ino = 2,
	                                               .born_ns = 5,
	                                               .least = 4,
	                                               .size = 3 },
	                      &f->e),
	    -0);
	assert_query(s, "SELECT path, dev, ino, born_ns, least, size FROM created",
	             "/mnt/a|1|2|5|4|3");
	assert_int_equal(store_del_created(s, "/mnt/a", NULL), 0);
	assert_query(s, "SELECT count(*) FROM created", "0");
	assert_int_equal(store_close(s, NULL), 0);
}

static int collect(void *arg, const struct store_state *st)
{
	struct text *t = arg;

	text_addf(t, "%u:%llu/%llu %s ", st->key[5], (unsigned long long)st->repeat,
	          (unsigned long long)st->attempt, status_name(st->status));
	return 0;
}

static void resume_interrupts_what_ran(void **state)
{
	struct fixture *f = *state;
	AUTO(freep) struct sample *sample = sample_of(2000, 80000);
	AUTO(text_fini) struct text seen = { 0 };
	struct store *s = create(f);
	struct run_of a, b;
	pid_t child;
	int status;

	assert_int_equal(store_close(s, NULL), 0);
	child = fork();
	if (child == 0) { /* dies in the middle, as by kill -9 */
		struct err e = { 0 };

		if (store_resume(&s, f->path, &e))
			_exit(1);
		run_of(&a, 1, 1, STATUS_OK, sample);
		run_of(&b, 2, 2, STATUS_OK, sample);
		_exit(store_step(s, &a.record, &b.record, false, &e) ? 1 : 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(store_resume(&s, f->path, &f->e), 0);
	assert_query(s, "SELECT run, status, error, op FROM results",
	             "1|ok||read|2|interrupted|interrupted: the run did not finish|-");
	assert_int_equal(store_each_state(s, collect, &seen, &f->e), 0);
	assert_string_equal(text_get(&seen), "1:1/1 ok 2:1/1 interrupted ");
	assert_int_equal(store_last_run(s), 2);
	assert_int_equal(store_close(s, NULL), 0);
}

static void one_sweep_at_a_time(void **state)
{
	struct fixture *f = *state;
	struct store *s = create(f), *other = NULL;
	pid_t child;
	int status;

	assert_int_equal(store_create(&other, f->path, &f->header, &f->e), -EEXIST);
	assert_non_null(strstr(f->e.text, "a.db: exists already"));
	child = fork();
	if (child == 0) {
		struct err e = { 0 };
		int r = store_resume(&other, f->path, &e);

		if (r != -EBUSY || !strstr(e.text, "a.db: a sweep is running on this database"))
			_exit(1);
		e = (struct err){ 0 };
		if (store_open(&other, f->path, &e))
			_exit(2);
		_exit(store_live(other) ? 0 : 3);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(store_close(s, NULL), 0);
	assert_int_equal(store_open(&other, f->path, &f->e), 0);
	assert_false(store_live(other));
	assert_int_equal(store_close(other, NULL), 0);
}

static void a_finished_database_is_one_file(void **state)
{
	struct fixture *f = *state;
	struct store *s = create(f);
	struct run_of a;
	char side[300];
	uint8_t head[20];
	int fd;

	run_of(&a, 1, 1, STATUS_SKIPPED, NULL);
	step(s, &a.record, NULL);
	(void)snprintf(side, sizeof(side), "%s-wal", f->path);
	assert_int_equal(access(side, F_OK), 0); /* while it is open: write-ahead log */
	assert_int_equal(store_close(s, NULL), 0);
	assert_int_equal(access(side, F_OK), -1);
	fd = open(f->path, O_RDONLY);
	assert_int_equal(read(fd, head, sizeof(head)), sizeof(head));
	close(fd);
	assert_int_equal(head[18],
	                 1); /* a rollback journal: readable without a place for -shm */
}

static void write_file(const char *path, const void *data, size_t size)
{
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	assert_int_equal(fwrite(data, 1, size, out), size);
	assert_int_equal(fclose(out), 0);
}

static void sql_on(const char *path, const char *sql)
{
	sqlite3 *db = NULL;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void strange_files_are_refused_with_the_reason(void **state)
{
	static const struct {
		const char *sql; /* on a good database; NULL: not a database at all */
		const char *expect;
		bool open_too;
	} cases[] = {
		{ NULL, "b.db: not an iosweep database (no SQLite file)", true },
		{ "PRAGMA application_id = 1",
		  "b.db: a SQLite database, but not one of iosweep", true },
		{ "PRAGMA user_version = 99",
		  "b.db: made by a newer iosweep (format 99, this program knows up to 2)",
		  true },
		{ "CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM run; END",
		  "b.db: has triggers, which no iosweep made", false },
		{ "DELETE FROM sweep", "b.db: damaged: no sweep in it", true },
	};
	struct fixture *f = *state;
	char path[300];

	(void)snprintf(path, sizeof(path), "%s/b.db", f->dir);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct store *s = NULL;

		f->e = (struct err){ 0 };
		if (cases[i].sql) {
			assert_int_equal(store_create(&s, path, &f->header, &f->e), 0);
			assert_int_equal(store_close(s, NULL), 0);
			sql_on(path, cases[i].sql);
		} else {
			write_file(path, "hello", 5);
		}
		assert_int_equal(store_resume(&s, path, &f->e), -EINVAL);
		assert_string_equal(f->e.text + strlen(f->dir) + 1, cases[i].expect);
		f->e = (struct err){ 0 };
		assert_int_equal(store_open(&s, path, &f->e), cases[i].open_too ? -EINVAL : 0);
		if (cases[i].open_too)
			assert_string_equal(f->e.text + strlen(f->dir) + 1, cases[i].expect);
		else
			assert_int_equal(store_close(s, NULL), 0);
		assert_int_equal(unlink(path), 0);
	}
}

static void a_damaged_database_is_refused(void **state)
{
	struct fixture *f = *state;
	struct store *s = create(f);
	char page[4096];
	int fd;

	assert_int_equal(store_close(s, NULL), 0);
	memset(page, 0x5a, sizeof(page));
	fd = open(f->path, O_WRONLY);
	assert_int_equal(pwrite(fd, page, sizeof(page), 4096), sizeof(page));
	close(fd);
	assert_int_equal(store_resume(&s, f->path, &f->e), -EINVAL);
	assert_non_null(strstr(f->e.text, "a.db: "));
}

static void only_one_select_passes(void **state)
{
	static const struct {
		const char *sql, *expect;
	} cases[] = {
		{ "SELECT 1; SELECT 2", "query: more than one statement" },
		{ "SELECT 1; DROP TABLE run", "query: more than one statement" },
		{ "DELETE FROM run", "query: not authorized" },
		{ "ATTACH 'x' AS y", "query: not authorized" },
		{ "PRAGMA journal_mode=DELETE", "query: not authorized" },
		{ "SELECT load_extension('x')",
		  "query: not authorized to use function: load_extension" },
		{ "SELECT * FROM results WHERE (nonsense = 1)",
		  "query: no such column: nonsense" },
		{ "  ", "query: empty" },
	};
	struct fixture *f = *state;
	struct store *s = create(f);

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct rows *r = NULL;

		f->e = (struct err){ 0 };
		assert_int_equal(rows_open(&r, s, cases[i].sql, &f->e), -EINVAL);
		assert_string_equal(f->e.text + strlen(f->path) + 2, cases[i].expect);
	}
	assert_query(s, "SELECT 1;", "1");
	assert_int_equal(store_close(s, NULL), 0);
}

static void a_reader_sees_a_running_sweep(void **state)
{
	struct fixture *f = *state;
	struct store *s = create(f), *reader = NULL;
	struct run_of a;

	run_of(&a, 1, 1, STATUS_SKIPPED, NULL);
	step(s, &a.record, NULL);
	assert_int_equal(store_open(&reader, f->path, &f->e), 0);
	assert_query(reader, "SELECT count(*) FROM results", "1");
	run_of(&a, 2, 2, STATUS_SKIPPED, NULL);
	step(s, &a.record, NULL); /* a reader never blocks it */
	assert_query(reader, "SELECT count(*) FROM results", "2");
	assert_int_equal(store_close(reader, NULL), 0);
	assert_int_equal(store_close(s, NULL), 0);
}

static void readable_from_a_read_only_directory(void **state)
{
	struct fixture *f = *state;
	struct store *s = create(f);
	pid_t child;
	int status;

	assert_int_equal(store_close(s, NULL), 0);
	assert_int_equal(chmod(f->path, 0444), 0);
	assert_int_equal(chmod(f->dir, 0555), 0);
	child = fork();
	if (child == 0) {
		struct err e = { 0 };

		if (geteuid() == 0 && setuid(65534))
			_exit(1);
		if (store_open(&s, f->path, &e))
			_exit(2);
		_exit(store_get(s, "name") ? 0 : 3);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(chmod(f->dir, 0755), 0);
	assert_int_equal(status, 0);
}

static void events_come_with_the_next_step(void **state)
{
	struct fixture *f = *state;
	struct store *s = create(f);
	struct run_of a;

	assert_int_equal(store_event(s, 0, "warning", "clock", "stepped", &f->e), 0);
	assert_query(s, "SELECT count(*) FROM event", "0");
	run_of(&a, 1, 1, STATUS_SKIPPED, NULL);
	step(s, &a.record, NULL);
	assert_query(s, "SELECT run_id, level, code, text FROM event",
	             "-|warning|clock|stepped");
	assert_int_equal(store_event(s, 1, "info", "end", "over", &f->e), 0);
	assert_int_equal(store_close(s, NULL), 0);
	assert_int_equal(store_open(&s, f->path, &f->e), 0);
	assert_query(s, "SELECT run_id, text FROM event WHERE code = 'end'", "1|over");
	assert_int_equal(store_close(s, NULL), 0);
}

/* What could not be stored is stored by the same step again, its events with it. */
static void a_full_disk_loses_nothing(void **state)
{
	struct fixture *f = *state;
	AUTO(freep) struct sample *sample = sample_of(2000, 80000);
	struct store *s = create(f);
	struct run_of a;
	int64_t id = 1;
	int r = 0;

	assert_int_equal(sqlite3_exec(s->db, "PRAGMA max_page_count = 40", NULL, NULL, NULL),
	                 SQLITE_OK);
	for (; id < 1000; id++) {
		run_of(&a, id, (unsigned)id, STATUS_OK, sample);
		assert_int_equal(store_event(s, id, "info", "x", "y", &f->e), 0);
		r = store_step(s, &a.record, NULL, false, &f->e);
		if (r)
			break;
	}
	assert_int_equal(r, -ENOSPC);
	assert_non_null(strstr(f->e.text, "a.db: store "));
	assert_non_null(strstr(f->e.text, ": database or disk is full"));
	assert_int_equal(sqlite3_exec(s->db, "PRAGMA max_page_count = 4000", NULL, NULL, NULL),
	                 SQLITE_OK);
	step(s, &a.record, NULL);
	assert_int_equal(store_last_run(s), id);
	assert_query(s,
	             "SELECT (SELECT count(*) FROM run) - (SELECT count(*) FROM event), "
	             "(SELECT count(*) FROM run) - (SELECT count(*) FROM results)",
	             "0|0");
	assert_query(s, "SELECT count(*) FROM run WHERE id NOT IN (SELECT run_id FROM result)",
	             "0");
	assert_int_equal(store_close(s, NULL), 0);
}

static void another_writer_delays_no_row(void **state)
{
	struct fixture *f = *state;
	struct store *s = create(f);
	struct run_of a;
	int ready[2], go[2], status;
	char c;
	pid_t child;

	assert_int_equal(pipe(ready), 0);
	assert_int_equal(pipe(go), 0);
	child = fork();
	if (child == 0) { /* a browser with an open transaction */
		sqlite3 *db = NULL;

		if (sqlite3_open(f->path, &db) ||
		    sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL))
			_exit(1);
		_exit(write(ready[1], "x", 1) != 1 || read(go[0], &c, 1) != 1);
	}
	assert_int_equal(read(ready[0], &c, 1), 1);
	(void)sqlite3_busy_timeout(s->db, 1);
	for (int i = 1; i <= 3; i++) {
		run_of(&a, i, (unsigned)i, STATUS_SKIPPED, NULL);
		step(s, &a.record, NULL);
		assert_true(store_pending(s));
	}
	assert_query(s, "SELECT count(*) FROM results", "0");
	assert_false(store_caught_up(s));
	assert_null(store_unsaved(s)); /* a file has them */
	assert_int_equal(write(go[1], "x", 1), 1);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	run_of(&a, 4, 4, STATUS_SKIPPED, NULL);
	step(s, &a.record, NULL);
	assert_true(store_caught_up(s));
	assert_false(store_pending(s));
	assert_query(s, "SELECT run FROM results", "1|2|3|4");
	assert_int_equal(store_close(s, NULL), 0);
	for (int i = 0; i < 2; i++) {
		close(ready[i]);
		close(go[i]);
	}
}

static void nothing_is_left_when_it_cannot_be_made(void **state)
{
	struct fixture *f = *state;
	struct store *s = NULL;

	assert_int_equal(store_create(&s, "/nonexistent/x.db", &f->header, &f->e), -ENOENT);
	assert_string_equal(f->e.text,
	                    "/nonexistent/x.db: cannot create: No such file or directory");
	assert_null(s);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

TEST_MAIN(T(a_run_becomes_a_row), T(each_of_several_targets_has_its_rows), T(only_the_last_attempt_shows),
          T(rows_without_a_window_have_no_numbers), T(counters_stay_exact),
          T(an_idle_run_has_a_row_for_its_pattern), T(hostile_names_are_only_text),
          T(other_axes_become_columns_when_swept), T(header_targets_and_created_come_back),
          T(resume_interrupts_what_ran), T(one_sweep_at_a_time),
          T(a_finished_database_is_one_file), T(strange_files_are_refused_with_the_reason),
          T(a_damaged_database_is_refused), T(only_one_select_passes),
          T(a_reader_sees_a_running_sweep), T(readable_from_a_read_only_directory),
          T(events_come_with_the_next_step), T(a_full_disk_loses_nothing),
          T(another_writer_delays_no_row), T(nothing_is_left_when_it_cannot_be_made))
