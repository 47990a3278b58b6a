/* guard_decide(): what is refused, in which words; nothing on the victim changes. Devices are
 * loop devices made here. */
#include "support/test.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/blkpg.h>
#include <linux/fs.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "run/mounts.h"
#include "run/target.h"
#include "support/scratch.h"

static struct target_info t;

/* Everything is asked for the next check; emptied by scratch_leave's caller below. */
static struct strlist destroy, signature, overwrite, refusals;

static int enter(void **state)
{
	return scratch_enter(state);
}

static int leave(void **state)
{
	strlist_fini(&destroy);
	strlist_fini(&signature);
	strlist_fini(&overwrite);
	strlist_fini(&refusals);
	return scratch_leave(state);
}

static void check(const char *filename, const struct intent *want)
{
	struct consent c = { &destroy, &signature, &overwrite };

	strlist_fini(&refusals);
	target_inspect(&t, filename);
	guard_decide(&t, want, &c, &refusals, NULL);
}

static void writes(const char *filename)
{
	check(filename, &(struct intent){ .writes = true, .size_bytes = 4096 });
}

/* The i-th refusal is "<name>: <text>"; a "@" in text stands for `with`. */
static void refused(size_t i, const char *name, const char *text, const char *with)
{
	char want[4 * PATH_MAX];
	size_t n = (size_t)snprintf(want, sizeof(want), "%s: ", name);

	for (; *text; text++)
		n += (size_t)snprintf(want + n, sizeof(want) - n, *text == '@' ? "%s" : "%.1s",
		                      *text == '@' ? with : text);
	assert_true(i < refusals.len);
	assert_string_equal(refusals.item[i], want);
}

static void foreign_files(void **state)
{
	(void)state;
	scratch_write("precious.txt", 700);
	check("precious.txt", &(struct intent){ .reads = true, .size_bytes = 512 });
	assert_int_equal(refusals.len, 0);
	check("precious.txt", &(struct intent){ .reads = true, .size_bytes = 64 * KIB });
	assert_int_equal(refusals.len, 1);
	refused(0, "precious.txt",
	        "size 64k is beyond its 700 B (700 bytes), and a file that iosweep did not "
	        "make is never "
	        "extended: use a smaller size, or a file that does not exist",
	        "");
	check("precious.txt", &(struct intent){ .writes = true, .size_bytes = 64 * KIB });
	assert_int_equal(refusals.len, 2);
	refused(1, "precious.txt",
	        "it exists, was not made by iosweep, and would be written to: to allow it, "
	        "name it in "
	        "\"may_overwrite\", or use a file that does not exist",
	        "");
	strlist_add(&overwrite, "other.txt");
	check("precious.txt", &(struct intent){ .fill = true, .size_bytes = 512 });
	assert_int_equal(refusals.len, 1);
	strlist_add(&overwrite, "./precious.txt");
	check("precious.txt", &(struct intent){ .writes = true, .size_bytes = 512 });
	assert_int_equal(refusals.len, 0);
	check("precious.txt", &(struct intent){ .writes = true, .size_bytes = 701 });
	assert_int_equal(refusals.len, 1); /* allowed to be written, still never extended */
}

static void files_with_two_names(void **state)
{
	(void)state;
	scratch_write("a", 4096);
	assert_int_equal(link("a", "b"), 0);
	strlist_add(&overwrite, "a");
	writes("a");
	assert_int_equal(refusals.len, 1);
	refused(
	    0, "a",
	    "it has 2 names (hard links), so other names would change too: use a file with one",
	    "");
}

static void our_files_may_grow(void **state)
{
	struct target_made m = { 0 };
	struct err e = { 0 };

	(void)state;
	assert_int_equal(target_create("t.bin", &m, &e), 0);
	if (!target_is_ours("t.bin"))
		skip();
	check("t.bin", &(struct intent){ .writes = true, .size_bytes = MIB });
	assert_int_equal(refusals.len, 0);
	check("new.bin", &(struct intent){ .writes = true, .fill = true, .size_bytes = MIB });
	assert_int_equal(refusals.len, 0);
}

static void replaced_files_are_noticed(void **state)
{
	struct consent c = { &destroy, &signature, &overwrite };

	(void)state;
	scratch_write("a", 4096);
	strlist_add(&overwrite, "a");
	target_inspect(&t, "a");
	assert_int_equal(rename("a", "was"), 0);
	scratch_write("a", 4096);
	guard_decide(&t, &(struct intent){ .writes = true }, &c, &refusals, NULL);
	assert_int_equal(refusals.len, 1);
	refused(0, "a", "it is another file than a moment ago: start again", "");
}

