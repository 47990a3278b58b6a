#include "cmd/deadline.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/moment.h"
#include "plan/effective.h"

/* Reserved for gap and drain until longer ones were seen. */
#define OVER_MIN_NS (200 * MSEC)
/* A smaller layout says nothing about the rate of a large one. */
#define LAYOUT_TELLS (64 * MIB)

int deadline_set(struct deadline *d, const struct options *o)
{
	struct err e = { 0 };
	uint64_t span = 0;

	*d = (struct deadline){ 0 };
	if (o->until && o->for_time) {
		complain("--until and --for: give one of them");
		return EXIT_USAGE;
	}
	if (o->until && moment_parse(o->until, clock_wall_ns(), &d->at_ns, &e)) {
		complain("--until: %s", e.text);
		return EXIT_USAGE;
	}
	if (o->for_time && (parse_time(o->for_time, &span) || !span)) {
		complain("--for: '%s': write a time such as 8h, 90m or 30s", o->for_time);
		return EXIT_USAGE;
	}
	d->set = o->until || o->for_time;
	d->wall = o->until;
	if (o->for_time)
		d->at_ns = (int64_t)(clock_boot_ns() + span);
	return EXIT_OK;
}

uint64_t deadline_left_ns(const struct deadline *d)
{
	int64_t now;

	if (!d->set)
		return UINT64_MAX;
	now = d->wall ? clock_wall_ns() : (int64_t)clock_boot_ns();
	return now < d->at_ns ? (uint64_t)(d->at_ns - now) : 0;
}

const char *deadline_text(char *buf, size_t size, const struct options *o)
{
	(void)snprintf(buf, size, "%s %.60s", o->until ? "--until" : "--for",
	               o->until ? o->until : o->for_time);
	return buf;
}

static bool flushes(const struct plan_row *row)
{
	return !row->job.direct && rw_writes(row->job.rw) &&
	       !(engine_ops(row->job.ioengine)->caps & ENGINE_NO_TARGET);
}

/* Ramp and window by the config; 0: bound by size. */
static uint64_t run_ns(const struct plan *p, const struct plan_row *row)
{
	uint64_t ns = plan_row_ns(p, row), idle = job_idle_ns(p->sweep, &row->job);

	return ns > idle ? ns - idle : 0;
}

static void at_least(uint64_t *v, uint64_t seen)
{
	if (seen > *v)
		*v = seen;
}

void costs_run(struct costs *c, const struct plan *p, const struct plan_row *row,
               uint64_t took_ns)
{
	uint64_t planned = run_ns(p, row), over = took_ns > planned ? took_ns - planned : 0;

	if (!planned)
		at_least(&c->sized_ns, took_ns);
	else if (flushes(row))
		at_least(&c->flush_over_ns, over ? over : 1);
	else
		at_least(&c->over_ns, over);
}

void costs_layout(struct costs *c, uint64_t bytes, uint64_t took_ns)
{
	if (bytes >= LAYOUT_TELLS && took_ns)
		c->layout_bytes_per_s = (double)bytes * 1e9 / (double)took_ns;
}

uint64_t costs_row_ns(const struct costs *c, const struct plan *p, const struct plan_row *row)
{
	uint64_t planned = run_ns(p, row), over = c->over_ns;

	if (!planned)
		return c->sized_ns;
	if (flushes(
		row)) /* what a window writes into memory may take the device as long again */
		over = c->flush_over_ns ? c->flush_over_ns : row->job.runtime;
	return planned + (over > OVER_MIN_NS ? over : OVER_MIN_NS);
}

uint64_t costs_layout_ns(const struct costs *c, uint64_t bytes)
{
	double rate = c->layout_bytes_per_s > 0 ? c->layout_bytes_per_s : LAYOUT_BYTES_PER_S;

	return costs_ns((double)bytes / rate);
}
