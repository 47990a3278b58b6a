/* layout_run(): real data, only where it is missing, and clear words when it cannot be written.
 */
#include "support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "run/layout.h"
#include "run/target.h"
#include "run/written.h"
#include "support/scratch.h"

static struct layout l;
static struct live live;

static void prepare(const char *name, uint64_t size_bytes)
{
	struct err e = { 0 };

	l = (struct layout){ .size_bytes = size_bytes, .seed = 1 };
	memset(&live, 0, sizeof(live));
	(void)snprintf(l.path, sizeof(l.path), "%s", name);
	assert_int_equal(target_create(name, &l.made, &e), 0);
	l.dev = l.made.dev;
	l.ino = l.made.ino;
}

static unsigned char *contents(const char *name, uint64_t size_bytes)
{
	AUTO(closep) int fd = open(name, O_RDONLY | O_CLOEXEC);
	unsigned char *buf = malloc(size_bytes + 1);

	assert_non_null(buf);
	for (uint64_t n = 0; n < size_bytes;) {
		ssize_t r = pread(fd, buf + n, size_bytes - n, (off_t)n);

		assert_true(r > 0);
		n += (uint64_t)r;
	}
	assert_int_equal(pread(fd, buf + size_bytes, 1, (off_t)size_bytes),
	                 0); /* and no more */
	return buf;
}

static int gap(void *arg, uint64_t from, uint64_t to)
{
	(void)from;
	(void)to;
	++*(int *)arg;
	return 0;
}

static int compare(const void *a, const void *b)
{
	return memcmp(a, b, 8);
}

/* Every 512 bytes begin differently, and the bytes are as mixed as chance has it. */
static void assert_random(unsigned char *data, uint64_t size_bytes)
{
	uint64_t pieces = size_bytes / 512, count[256] = { 0 };
	unsigned char *heads = malloc(pieces * 8);

	assert_non_null(heads);
	for (uint64_t i = 0; i < pieces; i++)
		memcpy(heads + i * 8, data + i * 512, 8);
	qsort(heads, pieces, 8, compare);
	for (uint64_t i = 1; i < pieces; i++)
		assert_true(compare(heads + i * 8 - 8, heads + i * 8) != 0);
	free(heads);
	for (uint64_t i = 0; i < size_bytes; i++)
		count[data[i]]++;
	for (int i = 0; i < 256;
	     i++) /* mean n/256; five and more standard deviations off is no chance */
		assert_in_range(count[i], size_bytes / 256 * 97 / 100,
		                size_bytes / 256 * 103 / 100);
}

static void whole_file_is_real_data(void **state)
{
	const uint64_t size = 20 * MIB + 12345; /* an odd tail that direct I/O cannot write */
	struct err e = { 0 };
	unsigned char *data;
	int gaps = 0;

	(void)state;
	prepare("t.bin", size);
	assert_int_equal(layout_run(&l, &live, &e), 0);
	assert_int_equal(live.layout_done, size);
	assert_int_equal(live.layout_total, size);
	AUTO(closep) int fd = open("t.bin", O_RDONLY | O_CLOEXEC);

	assert_int_equal(gaps_each(fd, size, gap, &gaps), 0);
	assert_int_equal(gaps, 0);
	data = contents("t.bin", size);
	assert_random(data, size);
	free(data);
}

static void only_what_is_missing_is_written(void **state)
{
	const uint64_t size = 8 * MIB;
	unsigned char *first, *second;
	struct err e = { 0 };

	(void)state;
	prepare("t.bin", size);
	assert_int_equal(layout_run(&l, &live, &e), 0);
	first = contents("t.bin", size);
	AUTO(closep) int fd = open("t.bin", O_RDWR | O_CLOEXEC);

	if (fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 3 * MIB + 8192, 4096) !=
	    0)
		skip();
	assert_int_equal(layout_run(&l, &live, &e), 0);
	assert_int_equal(live.layout_done, 1 * MIB);
	second = contents("t.bin", size);
	assert_memory_equal(first, second, 3 * MIB);
	assert_memory_equal(first + 4 * MIB, second + 4 * MIB, 4 * MIB);
	assert_random(second, size); /* the new part repeats nothing of the old */
	free(first);
	free(second);
	assert_int_equal(layout_run(&l, &live, &e), 0);
	assert_int_equal(live.layout_done, 0);
	l.size_bytes = 9 * MIB; /* grown later */
	assert_int_equal(layout_run(&l, &live, &e), 0);
	assert_int_equal(live.layout_done, 1 * MIB);
	l.whole = true;
	assert_int_equal(layout_run(&l, &live, &e), 0);
	assert_int_equal(live.layout_done, 9 * MIB);
}

