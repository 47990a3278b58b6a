#include "run/nvme.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/nvme_ioctl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/cleanup.h"
#include "host/sysfs.h"
#include "run/bounded.h"

#define GET_LOG_PAGE   0x02
#define HEALTH_LOG     0x02
#define ALL_NAMESPACES 0xffffffffu

/* 16 bytes, lowest first. */
static uint64_t counter(const uint8_t *at, bool *saturated)
{
	uint64_t low = 0, high = 0;

	for (int i = 7; i >= 0; i--) {
		low = low << 8 | at[i];
		high = high << 8 | at[8 + i];
	}
	if (!high)
		return low;
	*saturated = true;
	return UINT64_MAX;
}

void nvme_health_parse(struct nvme_health *h, const uint8_t page[NVME_HEALTH_BYTES])
{
	*h = (struct nvme_health){ .critical = page[0],
		                   .spare_percent = page[3],
		                   .percent_used = page[5] };
	h->units_read = counter(page + 32, &h->saturated);
	h->units_written = counter(page + 48, &h->saturated);
}

struct question {
	dev_t disk;
	char node[80];
	int result;
	_Alignas(8) uint8_t page[NVME_HEALTH_BYTES];
};

static void ask(void *data)
{
	struct question *q = data;
	struct nvme_admin_cmd cmd = { .opcode = GET_LOG_PAGE,
		                      .nsid = ALL_NAMESPACES,
		                      .addr = (uint64_t)(uintptr_t)q->page,
		                      .data_len = NVME_HEALTH_BYTES,
		                      .cdw10 = (NVME_HEALTH_BYTES / 4 - 1) << 16 | HEALTH_LOG };
	AUTO(closep) int fd = open(q->node, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;
	int r;

	if (fd < 0 || fstat(fd, &st) || !S_ISBLK(st.st_mode) || st.st_rdev != q->disk) {
		q->result = -ENODEV;
		return;
	}
	r = ioctl(fd, NVME_IOCTL_ADMIN_CMD, &cmd); /* above 0: the drive's own status */
	q->result = r < 0 ? -errno : r ? -EIO : 0;
}

int nvme_health(struct nvme_health *h, uint32_t major, uint32_t minor, uint64_t limit_ns)
{
	struct question q = { 0 };
	char dir[64], name[64];
	int r;

	q.disk = sysfs_dev("%s/dev", sysfs_disk(dir, sizeof(dir), major, minor));
	sysfs_name(name, sizeof(name), major(q.disk), minor(q.disk));
	if (strncmp(name, "nvme", 4) != 0)
		return -ENODEV;
	(void)snprintf(q.node, sizeof(q.node), "/dev/%s", name);
	r = bounded_call(ask, &q, sizeof(q), limit_ns);
	if (r || q.result)
		return r ? r : q.result;
	nvme_health_parse(h, q.page);
	return 0;
}
