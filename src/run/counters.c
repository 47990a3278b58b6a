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
	*in = (struct instruments){ .n = 0 };
	throttle_open(&in->throttle);
}

static void shut_all(struct instruments *in)
{
	for (unsigned i = 0; i < in->n; i++) {
		shut(&in->at[i].device_fd);
		shut(&in->at[i].base_fd);
	}
	in->n = 0;
}

void instruments_fini(struct instruments *in)
{
	shut_all(in);
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
static dev_t find_base(uint32_t device_major, uint32_t device_minor)
{
	dev_t dev = makedev(device_major, device_minor);
	int n = 0;

	while (n < LOOPS_MAX && below(&dev))
		n++;
	return n ? dev : 0;
}

static int open_stat(uint32_t device_major, uint32_t device_minor)
{
	int fd = device_stat_open(device_major, device_minor);

	return fd < 0 ? -1 : fd;
}

static bool same_place(const struct run_spec *a, const struct run_spec *b)
{
	return a->major == b->major && a->minor == b->minor &&
	       !strcmp(a->nfs_mount, b->nfs_mount);
}

/* What counts for the targets of the run, each once; 0: one of them has nothing that does, and
 * the others alone would tell less than what was done. */
static unsigned find_places(const struct run_spec *spec, const struct run_spec *place[TARGETS_MAX])
{
	unsigned n = 0;

	for (unsigned i = 0; i < run_targets(spec); i++) {
		unsigned k = 0;

		if (!spec[i].major && !spec[i].minor && !*spec[i].nfs_mount)
			return 0;
		while (k < n && !same_place(place[k], &spec[i]))
			k++;
		if (k == n)
			place[n++] = &spec[i];
	}
	return n;
}

static bool is_at(const struct instrument *at, const struct run_spec *place)
{
	return at->major == place->major && at->minor == place->minor &&
	       !strcmp(at->nfs_mount, place->nfs_mount);
}

/* After those that are open already. */
static void open_one(struct instruments *in, const struct run_spec *place)
{
	struct instrument *at = &in->at[in->n++];
	bool counted = false;

	*at = (struct instrument){ .device_fd = -1,
		                   .base_fd = -1,
		                   .major = place->major,
		                   .minor = place->minor };
	memcpy(at->nfs_mount, place->nfs_mount, sizeof(at->nfs_mount));
	if (at->major || at->minor) {
		at->device_fd = open_stat(at->major, at->minor);
		at->base = find_base(at->major, at->minor);
	}
	for (const struct instrument *other = in->at; other < at; other++)
		counted = counted || other->base == at->base;
	if (!at->base || counted)
		return;
	at->base_fd = open_stat(major(at->base), minor(at->base));
	if (at->base_fd < 0)
		at->base = 0;
}

bool instruments_open(struct instruments *in, const struct run_spec *spec)
{
	const struct run_spec *place[TARGETS_MAX];
	unsigned n = find_places(spec, place), same = 0;

	in->rings = spec->job.ioengine == ENGINE_IO_URING;
	in->brief = spec->job.time_based && spec->job.runtime < BRIEF_NS;
	while (same < n && same < in->n && is_at(&in->at[same], place[same]))
		same++;
	if (same == n && same == in->n)
		return false;
	shut_all(in);
	for (unsigned i = 0; i < n; i++)
		open_one(in, place[i]);
	return true;
}

bool instruments_count(const struct instruments *in)
{
	for (unsigned i = 0; i < in->n; i++)
		if (in->at[i].device_fd < 0 && !*in->at[i].nfs_mount)
			return false;
	return in->n;
}

static void add_device(struct device_stat *sum, const struct device_stat *one)
{
	sum->read_ios += one->read_ios;
	sum->read_sectors += one->read_sectors;
	sum->write_ios += one->write_ios;
	sum->write_sectors += one->write_sectors;
	sum->in_flight += one->in_flight;
	sum->io_ticks_ms += one->io_ticks_ms;
	sum->queue_ms += one->queue_ms;
}

static void add_nfs(struct nfs_stat *sum, const struct nfs_stat *one)
{
	sum->read_ios += one->read_ios;
	sum->read_bytes += one->read_bytes;
	sum->write_ios += one->write_ios;
	sum->write_bytes += one->write_bytes;
	sum->execute_ms += one->execute_ms;
}

/* *ok: it and all before it could be read. */
static void read_device(int fd, struct device_stat *sum, bool *ok)
{
	struct device_stat one;

	*ok = *ok && fd >= 0 && !device_stat_read(fd, &one);
	if (*ok)
		add_device(sum, &one);
}

static void read_nfs(const char *mount, struct nfs_stat *sum, bool *ok)
{
	struct nfs_stat one;

	*ok = *ok && !nfs_stat_read(mount, &one);
	if (*ok)
		add_nfs(sum, &one);
}

void counters_read_device(const struct instruments *in, struct counters *c)
{
	unsigned mounts = 0;

	c->device = c->base = (struct device_stat){ 0 };
	c->nfs = (struct nfs_stat){ 0 };
	c->device_ok = c->base_ok = c->nfs_ok = in->n;
	for (unsigned i = 0; i < in->n; i++) {
		const struct instrument *at = &in->at[i];

		if (*at->nfs_mount) {
			read_nfs(at->nfs_mount, &c->nfs, &c->nfs_ok);
			mounts++;
			continue;
		}
		read_device(at->device_fd, &c->device, &c->device_ok);
		if (at->base_fd >= 0 || !at->base)
			read_device(at->base_fd, &c->base, &c->base_ok);
	}
	c->devices = in->n - mounts;
	c->device_ok = c->device_ok && c->devices && (!mounts || c->nfs_ok);
	c->nfs_ok = c->nfs_ok && mounts && (!c->devices || c->device_ok);
	c->base_ok = c->base_ok && c->devices == in->n;
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

/* Of mounts to that of devices. */
static void add_delta(struct device_delta *sum, const struct device_delta *nfs)
{
	sum->read_ios += nfs->read_ios;
	sum->read_bytes += nfs->read_bytes;
	sum->write_ios += nfs->write_ios;
	sum->write_bytes += nfs->write_bytes;
	sum->queue_ns += nfs->queue_ns;
	sum->busy_unknown = true;
	sum->valid = sum->valid && nfs->valid;
}

void counters_device_delta(const struct counters *a, const struct counters *b,
                           struct device_delta *out)
{
	uint64_t elapsed = b->at_ns - a->at_ns;
	bool devices = a->device_ok && b->device_ok, mounts = a->nfs_ok && b->nfs_ok;
	struct device_delta nfs;

	*out = (struct device_delta){ 0 };
	if (devices)
		device_stat_delta(&a->device, &b->device, elapsed, out);
	if (b->devices > 1)
		out->busy_ns /= b->devices;
	if (mounts)
		nfs_stat_delta(&a->nfs, &b->nfs, elapsed, devices ? &nfs : out);
	if (mounts && devices)
		add_delta(out, &nfs);
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
