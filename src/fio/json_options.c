#include "fio/json_options.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "config/config.h"
#include "fio/job_entry.h"
#include "fio/job_said.h"
#include "fio/json_own.h"
#include "plan/effective.h"
#include "plan/key.h"

/* Options that say where things go and what is printed, not what is measured. */
static const char *const immaterial[] = {
	"name",            "description",      "filename",         "directory",
	"group_reporting", "thread",           "stonewall",        "wait_for_previous",
	"new_group",       "per_job_logs",     "percentile_list",  "clat_percentiles",
	"lat_percentiles", "slat_percentiles", "eta",              "output",
	"status-interval", "create_serialize", "allow_mounted_write", "wait_for",
	"filename_format", "unified_rw_reporting", "significant_figures", "time_based",
	"disk_util",       "bwavgtime",        "iopsavgtime",      "kb_base",
};

static bool is_immaterial(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(immaterial); i++)
		if (!strcmp(name, immaterial[i]))
			return true;
	return !strncmp(name, "write_", 6) || !strncmp(name, "log_", 4) ||
	       json_own_is(name);
}

void json_options_other(struct json_options *o, const char *name, const char *value)
{
	AUTO(text_fini) struct text t = { 0 };

	key_encode(&t, name);
	text_add(&t, "=");
	key_encode(&t, value);
	strlist_add(&o->other, t.s);
	qsort(o->other.item, o->other.len, sizeof(*o->other.item), text_order);
}

static void set_word(struct json_options *o, enum axis_id id, const char *value)
{
	AUTO(text_fini) struct text t = { 0 };

	text_add_utf8(&t, value);
	free(o->word[id]);
	o->word[id] = xstrdup(text_get(&t));
}

/* --- the axes --- */

/* "100%%" stands for 100% in some versions; a bare flag has no value. */
static char *printed(const char *value)
{
	size_t n = strlen(value);

	return n ? xstrndup(value, n - (n > 1 && !strcmp(value + n - 2, "%%"))) : NULL;
}

/* In the words of iosweep: base units, as in a canonical text. */
static bool read_own(const struct axis *a, const char *value, uint64_t *v, char **text)
{
	AUTO(text_fini) struct text t = { 0 };
	json_t *said;
	bool ok;

	text_addf(&t, "%s%s", value, a->plain_ns ? "s" : "");
	said = json_string(t.s);
	ok = config_value(a->name, said, v, text);
	json_decref(said);
	return ok;
}

static void take_value(struct json_options *o, const struct axis *a, uint64_t v, char *text)
{
	bool per_direction = text && a == &axes[AXIS_bs];

	if (per_direction) { /* a mix, if there is none yet: in fio bssplit counts for more */
		o->job.bs = axis_default(a);
		if (o->job.bssplit != AXIS_UNSET) {
			free(text);
			return;
		}
		a = &axes[AXIS_bssplit];
	}
	*axis_slot(a, &o->job) = text ? 0 : v;
	free(o->word[a - axes]);
	o->word[a - axes] = text;
}

/* As printed, where it is no value of ours. */
static void keep_printed(struct json_options *o, const struct axis *a, const char *name,
                         const char *value)
{
	enum axis_id id = (enum axis_id)(a - axes);

	if (a->kind == AXIS_TEXT || a->kind == AXIS_ENUM) {
		set_word(o, id, value);
		*axis_slot(a, &o->job) = a->kind == AXIS_TEXT ? 0 : AXIS_UNSET;
		return;
	}
	/* not known where a column says so; else it stands in `options` */
	*axis_slot(a, &o->job) = a->column ? AXIS_UNSET : axis_default(a);
	json_options_other(o, name, value);
}

static void take_own_axis(struct json_options *o, const struct axis *a, const char *value)
{
	uint64_t v;
	char *text;

	if (a != &axes[AXIS_filename] && read_own(a, value, &v, &text))
		take_value(o, a, v, text);
	else
		keep_printed(o, a, a->name, value);
}

static void take_axis(struct json_options *o, const struct axis *a, const char *name,
                      const char *value)
{
	AUTO(freep) char *n = xstrdup(name);
	AUTO(freep) char *p = printed(value);
	char nowhere[] = "", *text;
	uint64_t v;

	if (o->native)
		take_own_axis(o, a, value);
	else if (fio_value_ran(a, &(struct fio_option){ n, p, nowhere }, o->kb_base, &v, &text))
		take_value(o, a, v, text);
	else
		keep_printed(o, a, name, value);
}

static const char *option_of(const void *options, const char *name)
{
	return json_string_value(json_object_get(options, name));
}

/* Several files stay as they are printed. */
static void take_target(struct json_options *o, json_t *options)
{
	const char *file = option_of(options, "filename"), *dir = option_of(options, "directory");
	AUTO(text_fini) struct text t = { 0 };

	if (o->native) {
		text_add(&t, file ? file : "");
	} else if (fio_target(file, dir, &t)) {
		text_clear(&t);
		text_addf(&t, "%s%s%s", dir ? dir : "", dir ? "/" : "", file);
	}
	o->directory = !file;
	o->job.filename = 0;
	set_word(o, AXIS_filename, t.s);
}

/* "": not configured. */
static bool take_raw(uint64_t *v, const struct axis *a, const char *value)
{
	*v = AXIS_UNSET;
	return !*value || !axis_parse(a, a->name, value, v, NULL);
}

void json_options_configured(struct json_options *o, const struct axis *a, const char *value)
{
	if (a == &axes[AXIS_size])
		o->raw_size.said = take_raw(&o->raw_size.value, a, value);
	if (a == &axes[AXIS_offset])
		o->raw_offset.said = take_raw(&o->raw_offset.value, a, value);
}

