/* bounded_call(): what it gives back, and that nothing of a child that hangs keeps the caller. */
#include "support/test.h"

#include <errno.h>
#include <signal.h>
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

TEST_MAIN(cmocka_unit_test(gives_back), cmocka_unit_test(gives_up), cmocka_unit_test(dies),
          cmocka_unit_test(inherits_nothing))
