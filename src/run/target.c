/* Looking at a target: what it is and what it can do. */
#include "run/target.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "engine/rwf.h"
#include "host/sysfs.h"
#include "run/mounts.h"

__attribute__((format(printf, 3, 4))) static void unusable(struct target_info *t, int errnum,
                                                           const char *fmt, ...)
{
	char raw[sizeof(t->problem)];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(raw, sizeof(raw), fmt, ap);
	va_end(ap);
	text_printable(t->problem, sizeof(t->problem), raw);
	t->kind = TARGET_UNUSABLE;
	t->problem_errno = errnum;
}

/* Logical block size of the device under the target; 512 when there is none. */
static uint32_t sector_bytes(const struct target_info *t)
{
	uint64_t sector = 512;
	char disk[64];

	if (t->major || t->minor)
		(void)sysfs_u64(&sector, "%s/queue/logical_block_size",
		                sysfs_disk(disk, sizeof(disk), t->major, t->minor));
	return (uint32_t)sector;
}

/* The alignment that direct I/O needs, from the kernel where it says so, else by reading. 0:
 * O_DIRECT is refused. */
static void find_alignment(struct target_info *t, int fd)
{
	struct statx sx;
	AUTO(freep) void *buf = aligned_alloc(4096, 4096);

	if (!statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &sx) &&
	    (sx.stx_mask & STATX_DIOALIGN)) {
		t->offset_align = sx.stx_dio_offset_align;
		t->memory_align = sx.stx_dio_mem_align;
		return;
	}
	t->offset_align = 0;
	t->memory_align = 0;
	if (!buf || fcntl(fd, F_SETFL, O_DIRECT) != 0)
		return;
	/* An empty file takes any read, so never less than a sector of the device. */
	for (uint32_t align = sector_bytes(t); align <= 4096 && !t->offset_align; align *= 8)
		if (pread(fd, buf, align, 0) >= 0)
			t->offset_align = t->memory_align = align;
}

/* A read of nothing in an empty file tells as well. Before any O_DIRECT. */
static void find_uncached(struct target_info *t, int fd)
{
	char byte;
	struct iovec v = { &byte, 1 };

	t->uncached = preadv2(fd, &v, 1, 0, RWF_DONTCACHE) >= 0;
}

static void set_device(struct target_info *t, dev_t dev)
{
	struct device_id id;

	t->major = major(dev);
	t->minor = minor(dev);
	device_identify(&id, t->major, t->minor);
	(void)snprintf(t->device, sizeof(t->device), "%s", id.label);
	(void)snprintf(t->serial, sizeof(t->serial), "%s", id.serial);
	(void)snprintf(t->wwn, sizeof(t->wwn), "%s", id.wwn);
	t->rotational = id.rotational;
	t->polls = id.polls;
	t->trims = id.trims;
}

/* The kernel's number of a file system, in a word, for when its mount cannot be seen (in a
 * chroot, say). */
static const char *fs_by_number(const char *path)
{
	static const struct {
		uint32_t magic;
		const char *name;
	} known[] = {
		{ 0xef53, "ext4" },         { 0x58465342, "xfs" },     { 0x9123683e, "btrfs" },
		{ 0x01021994, "tmpfs" },    { 0x794c7630, "overlay" }, { 0x6969, "nfs" },
		{ 0x65735546, "fuse" },     { 0x2fc12fc1, "zfs" },     { 0xf2f52010, "f2fs" },
		{ 0xca451a4e, "bcachefs" }, { 0x4d44, "vfat" },        { 0xff534d42, "cifs" },
	};
	struct statfs fs;

	if (!statfs(path, &fs))
		for (size_t i = 0; i < ARRAY_SIZE(known); i++)
			if ((uint32_t)fs.f_type == known[i].magic)
				return known[i].name;
	return "unknown";
}

/* The file system that holds `path`, and the device under it. */
static void look_at_fs(struct target_info *t, const char *path, const struct stat *st)
{
	AUTO(freep) struct mount *m = xcalloc(1, sizeof(*m));
	struct statvfs vfs;
	dev_t device = major(st->st_dev) ? st->st_dev : 0;

	t->dev = st->st_dev;
	if (!statvfs(path, &vfs)) /* ramfs counts none */
		t->free_bytes = vfs.f_blocks ? (uint64_t)vfs.f_bavail * vfs.f_frsize
		                             : FREE_UNKNOWN;
	if (!mount_of(m, path, st->st_dev)) {
		(void)snprintf(t->fs, sizeof(t->fs), "%s", m->fs);
		(void)snprintf(t->mount_point, sizeof(t->mount_point), "%s", m->point);
		(void)snprintf(t->mount_options, sizeof(t->mount_options), "%s", m->options);
		if (!device)
			device = m->source_dev;
	} else {
		(void)snprintf(t->fs, sizeof(t->fs), "%s", fs_by_number(path));
	}
	if (device)
		set_device(t, device);
}

