#include "cmd/outcome.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "base/cpulist.h"
#include "base/rng.h"
#include "base/units.h"
#include "cmd/outcome_words.h"
#include "cmd/session_set.h"
#include "cmd/session_wait.h"
#include "host/nfs.h"
#include "plan/effective.h"
#include "plan/rules.h"

static uint64_t run_seed(const struct session *s, const struct plan_row *row)
{
	uint64_t state = s->prepared->sweep->seed, word;

	if (row->job.randseed != AXIS_UNSET) { /* the same in all runs that have it */
		state = row->job.randseed;
		return rng_splitmix(&state);
	}
	for (size_t i = 0; i < KEY_BYTES; i += sizeof(word)) {
		memcpy(&word, row->key.bytes + i, sizeof(word));
		state = rng_splitmix(&state) ^ word;
	}
	state ^= row->repeat;
	if (!row->job.randrepeat && getrandom(&word, sizeof(word), 0) == sizeof(word))
		state ^= word;
	return rng_splitmix(&state);
}

/* A pause is not waited for: it passes in the device's time. */
static void simulate(const struct session *s, const struct plan_row *row, struct run_spec *spec)
{
	const struct sweep *sweep = s->prepared->sweep;
	const struct sim_device *d = sweep_sim(sweep, row->job.filename);
	uint64_t seed = sweep->seed;

	if (!d)
		return;
	memcpy(&spec->sim, d, sizeof(spec->sim));
	spec->sim.seed = rng_splitmix(&seed) ^ d->seed;
	spec->rest_ns =
	    s->sim_rest_ns + (s->ran ? sweep->pause_ns : 0) + row->job.startdelay;
}

/* Member k of n: offsets and data of their own. */
static uint64_t target_seed(uint64_t seed, unsigned k)
{
	uint64_t state = seed ^ k;

	return k ? rng_splitmix(&state) : seed;
}

static void target_spec(const struct session *s, const struct plan_row *row, unsigned k,
                        struct run_spec *spec)
{
	const struct target_info *t = &session_member(s, row->job.filename, k)->info;
	bool null = engine_ops(row->job.ioengine)->caps & ENGINE_NO_TARGET;
	uint64_t region = plan_row_size(s->prepared->plan, row,
	                                world_member(&s->prepared->world, row->job.filename, k)),
		 end = region_end(&row->job) - row->job.size + region;

	*spec = (struct run_spec){
		.targets = session_members(s, row->job.filename),
		.job = row->job,
		.directory = t->kind == TARGET_DIRECTORY,
		.block_device = t->kind == TARGET_BLOCK,
		.region_bytes = region,
		.target_bytes = t->kind == TARGET_DIRECTORY || null ? end : t->size_bytes,
		.seed = target_seed(run_seed(s, row), k),
		.memory_align = t->memory_align,
		.major = null ? 0 : t->major,
		.minor = null ? 0 : t->minor,
		.drop_cache = !null && !row->job.direct && row->job.invalidate &&
		              !row->job.pre_read,
		.pre_read = !null && row->job.pre_read,
		.flush = !null && !row->job.direct && rw_writes(row->job.rw),
	};
	spec->sizes = job_mix(s->prepared->sweep, &row->job, spec->mix);
	if (row->job.random_distribution != AXIS_UNSET) /* the config's check let it pass */
		(void)distribution_parse(row->text.of[AXIS_random_distribution],
		                         &spec->distribution, NULL);
	simulate(s, row, spec);
	if (row->text.of[AXIS_cpus_allowed])
		(void)cpulist_parse(row->text.of[AXIS_cpus_allowed],
		                    &spec->cpus); /* the config's check let it pass */
	if (row->text.of[AXIS_buffer_pattern]) /* likewise */
		spec->pattern_bytes = (uint32_t)bytes_parse(row->text.of[AXIS_buffer_pattern], spec->pattern);
	if (t->kind == TARGET_BLOCK)
		spec->diskseq = t->diskseq;
	if (t->kind == TARGET_FILE || t->kind == TARGET_DIRECTORY) {
		spec->dev = t->dev;
		spec->ino = t->ino;
	}
	(void)snprintf(spec->path, sizeof(spec->path), "%s", t->path);
	if (!null && nfs_is(t->fs))
		(void)snprintf(spec->nfs_mount, sizeof(spec->nfs_mount), "%s", t->mount_point);
}