static void directories_with_foreign_files(void **state)
{
	char want[2 * PATH_MAX];

	(void)state;
	assert_int_equal(mkdir("d", 0700), 0);
	check("d", &(struct intent){ .writes = true, .size_bytes = 4096, .files = 4 });
	assert_int_equal(refusals.len, 0);
	scratch_write("d/iosweep.1.dat", 10);
	assert_int_equal(symlink("/dev/null", "d/iosweep.3.dat"), 0);
	check("d", &(struct intent){ .writes = true, .size_bytes = 4096, .files = 1 });
	assert_int_equal(refusals.len, 0);
	check("d", &(struct intent){ .reads = true, .size_bytes = 4096, .files = 4 });
	assert_int_equal(refusals.len, 1);
	(void)snprintf(want, sizeof(want),
	               "%s/d/iosweep.1.dat exists and was not made by iosweep (2 such files): "
	               "move it away, or "
	               "use another directory",
	               scratch_dir());
	refused(0, "d", want, "");
}

static void mountinfo_lines(void **state)
{
	struct mount m;

	(void)state;
	assert_true(mount_parse(
	    &m, "36 35 8:17 / /mnt/a\\040b rw,noatime master:1 shared:2 - ext3 /dev/sdb1 "
		"rw,errors=continue\n"));
	assert_int_equal(m.dev, makedev(8, 17));
	assert_int_equal(m.source_dev, makedev(8, 17));
	assert_string_equal(m.point, "/mnt/a b");
	assert_string_equal(m.fs, "ext3");
	assert_string_equal(m.source, "/dev/sdb1");
	assert_string_equal(m.options, "rw,noatime,errors=continue");
	assert_true(mount_parse(&m, "1 0 0:27 /sub / ro - btrfs /dev/sda rw"));
	assert_int_equal(m.source_dev, 0);
	assert_string_equal(m.options, "ro");
	assert_false(mount_parse(&m, "garbage"));
	assert_false(mount_parse(&m, "1 0 0:27 / /x rw"));
}

/* From here on: root, and loop devices. */
static char node[64];

static void need_loop(const char *name)
{
	if (geteuid() != 0)
		skip();
	scratch_sparse(name, 16 * MIB);
	if (!scratch_loop(node, sizeof(node), name))
		skip();
}

static void need_ext4(const char *device)
{
	if (scratch_run("mkfs.ext4", "-q", "-F", device, NULL))
		skip();
}

static void devices_need_their_name(void **state)
{
	struct world w = { .target = &t, .targets = 1 };
	struct consent c = { &destroy, &signature, &overwrite };
	unsigned minor;
	char number[32];

	(void)state;
	need_loop("img");
	writes(node);
	assert_int_equal(refusals.len, 1);
	refused(0, node, "all data on this device would be lost: to allow it, add --destroy @",
	        node);
	check(node, &(struct intent){ .reads = true });
	assert_int_equal(refusals.len, 0);
	strlist_add(&overwrite, node); /* a config alone is never enough */
	writes(node);
	assert_int_equal(refusals.len, 1);
	strlist_add(&destroy, "/dev/null");
	strlist_add(&destroy, "1:2:3");
	writes(node);
	assert_int_equal(refusals.len, 1);
	assert_int_equal(symlink(node, "by-id"), 0);
	strlist_add(&destroy, "by-id");
	writes(node);
	assert_int_equal(refusals.len, 0);
	strlist_fini(&refusals);
	guard_check_destroy(&w, &c, &refusals);
	assert_int_equal(refusals.len, 2);
	assert_string_equal(refusals.item[0], "--destroy /dev/null: no such block device");
	assert_string_equal(refusals.item[1], "--destroy 1:2:3: no such block device");
	strlist_fini(&destroy);
	assert_int_equal(sscanf(node, "/dev/loop%u", &minor), 1);
	(void)snprintf(number, sizeof(number), "7:%u", minor);
	strlist_add(&destroy, number);
	writes("by-id");
	assert_int_equal(refusals.len, 0);
	strlist_add(&destroy, "254:77");
	strlist_fini(&refusals);
	guard_check_destroy(&w, &c, &refusals);
	assert_int_equal(refusals.len, 1);
	assert_string_equal(refusals.item[0],
	                    "--destroy 254:77: no target of this sweep is that device");
}

