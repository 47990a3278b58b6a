#include "run/counters.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/units.h"
#include "host/sysfs.h"

#define BRIEF_NS  (100 * MSEC) /* ten ticks of the kernel's CPU accounting */
#define TICK_NS   (4 * MSEC) /* of the scheduler: who wants to be woken may wait for so long */
#define LOOPS_MAX 8          /* loop devices on files on loop devices */

static void shut(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
	*fd = -1;
}

void instruments_init(struct instruments *in)
{
	*in = (struct instruments){ .device_fd = -1, .base_fd = -1 };
	throttle_open(&in->throttle);
}

void instruments_fini(struct instruments *in)
{
	shut(&in->device_fd);
	shut(&in->base_fd);
	throttle_close(&in->throttle);
}

/* The device under the file behind loop device *dev; false when *dev is none, or the file has
 * no device. */
static bool below(dev_t *dev)
{
	char disk[64], path[1024];
	struct stat st;

	if (sysfs_text(path, sizeof(path), "%s/loop/backing_file",
	               sysfs_disk(disk, sizeof(disk), major(*dev), minor(*dev))) ||
	    stat(path, &st) != 0)
		return false;
	*dev = S_ISBLK(st.st_mode) ? st.st_rdev : st.st_dev;
	return major(*dev) != 0;
}

/* A loop device counts what it is asked for, also when the page cache under it has it all: what
 * was really read is known only by the device at the bottom. */
static int open_base(uint32_t device_major, uint32_t device_minor)
{
	dev_t dev = makedev(device_major, device_minor);
	int n = 0, fd;

	while (n < LOOPS_MAX && below(&dev))
		n++;
	if (!n)
		return -1;
	fd = device_stat_open(major(dev), minor(dev));
	return fd < 0 ? -1 : fd;
}

bool instruments_open(struct instruments *in, const struct run_spec *spec)
{
	in->rings = spec->job.ioengine == ENGINE_IO_URING;
	in->brief = spec->job.time_based && spec->job.runtime < BRIEF_NS;
	if (in->major == spec->major && in->minor == spec->minor &&
	    !strcmp(in->nfs_mount, spec->nfs_mount))
		return false;
	shut(&in->device_fd);
	shut(&in->base_fd);
	in->major = spec->major;
	in->minor = spec->minor;
	memcpy(in->nfs_mount, spec->nfs_mount, sizeof(in->nfs_mount));
	if (!in->major && !in->minor)
		return true;
	in->device_fd = device_stat_open(in->major, in->minor);
	in->base_fd = open_base(in->major, in->minor);
	return true;
}

bool instruments_count(const struct instruments *in)
{
	return in->device_fd >= 0 || *in->nfs_mount;
}

void counters_read_device(const struct instruments *in, struct counters *c)
{
	c->device_ok = in->device_fd >= 0 && !device_stat_read(in->device_fd, &c->device);
	c->base_ok = in->base_fd >= 0 && !device_stat_read(in->base_fd, &c->base);
	c->nfs_ok = *in->nfs_mount && !nfs_stat_read(in->nfs_mount, &c->nfs);
	c->at_ns = clock_mono_ns();
}

/* A quota is half a dozen files away, and hardly ever changes: once a second is enough. */
static uint64_t usable_milli(struct instruments *in, uint64_t now)
{
	if (!in->cpus_milli || now - in->cpus_at_ns > SEC) {
		in->cpus_milli = cpus_usable_milli();
		in->cpus_at_ns = now;
	}
	return in->cpus_milli;
}

void counters_read(struct instruments *in, struct counters *c)
{
	counters_read_device(in, c);
	c->cpus_milli = usable_milli(in, c->at_ns);
	c->cpu_ok = !in->brief && !cpu_stat_read(&c->cpu);
	c->throttle = (struct throttle_stat){ 0 };
	if (!in->brief)
		throttle_read(&in->throttle, &c->throttle);
	c->rings_ok = in->rings && !ring_threads_read(&c->rings);
}

/* The kernel's iowait, a part of idle, may run backwards; threads may end. */
static uint64_t since(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

void counters_device_delta(const struct counters *a, const struct counters *b,
                           struct device_delta *out)
{
	uint64_t elapsed = b->at_ns - a->at_ns;

	*out = (struct device_delta){ 0 };
	if (a->device_ok && b->device_ok)
		device_stat_delta(&a->device, &b->device, elapsed, out);
	else if (a->nfs_ok && b->nfs_ok)
		nfs_stat_delta(&a->nfs, &b->nfs, elapsed, out);
}

static uint64_t apart(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* Rates are off by no more than these shares: far less than what any doubt asks for. */
static uint64_t tolerance(uint64_t window_ns)
{
	uint64_t usual = window_ns / 50, most = window_ns / 20,
		 tick = most < TICK_NS ? most : TICK_NS;

	return usual > tick ? usual : tick;
}

bool counters_at_edges(const struct counters *a, const struct counters *b, uint64_t from_ns,
                       uint64_t to_ns, struct sample *out)
{
	uint64_t most = tolerance(to_ns - from_ns);

	if (a->at_ns) {
		out->edge_from_ns = apart(a->at_ns, from_ns);
		out->edge_to_ns = apart(b->at_ns, to_ns);
	}
	out->edges_missed = !a->at_ns || out->edge_from_ns > most || out->edge_to_ns > most;
	return !out->edges_missed;
}

void counters_delta(const struct counters *a, const struct counters *b, struct sample *out)
{
	if (!out->edges_missed)
		counters_device_delta(a, b, &out->device);
	if (!out->edges_missed && a->base_ok && b->base_ok)
		device_stat_delta(&a->base, &b->base, b->at_ns - a->at_ns, &out->base);
	if (a->cpu_ok && b->cpu_ok) {
		out->system_ns = since(a->cpu.busy_ns, b->cpu.busy_ns);
		out->idle_ns = since(a->cpu.idle_ns, b->cpu.idle_ns);
		out->steal_ns = since(a->cpu.steal_ns, b->cpu.steal_ns);
	}
	if (a->rings_ok && b->rings_ok) {
		out->poller_ns = since(a->rings.poll_ns, b->rings.poll_ns);
		out->worker_ns = since(a->rings.work_ns, b->rings.work_ns);
		out->worker_runs = since(a->rings.work_runs, b->rings.work_runs);
	}
	out->throttled_ns = since(a->throttle.group_ns, b->throttle.group_ns);
	out->thermal = since(a->throttle.thermal, b->throttle.thermal);
	out->cpus_milli = b->cpus_milli;
}
