#include "sink/output.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"

static int open_beside(struct text *tmp, const char *path, struct err *e)
{
	struct stat st;
	int fd;

	if (!stat(path, &st) && S_ISBLK(st.st_mode))
		return err_set(e, -EINVAL, "%s: a block device is no place for a file", path);
	if (stat(path, &st) || S_ISREG(st.st_mode))
		text_addf(tmp, "%s.new-%d", path, (int)getpid());
	fd = tmp->len ? open(tmp->s, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666)
	              : open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return err_set(e, -errno, "%s: cannot write: %s", path, err_name(errno));
	return fd;
}

static int finish(FILE *out, const struct text *tmp, const char *path, struct err *e)
{
	if (fflush(out))
		return err_set(e, -errno, "%s: write: %s", path, err_name(errno));
	if (!tmp->len)
		return 0;
	if (fsync(fileno(out)))
		return err_set(e, -errno, "%s: fsync: %s", path, err_name(errno));
	if (rename(tmp->s, path))
		return err_set(e, -errno, "%s: %s", path, err_name(errno));
	return 0;
}

int output_file(const char *path, int (*fn)(FILE *out, void *arg, struct err *e), void *arg,
                struct err *e)
{
	AUTO(text_fini) struct text tmp = { 0 };
	AUTO(fclosep) FILE *out = NULL;
	int fd = open_beside(&tmp, path, e), r;

	if (fd < 0)
		return fd;
	out = fdopen(fd, "w");
	if (!out) {
		r = err_set(e, -errno, "%s: %s", path, err_name(errno));
		close(fd);
	} else {
		r = fn(out, arg, e);
		if (!r)
			r = finish(out, &tmp, path, e);
	}
	if (r && tmp.len)
		(void)unlink(tmp.s);
	return r;
}
