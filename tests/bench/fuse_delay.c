/* fuse_delay MOUNT_POINT BYTES DELAY_US [fuse options]: a read-only file system with one file,
 * `data`, whose reads each take a known time, as many at once as are asked for. Stays in the
 * foreground until unmounted. */
#define FUSE_USE_VERSION 34
#include <errno.h>
#include <fuse.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/rng.h"

#define NOISE_WORDS (1 << 17) /* 1 MiB, repeated over the file: nothing must read as zeros */
#define AT_ONCE     128

struct delay {
	uint64_t bytes, delay_us;
	uint64_t noise[NOISE_WORDS];
};

static struct delay *self(void)
{
	return fuse_get_context()->private_data;
}

static void *delay_init(struct fuse_conn_info *conn, struct fuse_config *cfg)
{
	if (conn->capable & FUSE_CAP_ASYNC_DIO)
		conn->want |= FUSE_CAP_ASYNC_DIO;
	conn->max_background = conn->congestion_threshold = AT_ONCE;
	cfg->direct_io = 1;
	return self();
}

static int delay_getattr(const char *path, struct stat *st, struct fuse_file_info *fi)
{
	bool root = !strcmp(path, "/");

	(void)fi;
	if (!root && strcmp(path, "/data"))
		return -ENOENT;
	st->st_mode = root ? S_IFDIR | 0755 : S_IFREG | 0444;
	st->st_nlink = root ? 2 : 1;
	st->st_size = root ? 0 : (off_t)self()->bytes;
	return 0;
}

static int delay_open(const char *path, struct fuse_file_info *fi)
{
	(void)path;
	return (fi->flags & O_ACCMODE) == O_RDONLY ? 0 : -EACCES;
}

static int delay_read(const char *path, char *buf, size_t size, off_t offset,
                      struct fuse_file_info *fi)
{
	const struct delay *d = self();
	struct timespec wait = { .tv_sec = (time_t)(d->delay_us / 1000000),
		                 .tv_nsec = (long)(d->delay_us % 1000000 * 1000) };

	(void)path;
	(void)fi;
	(void)prctl(PR_SET_TIMERSLACK, 1); /* of the thread that libfuse made */
	(void)nanosleep(&wait, NULL);
	if ((uint64_t)offset >= d->bytes)
		return 0;
	if (size > d->bytes - (uint64_t)offset)
		size = d->bytes - (uint64_t)offset;
	for (size_t done = 0; done < size;) {
		size_t from = ((size_t)offset + done) % sizeof(d->noise);
		size_t n = sizeof(d->noise) - from;

		n = n < size - done ? n : size - done;
		memcpy(buf + done, (const char *)d->noise + from, n);
		done += n;
	}
	return (int)size;
}

static const struct fuse_operations operations = {
	.init = delay_init,
	.getattr = delay_getattr,
	.open = delay_open,
	.read = delay_read,
};

static int serve(struct fuse *fuse, const char *mount_point)
{
	struct fuse_loop_config loop = { .clone_fd = 0, .max_idle_threads = AT_ONCE };
	int rc = 1;

	if (fuse_mount(fuse, mount_point))
		return 1;
	if (!fuse_set_signal_handlers(fuse_get_session(fuse))) {
		rc = fuse_loop_mt(fuse, &loop) < 0;
		fuse_remove_signal_handlers(fuse_get_session(fuse));
	}
	fuse_unmount(fuse);
	return rc;
}

int main(int argc, char **argv)
{
	struct fuse_args args = FUSE_ARGS_INIT(0, NULL);
	struct fuse *fuse;
	struct rng r;
	int rc;

	if (argc < 4) {
		(void)fprintf(stderr, "usage: %s MOUNT_POINT BYTES DELAY_US [fuse options]\n",
		              argv[0]);
		return 2;
	}
	AUTO(freep) struct delay *d = calloc(1, sizeof(*d));
	if (!d || fuse_opt_add_arg(&args, argv[0]))
		return 1;
	d->bytes = strtoull(argv[2], NULL, 10);
	d->delay_us = strtoull(argv[3], NULL, 10);
	rng_seed(&r, 1);
	for (size_t i = 0; i < NOISE_WORDS; i++)
		d->noise[i] = rng_next(&r);
	for (int i = 4; i < argc; i++)
		if (fuse_opt_add_arg(&args, argv[i]))
			return 1;
	fuse = fuse_new(&args, &operations, sizeof(operations), d);
	if (!fuse)
		return 1;
	rc = serve(fuse, argv[1]);
	fuse_destroy(fuse);
	fuse_opt_free_args(&args);
	return rc;
}
