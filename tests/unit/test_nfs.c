/* host/nfs.h: counters out of /proc/self/mountstats. */
#include "support/test.h"

#include <errno.h>

#include "base/units.h"
#include "host/nfs.h"

static const char text[] =
    "device rootfs mounted on / with fstype rootfs\n"
    "device /dev/sda1 mounted on /mnt/nfs with fstype ext4\n"
    "device server:/export/a mounted on /mnt/nfs with fstype nfs4 statvers=1.1\n"
    "\topts:\trw,vers=4.2,rsize=1048576\n"
    "\tage:\t120\n"
    "\tevents:\t1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27\n"
    "\tbytes:\t1000 2000 3000 4000 5000 6000 7 8 \n"
    "\tRPC iostats version: 1.1  p/v: 100003/4 (nfs)\n"
    "\txprt:\ttcp 0 0 1 0 0 100 100 0 100 0 2 0 0\n"
    "\tper-op statistics\n"
    "\t        NULL: 1 1 0 44 24 0 0 0 0\n"
    "\t        READ: 50 51 0 9000 5000 11 22 33 0\n"
    "\t       WRITE: 60 60 0 6000 8000 12 24 36 0\n"
    "\t      COMMIT: 70 60 0 6000 8000 12 24 36 0\n"
    "\n"
    "device server:/export/b mounted on /mnt/two\\040words with fstype nfs statvers=1.1\n"
    "\tbytes:\t1 2 3 4 18446744073709551615 9 7 8\n"
    "\t        READ: 1 1 0 0 0 0 0 5\n"
    "device server:/export/c mounted on /mnt/old with fstype nfs\n"
    "\tbytes:\t1 2 3\n";

static void numbers_of_one_mount(void **state)
{
	struct nfs_stat s;

	(void)state;
	assert_true(nfs_stat_parse(text, "/mnt/nfs", &s));
	assert_int_equal(s.read_bytes, 5000);
	assert_int_equal(s.write_bytes, 6000);
	assert_int_equal(s.read_ios, 50);
	assert_int_equal(s.write_ios, 60);
	assert_int_equal(s.execute_ms, 69);
	assert_true(nfs_stat_parse(text, "/mnt/two words", &s));
	assert_true(s.read_bytes == UINT64_MAX);
	assert_int_equal(s.write_bytes, 9);
	assert_int_equal(s.execute_ms, 5);
	assert_false(nfs_stat_parse(text, "/mnt", &s));
	assert_false(nfs_stat_parse(text, "/", &s));
	assert_false(nfs_stat_parse(text, "/mnt/old", &s)); /* before it counted the server's */
	assert_false(nfs_stat_parse("", "/mnt/nfs", &s));
	assert_true(nfs_is("nfs4") && nfs_is("nfs") && !nfs_is("nfsd") && !nfs_is("ext4"));
	assert_int_equal(nfs_stat_read("/no/such/mount", &s), -ENOENT);
}

static void the_upper_of_two_on_one_point(void **state)
{
	static const char two[] = "device a:/ mounted on /m with fstype nfs statvers=1.1\n"
				  "\tbytes: 0 0 0 0 1 2 0 0\n"
				  "device b:/ mounted on /m with fstype nfs statvers=1.1\n"
				  "\tbytes: 0 0 0 0 3 4 0 0";
	struct nfs_stat s;

	(void)state;
	assert_true(nfs_stat_parse(two, "/m", &s));
	assert_int_equal(s.read_bytes, 3);
}

static void deltas_have_no_busy_time(void **state)
{
	const struct nfs_stat from = { 1, 4096, 2, 8192, 100 };
	struct nfs_stat to = { 11, 45056, 2, 8192, 600 };
	struct device_delta d;

	(void)state;
	nfs_stat_delta(&from, &to, SEC, &d);
	assert_true(d.valid && d.busy_unknown);
	assert_int_equal(d.read_ios, 10);
	assert_int_equal(d.read_bytes, 40960);
	assert_int_equal(d.write_ios, 0);
	assert_int_equal(d.queue_ns, 500 * MSEC);
	assert_int_equal(d.elapsed_ns, SEC);
	to.read_bytes = 0; /* mounted anew */
	nfs_stat_delta(&from, &to, SEC, &d);
	assert_false(d.valid);
}

TEST_MAIN(cmocka_unit_test(numbers_of_one_mount),
          cmocka_unit_test(the_upper_of_two_on_one_point),
          cmocka_unit_test(deltas_have_no_busy_time))
