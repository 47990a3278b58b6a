#include "fio/job_write.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "engine/engine.h"
#include "fio/job_path.h"
#include "fio/job_refused.h"
#include "fio/job_said.h"

/* A run on its way; `said` is what fio's options do not say, for whom reads its results. */
struct writing {
	const struct fio_run *run;
	struct fio_written *out;
	struct text said;
	bool region_said; /* there: of this target alone */
};

static void put(struct writing *w, const char *name, const char *value)
{
	strlist_addf(&w->out->option, "%s=%s", name, value);
}

static void say(struct writing *w, const struct axis *a)
{
	char value[64];

	axis_print(a, axis_value(a, w->run->job), value, sizeof(value));
	fio_said_add(&w->said, &(struct fio_said){ .axis = a, .configured = value });
}

/* As the key has it: a share of the target, or nothing, where the job has bytes. */
static char *configured(const struct fio_run *run, const struct axis *a, const char *value)
{
	AUTO(freep) char *key = NULL;

	if (!run->key_text || a->kind != AXIS_SIZE_OR_PERCENT)
		return xstrdup(value);
	key = fio_key_value(run->key_text, a);
	return xstrdup(*key || !a->def ? key : a->def);
}

/* Where fio needs another value than the combination has. */
static void put_as(struct writing *w, const struct axis *a, uint64_t written)
{
	char value[64], option[64];
	AUTO(freep) char *key = NULL;

	axis_print(a, axis_value(a, w->run->job), value, sizeof(value));
	axis_print(a, written, option, sizeof(option));
	put(w, a->name, option);
	key = configured(w->run, a, value);
	if (!strcmp(key, value) && !strcmp(option, value))
		return;
	fio_said_add(&w->said, &(struct fio_said){ a, key, value, option });
	w->region_said |= fio_of_region(a);
}

/* --- where --- */

static void say_target(struct writing *w)
{
	const char *filename = axis_text(&axes[AXIS_filename], &w->run->text);

	fio_said_add(&w->said, &(struct fio_said){ .axis = &axes[AXIS_filename],
	                                           .configured = filename });
}

/* Each of several targets then has a region of its own size; known is that of the smallest. */
static bool size_follows_target(const struct fio_run *run)
{
	AUTO(freep) char *key = NULL;

	if (!run->key_text)
		return false;
	key = fio_key_value(run->key_text, &axes[AXIS_size]);
	return !*key || strchr(key, '%');
}

/* Several at once are one job of fio for each; what they are together fio shows of none. */
static void put_target(struct writing *w)
{
	AUTO(strlist_fini) struct strlist paths = { 0 };

	if (engine_ops(w->run->job->ioengine)->caps & ENGINE_NO_TARGET)
		return;
	if (w->run->directory)
		put(w, "filename_format", FIO_IN_DIRECTORY);
	fio_paths(&paths, axis_text(&axes[AXIS_filename], &w->run->text));
	for (size_t i = 0; i < paths.len; i++) {
		AUTO(text_fini) struct text t = { 0 };

		text_add(&t, w->run->directory ? "directory=" : "filename=");
		fio_path(&t, paths.item[i]);
		strlist_add(&w->out->target, text_get(&t));
	}
	if (paths.len > 1)
		say_target(w);
	if (paths.len > 1 && size_follows_target(w->run))
		strlist_add(&w->out->comment,
		            "size: iosweep goes by the size of each target; here the larger "
		            "ones are used as far as the smallest");
}

/* Do the jobs start at slices of one region? Then each of them stays in its own, which fio can
 * be told. */
static bool sliced(const struct fio_run *run)
{
	const struct job *j = run->job;

	return j->job_offset == JOB_OFFSET_SPLIT && j->numjobs > 1 && !rw_random(j->rw) &&
	       !run->directory && !j->offset_increment && j->size / j->numjobs >= j->bs;
}

