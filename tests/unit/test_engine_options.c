/* What a run may ask of an engine: rings of all kinds, what is registered, batches, polling;
 * and a mapping whose pages go away.
 * wrap: io_getevents */
#include "support/test.h"

#include <errno.h>
#include <libaio.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/units.h"
#include "support/engine_bench.h"

#define LOCKED (1024 * KIB)

static struct io **all_reads(struct engine_bench *b, struct io *ios[], unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		ios[i] = &b->io[i];
		b->io[i] = (struct io){ .slot = i,
			                .buf = b->mem + i * BLOCK,
			                .op = OP_READ,
			                .len = BLOCK,
			                .offset = i * BLOCK };
	}
	return ios;
}

/* Waiting for several gives that many, or ends at the deadline with those that there are. */
static void waiting_for_several(void **state)
{
	struct engine_bench *b = *state;
	struct io *ios[DEPTH], *done[DEPTH];

	for (uint64_t id = 0; id < ENGINE_COUNT; id++) {
		const struct engine_ops *ops = engine_ops(id);
		struct engine *eng;
		uint64_t deadline;

		if (!engine_usable(id) || !(ops->caps & ENGINE_ASYNC))
			continue;
		eng = engine_opened(b, ops, DEPTH);
		assert_int_equal(engine_submit(ops, eng, all_reads(b, ios, DEPTH), DEPTH),
		                 DEPTH);
		assert_int_equal(
		    engine_reap(ops, eng, done, DEPTH, DEPTH, clock_mono_ns() + 10 * SEC),
		    DEPTH);
		if (!(ops->caps & ENGINE_NO_TARGET)) {
			assert_int_equal(engine_submit(ops, eng, all_reads(b, ios, 3), 3), 3);
			deadline = clock_mono_ns() + 5 * MSEC;
			assert_int_equal(engine_reap(ops, eng, done, 8, DEPTH, deadline), 3);
			assert_true(clock_mono_ns() >= deadline);
		}
		engine_close(ops, eng);
	}
}

int __real_io_getevents(io_context_t ctx, long min, long max, struct io_event *ev,
                        struct timespec *ts);
int __wrap_io_getevents(io_context_t ctx, long min, long max, struct io_event *ev,
                        struct timespec *ts);

static unsigned getevents; /* calls */

int __wrap_io_getevents(io_context_t ctx, long min, long max, struct io_event *ev,
                        struct timespec *ts)
{
	getevents++;
	return __real_io_getevents(ctx, min, max, ev, ts);
}

/* A run whose submit makes its own system calls takes what is complete by such, too: one per
 * reap, not one more to see that there is nothing left. Buffered I/O is complete when it is
 * submitted. */
static void libaio_reaps_by_call_when_told(void **state)
{
	const struct engine_ops *ops = engine_ops(ENGINE_LIBAIO);
	struct engine_bench *b = *state;
	struct io *ios[DEPTH], *done[DEPTH];

	for (int now = 0; now < 2 && engine_usable(ENGINE_LIBAIO); now++) {
		struct engine *eng = engine_opened(b, ops, DEPTH);
		struct engine_run run = { .fds = &b->fd, .n = 1, .submit_now = now };
		char granted[320];

		assert_int_equal(engine_bind(ops, eng, &run, NULL), 0);
		assert_int_equal(engine_submit(ops, eng, all_reads(b, ios, 8), 8), 8);
		getevents = 0;
		assert_int_equal(engine_reap(ops, eng, done, 1, 1, UINT64_MAX), 1);
		assert_int_equal(getevents, now);
		assert_int_equal(engine_reap(ops, eng, done, 2, 4, UINT64_MAX), 4);
		assert_int_equal(getevents, 2 * now);
		assert_int_equal(engine_reap(ops, eng, done, 0, DEPTH, UINT64_MAX), 3);
		assert_int_equal(getevents, 3 * now);
		engine_describe(ops, eng, granted, sizeof(granted));
		assert_non_null(strstr(granted, now ? "reap=syscall" : "reap=user"));
		engine_close(ops, eng);
	}
}

/* A read of a pipe is complete when somebody writes to it, long after submit: who never waits
 * sees that all the same, whether submit or reap makes the system call. */
static void looking_without_waiting(void **state)
{
	const struct engine_ops *ops = engine_ops(ENGINE_IO_URING);
	struct engine_bench *b = *state;

	for (int mode = 0; mode < 4 && engine_usable(ENGINE_IO_URING); mode++) {
		struct engine_env env = { .depth = 4,
			                  .arena = b->mem,
			                  .arena_size = DEPTH * BLOCK,
			                  .sq_thread = mode & 2 };
		struct engine_run run = { .n = 1, .submit_now = mode & 1 };
		uint64_t end = clock_mono_ns() + 10 * SEC;
		struct io io = { .op = OP_READ, .len = 1, .buf = b->mem, .offset = UINT64_MAX };
		struct io *ios[] = { &io }, *done[4];
		struct engine *eng;
		int pipes[2], got;

		assert_int_equal(pipe(pipes), 0);
		run.fds = &pipes[0];
		assert_int_equal(engine_open(ops, &eng, &env, NULL), 0);
		assert_int_equal(engine_bind(ops, eng, &run, NULL), 0);
		assert_int_equal(engine_submit(ops, eng, ios, 1), 1);
		for (int i = 0; i < 3; i++)
			assert_int_equal(engine_reap(ops, eng, done, 0, 4, end), 0);
		assert_int_equal(write(pipes[1], "x", 1), 1);
		do
			got = engine_reap(ops, eng, done, 0, 4, end);
		while (!got && clock_mono_ns() < end);
		assert_int_equal(got, 1);
		assert_ptr_equal(done[0], &io);
		assert_int_equal(io.res, 1);
		engine_close(ops, eng);
		assert_int_equal(close(pipes[0]) | close(pipes[1]), 0);
	}
}

