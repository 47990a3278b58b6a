#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/cleanup.h"

#define CHUNK 8192 /* also in a small stack */

/* As read(2), but for a signal in between. */
static ssize_t read_some(int fd, char *buf)
{
	ssize_t n;

	do
		n = read(fd, buf, CHUNK);
	while (n < 0 && errno == EINTR);
	return n;
}

static int open_file(const char *path)
{
	return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
}

int file_read_all(struct text *out, int fd, size_t max)
{
	char buf[CHUNK];
	size_t got = 0;
	ssize_t n;

	while ((n = read_some(fd, buf)) > 0) {
		if ((size_t)n > max - got)
			return -EFBIG;
		got += (size_t)n;
		text_addn(out, buf, (size_t)n);
	}
	return n < 0 ? -errno : 0;
}

int file_load(struct text *out, const char *path, size_t max)
{
	AUTO(closep) int fd = open_file(path);

	return fd < 0 ? -errno : file_read_all(out, fd, max);
}

int file_copy(FILE *out, const char *path, struct err *e)
{
	AUTO(closep) int fd = open_file(path);
	char buf[CHUNK];
	ssize_t n = -1;

	while (fd >= 0 && (n = read_some(fd, buf)) > 0)
		if (fwrite(buf, 1, (size_t)n, out) != (size_t)n)
			return err_set(e, -errno, "write: %s", err_name(errno));
	return n < 0 ? err_set(e, -errno, "%s: %s", path, err_name(errno)) : 0;
}
