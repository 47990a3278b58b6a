#include "fio/json_options.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "fio/job_said.h"
#include "fio/job_units.h"
#include "fio/json_exact.h"
#include "model/flag.h"
#include "model/record.h"

/* Options that say where things go and what is printed, not what is measured. */
static const char *const immaterial[] = {
	"name",            "description",      "filename",         "directory",
	"group_reporting", "thread",           "stonewall",        "wait_for_previous",
	"new_group",       "per_job_logs",     "percentile_list",  "clat_percentiles",
	"lat_percentiles", "slat_percentiles", "eta",              "output",
	"status-interval", "create_serialize", "allow_mounted_write", "wait_for",
	"filename_format", "unified_rw_reporting", "significant_figures", "time_based",
	"disk_util",       "bwavgtime",        "iopsavgtime",
};

static bool is_immaterial(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(immaterial); i++)
		if (!strcmp(name, immaterial[i]))
			return true;
	return !strncmp(name, "write_", 6) || !strncmp(name, "log_", 4) ||
	       !strncmp(name, JSON_EXACT, strlen(JSON_EXACT));
}

void json_options_encode(struct text *out, const char *s)
{
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		text_addf(out, c > 0x20 && c != '%' && c != '=' ? "%c" : "%%%02X", c);
	}
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void json_options_other(struct json_options *o, const char *name, const char *value)
{
	AUTO(text_fini) struct text t = { 0 };

	json_options_encode(&t, name);
	text_add(&t, "=");
	json_options_encode(&t, value);
	strlist_add(&o->other, t.s);
	qsort(o->other.item, o->other.len, sizeof(*o->other.item), by_text);
}

static void set_word(struct json_options *o, enum axis_id id, const char *value)
{
	AUTO(text_fini) struct text t = { 0 };

	text_add_utf8(&t, value);
	free(o->word[id]);
	o->word[id] = xstrdup(text_get(&t));
}

/* As fio reads it, in the words of our axes. "100%%" stands for 100% in some versions. */
static int ours(struct text *out, const struct axis *a, const char *value, unsigned kb_base)
{
	bool bare_flag = !*value && a->kind == AXIS_BOOL;
	int r = fio_numbers(a, bare_flag ? "1" : value, kb_base, out);

	if (out->len > 1 && !strcmp(out->s + out->len - 2, "%%"))
		out->s[--out->len] = '\0';
	return r < 0 ? r : 0;
}

static int parse(const struct json_options *o, const struct axis *a, const char *key,
                 const char *value, uint64_t *v)
{
	AUTO(text_fini) struct text t = { 0 };
	int r = ours(&t, a, value, o->kb_base);

	return r ? r : axis_parse(a, key, text_get(&t), v, NULL);
}

static void take_axis(struct json_options *o, const struct axis *a, const char *name,
                      const char *value)
{
	enum axis_id id = (enum axis_id)(a - axes);
	uint64_t v;

	if (a->kind == AXIS_TEXT) {
		bool usual = a->def && !strcmp(value, a->def); /* as when it is not given */

		set_word(o, id, value);
		*axis_slot(a, &o->job) = usual ? AXIS_UNSET : 0;
	} else if (!parse(o, a, name, value, &v)) {
		*axis_slot(a, &o->job) = v;
		free(o->word[id]);
		o->word[id] = NULL;
	} else if (a->kind == AXIS_ENUM) {
		*axis_slot(a, &o->job) = AXIS_UNSET;
		set_word(o, id, value);
	} else if (a != &axes[AXIS_runtime] || strcmp(value, "0") != 0) {
		/* not known where a column says so; else it stands in `options` as printed */
		*axis_slot(a, &o->job) = a->column ? AXIS_UNSET : axis_default(a);
		json_options_other(o, name, value);
	}
}

static const char *given(json_t *options, const char *key)
{
	return json_string_value(json_object_get(options, key));
}

/* The target: a file inside of the directory when both are given. */
static void take_target(struct json_options *o, json_t *options)
{
	const char *file = given(options, "filename"), *dir = given(options, "directory");
	AUTO(text_fini) struct text t = { 0 };

	if (dir && (!file || *file != '/'))
		text_addf(&t, "%s%s", dir, file ? "/" : "");
	if (file)
		text_add(&t, file);
	if (t.len) {
		o->job.filename = 0;
		set_word(o, AXIS_filename, t.s);
	}
}

/* Options that a job which iosweep wrote has for its own sake. */
static bool is_added(const char *name)
{
	return !strcmp(name, "overwrite") || !strcmp(name, "filename_format");
}

/* "iosweep_read" and so on. */
static void take_exact(struct json_options *o, const char *name, const char *value)
{
	for (uint64_t op = 0; op <= ROW_OPS; op++) {
		const char *of = op < ROW_OPS ? row_op_name(op) : "run";

		if (!strncmp(name, JSON_EXACT, strlen(JSON_EXACT)) &&
		    !strcmp(name + strlen(JSON_EXACT), of)) {
			free(o->exact[op]);
			o->exact[op] = xstrdup(value);
		}
	}
}

