/* Memory runs out at the n-th allocation of a small sweep, config to store, for every n: ours,
 * those of SQLite and those of the JSON reader. The process ends in words, never by a signal,
 * and what it left can be gone on with. Not every n: they are many.
 * wrap: malloc calloc realloc */
#include "support/test.h"

#include <dirent.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "config/config.h"
#include "plan/plan.h"
#include "run/core.h"
#include "sink/csv.h"
#include "sink/store_private.h"
#include "support/fixture.h"

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);

static _Atomic unsigned allocations;
static unsigned *counted; /* of the last child */
static unsigned fails_at; /* 0: none */

static bool fails(void)
{
	return atomic_fetch_add(&allocations, 1) + 1 == fails_at;
}

void *__wrap_malloc(size_t n)
{
	return fails() ? NULL : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n)
{
	return fails() ? NULL : __real_realloc(p, n);
}

/* SQLite wants to know the size of what it got: it stands in front. */
#define FRONT 16

static void *sql_malloc(int n)
{
	char *p = __wrap_malloc((size_t)n + FRONT);

	if (!p)
		return NULL;
	memcpy(p, &n, sizeof(n));
	return p + FRONT;
}

static void sql_free(void *p)
{
	if (p)
		free((char *)p - FRONT);
}

static int sql_size(void *p)
{
	int n = 0;

	if (p)
		memcpy(&n, (char *)p - FRONT, sizeof(n));
	return n;
}

static void *sql_realloc(void *p, int n)
{
	char *now = __wrap_realloc((char *)p - FRONT, (size_t)n + FRONT);

	if (!now)
		return NULL;
	memcpy(now, &n, sizeof(n));
	return now + FRONT;
}

static int sql_roundup(int n)
{
	return (n + 7) & ~7;
}

static int sql_init(void *arg)
{
	(void)arg;
	return SQLITE_OK;
}

static void sql_shutdown(void *arg)
{
	(void)arg;
}

static char dir[64], path[96];

static int run_row(struct core *core, struct store *s, const struct sweep *sweep,
                   const struct plan_row *row, int64_t id, struct err *e)
{
	AUTO(freep) struct sample *sample = xcalloc(1, sizeof(*sample));
	struct target_info *target = xcalloc(1, sizeof(*target));
	struct run_spec spec = {
		.job = row->job, .region_bytes = MIB, .target_bytes = MIB, .seed = sweep->seed
	};
	struct record done = { .run_id = id,
		               .job = &row->job,
		               .key = &row->key,
		               .key_text = row->key_text,
		               .label = row->label,
		               .target = target,
		               .repeat = row->repeat,
		               .attempt = 1,
		               .purpose = PURPOSE_GRID,
		               .status = STATUS_OK,
		               .error = "",
		               .sample = sample };
	int r = core_run(core, &spec, sample, e);

	(void)snprintf(target->filename, sizeof(target->filename), "t.bin");
	if (!r)
		r = store_step(s, &done, NULL, false, e);
	free(target);
	return r;
}

static const char config[] =
    "{\"name\":\"oom\",\"filename\":\"t.bin\",\"size\":\"1m\",\"ioengine\":\"null\","
    "\"rw\":[\"read\",\"randwrite\"],\"bs\":\"64k\",\"numjobs\":2,\"where\":\"bs > 1\"}";

/* Everything but the targets and the two processes. */
static int whole(struct err *e)
{
	static struct live live;
	const struct config_source src = { .path = "c.json", .text = config };
	struct strlist problems = { 0 };
	struct plan_row *row = xcalloc(1, sizeof(*row));
	struct sweep *sweep = NULL;
	struct store *s = NULL;
	struct core *core = NULL;
	struct plan *plan = NULL;
	struct world world;
	int r = config_load(&sweep, &src, &problems);

	if (r)
		return err_set(e, r, "%s", problems.len ? problems.item[0] : "");
	fixture_world(&world, sweep);
	r = plan_new(&plan, sweep, &world, 1000, e);
	if (!r) {
		struct store_header h = { .sweep = sweep, .host = "box" };

		r = store_create(&s, path, &h, e);
	}
	if (!r)
		r = core_new(&core, &live, e);
	for (uint64_t i = 0; !r && i < plan->runs; i++) {
		plan_row(plan, i, row);
		r = run_row(core, s, sweep, row, (int64_t)i + 1, e);
	}
	if (!r)
		r = store_set_state(s, "done", e);
	core_free(core);
	if (!r)
		r = store_close(s, e);
	else
		(void)store_close(s, NULL);
	plan_free(plan);
	fixture_world_fini(&world);
	sweep_free(sweep);
	strlist_fini(&problems);
	free(row);
	return r;
}

