/* fio/job_value.c: the values of options, in the words of a config. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "config/config.h"
#include "config/settings.h"
#include "fio/job_entry.h"
#include "fio/job_units.h"

void fio_note(const struct fio_context *c, const char *fmt, ...)
{
	char line[1024], shown[1024];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	text_printable(shown, sizeof(shown), line);
	if (!strlist_has(c->notes, shown))
		strlist_add(c->notes, shown);
}

bool fio_takes(const struct fio_context *c, const char *origin, const char *key,
               const json_t *value)
{
	AUTO(strlist_fini) struct strlist problems = { 0 };
	bool ok = config_takes(origin, key, value, &problems, c->notes);

	for (size_t i = 0; i < problems.len; i++) /* every section has those of [global] */
		if (!strlist_has(&c->jobs->problems, problems.item[i]))
			strlist_add(&c->jobs->problems, problems.item[i]);
	return ok;
}

bool fio_takes_other(const struct fio_context *c, const struct fio_option *o)
{
	json_t *said = o->value ? json_string(o->value) : json_true();
	bool ok = fio_takes(c, o->origin, o->name, said);

	json_decref(said);
	return ok;
}

/* "READ,WRITE,TRIM": what is trimmed is as large as what is written. */
static void drop_trims(struct text *value)
{
	char *comma = value->len ? strchr(value->s, ',') : NULL;

	comma = comma ? strchr(comma + 1, ',') : NULL;
	if (comma) {
		*comma = '\0';
		value->len = (size_t)(comma - value->s);
	}
}

/* The value in the words of iosweep; false after a problem. */
static bool translate(const struct fio_context *c, const struct axis *a,
                      const struct fio_option *o, unsigned kb_base, struct text *out)
{
	const char *v = o->value ? o->value : a->kind == AXIS_BOOL ? "1" : "";
	bool bytes = a->kind != AXIS_INT && a->kind != AXIS_PERCENT && a->kind != AXIS_TIME;
	int changed;

	if (fio_has_numbers(a) && fio_cut_short(v)) {
		fio_problem(
		    c->jobs, o->origin,
		    "%.80s: '%.80s': fio takes whole numbers and reads this as %.*s; write "
		    "it without the point",
		    o->name, v, (int)strspn(v, "0123456789"), v);
		return false;
	}
	changed = fio_numbers(a, v, kb_base, out);
	if (a->directions)
		drop_trims(out);
	if (changed < 0)
		fio_problem(c->jobs, o->origin, "%.80s: '%.80s': too large", o->name, v);
	else if (changed)
		fio_note(c, "%s: %.80s: '%.80s' in fio is %.80s%s, and so it is here",
		         o->origin, o->name, v, text_get(out), bytes ? " bytes" : "");
	return changed >= 0;
}

json_t *fio_plain(const struct axis *a, const char *key, const char *text)
{
	bool number = a->kind == AXIS_INT || a->kind == AXIS_BOOL || a->kind == AXIS_PERCENT;
	uint64_t v;

	if (number && !strchr(text, ',') && !axis_parse(a, key, text, &v, NULL) &&
	    v <= INT64_MAX)
		return json_integer((json_int_t)v);
	if (a->kind == AXIS_TIME && !parse_u64(text, &v) && v <= INT64_MAX)
		return json_integer((json_int_t)v);
	return json_string(text);
}

/* "8k,4k": the last is that of the others too; nothing after a comma is the default. NULL after
 * a problem. */
static json_t *sizes_object(const struct fio_context *c, const struct fio_option *o,
                            const char *text)
{
	static const char *const direction[] = { "read", "write", "trim" };
	json_t *sizes = json_object();
	size_t n = 0;

	for (const char *p = text;; p++, n++) {
		size_t len = strcspn(p, ",");

		if (n == ARRAY_SIZE(direction)) {
			fio_problem(c->jobs, o->origin,
			            "%.80s: '%.80s': expected READ,WRITE,TRIM", o->name, text);
			json_decref(sizes);
			return NULL;
		}
		if (len || n)
			(void)json_object_set_new(sizes, direction[n],
			                          len ? json_stringn(p, len)
			                              : json_string(axes[AXIS_bs].def));
		p += len;
		if (!*p)
			return sizes;
	}
}

json_t *fio_value(const struct fio_context *c, const struct axis *a, const struct fio_option *o,
                  unsigned kb_base)
{
	AUTO(text_fini) struct text text = { 0 };
	json_t *said, *v = NULL;
	bool no_limit;

	if (!translate(c, a, o, kb_base, &text))
		return NULL;
	no_limit = a == &axes[AXIS_runtime] && !strcmp(text_get(&text), "0");
	if (a == &axes[AXIS_bs] && strchr(text_get(&text), ',')) {
		v = sizes_object(c, o, text_get(&text));
		if (v && fio_takes(c, o->origin, o->name, v))
			return v;
		json_decref(v);
		return NULL;
	}
	if (strchr(text_get(&text), ',') && !a->directions && a->kind != AXIS_TEXT) {
		fio_problem(
		    c->jobs, o->origin,
		    "%.80s: '%.80s': expected one value, for reads and writes alike; several "
		    "are swept by --sweep %s=%.80s",
		    o->name, o->value, a->name, text_get(&text));
		return NULL;
	}
	said = json_string(text_get(&text));
	if (no_limit || fio_takes(c, o->origin, o->name, said))
		v = fio_plain(a, o->name, text_get(&text));
	json_decref(said);
	return v;
}

/* "\\:" is a colon in a name, ":" alone divides several. */
static bool add_path(const char *text, struct text *path)
{
	bool several = false;

	for (const char *p = text; *p; p++) {
		several |= *p == ':';
		p += *p == '\\' && p[1] == ':';
		text_addn(path, p, 1);
	}
	return several;
}

bool fio_target(const char *filename, const char *directory, struct text *path)
{
	if (directory)
		text_addf(path, "%s%s", directory, filename ? "/" : "");
	return add_path(filename ? filename : directory ? "" : ".", path);
}

/* --- of a job that ran: what is wrong with it is no matter any more --- */

bool fio_value_ran(const struct axis *a, const struct fio_option *o, unsigned kb_base,
                   uint64_t *out, char **text)
{
	AUTO(strlist_fini) struct strlist notes = { 0 };
	struct fio_jobs jobs = { 0 };
	json_t *v = fio_value(&(struct fio_context){ .jobs = &jobs, .notes = &notes }, a, o, kb_base);
	bool ok = v != NULL;

	*out = AXIS_UNSET;
	*text = NULL;
	if (a != &axes[AXIS_runtime] || !json_is_integer(v) || json_integer_value(v))
		ok = v && config_value(a->name, v, out, text);
	json_decref(v);
	fio_jobs_fini(&jobs);
	return ok;
}

bool fio_makes_no_difference(const struct fio_option *o)
{
	AUTO(strlist_fini) struct strlist notes = { 0 };
	struct fio_jobs jobs = { 0 };
	bool ok = fio_takes_other(&(struct fio_context){ .jobs = &jobs, .notes = &notes }, o);

	fio_jobs_fini(&jobs);
	return ok && !setting_find(o->name);
}