/* What stands behind a loop device or a part of one. */
static void find_backing(struct target_info *t)
{
	char disk[64], path[PATH_MAX], inode[32] = "";
	struct stat st;

	if (sysfs_text(path, sizeof(path), "%s/loop/backing_file",
	               sysfs_disk(disk, sizeof(disk), t->major, t->minor)))
		return;
	if (!stat(path, &st))
		(void)snprintf(inode, sizeof(inode), " (inode %ju)", (uintmax_t)st.st_ino);
	(void)snprintf(t->backing, sizeof(t->backing), "%.4000s%s", path, inode);
}

static void inspect_block(struct target_info *t, int fd, const struct stat *st)
{
	int sector = 512, read_only = 0;

	t->kind = TARGET_BLOCK;
	t->dev = st->st_dev;
	t->ino = st->st_ino;
	set_device(t, st->st_rdev);
	if (ioctl(fd, BLKGETSIZE64, &t->size_bytes) != 0) {
		unusable(t, errno, "cannot read the size of %s: %s", t->path, err_name(errno));
		return;
	}
	if (!t->size_bytes) {
		unusable(t, ENOMEDIUM, "%s has no medium (its size is 0)", t->path);
		return;
	}
	(void)ioctl(fd, BLKGETDISKSEQ, &t->diskseq);
	(void)sysfs_text(t->boot, sizeof(t->boot), "/proc/sys/kernel/random/boot_id");
	find_backing(t);
	(void)ioctl(fd, BLKSSZGET, &sector);
	find_uncached(t, fd);
	find_alignment(t, fd);
	if (!t->offset_align) /* every block device takes O_DIRECT; an old kernel just does not
	                         say how */
		t->memory_align = (uint32_t)sector;
	if (t->offset_align < (uint32_t)sector)
		t->offset_align = (uint32_t)sector;
	(void)ioctl(fd, BLKROGET, &read_only);
	t->writable = !read_only && faccessat(AT_FDCWD, t->path, W_OK, AT_EACCESS) == 0;
}

static void inspect_file(struct target_info *t, int fd, const struct stat *st)
{
	enum target_mark mark = target_mark(t->path);

	t->kind = TARGET_FILE;
	t->ino = st->st_ino;
	t->born_ns = target_born_ns(t->path);
	t->size_bytes = (uint64_t)st->st_size;
	t->ours = mark == TARGET_MARKED;
	t->unmarkable = mark == TARGET_UNMARKABLE;
	t->ours_bytes = t->ours ? (uint64_t)st->st_blocks * 512 : 0;
	t->writable = faccessat(AT_FDCWD, t->path, W_OK, AT_EACCESS) == 0;
	look_at_fs(t, t->path, st);
	find_uncached(t, fd);
	find_alignment(t, fd);
}

/* What files in this directory can do, learned from one that never gets a name. */
static void probe_directory(struct target_info *t, const char *dir)
{
	AUTO(closep) int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0) {
		find_uncached(t, fd);
		if (ftruncate(fd, 4096) == 0)
			find_alignment(t, fd);
		return;
	}
	/* No nameless files here: assume direct I/O in the blocks of the device, and that uncached
	 * works; the first run tells. */
	t->offset_align = t->memory_align = sector_bytes(t);
	t->uncached = true;
}

/* What our files in a directory hold already; they are numbered from 0 without a gap. */
static uint64_t our_bytes_in(const char *dir)
{
	char path[PATH_MAX + 32];
	uint64_t sum = 0;
	struct stat st;

	for (unsigned i = 0;; i++) {
		target_file_path(path, sizeof(path), dir, true, i);
		if (lstat(path, &st) || !target_is_ours(path))
			return sum;
		sum += (uint64_t)st.st_blocks * 512;
	}
}

static void inspect_directory(struct target_info *t, const struct stat *st)
{
	t->ours_bytes = our_bytes_in(t->path);
	t->kind = TARGET_DIRECTORY;
	t->ino = st->st_ino;
	look_at_fs(t, t->path, st);
	t->writable = faccessat(AT_FDCWD, t->path, W_OK | X_OK, AT_EACCESS) == 0;
	probe_directory(t, t->path);
}

/* No file is ever created where only devices and kernel settings live. /dev/shm is plain
 * memory, which programs share under names that they choose: files there are measured, but not
 * made. */
static bool is_kernel_path(const char *path)
{
	static const char *const root[] = { "/dev/", "/proc/", "/sys/" };

	for (size_t i = 0; i < ARRAY_SIZE(root); i++)
		if (!strncmp(path, root[i], strlen(root[i])) ||
		    (!strncmp(path, root[i], strlen(root[i]) - 1) &&
		     !path[strlen(root[i]) - 1]))
			return true;
	return false;
}

