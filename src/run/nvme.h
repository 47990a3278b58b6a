/* run/nvme.h: what an NVMe drive says of its own wear. */
#ifndef RUN_NVME_H
#define RUN_NVME_H

#include <stdbool.h>
#include <stdint.h>

#define NVME_HEALTH_BYTES 512

struct nvme_health {
	uint64_t units_written, units_read; /* of 1000 x 512 bytes each */
	bool saturated;                     /* one of them does not fit: it is more */
	unsigned percent_used;  /* of the endurance that its maker names; may pass 100 */
	unsigned spare_percent; /* what is left of its spare blocks */
	unsigned critical;      /* warning bits; 0: none */
};

/* From the SMART / Health Information page (log 02h). */
void nvme_health_parse(struct nvme_health *h, const uint8_t page[NVME_HEALTH_BYTES]);
/* Ask the drive of block device major:minor, within limit_ns. 0, or -errno: it is no such
 * drive, or this user may not. */
int nvme_health(struct nvme_health *h, uint32_t major, uint32_t minor, uint64_t limit_ns);

#endif