static void stop_ends_it(void **state)
{
	struct err e = { 0 };

	(void)state;
	prepare("t.bin", 64 * MIB);
	live.stop = 1;
	assert_int_equal(layout_run(&l, &live, &e), -EINTR);
	assert_string_equal(e.text, "lay out t.bin: stopped");
	assert_int_equal(live.layout_done, 0);
}

static void another_file_is_left_alone(void **state)
{
	struct err e = { 0 };

	(void)state;
	prepare("t.bin", 4096);
	assert_int_equal(rename("t.bin", "was"), 0);
	scratch_write("t.bin", 700);
	assert_int_equal(layout_run(&l, &live, &e), -ESTALE);
	assert_string_equal(e.text, "t.bin is no longer the file that it was");
	e = (struct err){ 0 };
	assert_int_equal(unlink("t.bin"), 0);
	assert_int_equal(symlink("was", "t.bin"), 0);
	assert_int_equal(layout_run(&l, &live, &e), -ELOOP);
	assert_string_equal(e.text,
	                    "open t.bin to write its data: Too many levels of symbolic links");
}

static void file_size_limit_is_said(void **state)
{
	struct rlimit old, small;
	struct err e = { 0 };

	(void)state;
	prepare("t.bin", 64 * MIB);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = (struct rlimit){ .rlim_cur = 1 * MIB, .rlim_max = old.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_int_equal(layout_run(&l, &live, &e), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_string_equal(
	    e.text,
	    "lay out t.bin: larger than the file size limit of this process (ulimit -f)");
}

static void full_file_system_is_said(void **state)
{
	char node[64];
	struct err e = { 0 };

	(void)state;
	if (geteuid() != 0)
		skip();
	scratch_sparse("img", 16 * MIB);
	if (!scratch_loop(node, sizeof(node), "img") ||
	    scratch_run("mkfs.ext4", "-q", "-F", node, NULL) || !scratch_mount(node, "mnt"))
		skip();
	prepare("mnt/t.bin", 64 * MIB);
	assert_int_equal(layout_run(&l, &live, &e), -ENOSPC);
	assert_non_null(strstr(
	    e.text, "lay out mnt/t.bin: No space left on device (64 MiB to be written, "));
	assert_non_null(strstr(e.text, " MiB free)"));
}

static void devices_are_filled_whole(void **state)
{
	struct target_info t;
	char node[64];
	struct err e = { 0 };

	(void)state;
	if (geteuid() != 0)
		skip();
	scratch_sparse("img", 16 * MIB + 512);
	if (!scratch_loop(node, sizeof(node), "img"))
		skip();
	target_inspect(&t, node);
	l = (struct layout){ .size_bytes = t.size_bytes,
		             .block_device = true,
		             .whole = true,
		             .dev = t.dev,
		             .ino = t.ino };
	(void)snprintf(l.path, sizeof(l.path), "%s", node);
	assert_int_equal(layout_run(&l, &live, &e), 0);
	assert_int_equal(live.layout_done, 16 * MIB + 512);
	target_check_written(&t, 0, 1);
	assert_int_equal(t.zero_pct, 0);
	l.major = t.major;
	l.minor = t.minor;
	l.diskseq = t.diskseq;
	l.size_bytes = MIB;
	assert_int_equal(layout_run(&l, &live, &e), 0);
	l.minor++;
	assert_int_equal(layout_run(&l, &live, &e), -ESTALE);
	l.minor--;
	if (t.diskseq) {
		l.diskseq++;
		e = (struct err){ 0 };
		assert_int_equal(layout_run(&l, &live, &e), -ESTALE);
		assert_non_null(strstr(e.text, "is no longer the device that it was"));
	}
	l.block_device = false;
	assert_int_equal(layout_run(&l, &live, &e), -ESTALE);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, scratch_enter, scratch_leave)

TEST_MAIN(CASE(whole_file_is_real_data), CASE(only_what_is_missing_is_written),
          CASE(stop_ends_it), CASE(another_file_is_left_alone), CASE(file_size_limit_is_said),
          CASE(full_file_system_is_said), CASE(devices_are_filled_whole))
