#include "plan/merge.h"

#include <inttypes.h>

/* For whom an axis makes no difference; %s is filled with the engines or patterns that were
 * met. */
enum cause { FOR_ENGINES, FOR_PATTERNS, IN_WORDS };

struct row {
	enum cause cause;
	const char *words;
};

static struct row cause_of(enum axis_id a)
{
	switch (a) {
	case AXIS_iodepth:
	case AXIS_profile:
	case AXIS_fixedbufs:
	case AXIS_registerfiles:
		return (struct row){ .cause = FOR_ENGINES };
	case AXIS_rwmixread:
		return (struct row){ FOR_PATTERNS,
			             " (mixed ones: with a rate)" };
	case AXIS_fsync:
	case AXIS_fdatasync:
	case AXIS_end_fsync:
		return (struct row){ .cause = FOR_PATTERNS };
	case AXIS_zero_buffers:
	case AXIS_refill_buffers:
		return (struct row){ IN_WORDS, "makes no difference for reads, or beside other words "
			                       "about the data" };
	case AXIS_job_offset:
		return (struct row){
			IN_WORDS,
			"makes no difference for random patterns, one job, or directories"
		};
	case AXIS_blockalign:
	case AXIS_percentage_random:
	case AXIS_random_distribution:
	case AXIS_rw_step:
		return (struct row){ .cause = FOR_PATTERNS };
	case AXIS_bs:
		return (struct row){ IN_WORDS, "makes no difference with bssplit, or in a direction that "
			                       "the pattern does not have" };
	case AXIS_bssplit:
		return (struct row){
			IN_WORDS, "values come to the same size, or to sizes that are not used"
		};
	case AXIS_norandommap:
		return (struct row){ IN_WORDS, "makes no difference for sequential patterns, and "
			                       "with another distribution than random" };
	case AXIS_randseed:
		return (struct row){ IN_WORDS,
			             "makes no difference where nothing is drawn at random" };
	case AXIS_randrepeat:
		return (struct row){ IN_WORDS,
			             "makes no difference where nothing is drawn at random, and "
			             "with a randseed" };
	case AXIS_offset_increment:
		return (struct row){ IN_WORDS, "makes no difference for one job" };
	case AXIS_io_size:
	case AXIS_number_ios:
		return (struct row){ IN_WORDS,
			             "makes no difference when benchmark_type is time" };
	case AXIS_ramp_time:
		return (struct row){ IN_WORDS,
			             "makes no difference when benchmark_type is size" };
	case AXIS_offset:
	case AXIS_size:
		return (struct row){ IN_WORDS, "values come to the same number of bytes" };
	case AXIS_iodepth_batch_submit:
	case AXIS_iodepth_batch_complete_min:
	case AXIS_iodepth_batch_complete_max:
		return (struct row){ IN_WORDS,
			             "makes no difference at and above iodepth, and for "
			             "engines that hold one I/O" };
	case AXIS_cpus_allowed_policy:
		return (struct row){ IN_WORDS, "makes no difference without cpus_allowed" };
	case AXIS_direct:
		return (struct row){ .cause = FOR_PATTERNS };
	case AXIS_sync:
		return (struct row){ IN_WORDS, "makes no difference for reads, mmap and null" };
	case AXIS_buffer_pattern:
	case AXIS_buffer_compress_percentage:
	case AXIS_buffer_compress_chunk:
	case AXIS_dedupe_percentage:
		return (struct row){ IN_WORDS, "makes no difference for reads and null, or beside other "
			                       "words about the data" };
	case AXIS_prio:
	case AXIS_prioclass:
		return (struct row){ IN_WORDS, "makes no difference for null, with prioclass=3, or where two "
			                       "values say the same" };
	case AXIS_pre_read:
	case AXIS_uncached:
		return (struct row){ IN_WORDS, "makes no difference with direct=1 and for null" };
	case AXIS_invalidate:
	case AXIS_fadvise_hint:
		return (struct row){ IN_WORDS, "makes no difference with direct=1, for null, with "
			                       "pre_read=1, or where two values say the same" };
	case AXIS_rate:
	case AXIS_rate_iops:
		return (struct row){ IN_WORDS,
			             "makes no difference in a direction that the pattern does "
			             "not have" };
	case AXIS_rate_process:
		return (struct row){ IN_WORDS, "makes no difference without a rate" };
	case AXIS_thinktime_spin:
	case AXIS_thinktime_blocks:
	case AXIS_thinktime_iotime:
		return (struct row){ IN_WORDS, "makes no difference without thinktime" };
	case AXIS_thinktime:
	case AXIS_startdelay:
	case AXIS_cpus_allowed:
	case AXIS_nice:
	case AXIS_hipri:
	case AXIS_sqthread_poll:
	case AXIS_filename:
	case AXIS_ioengine:
	case AXIS_rw:
	case AXIS_numjobs:
	case AXIS_runtime:
	case AXIS_time_based:
	case AXIS_COUNT:
		break;
	}
	return (struct row){ IN_WORDS, "makes no difference" };
}

/* What follows from another axis is not the cause. */
static bool at_default(const struct axis *a, const struct job *job)
{
	return axis_value(a, job) == axis_default_in(a, job);
}

void merges_add(struct merges *m, const struct job *kept, const struct job *dropped)
{
	bool first = true;

	for (size_t a = 0; a < AXIS_COUNT; a++) {
		if (axis_value(&axes[a], kept) == axis_value(&axes[a], dropped) ||
		    (at_default(&axes[a], kept) && at_default(&axes[a], dropped)))
			continue;
		m->count[a] += first;
		m->engines[a] |= UINT64_C(1) << dropped->ioengine;
		m->patterns[a] |= UINT64_C(1) << dropped->rw;
		first = false;
	}
	m->equal += first;
}

static bool any_mixed(uint64_t patterns)
{
	return patterns & (UINT64_C(1) << RW_RW | UINT64_C(1) << RW_RANDRW);
}

static void add_names(struct text *t, uint64_t bits, const char *(*name)(uint64_t))
{
	const char *sep = "";

	for (uint64_t i = 0; i < 64 && name(i); i++)
		if (bits >> i & 1) {
			text_addf(t, "%s%s", sep, name(i));
			sep = ", ";
		}
}

void merges_tell(const struct merges *m, uint64_t listed_twice, struct strlist *notes)
{
	if (listed_twice)
		strlist_addf(notes,
		             "merged %" PRIu64 ": a list names the same value more than once",
		             listed_twice);
	for (size_t a = 0; a < AXIS_COUNT; a++) {
		struct row r = cause_of((enum axis_id)a);
		struct text t = { 0 };

		if (!m->count[a])
			continue;
		text_addf(&t, "merged %" PRIu64 ": %s ", m->count[a], axes[a].name);
		text_add(&t, r.cause == IN_WORDS ? r.words : "makes no difference for ");
		if (r.cause == FOR_ENGINES)
			add_names(&t, m->engines[a], engine_name);
		else if (r.cause == FOR_PATTERNS)
			add_names(&t, m->patterns[a], rw_name);
		if (r.cause == FOR_PATTERNS && r.words && any_mixed(m->patterns[a]))
			text_add(&t, r.words);
		strlist_add(notes, text_get(&t));
		text_fini(&t);
	}
	if (m->equal)
		strlist_addf(notes,
		             "merged %" PRIu64
		             ": an include entry is the same as another combination",
		             m->equal);
}