/* The name as an absolute path, "." and ".." and links left alone. False: too long. */
static bool make_absolute(char *out, size_t size, const char *name)
{
	char cwd[PATH_MAX] = "";

	if (name[0] != '/' && (!getcwd(cwd, sizeof(cwd)) || !cwd[1]))
		cwd[0] = '\0';
	return snprintf(out, size, "%s%s%s", cwd, name[0] == '/' ? "" : "/", name) < (int)size;
}

static void inspect_missing(struct target_info *t, const char *absolute)
{
	char dir[PATH_MAX], real[PATH_MAX];
	struct stat st;
	char *slash;

	if (!strncmp(absolute, "/dev/shm/", 9)) {
		unusable(t, EINVAL,
		         "%s: no file is made where programs share memory: name one that is "
		         "there, or use another tmpfs",
		         absolute);
		return;
	}
	if (is_kernel_path(absolute)) {
		unusable(t, ENODEV, "no such device: %s", absolute);
		return;
	}
	if (!lstat(absolute, &st) && S_ISLNK(st.st_mode)) {
		unusable(t, ENOENT, "%s is a symbolic link to nothing", absolute);
		return;
	}
	(void)snprintf(dir, sizeof(dir), "%s", absolute);
	slash = strrchr(dir, '/');
	*slash = '\0';
	if (!realpath(*dir ? dir : "/", real) || stat(real, &st) != 0 || !S_ISDIR(st.st_mode) ||
	    !slash[1]) {
		bool remote = strchr(t->filename, ':') && strstr(t->filename, ":/");

		unusable(t, ENOENT, "no such directory: %s%s", *dir ? dir : "/",
		         remote ? " (a remote share is no path: mount it first)" : "");
		return;
	}
	if (snprintf(t->path, sizeof(t->path), "%s/%s", real[1] ? real : "", slash + 1) >=
	    (int)sizeof(t->path)) {
		unusable(t, ENAMETOOLONG, "the path is too long: %.100s...", real);
		return;
	}
	if (is_kernel_path(t->path)) {
		unusable(t, ENODEV, "no such device: %s", absolute);
		return;
	}
	if (faccessat(AT_FDCWD, real, W_OK | X_OK, AT_EACCESS) != 0) {
		unusable(t, errno, "cannot create %s: %s", t->path, err_name(errno));
		return;
	}
	t->kind = TARGET_MISSING;
	t->writable = true;
	look_at_fs(t, real, &st);
	probe_directory(t, real);
}

static const char *odd_kind(mode_t mode)
{
	if (S_ISFIFO(mode))
		return "fifo";
	if (S_ISSOCK(mode))
		return "socket";
	return S_ISCHR(mode) ? "character device" : "special file";
}

static void inspect_existing(struct target_info *t)
{
	AUTO(closep) int fd = -1;
	struct stat st;

	/* Before any open: opening a fifo or a character device may already do something. */
	if (stat(t->path, &st) != 0) {
		unusable(t, errno, "cannot look at %s: %s", t->path, err_name(errno));
		return;
	}
	if (!S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode) && !S_ISDIR(st.st_mode)) {
		unusable(t, EINVAL,
		         "%s is a %s: only files, directories and block devices are measured",
		         t->path, odd_kind(st.st_mode));
		return;
	}
	if (S_ISREG(st.st_mode) && is_kernel_path(t->path) &&
	    strncmp(t->path, "/dev/shm/", 9) != 0) {
		unusable(t, EINVAL, "%s is no storage: it belongs to the kernel", t->path);
		return;
	}
	if (S_ISDIR(st.st_mode) && is_kernel_path(t->path)) {
		unusable(t, EINVAL, "%s belongs to the kernel: no files are made in it",
		         t->path);
		return;
	}
	fd = open(t->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) != 0) {
		unusable(t, errno, "cannot open %s: %s", t->path, err_name(errno));
		return;
	}
	if (S_ISBLK(st.st_mode))
		inspect_block(t, fd, &st);
	else if (S_ISDIR(st.st_mode))
		inspect_directory(t, &st);
	else
		inspect_file(t, fd, &st);
}

void target_inspect(struct target_info *t, const char *filename)
{
	char absolute[PATH_MAX];
	AUTO(freep) char *real = NULL;

	*t = (struct target_info){ .zero_pct = -1 };
	(void)snprintf(t->filename, sizeof(t->filename), "%s", filename);
	if (!make_absolute(absolute, sizeof(absolute), filename)) {
		unusable(t, ENAMETOOLONG, "the path is too long: %.100s...", filename);
		return;
	}
	real = realpath(absolute, NULL);
	if (real) {
		(void)snprintf(t->path, sizeof(t->path), "%s", real);
		inspect_existing(t);
		return;
	}
	(void)snprintf(t->path, sizeof(t->path), "%s", absolute);
	if (errno == ENOENT || errno == ENOTDIR)
		inspect_missing(t, absolute);
	else
		unusable(t, errno, "cannot reach %s: %s", absolute, err_name(errno));
}
