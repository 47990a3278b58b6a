/* Combinations that work on several targets at once: what each of them is asked for, judged by and
 * given. */
#include "support/test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "plan/plan.h"
#include "support/fixture.h"

#define ALL 3 /* target 3 is 0, 1 and 2 */

struct sets {
	struct sweep *sweep;
	struct world world;
	struct plan *plan;
	struct plan_row *row;
};

static int setup(void **state)
{
	struct sets *f = xcalloc(1, sizeof(*f));

	f->sweep = fixture_sweep();
	fixture_targets(f->sweep, ALL);
	strlist_add(&f->sweep->target, "[\"t.bin\",\"t1.bin\",\"t2.bin\"]");
	fixture_axis(f->sweep, AXIS_filename, VALUES(ALL));
	fixture_world(&f->world, f->sweep);
	f->world.target[ALL].kind = TARGET_SET;
	f->world.target[ALL].members = ALL;
	for (size_t i = 0; i < ALL; i++) {
		f->world.target[ALL].member[i] = i;
		f->world.target[i].ino = 100 + i;
	}
	f->row = xcalloc(1, sizeof(*f->row));
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct sets *f = *state;

	plan_free(f->plan);
	fixture_world_fini(&f->world);
	sweep_free(f->sweep);
	free(f->row);
	free(f);
	return 0;
}

static const struct plan_row *first_row(struct sets *f)
{
	struct err e = { 0 };

	plan_free(f->plan);
	f->plan = NULL;
	assert_int_equal(plan_new(&f->plan, f->sweep, &f->world, PLAN_MAX_DEFAULT, &e), 0);
	plan_row(f->plan, 0, f->row);
	return f->row;
}

static void the_key_has_the_list(void **state)
{
	const struct plan_row *row = first_row(*state);

	assert_string_equal(row->filename, "[\"t.bin\",\"t1.bin\",\"t2.bin\"]");
	assert_string_equal(row->key_text,
	                    "filename=[\"t.bin\",\"t1.bin\",\"t2.bin\"] ioengine=psync "
	                    "runtime=30 rw=randread");
	assert_false(row->skip.skipped);
}

static void each_has_its_own_size(void **state)
{
	struct sets *f = *state;
	const struct plan_row *row;

	f->world.target[1].size_bytes = 4 * GIB;
	f->world.target[2].size_bytes = 64 * MIB;
	row = first_row(f);
	assert_int_equal(row->job.size, 64 * MIB);
	assert_int_equal(plan_row_size(f->plan, row, 0), GIB);
	assert_int_equal(plan_row_size(f->plan, row, 1), 4 * GIB);
	assert_int_equal(plan_row_size(f->plan, row, 2), 64 * MIB);
	assert_int_equal(f->plan->need[1].size_bytes, 4 * GIB);
	assert_int_equal(f->plan->need[2].size_bytes, 64 * MIB);

	fixture_axis(f->sweep, AXIS_size, VALUES(SIZE_PERCENT | 25));
	row = first_row(f);
	assert_int_equal(row->job.size, 16 * MIB);
	assert_int_equal(plan_row_size(f->plan, row, 1), GIB);
	assert_int_equal(f->plan->need[0].size_bytes, 256 * MIB);

	/* 25 % is the same only on the smallest */
	fixture_axis(f->sweep, AXIS_size, VALUES(SIZE_PERCENT | 25, 16 * MIB));
	(void)first_row(f);
	assert_int_equal(f->plan->combinations, 2);
}

static void each_is_needed(void **state)
{
	struct sets *f = *state;

	f->world.target[1].kind = TARGET_DIRECTORY;
	f->world.target[1].free_bytes = GIB;
	fixture_axis(f->sweep, AXIS_rw, VALUES(RW_WRITE));
	fixture_axis(f->sweep, AXIS_size, VALUES(MIB));
	fixture_axis(f->sweep, AXIS_numjobs, VALUES(4));
	assert_false(first_row(f)->skip.skipped);
	for (size_t i = 0; i < ALL; i++) {
		assert_true(f->plan->need[i].used && f->plan->need[i].writes);
		assert_int_equal(f->plan->need[i].files, i == 1 ? 4 : 1);
		assert_int_equal(f->plan->need[i].write_ns, 32 * SEC);
	}
	assert_false(f->plan->need[ALL].used);
	assert_float_equal(f->plan->estimate_s, 32, 1e-9); /* at the same time */
}

