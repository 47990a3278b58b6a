/* bounded_call(): what it gives back, and that nothing of a child that hangs keeps the caller.
 */
#include "support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/units.h"
#include "run/bounded.h"

struct data {
	int in, out;
	int fd;
};

static void twice(void *data)
{
	struct data *d = data;

	d->out = 2 * d->in;
}

static void hang(void *data)
{
	struct data *d = data;

	d->out = 7;
	for (;;)
		(void)pause();
}

static void die(void *data)
{
	(void)data;
	(void)raise(SIGKILL);
}

static void look_at_fd(void *data)
{
	struct data *d = data;

	d->out = write(d->fd, "x", 1) < 0 ? errno : 0;
}

static void gives_back(void **state)
{
	struct data d = { .in = 21 };

	(void)state;
	assert_int_equal(bounded_call(twice, &d, sizeof(d), 10 * SEC), 0);
	assert_int_equal(d.out, 42);
}

static void gives_up(void **state)
{
	struct data d = { .in = 21 };

	(void)state;
	assert_int_equal(bounded_call(hang, &d, sizeof(d), 20 * MSEC), -ETIMEDOUT);
	assert_int_equal(d.out, 0);
}

static void dies(void **state)
{
	struct data d = { .in = 21 };

	(void)state;
	assert_int_equal(bounded_call(die, &d, sizeof(d), 10 * SEC), -ECHILD);
	assert_int_equal(d.out, 0);
}

/* A child that is left behind must not keep a pipe of the caller's open. */
static void inherits_nothing(void **state)
{
	struct data d = { 0 };
	int pipes[2];

	(void)state;
	assert_int_equal(pipe(pipes), 0);
	d.fd = pipes[1];
	assert_int_equal(bounded_call(look_at_fd, &d, sizeof(d), 10 * SEC), 0);
	assert_int_equal(d.out, EBADF);
	close(pipes[0]);
	close(pipes[1]);
}

static void two_lines(void *arg, struct strlist *out)
{
	strlist_add(out, "one\nof two");
	strlist_addf(out, "%s", (const char *)arg);
}

static void lines_come_back(void **state)
{
	char text[] = "two";
	struct strlist out = { 0 };

	(void)state;
	strlist_add(&out, "zero");
	assert_int_equal(bounded_lines(two_lines, text, &out, 10 * SEC), 0);
	assert_int_equal(out.len, 3);
	assert_string_equal(out.item[1], "one\nof two");
	assert_string_equal(out.item[2], "two");
	strlist_fini(&out);
}

static void too_many(void *arg, struct strlist *out)
{
	(void)arg;
	for (int i = 0; i < 100000; i++)
		strlist_add(out, "0123456");
}

static void lines_are_limited(void **state)
{
	struct strlist out = { 0 };

	(void)state;
	assert_int_equal(bounded_lines(too_many, NULL, &out, 10 * SEC), 0);
	assert_int_equal(out.len, 64 * KIB / 8);
	assert_string_equal(out.item[out.len - 1], "0123456");
	strlist_fini(&out);
}

static int open_locked(void *data)
{
	int fd = open(data, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	return fd < 0 ? -errno : flock(fd, LOCK_EX | LOCK_NB) ? -EBUSY : fd;
}

static int open_and_hang(void *data)
{
	int fd = open(data, O_RDONLY | O_CLOEXEC);

	while (pause() < 0)
		;
	return fd;
}

/* The descriptor, and its lock, outlive the child that opened it. */
static void descriptors_come_back(void **state)
{
	char path[] = "/tmp/iosweep-bounded.XXXXXX";
	int made = mkstemp(path), fd, other;

	(void)state;
	assert_true(made >= 0);
	assert_int_equal(bounded_open(open_locked, path, sizeof(path), 10 * SEC), -EEXIST);
	assert_int_equal(close(made), 0);
	assert_int_equal(unlink(path), 0);
	fd = bounded_open(open_locked, path, sizeof(path), 10 * SEC);
	assert_true(fd >= 0);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	other = open(path, O_RDONLY | O_CLOEXEC);
	assert_int_equal(flock(other, LOCK_EX | LOCK_NB), -1);
	assert_int_equal(close(fd), 0);
	assert_int_equal(flock(other, LOCK_EX | LOCK_NB), 0);
	assert_int_equal(close(other), 0);
	assert_int_equal(bounded_open(open_and_hang, path, sizeof(path), 20 * MSEC),
	                 -ETIMEDOUT);
	assert_int_equal(unlink(path), 0);
}

static void wait_for_byte(void *data)
{
	struct data *d = data;
	char byte;

	d->out = (int)read(STDIN_FILENO, &byte, 1); /* /dev/null */
	(void)raise(SIGSTOP);
}

/* Asked again and again; goes on when it can. */
static void waits_in_steps(void **state)
{
	struct data d = { .in = 21, .out = 7 };
	struct bounded b;

	(void)state;
	assert_int_equal(bounded_start(&b, wait_for_byte, &d, sizeof(d)), 0);
	assert_int_equal(bounded_wait(&b, &d, 0), -ETIMEDOUT);
	assert_int_equal(bounded_wait(&b, &d, 20 * MSEC), -ETIMEDOUT);
	assert_int_equal(d.out, 7);
	while (bounded_wait(&b, &d, 10 * MSEC) == -ETIMEDOUT)
		(void)kill(b.child, SIGCONT);
	assert_int_equal(d.out, 0);
	bounded_abandon(&b);
	assert_int_equal(bounded_start(&b, hang, &d, sizeof(d)), 0);
	bounded_abandon(&b);
	bounded_abandon(&b);
	assert_null(b.area);
}

TEST_MAIN(cmocka_unit_test(lines_come_back), cmocka_unit_test(lines_are_limited),
          cmocka_unit_test(descriptors_come_back), cmocka_unit_test(gives_back),
          cmocka_unit_test(gives_up), cmocka_unit_test(dies),
          cmocka_unit_test(inherits_nothing), cmocka_unit_test(waits_in_steps))
