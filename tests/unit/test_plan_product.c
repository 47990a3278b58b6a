/* The product: counted, filtered, collapsed, merged.
 * wrap: engine_ops */
#include "support/test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "plan/plan.h"
#include "support/fixture.h"

const struct engine_ops *__wrap_engine_ops(uint64_t id);
const struct engine_ops *__wrap_engine_ops(uint64_t id)
{
	static const struct engine_ops ops[ENGINE_COUNT] = {
		[ENGINE_IO_URING] = { .name = "io_uring",
		                      .caps = ENGINE_ASYNC | ENGINE_REGISTERS,
		                      .depth_limit = 32768 },
		[ENGINE_LIBAIO] = { .name = "libaio", .caps = ENGINE_ASYNC },
		[ENGINE_PSYNC] = { .name = "psync" },
		[ENGINE_NULL] = { .name = "null", .caps = ENGINE_ASYNC | ENGINE_NO_TARGET },
		[ENGINE_SIM] = { .name = "sim",
			         .caps = ENGINE_ASYNC | ENGINE_NO_TARGET | ENGINE_SIMULATED },
	};

	return id < ENGINE_COUNT ? &ops[id] : NULL;
}

struct test {
	struct sweep *sweep;
	struct world world;
	struct plan *plan;
};

static int setup(void **state)
{
	struct test *t = xcalloc(1, sizeof(*t));

	t->sweep = fixture_sweep();
	*state = t;
	return 0;
}

static int teardown(void **state)
{
	struct test *t = *state;

	plan_free(t->plan);
	sweep_free(t->sweep);
	fixture_world_fini(&t->world);
	free(t);
	return 0;
}

static void make(struct test *t)
{
	struct err e = { 0 };

	if (!t->world.targets)
		fixture_world(&t->world, t->sweep);
	assert_int_equal(plan_new(&t->plan, t->sweep, &t->world, PLAN_MAX_DEFAULT, &e), 0);
	assert_string_equal(e.text, "");
}

static void counts(const struct plan *p, uint64_t product, uint64_t merged, uint64_t excluded,
                   uint64_t combinations)
{
	assert_int_equal(p->product, product);
	assert_int_equal(p->merged, merged);
	assert_int_equal(p->excluded, excluded);
	assert_int_equal(p->combinations, combinations);
	assert_int_equal(product - merged - excluded, combinations);
}

static void note(const struct plan *p, const char *text)
{
	if (!strlist_has(&p->notes, text))
		for (size_t i = 0; i < p->notes.len; i++)
			print_message("note: %s\n", p->notes.item[i]);
	assert_true(strlist_has(&p->notes, text));
}

static void reference(struct test *t)
{
	uint64_t bs[11];

	for (unsigned i = 0; i < 11; i++)
		bs[i] = 4096ULL << i;
	t->sweep->target.len = 0;
	free(t->sweep->target.item[0]);
	strlist_add(&t->sweep->target, "/dev/vdb");
	fixture_axis(t->sweep, AXIS_ioengine, VALUES(ENGINE_LIBAIO));
	fixture_axis(t->sweep, AXIS_rw,
	             VALUES(RW_READ, RW_RANDREAD, RW_WRITE, RW_RANDWRITE, RW_RW, RW_RANDRW));
	fixture_axis(t->sweep, AXIS_bs, bs, 11);
	fixture_axis(t->sweep, AXIS_numjobs, VALUES(1, 2, 4, 8, 16, 32));
	fixture_axis(t->sweep, AXIS_iodepth, VALUES(1, 2, 4, 8, 16, 32));
	fixture_axis(t->sweep, AXIS_ramp_time, VALUES(5 * SEC));
}

