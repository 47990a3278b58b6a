/* Files of ours where the file system holds no markers. wrap: fsetxattr lgetxattr */
#include "support/test.h"

#include <errno.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "run/target.h"
#include "support/scratch.h"

int __wrap_fsetxattr(int fd, const char *name, const void *value, size_t size, int flags);
ssize_t __wrap_lgetxattr(const char *path, const char *name, void *value, size_t size);

int __wrap_fsetxattr(int fd, const char *name, const void *value, size_t size, int flags)
{
	(void)fd;
	(void)name;
	(void)value;
	(void)size;
	(void)flags;
	errno = ENOTSUP;
	return -1;
}

ssize_t __wrap_lgetxattr(const char *path, const char *name, void *value, size_t size)
{
	(void)path;
	(void)name;
	(void)value;
	(void)size;
	errno = ENOTSUP;
	return -1;
}

static struct target_made made(void)
{
	struct target_made m = { .size = 4096 };
	struct err e = { 0 };

	assert_int_equal(target_create("t.bin", &m, &e), 0);
	assert_int_equal(truncate("t.bin", 4096), 0);
	return m;
}

/* Is it kept, and not used? */
static void refused(const struct target_made *known)
{
	struct target_made m = *known;
	struct err e = { 0 };

	assert_int_equal(target_remove("t.bin", &m, &e), -EPERM);
	assert_non_null(strstr(e.text, "t.bin cannot be told from a file of yours"));
	e = (struct err){ 0 };
	assert_int_equal(target_create("t.bin", &m, &e), -EEXIST);
	assert_string_equal(e.text, "t.bin exists and was not made by iosweep");
	assert_int_equal(access("t.bin", F_OK), 0);
}

static void an_inode_number_is_not_enough(void **state)
{
	struct target_made m = made(), known;
	struct err e = { 0 };

	(void)state;
	if (!m.born_ns)
		skip(); /* no birth times here */
	known = m;
	known.born_ns++;
	refused(&known);
	known.born_ns = 0;
	refused(&known);
	known = m;
	known.least = 4097;
	known.size = 5000;
	refused(&known);
	known = m;
	known.size = 4095;
	refused(&known);
	assert_int_equal(target_create("t.bin", &m, &e), 0);
	assert_int_equal(target_remove("t.bin", &m, &e), 0);
	assert_int_equal(access("t.bin", F_OK), -1);
}

static void what_was_held_is_known(void **state)
{
	struct target_made m = made();
	struct err e = { 0 };

	(void)state;
	m.born_ns = 0;
	m.held = true;
	assert_int_equal(target_remove("t.bin", &m, &e), 0);
	assert_int_equal(access("t.bin", F_OK), -1);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, scratch_enter, scratch_leave)

TEST_MAIN(CASE(an_inode_number_is_not_enough), CASE(what_was_held_is_known))