static void put_region(struct writing *w)
{
	const struct job *j = w->run->job;
	uint64_t slice = j->size / j->numjobs / j->bs * j->bs;

	if (!sliced(w->run)) {
		if (j->size != AXIS_UNSET)
			put_as(w, &axes[AXIS_size], j->size);
		return;
	}
	put_as(w, &axes[AXIS_size], slice);
	put_as(w, &axes[AXIS_offset_increment], slice);
	if (!j->time_based && j->io_size == AXIS_UNSET)
		put_as(w, &axes[AXIS_io_size], j->size);
	strlist_add(&w->out->comment, "in iosweep a job starts at its slice and goes on "
	                              "through the whole region; here it stays "
	                              "in its slice");
}

/* --- how --- */

/* fio's times are whole numbers. */
static void put_time(struct writing *w, const char *name, uint64_t ns)
{
	if (ns % SEC == 0)
		strlist_addf(&w->out->option, "%s=%" PRIu64, name, ns / SEC);
	else if (ns % MSEC == 0)
		strlist_addf(&w->out->option, "%s=%" PRIu64 "ms", name, ns / MSEC);
	else
		strlist_addf(&w->out->option, "%s=%" PRIu64 "us", name, ns / USEC);
}

/* 0 is as many as there are: of a full queue all, for submitting and for reaping. */
static void put_batch(struct writing *w, const struct axis *a)
{
	const struct job *j = w->run->job;
	uint64_t v = axis_value(a, j),
		 all = j->iodepth < AXIS_BATCH_MAX ? j->iodepth : AXIS_BATCH_MAX;

	put_as(w, a, v ? v : all);
}

static void put_value(struct writing *w, const struct axis *a)
{
	uint64_t v = axis_value(a, w->run->job);
	char value[64];

	if (a->kind == AXIS_TEXT) {
		put(w, a->name, axis_text(a, &w->run->text));
	} else if (a->kind == AXIS_TIME) {
		put_time(w, a->name, v);
	} else if (a->kind == AXIS_SIZE_OR_PERCENT) {
		put_as(w, a, v);
	} else {
		axis_print(a, v, value, sizeof(value));
		put(w, a->name, value);
	}
}

/* What is said in a way of its own, or by another axis. */
static bool apart(enum axis_id id)
{
	switch ((int)id) {
	case AXIS_filename:
	case AXIS_size:
	case AXIS_job_offset:
	case AXIS_profile:
	case AXIS_time_based:
	case AXIS_rw:
	case AXIS_rw_step:
	case AXIS_bssplit:
	case AXIS_norandommap:
	case AXIS_iodepth_batch_submit:
	case AXIS_iodepth_batch_complete_min:
	case AXIS_iodepth_batch_complete_max:
		return true;
	default:
		return false;
	}
}

/* Axes with a column always, the others where they are not as fio has them anyway. */
static bool matters(const struct fio_run *run, const struct axis *a)
{
	uint64_t v = axis_value(a, run->job);

	if (v == AXIS_UNSET || (a->needs && !(engine_ops(run->job->ioengine)->caps & a->needs)))
		return false;
	if (a == &axes[AXIS_rwmixread])
		return rw_mixed(run->job->rw);
	if (a == &axes[AXIS_ramp_time])
		return v > 0;
	return a->column || v != axis_default_in(a, run->job);
}

static void put_batches(struct writing *w)
{
	unsigned caps = engine_ops(w->run->job->ioengine)->caps;

	if (!(caps & ENGINE_ASYNC))
		return;
	put_batch(w, &axes[AXIS_iodepth_batch_submit]);
	put_value(w, &axes[AXIS_iodepth_batch_complete_min]);
	put_batch(w, &axes[AXIS_iodepth_batch_complete_max]);
	if ((caps & ENGINE_REGISTERS) && w->run->job->fixedbufs == AXIS_UNSET)
		strlist_add(&w->out->comment, "fixedbufs, registerfiles: iosweep registers "
		                              "buffers and files where the kernel "
		                              "grants it; here they are not");
}