static bool matters(const char *name, const char *value)
{
	AUTO(freep) char *n = xstrdup(name);
	AUTO(freep) char *p = printed(value);
	char nowhere[] = "";

	return !fio_makes_no_difference(&(struct fio_option){ n, p, nowhere });
}

static void take_option(struct json_options *o, const char *name, const char *value)
{
	const struct axis *a = axis_find(name);

	if (!strcmp(name, "time_based"))
		o->time_based = strcmp(value, "0") != 0;
	if (!strcmp(name, "gtod_reduce") || !strcmp(name, "disable_lat") ||
	    !strcmp(name, "disable_clat"))
		o->no_latencies |= strcmp(value, "0") != 0;
	json_own_read(o, name, value);
	if (is_immaterial(name))
		return;
	/* what several options turn on together is none of our axes */
	if (a)
		take_axis(o, a, name, value);
	else if (matters(name, value))
		json_options_other(o, name, value);
}

static void take_said(void *arg, const struct fio_said *s, bool holds)
{
	const char *value = s->value ? s->value : s->configured;
	struct json_options *o = arg;

	if (!holds)
		return;
	if (*value)
		take_own_axis(o, s->axis, value);
	else
		*axis_slot(s->axis, &o->job) = axis_default(s->axis);
	json_options_configured(o, s->axis, s->configured);
}

/* fio's own are those of our axes but where it has others. */
static void set_defaults(struct json_options *o)
{
	for (size_t i = 0; i < AXIS_COUNT; i++)
		*axis_slot(&axes[i], &o->job) = axis_default(&axes[i]);
	for (size_t i = 0; !o->native && i < FIO_DEFAULTS; i++) {
		const struct axis *a = &axes[fio_default[i].axis];

		(void)axis_parse(a, a->name, fio_default[i].value, axis_slot(a, &o->job), NULL);
	}
}

/* Is there an option of fio at all? */
static bool says_anything(json_t *options)
{
	const char *name;
	json_t *value;

	json_object_foreach(options, name, value)
	{
		if (!json_own_is(name))
			return true;
	}
	return false;
}

static void drop(json_t *all, const struct axis *a)
{
	const char *name;
	json_t *ignored;
	void *next;

	json_object_foreach_safe(all, next, name, ignored)
	{
		if (axis_find(name) == a)
			(void)json_object_del(all, name);
	}
}

/* The last of the names of an axis counts; a directory stands beside the name of a file. */
static void put_over(json_t *all, json_t *options)
{
	const char *name;
	json_t *value;

	json_object_foreach(options, name, value)
	{
		const struct axis *a = axis_find(name);

		if (a && a != &axes[AXIS_filename])
			drop(all, a);
		(void)json_object_set(all, name, value);
	}
}

/* What fio does not print is told by the runtime; what iosweep does not is the default. */
static bool loops(const struct json_options *o, const json_t *all)
{
	if (o->native && !option_of(all, "time_based"))
		return axis_default(&axes[AXIS_time_based]);
	return o->time_based || (!o->said && !o->native && o->job.runtime != AXIS_UNSET);
}

void json_options_read(struct json_options *o, json_t *global, json_t *job)
{
	json_t *all = json_object(), *value;
	const char *name;

	*o = (struct json_options){ .kb_base = 1024 };
	for (size_t i = 0; i < AXIS_COUNT; i++)
		*axis_slot(&axes[i], &o->job) = AXIS_UNSET;
	put_over(all, global);
	put_over(all, job);
	if (option_of(all, "kb_base") && !strcmp(option_of(all, "kb_base"), "1000"))
		o->kb_base = 1000;
	o->known = says_anything(all);
	o->said = fio_said(option_of(all, "description"));
	o->native = !o->said && json_own_get(all, JSON_OWN_RUN);
	if (o->known)
		set_defaults(o);
	json_object_foreach(all, name, value)
	{
		if (json_is_string(value))
			take_option(o, name, json_string_value(value));
	}
	if (o->known)
		take_target(o, all);
	if (o->said)
		fio_said_each(option_of(all, "description"), &(struct fio_said_job){ option_of, all },
		              take_said, o);
	if (o->known) {
		o->job.time_based = loops(o, all);
		job_take_apart(&o->job);
	}
	json_decref(all);
}

/* Can the sizes of its I/Os be known? */
static bool sizes_known(const struct json_options *o, struct size_mix mix[SIZES_COUNT])
{
	const char *split = o->word[AXIS_bssplit];

	return o->job.rw != AXIS_UNSET && (!split || !size_mix_parse(split, mix, NULL));
}

void json_options_settle(struct json_options *o)
{
	struct size_mix mix[SIZES_COUNT];
	struct job *job = &o->job;
	uint64_t ramp;

	if (!o->known)
		return;
	if (sizes_known(o, mix))
		(void)job_settle(job, o->word[AXIS_bssplit] ? mix : NULL);
	else
		job_defaults(job);
	ramp = job->ramp_time;
	if (job->rw != AXIS_UNSET && job->ioengine != AXIS_UNSET)
		job_collapse_on(job, o->directory);
	job->ramp_time = ramp; /* the plan has none of one pass; in fio it is a part of size */
	for (size_t i = 0; i < AXIS_COUNT; i++)
		if (axes[i].kind == AXIS_TEXT && axis_value(&axes[i], job) == AXIS_UNSET) {
			free(o->word[i]);
			o->word[i] = NULL;
		}
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
