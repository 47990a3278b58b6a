#include "fio/json_own.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "fio/job_said.h"
#include "fio/json_exact.h"
#include "model/axis.h"

static void set(json_t *options, const char *name, const char *value)
{
	AUTO(text_fini) struct text key = { 0 }, clean = { 0 };

	text_addf(&key, JSON_EXACT "%s", name);
	text_add_utf8(&clean, value);
	(void)json_object_set_new(options, key.s, json_string(text_get(&clean)));
}

static void set_words(json_t *options, struct rows *r, const char *name)
{
	const char *words = rows_named_text(r, name);

	if (*words)
		set(options, name, words);
}

static void set_configured(json_t *options, struct rows *r, const struct axis *a)
{
	AUTO(freep) char *key = fio_key_value(rows_named_text(r, "key_text"), a);

	if (!rows_named_missing(r, "key_text") && !rows_named_missing(r, a->name) &&
	    strcmp(key, rows_named_text(r, a->name)) != 0)
		set(options, a->name, key);
}

void json_own_add(json_t *options, struct rows *run)
{
	set_words(options, run, "doubts");
	set_words(options, run, "notes");
	set_words(options, run, "why");
}

void json_own_add_configured(json_t *options, struct rows *run)
{
	set_configured(options, run, &axes[AXIS_size]);
	if (rows_named_int(run, axes[AXIS_offset].name))
		set_configured(options, run, &axes[AXIS_offset]);
}