static void absent(struct world *w)
{
	w->target[2].kind = TARGET_UNUSABLE;
	w->target[2].problem_errno = ENOENT;
	(void)snprintf(w->target[2].problem, sizeof(w->target[2].problem),
	               "no such directory: /mnt/x");
}

static void coarse(struct world *w)
{
	w->target[1].offset_align = 8192;
}

static void same(struct world *w)
{
	w->target[2].ino = w->target[0].ino;
}

static void few_threads(struct world *w)
{
	w->limits.threads_max = 11;
}

static void few_files(struct world *w)
{
	w->limits.nofile = 31;
}

static void absent_and_coarse(struct world *w)
{
	absent(w);
	coarse(w);
}

static const struct {
	void (*world)(struct world *w);
	const char *reason, *text;
	bool by_machine, absent;
} cases[] = {
	{ absent, "no such file or directory", "no such directory: /mnt/x", true, true },
	{ coarse, "bs not a multiple of the alignment",
	  "bs 4096 is not a multiple of 8192, which direct=1 needs on t1.bin; use direct=0 or a "
	  "multiple",
	  false, false },
	{ same, "the same target twice at once",
	  "t.bin and t2.bin are the same: once is enough among targets at once", false, false },
	{ few_threads, "threads",
	  "numjobs 4 on each of 3 targets needs as many threads, but only 11 more may be started",
	  true, false },
	{ few_files, "open files",
	  "numjobs 4 on each of 3 targets with psync needs 32 open files, but the limit is 31 "
	  "(ulimit -n)",
	  true, false },
	/* what would be wrong anyway comes first */
	{ absent_and_coarse, "bs not a multiple of the alignment",
	  "bs 4096 is not a multiple of 8192, which direct=1 needs on t1.bin; use direct=0 or a "
	  "multiple",
	  false, false },
};

static void jobs_of_all_are_counted(void **state)
{
	struct sets *f = *state;

	fixture_axis(f->sweep, AXIS_ioengine, VALUES(ENGINE_NULL));
	fixture_axis(f->sweep, AXIS_size, VALUES(MIB));
	fixture_axis(f->sweep, AXIS_numjobs, VALUES(21845, 21846));
	assert_false(first_row(f)->skip.skipped);
	plan_row(f->plan, 1, f->row);
	assert_true(f->row->skip.skipped);
	assert_string_equal(f->row->skip.text,
	                    "numjobs 21846 on each of 3 targets are more than 65535 jobs, the most "
	                    "of one run");
}

static void one_that_cannot_be_used_skips_all(void **state)
{
	struct sets *f = *state;

	fixture_axis(f->sweep, AXIS_numjobs, VALUES(4));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct plan_row *row;
		struct world was = f->world;

		f->world.target = xcalloc(was.targets, sizeof(*was.target));
		memcpy(f->world.target, was.target, was.targets * sizeof(*was.target));
		cases[i].world(&f->world);
		row = first_row(f);
		print_message("%s\n", cases[i].reason);
		assert_true(row->skip.skipped);
		assert_string_equal(row->skip.reason, cases[i].reason);
		assert_string_equal(row->skip.text, cases[i].text);
		assert_int_equal(row->skip.by_machine, cases[i].by_machine);
		assert_int_equal(row->skip.target_absent, cases[i].absent);
		for (size_t k = 0; k < ALL; k++)
			assert_false(f->plan->need[k].used);
		free(f->world.target);
		f->world = was;
	}
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
TEST_MAIN(T(the_key_has_the_list), T(each_has_its_own_size), T(each_is_needed),
          T(jobs_of_all_are_counted), T(one_that_cannot_be_used_skips_all))