void outcome_spec(const struct session *s, const struct plan_row *row, struct run_spec *spec)
{
	const unsigned n = session_members(s, row->job.filename);
	uint64_t align = 0;

	for (unsigned k = 0; k < n; k++) {
		target_spec(s, row, k, &spec[k]);
		if (spec[k].memory_align > align)
			align = spec[k].memory_align;
	}
	spec[0].memory_align = align;
}

void outcome_add_target(const struct session *s, const struct job *job, unsigned k, char *buf,
                        size_t size)
{
	size_t n = strlen(buf);

	if (session_members(s, job->filename) > 1)
		(void)snprintf(buf + n, size - n, ", on %.200s",
		               session_member(s, job->filename, k)->info.filename);
}

void outcome_fail(struct outcome *o, enum run_status status, int error, const char *text)
{
	o->record.status = status;
	o->record.error_no = error;
	(void)snprintf(o->error, sizeof(o->error), "%.590s", text);
}

static void fail_io(const struct session *s, struct outcome *o, const struct io_error *io)
{
	o->record.status = STATUS_FAILED;
	o->record.error_no = io->error;
	outcome_io_error(io, o->error, sizeof(o->error));
	outcome_add_target(s, &o->row.job, io->target, o->error, sizeof(o->error));
}

/* Numbers of half the work are not those of this block size. */
static void fail_short(const struct session *s, struct outcome *o, const struct sample *sample)
{
	o->record.status = STATUS_FAILED;
	o->record.error_no = EIO;
	outcome_short(sample, o->error, sizeof(o->error));
	outcome_add_target(s, &o->row.job, sample->first_short.target, o->error,
	                   sizeof(o->error));
}

/* A run that was asked to stop counts only if its window had closed by itself. */
static bool window_complete(const struct run_spec *spec, const struct sample *sample)
{
	return sample->flush_cut ||
	       (spec->job.time_based && sample->stop_reason != STOPPED_NONE);
}

/* Held up by a stop of the processes or the machine: to be measured again, but not for ever. */
static bool judge_halt(const struct session *s, struct outcome *o)
{
	char text[64];

	if (!halt_judge(&s->supervisor.halt, text, sizeof(text)))
		return false;
	if (o->again < OUTCOME_AGAIN_MAX) {
		o->record.sample = NULL;
		o->record.started_wall_ns = 0;
		o->record.flags = 0;
		outcome_fail(o, STATUS_INTERRUPTED, 0, text);
		return true;
	}
	o->record.flags |= FLAG_BIT(stalls);
	(void)store_event(s->store, o->record.run_id, "warning", "stopped", text, NULL);
	return false;
}

static bool any_io(const struct sample *sample)
{
	uint64_t ios = 0;

	for (int op = 0; op < OP_COUNT; op++)
		ios += sample->op[op].ios;
	return ios;
}

static void fail_unseen(struct outcome *o, const struct sample *sample)
{
	char text[160];

	outcome_unseen(sample, text, sizeof(text));
	outcome_fail(o, STATUS_TIMEOUT, ETIMEDOUT, text);
}

/* The window is over but its last I/Os did not come back, or there was no time to wait for
 * them. What it counted stays; a window that counted nothing measured nothing. */
static void judge_hung(const struct session *s, struct outcome *o, const struct sample *sample)
{
	char text[160];

	if (!any_io(sample)) {
		o->record.sample = NULL;
		o->record.flags = 0;
		if (session_stopping(s))
			outcome_fail(o, STATUS_INTERRUPTED, 0, "interrupted");
		else
			fail_unseen(o, sample);
		return;
	}
	if (session_stopping(s))
		return;
	o->record.flags |= FLAG_BIT(stalls);
	(void)snprintf(text, sizeof(text),
	               "the drain was given up after %.3f s: I/Os of %" PRIu64
	               " jobs had not come back; the worker was replaced",
	               (double)sample->drain_ns / 1e9, sample->jobs_hung);
	(void)store_event(s->store, o->record.run_id, "warning", "drain", text, NULL);
}

