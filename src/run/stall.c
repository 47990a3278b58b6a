#include "run/stall.h"

#include <errno.h>
#include <unistd.h>

#include "base/units.h"
#include "host/facts.h"

/* A flush, or a layout's last fsync, of which no device tells how far it is, is given this many
 * timeouts. */
#define BLIND_FACTOR 10

void stall_begin(struct stall *s)
{
	s->floor_ns = s->started_ns = s->done = s->done_ns = 0;
	s->device_fd = -1;
	s->device_tried = false;
}

void stall_end(struct stall *s)
{
	if (s->device_fd >= 0)
		close(s->device_fd);
	s->device_fd = -1;
}

void stall_forgive(struct stall *s)
{
	s->floor_ns = clock_mono_ns();
}

static uint64_t load(const _Atomic uint64_t *v)
{
	return atomic_load_explicit(v, memory_order_relaxed);
}

static uint64_t age(const struct stall *s, uint64_t since)
{
	uint64_t now = clock_mono_ns(), from = since > s->floor_ns ? since : s->floor_ns;

	return now > from ? now - from : 0;
}

bool stall_drain(const struct stall *s, const struct live *live)
{
	uint64_t since, waiting;

	if (atomic_load_explicit(&live->phase, memory_order_acquire) != LIVE_DRAIN)
		return false;
	since = load(&live->phase_since_ns);
	waiting = load(&live->waiting_since_ns);
	if (waiting && waiting < since)
		since = waiting;
	return age(s, since) > s->timeout_ns;
}

/* Something that changes when the device completes something; false: nothing can be read. */
static bool device_progress(struct stall *s, uint64_t *done)
{
	struct device_stat st;

	if (!s->device_tried)
		s->device_fd = device_stat_open(s->major, s->minor);
	s->device_tried = true;
	if (s->device_fd < 0 || device_stat_read(s->device_fd, &st))
		return false;
	*done = st.read_ios + st.write_ios + st.write_sectors;
	return true;
}

/* Time since the count moved. */
static uint64_t idle_ns(struct stall *s, uint64_t since, uint64_t done)
{
	if (done != s->done || s->done_ns < since) {
		s->done = done;
		s->done_ns = clock_mono_ns();
	}
	return age(s, s->done_ns);
}

/* An fsync says nothing until it returns. */
static bool flush_hangs(struct stall *s, uint64_t since, bool *seen)
{
	uint64_t done = 0;

	*seen = device_progress(s, &done);
	if (*seen)
		return idle_ns(s, since, done) > s->timeout_ns;
	return age(s, since) > s->timeout_ns * BLIND_FACTOR;
}

static int check_flush(struct stall *s, const struct live *live, const char *text,
                       struct err *e)
{
	bool seen;

	if (!flush_hangs(s, load(&live->phase_since_ns), &seen))
		return 0;
	if (seen)
		return err_set(e, -ETIMEDOUT, "the flush after the run made no progress for %s",
		               text);
	return err_set(e, -ETIMEDOUT, "the flush after the run took longer than %d x %s",
	               BLIND_FACTOR, text);
}

static int check_layout(struct stall *s, const struct live *live, const char *what,
                        const char *text, struct err *e)
{
	uint64_t done = load(&live->layout_done), since = load(&live->phase_since_ns);
	bool seen;

	if (done < load(&live->layout_total)) {
		if (idle_ns(s, since, done) <= s->timeout_ns)
			return 0;
	} else {
		/* the fsync at its end */
		if (!s->started_ns)
			s->started_ns = clock_mono_ns();
		if (!flush_hangs(s, s->started_ns, &seen))
			return 0;
	}
	return err_set(e, -ETIMEDOUT, "%s made no progress for %s", what, text);
}

static int check_run(struct stall *s, const struct live *live, const char *text, struct err *e)
{
	uint64_t waiting = load(&live->waiting_since_ns);

	if (atomic_load(&live->phase) == LIVE_DRAIN)
		return 0;
	if (waiting && age(s, waiting) > s->timeout_ns)
		return err_set(e, -ETIMEDOUT, "no completion for %s while I/O was in flight",
		               text);
	if (!s->started_ns)
		s->started_ns = load(&live->phase_since_ns);
	if (s->limit_ns && age(s, s->started_ns) > s->limit_ns)
		return err_set(e, -ETIMEDOUT, "the run took longer than ramp + runtime + %s",
		               text);
	return 0;
}

int stall_check(struct stall *s, const struct live *live, struct err *e)
{
	enum live_phase phase = atomic_load_explicit(&live->phase, memory_order_acquire);
	uint64_t lasts = age(s, load(&live->phase_since_ns));
	char text[32];

	(void)print_duration(text, sizeof(text), s->timeout_ns);
	switch (phase) {
	case LIVE_LAYOUT:
		return check_layout(s, live, "layout", text, e);
	case LIVE_PRE_READ:
		return check_layout(s, live, "pre_read", text, e);
	case LIVE_RAMP:
	case LIVE_WINDOW:
	case LIVE_DRAIN:
		return check_run(s, live, text, e);
	case LIVE_FLUSH:
		return check_flush(s, live, text, e);
	case LIVE_OPEN:
		return lasts <= s->timeout_ns
		           ? 0
		           : err_set(e, -ETIMEDOUT, "opening the target took longer than %s",
		                     text);
	case LIVE_IDLE:
	case LIVE_DONE: /* before it takes the task, and before it answers */
		break;
	}
	return lasts <= s->timeout_ns
	           ? 0
	           : err_set(e, -ETIMEDOUT, "the worker process did not react for %s", text);
}