static void reference_config(void **state)
{
	struct test *t = *state;
	struct plan_row row;

	reference(t);
	make(t);
	counts(t->plan, 2376, 0, 0, 2376);
	assert_int_equal(t->plan->runs, 2376);
	assert_int_equal(t->plan->skipped, 0);
	/* eight sentinels of each pattern on top, 2 % */
	assert_int_equal(t->plan->blocks, 6);
	assert_int_equal(t->plan->sentinels, 48);
	assert_true(t->plan->sentinel_s == 48 * 35);
	assert_true(t->plan->estimate_s == 83160 + 48 * 35);
	assert_true(t->plan->expected_s == t->plan->estimate_s);
	assert_true(t->plan->write_s == 55440 + 32 * 35);
	assert_true(t->plan->need[0].reads && t->plan->need[0].writes &&
	            t->plan->need[0].direct);
	assert_int_equal(t->plan->need[0].size_bytes, GIB);
	assert_int_equal(t->plan->need[0].write_ns, (55440 + 32 * 35) * SEC);
	plan_row(t->plan, 0, &row);
	assert_string_equal(row.filename, "/dev/vdb");
	assert_int_equal(row.job.rw, RW_READ);
	assert_int_equal(row.job.size, GIB);
	assert_int_equal(plan_row_ns(t->plan, &row), 35 * SEC);
}

static void absent_target_still_counts_in_the_estimate(void **state)
{
	struct test *t = *state;
	struct plan_row row;

	reference(t);
	fixture_world(&t->world, t->sweep);
	t->world.target[0] = (struct target_info){ .filename = "/dev/vdb",
		                                   .kind = TARGET_UNUSABLE,
		                                   .problem_errno = ENODEV,
		                                   .problem = "no such device: /dev/vdb" };
	make(t);
	counts(t->plan, 2376, 0, 0, 2376);
	assert_true(t->plan->estimate_s == 83160);
	assert_int_equal(t->plan->skipped, 2376);
	assert_int_equal(t->plan->skipped_by_machine, 2376);
	assert_int_equal(t->plan->reasons, 1);
	assert_string_equal(t->plan->reason[0].reason, "no such device");
	assert_true(t->plan->absent_s == 83160);
	assert_false(t->plan->need[0].used);
	plan_row(t->plan, 7, &row);
	assert_true(row.skip.skipped && row.skip.by_machine && row.skip.target_absent);
	assert_string_equal(row.skip.text, "no such device: /dev/vdb");
	assert_int_equal(row.skip.error, ENODEV);
	assert_int_equal(row.job.size, AXIS_UNSET);
	assert_int_equal(plan_row_ns(t->plan, &row), 0);
}

static void listed_order_decodes_like_nested_loops(void **state)
{
	struct test *t = *state;
	struct plan_row row;
	uint64_t i = 0;

	t->sweep->order = ORDER_LISTED;
	fixture_targets(t->sweep, 2);
	fixture_axis(t->sweep, AXIS_ioengine, VALUES(ENGINE_LIBAIO));
	fixture_axis(t->sweep, AXIS_bs, VALUES(4096, 8192, 512));
	fixture_axis(t->sweep, AXIS_iodepth, VALUES(1, 7));
	make(t);
	assert_int_equal(t->plan->runs, 12);
	for (uint64_t f = 0; f < 2; f++)
		for (size_t b = 0; b < 3; b++)
			for (size_t d = 0; d < 2; d++, i++) {
				plan_row(t->plan, i, &row);
				assert_int_equal(row.combination, i);
				assert_int_equal(row.job.filename, f);
				assert_int_equal(row.job.bs,
				                 ((const uint64_t[]){ 4096, 8192, 512 })[b]);
				assert_int_equal(row.job.iodepth,
				                 ((const uint64_t[]){ 1, 7 })[d]);
			}
	assert_string_equal(row.label, "randread_512_1_7");
	assert_string_equal(
	    row.key_text,
	    "bs=512 filename=t1.bin iodepth=7 ioengine=libaio runtime=30 rw=randread");
	assert_int_equal(row.job.ramp_time, 2 * SEC);
}

static void equal_values_are_counted_as_merged(void **state)
{
	struct test *t = *state;

	fixture_axis(t->sweep, AXIS_ioengine, VALUES(ENGINE_IO_URING, ENGINE_IO_URING));
	fixture_axis(t->sweep, AXIS_bs, VALUES(4096, 4096));
	fixture_axis(t->sweep, AXIS_numjobs, VALUES(1, 1, 1));
	fixture_axis(t->sweep, AXIS_iodepth, VALUES(2, 2, 4));
	fixture_axis(t->sweep, AXIS_rw, VALUES(RW_RW, RW_RW));
	make(t);
	counts(t->plan, 72, 70, 0, 2);
	note(t->plan, "merged 70: a list names the same value more than once");
}

