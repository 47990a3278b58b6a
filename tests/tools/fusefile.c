/* A file system with one file, `data`, of incompressible bytes in memory. Stopped by SIGSTOP it
 * is a device that hangs: under a loop device, or as a file. fusefile SIZE_MIB MOUNTPOINT    in
 * the foreground, until it is unmounted */
#define FUSE_USE_VERSION 31
#include <errno.h>
#include <fuse.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

static uint8_t *data;
static size_t size;

static int is_data(const char *path)
{
	return strcmp(path, "/data") == 0;
}

static int get_attributes(const char *path, struct stat *st, struct fuse_file_info *fi)
{
	(void)fi;
	memset(st, 0, sizeof(*st));
	if (strcmp(path, "/") == 0) {
		st->st_mode = S_IFDIR | 0755;
		st->st_nlink = 2;
		return 0;
	}
	if (!is_data(path))
		return -ENOENT;
	st->st_mode = S_IFREG | 0600;
	st->st_nlink = 1;
	st->st_size = (off_t)size;
	st->st_blocks = (blkcnt_t)(size / 512);
	return 0;
}

static int list(const char *path, void *buf, fuse_fill_dir_t fill, off_t at,
                struct fuse_file_info *fi, enum fuse_readdir_flags flags)
{
	(void)path;
	(void)at;
	(void)fi;
	(void)flags;
	return fill(buf, "data", NULL, 0, 0) ? -ENOMEM : 0;
}

static int open_file(const char *path, struct fuse_file_info *fi)
{
	fi->direct_io = 1;
	return is_data(path) ? 0 : -ENOENT;
}

static size_t within(size_t n, off_t at)
{
	size_t left = (size_t)at < size ? size - (size_t)at : 0;

	return n < left ? n : left;
}

static int read_file(const char *path, char *buf, size_t n, off_t at, struct fuse_file_info *fi)
{
	(void)path;
	(void)fi;
	n = within(n, at);
	memcpy(buf, data + at, n);
	return (int)n;
}

static int write_file(const char *path, const char *buf, size_t n, off_t at,
                      struct fuse_file_info *fi)
{
	(void)path;
	(void)fi;
	n = within(n, at);
	memcpy(data + at, buf, n);
	return n ? (int)n : -ENOSPC;
}

static const struct fuse_operations operations = {
	.getattr = get_attributes,
	.readdir = list,
	.open = open_file,
	.read = read_file,
	.write = write_file,
};

int main(int argc, char **argv)
{
	char foreground[] = "-f", one_thread[] = "-s";
	char *args[] = { argv[0], foreground, one_thread, argv[argc - 1], NULL };
	struct rng r;

	if (argc != 3)
		return 2;
	size = strtoul(argv[1], NULL, 10) << 20;
	data = malloc(size);
	if (!data)
		return 1;
	rng_seed(&r, size);
	for (size_t i = 0; i + sizeof(uint64_t) <= size; i += sizeof(uint64_t)) {
		uint64_t word = rng_next(&r);

		memcpy(data + i, &word, sizeof(word));
	}
	return fuse_main(4, args, &operations, NULL);
}
