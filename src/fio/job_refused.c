#include "fio/job_refused.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "fio/job_path.h"
#include "model/distribution.h"

#define JOBS_OF_FIO 4096 /* of one call */

static const char *value_text(const struct fio_run *run, enum axis_id id)
{
	return axis_text(&axes[id], &run->text);
}

static unsigned caps(const struct fio_run *run)
{
	return engine_ops(run->job->ioengine)->caps;
}

static bool simulated(const struct fio_run *run)
{
	return caps(run) & ENGINE_SIMULATED;
}

/* It puts the environment and some sizes in the place of words that begin with '$'. */
static bool strange_path(const struct fio_run *run)
{
	AUTO(strlist_fini) struct strlist paths = { 0 };
	bool strange = false;

	if (!(caps(run) & ENGINE_NO_TARGET))
		fio_paths(&paths, value_text(run, AXIS_filename));
	for (size_t i = 0; i < paths.len; i++)
		strange |= strchr(paths.item[i], '$') || !text_plain(paths.item[i]);
	return strange;
}

static bool many_jobs(const struct fio_run *run)
{
	AUTO(strlist_fini) struct strlist paths = { 0 };

	fio_paths(&paths, value_text(run, AXIS_filename));
	return run->job->numjobs * (paths.len ? paths.len : 1) > JOBS_OF_FIO;
}

/* It has ranges in an option of their own. */
static bool range_beside_sizes(const struct fio_run *run)
{
	const char *sizes = value_text(run, AXIS_bssplit);

	return strchr(sizes, '-') && strpbrk(sizes, "/:");
}

static bool at_its_end(const struct fio_run *run, enum distribution_kind kind, double value)
{
	struct distribution d;

	return !distribution_parse(value_text(run, AXIS_random_distribution), &d, NULL) &&
	       d.kind == kind && d.value >= value && d.value <= value;
}

static bool zipf_of_one(const struct fio_run *run)
{
	return at_its_end(run, DISTRIBUTION_ZIPF, 1);
}

static bool normal_of_all(const struct fio_run *run)
{
	return at_its_end(run, DISTRIBUTION_NORMAL, 100);
}

static bool used_once(const struct fio_run *run)
{
	return run->job->fadvise_hint == FADVISE_NOREUSE;
}

static const struct refusal {
	enum axis_id axis;
	bool (*applies)(const struct fio_run *run);
	const char *why;
} refusals[] = {
	{ AXIS_ioengine, simulated, "fio has no simulated devices" },
	{ AXIS_filename, strange_path, "fio takes no such path" },
	{ AXIS_numjobs, many_jobs, "fio has no more than 4096 jobs at once, over all targets" },
	{ AXIS_bssplit, range_beside_sizes, "fio takes ranges for all directions or for none" },
	{ AXIS_random_distribution, zipf_of_one, "fio takes any theta but 1" },
	{ AXIS_random_distribution, normal_of_all, "fio takes deviations below 100 %" },
	{ AXIS_fadvise_hint, used_once, "fio has no such hint" },
};

int fio_refuses(const struct fio_run *run, struct err *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(refusals); i++) {
		const struct axis *a = &axes[refusals[i].axis];
		char value[64];

		if (!refusals[i].applies(run))
			continue;
		axis_print(a, axis_value(a, run->job), value, sizeof(value));
		return err_set(e, -ENOTSUP, "%s=%.400s: %s", a->name,
		               a->kind == AXIS_TEXT ? axis_text(a, &run->text) : value,
		               refusals[i].why);
	}
	return 0;
}
