#include "support/engine_fault.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/units.h"

static struct fault *fault;

struct engine {
	const struct engine_ops *ops; /* of the one inside */
	struct engine *inner;
	uint64_t *number; /* of the I/O in each slot */
	unsigned again;
	unsigned inflight;
	struct io *held, *late;
};

static void nap(void)
{
	clock_sleep_until(clock_mono_ns() + MSEC);
}

static int fault_open(struct engine **out, const struct engine_env *env, struct err *e)
{
	struct engine *eng;
	int r;

	if (fault->open_fails)
		return err_set(e, -fault->error, "fault: told to fail");
	eng = calloc(1, sizeof(*eng));
	if (!eng)
		return err_set(e, -ENOMEM, "fault: out of memory");
	eng->number = calloc(env->depth, sizeof(*eng->number));
	eng->ops = fault->inner;
	r = engine_open(eng->ops, &eng->inner, env, e);
	if (r || !eng->number) {
		free(eng->number);
		free(eng);
		return r ? r : err_set(e, -ENOMEM, "fault: out of memory");
	}
	fault->opened++;
	*out = eng;
	return 0;
}

static int fault_bind(struct engine *eng, const struct engine_run *run, struct err *e)
{
	return engine_bind(eng->ops, eng->inner, run, e);
}

static void fault_unbind(struct engine *eng)
{
	fault->unbound++;
	engine_unbind(eng->ops, eng->inner);
}

static int fault_submit(struct engine *eng, struct io *const ios[], unsigned n)
{
	int r;

	if (atomic_fetch_add(&fault->submits, 1) + 1 == fault->submit_fails_at)
		return -fault->error;
	if (eng->again < fault->again) {
		eng->again++;
		return -EAGAIN;
	}
	eng->again = 0;
	if (n > fault->most_submitted)
		fault->most_submitted = n;
	if (fault->accept && n > fault->accept)
		n = fault->accept;
	for (unsigned i = 0; i < n; i++)
		eng->number[ios[i]->slot] = 0;
	r = engine_submit(eng->ops, eng->inner, ios, n);
	eng->inflight += r > 0 ? (unsigned)r : 0;
	for (int i = 0; i < r; i++) {
		uint64_t number = eng->number[ios[i]->slot] =
		    atomic_fetch_add(&fault->submitted, 1) + 1;

		if (number == fault->stall_at)
			fault->stalled_until_ns = clock_mono_ns() + fault->stall_ns;
		while (fault->hang_in_submit && number == fault->hang_at && !fault->released)
			nap();
	}
	return r;
}

static void spoil(const struct engine *eng, struct io *io)
{
	uint64_t number = eng->number[io->slot];

	if (number && number == fault->error_at)
		io->res = -fault->error;
	if (number && number == fault->short_at)
		io->res = (int32_t)(io->len / 2);
}

static int hold_back(struct engine *eng, struct io *done[], int n)
{
	for (int i = 0; i < n; i++)
		if (fault->hang_at && !fault->released && !fault->hang_in_submit &&
		    eng->number[done[i]->slot] == fault->hang_at) {
			eng->held = done[i];
			done[i] = done[--n];
			break;
		}
	if (!n && eng->held && fault->released) {
		done[n++] = eng->held;
		eng->held = NULL;
	}
	return n;
}

/* Let the others overtake it. */
static int make_late(struct engine *eng, struct io *done[], int n)
{
	for (int i = 0; fault->late_at && !eng->late && i < n; i++)
		if (eng->number[done[i]->slot] == fault->late_at && !fault->passed_late) {
			eng->late = done[i];
			done[i] = done[--n];
		}
	if (!eng->late)
		return n;
	atomic_fetch_add(&fault->passed_late, (unsigned)n);
	if (!n || fault->passed_late >= fault->late_by) {
		done[n++] = eng->late;
		eng->late = NULL;
	}
	return n;
}

/* Waits as long as the caller would. */
static bool stalls(uint64_t deadline_ns, unsigned min)
{
	uint64_t until = fault->stalled_until_ns;

	if (min && clock_mono_ns() < until)
		clock_sleep_until(deadline_ns < until ? deadline_ns : until);
	return clock_mono_ns() < until;
}

static int fault_reap(struct engine *eng, struct io *done[], unsigned min, unsigned max,
                      uint64_t deadline_ns)
{
	int n;

	if (atomic_fetch_add(&fault->reaps, 1) + 1 == fault->reap_fails_at)
		return -fault->error;
	if (stalls(deadline_ns, min))
		return 0;
	/* the late one is not the inner engine's any more: it is not waited for there */
	if (eng->late && min > eng->inflight - 1)
		min = eng->inflight - 1;
	max -= eng->late != NULL;
	n = max ? engine_reap(eng->ops, eng->inner, done, min, max, deadline_ns) : 0;
	if (min > fault->most_awaited)
		fault->most_awaited = min;
	if (n > (int)fault->most_reaped)
		fault->most_reaped = (unsigned)n;
	n = hold_back(eng, done, n);
	while (!n && min && eng->held && clock_mono_ns() < deadline_ns) {
		nap();
		n = hold_back(eng, done, n);
	}
	n = make_late(eng, done, n);
	eng->inflight -= n > 0 ? (unsigned)n : 0;
	for (int i = 0; i < n; i++)
		spoil(eng, done[i]);
	for (int i = 0; fault->reverse && i < n / 2; i++) {
		struct io *io = done[i];

		done[i] = done[n - 1 - i];
		done[n - 1 - i] = io;
	}
	return n;
}

static void fault_close(struct engine *eng)
{
	engine_close(eng->ops, eng->inner);
	free(eng->number);
	free(eng);
}

const struct engine_ops *fault_engine(struct fault *f)
{
	static struct engine_ops ops;

	fault = f;
	ops = (struct engine_ops){
		.name = "fault",
		.help = "another engine, with faults",
		.caps = f->inner->caps,
		.probe = f->inner->probe,
		.open = fault_open,
		.bind = fault_bind,
		.unbind = fault_unbind,
		.submit = fault_submit,
		.reap = fault_reap,
		.close = fault_close,
	};
	return &ops;
}