static const sqlite3_mem_methods sql_methods = { sql_malloc,  sql_free, sql_realloc,  sql_size,
	                                         sql_roundup, sql_init, sql_shutdown, NULL };

/* The child: exit 0 done, 1 out of memory, 2 refused in words, 3 refused without. */
static void child(unsigned n)
{
	struct err e = { 0 };
	int r;

	if (!freopen("/dev/null", "w", stderr))
		_exit(4);
	(void)sqlite3_shutdown(); /* or it is not to be configured */
	(void)sqlite3_config(SQLITE_CONFIG_MALLOC, &sql_methods);
	json_set_alloc_funcs(__wrap_malloc, free);
	allocations = 0;
	fails_at = n;
	r = whole(&e);
	fails_at = 0;
	*counted = allocations;
	_exit(!r ? 0 : *e.text ? 2 : 3);
}

static int run_child(unsigned n)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0)
		child(n);
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (!WIFEXITED(status))
		fail_msg("allocation %u: signal %d", n, WTERMSIG(status));
	if (WEXITSTATUS(status) > 2)
		fail_msg("allocation %u: exit %d", n, WEXITSTATUS(status));
	return WEXITSTATUS(status);
}

static void empty(void)
{
	DIR *d = opendir(dir);
	struct dirent *entry;

	while (d && (entry = readdir(d)))
		(void)unlinkat(dirfd(d), entry->d_name, 0);
	if (d)
		(void)closedir(d);
}

/* What is there opens, and has no row twice. */
static void check(unsigned n, bool done)
{
	struct store *s = NULL;
	struct rows *rows = NULL;
	struct err e = { 0 };

	if (access(path, F_OK)) {
		assert_false(done);
		return;
	}
	if (store_resume(&s, path, &e))
		fail_msg("allocation %u: %s", n, e.text);
	assert_int_equal(rows_open(&rows, s,
	                           "SELECT count(*), count(DISTINCT combination) FROM results "
	                           "WHERE status = 'ok' AND ios = 32",
	                           &e),
	                 0);
	assert_int_equal(rows_next(rows, &e), 1);
	assert_int_equal(rows_int(rows, 0), rows_int(rows, 1));
	if (done)
		assert_int_equal(rows_int(rows, 0), 2);
	rows_close(rows);
	assert_int_equal(store_close(s, &e), 0);
}

static void any_allocation_may_fail(void **state)
{
	const char *full = getenv("IOSWEEP_FULL");
	unsigned step = full && *full == '1' ? 40 : 1000, failed = 0, tried = 0, all;

	(void)state;
	assert_int_equal(run_child(0), 0);
	all = *counted;
	check(0, true);
	empty();
	for (unsigned n = 1; n <= all; n += n < 200 ? 5 : step, tried++) {
		int code = run_child(n);

		check(n, code == 0);
		empty();
		failed += code != 0; /* SQLite lives with some */
	}
	print_message("%u of %u allocations, %u of them ended the sweep\n", tried, all, failed);
	assert_true(failed > tried / 2);
}

static int setup(void **state)
{
	(void)state;
	(void)snprintf(dir, sizeof(dir), "%s/iosweep-oom.XXXXXX",
	               access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
	counted = mmap(NULL, sizeof(*counted), PROT_READ | PROT_WRITE,
	               MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (counted == MAP_FAILED || !mkdtemp(dir))
		return -1;
	(void)snprintf(path, sizeof(path), "%s/a.db", dir);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	empty();
	(void)rmdir(dir);
	return 0;
}

TEST_MAIN(cmocka_unit_test_setup_teardown(any_allocation_may_fail, setup, teardown))