/* "": not configured. */
static bool take_raw(uint64_t *v, const struct axis *a, const char *value)
{
	*v = AXIS_UNSET;
	return !*value || !axis_parse(a, a->name, value, v, NULL);
}

/* json_own.h */
static void take_own(struct json_options *o, const char *name, const char *value)
{
	if (!strcmp(name, JSON_EXACT "doubts") || !strcmp(name, JSON_EXACT "notes"))
		o->flags |= flag_parse(value);
	if (!strcmp(name, JSON_EXACT "size"))
		o->raw_size.said = take_raw(&o->raw_size.value, &axes[AXIS_size], value);
	if (!strcmp(name, JSON_EXACT "offset"))
		o->raw_offset.said = take_raw(&o->raw_offset.value, &axes[AXIS_offset], value);
	if (!strcmp(name, JSON_EXACT "why")) {
		free(o->why);
		o->why = xstrdup(value);
	}
}

static void take_option(struct json_options *o, const char *name, const char *value)
{
	const struct axis *a = axis_find(name);

	if (!strcmp(name, "time_based"))
		o->time_based = strcmp(value, "0") != 0;
	if (!strcmp(name, JSON_EXACT "status"))
		o->interrupted = !strcmp(value, status_name(STATUS_INTERRUPTED));
	if (!strcmp(name, JSON_EXACT "clone") || !strcmp(name, JSON_EXACT "client") ||
	    !strcmp(name, JSON_EXACT "job"))
		json_options_other(o, name + strlen(JSON_EXACT), value);
	take_exact(o, name, value);
	take_own(o, name, value);
	if (is_immaterial(name) || (o->said && is_added(name)))
		return;
	/* what several options turn on together is none of our axes */
	if (a)
		take_axis(o, a, name, value);
	else
		json_options_other(o, name, value);
}

static const char *option_of(const void *options, const char *name)
{
	return json_string_value(json_object_get(options, name));
}

static void take_said(void *arg, const struct fio_said *s, bool holds)
{
	const char *value = s->value ? s->value : s->configured;
	struct json_options *o = arg;

	if (!holds)
		return;
	if (*value)
		take_axis(o, s->axis, s->axis->name, value);
	else
		*axis_slot(s->axis, &o->job) = axis_default(s->axis);
	if (s->axis == &axes[AXIS_size])
		o->raw_size.said = take_raw(&o->raw_size.value, s->axis, s->configured);
	if (s->axis == &axes[AXIS_offset])
		o->raw_offset.said = take_raw(&o->raw_offset.value, s->axis, s->configured);
}

/* fio's own defaults, which our axes have with profile=fio; but psync, through the page cache. */
static void set_defaults(struct json_options *o)
{
	struct job *job = &o->job;

	job->profile = PROFILE_FIO;
	job->time_based = 0;
	for (size_t i = 0; i < AXIS_COUNT; i++)
		if (i != AXIS_profile && i != AXIS_time_based)
			*axis_slot(&axes[i], job) = axis_default(&axes[i]);
	job->ioengine = ENGINE_PSYNC;
	job->rw = RW_READ;
	job->direct = 0;
	job->ramp_time = 0;
}

/* Is there an option of fio at all? */
static bool says_anything(json_t *options)
{
	const char *name;
	json_t *value;

	json_object_foreach(options, name, value)
	{
		if (strncmp(name, JSON_EXACT, strlen(JSON_EXACT)) != 0)
			return true;
	}
	return false;
}

void json_options_read(struct json_options *o, json_t *global, json_t *job)
{
	json_t *all = json_object(), *value;
	const char *name;

	*o = (struct json_options){ .kb_base = 1024 };
	for (size_t i = 0; i < AXIS_COUNT; i++)
		*axis_slot(&axes[i], &o->job) = AXIS_UNSET;
	(void)json_object_update(all, global);
	(void)json_object_update(all, job);
	if (given(all, "kb_base") && !strcmp(given(all, "kb_base"), "1000"))
		o->kb_base = 1000;
	o->known = says_anything(all);
	if (o->known)
		set_defaults(o);
	o->said = fio_said(given(all, "description"));
	json_object_foreach(all, name, value)
	{
		if (json_is_string(value))
			take_option(o, name, json_string_value(value));
	}
	take_target(o, all);
	if (o->said)
		fio_said_each(given(all, "description"), &(struct fio_said_job){ option_of, all },
		              take_said, o);
	if (o->known) {
		o->job.time_based = o->time_based || (!o->said && o->job.runtime != AXIS_UNSET);
		job_defaults(&o->job);
	}
	json_decref(all);
}

void json_options_fini(struct json_options *o)
{
	for (size_t i = 0; i < AXIS_COUNT; i++)
		free(o->word[i]);
	for (size_t i = 0; i <= ROW_OPS; i++)
		free(o->exact[i]);
	free(o->why);
	strlist_fini(&o->other);
}
