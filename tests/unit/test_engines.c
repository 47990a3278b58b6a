/* Every engine of the table against one contract, on a temporary file. */
#include "support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "engine/engine.h"

#define BLOCK  4096u
#define BLOCKS 256u
#define DEPTH  32u

struct bench {
	char path[64];
	int fd;
	uint8_t *mem;
	struct io io[DEPTH];
};

static int setup(void **state)
{
	struct bench *b = xcalloc(1, sizeof(*b));

	memcpy(b->path, "/tmp/iosweep-engines.XXXXXX", 28);
	b->fd = mkstemp(b->path);
	b->mem = aligned_alloc(BLOCK, DEPTH * BLOCK);
	*state = b;
	return b->fd < 0 || !b->mem || ftruncate(b->fd, BLOCKS * BLOCK) ? -1 : 0;
}

static int teardown(void **state)
{
	struct bench *b = *state;

	(void)close(b->fd);
	(void)unlink(b->path);
	free(b->mem);
	free(b);
	return 0;
}

static bool usable(uint64_t id)
{
	struct err e = { 0 };

	if (!engine_ops(id)->probe(&e))
		return true;
	print_message("%s: not usable here: %s\n", engine_name(id), e.text);
	return false;
}

static struct engine *open_engine(struct bench *b, const struct engine_ops *ops, unsigned depth)
{
	struct engine_env env = { .depth = depth,
		                  .arena = b->mem,
		                  .arena_size = DEPTH * BLOCK };
	struct engine_run run = { .fds = &b->fd, .n = 1 };
	struct engine *eng;
	struct err e = { 0 };

	if (engine_open(ops, &eng, &env, &e))
		fail_msg("%s: %s", ops->name, e.text);
	assert_int_equal(engine_bind(ops, eng, &run, &e), 0);
	for (unsigned i = 0; i < DEPTH; i++)
		b->io[i] = (struct io){ .slot = i, .buf = b->mem + i * BLOCK };
	return eng;
}

/* Submit all n and wait for all; how many came back. */
static unsigned do_all(const struct engine_ops *ops, struct engine *eng, struct io *ios[],
                       unsigned n)
{
	struct io *done[DEPTH];
	unsigned sent = 0, got = 0;

	for (int turn = 0; turn < 10000 && got < n; turn++) {
		int r = sent < n ? engine_submit(ops, eng, ios + sent, n - sent) : 0;

		assert_true(r >= 0 || r == -EAGAIN);
		sent += r > 0 ? (unsigned)r : 0;
		r = engine_reap(ops, eng, done, sent > got, DEPTH, clock_mono_ns() + 10 * SEC);
		assert_true(r >= 0);
		got += (unsigned)r;
		for (int i = 0; i < r; i++)
			done[i]->start++; /* seen */
	}
	for (unsigned i = 0; i < n; i++)
		assert_int_equal(ios[i]->start, 1);
	return got;
}

static void transfer(struct bench *b, const struct engine_ops *ops, struct engine *eng,
                     enum op op, unsigned first)
{
	unsigned depth = ops->caps & ENGINE_ASYNC ? DEPTH : 1;

	for (unsigned at = 0; at < DEPTH; at += depth) {
		struct io *ios[DEPTH];

		for (unsigned i = 0; i < depth; i++) {
			ios[i] = &b->io[at + i];
			ios[i]->slot = i;
			ios[i]->op = (uint8_t)op;
			ios[i]->len = BLOCK;
			ios[i]->offset = (uint64_t)(first + at + i) * BLOCK;
			ios[i]->start = 0;
			ios[i]->res = 0;
		}
		assert_int_equal(do_all(ops, eng, ios, depth), depth);
		for (unsigned i = 0; i < depth; i++)
			assert_int_equal(ios[i]->res, BLOCK);
	}
}

static void what_is_written_is_read_back(void **state)
{
	struct bench *b = *state;

	for (uint64_t id = 0; id < ENGINE_COUNT; id++) {
		const struct engine_ops *ops = engine_ops(id);
		struct engine *eng;

		if (!usable(id))
			continue;
		eng = open_engine(b, ops, DEPTH);
		for (unsigned first = 0; first < BLOCKS; first += DEPTH) {
			for (unsigned i = 0; i < DEPTH; i++)
				memset(b->mem + i * BLOCK, (int)(first + i + id), BLOCK);
			transfer(b, ops, eng, OP_WRITE, first);
		}
		memset(b->mem, 0xff, DEPTH * BLOCK);
		for (unsigned first = 0; first < BLOCKS; first += DEPTH) {
			transfer(b, ops, eng, OP_READ, first);
			for (unsigned i = 0; i < DEPTH && !(ops->caps & ENGINE_NO_TARGET);
			     i++) {
				assert_int_equal(b->mem[i * BLOCK], (uint8_t)(first + i + id));
				assert_memory_equal(b->mem + i * BLOCK, b->mem + i * BLOCK + 1,
				                    BLOCK - 1);
			}
		}
		engine_close(ops, eng);
	}
}

