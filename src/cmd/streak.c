#include "cmd/streak.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

#define STREAK_MAX 3

struct streak {
	int error; /* positive errno of the last failure; 0: the last one did not fail */
	unsigned n;
	char text[400]; /* its sentence */
};

static struct streak *find(const struct session *s, const struct job *job)
{
	return s->streak ? &s->streak[job->filename * ENGINE_COUNT + job->ioengine] : NULL;
}

static void explain(const struct session *s, const struct streak *k, const struct job *job,
                    char *text, size_t size)
{
	(void)snprintf(text, size,
	               "given up after %d failures in a row of %s on %.120s, the last one: %s "
	               "(--keep-going tries them all)",
	               STREAK_MAX, engine_name(job->ioengine),
	               s->target[job->filename].info.filename, k->text);
}

static void say(struct session *s, const struct streak *k, const struct job *job)
{
	char text[700];

	explain(s, k, job, text, sizeof(text));
	session_warn(s, "given-up", text);
}

void streak_note(struct session *s, const struct record *r)
{
	struct streak *k;

	if (!s->streak && !s->options->keep_going)
		s->streak =
		    xcalloc(s->prepared->world.targets * ENGINE_COUNT, sizeof(*s->streak));
	k = find(s, r->job);
	if (!k)
		return;
	if (r->status == STATUS_OK)
		k->error = 0;
	if (r->status != STATUS_FAILED && r->status != STATUS_TIMEOUT)
		return;
	k->n = r->error_no == k->error ? k->n + 1 : 1;
	k->error = r->error_no;
	(void)snprintf(k->text, sizeof(k->text), "%s", r->error);
	if (k->n == STREAK_MAX)
		say(s, k, r->job);
}

int streak_over(const struct session *s, const struct job *job, char *text, size_t size)
{
	const struct streak *k = find(s, job);

	if (!k || !k->error || k->n < STREAK_MAX)
		return 0;
	explain(s, k, job, text, size);
	return k->error;
}
