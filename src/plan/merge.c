#include "plan/merge.h"

#include <inttypes.h>

/* For whom an axis makes no difference: said in words, or the engines or patterns that were
 * met. */
struct cause {
	enum { IN_WORDS, FOR_ENGINES, FOR_PATTERNS } kind;
	const char *words; /* NULL: at all; behind patterns: said of the mixed ones */
};

#define WRITTEN_DATA "makes no difference for reads, or beside other words about the data"
#define OTHER_DATA                                                                             \
	"makes no difference for reads and null, or beside other words about the data"
#define AT_RANDOM  "makes no difference where nothing is drawn at random"
#define AT_IODEPTH "makes no difference at and above iodepth, and for engines that hold one I/O"
#define SAME_PRIO                                                                              \
	"makes no difference for null, with prioclass=3, or where two values say the same"
#define SAME_CACHE                                                                             \
	"makes no difference with direct=1, for null, with pre_read=1, or where two values "   \
	"say the same"
#define NO_DIRECTION "makes no difference in a direction that the pattern does not have"
#define NO_THINKTIME "makes no difference without thinktime"

static const struct cause causes[AXIS_COUNT] = {
	[AXIS_iodepth] = { FOR_ENGINES, NULL },
	[AXIS_profile] = { FOR_ENGINES, NULL },
	[AXIS_fixedbufs] = { FOR_ENGINES, NULL },
	[AXIS_registerfiles] = { FOR_ENGINES, NULL },
	[AXIS_rwmixread] = { FOR_PATTERNS, " (mixed ones: with a rate)" },
	[AXIS_fsync] = { FOR_PATTERNS, NULL },
	[AXIS_fdatasync] = { FOR_PATTERNS, NULL },
	[AXIS_end_fsync] = { FOR_PATTERNS, NULL },
	[AXIS_direct] = { FOR_PATTERNS, NULL },
	[AXIS_blockalign] = { FOR_PATTERNS, NULL },
	[AXIS_percentage_random] = { FOR_PATTERNS, NULL },
	[AXIS_random_distribution] = { FOR_PATTERNS, NULL },
	[AXIS_rw_step] = { FOR_PATTERNS, NULL },
	[AXIS_zero_buffers] = { IN_WORDS, WRITTEN_DATA },
	[AXIS_refill_buffers] = { IN_WORDS, WRITTEN_DATA },
	[AXIS_buffer_pattern] = { IN_WORDS, OTHER_DATA },
	[AXIS_buffer_compress_percentage] = { IN_WORDS, OTHER_DATA },
	[AXIS_buffer_compress_chunk] = { IN_WORDS, OTHER_DATA },
	[AXIS_dedupe_percentage] = { IN_WORDS, OTHER_DATA },
	[AXIS_job_offset] = { IN_WORDS, "makes no difference for random patterns, one job, or "
	                                "directories" },
	[AXIS_bs] = { IN_WORDS, "makes no difference with bssplit, or in a direction that the "
	                        "pattern does not have" },
	[AXIS_bssplit] = { IN_WORDS,
	                   "values come to the same size, or to sizes that are not used" },
	[AXIS_norandommap] = { IN_WORDS,
	                       "makes no difference for sequential patterns, and with "
	                       "another distribution than random" },
	[AXIS_randseed] = { IN_WORDS, AT_RANDOM },
	[AXIS_randrepeat] = { IN_WORDS, AT_RANDOM ", and with a randseed" },
	[AXIS_offset_increment] = { IN_WORDS, "makes no difference for one job" },
	[AXIS_io_size] = { IN_WORDS, "makes no difference when benchmark_type is time" },
	[AXIS_number_ios] = { IN_WORDS, "makes no difference when benchmark_type is time" },
	[AXIS_ramp_time] = { IN_WORDS, "makes no difference when benchmark_type is size" },
	[AXIS_offset] = { IN_WORDS, "values come to the same number of bytes" },
	[AXIS_size] = { IN_WORDS, "values come to the same number of bytes" },
	[AXIS_iodepth_batch_submit] = { IN_WORDS, AT_IODEPTH },
	[AXIS_iodepth_batch_complete_min] = { IN_WORDS, AT_IODEPTH },
	[AXIS_iodepth_batch_complete_max] = { IN_WORDS, AT_IODEPTH },
	[AXIS_cpus_allowed_policy] = { IN_WORDS, "makes no difference without cpus_allowed" },
	[AXIS_sync] = { IN_WORDS, "makes no difference for reads, mmap and null" },
	[AXIS_prio] = { IN_WORDS, SAME_PRIO },
	[AXIS_prioclass] = { IN_WORDS, SAME_PRIO },
	[AXIS_pre_read] = { IN_WORDS, "makes no difference with direct=1 and for null" },
	[AXIS_uncached] = { IN_WORDS, "makes no difference with direct=1 and for null" },
	[AXIS_invalidate] = { IN_WORDS, SAME_CACHE },
	[AXIS_fadvise_hint] = { IN_WORDS, SAME_CACHE },
	[AXIS_rate] = { IN_WORDS, NO_DIRECTION },
	[AXIS_rate_iops] = { IN_WORDS, NO_DIRECTION },
	[AXIS_rate_process] = { IN_WORDS, "makes no difference without a rate" },
	[AXIS_thinktime_spin] = { IN_WORDS, NO_THINKTIME },
	[AXIS_thinktime_blocks] = { IN_WORDS, NO_THINKTIME },
	[AXIS_thinktime_iotime] = { IN_WORDS, NO_THINKTIME },
};

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
	for (uint64_t rw = 0; rw < RW_COUNT; rw++)
		if (patterns >> rw & 1 && rw_mixed(rw))
			return true;
	return false;
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
		const struct cause *c = &causes[a];
		struct text t = { 0 };

		if (!m->count[a])
			continue;
		text_addf(&t, "merged %" PRIu64 ": %s ", m->count[a], axes[a].name);
		text_add(&t, c->kind != IN_WORDS ? "makes no difference for "
		             : c->words          ? c->words
		                                 : "makes no difference");
		if (c->kind == FOR_ENGINES)
			add_names(&t, m->engines[a], engine_name);
		else if (c->kind == FOR_PATTERNS)
			add_names(&t, m->patterns[a], rw_name);
		if (c->kind == FOR_PATTERNS && c->words && any_mixed(m->patterns[a]))
			text_add(&t, c->words);
		strlist_add(notes, text_get(&t));
		text_fini(&t);
	}
	if (m->equal)
		strlist_addf(notes,
		             "merged %" PRIu64
		             ": an include entry is the same as another combination",
		             m->equal);
}