static struct io *one(const struct engine_ops *ops, struct engine *eng, struct io *io,
                      enum op op, uint64_t offset)
{
	io->op = (uint8_t)op;
	io->offset = offset;
	io->len = op == OP_SYNC ? 0 : BLOCK;
	io->start = 0;
	io->slot = 0;
	assert_int_equal(do_all(ops, eng, &io, 1), 1);
	return io;
}

static void sync_works_on_every_engine(void **state)
{
	struct bench *b = *state;

	for (uint64_t id = 0; id < ENGINE_COUNT; id++) {
		struct engine *eng;

		if (!usable(id))
			continue;
		eng = open_engine(b, engine_ops(id), 1);
		for (int i = 0; i < 3; i++)
			assert_int_equal(one(engine_ops(id), eng, &b->io[0], OP_SYNC, 0)->res,
			                 0);
		engine_close(engine_ops(id), eng);
	}
}

static void failures_come_back_as_errno(void **state)
{
	struct bench *b = *state;
	AUTO(closep) int readonly = open(b->path, O_RDONLY | O_CLOEXEC);
	struct engine_run run = { .fds = &readonly, .n = 1 };

	assert_true(readonly >= 0);
	for (uint64_t id = 0; id < ENGINE_COUNT; id++) {
		const struct engine_ops *ops = engine_ops(id);
		struct engine *eng;

		if (!usable(id) || ops->caps & ENGINE_NO_TARGET)
			continue;
		eng = open_engine(b, ops, 4);
		assert_int_equal(engine_bind(ops, eng, &run, NULL), 0);
		assert_int_equal(one(ops, eng, &b->io[0], OP_WRITE, 0)->res, -EBADF);
		assert_int_equal(one(ops, eng, &b->io[1], OP_READ, BLOCKS * BLOCK)->res, 0);
		assert_int_equal(one(ops, eng, &b->io[2], OP_READ, 0)->res, BLOCK);
		assert_true(one(ops, eng, &b->io[3], OP_TRIM, 0)->res < 0);
		assert_int_equal(one(ops, eng, &b->io[2], OP_READ, 0)->res, BLOCK);
		engine_close(ops, eng);
	}
}

/* With nothing to come back, reap of an asynchronous engine ends at its deadline, and not
 * before. */
static void waiting_ends_at_the_deadline(void **state)
{
	struct bench *b = *state;

	for (uint64_t id = 0; id < ENGINE_COUNT; id++) {
		const struct engine_ops *ops = engine_ops(id);
		struct io *done[1];
		struct engine *eng;

		if (!usable(id) || !(ops->caps & ENGINE_ASYNC) || ops->caps & ENGINE_NO_TARGET)
			continue;
		eng = open_engine(b, ops, 4);
		for (int i = 0; i < 3; i++) {
			uint64_t deadline =
			    clock_mono_ns() + (uint64_t)(i == 1 ? 3 : 10) * MSEC;

			assert_int_equal(engine_reap(ops, eng, done, 1, 1, deadline), 0);
			assert_true(clock_mono_ns() >= deadline);
			assert_int_equal(
			    engine_reap(ops, eng, done, 0, 1, deadline + 3600 * SEC), 0);
		}
		assert_int_equal(one(ops, eng, &b->io[0], OP_READ, 0)->res, BLOCK);
		engine_close(ops, eng);
	}
}

