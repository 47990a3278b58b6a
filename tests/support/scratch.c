#include "support/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <linux/loop.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST 8

extern char **environ;

static char dir[PATH_MAX];
static int loop_fd[MOST];
static size_t loops;
static char mounts[MOST][PATH_MAX + 64];
static size_t mounted;

int scratch_enter(void **state)
{
	const char *tmp = getenv("TMPDIR");
	char made[PATH_MAX];

	(void)state;
	(void)snprintf(made, sizeof(made), "%s/iosweep-unit.XXXXXX", tmp ? tmp : "/tmp");
	loops = mounted = 0;
	return !mkdtemp(made) || !realpath(made, dir) || chdir(dir);
}

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st;
	(void)kind;
	(void)at;
	return remove(path);
}

int scratch_leave(void **state)
{
	(void)state;
	while (mounted)
		(void)umount2(mounts[--mounted], MNT_DETACH);
	while (loops)
		(void)close(loop_fd[--loops]);
	return chdir("/") || nftw(dir, remove_entry, 8, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

const char *scratch_dir(void)
{
	return dir;
}

void scratch_sparse(const char *name, uint64_t size)
{
	int fd = open(name, O_CREAT | O_EXCL | O_RDWR, 0600);

	if (fd < 0 || ftruncate(fd, (off_t)size) || close(fd))
		abort();
}

void scratch_write(const char *name, uint64_t size)
{
	FILE *f = fopen(name, "wxe");

	if (!f)
		abort();
	for (uint64_t i = 0; i < size; i++)
		(void)fputc('a' + (int)(i % 23), f);
	if (fclose(f))
		abort();
}

uint64_t scratch_hash(const char *name)
{
	unsigned char buf[65536];
	uint64_t h = 0xcbf29ce484222325ULL;
	FILE *f = fopen(name, "re");
	size_t n;

	if (!f)
		abort();
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
		for (size_t i = 0; i < n; i++)
			h = (h ^ buf[i]) * 0x100000001b3ULL;
	(void)fclose(f);
	return h;
}

bool scratch_loop(char *node, size_t size, const char *backing)
{
	struct loop_config config = { .info.lo_flags = LO_FLAGS_AUTOCLEAR | LO_FLAGS_PARTSCAN };
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	int file = open(backing, O_RDWR | O_CLOEXEC);
	bool made = false;

	/* Another test may take the free one first: then the next. */
	for (int tries = 0; control >= 0 && file >= 0 && loops < MOST && tries < 20 && !made;
	     tries++) {
		int number = ioctl(control, LOOP_CTL_GET_FREE);
		int fd;

		if (number < 0)
			break;
		(void)snprintf(node, size, "/dev/loop%d", number);
		fd = open(node, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		config.fd = (unsigned)file;
		made = ioctl(fd, LOOP_CONFIGURE, &config) == 0;
		if (made)
			loop_fd[loops++] = fd;
		else
			(void)close(fd);
	}
	if (control >= 0)
		(void)close(control);
	if (file >= 0)
		(void)close(file);
	return made;
}

int scratch_run(const char *program, ...)
{
	char *argv[16] = { strdup(program) };
	posix_spawn_file_actions_t quiet;
	int status = 127 << 8, n = 1;
	const char *arg;
	va_list ap;
	pid_t pid;

	va_start(ap, program);
	while (n < 15 && (arg = va_arg(ap, const char *)))
		argv[n++] = strdup(arg);
	va_end(ap);
	(void)posix_spawn_file_actions_init(&quiet);
	(void)posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
	(void)posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", O_WRONLY, 0);
	if (!posix_spawnp(&pid, program, &quiet, NULL, argv, environ))
		(void)waitpid(pid, &status, 0);
	(void)posix_spawn_file_actions_destroy(&quiet);
	for (int i = 0; i < n; i++)
		free(argv[i]);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}

bool scratch_mount(const char *device, const char *name)
{
	if (mounted == MOST)
		return false;
	(void)snprintf(mounts[mounted], sizeof(mounts[0]), "%s/%s", dir, name);
	if (mkdir(mounts[mounted], 0700) || mount(device, mounts[mounted], "ext4", 0, NULL))
		return false;
	mounted++;
	return true;
}