/* All that was to be measured was, but what was written did not all reach the device. */
static void judge_flush(const struct session *s, struct outcome *o, const struct sample *sample)
{
	char text[120];

	if (session_stopping(s))
		return;
	o->record.flags |= FLAG_BIT(stalls);
	(void)snprintf(text, sizeof(text),
	               "the flush was given up after %.3f s; the worker was replaced",
	               (double)sample->flush_ns / 1e9);
	(void)store_event(s->store, o->record.run_id, "warning", "flush", text, NULL);
}

void outcome_judge(const struct session *s, struct outcome *o, enum task_end end,
                   const struct err *e)
{
	const struct shared *sh = s->supervisor.shared;

	switch (end) {
	case END_CRASHED:
		outcome_fail(o, STATUS_FAILED, e->code ? -e->code : EIO, e->text);
		return;
	case END_STALLED:
		outcome_fail(o, STATUS_TIMEOUT, ETIMEDOUT, e->text);
		return;
	case END_STOPPED:
		outcome_fail(o, STATUS_INTERRUPTED, 0, "interrupted");
		return;
	case END_DONE:
		break;
	}
	if (session_stopping(s) && (sh->result || !window_complete(sh->spec, &sh->sample))) {
		outcome_fail(o, STATUS_INTERRUPTED, 0, "interrupted");
		return;
	}
	if (sh->result) {
		outcome_fail(o, STATUS_FAILED, -sh->result, sh->err.text);
		return;
	}
	o->record.status = STATUS_OK;
	o->record.sample = &sh->sample;
	o->record.started_wall_ns = sh->sample.window_start_wall_ns;
	doubts_eval(&o->doubts, sh->spec, &sh->sample, o->record.target,
	            s->prepared->world.limits.memory_total);
	o->record.flags = o->doubts.flags;
	o->record.why = o->doubts.why;
	if (!sh->sample.first_error.error && judge_halt(s, o))
		return;
	if (sh->sample.jobs_hung)
		judge_hung(s, o, &sh->sample);
	if (sh->sample.flush_cut)
		judge_flush(s, o, &sh->sample);
	if (o->record.sample && sh->sample.first_error.error)
		fail_io(s, o, &sh->sample.first_error);
	else if (o->record.sample && sh->sample.first_short.len)
		fail_short(s, o, &sh->sample);
}

static void rates(const struct sample *sm, double *iops, double *mib_s)
{
	uint64_t ios = 0, bytes = 0;

	for (int op = 0; op < OP_SYNC; op++) {
		ios += sm->op[op].ios;
		bytes += sm->op[op].bytes;
	}
	*iops = sm->window_ns ? (double)ios * 1e9 / (double)sm->window_ns : 0;
	*mib_s = sm->window_ns ? (double)bytes * 1e9 / (double)sm->window_ns / (double)MIB : 0;
}

void outcome_line(const struct outcome *o, char *buf, size_t size)
{
	const struct record *r = &o->record;
	char beside[32] = "", doubts[256], line[1600];
	double iops, mib_s;

	if (r->purpose != PURPOSE_GRID) /* "fill 3 " */
		(void)snprintf(beside, sizeof(beside), "%s %" PRIu64 " ",
		               purpose_name(r->purpose), r->repeat);
	if (r->sample && r->status == STATUS_OK) {
		rates(r->sample, &iops, &mib_s);
		flag_print(r->flags, true, doubts, sizeof(doubts));
		(void)snprintf(line, sizeof(line), "%.500s %s%s %s: %.0f IOPS, %.1f MiB/s%s%s",
		               r->target->filename, beside, r->label,
		               engine_name(r->job->ioengine), iops, mib_s,
		               *doubts ? "  doubts: " : "", doubts);
	} else {
		bool why = strcmp(r->error, status_name(r->status)) !=
		           0; /* else the word says it all */

		(void)snprintf(line, sizeof(line), "%.500s %s%s %s %s%s%.600s",
		               r->target->filename, beside, r->label,
		               engine_name(r->job->ioengine), status_name(r->status),
		               why ? ": " : "", why ? r->error : "");
	}
	text_printable(buf, size, line);
}
