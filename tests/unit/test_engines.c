/* Every engine of the table against one contract, on a temporary file. */
#include "support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "engine/engine.h"
#include "support/engine_bench.h"

static void what_is_written_is_read_back(void **state)
{
	struct engine_bench *b = *state;

	for (uint64_t id = 0; id < ENGINE_COUNT; id++) {
		const struct engine_ops *ops = engine_ops(id);
		struct engine *eng;

		if (!engine_usable(id))
			continue;
		eng = engine_opened(b, ops, DEPTH);
		for (unsigned first = 0; first < BLOCKS; first += DEPTH) {
			for (unsigned i = 0; i < DEPTH; i++)
				memset(b->mem + i * BLOCK, (int)(first + i + id), BLOCK);
			engine_transfer(b, ops, eng, OP_WRITE, first);
		}
		memset(b->mem, 0xff, DEPTH * BLOCK);
		for (unsigned first = 0; first < BLOCKS; first += DEPTH) {
			engine_transfer(b, ops, eng, OP_READ, first);
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

static void sync_works_on_every_engine(void **state)
{
	struct engine_bench *b = *state;

	for (uint64_t id = 0; id < ENGINE_COUNT; id++) {
		struct engine *eng;

		if (!engine_usable(id))
			continue;
		eng = engine_opened(b, engine_ops(id), 1);
		for (int i = 0; i < 3; i++)
			assert_int_equal(
			    engine_one(engine_ops(id), eng, &b->io[0], OP_SYNC, 0)->res, 0);
		engine_close(engine_ops(id), eng);
	}
}

static void failures_come_back_as_errno(void **state)
{
	struct engine_bench *b = *state;
	AUTO(closep) int readonly = open(b->path, O_RDONLY | O_CLOEXEC);
	struct engine_run run = { .fds = &readonly, .n = 1 };

	assert_true(readonly >= 0);
	for (uint64_t id = 0; id < ENGINE_COUNT; id++) {
		const struct engine_ops *ops = engine_ops(id);
		struct engine *eng;

		if (!engine_usable(id) || ops->caps & ENGINE_NO_TARGET)
			continue;
		eng = engine_opened(b, ops, 4);
		assert_int_equal(engine_bind(ops, eng, &run, NULL), 0);
		assert_int_equal(engine_one(ops, eng, &b->io[0], OP_WRITE, 0)->res, -EBADF);
		assert_int_equal(engine_one(ops, eng, &b->io[1], OP_READ, BLOCKS * BLOCK)->res,
		                 0);
		assert_int_equal(engine_one(ops, eng, &b->io[2], OP_READ, 0)->res, BLOCK);
		assert_true(engine_one(ops, eng, &b->io[3], OP_TRIM, 0)->res < 0);
		assert_int_equal(engine_one(ops, eng, &b->io[2], OP_READ, 0)->res, BLOCK);
		engine_close(ops, eng);
	}
}

/* With nothing to come back, reap of an asynchronous engine ends at its deadline, and not
 * before. */
static void waiting_ends_at_the_deadline(void **state)
{
	struct engine_bench *b = *state;

	for (uint64_t id = 0; id < ENGINE_COUNT; id++) {
		const struct engine_ops *ops = engine_ops(id);
		struct io *done[1];
		struct engine *eng;

		if (!engine_usable(id) || !(ops->caps & ENGINE_ASYNC) ||
		    ops->caps & ENGINE_NO_TARGET)
			continue;
		eng = engine_opened(b, ops, 4);
		for (int i = 0; i < 3; i++) {
			uint64_t deadline =
			    clock_mono_ns() + (uint64_t)(i == 1 ? 3 : 10) * MSEC;

			assert_int_equal(engine_reap(ops, eng, done, 1, 1, deadline), 0);
			assert_true(clock_mono_ns() >= deadline);
			assert_int_equal(
			    engine_reap(ops, eng, done, 0, 1, deadline + 3600 * SEC), 0);
		}
		assert_int_equal(engine_one(ops, eng, &b->io[0], OP_READ, 0)->res, BLOCK);
		engine_close(ops, eng);
	}
}

static void limits_are_named(void **state)
{
	struct engine_bench *b = *state;
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
	if (parse_u64(text, &max) || max >= 100000 || !engine_usable(ENGINE_LIBAIO))
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
	if (access("/proc/sys/kernel/io_uring_disabled", R_OK) == 0 &&
	    engine_usable(ENGINE_IO_URING))
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

#define ON_FILE(fn) cmocka_unit_test_setup_teardown(fn, engine_setup, engine_teardown)

TEST_MAIN(ON_FILE(what_is_written_is_read_back), ON_FILE(sync_works_on_every_engine),
          ON_FILE(failures_come_back_as_errno), ON_FILE(waiting_ends_at_the_deadline),
          ON_FILE(limits_are_named), cmocka_unit_test(refusals_name_their_reason),
          cmocka_unit_test(the_table_is_complete))
