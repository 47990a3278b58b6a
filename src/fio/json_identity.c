#include "fio/json_identity.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "fio/json_member.h"
#include "fio/json_own.h"
#include "model/column.h"
#include "model/flag.h"

static char *taken(struct text *t)
{
	char *s = xstrdup(text_get(t));

	text_fini(t);
	return s;
}

static void add_other(struct text *t, const struct strlist *other)
{
	for (size_t i = 0; i < other->len; i++)
		text_addf(t, "%s%s", t->len ? " " : "", other->item[i]);
}

/* The columns of the options. */
static void describe(struct json_run *run)
{
	struct json_options *o = &run->options;
	struct imported *im = &run->imported;
	struct text t = { 0 };

	for (size_t i = 0; i < AXIS_COUNT; i++) {
		bool usual = o->known && axes[i].kind == AXIS_TEXT && !o->word[i];

		im->word[i] = usual ? axes[i].def : o->word[i];
	}
	if (o->known) {
		struct job_text words = { 0 };

		memcpy(words.of, o->word, sizeof(words.of));
		column_options(&o->job, &words, &t);
	}
	add_other(&t, &o->other);
	free(run->options_text);
	run->options_text = taken(&t);
	im->options = run->options_text;
}

/* {"fio":"fio-3.33"} */
static char *facts_of(const char *version)
{
	json_t *facts = json_pack("{s:s}", "fio", version);
	char *text = facts ? json_dumps(facts, JSON_COMPACT) : NULL;

	json_decref(facts);
	return text ? text : xstrdup("{}");
}

/* What only the document around a job told stands in its options from here on: it may leave
 * alone. */
static void keep_context(json_t *options, const struct json_run *run,
                         const struct json_run_context *c)
{
	char number[32], doubts[512];

	flag_print(run->options.flags | FLAG_BIT(partial_job), true, doubts, sizeof(doubts));
	if (c->together > 1)
		json_own_set(options, JSON_OWN_DOUBTS, doubts);
	if (run->status == STATUS_INTERRUPTED)
		json_own_set(options, JSON_OWN_STATUS, status_name(STATUS_INTERRUPTED));
	(void)snprintf(number, sizeof(number), "%zu", c->clone);
	if (c->clone)
		json_own_set(options, JSON_OWN_CLONE, number);
	if (c->client)
		json_own_set(options, JSON_OWN_CLIENT, c->host);
	(void)snprintf(number, sizeof(number), "%" PRIu64, run->options.job.numjobs);
	if (c->times > 1)
		member_text(options, "numjobs", number);
}

static char *dump(const json_t *job)
{
	return json_dumps(job, JSON_COMPACT | JSON_REAL_PRECISION(17));
}

static char *source_of(json_t *job, const struct json_run *run, const struct json_run_context *c)
{
	json_t *copy = json_copy(job), *given = json_object_get(job, "job options"),
	       *options = json_is_object(given) ? json_copy(given) : json_object();
	char *text;

	keep_context(options, run, c);
	if (json_object_size(options))
		(void)json_object_set(copy, "job options", options);
	if (c->times > 1) /* else it stands there */
		(void)json_object_set_new(copy, "hostname", json_string(c->host));
	text = dump(copy);
	json_decref(options);
	json_decref(copy);
	return text;
}

void json_identity_read(struct json_run *run, json_t *job, const struct json_run_context *c)
{
	struct json_options *o = &run->options;
	char number[32];

	(void)snprintf(number, sizeof(number), "%zu", c->clone);
	if (c->clone)
		json_options_other(o, "clone", number);
	if (c->client)
		json_options_other(o, "client", c->host);
	if (!o->known)
		json_options_other(o, "job", run->name);
	describe(run);
	run->facts = facts_of(c->version);
	run->source = source_of(job, run, c);
	run->imported.facts = run->facts;
	run->imported.host = c->host;
	run->imported.source = run->source;
}

void json_identity_add_name(struct json_run *run)
{
	json_t *job = json_loads(run->source, 0, NULL),
	       *options = json_object_get(job, "job options");
	char *source;

	json_options_other(&run->options, "job", run->name);
	describe(run);
	if (!options) {
		options = json_object();
		(void)json_object_set_new(job, "job options", options);
	}
	json_own_set(options, JSON_OWN_JOB, run->name);
	source = dump(job);
	json_decref(job);
	free(run->source);
	run->source = source;
	run->imported.source = source;
}
