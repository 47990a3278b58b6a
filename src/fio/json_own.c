#include "fio/json_own.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "fio/job_said.h"
#include "fio/json_exact.h"
#include "fio/json_member.h"
#include "fio/json_options.h"
#include "model/axis.h"
#include "model/flag.h"
#include "model/record.h"

#define PREFIX "iosweep_"

/* --- what reads them --- */

static void keep(char **slot, const char *value)
{
	free(*slot);
	*slot = xstrdup(value);
}

static void read_run(struct json_options *o, const char *name, const char *value)
{
	(void)name;
	keep(&o->exact[JSON_OWN_RUN], value);
}

static void read_flags(struct json_options *o, const char *name, const char *value)
{
	(void)name;
	o->flags |= flag_parse(value);
}

static void read_why(struct json_options *o, const char *name, const char *value)
{
	(void)name;
	keep(&o->why, value);
}

static void read_configured(struct json_options *o, const char *name, const char *value)
{
	json_options_configured(o, axis_named(name), value);
}

static void read_status(struct json_options *o, const char *name, const char *value)
{
	(void)name;
	o->interrupted = !strcmp(value, status_name(STATUS_INTERRUPTED));
}

/* --- the table --- */

static const struct own {
	const char *name;
	void (*read)(struct json_options *o, const char *name, const char *value); /* or NULL */
} own[JSON_OWN_COUNT] = {
	[JSON_OWN_RUN] = { "run", read_run },
	[JSON_OWN_DOUBTS] = { "doubts", read_flags },
	[JSON_OWN_NOTES] = { "notes", read_flags },
	[JSON_OWN_WHY] = { "why", read_why },
	[JSON_OWN_SIZE] = { "size", read_configured },
	[JSON_OWN_OFFSET] = { "offset", read_configured },
	[JSON_OWN_STATUS] = { "status", read_status },
	[JSON_OWN_CLONE] = { "clone", json_options_other },
	[JSON_OWN_CLIENT] = { "client", json_options_other },
	[JSON_OWN_JOB] = { "job", json_options_other },
	[JSON_OWN_NOTE] = { "note", NULL },
};

static const char *name_of(enum json_own which)
{
	return own[which].name ? own[which].name : row_op_name(which);
}

/* "iosweep_doubts" */
static void add_key(struct text *key, enum json_own which)
{
	text_addf(key, PREFIX "%s", name_of(which));
}

bool json_own_is(const char *option)
{
	return !strncmp(option, PREFIX, strlen(PREFIX));
}

const char *json_own_get(const json_t *options, enum json_own which)
{
	AUTO(text_fini) struct text key = { 0 };

	add_key(&key, which);
	return json_string_value(json_object_get(options, key.s));
}

void json_own_set(json_t *options, enum json_own which, const char *value)
{
	AUTO(text_fini) struct text key = { 0 };

	add_key(&key, which);
	member_text(options, key.s, value);
}

void json_own_read(struct json_options *o, const char *option, const char *value)
{
	const char *name = option + strlen(PREFIX);
	unsigned op;

	if (!json_own_is(option))
		return;
	op = row_op_find(name);
	if (op < ROW_OPS)
		keep(&o->exact[op], value);
	for (size_t i = ROW_OPS; i < JSON_OWN_COUNT; i++)
		if (own[i].read && !strcmp(own[i].name, name))
			own[i].read(o, name, value);
}

/* --- what writes those of a row --- */

static void set_words(json_t *options, const struct rows *r, enum json_own which)
{
	const char *words = rows_named_text(r, name_of(which)); /* the column is called so too */

	if (*words)
		json_own_set(options, which, words);
}

static void set_configured(json_t *options, const struct rows *r, enum json_own which)
{
	const struct axis *a = axis_named(name_of(which));
	AUTO(freep) char *key = fio_key_value(rows_named_text(r, "key_text"), a);

	if (!rows_named_missing(r, "key_text") && !rows_named_missing(r, a->name) &&
	    strcmp(key, rows_named_text(r, a->name)) != 0)
		json_own_set(options, which, key);
}

void json_own_add(json_t *options, struct rows *run)
{
	set_words(options, run, JSON_OWN_DOUBTS);
	set_words(options, run, JSON_OWN_NOTES);
	set_words(options, run, JSON_OWN_WHY);
}

void json_own_add_configured(json_t *options, struct rows *run)
{
	set_configured(options, run, JSON_OWN_SIZE);
	if (rows_named_int(run, axes[AXIS_offset].name))
		set_configured(options, run, JSON_OWN_OFFSET);
}

void json_own_add_exact(json_t *options, const struct rows *r, enum json_own which)
{
	AUTO(text_fini) struct text words = { 0 };

	json_exact_write(&words, r, which == JSON_OWN_RUN ? METRIC_RUN : METRIC_OP);
	if (words.len)
		json_own_set(options, which, words.s);
}
