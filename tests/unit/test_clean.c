/* iosweep clean: removes exactly the files that the sweep made. */
#include "support/test.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cmd/cmd.h"
#include "run/target.h"
#include "sink/store.h"
#include "support/fixture.h"
#include "support/scratch.h"

static struct store *new_db(void)
{
	AUTO(sweep_freep) struct sweep *sweep = fixture_sweep();
	struct store_header h = { .sweep = sweep,
		                  .start_directory = scratch_dir(),
		                  .command_options = "",
		                  .planned_runs = 1,
		                  .host = "host",
		                  .facts_json = "{}" };
	struct store *s = NULL;
	struct err e = { 0 };

	assert_int_equal(store_create(&s, "x.db", &h, &e), 0);
	return s;
}

/* Make `name` as the sweep would, recorded as `size` bytes. */
static void made(struct store *s, const char *name, char *path, size_t size)
{
	struct target_made m = { 0 };
	struct err e = { 0 };

	(void)snprintf(path, size, "%s/%s", scratch_dir(), name);
	assert_int_equal(target_create(path, &m, &e), 0);
	assert_int_equal(store_put_created(s,
	                                   &(struct store_created){ .path = path,
	                                                            .dev = m.dev,
	                                                            .ino = m.ino,
	                                                            .born_ns = m.born_ns,
	                                                            .size = 4096 },
	                                   &e),
	                 0);
}

/* The exit code; what it printed in `out` and `err`. */
static int clean(char *out, char *err, size_t size)
{
	char *args[] = { (char[]){ "x.db" }, NULL };
	struct options o = { .args = args, .nargs = 1 };
	int keep_out = dup(1), keep_err = dup(2), code;
	int to_out = open("out", O_CREAT | O_TRUNC | O_RDWR, 0600),
	    to_err = open("err", O_CREAT | O_TRUNC | O_RDWR, 0600);

	(void)fflush(stdout);
	assert_true(dup2(to_out, 1) == 1 && dup2(to_err, 2) == 2);
	code = cmd_clean(&o);
	(void)fflush(stdout);
	assert_true(dup2(keep_out, 1) == 1 && dup2(keep_err, 2) == 2);
	out[pread(to_out, out, size - 1, 0)] = '\0';
	err[pread(to_err, err, size - 1, 0)] = '\0';
	(void)close(keep_out);
	(void)close(keep_err);
	(void)close(to_out);
	(void)close(to_err);
	return code;
}

static void removes_what_was_made(void **state)
{
	char a[PATH_MAX + 8], b[PATH_MAX + 8], out[8192], err[8192], want[5 * PATH_MAX];
	struct store *s = new_db();
	struct err e = { 0 };

	(void)state;
	made(s, "a.bin", a, sizeof(a));
	made(s, "b.bin", b, sizeof(b));
	assert_int_equal(store_close(s, &e), 0);
	assert_int_equal(unlink(b), 0);
	assert_int_equal(clean(out, err, sizeof(out)), EXIT_OK);
	(void)snprintf(want, sizeof(want), "removed %s\ngone already: %s\n", a, b);
	assert_string_equal(out, want);
	assert_string_equal(err, "");
	assert_int_equal(access(a, F_OK), -1);
	assert_int_equal(clean(out, err, sizeof(out)), EXIT_OK);
	assert_string_equal(out, "nothing to remove: this sweep left no files\n");
}

static void keeps_what_is_not_the_same(void **state)
{
	char a[PATH_MAX + 8], b[PATH_MAX + 8], out[8192], err[8192], want[5 * PATH_MAX];
	struct store *s = new_db();
	struct hold hold = { 0 };
	struct target_info t;
	struct err e = { 0 };

	(void)state;
	made(s, "a.bin", a, sizeof(a));
	made(s, "b.bin", b, sizeof(b));
	assert_int_equal(store_close(s, &e), 0);
	assert_int_equal(rename(a, "was"), 0);
	scratch_write("a.bin", 700);
	target_inspect(&t, b);
	assert_int_equal(target_hold(&hold, &t, false, SEC, &e), 0);
	assert_int_equal(clean(out, err, sizeof(out)), EXIT_ROWS);
	hold_release(&hold);
	(void)snprintf(want, sizeof(want),
	               "kept %s: %s is another file than the one that iosweep made\n"
	               "kept %s: another iosweep uses %s\n",
	               a, a, b, b);
	assert_string_equal(out, want);
	assert_int_equal(access(a, F_OK), 0);
	assert_int_equal(access(b, F_OK), 0);
}

static void refuses_while_a_sweep_runs(void **state)
{
	char a[PATH_MAX + 8], out[8192], err[8192];
	struct store *s = new_db();
	struct err e = { 0 };

	(void)state;
	made(s, "a.bin", a, sizeof(a));
	assert_int_equal(clean(out, err, sizeof(out)), EXIT_USAGE);
	assert_string_equal(out, "");
	assert_int_equal(strncmp(err, "iosweep: clean: ", 16), 0);
	assert_int_equal(access(a, F_OK), 0);
	assert_int_equal(store_close(s, &e), 0);
}

static void refuses_what_is_no_database(void **state)
{
	char out[8192], err[8192];

	(void)state;
	scratch_write("x.db", 5000);
	assert_int_equal(clean(out, err, sizeof(out)), EXIT_INPUT);
	assert_string_equal(out, "");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, scratch_enter, scratch_leave)

TEST_MAIN(CASE(removes_what_was_made), CASE(keeps_what_is_not_the_same),
          CASE(refuses_while_a_sweep_runs), CASE(refuses_what_is_no_database))
