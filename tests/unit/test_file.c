/* Whole files, whatever read(2) does on the way. wrap: read */
#include "support/test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "support/scratch.h"

ssize_t __real_read(int fd, void *buf, size_t n);
ssize_t __wrap_read(int fd, void *buf, size_t n);

static struct {
	unsigned calls, fails_at; /* 0: never */
	size_t most;              /* bytes at once; 0: as asked */
} wrapped;

/* Each second call is interrupted. */
ssize_t __wrap_read(int fd, void *buf, size_t n)
{
	wrapped.calls++;
	if (wrapped.calls == wrapped.fails_at || (wrapped.most && wrapped.calls % 2)) {
		errno = wrapped.calls == wrapped.fails_at ? EIO : EINTR;
		return -1;
	}
	return __real_read(fd, buf, wrapped.most && wrapped.most < n ? wrapped.most : n);
}

static int setup(void **state)
{
	memset(&wrapped, 0, sizeof(wrapped));
	return scratch_enter(state);
}

static void signals_and_short_reads_lose_nothing(void **state)
{
	AUTO(text_fini) struct text whole = { 0 }, parts = { 0 };

	(void)state;
	scratch_write("x", 200000);
	assert_int_equal(file_load(&whole, "x", 200000), 0);
	wrapped.most = 7001;
	assert_int_equal(file_load(&parts, "x", 200000), 0);
	assert_true(wrapped.calls > 2 * 200000 / 7001);
	assert_int_equal(whole.len, 200000);
	assert_int_equal(parts.len, 200000);
	assert_memory_equal(whole.s, parts.s, parts.len);
}

static void no_more_than_allowed(void **state)
{
	AUTO(text_fini) struct text t = { 0 };

	(void)state;
	scratch_write("x", 70000);
	assert_int_equal(file_load(&t, "x", 69999), -EFBIG);
	assert_true(t.len <= 69999);
	text_clear(&t);
	text_add(&t, "before");
	assert_int_equal(file_load(&t, "x", 70000), 0);
	assert_int_equal(t.len, 70006);
}

static void what_cannot_be_read(void **state)
{
	AUTO(text_fini) struct text t = { 0 };

	(void)state;
	assert_int_equal(file_load(&t, "none", 1), -ENOENT);
	assert_int_equal(file_load(&t, ".", 1), -EISDIR);
	assert_int_equal(file_read_all(&t, -1, 1), -EBADF);
	scratch_write("x", 70000);
	wrapped.fails_at = wrapped.calls + 2;
	assert_int_equal(file_load(&t, "x", 70000), -EIO);
}

/* A copy that is cut off is an error. */
static void a_copy_is_whole(void **state)
{
	char *copy = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&copy, &size);
	AUTO(text_fini) struct text t = { 0 };
	struct err e = { 0 };

	(void)state;
	scratch_write("x", 200000);
	assert_int_equal(file_load(&t, "x", 200000), 0);
	wrapped.most = 50000;
	assert_int_equal(file_copy(out, "x", &e), 0);
	assert_int_equal(fflush(out), 0);
	assert_int_equal(size, 200000);
	assert_memory_equal(copy, t.s, size);

	wrapped.most = 0;
	wrapped.fails_at = wrapped.calls + 2;
	assert_int_equal(file_copy(out, "x", &e), -EIO);
	assert_string_equal(e.text, "x: Input/output error");
	e = (struct err){ 0 };
	assert_int_equal(file_copy(out, "none", &e), -ENOENT);
	assert_string_equal(e.text, "none: No such file or directory");
	assert_int_equal(fclose(out), 0);
	free(copy);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, scratch_leave)

TEST_MAIN(TEST(signals_and_short_reads_lose_nothing), TEST(no_more_than_allowed),
          TEST(what_cannot_be_read), TEST(a_copy_is_whole))
