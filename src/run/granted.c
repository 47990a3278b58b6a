#include "run/granted.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/cpulist.h"
#include "base/units.h"
#include "host/sysfs.h"

struct words {
	char *buf;
	size_t size, len;
};

__attribute__((format(printf, 2, 3))) static void add(struct words *w, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (w->len >= w->size)
		return;
	va_start(ap, fmt);
	n = vsnprintf(w->buf + w->len, w->size - w->len, fmt, ap);
	va_end(ap);
	w->len += n > 0 ? (size_t)n : 0;
}

/* Limits are shared: the last jobs may have been refused what the first were granted. The first
 * that was refused something speaks for all. An engine says "key=0 (why)" of what the profile
 * asked for in vain. */
static void add_engine(struct words *w, const struct run *run, const struct pool *p, unsigned n)
{
	const char *said = n ? p->lane[0]->granted : "";

	for (unsigned i = 1; i < n && !strchr(said, '('); i++)
		if (strchr(p->lane[i]->granted, '('))
			said = p->lane[i]->granted;
	add(w, "engine=%s%s%s depth=%u", run->ops->name, *said ? " " : "", said, run->depth);
}

/* "fixedbufs=0 (memlock) in 3 of 4 jobs" */
static void note_refused(struct sample *out, const struct pool *p, unsigned n)
{
	const char *first = NULL, *from, *end;
	unsigned refused = 0;

	for (unsigned i = 0; i < n; i++) {
		if (!strchr(p->lane[i]->granted, '('))
			continue;
		if (!first)
			first = p->lane[i]->granted;
		refused++;
	}
	end = first ? strchr(first, ')') : NULL;
	if (!end)
		return;
	for (from = strchr(first, '(') - 1; from > first && from[-1] != ' '; from--)
		;
	(void)snprintf(out->degraded, sizeof(out->degraded), "%.*s in %u of %u jobs%s",
	               (int)(end + 1 - from), from, refused, n,
	               strstr(from, "(memlock)")
	                   ? ": more locked memory allowed (ulimit -l) grants it"
	                   : "");
}

/* A run that may end early has a ramp of at least so much. */
static void add_ramp(struct words *w, const struct run *run)
{
	const struct job *job = &run->spec->job;

	if (job->time_based && job->ramp_time != AXIS_UNSET && run->ramp_ns != job->ramp_time)
		add(w, " ramp_s=%.3g", (double)run->ramp_ns / 1e9);
}

static void add_clock(struct words *w, const struct run *run)
{
	if (run->ops->now)
		add(w, " clock=engine");
	else if (run->stamp.tsc) /* mult: ns x 2^32 per tick */
		add(w, " clock=tsc clock_khz=%" PRIu64,
		    (UINT64_C(1000000) << 32) / run->stamp.mult);
	else
		add(w, " clock=monotonic");
}

/* The share of the buffers that has them. */
static double huge_pages(const struct arena *a)
{
	return a->asked ? (double)a->granted / (double)a->asked : 0;
}

static void add_buffers(struct words *w, const struct run *run, const struct lane *lane)
{
	uint64_t bytes = lane_buffer_bytes(run);

	add(w, " buffers=%" PRIu64, bytes);
	if (bytes)
		add(w, " align=%" PRIu64 " huge_pages=%.3g", lane_buffer_align(run),
		    huge_pages(lane_arena(lane)));
	if (run->spec->drop_cache)
		add(w, " cache=dropped");
	else if (run->spec->pre_read)
		add(w, " cache=pre_read");
}

static void add_cpus(struct words *w, const struct run *run)
{
	char cpus[128];

	if (CPU_COUNT(&run->spec->cpus))
		add(w, " cpus=%s", cpulist_print(cpus, sizeof(cpus), &run->spec->cpus));
	if (!run->spin)
		add(w, " jobs_exceed_cpus=1");
}

/* "mq-deadline" of "none [mq-deadline] kyber". */
static void chosen(char *text)
{
	char *from = strchr(text, '['), *to = from ? strchr(from, ']') : NULL;

	if (to) {
		*to = '\0';
		memmove(text, from + 1, (size_t)(to - from));
	}
}

/* A setting of the request queue of the target's disk; false: there is none. */
static bool queue_setting(const struct run_spec *spec, const char *name, char text[128])
{
	char disk[64];

	if (!spec->major && !spec->minor)
		return false;
	sysfs_disk(disk, sizeof(disk), spec->major, spec->minor);
	if (sysfs_text(text, 128, "%s/queue/%s", disk, name))
		return false;
	chosen(text);
	return true;
}

/* Several targets: what the first has, and "+" when others differ. */
static void add_queue(struct words *w, const struct run_spec *spec)
{
	static const char *const name[] = { "scheduler", "nr_requests", "max_sectors_kb" };
	char first[128], text[128];

	for (size_t i = 0; i < ARRAY_SIZE(name); i++) {
		bool differs = false;

		if (!queue_setting(spec, name[i], first))
			continue;
		for (unsigned k = 1; k < run_targets(spec); k++)
			differs |= !queue_setting(&spec[k], name[i], text) ||
			           strcmp(first, text) != 0;
		add(w, " %s=%s%s", name[i], first, differs ? "+" : "");
	}
}

/* Of all jobs; and the CPUs that they were left. */
static void note_cpu_use(struct sample *out, const struct run *run, const struct pool *p,
                         unsigned n)
{
	uint64_t cpus = (uint64_t)CPU_COUNT(&run->spec->cpus) * 1000;

	if (cpus && cpus < out->cpus_milli)
		out->cpus_milli = cpus;
	for (unsigned i = 0; i < n; i++) {
		out->polls += p->lane[i]->polls.all;
		out->polls_empty += p->lane[i]->polls.empty;
	}
}

void granted(struct sample *out, const struct run *run, const struct pool *p, unsigned n)
{
	struct words w = { out->effective, sizeof(out->effective), 0 };

	note_cpu_use(out, run, p, n);
	note_refused(out, p, n);
	add_engine(&w, run, p, n);
	add_ramp(&w, run);
	add_clock(&w, run);
	add_buffers(&w, run, p->lane[0]);
	add_cpus(&w, run);
	add_queue(&w, run->spec);
}
