/* host/sysfs.h: small one-value files of /sys and /proc, and where a block device lives there.
 */
#ifndef HOST_SYSFS_H
#define HOST_SYSFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* First line of the file named by the format, without its newline, made printable. 0, or -errno
 * (buf is "" then). */
__attribute__((format(printf, 3, 4))) int sysfs_text(char *buf, size_t size, const char *fmt,
                                                     ...);
/* A number in the file; "max" reads as UINT64_MAX. 0 or -errno (*value untouched). */
__attribute__((format(printf, 2, 3))) int sysfs_u64(uint64_t *value, const char *fmt, ...);
/* The device number in the file. 0: there is none. */
__attribute__((format(printf, 1, 2))) dev_t sysfs_dev(const char *fmt, ...);
/* The whole file into buf, NUL-terminated, raw. Bytes or -errno; no allocation. */
int file_read(const char *path, char *buf, size_t size);

/* "M:m" at the start of s; what follows it in *end (NULL: nothing may). 0 or -EINVAL. */
int parse_device(const char *s, uint32_t *major, uint32_t *minor, const char **end);

/* Directory of the whole disk of major:minor in /sys: a partition's parent. buf >= 64. */
char *sysfs_disk(char *buf, size_t size, uint32_t major, uint32_t minor);
bool sysfs_is_partition(uint32_t major, uint32_t minor);
/* Kernel name ("nvme0n1p1") of major:minor; "M:m" when the kernel does not know it. */
char *sysfs_name(char *buf, size_t size, uint32_t major, uint32_t minor);

struct device_id {
	char label[128]; /* for people: "Samsung SSD 990 PRO (nvme0n1)", or the name alone */
	char serial[128], wwn[128];
	bool rotational;
	bool trims; /* it takes them */
	bool polls; /* its queue can be polled for completions */
};
/* What the disk of major:minor is; unknown texts are "". */
void device_identify(struct device_id *id, uint32_t major, uint32_t minor);

#endif