/* Each way of handing I/Os to the kernel that io_uring has. */
static void rings_of_all_kinds_do_the_same(void **state)
{
	static const struct {
		bool sq_thread;
		struct engine_run run;
		const char *granted;
	} cases[] = {
		{ false, { .submit_now = true }, "fixedbufs=0 registerfiles=0" },
		{ false, { .fixed_buffers = WISH_REQUIRED }, "fixedbufs=1 registerfiles=0" },
		{ false, { .fixed_files = WISH_REQUIRED }, "fixedbufs=0 registerfiles=1" },
		{ true,
		  { .fixed_buffers = WISH_REQUIRED, .fixed_files = WISH_REQUIRED },
		  "flags=sqpoll," },
	};
	const struct engine_ops *ops = engine_ops(ENGINE_IO_URING);
	struct engine_bench *b = *state;

	for (size_t c = 0; c < ARRAY_SIZE(cases) && engine_usable(ENGINE_IO_URING); c++) {
		struct engine_env env = { .depth = DEPTH,
			                  .arena = b->mem,
			                  .arena_size = DEPTH * BLOCK,
			                  .sq_thread = cases[c].sq_thread };
		struct engine_run run = cases[c].run;
		char granted[320];
		struct engine *eng;

		run.fds = &b->fd;
		run.n = 1;
		run.buffer_bytes = DEPTH * BLOCK;
		run.buffer_stride = BLOCK;
		assert_int_equal(engine_open(ops, &eng, &env, NULL), 0);
		for (unsigned i = 0; i < DEPTH; i++)
			b->io[i] = (struct io){ .slot = i, .buf = b->mem + i * BLOCK };
		for (unsigned turn = 0; turn < 3; turn++) {
			assert_int_equal(engine_bind(ops, eng, &run, NULL), 0);
			memset(b->mem, (int)(turn + c + 1), DEPTH * BLOCK);
			engine_transfer(b, ops, eng, OP_WRITE, turn * DEPTH);
			memset(b->mem, 0xff, DEPTH * BLOCK);
			engine_transfer(b, ops, eng, OP_READ, turn * DEPTH);
			for (unsigned i = 0; i < DEPTH * BLOCK; i++)
				assert_int_equal(b->mem[i], turn + c + 1);
			assert_int_equal(engine_one(ops, eng, &b->io[0], OP_SYNC, 0)->res, 0);
			engine_unbind(ops, eng);
		}
		engine_describe(ops, eng, granted, sizeof(granted));
		if (!strstr(granted, cases[c].granted))
			fail_msg("'%s' is not in '%s'", cases[c].granted, granted);
		engine_close(ops, eng);
	}
}

/* A descriptor that is closed after unbind must really be gone: here the end of a pipe. */
static void unbind_lets_go_of_the_file(void **state)
{
	const struct engine_ops *ops = engine_ops(ENGINE_IO_URING);
	struct engine_run run = { .n = 1, .fixed_files = WISH_REQUIRED };
	struct engine_bench *b = *state;
	struct engine *eng;
	struct pollfd end;
	int pipes[2];

	if (!engine_usable(ENGINE_IO_URING))
		skip();
	eng = engine_opened(b, ops, 4);
	assert_int_equal(pipe(pipes), 0);
	run.fds = &pipes[1];
	assert_int_equal(engine_bind(ops, eng, &run, NULL), 0);
	engine_unbind(ops, eng);
	assert_int_equal(close(pipes[1]), 0);
	end = (struct pollfd){ .fd = pipes[0] };
	assert_int_equal(poll(&end, 1, 10000), 1);
	assert_true(end.revents & POLLHUP);
	assert_int_equal(close(pipes[0]), 0);
	engine_close(ops, eng);
}