static void signatures_are_given_up_by_name(void **state)
{
	static const char text[] =
	    "there is a signature of type @ on it: if that data may be lost, add "
	    "--overwrite-signature=@";
	uint64_t before;

	(void)state;
	need_loop("img");
	need_ext4(node);
	strlist_add(&destroy, node);
	before = scratch_hash(node);
	writes(node);
	assert_int_equal(refusals.len, 1);
	refused(0, node, text, "ext4");
	strlist_add(&signature, "xfs");
	writes(node);
	assert_int_equal(refusals.len, 1);
	strlist_add(&signature, "ext4");
	writes(node);
	assert_int_equal(refusals.len, 0);
	assert_int_equal(scratch_hash(node), before);
	assert_int_equal(scratch_run("mkswap", node, NULL), 0);
	writes(node);
	refused(0, node, text, "swap");
}

static void mounted_by_number(void **state)
{
	char mine[PATH_MAX + 16], second[3 * PATH_MAX], other[64];
	unsigned minor;
	struct hold h = { 0 };
	struct err e = { 0 };
	uint64_t before;

	(void)state;
	need_loop("img");
	need_ext4(node);
	if (!scratch_mount(node, "mnt"))
		skip();
	before = scratch_hash("img");
	(void)snprintf(mine, sizeof(mine), "%s/mnt", scratch_dir());
	strlist_add(&destroy, node);
	strlist_add(&signature, "ext4");
	writes(node);
	assert_int_equal(refusals.len, 1);
	refused(0, node, "it is mounted at @: unmount it first; no option overrides this",
	        mine);
	assert_int_equal(symlink(node, "link"), 0);
	writes("link");
	refused(0, "link", "it is mounted at @: unmount it first; no option overrides this",
	        mine);
	assert_int_equal(sscanf(node, "/dev/loop%u", &minor), 1);
	(void)snprintf(second, sizeof(second), "%s/second", scratch_dir());
	if (!mknod(second, S_IFBLK | 0600, makedev(7, minor))) {
		writes(second);
		if (t.kind == TARGET_BLOCK) /* not on a file system mounted nodev */
			refused(
			    0, second,
			    "it is mounted at @: unmount it first; no option overrides this",
			    mine);
	}
	target_inspect(&t, node);
	assert_int_equal(target_hold(&h, &t, true, SEC, &e), -16);
	assert_int_equal(target_hold(&h, &t, false, SEC, &e), 0);
	hold_release(&h);
	/* A second loop device over the same file writes into the mounted one. */
	(void)snprintf(second, sizeof(second), "%s", node);
	assert_true(scratch_loop(other, sizeof(other), "img"));
	strlist_add(&destroy, other);
	writes(other);
	(void)snprintf(second, sizeof(second), "%s, over the same file, is mounted at %s",
	               node + 5, mine);
	refused(0, other, "@: unmount it first; no option overrides this", second);
	assert_int_equal(scratch_hash("img"), before);
}

static void loops_above_and_below(void **state)
{
	char below[64], above[64], text[2 * PATH_MAX];

	(void)state;
	need_loop("img");
	(void)snprintf(below, sizeof(below), "%s", node);
	need_ext4(below);
	if (!scratch_loop(above, sizeof(above), below))
		skip();
	strlist_add(&signature, "ext4");
	strlist_add(&destroy, below);
	strlist_add(&destroy, above);
	writes(below);
	assert_int_equal(refusals.len, 1);
	(void)snprintf(text, sizeof(text),
	               "it backs the loop device %s: detach that first (losetup -d %s)",
	               above + 5, above);
	refused(0, below, "@; no option overrides this", text);
	if (!scratch_mount(below, "mnt"))
		skip();
	writes(above);
	assert_int_equal(refusals.len, 1);
	(void)snprintf(text, sizeof(text), "%s, which backs it, is mounted at %s/mnt",
	               below + 5, scratch_dir());
	refused(0, above, "@: unmount it first; no option overrides this", text);
	strlist_add(&overwrite, "img");
	writes("img");
	(void)snprintf(text, sizeof(text), "%s", below);
	assert_int_equal(refusals.len, 1);
	(void)snprintf(text, sizeof(text),
	               "it backs the loop device %s: detach that first (losetup -d %s)",
	               below + 5, below);
	refused(0, "img", "@", text);
}

