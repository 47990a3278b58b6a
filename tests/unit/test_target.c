/* run/target.h on files: looking, marking, making, removing. */
#include "support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "run/target.h"
#include "run/written.h"
#include "support/scratch.h"

static struct target_info t;

/* The text with the scratch directory in the place of its "%s". */
static void in_scratch(char *out, size_t size, const char *text)
{
	const char *at = strstr(text, "%s");

	if (at)
		(void)snprintf(out, size, "%.*s%s%s", (int)(at - text), text, scratch_dir(),
		               at + 2);
	else
		(void)snprintf(out, size, "%s", text);
}

static void unusable_names_the_reason(void **state)
{
	static const struct {
		const char *filename, *problem; /* %s: the scratch directory */
		int error;
	} bad[] = {
		{ "/dev/no-such-disk", "no such device: /dev/no-such-disk", ENODEV },
		{ "/dev/none/disk", "no such device: /dev/none/disk", ENODEV },
		{ "/proc/none", "no such device: /proc/none", ENODEV },
		{ "/sys/none", "no such device: /sys/none", ENODEV },
		{ "none/t.bin", "no such directory: %s/none", ENOENT },
		{ "none/", "no such directory: %s/none", ENOENT },
		{ "plain/t.bin", "no such directory: %s/plain", ENOENT },
		{ "nas:/share/t.bin",
		  "no such directory: %s/nas:/share (a remote share is no path: mount it "
		  "first)",
		  ENOENT },
		{ "dangling", "%s/dangling is a symbolic link to nothing", ENOENT },
		{ "/dev/full",
		  "/dev/full is a character device: only files, directories and block devices "
		  "are measured",
		  EINVAL },
		{ "fifo",
		  "%s/fifo is a fifo: only files, directories and block devices are measured",
		  EINVAL },
		{ "socket",
		  "%s/socket is a socket: only files, directories and block devices are "
		  "measured",
		  EINVAL },
		{ "/proc/version", "/proc/version is no storage: it belongs to the kernel",
		  EINVAL },
	};
	struct sockaddr_un name = { .sun_family = AF_UNIX, .sun_path = "socket" };
	AUTO(closep) int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char want[2 * PATH_MAX];

	(void)state;
	scratch_write("plain", 10);
	assert_int_equal(symlink("nowhere", "dangling"), 0);
	assert_int_equal(mkfifo("fifo", 0600), 0);
	assert_int_equal(bind(s, (struct sockaddr *)&name, sizeof(name)), 0);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		target_inspect(&t, bad[i].filename);
		assert_int_equal(t.kind, TARGET_UNUSABLE);
		assert_int_equal(t.problem_errno, bad[i].error);
		in_scratch(want, sizeof(want), bad[i].problem);
		assert_string_equal(t.problem, want);
		assert_string_equal(t.filename, bad[i].filename);
	}
}

static void control_bytes_do_not_reach_the_problem(void **state)
{
	(void)state;
	target_inspect(&t, "/dev/x\033[2J\n");
	assert_string_equal(t.problem, "no such device: /dev/x?[2J?");
}

static void missing_file_can_be_made(void **state)
{
	char want[2 * PATH_MAX];

	(void)state;
	assert_int_equal(mkdir("real", 0700), 0);
	assert_int_equal(symlink("real", "link"), 0);
	target_inspect(&t, "link/t.bin");
	assert_int_equal(t.kind, TARGET_MISSING);
	in_scratch(want, sizeof(want), "%s/real/t.bin");
	assert_string_equal(t.path, want);
	assert_true(t.writable);
	assert_true(t.free_bytes > 0);
	assert_int_equal(t.size_bytes, 0);
	assert_string_not_equal(t.fs, "");
	assert_int_equal(access("real/t.bin", F_OK), -1);
	assert_int_equal(rmdir("real"), 0); /* looking left nothing in it */
}

