#include "host/sysfs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "base/units.h"

int file_read(const char *path, char *buf, size_t size)
{
	AUTO(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t n = 0;

	buf[0] = '\0';
	if (fd < 0)
		return -errno;
	while (n + 1 < size) {
		ssize_t r = read(fd, buf + n, size - n - 1);

		if (r < 0)
			return -errno;
		if (r == 0)
			break;
		n += (size_t)r;
	}
	buf[n] = '\0';
	return (int)n;
}

__attribute__((format(printf, 3, 0))) static int first_line(char *buf, size_t size,
                                                            const char *fmt, va_list ap)
{
	char path[PATH_MAX], raw[1024];
	size_t n;
	int r;

	buf[0] = '\0';
	(void)vsnprintf(path, sizeof(path), fmt, ap);
	r = file_read(path, raw, sizeof(raw));
	if (r < 0)
		return r;
	raw[strcspn(raw, "\n")] = '\0';
	n = strlen(raw);
	while (n && raw[n - 1] == ' ')
		raw[--n] = '\0';
	text_printable(buf, size, raw + strspn(raw, " "));
	return 0;
}

int sysfs_text(char *buf, size_t size, const char *fmt, ...)
{
	va_list ap;
	int r;

	va_start(ap, fmt);
	r = first_line(buf, size, fmt, ap);
	va_end(ap);
	return r;
}

int sysfs_u64(uint64_t *value, const char *fmt, ...)
{
	char line[64];
	va_list ap;
	int r;

	va_start(ap, fmt);
	r = first_line(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (r)
		return r;
	if (!strcmp(line, "max")) {
		*value = UINT64_MAX;
		return 0;
	}
	return parse_u64(line, value);
}

/* Digits at *s as a 32-bit number; *s moves behind them. */
static int parse_u32(const char **s, uint32_t *value)
{
	uint64_t v = 0;
	const char *p = *s;

	for (; *p >= '0' && *p <= '9' && v <= UINT32_MAX; p++)
		v = v * 10 + (uint64_t)(*p - '0');
	if (p == *s || v > UINT32_MAX)
		return -EINVAL;
	*s = p;
	*value = (uint32_t)v;
	return 0;
}

int parse_device(const char *s, uint32_t *major, uint32_t *minor, const char **end)
{
	if (parse_u32(&s, major) || *s++ != ':' || parse_u32(&s, minor))
		return -EINVAL;
	if (!end && *s)
		return -EINVAL;
	if (end)
		*end = s;
	return 0;
}

dev_t sysfs_dev(const char *fmt, ...)
{
	uint32_t major, minor;
	char line[64];
	va_list ap;
	int r;

	va_start(ap, fmt);
	r = first_line(line, sizeof(line), fmt, ap);
	va_end(ap);
	return r || parse_device(line, &major, &minor, NULL) ? 0 : makedev(major, minor);
}

bool sysfs_is_partition(uint32_t major, uint32_t minor)
{
	char path[96];

	(void)snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/partition", major, minor);
	return access(path, F_OK) == 0;
}

char *sysfs_disk(char *buf, size_t size, uint32_t major, uint32_t minor)
{
	(void)snprintf(buf, size, "/sys/dev/block/%u:%u%s", major, minor,
	               sysfs_is_partition(major, minor) ? "/.." : "");
	return buf;
}

static void name_of(char *buf, size_t size, const char *dir, const char *otherwise)
{
	char real[PATH_MAX];
	const char *slash = realpath(dir, real) ? strrchr(real, '/') : NULL;

	text_printable(buf, size, slash ? slash + 1 : otherwise);
}

char *sysfs_name(char *buf, size_t size, uint32_t major, uint32_t minor)
{
	char dir[64], number[32];

	(void)snprintf(dir, sizeof(dir), "/sys/dev/block/%u:%u", major, minor);
	(void)snprintf(number, sizeof(number), "%u:%u", major, minor);
	name_of(buf, size, dir, number);
	return buf;
}

/* The first of the attributes below `disk` that says anything. */
static void first_of(char *buf, size_t size, const char *disk, const char *const *attribute)
{
	for (; *attribute; attribute++)
		if (!sysfs_text(buf, size, "%s/%s", disk, *attribute) && *buf)
			return;
}

/* SCSI and SATA: the unit serial number page, four bytes of header before the text. */
static void vpd_serial(char *buf, size_t size, const char *disk)
{
	char path[PATH_MAX], page[256];
	int n;

	(void)snprintf(path, sizeof(path), "%s/device/vpd_pg80", disk);
	n = file_read(path, page, sizeof(page));
	if (n > 4)
		text_printable(buf, size, page + 4 + strspn(page + 4, " "));
}

void device_identify(struct device_id *id, uint32_t major, uint32_t minor)
{
	static const char *const model[] = { "device/model", "dm/name", NULL };
	static const char *const serial[] = { "device/serial", "serial", NULL };
	static const char *const wwn[] = { "wwid", "device/wwid", "dm/uuid", "md/uuid", NULL };
	char disk[64], name[64], text[128] = "";
	uint64_t rotational = 0, polls = 0, trims = 0;

	*id = (struct device_id){ 0 };
	sysfs_disk(disk, sizeof(disk), major, minor);
	first_of(text, sizeof(text), disk, model);
	sysfs_name(name, sizeof(name), major, minor);
	if (*text)
		(void)snprintf(id->label, sizeof(id->label), "%.60s (%s)", text, name);
	else
		(void)snprintf(id->label, sizeof(id->label), "%s", name);
	first_of(id->serial, sizeof(id->serial), disk, serial);
	if (!*id->serial)
		vpd_serial(id->serial, sizeof(id->serial), disk);
	first_of(id->wwn, sizeof(id->wwn), disk, wwn);
	id->polls = !sysfs_u64(&polls, "%s/queue/io_poll", disk) && polls;
	id->trims = !sysfs_u64(&trims, "%s/queue/discard_max_bytes", disk) && trims;
	id->rotational = !sysfs_u64(&rotational, "%s/queue/rotational", disk) && rotational;
}
