#include "host/nfs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "base/units.h"
#include "host/sysfs.h"

#define TEXT_MAX (4 * MIB) /* of the whole file: about 5 KiB for each NFS mount */

bool nfs_is(const char *fs)
{
	return !strcmp(fs, "nfs") || !strcmp(fs, "nfs4");
}

/* Does the escaped name at s ("\040" for a blank) say `plain`? Returns what follows it, or
 * NULL. */
static const char *same_name(const char *s, const char *plain)
{
	for (; *plain; plain++) {
		char c = *s;

		if (c == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] >= '0' && s[2] <= '7' &&
		    s[3] >= '0' && s[3] <= '7') {
			c = (char)((s[1] - '0') * 64 + (s[2] - '0') * 8 + (s[3] - '0'));
			s += 3;
		}
		if (c != *plain)
			return NULL;
		s++;
	}
	return *s == ' ' ? s : NULL;
}

/* "device SOURCE mounted on POINT with fstype nfs4 statvers=1.1" */
static bool heads(const char *line, const char *point)
{
	const char *p = line + strcspn(line, "\n"), *on = strstr(line, " mounted on ");

	if (strncmp(line, "device ", 7) != 0 || !on || on > p)
		return false;
	p = same_name(on + strlen(" mounted on "), point);
	return p && !strncmp(p, " with fstype nfs", 16);
}

static size_t numbers(const char *s, uint64_t *v, size_t n)
{
	size_t i = 0;

	for (; i < n; i++) {
		char *end;

		s += strspn(s, " \t");
		if (*s < '0' || *s > '9')
			break;
		v[i] = strtoull(s, &end, 10);
		s = end;
	}
	return i;
}

/* One line about the mount; true when it was the one with the bytes. */
static bool take(const char *line, struct nfs_stat *out)
{
	enum { OPS, TRANSMITS, TIMEOUTS, SENT, RECEIVED, QUEUE, ROUND_TRIP, EXECUTE, FIELDS };
	uint64_t v[FIELDS];

	line += strspn(line, " \t");
	if (!strncmp(line,
	             "bytes:", 6)) { /* read, written, both directly; from and to the server */
		if (numbers(line + 6, v, 6) < 6)
			return false;
		out->read_bytes = v[4];
		out->write_bytes = v[5];
		return true;
	}
	if (!strncmp(line, "READ:", 5) && numbers(line + 5, v, FIELDS) == FIELDS) {
		out->read_ios = v[OPS];
		out->execute_ms += v[EXECUTE];
	} else if (!strncmp(line, "WRITE:", 6) && numbers(line + 6, v, FIELDS) == FIELDS) {
		out->write_ios = v[OPS];
		out->execute_ms += v[EXECUTE];
	}
	return false;
}

bool nfs_stat_parse(const char *text, const char *mount_point, struct nfs_stat *out)
{
	bool inside = false, found = false;

	for (const char *line = text; *line;
	     line += strcspn(line, "\n"), line += *line == '\n') {
		if (!strncmp(line, "device ", 7)) {
			inside = heads(line, mount_point);
			if (inside) {
				*out = (struct nfs_stat){ 0 };
				found = false;
			}
		} else if (inside && take(line, out)) {
			found = true;
		}
	}
	return found;
}

int nfs_stat_read(const char *mount_point, struct nfs_stat *out)
{
	AUTO(freep) char *text = xcalloc(1, TEXT_MAX);
	int n = file_read("/proc/self/mountstats", text, TEXT_MAX);

	if (n < 0)
		return n;
	return nfs_stat_parse(text, mount_point, out) ? 0 : -ENOENT;
}

void nfs_stat_delta(const struct nfs_stat *from, const struct nfs_stat *to, uint64_t elapsed_ns,
                    struct device_delta *out)
{
	*out = (struct device_delta){ .elapsed_ns = elapsed_ns };
	if (!elapsed_ns || to->read_ios < from->read_ios || to->read_bytes < from->read_bytes ||
	    to->write_ios < from->write_ios || to->write_bytes < from->write_bytes ||
	    to->execute_ms < from->execute_ms)
		return; /* mounted anew meanwhile */
	out->valid = out->busy_unknown = true;
	out->read_ios = to->read_ios - from->read_ios;
	out->read_bytes = to->read_bytes - from->read_bytes;
	out->write_ios = to->write_ios - from->write_ios;
	out->write_bytes = to->write_bytes - from->write_bytes;
	out->queue_ns = (to->execute_ms - from->execute_ms) * MSEC;
}