static void file_is_looked_at(void **state)
{
	struct stat st;

	(void)state;
	scratch_write("t.bin", 10000);
	target_inspect(&t, "t.bin");
	assert_int_equal(stat("t.bin", &st), 0);
	assert_int_equal(t.kind, TARGET_FILE);
	assert_int_equal(t.size_bytes, 10000);
	assert_int_equal(t.dev, st.st_dev);
	assert_int_equal(t.ino, st.st_ino);
	assert_false(t.ours);
	assert_true(t.offset_align == 0 || (t.offset_align & (t.offset_align - 1)) == 0);
	target_inspect(&t, ".");
	assert_int_equal(t.kind, TARGET_DIRECTORY);
	assert_string_equal(t.path, scratch_dir());
}

static void no_permission_is_said(void **state)
{
	char want[2 * PATH_MAX];

	(void)state;
	if (geteuid() == 0)
		skip();
	scratch_write("secret", 10);
	assert_int_equal(chmod("secret", 0), 0);
	target_inspect(&t, "secret");
	assert_int_equal(t.kind, TARGET_UNUSABLE);
	assert_int_equal(t.problem_errno, EACCES);
	in_scratch(want, sizeof(want), "cannot open %s/secret: Permission denied");
	assert_string_equal(t.problem, want);
}