/* As a user who may lock next to nothing: with the wish only, the run goes on without. */
static int refused_buffers(const struct engine_bench *b)
{
	const struct engine_ops *ops = engine_ops(ENGINE_IO_URING);
	struct rlimit limit = { 128 * KIB, 128 * KIB };
	void *mem =
	    mmap(NULL, LOCKED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct engine_env env = { .depth = 4, .arena = mem, .arena_size = LOCKED };
	struct engine_run run = { .fds = &b->fd,
		                  .n = 1,
		                  .buffer_bytes = LOCKED,
		                  .buffer_stride = BLOCK,
		                  .fixed_buffers = WISH_IF_GRANTED };
	struct engine *eng;
	struct err e = { 0 };
	char granted[320];

	if (setrlimit(RLIMIT_MEMLOCK, &limit) || (geteuid() == 0 && setuid(65534)) ||
	    mem == MAP_FAILED || engine_open(ops, &eng, &env, &e))
		return 77;
	if (engine_bind(ops, eng, &run, &e))
		return 1;
	engine_describe(ops, eng, granted, sizeof(granted));
	if (!strstr(granted, " fixedbufs=0 (memlock) "))
		return 2;
	run.fixed_buffers = WISH_REQUIRED;
	if (engine_bind(ops, eng, &run, &e) != -ENOMEM ||
	    strcmp(e.text,
	           "io_uring: fixedbufs=1: Cannot allocate memory: locked memory is limited "
	           "to 128 KiB (ulimit -l)") != 0)
		return 3;
	run.buffer_bytes = 16 * KIB; /* a big one that was refused spoils no small one */
	return engine_bind(ops, eng, &run, &e) ? 4 : 0;
}

static void locked_memory_has_a_limit(void **state)
{
	const struct engine_bench *b = *state;
	int status = -1;
	pid_t child = fork();

	if (child == 0)
		_exit(refused_buffers(b));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* The engines that poll ask the kernel for it: a file system without gets its answer, at once
 * or per I/O. */
static void polling_is_asked_for(void **state)
{
	struct engine_bench *b = *state;

	for (uint64_t id = 0; id < ENGINE_COUNT; id++) {
		const struct engine_ops *ops = engine_ops(id);
		struct engine_env env = {
			.depth = 1, .arena = b->mem, .arena_size = BLOCK, .poll = true
		};
		struct engine_run run = { .fds = &b->fd, .n = 1 };
		char granted[320];
		struct engine *eng;
		int res;

		if (!engine_usable(id) || !(ops->caps & ENGINE_POLLS))
			continue;
		assert_int_equal(engine_open(ops, &eng, &env, NULL), 0);
		assert_int_equal(engine_bind(ops, eng, &run, NULL), 0);
		engine_describe(ops, eng, granted, sizeof(granted));
		assert_true(strstr(granted, "iopoll") || strstr(granted, "hipri=1"));
		b->io[0].buf = b->mem;
		res =
		    engine_one(ops, eng, &b->io[0], OP_READ, 0)->res; /* buffered: not polled */
		assert_true(res == BLOCK || res == -EOPNOTSUPP || res == -EINVAL);
		assert_true(engine_polls(ops, eng).all > 0);
		assert_true(engine_polls(ops, eng).empty <= engine_polls(ops, eng).all);
		assert_int_equal(engine_bind(ops, eng, &run, NULL), 0);
		assert_int_equal(engine_polls(ops, eng).all, 0);
		engine_close(ops, eng);
	}
}

/* A page that is not there any more is one failed I/O, not the end of the process. */
static void a_cut_file_under_a_mapping(void **state)
{
	const struct engine_ops *ops = engine_ops(ENGINE_MMAP);
	struct engine_bench *b = *state;
	struct engine *eng = engine_opened(b, ops, 1);

	assert_int_equal(engine_one(ops, eng, &b->io[0], OP_WRITE, 4 * BLOCK)->res, BLOCK);
	assert_int_equal(ftruncate(b->fd, 2 * BLOCK), 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(engine_one(ops, eng, &b->io[0], OP_READ, 4 * BLOCK)->res,
		                 -EIO);
		assert_int_equal(engine_one(ops, eng, &b->io[0], OP_WRITE, 8 * BLOCK)->res,
		                 -EIO);
		assert_int_equal(engine_one(ops, eng, &b->io[0], OP_READ, BLOCK)->res, BLOCK);
	}
	assert_int_equal(engine_one(ops, eng, &b->io[0], OP_SYNC, 0)->res, 0);
	engine_close(ops, eng);
	assert_int_equal(ftruncate(b->fd, 0), 0);
	eng = NULL;
	{
		struct engine_env env = { .depth = 1, .arena = b->mem, .arena_size = BLOCK };
		struct engine_run run = { .fds = &b->fd, .n = 1 };
		struct err e = { 0 };

		assert_int_equal(engine_open(ops, &eng, &env, &e), 0);
		assert_int_equal(engine_bind(ops, eng, &run, &e), -ENODATA);
		assert_string_equal(e.text, "mmap: size of the target: No data available");
		engine_close(ops, eng);
	}
}

#define ON_FILE(fn) cmocka_unit_test_setup_teardown(fn, engine_setup, engine_teardown)

TEST_MAIN(ON_FILE(waiting_for_several), ON_FILE(looking_without_waiting),
          ON_FILE(libaio_reaps_by_call_when_told), ON_FILE(rings_of_all_kinds_do_the_same),
          ON_FILE(unbind_lets_go_of_the_file), ON_FILE(locked_memory_has_a_limit),
          ON_FILE(polling_is_asked_for), ON_FILE(a_cut_file_under_a_mapping))
