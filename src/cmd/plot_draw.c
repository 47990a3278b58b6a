#include "cmd/plot_draw.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "sink/output.h"

#define SCRIPT "plot.gp"

extern char **environ;

struct plot_files {
	char script[PATH_MAX];
	char *data; /* what the script reads */
	bool keep;
};

/* Beside the program in its source tree, or where `make install` put it. */
static int find_script(char *out, size_t size, struct err *e)
{
	static const char *const places[] = { "/../../scripts/" SCRIPT,
		                              "/../share/iosweep/scripts/" SCRIPT,
		                              "/../scripts/" SCRIPT };
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n <= 0)
		return err_set(e, -errno, "/proc/self/exe: %s", err_name(errno));
	self[n] = '\0';
	*strrchr(self, '/') = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		(void)snprintf(out, size, "%.3000s%s", self, places[i]);
		if (!access(out, R_OK))
			return 0;
	}
	return err_set(e, -ENOENT, "%s is not installed with iosweep", SCRIPT);
}

/* No shell: names are arguments, whatever is in them. What gnuplot says goes to stderr. */
static int run_gnuplot(const char *script, const char *data, const char *picture, int out,
                       struct err *e)
{
	char *argv[] = { strdupa("gnuplot"), strdupa("-d"),    strdupa("-c"), strdupa(script),
		         strdupa(data),      strdupa(picture), NULL };
	posix_spawn_file_actions_t actions;
	int r, status;
	pid_t pid;

	(void)posix_spawn_file_actions_init(&actions);
	if (out >= 0)
		(void)posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	r = posix_spawnp(&pid, "gnuplot", &actions, NULL, argv, environ);
	(void)posix_spawn_file_actions_destroy(&actions);
	if (r == ENOENT)
		return err_set(e, -ENOENT,
		               "gnuplot is not installed (Debian: apt-get install "
		               "gnuplot-nox); --keep leaves data and script");
	if (r)
		return err_set(e, -r, "gnuplot: %s", err_name(r));
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	return err_set(e, -EIO, "gnuplot failed");
}

static int write_data(FILE *out, void *arg, struct err *e)
{
	int r = plot_write(out, arg);

	return r ? err_set(e, r, "write: %s", err_name(-r)) : 0;
}

/* The data beside the picture under its name when they are to be kept, else in a file of our
 * own. */
static int make_data(struct plot_files *f, struct plot_data *d, const char *picture,
                     struct err *e)
{
	const char *dir = getenv("TMPDIR");
	FILE *out;
	int fd, r;

	if (f->keep) {
		if (asprintf(&f->data, "%s.data", picture) < 0)
			return err_set(e, -ENOMEM, "out of memory");
		return output_file(f->data, write_data, d, e);
	}
	if (asprintf(&f->data, "%s/iosweep.XXXXXX", dir && *dir ? dir : "/tmp") < 0)
		return err_set(e, -ENOMEM, "out of memory");
	fd = mkostemp(f->data, O_CLOEXEC);
	out = fd < 0 ? NULL : fdopen(fd, "w");
	if (!out)
		return err_set(e, -errno, "%s: %s", f->data, err_name(errno));
	r = write_data(out, d, e);
	if (fclose(out) && !r)
		r = err_set(e, -errno, "%s: %s", f->data, err_name(errno));
	return r;
}

static int copy_script(FILE *out, void *arg, struct err *e)
{
	char buf[65536];
	FILE *in = fopen(arg, "re");
	size_t n;

	if (!in)
		return err_set(e, -errno, "%s: %s", (const char *)arg, err_name(errno));
	while ((n = fread(buf, 1, sizeof(buf), in)) > 0)
		(void)fwrite(buf, 1, n, out);
	(void)fclose(in);
	return 0;
}

static int keep_script(const struct plot_files *f, const char *picture, struct err *e)
{
	AUTO(freep) char *to = NULL;
	char from[PATH_MAX];

	(void)snprintf(from, sizeof(from), "%s", f->script);
	if (asprintf(&to, "%s.gp", picture) < 0)
		return err_set(e, -ENOMEM, "out of memory");
	return output_file(to, copy_script, from, e);
}

/* gnuplot writes by name only, and its name must mean no pipe: a new file of ours, then moved
 * as a whole. */
static int draw(const struct plot_files *f, const char *picture, struct err *e)
{
	AUTO(freep) char *part = NULL;
	const char *dot = strrchr(picture, '.');
	int r, fd;

	if (!strcmp(picture, "-"))
		return run_gnuplot(f->script, f->data, ".txt", -1, e);
	if (asprintf(&part, "%s%s.XXXXXX%s", *picture == '/' ? "" : "./", picture, dot) < 0)
		return err_set(e, -ENOMEM, "out of memory");
	fd = mkostemps(part, (int)strlen(dot), O_CLOEXEC);
	if (fd < 0)
		return err_set(e, -errno, "%s: %s", picture, err_name(errno));
	(void)fchmod(fd, 0644);
	(void)close(fd);
	r = run_gnuplot(f->script, f->data, part, -1, e);
	if (!r && rename(part, picture))
		r = err_set(e, -errno, "%s: %s", picture, err_name(errno));
	if (r)
		(void)unlink(part);
	return r;
}

int plot_draw(struct plot_data *d, const char *picture, bool keep, struct err *e)
{
	struct plot_files f = { .keep = keep && strcmp(picture, "-") != 0 };
	int r = find_script(f.script, sizeof(f.script), e);

	if (!r)
		r = make_data(&f, d, picture, e);
	if (!r && f.keep)
		r = keep_script(&f, picture, e);
	if (!r)
		r = draw(&f, picture, e);
	if (f.data && !f.keep)
		(void)unlink(f.data);
	free(f.data);
	return r;
}