static void made_files_are_known_again(void **state)
{
	struct target_made m = { 0 }, again = { 0 };
	struct err e = { 0 };
	struct stat st;

	(void)state;
	assert_int_equal(target_create("t.bin", &m, &e), 0);
	assert_int_equal(stat("t.bin", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(m.dev, st.st_dev);
	assert_int_equal(m.ino, st.st_ino);
	if (!target_is_ours("t.bin"))
		skip(); /* no extended attributes here */
	target_inspect(&t, "t.bin");
	assert_true(t.ours);
	assert_int_equal(target_create("t.bin", &again, &e), 0);
	assert_int_equal(again.ino, m.ino);
}

static void copies_of_the_marker_do_not_count(void **state)
{
	struct target_made m = { 0 };
	struct err e = { 0 };
	char mark[128];
	ssize_t n;

	(void)state;
	assert_int_equal(target_create("t.bin", &m, &e), 0);
	if (!target_is_ours("t.bin"))
		skip();
	n = getxattr("t.bin", "user.iosweep", mark, sizeof(mark));
	scratch_write("copy.bin", 10);
	assert_int_equal(setxattr("copy.bin", "user.iosweep", mark, (size_t)n, 0), 0);
	assert_false(target_is_ours("copy.bin"));
	assert_int_equal(symlink("t.bin", "link"), 0);
	assert_false(target_is_ours("link"));
}

static void create_leaves_what_is_not_ours(void **state)
{
	struct target_made m = { 0 };
	struct err e = { 0 };

	(void)state;
	scratch_write("precious", 700);
	assert_int_equal(target_create("precious", &m, &e), -EEXIST);
	assert_string_equal(e.text, "precious exists and was not made by iosweep");
	e = (struct err){ 0 };
	assert_int_equal(symlink("elsewhere", "link"), 0);
	assert_int_equal(target_create("link", &m, &e), -EEXIST);
	assert_int_equal(access("elsewhere", F_OK), -1);
	e = (struct err){ 0 };
	assert_int_equal(target_create("none/t.bin", &m, &e), -ENOENT);
	assert_string_equal(e.text, "create none/t.bin: No such file or directory");
}

static void remove_takes_only_what_we_made(void **state)
{
	struct target_made m = { 0 };
	struct err e = { 0 };

	(void)state;
	assert_int_equal(target_create("t.bin", &m, &e), 0);
	assert_int_equal(
	    target_remove("t.bin", &(struct target_made){ .dev = m.dev, .ino = m.ino + 1 }, &e),
	    -EEXIST);
	assert_string_equal(e.text, "t.bin is another file than the one that iosweep made");
	e = (struct err){ 0 };
	scratch_write("precious", 700);
	assert_int_equal(target_remove("precious", &(struct target_made){ 0 }, &e), -EPERM);
	assert_string_equal(e.text, "precious does not carry the marker of iosweep");
	e = (struct err){ 0 };
	assert_int_equal(symlink("t.bin", "link"), 0);
	assert_int_equal(target_remove("link", &m, &e), -EEXIST);
	assert_string_equal(e.text, "link is no longer a regular file");
	e = (struct err){ 0 };
	assert_int_equal(target_remove("t.bin", &m, &e), 0);
	assert_int_equal(access("t.bin", F_OK), -1);
	assert_int_equal(target_remove("t.bin", &m, &e), 0); /* gone already */
	assert_int_equal(target_remove("none/t.bin", &m, &e), 0);
	assert_int_equal(access("precious", F_OK), 0);
}

/* A program that writes into a file that is there leaves its attributes. */
static void what_was_copied_into_it_is_not_ours(void **state)
{
	struct target_made m = { .size = 4096 };
	AUTO(closep) int fd = -1;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(target_create("t.bin", &m, &e), 0);
	fd = open("t.bin", O_RDWR | O_CLOEXEC);
	if (!target_is_ours("t.bin"))
		skip();
	assert_int_equal(ftruncate(fd, 4097), 0);
	assert_false(target_is_ours("t.bin"));
	assert_int_equal(ftruncate(fd, 700), 0);
	assert_true(target_is_ours("t.bin")); /* on its way to 4096 */
	assert_int_equal(ftruncate(fd, 4096), 0);
	assert_int_equal(target_mark_sizes(fd, 4096, 4096), 0);
	assert_true(target_is_ours("t.bin"));
	assert_int_equal(ftruncate(fd, 700), 0);
	assert_false(target_is_ours("t.bin"));
	assert_int_equal(target_remove("t.bin", &m, &e), -EPERM);
	assert_int_equal(target_mark_sizes(fd, 0, 700), 0); /* it is not made ours again */
	assert_false(target_is_ours("t.bin"));
}

static void remove_takes_nothing_of_another_sweep(void **state)
{
	struct target_made m = { .sweep = "mine" }, other = { .sweep = "other" };
	struct err e = { 0 };

	(void)state;
	assert_int_equal(target_create("t.bin", &m, &e), 0);
	if (!target_is_ours("t.bin"))
		skip();
	assert_int_equal(target_remove("t.bin", &other, &e), -EPERM);
	assert_string_equal(e.text, "t.bin was made by another sweep");
	e = (struct err){ 0 };
	assert_int_equal(target_remove("t.bin", &m, &e), 0);
	assert_int_equal(access("t.bin", F_OK), -1);
}

static void file_names(void **state)
{
	char buf[64];

	(void)state;
	target_file_path(buf, sizeof(buf), "/d", true, 12);
	assert_string_equal(buf, "/d/iosweep.12.dat");
	target_file_path(buf, sizeof(buf), "/d/t.bin", false, 12);
	assert_string_equal(buf, "/d/t.bin");
}

struct gaps {
	uint64_t from[8], to[8];
	size_t n;
};

static int note_gap(void *arg, uint64_t from, uint64_t to)
{
	struct gaps *g = arg;

	if (g->n < 8) {
		g->from[g->n] = from;
		g->to[g->n] = to;
	}
	g->n++;
	return 0;
}

/* 0..64k written, 64k..1M hole, 1M..1M+64k written, then allocated only, to the end at 2M. */
static void gaps_are_holes_and_unwritten_parts(void **state)
{
	static const char data[65536] = "data";
	AUTO(closep) int fd = open("t.bin", O_CREAT | O_RDWR | O_CLOEXEC, 0600);
	struct gaps g = { .n = 0 };
	bool allocated;

	(void)state;
	assert_int_equal(pwrite(fd, data, sizeof(data), 0), sizeof(data));
	assert_int_equal(pwrite(fd, data, sizeof(data), 1 * MIB), sizeof(data));
	allocated = fallocate(fd, 0, 1 * MIB + 64 * KIB, 1 * MIB - 64 * KIB) == 0;
	if (!allocated)
		assert_int_equal(ftruncate(fd, 2 * MIB), 0);
	assert_int_equal(gaps_each(fd, 3 * MIB, note_gap, &g), 0);
	if (g.n == 1) /* this file system tells neither extents nor holes */
		skip();
	assert_int_equal(g.from[0], 64 * KIB);
	assert_int_equal(g.to[0], 1 * MIB);
	assert_int_equal(g.to[g.n - 1], 3 * MIB);
	assert_int_equal(g.from[1], 1 * MIB + 64 * KIB);
}

static void unwritten_files_are_found(void **state)
{
	(void)state;
	scratch_sparse("holes", 1 * MIB);
	target_inspect(&t, "holes");
	target_check_written(&t, 0, 1);
	assert_true(t.unwritten);
	assert_int_equal(t.zero_pct, -1);
	t.ours = true; /* laid out before it is read */
	t.unwritten = false;
	target_check_written(&t, 0, 1);
	assert_false(t.unwritten);
	scratch_write("full", 100000);
	assert_int_equal(truncate("full", 1 * MIB), 0);
	target_inspect(&t, "full");
	target_check_written(&t, 98304, 1); /* only what will be read counts */
	assert_false(t.unwritten);
	target_check_written(&t, 1 * MIB, 1);
	assert_true(t.unwritten);
}

static void layout_bytes_are_what_is_missing(void **state)
{
	struct intent want = { .reads = true, .size_bytes = 1 * MIB, .files = 3 };
	struct target_made m = { 0 };
	struct err e = { 0 };

	(void)state;
	target_inspect(&t, "t.bin");
	assert_int_equal(target_layout_bytes(&t, &want), 1 * MIB);
	scratch_write("foreign", 4096);
	target_inspect(&t, "foreign");
	assert_int_equal(target_layout_bytes(&t, &want), 0);
	assert_int_equal(target_create("t.bin", &m, &e), 0);
	target_inspect(&t, "t.bin");
	t.ours = true;
	assert_int_equal(target_layout_bytes(&t, &want), 1 * MIB);
	assert_int_equal(mkdir("d", 0700), 0);
	target_inspect(&t, "d");
	scratch_write("d/iosweep.1.dat", 512 * KIB);
	assert_int_equal(target_layout_bytes(&t, &want), 2 * MIB + 512 * KIB);
	want.size_bytes = UINT64_C(1) << 62; /* sums beyond counting are not wrapped */
	want.files = 5;
	assert_int_equal(target_layout_bytes(&t, &want), UINT64_MAX);
}

static void a_second_sweep_is_kept_out(void **state)
{
	struct hold mine = { 0 }, theirs = { 0 };
	char want[2 * PATH_MAX];
	struct err e = { 0 };

	(void)state;
	scratch_write("t.bin", 4096);
	target_inspect(&t, "t.bin");
	assert_int_equal(target_hold(&mine, &t, false, SEC, &e), 0);
	assert_int_equal(target_hold(&theirs, &t, false, SEC, &e), -EBUSY);
	in_scratch(want, sizeof(want), "another iosweep uses %s/t.bin");
	assert_string_equal(e.text, want);
	hold_release(&mine);
	e = (struct err){ 0 };
	assert_int_equal(target_hold(&theirs, &t, false, SEC, &e), 0);
	hold_release(&theirs);
	assert_int_equal(rename("t.bin", "old.bin"), 0);
	scratch_write("t.bin", 4096);
	assert_int_equal(target_hold(&mine, &t, false, SEC, &e), -ESTALE);
	in_scratch(want, sizeof(want),
	           "%s/t.bin is no longer what it was when the sweep was planned");
	assert_string_equal(e.text, want);
	assert_int_equal(mine.len, 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, scratch_enter, scratch_leave)

TEST_MAIN(CASE(unusable_names_the_reason), CASE(control_bytes_do_not_reach_the_problem),
          CASE(missing_file_can_be_made), CASE(file_is_looked_at), CASE(no_permission_is_said),
          CASE(made_files_are_known_again), CASE(copies_of_the_marker_do_not_count),
          CASE(create_leaves_what_is_not_ours), CASE(remove_takes_only_what_we_made),
          CASE(what_was_copied_into_it_is_not_ours),
          CASE(remove_takes_nothing_of_another_sweep), CASE(file_names),
          CASE(gaps_are_holes_and_unwritten_parts), CASE(unwritten_files_are_found),
          CASE(layout_bytes_are_what_is_missing), CASE(a_second_sweep_is_kept_out))
