#include "cmd/plot_draw.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/text.h"
#include "sink/output.h"

#define SCRIPT  "plot.gp"
#define MISSING "gnuplot is not installed (Debian: apt-get install gnuplot-nox)"

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

static bool on_path(const char *program)
{
	const char *path = getenv("PATH");

	for (const char *p = path ? path : "/usr/bin:/bin"; *p;
	     p += strcspn(p, ":"), p += *p == ':') {
		AUTO(text_fini) struct text file = { 0 };

		text_addn(&file, p, strcspn(p, ":"));
		text_addf(&file, "%s%s", file.len ? "/" : "./", program);
		if (!access(text_get(&file), X_OK))
			return true;
	}
	return false;
}

int plot_ready(struct err *e)
{
	char script[PATH_MAX];

	return on_path("gnuplot") ? find_script(script, sizeof(script), e)
	                          : err_set(e, -ENOENT, MISSING);
}

/* The environment, but for a locale in which texts are UTF-8 and numbers have a point: gnuplot
 * counts characters by it, and warns of any other. The caller frees the array alone. */
static char **utf8_environment(void)
{
	static char locale[] = "LC_ALL=C.UTF-8";
	size_t n = 0, kept = 0;
	char **env;

	while (environ[n])
		n++;
	env = xcalloc(n + 2, sizeof(*env));
	for (size_t i = 0; i < n; i++)
		if (strncmp(environ[i], "LC_ALL=", 7) != 0)
			env[kept++] = environ[i];
	env[kept] = locale;
	return env;
}

/* No shell: names are arguments, whatever is in them. What gnuplot says goes to stderr. */
static int run_gnuplot(const char *script, const char *data, const char *picture, int out,
                       struct err *e)
{
	char *argv[] = { strdupa("gnuplot"), strdupa("-d"),    strdupa("-c"), strdupa(script),
		         strdupa(data),      strdupa(picture), NULL };
	AUTO(freep) char **env = utf8_environment();
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t as_usual;
	sigset_t none, usual;
	int r, status;
	pid_t pid;

	/* A sweep blocks the signals that end it, and ignores a reader that went. */
	(void)sigemptyset(&none);
	(void)sigemptyset(&usual);
	(void)sigaddset(&usual, SIGPIPE);
	(void)posix_spawnattr_init(&as_usual);
	(void)posix_spawnattr_setsigmask(&as_usual, &none);
	(void)posix_spawnattr_setsigdefault(&as_usual, &usual);
	(void)posix_spawnattr_setflags(&as_usual,
	                               POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

	(void)posix_spawn_file_actions_init(&actions);
	if (out >= 0)
		(void)posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	r = posix_spawnp(&pid, "gnuplot", &actions, &as_usual, argv, env);
	(void)posix_spawnattr_destroy(&as_usual);
	(void)posix_spawn_file_actions_destroy(&actions);
	if (r == ENOENT)
		return err_set(e, -ENOENT, MISSING);
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
	FILE *out;
	int fd, r;

	if (f->keep) {
		if (asprintf(&f->data, "%s.data", picture) < 0)
			return err_set(e, -ENOMEM, "out of memory");
		return output_file(f->data, write_data, d, e);
	}
	fd = output_temporary(&f->data, "", e);
	if (fd < 0)
		return fd;
	out = fdopen(fd, "w");
	if (!out) {
		(void)close(fd);
		return err_set(e, -errno, "%s: %s", f->data, err_name(errno));
	}
	r = write_data(out, d, e);
	if (fclose(out) && !r)
		r = err_set(e, -errno, "%s: %s", f->data, err_name(errno));
	return r;
}

static int copy_script(FILE *out, void *arg, struct err *e)
{
	return file_copy(out, arg, e);
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

/* What stands around a picture: in the terminal it follows. */
static void print_words(const struct plot_data *d)
{
	const char *const words[] = { d->subtitle, d->note, d->footer };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		char safe[1024];

		text_printable(safe, sizeof(safe), words[i] ? words[i] : "");
		if (*safe)
			puts(safe);
	}
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
	if (!r && !strcmp(picture, "-"))
		print_words(d);
	if (f.data && !f.keep)
		(void)unlink(f.data);
	free(f.data);
	return r;
}
