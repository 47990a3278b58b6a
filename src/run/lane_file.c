#include "run/lane_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "run/identity.h"
#include "run/target.h"

void lane_file_close(struct lane_file *f)
{
	if (f->fd >= 0)
		(void)close(f->fd);
	f->fd = -1;
	f->path[0] = '\0';
}

static int open_flags(const struct job *job)
{
	static const int sync[WRITE_SYNC_COUNT] = { [WRITE_SYNC] = O_SYNC,
		                                    [WRITE_DSYNC] = O_DSYNC };
	int flags = O_CLOEXEC | O_NOCTTY | (job->direct ? O_DIRECT : 0);

	if (!rw_writes(job->rw))
		return flags | O_RDONLY;
	flags |= sync[job->sync];
	/* a mapping that is written is read as well */
	if (rw_reads(job->rw) || job->pre_read || engine_ops(job->ioengine)->caps & ENGINE_PAGE_CACHE)
		return flags | O_RDWR;
	return flags | O_WRONLY;
}

bool lane_file_differs(const struct lane_file *f, const struct run_spec *spec, unsigned job)
{
	char path[PATH_MAX];

	target_file_path(path, sizeof(path), spec->path, spec->directory, job);
	return strcmp(path, f->path) != 0;
}

static int check_device(int fd, const struct stat *st, const struct run_spec *spec,
                        const char *path, struct err *e)
{
	if (!S_ISBLK(st->st_mode))
		return err_set(e, -ESTALE, "%s: is no longer a block device", path);
	if ((spec->major || spec->minor) && st->st_rdev != makedev(spec->major, spec->minor))
		return err_set(e, -ESTALE, "%s: is another device (%u:%u) than before (%u:%u)",
		               path, major(st->st_rdev), minor(st->st_rdev), spec->major,
		               spec->minor);
	if (device_renewed(fd, spec->diskseq))
		return err_set(e, -ESTALE,
		               "%s: is another device than before, under the same number",
		               path);
	if (rw_writes(spec->job.rw) && spec->diskseq && device_resized(fd, spec->target_bytes))
		return err_set(e, -ESTALE, "%s: its size is no longer %" PRIu64 " bytes", path,
		               spec->target_bytes);
	return 0;
}

/* Is this what was looked at before? A name can be given to something else in the meantime. */
static int check_identity(int fd, const struct stat *st, const struct run_spec *spec,
                          const char *path, struct err *e)
{
	if (spec->block_device)
		return check_device(fd, st, spec, path, e);
	if (!S_ISREG(st->st_mode))
		return err_set(e, -ESTALE, "%s: is not a regular file", path);
	if (spec->directory && spec->ino &&
	    (target_mark_fd(fd) == TARGET_UNMARKED || st->st_nlink > 1))
		return err_set(e, -ESTALE, "%s: is not the file that iosweep made", path);
	if (!spec->directory && spec->ino &&
	    (st->st_ino != spec->ino || st->st_dev != spec->dev))
		return err_set(e, -ESTALE, "%s: is another file than before", path);
	return 0;
}