static void what_makes_no_difference_collapses(void **state)
{
	struct test *t = *state;

	fixture_axis(t->sweep, AXIS_ioengine, VALUES(ENGINE_PSYNC, ENGINE_LIBAIO));
	fixture_axis(t->sweep, AXIS_iodepth, VALUES(8, 1, 4));
	fixture_axis(t->sweep, AXIS_rw, VALUES(RW_READ, RW_RANDREAD, RW_RANDRW));
	fixture_axis(t->sweep, AXIS_rwmixread, VALUES(0, 70));
	make(t);
	/* psync: 1 depth x (read + randread + 2 mixes) = 4; libaio: 3 x 4 = 12 */
	counts(t->plan, 36, 20, 0, 16);
	note(t->plan, "merged 12: iodepth makes no difference for psync");
	note(t->plan, "merged 8: rwmixread makes no difference for read, randread");
}

/* What nobody wrote is not the cause: there is no bssplit here. */
static void sizes_of_absent_directions_collapse(void **state)
{
	struct test *t = *state;

	strlist_add(&t->sweep->text[AXIS_bssplit], "4096,8192");
	fixture_axis(t->sweep, AXIS_rw, VALUES(RW_READ));
	fixture_axis(t->sweep, AXIS_bs, VALUES(4096, BS_MIX | 0));
	make(t);
	counts(t->plan, 2, 1, 0, 1);
	note(t->plan, "merged 1: bs makes no difference with bssplit, or in a direction that the pattern does not have");
}

/* A direction that is not there needs no rate; where both are, rates say how they are mixed. */
static void rates_collapse(void **state)
{
	struct test *t = *state;
	uint64_t pair, alone;

	assert_int_equal(axis_parse(&axes[AXIS_rate_iops], "rate_iops", "100,50", &pair, NULL), 0);
	assert_int_equal(axis_parse(&axes[AXIS_rate_iops], "rate_iops", ",50", &alone, NULL), 0);
	fixture_axis(t->sweep, AXIS_rw, VALUES(RW_READ, RW_WRITE, RW_RANDRW));
	fixture_axis(t->sweep, AXIS_rate_iops, VALUES(0, 100, pair, alone));
	fixture_axis(t->sweep, AXIS_rwmixread, VALUES(0, 70));
	fixture_axis(t->sweep, AXIS_rate_process, VALUES(RATE_LINEAR, RATE_POISSON));
	make(t);
	/* read: 0, and 100 in two ways; write and the mix without reads: 0, and 50 and 100 in two
	 * ways; the other: 0, and three in two ways */
	counts(t->plan, 48, 28, 0, 3 + 5 + 5 + 7);
	note(t->plan, "merged 4: rate_process makes no difference without a rate");
}

