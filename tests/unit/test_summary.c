/* What a sweep says at its end, from a database made here.
 * wrap: show_run */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cmd/summary.h"
#include "support/capture.h"
#include "support/records.h"

int __wrap_show_run(struct store *s, int64_t run_id, struct err *e);

int __wrap_show_run(struct store *s, int64_t run_id, struct err *e)
{
	(void)s;
	(void)e;
	printf("run %d\n", (int)run_id);
	return 0;
}

struct fixture {
	char *dir, db[256];
	struct sweep *sweep;
	struct store *store;
	struct err e;
	int64_t runs;
};

static int setup(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));
	struct store_header h;

	f->dir = scratch_dir();
	(void)snprintf(f->db, sizeof(f->db), "%s/a.db", f->dir);
	f->sweep = sweep_of("night");
	h = (struct store_header){ .sweep = f->sweep, .host = "box" };
	*state = f;
	return store_create(&f->store, f->db, &h, &f->e);
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	(void)store_close(f->store, NULL);
	sweep_free(f->sweep);
	scratch_remove(f->dir);
	free(f);
	return 0;
}

static void add(struct fixture *f, enum run_status status, uint64_t bs, uint64_t ios,
                const char *error, uint64_t flags)
{
	AUTO(freep) struct sample *sample = ios ? sample_of(ios, 100000) : NULL;
	struct run_of a;

	f->runs++;
	run_of(&a, f->runs, (unsigned)f->runs, status, sample);
	a.job.bs = bs;
	a.record.error = error;
	a.record.flags = flags;
	assert_int_equal(store_step(f->store, &a.record, NULL, false, &f->e), 0);
}

static const char *printed(struct fixture *f, const char *csv)
{
	static struct capture c;
	int r;

	capture_begin(&c);
	r = summary_print(f->store, "results/a.db", csv, &f->e);
	(void)capture_end(&c);
	assert_string_equal(f->e.text, "");
	assert_int_equal(r, 0);
	return c.text;
}

/* Failures that differ by their place only are one line, which names no place. */
static void failures_by_kind(void **state)
{
	struct fixture *f = *state;

	add(f, STATUS_FAILED, 4096, 0,
	    "write of 4096 bytes at offset 8192: No space left (ENOSPC)", 0);
	add(f, STATUS_FAILED, 8192, 0,
	    "write of 8192 bytes at offset 0: No space left (ENOSPC)", 0);
	add(f, STATUS_FAILED, 16384, 0, "read of 512 bytes at offset 512: I/O error (EIO)", 0);
	assert_non_null(
	    strstr(printed(f, NULL),
	           "  2 failed: write: No space left (ENOSPC)\n"
	           "  1 failed: read of 512 bytes at offset 512: I/O error (EIO)\n"));
}

static void few_runs_one_by_one(void **state)
{
	struct fixture *f = *state;

	add(f, STATUS_OK, 4096, 2000, "", 0);
	add(f, STATUS_FAILED, 4096, 200, "read at 4096: Input/output error", 0);
	assert_string_equal(
	    printed(f, "results/a.csv"),
	    "night: 2 runs: 1 ok (0 in doubt), 1 failed, 0 timed out, 0 skipped\n"
	    "  1 failed: read at 4096: Input/output error\n"
	    "results: results/a.db\n"
	    "CSV:     results/a.csv\n"
	    "\nrun 1\n"
	    "\nrun 2\n");
}

static void many_runs_in_words(void **state)
{
	struct fixture *f = *state;

	/* sample_of: 4 KiB per I/O whatever bs is, 2 s window: ios / 2 per second, ios / 512
	 * MiB/s */
	add(f, STATUS_OK, 4096, 2000, "", 0);
	add(f, STATUS_OK, 8192, 4000, "", 0);
	add(f, STATUS_OK, 16384, 8000, "", 0);
	add(f, STATUS_OK, 32768, 8080, "", 0);
	add(f, STATUS_OK, 65536, 40000, "", FLAG_BIT(unwritten));
	add(f, STATUS_SKIPPED, 2097152, 0,
	    "bs 2m is larger than size 1m (2097152 > 1048576 bytes)", 0);
	add(f, STATUS_SKIPPED, 4194304, 0,
	    "bs 4m is larger than size 1m (4194304 > 1048576 bytes)", 0);
	add(f, STATUS_SKIPPED, 4096, 0, "", 0);
	add(f, STATUS_TIMEOUT, 4096, 0, "no completion for 60 s", 0);
	add(f, STATUS_FAILED, 4096, 100000, "EIO\033[2J", 0);
	assert_string_equal(
	    printed(f, NULL),
	    "night: 10 runs: 5 ok (1 in doubt), 1 failed, 1 timed out, 3 skipped\n"
	    "  1 failed: EIO?[2J\n"
	    "  1 timeout: no completion for 60 s\n"
	    "  2 skipped: bs 2m is larger than size 1m (2097152 > 1048576 bytes) (and the like)\n"
	    "  1 skipped: no reason recorded\n"
	    "results: results/a.db\n"
	    "\n/mnt/t.dat, randread\n"
	    "  peak: 15.8 MiB/s: bs 32k, numjobs 2, iodepth 4, psync\n"
	    "  sweet spot: bs 16k, numjobs 2, iodepth 4, psync: 15.6 MiB/s, 99.0 % of the peak\n"
	    "    latency: mean 100.0 us, p99 100.0 us\n"
	    "    neighbouring sizes: 8k 49.5 %, 32k 100.0 %\n"
	    "  most IOPS: 4040: bs 32k, numjobs 2, iodepth 4, psync\n"
	    "  least CPU per I/O: 74.26 us: bs 32k, numjobs 2, iodepth 4, psync\n"
	    "  left out: 1 of 5 runs, in doubt\n"
	    "    the best of those would have won: 78.1 MiB/s (unwritten): bs 64k, numjobs 2, "
	    "iodepth 4, psync\n");
}

static void nothing(void **state)
{
	assert_string_equal(
	    printed(*state, NULL),
	    "night: 0 runs: 0 ok (0 in doubt), 0 failed, 0 timed out, 0 skipped\n"
	    "results: results/a.db\n");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
TEST_MAIN(TEST(failures_by_kind), TEST(few_runs_one_by_one), TEST(many_runs_in_words),
          TEST(nothing))