static void partitions_and_whole_disks(void **state)
{
	struct blkpg_partition part = { .start = 1 * MIB, .length = 8 * MIB, .pno = 1 };
	struct blkpg_ioctl_arg arg = { .op = BLKPG_ADD_PARTITION,
		                       .datalen = sizeof(part),
		                       .data = &part };
	char p1[80], text[2 * PATH_MAX];

	(void)state;
	need_loop("img");
	AUTO(closep) int fd = open(node, O_RDWR | O_CLOEXEC);

	if (ioctl(fd, BLKPG, &arg) != 0)
		skip();
	(void)snprintf(p1, sizeof(p1), "%sp1", node);
	for (int i = 0; i < 100 && access(p1, F_OK) != 0; i++)
		(void)usleep(10000);
	need_ext4(p1);
	strlist_add(&signature, "ext4");
	strlist_add(&destroy, node);
	strlist_add(&destroy, p1);
	writes(p1);
	assert_int_equal(refusals.len, 0);
	if (!scratch_mount(p1, "mnt"))
		skip();
	writes(node);
	assert_int_equal(refusals.len, 1);
	(void)snprintf(text, sizeof(text), "its partition %s is mounted at %s/mnt", p1 + 5,
	               scratch_dir());
	refused(0, node, "@: unmount it first; no option overrides this", text);
	assert_int_equal(umount("mnt"), 0);
	need_ext4(node);
	assert_int_equal(rmdir("mnt"), 0);
	if (!scratch_mount(node, "mnt"))
		skip();
	writes(p1);
	(void)snprintf(text, sizeof(text), "its whole disk %s is mounted at %s/mnt", node + 5,
	               scratch_dir());
	refused(0, p1, "@: unmount it first; no option overrides this", text);
}

static void swap_is_found(void **state)
{
	bool active;

	(void)state;
	need_loop("img");
	if (scratch_run("mkswap", node, NULL) || swapon(node, 0))
		skip();
	strlist_add(&destroy, node);
	strlist_add(&signature, "swap");
	writes(node);
	active = !swapoff(node);
	assert_true(active);
	assert_int_equal(refusals.len, 1);
	refused(0, node, "it is active swap: swapoff it first; no option overrides this", "");
}

static void held_and_read_only(void **state)
{
	int read_only = 1;

	(void)state;
	need_loop("img");
	strlist_add(&destroy, node);
	AUTO(closep) int fd = open(node, O_RDONLY | O_EXCL | O_CLOEXEC);

	assert_true(fd >= 0);
	writes(node);
	assert_int_equal(refusals.len, 1);
	refused(0, node,
	        "the kernel or another program holds it exclusively (Device or resource busy): "
	        "end that use "
	        "first; no option overrides this",
	        "");
	assert_int_equal(close(fd), 0);
	fd = open(node, O_RDONLY | O_CLOEXEC);
	assert_int_equal(ioctl(fd, BLKROSET, &read_only), 0);
	writes(node);
	assert_int_equal(refusals.len, 1);
	refused(0, node, "it is read-only, or this user may not write to it", "");
	read_only = 0;
	assert_int_equal(ioctl(fd, BLKROSET, &read_only), 0);
}

static void zeros_are_unwritten(void **state)
{
	(void)state;
	need_loop("img");
	target_inspect(&t, node);
	assert_int_equal(t.size_bytes, 16 * MIB);
	target_check_written(&t, 0, 1);
	assert_int_equal(t.zero_pct, 100);
	assert_true(t.unwritten);
	scratch_write("full", 1 * MIB);
	assert_true(scratch_loop(node, sizeof(node), "full"));
	target_inspect(&t, node);
	target_check_written(&t, 0, 1);
	assert_int_equal(t.zero_pct, 0);
	assert_false(t.unwritten);
}

/* --- what every check decided --- */

static struct strlist decisions;

static void decide(const char *filename, const struct intent *want)
{
	struct consent c = { &destroy, &signature, &overwrite };

	strlist_fini(&refusals);
	strlist_fini(&decisions);
	target_inspect(&t, filename);
	guard_ask(&t, want, &c, 10 * SEC, &refusals, &decisions);
}

static void every_decision_is_told(void **state)
{
	(void)state;
	scratch_write("a", 4096);
	decide("a", &(struct intent){ .reads = true, .size_bytes = 4096 });
	assert_int_equal(decisions.len, 1);
	assert_string_equal(decisions.item[0], "a: size: allowed: it is large enough");
	decide("a", &(struct intent){ .writes = true, .size_bytes = 8192 });
	assert_int_equal(refusals.len, 2);
	assert_int_equal(decisions.len, 7);
	assert_string_equal(
	    decisions.item[1],
	    "a: consent: refused: it exists, was not made by iosweep, and would "
	    "be written to: to allow it, name it in \"may_overwrite\", or use a "
	    "file that does not exist");
	assert_string_equal(decisions.item[2], "a: writable: allowed: not tried");
	strlist_add(&overwrite, "a");
	decide("a", &(struct intent){ .writes = true, .size_bytes = 4096 });
	assert_int_equal(refusals.len, 0);
	assert_int_equal(decisions.len, 7);
	assert_string_equal(
	    decisions.item[6],
	    "a: writers: allowed: no process that can be seen has it open for writing");
	decide("new", &(struct intent){ .writes = true, .size_bytes = 4096 });
	assert_int_equal(decisions.len, 1);
	assert_string_equal(decisions.item[0], "new: missing: allowed: nothing is there: it is "
	                                       "made, and only if that is still so");
	strlist_fini(&decisions);
}

