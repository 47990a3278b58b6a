/* Rules that compare what we did with what the block device did. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "run/doubts_private.h"
#include "run/workload.h"

#define PAGE_BYTES 4096
#define GAP_MIN    (4 * MIB) /* less between two runs is housekeeping */

static double ms(uint64_t ns)
{
	return (double)ns / MSEC;
}

static double mib(uint64_t bytes)
{
	return (double)bytes / MIB;
}

/* I/Os that are in flight at an edge of the window may count on one side only. */
static uint64_t slack(const struct doubts_case *c)
{
	return c->queue * workload_bs_max(c->spec);
}

/* What the device moved, scaled up when its counters were read for less than the window. */
static double moved(const struct doubts_case *c, const struct device_delta *d, uint64_t bytes)
{
	double scale = d->elapsed_ns && d->elapsed_ns < c->sample->window_ns
	                   ? (double)c->sample->window_ns / (double)d->elapsed_ns
	                   : 1;

	return scale * (double)bytes;
}

static bool falls_short(const struct doubts_case *c, enum op op, const struct device_delta *d)
{
	uint64_t ours = c->sample->op[op].bytes,
		 theirs = op == OP_READ ? d->read_bytes : d->write_bytes;

	return d->valid && moved(c, d, theirs) + (double)slack(c) < 0.9 * (double)ours;
}

/* The device itself, or the one at the bottom when it is a loop device. */
static bool never_arrived(const struct doubts_case *c, enum op op, char *why, size_t size)
{
	const struct sample *s = c->sample;
	bool at_base = !falls_short(c, op, &s->device);
	const struct device_delta *d = at_base ? &s->base : &s->device;
	bool read = op == OP_READ;

	if (!falls_short(c, op, d))
		return false;
	(void)snprintf(why, size, "the device%s %s %.1f MiB of the %.1f MiB that this run %s%s",
	               at_base ? " under the loop device" : "", read ? "read" : "wrote",
	               mib(read ? d->read_bytes : d->write_bytes), mib(s->op[op].bytes),
	               read ? "read" : "wrote", read ? "" : " in the window");
	return true;
}

RULE(cached)
{
	return (c->job->direct || c->block_device) && !c->job->pre_read &&
	       never_arrived(c, OP_READ, why, size);
}

RULE(warm_cache)
{
	const struct job *j = c->job;

	if (!c->reads || j->direct || (j->invalidate && !j->pre_read))
		return false;
	(void)snprintf(why, size, "%s",
	               j->pre_read ? "pre_read=1 brought the region into the page cache"
	                           : "invalidate=0 left what was in the page cache there");
	return true;
}

RULE(page_cache)
{
	return never_arrived(c, OP_WRITE, why, size);
}

struct excess {
	const char *did; /* "read" or "wrote" */
	uint64_t theirs, ours;
	bool issued; /* this run does such I/O itself */
};

static bool exceeds(const struct doubts_case *c, const struct excess *x, char *why, size_t size)
{
	double seconds = (double)c->sample->device.elapsed_ns / SEC;
	double more = (double)x->theirs - (double)(x->issued ? x->ours + slack(c) : 0);

	if (more <= 0.01 * (double)c->bytes || more <= seconds * MIB)
		return false;
	if (x->issued)
		(void)snprintf(why, size, "the device %s %.1f MiB, this run %.1f MiB of them",
		               x->did, mib(x->theirs), mib(x->ours));
	else
		(void)snprintf(why, size,
		               "the device %s %.1f MiB (%.1f MiB/s), this run none of it",
		               x->did, mib(x->theirs), mib(x->theirs) / seconds);
	return true;
}

/* Buffered writes of less than a page make the kernel read the rest of it, and a write through
 * a mapping all of it. */
static bool reads_compare(const struct doubts_case *c)
{
	if (c->reads)
		return c->job->direct;
	if (c->job->ioengine == ENGINE_MMAP)
		return false;
	return c->job->direct || workload_grain(c->spec) % PAGE_BYTES == 0;
}

/* A file system writes its journal and metadata along with ours; the page cache writes later
 * than we do. */
static bool writes_compare(const struct doubts_case *c)
{
	return !c->writes || (c->block_device && c->job->direct);
}

/* Files: what is written may be our own results, or the layout of a file. */
static bool busy_before(const struct doubts_case *c, char *why, size_t size)
{
	const struct device_delta *d = &c->sample->gap;
	uint64_t bytes = d->read_bytes + (c->block_device ? d->write_bytes : 0);
	double seconds = (double)d->elapsed_ns / SEC;

	if (!d->valid || bytes < GAP_MIN || (double)bytes <= seconds * MIB)
		return false;
	(void)snprintf(why, size,
	               "the device moved %.1f MiB in the %.1f s before the run, when it should "
	               "have been idle",
	               mib(bytes), seconds);
	return true;
}

RULE(foreign_io)
{
	const struct sample *s = c->sample;
	const struct excess read = { "read", s->device.read_bytes, s->op[OP_READ].bytes,
		                     c->reads },
			    write = { "wrote", s->device.write_bytes, s->op[OP_WRITE].bytes,
		                      c->writes };

	if (s->device.valid && reads_compare(c) && exceeds(c, &read, why, size))
		return true;
	if (s->device.valid && writes_compare(c) && exceeds(c, &write, why, size))
		return true;
	return busy_before(c, why, size);
}

RULE(unverified)
{
	const struct sample *s = c->sample;
	const char *fs = c->target->fs;

	if (s->device.valid)
		return false;
	if (s->edges_missed && !s->edge_from_ns && !s->edge_to_ns) {
		(void)snprintf(
		    why, size,
		    "the window of %.1f ms was over before the device's counters could be read",
		    ms(s->window_ns));
		return true;
	}
	if (s->edges_missed) {
		(void)snprintf(why, size,
		               "the device's counters were not read in time: %.2f ms from the "
		               "start and %.2f ms from "
		               "the end of a window of %.1f ms",
		               ms(s->edge_from_ns), ms(s->edge_to_ns), ms(s->window_ns));
		return true;
	}
	(void)snprintf(why, size, "there are no counters of a block device%s%s",
	               *fs ? " under " : "", fs);
	return true;
}
