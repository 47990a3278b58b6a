#include "fio/json_options.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "fio/job_said.h"
#include "fio/job_units.h"

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
	       !strncmp(name, "iosweep_", 8);
}

void json_options_encode(struct text *out, const char *s)
{
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		text_addf(out, c > 0x20 && c != '%' && c != '=' ? "%c" : "%%%02X", c);
	}
}

void json_options_other(struct json_options *o, const char *name, const char *value)
{
	AUTO(text_fini) struct text t = { 0 };

	json_options_encode(&t, name);
	text_add(&t, "=");
	json_options_encode(&t, value);
	strlist_add(&o->other, t.s);
}

static void set_word(struct json_options *o, enum axis_id id, const char *value)
{
	AUTO(text_fini) struct text t = { 0 };

	text_add_utf8(&t, value);
	free(o->word[id]);
	o->word[id] = xstrdup(text_get(&t));
}

/* As fio reads it, in the words of our axes. "100%%" stands for 100% in some versions. */
static int ours(struct text *out, const struct axis *a, const char *value)
{
	int r = 0;

	if (!*value && a->kind == AXIS_BOOL) /* a bare flag */
		text_add(out, "1");
	else if (a->kind == AXIS_TIME)
		fio_time(value, out);
	else if (a->kind == AXIS_SIZE || a->kind == AXIS_SIZE_OR_PERCENT)
		r = fio_sizes(value, 1024, out);
	else
		text_add(out, value);
	if (out->len > 1 && !strcmp(out->s + out->len - 2, "%%"))
		out->s[--out->len] = '\0';
	return r < 0 ? r : 0;
}

static int parse(const struct axis *a, const char *key, const char *value, uint64_t *v)
{
	AUTO(text_fini) struct text t = { 0 };
	int r = ours(&t, a, value);

	return r ? r : axis_parse(a, key, text_get(&t), v, NULL);
}

static void take_axis(struct json_options *o, const struct axis *a, const char *name,
                      const char *value)
{
	enum axis_id id = (enum axis_id)(a - axes);
	uint64_t v;

	if (a->kind == AXIS_TEXT) {
		set_word(o, id, value);
		*axis_slot(a, &o->job) = 0;
	} else if (!parse(a, name, value, &v)) {
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

static const char *text_of(json_t *options, const char *key)
{
	return json_string_value(json_object_get(options, key));
}

/* The target: a file inside of the directory when both are given. */
static void take_target(struct json_options *o, json_t *options)
{
	const char *file = text_of(options, "filename"), *dir = text_of(options, "directory");
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

static void take_option(struct json_options *o, const char *name, const char *value)
{
	const struct axis *a = axis_find(name);

	if (!strcmp(name, "time_based"))
		o->time_based = strcmp(value, "0") != 0;
	if (!strcmp(name, "iosweep_window_ns"))
		(void)parse_u64(value, &o->window_ns);
	if (is_immaterial(name))
		return;
	/* what several options turn on together is none of our axes */
	if (a)
		take_axis(o, a, name, value);
	else
		json_options_other(o, name, value);
}

/* A job that iosweep wrote lays out what it overwrites, as iosweep does. */
static bool is_layout(const char *name, json_t *options)
{
	return !strcmp(name, "overwrite") && fio_said(text_of(options, "description"));
}

static void take_said(void *arg, const char *name, const char *value)
{
	take_axis(arg, axis_named(name), name, value);
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

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void json_options_read(struct json_options *o, json_t *global, json_t *job)
{
	json_t *all = json_object(), *value;
	const char *name;

	*o = (struct json_options){ 0 };
	for (size_t i = 0; i < AXIS_COUNT; i++)
		*axis_slot(&axes[i], &o->job) = AXIS_UNSET;
	(void)json_object_update(all, global);
	(void)json_object_update(all, job);
	o->known = json_object_size(all) > 0;
	if (o->known)
		set_defaults(o);
	json_object_foreach(all, name, value)
	{
		if (json_is_string(value) && !is_layout(name, all))
			take_option(o, name, json_string_value(value));
	}
	if (fio_said(text_of(all, "description")))
		fio_said_each(text_of(all, "description"), take_said, o);
	take_target(o, all);
	if (o->known) {
		o->job.time_based |= o->job.runtime != AXIS_UNSET;
		job_defaults(&o->job);
	}
	qsort(o->other.item, o->other.len, sizeof(*o->other.item), by_text);
	json_decref(all);
}

void json_options_fini(struct json_options *o)
{
	for (size_t i = 0; i < AXIS_COUNT; i++)
		free(o->word[i]);
	strlist_fini(&o->other);
}