static void a_device_passes_every_check(void **state)
{
	static const char *const check[] = { "identity", "consent",    "writable", "lists",
		                             "mounts",   "swap",       "holders",  "loops",
		                             "writers",  "signatures", "exclusive" };
	char want[128];

	(void)state;
	need_loop("img");
	strlist_add(&destroy, node);
	/* the loop device is held open for writing by this process, which is the one that asks
	 */
	strlist_fini(&refusals);
	target_inspect(&t, node);
	guard_decide(&t, &(struct intent){ .fill = true },
	             &(struct consent){ .destroy = &destroy }, &refusals, &decisions);
	assert_int_equal(refusals.len, 0);
	assert_int_equal(decisions.len, ARRAY_SIZE(check));
	for (size_t i = 0; i < ARRAY_SIZE(check); i++) {
		(void)snprintf(want, sizeof(want), "%s: %s: allowed: ", node, check[i]);
		assert_ptr_equal(strstr(decisions.item[i], want), decisions.item[i]);
	}
	strlist_fini(&decisions);
}

static void another_disk_under_the_same_number(void **state)
{
	struct consent c = { .destroy = &destroy };

	(void)state;
	need_loop("img");
	strlist_add(&destroy, node);
	target_inspect(&t, node);
	if (!t.diskseq)
		skip();
	t.diskseq--;
	guard_decide(&t, &(struct intent){ .writes = true }, &c, &refusals, NULL);
	assert_int_equal(refusals.len, 1);
	refused(0, node, "it is another device than a moment ago: start again", "");
	strlist_fini(&refusals);
	t.diskseq++;
	t.size_bytes--;
	guard_decide(&t, &(struct intent){ .writes = true }, &c, &refusals, NULL);
	assert_int_equal(refusals.len, 1);
	refused(0, node, "its size is not what it was a moment ago: start again", "");
}

static void writers_of_a_file_are_named(void **state)
{
	char want[256];
	int ready[2];
	pid_t child;

	(void)state;
	scratch_write("a", 4096);
	strlist_add(&overwrite, "a");
	assert_int_equal(pipe(ready), 0);
	child = fork();
	if (child == 0) {
		int fd = open("a", O_WRONLY | O_CLOEXEC);

		(void)!write(ready[1], "x", 1);
		while (fd >= 0)
			(void)pause();
		_exit(1);
	}
	assert_int_equal(read(ready[0], want, 1), 1);
	writes("a");
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	close(ready[0]);
	close(ready[1]);
	assert_int_equal(refusals.len, 1);
	(void)snprintf(want, sizeof(want),
	               "it is open for writing by test_guard (process %d): end that first",
	               (int)child);
	refused(0, "a", want, "");
	writes("a");
	assert_int_equal(refusals.len, 0);
}

static int count_view(void *arg, const struct mount_view *v)
{
	assert_true(v->pid > 0);
	assert_non_null(strstr(v->path, "/mountinfo"));
	++*(unsigned *)arg;
	return 1; /* one is enough */
}

static void views_end_when_asked(void **state)
{
	unsigned n = 0, told;

	(void)state;
	told = mount_views_each(count_view, &n);
	assert_int_equal(told, n);
	assert_true(n <= 1);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, enter, leave)

TEST_MAIN(CASE(foreign_files), CASE(files_with_two_names), CASE(our_files_may_grow),
          CASE(replaced_files_are_noticed), CASE(directories_with_foreign_files),
          cmocka_unit_test(mountinfo_lines), CASE(devices_need_their_name),
          CASE(signatures_are_given_up_by_name), CASE(mounted_by_number),
          CASE(loops_above_and_below), CASE(partitions_and_whole_disks), CASE(swap_is_found),
          CASE(held_and_read_only), CASE(zeros_are_unwritten), CASE(every_decision_is_told),
          CASE(a_device_passes_every_check), CASE(another_disk_under_the_same_number),
          CASE(writers_of_a_file_are_named), cmocka_unit_test(views_end_when_asked))
