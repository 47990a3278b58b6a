/* clang-format off */
/* A file system with one file, `data`, of incompressible bytes in memory, which fails as it is told.
 * Stopped by SIGSTOP it is a device that hangs: under a loop device, or as a file.
 *
 *   fusefile SIZE_MIB MOUNTPOINT    in the foreground, until it is unmounted
 *
 * Lines written into its file `ctl` say what goes wrong from now on; each replaces the one before,
 * and counts the I/Os of its OP (read, write, sync) from 1:
 *   error OP ERRNO N    the N-th and all after it fail
 *   once OP ERRNO N     only the N-th
 *   then OP ERRNO N     ... and after it, counted from there, the N-th (up to 8 in a row)
 *   short OP 0 N        the N-th and all after it transfer half, if they are longer than 512 bytes
 *   stop OP 0 N         the server stops (SIGSTOP) at the N-th; after SIGCONT all is well
 *   cache 1 | cache 0   opens from now on go through the page cache, or not (the default)
 *   off                 nothing
 * truncate(2) works, too. */
/* clang-format on */
#define FUSE_USE_VERSION 31
#include <errno.h>
#include <fuse.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

enum kind { NOTHING, ERROR, ONCE, SHORT, STOP };

static struct fault {
	enum kind kind;
	char op[8];
	int error;
	unsigned long at;
} fault[8]; /* the first is in force; NOTHING ends the list */
static unsigned long seen;

static uint8_t *data;
static size_t capacity, size;
static bool cached;

static bool is_data(const char *path)
{
	return strcmp(path, "/data") == 0;
}

static bool is_ctl(const char *path)
{
	return strcmp(path, "/ctl") == 0;
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
	if (!is_data(path) && !is_ctl(path))
		return -ENOENT;
	st->st_mode = S_IFREG | 0600;
	st->st_nlink = 1;
	if (is_data(path)) {
		st->st_size = (off_t)size;
		st->st_blocks = (blkcnt_t)(size / 512);
	}
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
	fi->direct_io = !cached || is_ctl(path);
	return is_data(path) || is_ctl(path) ? 0 : -ENOENT;
}

static int cut(const char *path, off_t to, struct fuse_file_info *fi)
{
	(void)fi;
	if (is_data(path))
		size = (size_t)to < capacity ? (size_t)to : capacity;
	return 0;
}

/* What becomes of this I/O of n bytes: how many go, or -errno. */
static long spoil(const char *op, size_t n)
{
	int error = fault->error;

	if (fault->kind == NOTHING || strcmp(op, fault->op) != 0 || ++seen < fault->at)
		return (long)n;
	if (fault->kind == SHORT)
		return (long)(n > 512 ? n / 2 : n);
	if (fault->kind == STOP) {
		memset(fault, 0, sizeof(fault));
		(void)raise(SIGSTOP);
		return (long)n;
	}
	if (fault->kind == ONCE) {
		memmove(&fault[0], &fault[1], sizeof(fault) - sizeof(fault[0]));
		memset(&fault[7], 0, sizeof(fault[7]));
		seen = 0;
	}
	return -error;
}

static size_t within(size_t n, off_t at)
{
	size_t left = (size_t)at < size ? size - (size_t)at : 0;

	return n < left ? n : left;
}

static int read_file(const char *path, char *buf, size_t n, off_t at, struct fuse_file_info *fi)
{
	long r;

	(void)fi;
	if (is_ctl(path))
		return 0;
	r = spoil("read", within(n, at));
	if (r > 0)
		memcpy(buf, data + at, (size_t)r);
	return (int)r;
}

static int command(const char *text, size_t n)
{
	struct fault f = { 0 }, *to = fault;
	char line[64], word[8] = "";
	int on = 0, fields;

	(void)snprintf(line, sizeof(line), "%.*s", (int)n, text);
	fields = sscanf(line, "%7s %7s %d %lu", word, f.op, &f.error, &f.at);
	if (strcmp(word, "then") == 0) {
		while (to < &fault[6] && to->kind != NOTHING)
			to++;
	} else {
		memset(fault, 0, sizeof(fault));
		seen = 0;
	}
	if (fields == 4 && strcmp(word, "error") == 0)
		f.kind = ERROR;
	else if (fields == 4 && strcmp(word, "short") == 0)
		f.kind = SHORT;
	else if (fields == 4 && strcmp(word, "stop") == 0)
		f.kind = STOP;
	else if (fields == 4)
		f.kind = ONCE;
	else if (sscanf(line, "cache %d", &on) == 1)
		cached = on != 0;
	else if (strcmp(word, "off") != 0)
		return -EINVAL;
	*to = f;
	return (int)n;
}

static int write_file(const char *path, const char *buf, size_t n, off_t at,
                      struct fuse_file_info *fi)
{
	long r;

	(void)fi;
	if (is_ctl(path))
		return command(buf, n);
	if (!within(n, at))
		return -ENOSPC;
	r = spoil("write", within(n, at));
	if (r > 0)
		memcpy(data + at, buf, (size_t)r);
	return (int)r;
}

static int sync_file(const char *path, int only_data, struct fuse_file_info *fi)
{
	(void)path;
	(void)only_data;
	(void)fi;
	return (int)spoil("sync", 0);
}

static const struct fuse_operations operations = {
	.getattr = get_attributes,
	.readdir = list,
	.open = open_file,
	.truncate = cut,
	.read = read_file,
	.write = write_file,
	.fsync = sync_file,
};

int main(int argc, char **argv)
{
	char foreground[] = "-f", one_thread[] = "-s";
	char *args[] = { argv[0], foreground, one_thread, argv[argc - 1], NULL };
	struct rng r;

	if (argc != 3)
		return 2;
	size = capacity = strtoul(argv[1], NULL, 10) << 20;
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
