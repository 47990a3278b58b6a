#include "cmd/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/units.h"

#define DRAW_NS (250 * MSEC)
#define LINE_NS (60 * SEC)

static bool is_terminal(void)
{
	const char *term = getenv("TERM");

	return isatty(STDERR_FILENO) && !(term && !strcmp(term, "dumb"));
}

void progress_init(struct progress *p, const struct options *o, uint64_t total)
{
	*p = (struct progress){ .mode = o->progress,
		                .total = total,
		                .start_ns = clock_mono_ns() };
	if (p->mode == PROGRESS_AUTO)
		p->mode = is_terminal() ? PROGRESS_TTY : PROGRESS_PLAIN;
	if (o->quiet)
		p->mode = PROGRESS_NONE;
	p->last_line_ns = p->start_ns;
}

/* Remaining time by the plan, corrected by what runs really took. */
static uint64_t left_ns(const struct progress *p)
{
	double left = (double)p->plan_left_ns;

	if (p->ran) /* overhead per run: gaps, flushes, drains */
		left += (double)(p->total - p->done) *
		        ((double)p->ran_ns - (double)p->ran_plan_ns) / (double)p->ran;
	if (p->unknown_ran)
		left += (double)p->unknown_left * (double)p->unknown_ran_ns /
		        (double)p->unknown_ran;
	return left > 0 ? (uint64_t)left : 0;
}

static void eta(const struct progress *p, char *buf, size_t size)
{
	uint64_t left = left_ns(p);
	char span[32], when[64];

	if (p->unknown_left && !p->unknown_ran) {
		(void)snprintf(buf, size, "ETA unknown (bound by size)");
		return;
	}
	(void)clock_local(when, sizeof(when), clock_wall_ns() + (int64_t)left);
	(void)snprintf(buf, size, "ETA %s (%s)", print_duration(span, sizeof(span), left),
	               when);
}

void progress_status(const struct progress *p, char *buf, size_t size)
{
	char when[128], written[64] = "", bytes[32];

	eta(p, when, sizeof(when));
	if (p->written)
		(void)snprintf(written, sizeof(written), ", %s written",
		               print_bytes(bytes, sizeof(bytes), p->written));
	(void)snprintf(buf, size,
	               "%" PRIu64 "/%" PRIu64 " done, %s, %" PRIu64 " failed, %" PRIu64
	               " in doubt%s",
	               p->done, p->total, when, p->failed, p->doubted, written);
}

static uint64_t load(const _Atomic uint64_t *v)
{
	return atomic_load_explicit(v, memory_order_relaxed);
}

static void sample_rates(struct progress *p, const struct live *live)
{
	uint64_t now = clock_mono_ns(), ios = load(&live->ios), bytes = load(&live->bytes);
	double s = (double)(now - p->last_sample_ns) / 1e9;

	if (s < 0.2)
		return;
	/* Both may still be those of the run before: then they fall when this one begins. */
	if (ios >= p->last_ios && bytes >= p->last_bytes && p->last_sample_ns) {
		p->iops = (double)(ios - p->last_ios) / s;
		p->mib_s = (double)(bytes - p->last_bytes) / s / (double)MIB;
	}
	p->last_ios = ios;
	p->last_bytes = bytes;
	p->last_sample_ns = now;
}

static const char *phase_text(const struct live *live, char *buf, size_t size)
{
	uint64_t total = load(&live->layout_total);

	enum live_phase phase = atomic_load(&live->phase);

	switch (phase) {
	case LIVE_LAYOUT:
	case LIVE_PRE_READ:
		(void)snprintf(buf, size, "%s %.0f %%",
		               phase == LIVE_LAYOUT ? "layout" : "pre-read",
		               total ? 100.0 * (double)load(&live->layout_done) / (double)total
		                     : 0.0);
		return buf;
	case LIVE_RAMP:
		return "ramp";
	case LIVE_DRAIN:
		return "drain";
	case LIVE_FLUSH:
		return "flush";
	case LIVE_IDLE:
	case LIVE_OPEN:
	case LIVE_WINDOW:
	case LIVE_DONE:
		break;
	}
	return "";
}

static int columns(void)
{
	struct winsize w;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 20 ? w.ws_col : 80;
}

