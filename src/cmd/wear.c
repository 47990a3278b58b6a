#include "cmd/wear.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "cmd/outcome.h"
#include "cmd/session.h"
#include "run/nvme.h"

#define HEADER "written_bytes"

static uint64_t limit(const struct session *s)
{
	return s->prepared->sweep->max_write_bytes;
}

static unsigned written_percent(const struct job *job)
{
	if (engine_ops(job->ioengine)->caps & ENGINE_NO_TARGET || !rw_writes_data(job->rw))
		return 0;
	if (rw_trims_first(job->rw))
		return 50;
	return rw_reads(job->rw) ? 100 - (unsigned)job->rwmixread : 100;
}

/* Of the bytes: reads and writes of several sizes are no share of the I/Os. */
static unsigned written_bytes_percent(const struct run_spec *spec)
{
	unsigned percent = written_percent(&spec->job);
	double writes, reads;

	if (!percent || percent == 100 || !spec->sizes || rw_trims(spec->job.rw))
		return percent;
	writes = percent * size_mix_mean(&spec->mix[SIZES_WRITE]);
	reads = (100 - percent) * size_mix_mean(&spec->mix[SIZES_READ]);
	return (unsigned)ceil(100 * writes / (writes + reads));
}

static uint64_t part(uint64_t bytes, unsigned percent)
{
	return bytes / 100 * percent + bytes % 100 * percent / 100;
}

void wear_begin(struct session *s)
{
	const char *text = store_get(s->store, HEADER);

	if (text)
		(void)parse_u64(text, &s->wear.written);
	s->progress.written = s->wear.written;
}

void wear_task(struct session *s, const struct shared *sh)
{
	s->wear.live = 0;
	s->wear.over = false;
	s->wear.limited = sh->kind == TASK_RUN;
	s->wear.percent = s->wear.limited ? written_bytes_percent(&sh->spec[0]) : 100;
}

static void look(struct session *s, const struct live *live)
{
	uint64_t bytes = atomic_load_explicit(&live->bytes, memory_order_relaxed),
		 laid_out = atomic_load_explicit(&live->layout_done, memory_order_relaxed);

	s->wear.live = part(bytes, s->wear.percent);
	if (!s->wear.limited)
		s->wear.live += laid_out;
	s->progress.written = s->wear.written + s->wear.live;
}

bool wear_tick(struct session *s, const struct live *live)
{
	look(s, live);
	if (s->wear.limited && s->wear.percent && limit(s) &&
	    s->wear.written + s->wear.live >= limit(s))
		s->wear.over = true;
	return s->wear.over;
}

void wear_end(struct session *s, const struct live *live)
{
	char text[32];

	if (live)
		look(s, live);
	if (!s->wear.live)
		return;
	s->wear.written += s->wear.live;
	s->wear.live = 0;
	(void)snprintf(text, sizeof(text), "%" PRIu64, s->wear.written);
	(void)store_put(s->store, HEADER, text, NULL);
}

/* The most that a run bound by size can write; 0: it has no such bound. */
static uint64_t most(const struct session *s, const struct job *job)
{
	uint64_t each = job->io_size != AXIS_UNSET && job->io_size ? job->io_size : job->size,
		 jobs = job->numjobs *
	                target_members(&s->prepared->world.target[job->filename]),
		 ios, all;
	bool mix = job->bssplit != AXIS_UNSET; /* the last one may go beyond, writes be larger */

	if (job->time_based || job->size == AXIS_UNSET)
		return 0;
	if (job->number_ios && !__builtin_mul_overflow(job->number_ios, job->bs, &ios) &&
	    ios < each)
		each = ios;
	if (__builtin_add_overflow(each, mix ? job->bs : 0, &each) ||
	    __builtin_mul_overflow(each, jobs, &all))
		return UINT64_MAX;
	return part(all, mix ? 100 : written_percent(job));
}

bool wear_forbids(const struct session *s, const struct job *job, uint64_t bytes,
                  char *why, size_t size)
{
	uint64_t written = s->wear.written, more = job ? most(s, job) : bytes, sum;
	char max[32], is[32], would[32];

	if (!limit(s) || (job ? !written_percent(job) : !bytes))
		return false;
	(void)print_size(max, sizeof(max), limit(s));
	(void)print_bytes(is, sizeof(is), written);
	if (written >= limit(s))
		(void)snprintf(why, size,
		               "max_write %s is reached: this sweep has written %s (%" PRIu64
		               " bytes)",
		               max, is, written);
	else if (__builtin_add_overflow(written, more, &sum) || sum > limit(s))
		(void)snprintf(why, size,
		               "max_write %s: %s %s more, and %s (%" PRIu64
		               " bytes) are written already",
		               max, job ? "it would write" : "its layout writes",
		               print_bytes(would, sizeof(would), more), is, written);
	else
		return false;
	return true;
}

static bool complete(const struct record *r)
{
	return r->status == STATUS_OK && r->sample && r->job->time_based &&
	       r->sample->stop_reason != STOPPED_NONE;
}

void wear_judge(struct session *s, struct outcome *o)
{
	char max[32], is[32], text[160];

	if (!s->wear.over || s->signal || complete(&o->record))
		return;
	(void)snprintf(text, sizeof(text),
	               "max_write %s was reached while it ran, which ended it: %s (%" PRIu64
	               " bytes) are written",
	               print_size(max, sizeof(max), limit(s)),
	               print_bytes(is, sizeof(is), s->wear.written), s->wear.written);
	o->record.sample = NULL;
	o->record.flags = 0;
	outcome_fail(o, STATUS_SKIPPED, 0, text);
}

void wear_record_drives(struct session *s, const char *when)
{
	const struct prepared *p = s->prepared;
	char text[512];

	for (size_t i = 0; i < p->world.targets; i++) {
		const struct target_info *t = &p->world.target[i];
		struct nvme_health h;
		bool seen = !p->plan->need[i].used || (!t->major && !t->minor);

		for (size_t k = 0; k < i && !seen; k++)
			seen = p->plan->need[k].used && p->world.target[k].major == t->major &&
			       p->world.target[k].minor == t->minor;
		if (seen || nvme_health(&h, t->major, t->minor, prepared_patience(p->sweep)))
			continue;
		(void)snprintf(text, sizeof(text),
		               "%.200s: %s: data units written %" PRIu64
		               "%s (of 512,000 bytes), "
		               "%u %% of its life used",
		               t->filename, when, h.units_written,
		               h.saturated ? " or more" : "", h.percent_used);
		(void)store_event(s->store, 0, "info", "wear", text, NULL);
	}
}
