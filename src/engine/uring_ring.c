#include "engine/uring_ring.h"

#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>

#include "base/cleanup.h"
#include "engine/uring_compat.h"

#define SQ_IDLE_MS    1000u /* a submission thread without work goes to sleep after this */
#define PROBE_ENTRIES 8u

/* The best first; a kernel that does not know a flag answers EINVAL. A submission thread runs
 * completions by itself. */
static const struct {
	unsigned flags;
	bool sq_thread;
} ladder[] = {
	{ IORING_SETUP_SUBMIT_ALL | IORING_SETUP_COOP_TASKRUN | IORING_SETUP_SINGLE_ISSUER |
	      IORING_SETUP_DEFER_TASKRUN,
	  false },
	{ IORING_SETUP_SUBMIT_ALL | IORING_SETUP_SINGLE_ISSUER, true },
	{ IORING_SETUP_SUBMIT_ALL | IORING_SETUP_COOP_TASKRUN, false },
	{ IORING_SETUP_SUBMIT_ALL, true },
	{ 0, true },
};

int uring_init(struct io_uring *ring, unsigned entries, unsigned asked, unsigned *flags)
{
	int r = -EINVAL;

	for (size_t i = 0; i < ARRAY_SIZE(ladder) && r == -EINVAL; i++) {
		struct io_uring_params p = { .flags = asked | ladder[i].flags,
			                     .sq_thread_idle = SQ_IDLE_MS };

		if (asked & IORING_SETUP_SQPOLL && !ladder[i].sq_thread)
			continue;
		*flags = p.flags;
		r = io_uring_queue_init_params(entries, ring, &p);
	}
	return r;
}

/* -1: there is no such file. */
static int sysctl_disabled(void)
{
	AUTO(fclosep) FILE *f = fopen("/proc/sys/kernel/io_uring_disabled", "re");
	char text[16] = "";

	return f && fgets(text, sizeof(text), f) ? text[0] - '0' : -1;
}

int uring_explain(int r, struct err *e)
{
	struct rlimit lock = { 0 };
	int disabled;

	switch (-r) {
	case EPERM:
		disabled = sysctl_disabled();
		if (disabled == 1)
			return err_set(
			    e, r,
			    "io_uring: %s: kernel.io_uring_disabled=1 and this user is not in "
			    "kernel.io_uring_group",
			    err_name(-r));
		if (disabled > 0)
			return err_set(e, r, "io_uring: %s: kernel.io_uring_disabled=%d",
			               err_name(-r), disabled);
		return err_set(e, r, "io_uring: %s: blocked by seccomp (container default?)",
		               err_name(-r));
	case ENOSYS:
		return err_set(e, r, "io_uring: %s: not in this kernel, or blocked by seccomp",
		               err_name(-r));
	case ENOMEM:
		(void)getrlimit(RLIMIT_MEMLOCK, &lock);
		return err_set(e, r,
		               "io_uring: %s: locked memory is limited to %llu KiB (ulimit -l)",
		               err_name(-r), (unsigned long long)lock.rlim_cur / 1024);
	default:
		return err_set(e, r, "io_uring: %s", err_name(-r));
	}
}

int uring_probe(struct err *e)
{
	static const int needed[] = { IORING_OP_READ, IORING_OP_WRITE, IORING_OP_FSYNC,
		                      IORING_OP_TIMEOUT };
	struct io_uring_probe *known;
	struct io_uring ring;
	unsigned flags;
	int r = uring_init(&ring, PROBE_ENTRIES, 0, &flags);

	if (r)
		return uring_explain(r, e);
	known = io_uring_get_probe_ring(&ring);
	for (size_t i = 0; i < ARRAY_SIZE(needed) && !r; i++)
		if (!known || !io_uring_opcode_supported(known, needed[i]))
			r = err_set(e, -EOPNOTSUPP,
			            "io_uring: this kernel lacks plain reads and writes (5.6 "
			            "has them)");
	if (known)
		io_uring_free_probe(known);
	io_uring_queue_exit(&ring);
	return r;
}

/* For describe. */
static const struct {
	unsigned flag;
	const char *name;
} flag_name[] = {
	{ IORING_SETUP_IOPOLL, "iopoll" },
	{ IORING_SETUP_SQPOLL, "sqpoll" },
	{ IORING_SETUP_SUBMIT_ALL, "submit_all" },
	{ IORING_SETUP_COOP_TASKRUN, "coop_taskrun" },
	{ IORING_SETUP_SINGLE_ISSUER, "single_issuer" },
	{ IORING_SETUP_DEFER_TASKRUN, "defer_taskrun" },
};

void uring_flags(unsigned flags, char *buf, size_t len)
{
	size_t n = 0;

	(void)snprintf(buf, len, "none");
	for (size_t i = 0; i < ARRAY_SIZE(flag_name) && n < len; i++)
		if (flags & flag_name[i].flag)
			n += (size_t)snprintf(buf + n, len - n, "%s%s", n ? "," : "",
			                      flag_name[i].name);
}
