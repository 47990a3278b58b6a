/* fio/job_entry.c: the options of one section. Names and values of axes are fio's own, so the
 * axis table knows them; only what differs stands here. */
#include "fio/job_entry.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "config/settings.h"
#include "fio/job_said.h"
#include "model/axis.h"

/* What is being read. */
struct reading {
	const struct fio_context *c;
	const struct fio_section *section;
	struct fio_entry *entry;
	unsigned kb_base;
	const char *filename, *directory, *filename_origin;
	struct fio_option said; /* by iosweep, of a job that it wrote; no value: nothing */
	bool time_based;
};

#define problem(r, o, ...) fio_problem((r)->c->jobs, (o)->origin, __VA_ARGS__)

/* Of a flag or boolean; bare is true. */
static bool on(struct reading *r, const struct fio_option *o)
{
	const char *v = o->value ? o->value : "1";

	if (!strcmp(v, "1") || !strcmp(v, "true"))
		return true;
	if (strcmp(v, "0") != 0 && strcmp(v, "false") != 0)
		problem(r, o, "%.80s: '%.80s': allowed: 0 or 1", o->name, v);
	return false;
}

/* --- options that are no axis, or say more than a value --- */

static void set_time_based(struct reading *r, const struct fio_option *o)
{
	r->time_based = on(r, o);
}

static void set_waits(struct reading *r, const struct fio_option *o)
{
	r->entry->waits |= on(r, o);
}

static void set_description(struct reading *r, const struct fio_option *o)
{
	if (fio_said(o->value))
		r->said = *o;
	else
		r->entry->description = o->value;
}

static void set_filename(struct reading *r, const struct fio_option *o)
{
	r->filename = o->value ? o->value : "";
	r->filename_origin = o->origin;
}

static void set_name(struct reading *r, const struct fio_option *o)
{
	if (o->value && *o->value)
		r->entry->name = o->value;
	else
		problem(r, o, "name: expected a name");
}

static void set_directory(struct reading *r, const struct fio_option *o)
{
	r->directory = o->value ? o->value : "";
	if (!r->filename_origin)
		r->filename_origin = o->origin;
}

static void set_kb_base(struct reading *r, const struct fio_option *o)
{
	uint64_t v;

	if (o->value && !parse_u64(o->value, &v) && (v == 1000 || v == 1024))
		r->kb_base = (unsigned)v;
	else
		problem(r, o, "kb_base: allowed: 1000 or 1024");
}

/* Results of jobs are always kept apart. */
static void pass(struct reading *r, const struct fio_option *o)
{
	(void)on(r, o);
}

static void other(struct reading *r, const struct fio_option *o);

/* Of a job that iosweep wrote: the names that it gives anyway. */
static void set_filename_format(struct reading *r, const struct fio_option *o)
{
	if (!o->value || strcmp(o->value, FIO_IN_DIRECTORY) != 0)
		other(r, o);
}

/* Of the whole sweep: the sections are put together later. */
static void set_percentiles(struct reading *r, const struct fio_option *o)
{
	json_t *v = json_string(o->value ? o->value : "");

	if (fio_takes(r->c, o->origin, o->name, v))
		r->entry->percentiles = o->value;
	json_decref(v);
}

static const struct special {
	const char *name;
	void (*set)(struct reading *r, const struct fio_option *o);
} special[] = {
	{ "time_based", set_time_based },
	{ "stonewall", set_waits },
	{ "wait_for_previous", set_waits },
	{ "new_group", pass },
	{ "name", set_name },
	{ "description", set_description },
	{ "filename", set_filename },
	{ "directory", set_directory },
	{ "kb_base", set_kb_base },
	{ "filename_format", set_filename_format },
	{ "percentile_list", set_percentiles },
};

static const struct special *special_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(special); i++)
		if (!strcmp(special[i].name, name))
			return &special[i];
	return NULL;
}

/* --- axes and all the others --- */

static void set_axis(struct reading *r, const struct axis *a, const struct fio_option *o)
{
	json_t *v = fio_value(r->c, a, o, r->kb_base);

	if (a == &axes[AXIS_runtime] && json_is_integer(v) && !json_integer_value(v))
		json_decref(v); /* no limit */
	else if (v)
		(void)json_object_set_new(r->entry->axis, a->name, v);
}

