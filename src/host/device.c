#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "host/facts.h"
#include "host/sysfs.h"

int device_stat_open(uint32_t major, uint32_t minor)
{
	char path[64];
	int fd;

	if (!major && !minor)
		return -ENODEV;
	(void)snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/stat", major, minor);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Blank-separated decimals; how many there were, at most n. */
static size_t numbers(const char *s, uint64_t *out, size_t n)
{
	size_t i = 0;

	for (; i < n; i++) {
		uint64_t v = 0;

		s += strspn(s, " ");
		if (*s < '0' || *s > '9')
			break;
		for (; *s >= '0' && *s <= '9'; s++)
			v = v * 10 + (uint64_t)(*s - '0');
		out[i] = v;
	}
	return i;
}

int device_stat_read(int fd, struct device_stat *out)
{
	char buf[512];
	uint64_t v[11];
	ssize_t n = pread(fd, buf, sizeof(buf) - 1, 0);

	if (n < 0)
		return -errno;
	buf[n] = '\0';
	if (numbers(buf, v, 11) < 11)
		return -EIO;
	*out = (struct device_stat){ .read_ios = v[0],
		                     .read_sectors = v[2],
		                     .write_ios = v[4],
		                     .write_sectors = v[6],
		                     .in_flight = v[8],
		                     .io_ticks_ms = v[9],
		                     .queue_ms = v[10] };
	return 0;
}

void device_stat_delta(const struct device_stat *from, const struct device_stat *to,
                       uint64_t elapsed_ns, struct device_delta *out)
{
	*out = (struct device_delta){ .elapsed_ns = elapsed_ns };
	/* Counters that ran backwards belong to a device that was replaced meanwhile. */
	if (!elapsed_ns || to->read_ios < from->read_ios ||
	    to->read_sectors < from->read_sectors || to->write_ios < from->write_ios ||
	    to->write_sectors < from->write_sectors || to->queue_ms < from->queue_ms ||
	    to->io_ticks_ms < from->io_ticks_ms)
		return;
	out->valid = true;
	out->read_ios = to->read_ios - from->read_ios;
	out->read_bytes = (to->read_sectors - from->read_sectors) *
	                  512; /* a sector of these files is always 512 */
	out->write_ios = to->write_ios - from->write_ios;
	out->write_bytes = (to->write_sectors - from->write_sectors) * 512;
	out->queue_ns = (to->queue_ms - from->queue_ms) * MSEC;
	out->busy_ns = (to->io_ticks_ms - from->io_ticks_ms) * MSEC;
}

int cpu_stat_read(struct cpu_stat *out)
{
	enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, FIELDS };
	char buf[512];
	uint64_t v[FIELDS], tick = SEC / (uint64_t)sysconf(_SC_CLK_TCK);
	int n = file_read("/proc/stat", buf, sizeof(buf));

	if (n < 0)
		return n;
	if (strncmp(buf, "cpu ", 4) != 0 || numbers(buf + 4, v, FIELDS) < FIELDS)
		return -EIO;
	out->busy_ns = (v[USER] + v[NICE] + v[SYSTEM] + v[IRQ] + v[SOFTIRQ] + v[STEAL]) * tick;
	out->idle_ns = (v[IDLE] + v[IOWAIT]) * tick;
	out->steal_ns = v[STEAL] * tick;
	return 0;
}