static struct io **all_reads(struct bench *b, struct io *ios[], unsigned n)
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
	struct bench *b = *state;
	struct io *ios[DEPTH], *done[DEPTH];

	for (uint64_t id = 0; id < ENGINE_COUNT; id++) {
		const struct engine_ops *ops = engine_ops(id);
		struct engine *eng;
		uint64_t deadline;

		if (!usable(id) || !(ops->caps & ENGINE_ASYNC))
			continue;
		eng = open_engine(b, ops, DEPTH);
		assert_int_equal(engine_submit(ops, eng, all_reads(b, ios, DEPTH), DEPTH), DEPTH);
		assert_int_equal(
		    engine_reap(ops, eng, done, DEPTH, DEPTH, clock_mono_ns() + 10 * SEC), DEPTH);
		if (!(ops->caps & ENGINE_NO_TARGET)) {
			assert_int_equal(engine_submit(ops, eng, all_reads(b, ios, 3), 3), 3);
			deadline = clock_mono_ns() + 5 * MSEC;
			assert_int_equal(engine_reap(ops, eng, done, 8, DEPTH, deadline), 3);
			assert_true(clock_mono_ns() >= deadline);
		}
		engine_close(ops, eng);
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
		{ true, { .fixed_buffers = WISH_REQUIRED, .fixed_files = WISH_REQUIRED },
		  "flags=sqpoll," },
	};
	const struct engine_ops *ops = engine_ops(ENGINE_IO_URING);
	struct bench *b = *state;

	for (size_t c = 0; c < ARRAY_SIZE(cases) && usable(ENGINE_IO_URING); c++) {
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
			transfer(b, ops, eng, OP_WRITE, turn * DEPTH);
			memset(b->mem, 0xff, DEPTH * BLOCK);
			transfer(b, ops, eng, OP_READ, turn * DEPTH);
			for (unsigned i = 0; i < DEPTH * BLOCK; i++)
				assert_int_equal(b->mem[i], turn + c + 1);
			assert_int_equal(one(ops, eng, &b->io[0], OP_SYNC, 0)->res, 0);
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
	struct bench *b = *state;
	struct engine *eng;
	struct pollfd end;
	int pipes[2];

	if (!usable(ENGINE_IO_URING))
		skip();
	eng = open_engine(b, ops, 4);
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

#define LOCKED (1024 * KIB)

/* As a user who may lock next to nothing: with the wish only, the run goes on without. */
static int refused_buffers(const struct bench *b)
{
	const struct engine_ops *ops = engine_ops(ENGINE_IO_URING);
	struct rlimit limit = { 128 * KIB, 128 * KIB };
	void *mem = mmap(NULL, LOCKED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
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
	    strcmp(e.text, "io_uring: fixedbufs=1: Cannot allocate memory: locked memory is limited "
	                   "to 128 KiB (ulimit -l)") != 0)
		return 3;
	run.buffer_bytes = 16 * KIB; /* a big one that was refused spoils no small one */
	return engine_bind(ops, eng, &run, &e) ? 4 : 0;
}

static void locked_memory_has_a_limit(void **state)
{
	const struct bench *b = *state;
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

/* The engines that poll ask the kernel for it: a file system without gets its answer, at once or
 * per I/O. */
static void polling_is_asked_for(void **state)
{
	struct bench *b = *state;

	for (uint64_t id = 0; id < ENGINE_COUNT; id++) {
		const struct engine_ops *ops = engine_ops(id);
		struct engine_env env = { .depth = 1, .arena = b->mem, .arena_size = BLOCK, .poll = true };
		struct engine_run run = { .fds = &b->fd, .n = 1 };
		char granted[320];
		struct engine *eng;
		int res;

		if (!usable(id) || !(ops->caps & ENGINE_POLLS))
			continue;
		assert_int_equal(engine_open(ops, &eng, &env, NULL), 0);
		assert_int_equal(engine_bind(ops, eng, &run, NULL), 0);
		engine_describe(ops, eng, granted, sizeof(granted));
		assert_true(strstr(granted, "iopoll") || strstr(granted, "hipri=1"));
		b->io[0].buf = b->mem;
		res = one(ops, eng, &b->io[0], OP_READ, 0)->res; /* buffered: not polled */
		assert_true(res == BLOCK || res == -EOPNOTSUPP || res == -EINVAL);
		engine_close(ops, eng);
	}
}

/* A page that is not there any more is one failed I/O, not the end of the process. */
static void a_cut_file_under_a_mapping(void **state)
{
	const struct engine_ops *ops = engine_ops(ENGINE_MMAP);
	struct bench *b = *state;
	struct engine *eng = open_engine(b, ops, 1);

	assert_int_equal(one(ops, eng, &b->io[0], OP_WRITE, 4 * BLOCK)->res, BLOCK);
	assert_int_equal(ftruncate(b->fd, 2 * BLOCK), 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(one(ops, eng, &b->io[0], OP_READ, 4 * BLOCK)->res, -EIO);
		assert_int_equal(one(ops, eng, &b->io[0], OP_WRITE, 8 * BLOCK)->res, -EIO);
		assert_int_equal(one(ops, eng, &b->io[0], OP_READ, BLOCK)->res, BLOCK);
	}
	assert_int_equal(one(ops, eng, &b->io[0], OP_SYNC, 0)->res, 0);
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

static void limits_are_named(void **state)
{
	struct bench *b = *state;
	struct engine_env env = { .depth = 100000, .arena = b->mem, .arena_size = BLOCK };
	struct engine *eng;
	struct err e = { 0 };
	uint64_t max = 0;
	char text[32] = "";
	AUTO(fclosep) FILE *f = fopen("/proc/sys/fs/aio-max-nr", "re");

	assert_int_equal(engine_open(engine_ops(ENGINE_IO_URING), &eng, &env, &e), -EINVAL);
	assert_string_equal(e.text,
	                    "io_uring: iodepth 100000 is above the kernel's limit of 32768");
	if (!f || !fgets(text, sizeof(text), f))
		return;
	text[strcspn(text, "\n")] = '\0';
	if (parse_u64(text, &max) || max >= 100000 || !usable(ENGINE_LIBAIO))
		return;
	e = (struct err){ 0 };
	assert_int_equal(engine_open(engine_ops(ENGINE_LIBAIO), &eng, &env, &e), -EAGAIN);
	assert_non_null(strstr(
	    e.text,
	    "io_setup: Resource temporarily unavailable: 100000 events needed by this job, "
	    "fs.aio-nr="));
	assert_non_null(strstr(e.text, text));
}

/* In a child: let this system call fail, then probe. The exit code says whether the text is the
 * one wanted. */
static int probe_without(long call, int error, uint64_t id, const char *want)
{
	const struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0), /* offset of nr in struct seccomp_data */
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog filter = { .len = ARRAY_SIZE(code),
		                           .filter = (struct sock_filter *)(uintptr_t)code };
	struct err e = { 0 };
	int status = -1;
	pid_t child = fork();

	if (child == 0) {
		if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
		    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
			_exit(77);
		_exit(engine_ops(id)->probe(&e) == -error && strstr(e.text, want) ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void refusals_name_their_reason(void **state)
{
	static const struct {
		long call;
		int error;
		uint64_t engine;
		const char *text;
	} cases[] = {
		{ SYS_io_uring_setup, EPERM, ENGINE_IO_URING,
		  "io_uring: Operation not permitted: " },
		{ SYS_io_uring_setup, ENOSYS, ENGINE_IO_URING,
		  "io_uring: Function not implemented: not in this kernel, or blocked by "
		  "seccomp" },
		{ SYS_io_uring_setup, ENOMEM, ENGINE_IO_URING,
		  "io_uring: Cannot allocate memory: locked memory is limited to " },
		{ SYS_io_setup, ENOSYS, ENGINE_LIBAIO,
		  "libaio: io_setup: Function not implemented: not in this kernel, or blocked "
		  "by seccomp" },
		{ SYS_io_setup, EAGAIN, ENGINE_LIBAIO,
		  "libaio: io_setup: Resource temporarily unavailable: 1 events needed by this "
		  "job, fs.aio-nr=" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int r = probe_without(cases[i].call, cases[i].error, cases[i].engine,
		                      cases[i].text);

		if (r == 77)
			skip();
		assert_int_equal(r, 0);
	}
	if (access("/proc/sys/kernel/io_uring_disabled", R_OK) == 0 && usable(ENGINE_IO_URING))
		assert_int_equal(
		    probe_without(
			SYS_io_uring_setup, EPERM, ENGINE_IO_URING,
			"Operation not permitted: blocked by seccomp (container default?)"),
		    0);
}

static void the_table_is_complete(void **state)
{
	(void)state;
	for (uint64_t id = 0; id < ENGINE_COUNT; id++) {
		const struct engine_ops *ops = engine_ops(id);

		assert_string_equal(engine_name(id), ops->name);
		assert_true(ops->help && ops->help[0]);
		assert_true(ops->probe && ops->open && ops->submit && ops->reap && ops->close);
	}
	assert_null(engine_ops(ENGINE_COUNT));
	assert_null(engine_name(ENGINE_COUNT));
	assert_string_equal(op_name(OP_SYNC), "sync");
	assert_null(op_name(OP_COUNT));
}

#define ON_FILE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

TEST_MAIN(ON_FILE(what_is_written_is_read_back), ON_FILE(sync_works_on_every_engine),
          ON_FILE(waiting_for_several), ON_FILE(rings_of_all_kinds_do_the_same),
          ON_FILE(unbind_lets_go_of_the_file), ON_FILE(locked_memory_has_a_limit),
          ON_FILE(polling_is_asked_for), ON_FILE(a_cut_file_under_a_mapping),
          ON_FILE(failures_come_back_as_errno), ON_FILE(waiting_ends_at_the_deadline),
          ON_FILE(limits_are_named), cmocka_unit_test(refusals_name_their_reason),
          cmocka_unit_test(the_table_is_complete))
