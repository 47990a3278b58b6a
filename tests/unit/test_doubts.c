/* Which words a finished run deserves: one case per rule, on both sides of its limit. */
#include "run/doubts.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "base/units.h"
#include "support/test.h"

/* A run that nothing is to be said about; each case spoils one thing. */
struct input {
	struct run_spec spec;
	struct sample sample;
	struct target_info target;
};

static void fill(struct input *in)
{
	struct sample *s = &in->sample;

	in->spec.job = (struct job){ .ioengine = ENGINE_IO_URING,
		                     .rw = RW_RANDREAD,
		                     .bs = 4096,
		                     .numjobs = 2,
		                     .iodepth = 8,
		                     .time_based = 1,
		                     .runtime = SEC };
	in->spec.region_bytes = s->region_bytes = 64 * GIB;
	s->op[OP_READ].ios = s->op[OP_READ].lat.n = 20000;
	s->op[OP_READ].bytes = 20000 * 4096;
	s->window_ns = SEC;
	s->jobs = 2;
	s->inflight_ns = 2 * 8 * SEC;
	s->device.valid = true;
}

static void nothing(struct input *in)
{
	(void)in;
}

static void unwritten(struct input *in)
{
	in->target.unwritten = true;
}

static void unwritten_but_writes(struct input *in)
{
	in->target.unwritten = true;
	in->spec.job.rw = RW_WRITE;
	in->spec.job.numjobs = in->sample.jobs = 1;
	in->sample.inflight_ns = 8 * SEC;
}

static void reads(struct input *in, uint64_t n)
{
	in->sample.op[OP_READ].ios = in->sample.op[OP_READ].lat.n = n;
}

static void ios_47(struct input *in)
{
	reads(in, 47); /* of 3 x 2 x 8 */
}

static void ios_9999(struct input *in)
{
	reads(in, 9999);
}

static void ios_10000(struct input *in)
{
	reads(in, 10000);
}

static void a_job_idle(struct input *in)
{
	in->sample.jobs_idle = 1;
}

static void depth_89(struct input *in)
{
	in->sample.inflight_ns = 2 * 8 * SEC / 100 * 89;
}

static void random_writers(struct input *in)
{
	in->spec.job.rw = RW_RANDWRITE;
}

static void sequential_writers(struct input *in)
{
	in->spec.job.rw = RW_WRITE;
}

static void same_offset_writers(struct input *in)
{
	in->spec.job.rw = RW_WRITE;
	in->spec.job.job_offset = JOB_OFFSET_SAME;
}

static void writers_apart(struct input *in)
{
	in->spec.job.rw = RW_RANDWRITE;
	in->spec.job.offset_increment = in->spec.region_bytes;
}

static void writers_in_a_directory(struct input *in)
{
	in->spec.job.rw = RW_RANDWRITE;
	in->spec.directory = true;
}

static void two_passes_of_1g(struct input *in)
{
	in->sample.region_bytes = GIB;
	in->sample.op[OP_READ].bytes = 2 * GIB;
}

static void two_passes_of_16g(struct input *in)
{
	in->sample.region_bytes = 16 * GIB;
	in->sample.op[OP_READ].bytes = 32 * GIB;
}

static void no_counters(struct input *in)
{
	in->sample.device.valid = false;
}

static void null_engine(struct input *in)
{
	in->spec.job.ioengine = ENGINE_NULL;
	unwritten(in);
	two_passes_of_1g(in);
	no_counters(in);
}

static void words_follow_the_rules(void **state)
{
	static const struct {
		void (*spoil)(struct input *in);
		const char *doubts, *notes;
	} cases[] = {
		{ nothing, "", "" },
		{ unwritten, "unwritten", "" },
		{ unwritten_but_writes, "", "" },
		{ ios_47, "short-window", "few-samples" },
		{ ios_9999, "", "few-samples" },
		{ ios_10000, "", "" },
		{ a_job_idle, "partial-job", "" },
		{ depth_89, "", "depth-not-reached" },
		{ random_writers, "", "overlapping-offsets" },
		{ sequential_writers, "", "" },
		{ same_offset_writers, "", "overlapping-offsets" },
		{ writers_apart, "", "" },
		{ writers_in_a_directory, "", "" },
		{ two_passes_of_1g, "", "small-region" },
		{ two_passes_of_16g, "", "" },
		{ no_counters, "", "unverified" },
		{ null_engine, "", "" },
	};
	char doubts[128], notes[128];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO(freep) struct input *in = xcalloc(1, sizeof(*in));
		uint64_t bits;

		fill(in);
		cases[i].spoil(in);
		bits = doubts_eval(&in->spec, &in->sample, &in->target, 8 * GIB);
		flag_print(bits, true, doubts, sizeof(doubts));
		flag_print(bits, false, notes, sizeof(notes));
		if (strcmp(doubts, cases[i].doubts) != 0 || strcmp(notes, cases[i].notes) != 0)
			fail_msg("case %zu: '%s' '%s', not '%s' '%s'", i, doubts, notes,
			         cases[i].doubts, cases[i].notes);
	}
}

TEST_MAIN(cmocka_unit_test(words_follow_the_rules))