/* Neither axis nor special: accepted as already so, or a problem. The settings of a sweep are
 * no options of fio. */
static void other(struct reading *r, const struct fio_option *o)
{
	if (!fio_takes_other(r->c, o)) {
		if (!strlist_has(&r->c->jobs->unsupported, o->name))
			strlist_add(&r->c->jobs->unsupported, o->name);
	} else if (setting_find(o->name)) {
		problem(r, o, "%.80s: no option of fio", o->name);
	}
}

/* --- the whole section --- */

static bool same(const char *a, const char *b)
{
	const struct axis *x = axis_find(a);

	return !strcmp(a, b) ||
	       (!special_find(a) && !special_find(b) && x && x == axis_find(b));
}

static bool repeated_later(const struct fio_section *s, size_t i)
{
	for (size_t k = i + 1; k < s->options; k++)
		if (same(s->option[i].name, s->option[k].name))
			return true;
	return false;
}

static bool listed(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',')
		if (strcspn(p, ",") == n && !strncmp(p, name, n))
			return true;
	return false;
}

static bool left_out(const struct reading *r, const struct fio_option *o)
{
	for (size_t i = 0; i < r->c->wishes->without->len; i++)
		if (listed(r->c->wishes->without->item[i], o->name)) {
			fio_note(r->c, "%s: %.80s: left out, as asked", o->origin, o->name);
			return true;
		}
	return false;
}

static void read_option(struct reading *r, const struct fio_option *o)
{
	const struct special *s = special_find(o->name);
	const struct axis *a = axis_find(o->name);

	if (left_out(r, o))
		return;
	if (s)
		s->set(r, o);
	else if (a)
		set_axis(r, a, o);
	else
		other(r, o);
}

/* kb_base holds for all, wherever it stands. */
static void read_options(struct reading *r, const struct fio_section *s)
{
	for (size_t i = 0; i < s->options; i++)
		if (!strcmp(s->option[i].name, "kb_base") && !repeated_later(s, i))
			read_option(r, &s->option[i]);
	for (size_t i = 0; i < s->options; i++)
		if (strcmp(s->option[i].name, "kb_base") != 0 && !repeated_later(s, i))
			read_option(r, &s->option[i]);
}

/* The last one of a name counts. */
static const char *option_of(const void *arg, const char *name)
{
	const struct fio_section *s = ((const struct reading *)arg)->section;

	for (size_t i = s->options; i-- > 0;)
		if (same(s->option[i].name, name))
			return s->option[i].value ? s->option[i].value : "";
	return NULL;
}

static void set_said(void *arg, const struct fio_said *s, bool holds)
{
	struct reading *r = arg;
	AUTO(freep) char *n = xstrdup(s->axis->name);
	AUTO(freep) char *v = xstrdup(s->configured);

	if (s->axis == &axes[AXIS_filename]) /* each section says its own */
		return;
	if (!holds)
		fio_note(r->c,
		         "%s: the job was changed after iosweep had written it: %s is what it says "
		         "now, and no more the '%.80s' of its description",
		         r->said.origin, n, v);
	else if (*v)
		set_axis(r, s->axis, &(struct fio_option){ n, v, r->said.origin });
	else
		(void)json_object_del(r->entry->axis, n);
}

/* What --sweep says of options that are no axis stands last. */
static void read_wishes(struct reading *r)
{
	static char origin[] = "--sweep";

	for (size_t i = 0; i < r->c->wishes->sweep->len; i++) {
		AUTO(freep) char *copy = xstrdup(r->c->wishes->sweep->item[i]);
		char *equals = strchr(copy, '=');
		struct fio_option o = { .name = copy, .origin = origin };

		if (!fio_sweep_is_option(copy))
			continue;
		if (equals) {
			*equals = '\0';
			o.value = equals + 1;
		}
		read_option(r, &o);
	}
}