/* "[####......] ": its width goes by the terminal alone, so that it stands still. */
static void add_bar(struct text *line, const struct progress *p)
{
	int width = columns() >= 110 ? 20 : columns() >= 96 ? 10 : 5;
	int full = p->total ? (int)((double)p->done / (double)p->total * width) : 0;

	text_add(line, "[");
	for (int i = 0; i < width; i++)
		text_add(line, i < full ? "#" : ".");
	text_add(line, "] ");
}

/* "12.3k": rates come and go four times a second; three digits are enough to read. */
static const char *rate(double v, char *buf, size_t size)
{
	if (v < 9999.5)
		(void)snprintf(buf, size, "%.0f", v);
	else if (v < 999.5e3)
		(void)snprintf(buf, size, "%.*fk", v < 99950 ? 1 : 0, v / 1e3);
	else
		(void)snprintf(buf, size, "%.1fM", v / 1e6);
	return buf;
}

static void add_tail(struct text *tail, const struct progress *p, const struct live *live)
{
	uint64_t left = left_ns(p);
	int64_t now = clock_wall_ns();
	char phase[32], iops[32], span[32], when[64];
	const char *word = phase_text(live, phase, sizeof(phase));

	text_addf(tail, " %s%s%s IOPS %.*f MiB/s", word, *word ? " " : "",
	          rate(p->iops, iops, sizeof(iops)), p->mib_s < 99.95 ? 1 : 0, p->mib_s);
	if (p->written)
		text_addf(tail, " %s written", print_bytes(span, sizeof(span), p->written));
	if (p->unknown_left && !p->unknown_ran)
		text_add(tail, " ETA unknown (bound by size)");
	else
		text_addf(tail, " ETA %s (%s)", print_duration(span, sizeof(span), left),
		          clock_local_short(when, sizeof(when), now + (int64_t)left, now));
}

/* One line that never wraps: \r could not take it back. When the terminal is narrow the words
 * about the combination are cut. */
static void draw(struct progress *p, const struct live *live, const char *what)
{
	AUTO(text_fini) struct text line = { 0 };
	AUTO(text_fini) struct text tail = { 0 };
	int room;

	add_tail(&tail, p, live);
	text_addf(&line, "%" PRIu64 "/%" PRIu64 " ", p->done, p->total);
	add_bar(&line, p);
	room = columns() - 1 - (int)line.len - (int)tail.len;
	text_addf(&line, "%.*s%s", room > 0 ? room : 0, what, text_get(&tail));
	(void)fprintf(stderr, "\r%.*s\033[K", columns() - 1, text_get(&line));
	(void)fflush(stderr);
	p->drawn = true;
}

void progress_clear(struct progress *p)
{
	if (p->drawn)
		(void)fputs("\r\033[K", stderr);
	p->drawn = false;
}

void progress_begin(struct progress *p)
{
	p->last_ios = p->last_bytes = p->last_sample_ns = 0;
	p->iops = p->mib_s = 0;
}

void progress_tick(struct progress *p, const struct live *live, const char *what)
{
	uint64_t now = clock_mono_ns();
	char status[256];

	sample_rates(p, live);
	if (p->mode == PROGRESS_TTY && now - p->last_draw_ns >= DRAW_NS) {
		draw(p, live, what);
		p->last_draw_ns = now;
	}
	if (p->mode == PROGRESS_PLAIN && now - p->last_line_ns >= LINE_NS) {
		progress_status(p, status, sizeof(status));
		(void)fprintf(stderr, "%s; now %s\n", status, what);
		p->last_line_ns = now;
	}
}

void progress_line(struct progress *p, const char *text)
{
	if (p->mode != PROGRESS_PLAIN)
		return;
	(void)fprintf(stderr, "%" PRIu64 "/%" PRIu64 " %s\n", p->done, p->total, text);
	p->last_line_ns = clock_mono_ns();
}

void progress_ran(struct progress *p, uint64_t planned_ns, uint64_t took_ns, const char *text)
{
	if (planned_ns) {
		p->ran++;
		p->ran_ns += took_ns;
		p->ran_plan_ns += planned_ns;
		p->plan_left_ns -= planned_ns < p->plan_left_ns ? planned_ns : p->plan_left_ns;
	} else {
		p->unknown_ran++;
		p->unknown_ran_ns += took_ns;
		p->unknown_left -= p->unknown_left > 0;
	}
	progress_line(p, text);
}
