#include "cmd/hang.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "cmd/session_set.h"
#include "cmd/session_wait.h"

/* At the end of the sweep a target is given this many stall timeouts to answer again. */
#define LAST_FACTOR 5
#define TURN_NS     (100 * MSEC)

void hang_note(struct session *s, const struct outcome *o)
{
	const struct sample *sample = o->record.sample;

	if (engine_ops(o->row.job.ioengine)->caps & ENGINE_NO_TARGET)
		return;
	if (o->record.status == STATUS_TIMEOUT ||
	    (sample && (sample->jobs_hung || sample->flush_cut)))
		for (unsigned k = 0; k < session_members(s, o->row.job.filename); k++)
			session_member(s, o->row.job.filename, k)->hang.suspected = true;
}

bool hang_suspected(const struct session *s, size_t target)
{
	for (unsigned k = 0; k < session_members(s, target); k++)
		if (session_member(s, target, k)->hang.suspected)
			return true;
	return false;
}

const char *hang_text(const struct session *s, size_t target, char *buf, size_t size)
{
	const struct session_target *t = session_member(s, target, 0);
	char when[64];

	for (unsigned k = 1; k < session_members(s, target) && !t->hang.hangs; k++)
		t = session_member(s, target, k);

	(void)snprintf(buf, size, "%.300s does not answer since %s", t->info.filename,
	               clock_local(when, sizeof(when), t->hang.since_wall_ns));
	return buf;
}

static void say_answers(struct session *s, const struct session_target *t)
{
	char text[512], line[512];

	(void)snprintf(text, sizeof(text), "%.300s answers again", t->info.filename);
	(void)store_event(s->store, 0, "info", "hang", text, NULL);
	if (s->options->quiet)
		return;
	progress_clear(&s->progress);
	text_printable(line, sizeof(line), text);
	(void)fprintf(stderr, "%s\n", line);
}

static bool answered_within(struct session *s, struct hang *h, uint64_t patience_ns)
{
	const uint64_t until = clock_mono_ns() + patience_ns;

	while (!target_answered(&h->question, 0)) {
		if (session_stopping(s) || clock_mono_ns() >= until)
			return false;
		session_rest(s, TURN_NS);
	}
	return true;
}

static uint64_t patience(const struct session *s, struct hang *h, bool last)
{
	if (last && !h->waited) {
		h->waited = true;
		return LAST_FACTOR * s->prepared->sweep->stall_timeout_ns;
	}
	return h->hangs ? 0 : prepared_patience(s->prepared->sweep);
}

static bool answers(struct session *s, size_t target, bool last)
{
	struct session_target *t = &s->target[target];
	struct hang *h = &t->hang;
	char text[512];

	if (!h->suspected)
		return true;
	if (!h->question.area && target_ask(&h->question, &t->info))
		return true; /* cannot ask: the next run will tell */
	(void)snprintf(s->what, sizeof(s->what), "%.300s: waiting for an answer",
	               t->info.filename);
	if (answered_within(s, h, patience(s, h, last))) {
		if (h->hangs)
			say_answers(s, t);
		*h = (struct hang){ 0 };
		return true;
	}
	if (!h->hangs && !session_stopping(s)) {
		h->hangs = true;
		h->since_wall_ns = clock_wall_ns();
		(void)hang_text(s, target, text, sizeof(text) - 80);
		(void)snprintf(text + strlen(text), 80, ": its runs are put off until it does");
		session_warn(s, "hang", text);
	}
	return false;
}

bool hang_answers(struct session *s, size_t target, bool last)
{
	for (unsigned k = 0; k < session_members(s, target); k++)
		if (!answers(s, world_member(&s->prepared->world, target, k), last))
			return false;
	return true;
}

void hang_fini(struct session *s)
{
	for (size_t i = 0; s->target && i < s->prepared->world.targets; i++)
		bounded_abandon(&s->target[i].hang.question);
}