static void set_target(struct reading *r)
{
	const char *origin = r->filename_origin ? r->filename_origin : r->section->origin;
	AUTO(text_fini) struct text path = { 0 };
	bool several;
	json_t *value;

	if (!r->filename)
		fio_note(
		    r->c, "[%.80s]: no filename: every job has a file of its own in %.200s",
		    r->section->name, r->directory ? r->directory : "the current directory");
	several = fio_target(r->filename, r->directory, &path);
	value = json_string(text_get(&path));
	if (!fio_takes(r->c, origin, "filename", value))
		several = false; /* host:/path */
	if (several)
		fio_problem(
		    r->c->jobs, origin,
		    "filename: '%.80s': in fio each job goes over several files in turn, which "
		    "is not "
		    "supported yet; --sweep filename=A,B measures one after the other, --sweep "
		    "'filename=[[\"A\",\"B\"]]' both at once with numjobs jobs on each; \\: is "
		    "a colon in a "
		    "name",
		    r->filename);
	(void)json_object_set_new(r->entry->axis, "filename", value);
}

static bool given(const struct fio_entry *e, enum axis_id a)
{
	return json_object_get(e->axis, axes[a].name) != NULL;
}

const struct fio_default fio_default[FIO_DEFAULTS] = {
	{ AXIS_rw, "read" },     { AXIS_ioengine, "psync" }, { AXIS_direct, "0" },
	{ AXIS_profile, "fio" }, { AXIS_ramp_time, "0" },
};

static void set_defaults(struct reading *r)
{
	AUTO(text_fini) struct text said = { 0 };

	for (size_t i = 0; i < FIO_DEFAULTS; i++) {
		const struct axis *a = &axes[fio_default[i].axis];

		if (given(r->entry, fio_default[i].axis) ||
		    (fio_default[i].axis == AXIS_ramp_time && !r->entry->timed))
			continue;
		(void)json_object_set_new(r->entry->axis, a->name,
		                          fio_plain(a, a->name, fio_default[i].value));
		text_addf(&said, " %s=%s", a->name, fio_default[i].value);
	}
	if (said.len)
		fio_note(r->c, "what a job does not say is as in fio:%s", text_get(&said));
}

/* Only a run of a set length has a ramp here; in fio it would use up part of size. */
static void check_ramp(struct reading *r)
{
	const struct axis *ramp = &axes[AXIS_ramp_time];
	const char *origin = r->section->origin;

	if (!json_integer_value(json_object_get(r->entry->axis, ramp->name)) &&
	    !json_is_string(json_object_get(r->entry->axis, ramp->name))) {
		(void)json_object_del(r->entry->axis, ramp->name);
		return;
	}
	for (size_t i = 0; i < r->section->options; i++)
		if (axis_find(r->section->option[i].name) == ramp)
			origin = r->section->option[i].origin;
	fio_problem(r->c->jobs, origin,
	            "ramp_time: without time_based the ramp uses up a part of size; loop until "
	            "runtime with --sweep "
	            "time_based=1, or leave it out with --without ramp_time");
}

static void set_length(struct reading *r)
{
	struct fio_entry *e = r->entry;

	e->timed = r->time_based && given(e, AXIS_runtime);
	if (r->time_based && !e->timed)
		fio_note(r->c,
		         "[%.80s]: time_based without runtime has no effect in fio: one pass "
		         "over size",
		         r->section->name);
	if (!r->time_based && given(e, AXIS_runtime))
		fio_note(r->c,
		         "[%.80s]: runtime without time_based only caps one pass over size, as "
		         "in fio; to loop for so "
		         "long: --sweep time_based=1",
		         r->section->name);
	if (!e->timed)
		check_ramp(r);
}

void fio_entry_read(const struct fio_context *c, const struct fio_section *s,
                    struct fio_entry *e)
{
	struct reading r = { .c = c, .section = s, .entry = e, .kb_base = 1024 };

	*e = (struct fio_entry){
		.section = s, .name = s->name, .axis = json_object(), .waits = s->waits
	};
	read_options(&r, s);
	if (r.said.value)
		fio_said_each(r.said.value, &(struct fio_said_job){ option_of, &r }, set_said, &r);
	read_wishes(&r);
	set_target(&r);
	set_length(&r);
	set_defaults(&r);
}