/* The directory that was looked at, whatever stands under its name now. -errno. */
static int open_directory(const struct run_spec *spec, struct err *e)
{
	int fd = open(spec->path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return err_set(e, -errno, "open %s: %s", spec->path, err_name(errno));
	if (fstat(fd, &st) ||
	    (spec->ino && (st.st_ino != spec->ino || st.st_dev != spec->dev))) {
		close(fd);
		return err_set(e, -ESTALE, "%s: is another directory than before", spec->path);
	}
	return fd;
}

static int open_failed(int err, const char *path, const struct run_spec *spec, struct err *e)
{
	struct rlimit files = { 0 };

	if (err == EINVAL && spec->job.direct)
		return err_set(e, -err,
		               "open %s: %s: this file system has no O_DIRECT; use direct=0",
		               path, err_name(err));
	if (err == EMFILE && !getrlimit(RLIMIT_NOFILE, &files))
		return err_set(
		    e, -err, "open %s: %s: %llu may be open (ulimit -n), one per job is needed",
		    path, err_name(err), (unsigned long long)files.rlim_cur);
	return err_set(e, -err, "open %s: %s", path, err_name(err));
}

enum io_advice lane_file_advice(const struct job *job)
{
	static const enum io_advice named[FADVISE_HINT_COUNT] = {
		[FADVISE_RANDOM] = ADVICE_RANDOM,
		[FADVISE_SEQUENTIAL] = ADVICE_SEQUENTIAL,
		[FADVISE_NOREUSE] = ADVICE_NOREUSE,
	};

	if (job->direct)
		return ADVICE_NONE;
	if (job->fadvise_hint == FADVISE_BY_RW)
		return rw_random(job->rw) ? ADVICE_RANDOM : ADVICE_SEQUENTIAL;
	return named[job->fadvise_hint];
}

/* A descriptor keeps what it was told: an advice adds to those before, but for the normal one. */
static int advise(struct lane_file *f, enum io_advice advice, struct err *e)
{
	static const int what[] = { [ADVICE_RANDOM] = POSIX_FADV_RANDOM,
		                    [ADVICE_SEQUENTIAL] = POSIX_FADV_SEQUENTIAL,
		                    [ADVICE_NOREUSE] = POSIX_FADV_NOREUSE };
	int r = 0;

	if (advice == f->advice)
		return 0;
	if (f->advice != ADVICE_NONE)
		r = posix_fadvise(f->fd, 0, 0, POSIX_FADV_NORMAL);
	if (!r && advice != ADVICE_NONE)
		r = posix_fadvise(f->fd, 0, 0, what[advice]);
	if (r)
		return err_set(e, -r, "posix_fadvise %s: %s", f->path, err_name(r));
	f->advice = advice;
	return 0;
}

static int open_file(struct lane_file *f, const struct run_spec *spec, unsigned job,
                   struct err *e)
{
	int flags = open_flags(&spec->job) | O_NOFOLLOW, r;
	AUTO(closep) int dir = -1;
	char path[PATH_MAX];
	struct stat st;

	target_file_path(path, sizeof(path), spec->path, spec->directory, job);
	if (f->fd >= 0 && f->flags == flags && !strcmp(f->path, path) && !stat(path, &st) &&
	    st.st_dev == f->dev && st.st_ino == f->ino)
		return check_identity(f->fd, &st, spec, path, e);
	lane_file_close(f);
	if (spec->directory) {
		dir = open_directory(spec, e);
		if (dir < 0)
			return dir;
	}
	f->fd = openat(dir, spec->directory ? strrchr(path, '/') + 1 : path, flags);
	if (f->fd < 0)
		return open_failed(errno, path, spec, e);
	r = fstat(f->fd, &st) ? err_set(e, -errno, "stat %s: %s", path, err_name(errno))
	                      : check_identity(f->fd, &st, spec, path, e);
	if (r) {
		lane_file_close(f);
		return r;
	}
	f->flags = flags;
	f->advice = ADVICE_NONE;
	f->dev = st.st_dev;
	f->ino = st.st_ino;
	memcpy(f->path, path, sizeof(path));
	return 0;
}

int lane_file_open(struct lane_file *f, const struct run_spec *spec, unsigned job,
                   struct err *e)
{
	int r = open_file(f, spec, job, e);

	return r ? r : advise(f, lane_file_advice(&spec->job), e);
}

int lane_file_drop_cache(const struct lane_file *f, struct err *e)
{
	/* Nothing can be dirty where fsync makes no sense. */
	if (fsync(f->fd) && errno != EROFS && errno != EINVAL)
		return err_set(e, -errno, "fsync %s: %s (%s)", f->path, err_name(errno),
		               strerrorname_np(errno));
	/* Devices: root can drop all of their pages; otherwise, and for files, the clean ones
	 * are dropped. */
	(void)ioctl(f->fd, BLKFLSBUF, 0);
	if (posix_fadvise(f->fd, 0, 0, POSIX_FADV_DONTNEED))
		return err_set(e, -EIO, "%s: cannot drop its pages from the cache", f->path);
	return 0;
}