static void collapse_cases(void **state)
{
	static const struct {
		const char *name;
		enum axis_id axis;
		uint64_t val[2], rw, numjobs, time_based, merged;
	} cases[] = {
		{ "fsync of a read", AXIS_fsync, { 0, 8 }, RW_READ, 2, 1, 1 },
		{ "fsync of a write", AXIS_fsync, { 0, 8 }, RW_WRITE, 2, 1, 0 },
		{ "zeros in a read", AXIS_zero_buffers, { 0, 1 }, RW_RANDREAD, 2, 1, 1 },
		{ "zeros in a mix", AXIS_zero_buffers, { 0, 1 }, RW_RW, 2, 1, 0 },
		{ "refill in a read", AXIS_refill_buffers, { 0, 1 }, RW_READ, 2, 1, 1 },
		{ "end_fsync of a read", AXIS_end_fsync, { 0, 1 }, RW_READ, 2, 1, 1 },
		{ "job_offset, sequential",
		  AXIS_job_offset,
		  { JOB_OFFSET_SPLIT, JOB_OFFSET_SAME },
		  RW_READ,
		  2,
		  1,
		  0 },
		{ "job_offset, random",
		  AXIS_job_offset,
		  { JOB_OFFSET_SPLIT, JOB_OFFSET_SAME },
		  RW_RANDREAD,
		  2,
		  1,
		  1 },
		{ "job_offset, one job",
		  AXIS_job_offset,
		  { JOB_OFFSET_SPLIT, JOB_OFFSET_SAME },
		  RW_READ,
		  1,
		  1,
		  1 },
		{ "offset_increment, one job",
		  AXIS_offset_increment,
		  { 0, 4096 },
		  RW_READ,
		  1,
		  1,
		  1 },
		{ "offset_increment, two jobs",
		  AXIS_offset_increment,
		  { 0, 4096 },
		  RW_READ,
		  2,
		  1,
		  0 },
		{ "io_size by time", AXIS_io_size, { MIB, GIB }, RW_READ, 1, 1, 1 },
		{ "io_size by size", AXIS_io_size, { MIB, GIB }, RW_READ, 1, 0, 0 },
		{ "ramp by size", AXIS_ramp_time, { 0, SEC }, RW_READ, 1, 0, 1 },
		{ "ramp by time", AXIS_ramp_time, { 0, SEC }, RW_READ, 1, 1, 0 },
		{ "ramp as by default",
		  AXIS_ramp_time,
		  { AXIS_UNSET, 2 * SEC },
		  RW_READ,
		  1,
		  1,
		  1 },
		{ "size in other words",
		  AXIS_size,
		  { SIZE_PERCENT | 50, GIB / 2 },
		  RW_READ,
		  1,
		  1,
		  1 },
		{ "direct", AXIS_direct, { 0, 1 }, RW_READ, 1, 1, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct test t = { .sweep = fixture_sweep() };

		fixture_axis(t.sweep, AXIS_rw, &cases[i].rw, 1);
		fixture_axis(t.sweep, AXIS_numjobs, &cases[i].numjobs, 1);
		fixture_axis(t.sweep, AXIS_time_based, &cases[i].time_based, 1);
		fixture_axis(t.sweep, cases[i].axis, cases[i].val, 2);
		make(&t);
		if (t.plan->merged != cases[i].merged)
			print_error("%s\n", cases[i].name);
		counts(t.plan, 2, cases[i].merged, 0, 2 - cases[i].merged);
		if (cases[i].axis == AXIS_size)
			note(t.plan, "merged 1: size values come to the same number of bytes");
		plan_free(t.plan);
		fixture_world_fini(&t.world);
		sweep_free(t.sweep);
	}
}

/* What says where the I/Os go, where it says nothing. */
static void walk_options_collapse(void **state)
{
	static const struct {
		const char *name;
		enum axis_id axis;
		uint64_t val[2], rw, merged;
	} cases[] = {
		{ "norandommap, read", AXIS_norandommap, { 0, 1 }, RW_READ, 1 },
		{ "norandommap, randread", AXIS_norandommap, { 0, 1 }, RW_RANDREAD, 0 },
		{ "zipf, read", AXIS_random_distribution, { AXIS_UNSET, 0 }, RW_RW, 1 },
		{ "zipf, randrw", AXIS_random_distribution, { AXIS_UNSET, 0 }, RW_RANDRW, 0 },
		{ "jumps, write", AXIS_percentage_random, { 50, 100 }, RW_WRITE, 1 },
		{ "jumps, randwrite", AXIS_percentage_random, { 50, 100 }, RW_RANDWRITE, 0 },
		{ "bs is the grid", AXIS_blockalign, { AXIS_UNSET, 4096 }, RW_RANDREAD, 1 },
		{ "a grid of its own", AXIS_blockalign, { AXIS_UNSET, 8192 }, RW_RANDREAD, 0 },
		{ "each jumps", AXIS_rw_step, { 0, 1 }, RW_RANDREAD, 1 },
		{ "a hole of a byte", AXIS_rw_step, { 0, 1 }, RW_WRITE, 0 },
		{ "seeds, read", AXIS_randseed, { AXIS_UNSET, 7 }, RW_READ, 1 },
		{ "seeds of a mix", AXIS_randseed, { 8, 7 }, RW_RW, 0 },
		{ "again, read", AXIS_randrepeat, { 0, 1 }, RW_READ, 1 },
		{ "again, randread", AXIS_randrepeat, { 0, 1 }, RW_RANDREAD, 0 },
		{ "number in time", AXIS_number_ios, { 0, 10 }, RW_READ, 1 },
		{ "offset", AXIS_offset, { 0, 65536 }, RW_READ, 0 },
		{ "one size of its text", AXIS_bssplit, { AXIS_UNSET, 1 }, RW_READ, 1 },
		{ "two sizes, one used", AXIS_bssplit, { AXIS_UNSET, 2 }, RW_READ, 1 },
		{ "two sizes", AXIS_bssplit, { AXIS_UNSET, 2 }, RW_RW, 0 },
		{ "sizes by direction", AXIS_bs, { 4096, BS_MIX | 2 }, RW_READ, 1 },
		{ "sizes of both", AXIS_bs, { 4096, BS_MIX | 2 }, RW_RANDRW, 0 },
		{ "step of a value", AXIS_rw, { RW_READ, RW_READ | 4096 << RW_STEP_SHIFT }, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct test t = { .sweep = fixture_sweep() };

		strlist_add(&t.sweep->text[AXIS_random_distribution], "zipf:1.1");
		strlist_add(&t.sweep->text[AXIS_bssplit], "4096/50:8192/50");
		strlist_add(&t.sweep->text[AXIS_bssplit], "4096");
		strlist_add(&t.sweep->text[AXIS_bssplit], "4096,8192");
		fixture_axis(t.sweep, AXIS_rw, &cases[i].rw, 1);
		fixture_axis(t.sweep, AXIS_direct, VALUES(0));
		fixture_axis(t.sweep, cases[i].axis, cases[i].val, 2);
		make(&t);
		if (t.plan->merged != cases[i].merged)
			print_error("%s\n", cases[i].name);
		counts(t.plan, 2, cases[i].merged, 0, 2 - cases[i].merged);
		plan_free(t.plan);
		fixture_world_fini(&t.world);
		sweep_free(t.sweep);
	}
}

/* The key has the offset as configured, and what comes to the same is one combination. */
static void offsets_come_to_bytes(void **state)
{
	struct test t = { .sweep = fixture_sweep() };
	struct plan_row row[2];

	(void)state;
	fixture_axis(t.sweep, AXIS_offset, VALUES(SIZE_PERCENT | 50, SIZE_PERCENT | 33));
	make(&t);
	counts(t.plan, 2, 0, 0, 2);
	for (uint64_t i = 0; i < 2; i++)
		plan_row(t.plan, i, &row[i]);
	if (row[0].job.offset > row[1].job.offset) { /* in whatever order */
		assert_int_equal(row[0].job.offset, GIB / 2);
		assert_int_equal(row[0].job.size, GIB / 2);
		assert_non_null(strstr(row[0].key_text, "offset=50%25"));
		row[0] = row[1];
	}
	assert_int_equal(row[0].job.offset, (GIB * 33 / 100 + 4095) / 4096 * 4096);
	plan_free(t.plan);
	fixture_world_fini(&t.world);
	sweep_free(t.sweep);
}

/* Values of the axes of an engine, by engine and depth. */
static void engine_options_collapse(void **state)
{
	static const struct {
		const char *name;
		uint64_t engine, depth, profile;
		enum axis_id axis;
		uint64_t val[2], merged;
	} cases[] = {
		{ "profile of io_uring", ENGINE_IO_URING, 1, 0, AXIS_profile, { 0, 1 }, 0 },
		{ "profile of psync", ENGINE_PSYNC, 1, 0, AXIS_profile, { 0, 1 }, 1 },
		{ "none, or if granted", ENGINE_IO_URING, 1, 0, AXIS_fixedbufs, { AXIS_UNSET, 0 }, 0 },
		{ "as granted, or must", ENGINE_IO_URING, 1, 0, AXIS_registerfiles, { AXIS_UNSET, 1 }, 0 },
		{ "fio has none", ENGINE_IO_URING, 1, 1, AXIS_fixedbufs, { AXIS_UNSET, 0 }, 1 },
		{ "what means nothing", ENGINE_PSYNC, 1, 1, AXIS_fixedbufs, { AXIS_UNSET, 0 }, 1 },
		{ "fio told to", ENGINE_IO_URING, 1, 1, AXIS_fixedbufs, { 0, 1 }, 0 },
		{ "libaio has none", ENGINE_LIBAIO, 1, 0, AXIS_registerfiles, { AXIS_UNSET, 0 }, 1 },
		{ "submit all", ENGINE_LIBAIO, 8, 0, AXIS_iodepth_batch_submit, { 0, 8 }, 1 },
		{ "submit some", ENGINE_LIBAIO, 8, 0, AXIS_iodepth_batch_submit, { 8, 7 }, 0 },
		{ "submit by psync", ENGINE_PSYNC, 8, 0, AXIS_iodepth_batch_submit, { 8, 7 }, 1 },
		{ "submit one as fio", ENGINE_LIBAIO, 8, 1, AXIS_iodepth_batch_submit, { AXIS_UNSET, 1 }, 1 },
		{ "one is all", ENGINE_LIBAIO, 1, 1, AXIS_iodepth_batch_submit, { AXIS_UNSET, 0 }, 1 },
		{ "fio, all", ENGINE_LIBAIO, 8, 1, AXIS_iodepth_batch_submit, { AXIS_UNSET, 0 }, 0 },
		{ "wait for all", ENGINE_LIBAIO, 8, 0, AXIS_iodepth_batch_complete_min, { 8, 9 }, 1 },
		{ "wait for some", ENGINE_LIBAIO, 8, 0, AXIS_iodepth_batch_complete_min, { 7, 8 }, 0 },
		{ "spin", ENGINE_LIBAIO, 1, 0, AXIS_iodepth_batch_complete_min, { 0, 1 }, 0 },
		{ "take all", ENGINE_LIBAIO, 8, 0, AXIS_iodepth_batch_complete_max, { 0, 64 }, 1 },
		{ "take one as fio", ENGINE_LIBAIO, 8, 1, AXIS_iodepth_batch_complete_max, { AXIS_UNSET, 1 }, 1 },
		{ "all that one call takes", ENGINE_LIBAIO, 1000, 0, AXIS_iodepth_batch_submit, { 0, 256 }, 1 },
		{ "less than that", ENGINE_LIBAIO, 1000, 0, AXIS_iodepth_batch_complete_max, { 0, 255 }, 0 },
		{ "policy of nothing", ENGINE_PSYNC, 1, 0, AXIS_cpus_allowed_policy, { 0, 1 }, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct test t = { .sweep = fixture_sweep() };

		fixture_axis(t.sweep, AXIS_ioengine, &cases[i].engine, 1);
		fixture_axis(t.sweep, AXIS_iodepth, &cases[i].depth, 1);
		fixture_axis(t.sweep, AXIS_profile, &cases[i].profile, 1);
		fixture_axis(t.sweep, cases[i].axis, cases[i].val, 2);
		make(&t);
		if (t.plan->merged != cases[i].merged)
			print_error("%s\n", cases[i].name);
		counts(t.plan, 2, cases[i].merged, 0, 2 - cases[i].merged);
		if (cases[i].axis == AXIS_profile && cases[i].merged)
			note(t.plan, "merged 1: profile makes no difference for psync");
		plan_free(t.plan);
		fixture_world_fini(&t.world);
		sweep_free(t.sweep);
	}
}

/* What a profile says of other axes stands in the job; only what the user said is in the key. */
static void a_profile_fills_in_the_rest(void **state)
{
	struct test *t = *state;
	struct plan_row row;

	fixture_axis(t->sweep, AXIS_ioengine, VALUES(ENGINE_IO_URING));
	fixture_axis(t->sweep, AXIS_iodepth, VALUES(8));
	fixture_axis(t->sweep, AXIS_numjobs, VALUES(3));
	fixture_axis(t->sweep, AXIS_rw, VALUES(RW_READ));
	fixture_axis(t->sweep, AXIS_profile, VALUES(PROFILE_FIO));
	make(t);
	plan_row(t->plan, 0, &row);
	assert_int_equal(row.job.job_offset, JOB_OFFSET_SAME);
	assert_int_equal(row.job.iodepth_batch_submit, 1);
	assert_int_equal(row.job.iodepth_batch_complete_max, 1);
	assert_string_equal(row.key_text, "filename=t.bin iodepth=8 ioengine=io_uring numjobs=3 "
	                                  "profile=fio runtime=30 rw=read");
	note(t->plan, "up to 3 jobs share 2 CPUs: they take turns, and latencies count the wait "
	              "for a CPU");
}

static void engine_left_open(void **state)
{
	struct test *t = *state;
	struct plan_row row;

	fixture_axis(t->sweep, AXIS_ioengine, VALUES(AXIS_UNSET));
	fixture_world(&t->world, t->sweep);
	t->world.engine[ENGINE_IO_URING].usable = false;
	make(t);
	plan_row(t->plan, 0, &row);
	assert_int_equal(row.job.ioengine, ENGINE_LIBAIO);
	assert_false(row.skip.skipped);
	note(t->plan,
	     "ioengine is not given: libaio, the first usable of io_uring, libaio, psync");
}

static void exclude_takes_out_before_collapsing(void **state)
{
	struct test *t = *state;
	struct partial *x;

	fixture_axis(t->sweep, AXIS_bs, VALUES(4096, 8192, 16384));
	fixture_axis(t->sweep, AXIS_iodepth, VALUES(1, 2, 4));
	x = fixture_exclude(t->sweep, "{\"iodepth\":[1,2],\"bs\":\"8k\"}");
	fixture_partial(x, AXIS_iodepth, VALUES(1, 2));
	fixture_partial(x, AXIS_bs, VALUES(8192));
	x = fixture_exclude(t->sweep, "{\"bs\":\"64k\"}");
	fixture_partial(x, AXIS_bs, VALUES(65536));
	make(t);
	counts(t->plan, 9, 4, 2, 3); /* 8k is left with depth 4, which psync makes 1 */
	assert_int_equal(t->plan->warnings.len, 1);
	assert_string_equal(t->plan->warnings.item[0],
	                    "exclude {\"bs\":\"64k\"} matches no combination");
	assert_int_equal(t->plan->notes.len, 1);
}

static void include_adds_after_exclude_and_where(void **state)
{
	struct test *t = *state;
	struct partial *x;
	struct plan_row row;

	t->sweep->order = ORDER_LISTED;
	t->sweep->where = xstrdup("bs < 8192");
	fixture_axis(t->sweep, AXIS_bs, VALUES(4096, 8192));
	x = fixture_include(t->sweep, "big");
	fixture_partial(x, AXIS_bs, VALUES(MIB));
	fixture_partial(x, AXIS_rw, VALUES(RW_READ, RW_WRITE));
	x = fixture_include(t->sweep,
	                    "again"); /* 4k randread is there already: gets the name */
	fixture_partial(x, AXIS_bs, VALUES(4096));
	make(t);
	counts(t->plan, 2 + 2 + 1, 1, 1, 3);
	plan_row(t->plan, 0, &row);
	assert_string_equal(row.label, "again");
	assert_int_equal(row.job.bs, 4096);
	plan_row(t->plan, 1, &row);
	assert_string_equal(row.label, "big");
	assert_int_equal(row.job.bs, MIB);
	assert_int_equal(row.job.rw, RW_READ);
	note(t->plan, "merged 1: an include entry is the same as another combination");
}

static void include_alone(void **state)
{
	struct test *t = *state;
	struct partial *x;

	t->sweep->base_product = false;
	x = fixture_include(t->sweep, NULL);
	fixture_partial(x, AXIS_rw, VALUES(RW_READ, RW_WRITE));
	make(t);
	counts(t->plan, 2, 0, 0, 2);
}

static void huge(struct test *t, unsigned axes_used)
{
	static const enum axis_id id[] = {
		AXIS_bs,    AXIS_numjobs, AXIS_iodepth,         AXIS_size,
		AXIS_fsync, AXIS_io_size, AXIS_offset_increment
	};
	uint64_t *val = xcalloc(1000, sizeof(*val));

	for (uint64_t i = 0; i < 1000; i++)
		val[i] = i + 1;
	for (unsigned i = 0; i < axes_used; i++)
		fixture_axis(t->sweep, id[i], val, 1000);
	free(val);
}

static void too_many_are_counted_only(void **state)
{
	struct test *t = *state;

	huge(t, 3); /* 10^9 */
	fixture_axis(t->sweep, AXIS_rw,
	             VALUES(RW_READ, RW_WRITE, RW_RW, RW_RANDREAD, RW_RANDRW, RW_RANDWRITE));
	fixture_axis(t->sweep, AXIS_runtime, VALUES(10 * SEC, 20 * SEC));
	fixture_axis(t->sweep, AXIS_ramp_time, VALUES(0, AXIS_UNSET));
	make(t);
	assert_false(t->plan->enumerated);
	assert_int_equal(t->plan->product, 24000000000);
	assert_false(t->plan->product_overflow);
	/* 10, 12, 20 and 22 s, each for 6 x 10^9 */
	assert_true(t->plan->estimate_s == 64.0 * 6e9);
	assert_true(t->plan->write_s > 64.0 * 4e9 - 1 && t->plan->write_s < 64.0 * 4e9 + 1);
}

static void a_product_beyond_64_bits_saturates(void **state)
{
	struct test *t = *state;

	huge(t, 7); /* 10^21 */
	make(t);
	assert_false(t->plan->enumerated);
	assert_true(t->plan->product_overflow);
	assert_int_equal(t->plan->product, UINT64_MAX);
	assert_true(t->plan->estimate_s > 31e21 && t->plan->estimate_s < 33e21);
}

static void time_that_is_not_known(void **state)
{
	struct test *t = *state;

	fixture_axis(t->sweep, AXIS_time_based, VALUES(0));
	fixture_axis(t->sweep, AXIS_runtime, VALUES(AXIS_UNSET));
	make(t);
	assert_true(t->plan->unbounded);
	assert_true(t->plan->estimate_s == 0);
}

static void repeats_and_pause_count_in_the_estimate(void **state)
{
	struct test *t = *state;

	fixture_axis(t->sweep, AXIS_rw, VALUES(RW_READ, RW_WRITE));
	fixture_axis(t->sweep, AXIS_runtime, VALUES(SEC / 10));
	fixture_axis(t->sweep, AXIS_ramp_time, VALUES(0));
	t->sweep->repeats = 3;
	t->sweep->pause_ns = SEC / 10;
	make(t);
	assert_int_equal(t->plan->runs, 6);
	assert_true(t->plan->estimate_s == 1.2);
	assert_true(t->plan->write_s == 0.6);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

TEST_MAIN(CASE(reference_config), CASE(absent_target_still_counts_in_the_estimate),
          CASE(listed_order_decodes_like_nested_loops),
          CASE(equal_values_are_counted_as_merged), CASE(what_makes_no_difference_collapses), CASE(rates_collapse),
          CASE(sizes_of_absent_directions_collapse), cmocka_unit_test(collapse_cases), cmocka_unit_test(walk_options_collapse), cmocka_unit_test(offsets_come_to_bytes),
          cmocka_unit_test(engine_options_collapse),
          CASE(a_profile_fills_in_the_rest), CASE(engine_left_open),
          CASE(exclude_takes_out_before_collapsing), CASE(include_adds_after_exclude_and_where),
          CASE(include_alone), CASE(too_many_are_counted_only),
          CASE(a_product_beyond_64_bits_saturates), CASE(time_that_is_not_known),
          CASE(repeats_and_pause_count_in_the_estimate))