static void put_pattern(struct writing *w)
{
	const struct job *j = w->run->job;

	if (j->rw_step)
		strlist_addf(&w->out->option, "rw=%s:%" PRId64, rw_name(j->rw),
		             (int64_t)j->rw_step);
	else
		put(w, "rw", rw_name(j->rw));
}

/* With its map fio cuts I/Os where blocks were used before. */
static void put_map(struct writing *w)
{
	const struct job *j = w->run->job;
	bool cut = rw_random(j->rw) && j->bssplit != AXIS_UNSET && !j->norandommap;

	if (j->norandommap || cut)
		put_as(w, &axes[AXIS_norandommap], 1);
	if (!cut)
		return;
	strlist_add(&w->out->comment, "norandommap: with its map fio cuts I/Os where blocks "
	                              "were used before; here sizes are as asked for");
}

/* fio has ranges in an option of their own, for all directions. */
static void put_sizes(struct writing *w)
{
	const char *sizes = axis_text(&axes[AXIS_bssplit], &w->run->text);

	if (*sizes)
		put(w, strchr(sizes, '-') ? "bsrange" : "bssplit", sizes);
}

static void put_percentiles(struct writing *w, const struct percentiles *list)
{
	AUTO(text_fini) struct text t = { 0 };
	char one[24];

	for (size_t i = 0; i < list->n; i++)
		text_addf(&t, "%s%s", i ? ":" : "",
		          percentile_print(one, sizeof(one), list->at[i], 0));
	put(w, "percentile_list", text_get(&t));
}

/* What every job of ours is, and what reading its results needs. */
static void put_rest(struct writing *w)
{
	const struct job *j = w->run->job;

	if (j->time_based)
		put(w, "time_based", "1");
	put(w, "thread", "1");
	put(w, "group_reporting", "1");
	put(w, "lat_percentiles", "1");
	if (j->rate || j->rate_iops)
		strlist_add(&w->out->comment, "rate: iosweep's schedule goes on while the "
		                              "device is late, and latencies count from it; "
		                              "fio empties its queue before it waits");
	if (rw_writes_data(j->rw) && !(engine_ops(j->ioengine)->caps & ENGINE_NO_TARGET)) {
		put(w, "overwrite", "1"); /* written once before, as iosweep lays it out */
		if (!j->zero_buffers && !j->refill_buffers)
			strlist_add(&w->out->comment, "data: iosweep never writes the same "
			                              "twice; fio fills its buffers once and "
			                              "changes a few bytes of each");
	}
	say(w, &axes[AXIS_profile]);
	if (!rw_random(j->rw) && j->numjobs > 1)
		say(w, &axes[AXIS_job_offset]);
	if (w->region_said && w->out->target.len == 1)
		say_target(w);
	strlist_addf(&w->out->option, "description=" FIO_SAID "%s", text_get(&w->said));
}

int fio_run_write(const struct fio_run *run, const struct percentiles *list,
                  struct fio_written *out, struct err *e)
{
	struct writing w = { .run = run, .out = out };

	if (fio_refuses(run, e))
		return -ENOTSUP;
	put_target(&w);
	for (const struct axis *a = axes; a < axes + AXIS_COUNT; a++) {
		if (a == &axes[AXIS_size])
			put_region(&w);
		else if (a == &axes[AXIS_rw])
			put_pattern(&w);
		else if (a == &axes[AXIS_bssplit])
			put_sizes(&w);
		else if (a == &axes[AXIS_norandommap])
			put_map(&w);
		else if (!apart((enum axis_id)(a - axes)) && matters(run, a))
			put_value(&w, a);
	}
	put_batches(&w);
	if (list)
		put_percentiles(&w, list);
	put_rest(&w);
	text_fini(&w.said);
	return 0;
}
