/* fio/job_import.c: sections to one config: axes when they form a product, else entries of
 * include. */
#include "fio/job_import.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "config/config.h"
#include "fio/job_entry.h"
#include "model/axis.h"

/* What becomes of the sections. */
struct import {
	struct fio_context c;
	struct fio_entry *entry;
	size_t entries;
	size_t changes[AXIS_COUNT]; /* how often its value is another than that of the section
	                               before */
	json_t *config;
};

static bool chosen(const struct import *m, const struct fio_section *s)
{
	const struct strlist *only = m->c.wishes->section;

	return !only->len || strlist_has(only, s->name);
}

static void check_chosen(const struct import *m)
{
	const struct strlist *only = m->c.wishes->section;

	for (size_t i = 0; i < only->len; i++) {
		bool found = false;

		for (size_t k = 0; !found && k < m->c.jobs->sections; k++)
			found = !strcmp(m->c.jobs->section[k].name, only->item[i]);
		if (!found)
			fio_problem(m->c.jobs, "--section", "'%.80s': no section has this name",
			            only->item[i]);
	}
}

static void read_sections(struct import *m)
{
	m->entry = xcalloc(m->c.jobs->sections, sizeof(*m->entry));
	for (size_t i = 0; i < m->c.jobs->sections; i++)
		if (chosen(m, &m->c.jobs->section[i]))
			fio_entry_read(&m->c, &m->c.jobs->section[i], &m->entry[m->entries++]);
	if (!m->entries && !m->c.jobs->problems.len)
		fio_problem(m->c.jobs, "import-job", "no [section] in it");
}

/* One list for the sweep: those of all sections, where these differ. */
static void put_percentiles(struct import *m)
{
	AUTO(text_fini) struct text all = { 0 };
	struct strlist lists = { 0 };
	size_t with = 0;

	for (size_t i = 0; i < m->entries; i++) {
		const char *list = m->entry[i].percentiles;

		with += list != NULL;
		if (!list || strlist_has(&lists, list))
			continue;
		strlist_add(&lists, list);
		text_addf(&all, "%s%s", all.len ? ":" : "", list);
	}
	if (with && (lists.len > 1 || with < m->entries))
		fio_note(&m->c, "percentile_list is one for a whole sweep: all of it has %s",
		         text_get(&all));
	if (with)
		(void)json_object_set_new(m->config, "percentile_list",
		                          json_string(text_get(&all)));
	strlist_fini(&lists);
}

/* Do they differ in their target alone? */
static bool differ_in_target(const struct fio_entry *a, const struct fio_entry *b)
{
	const char *target = axes[AXIS_filename].name;
	json_t *x = json_copy(a->axis), *y = json_copy(b->axis);
	bool same;

	(void)json_object_del(x, target);
	(void)json_object_del(y, target);
	same = a->timed == b->timed && json_equal(x, y);
	json_decref(x);
	json_decref(y);
	return same;
}

/* Is the target of `e` none of those of `first`? Then it is now. */
static bool add_target(struct fio_entry *first, const struct fio_entry *e)
{
	const char *key = axes[AXIS_filename].name;
	json_t *one = json_object_get(e->axis, key), *all = json_object_get(first->axis, key),
	       *set;
	size_t i;
	json_t *item;

	if (!json_is_array(all)) { /* a list of one value, which is a list of targets */
		all = json_pack("[[O]]", all);
		(void)json_object_set_new(first->axis, key, all);
	}
	set = json_array_get(all, 0);
	json_array_foreach(set, i, item)
	{
		if (json_equal(item, one))
			return false;
	}
	return !json_array_append(set, one);
}

/* Sections that fio runs at the same time, the same on another target each, are one over all of
 * these. */
static void join_targets(struct import *m)
{
	size_t kept = 0;

	for (size_t i = 0; i < m->entries; i++) {
		struct fio_entry *e = &m->entry[i], *first = kept ? &m->entry[kept - 1] : NULL;

		if (!first || e->waits || !differ_in_target(first, e) ||
		    !add_target(first, e)) {
			m->entry[kept++] = *e;
			continue;
		}
		fio_note(&m->c,
		         "%s: [%.80s] runs at the same time as [%.80s], on another target: one "
		         "combination over both",
		         e->section->origin, e->section->name, first->section->name);
		json_decref(e->axis);
	}
	m->entries = kept;
}

/* Here every section is measured by itself, and the way they end is one for all. */
static void check_together(struct import *m)
{
	for (size_t i = 1; i < m->entries; i++) {
		const struct fio_entry *e = &m->entry[i], *first = &m->entry[0];

		if (!e->waits)
			fio_problem(m->c.jobs, e->section->origin,
			            "[%.80s] runs at the same time as [%.80s] in fio, and here "
			            "each is measured by itself; if "
			            "that is wanted: --sweep stonewall=1, or choose with "
			            "--section NAME",
			            e->section->name, m->entry[i - 1].section->name);
		if (e->timed != first->timed)
			fio_problem(m->c.jobs, e->section->origin,
			            "[%.80s] %s, [%.80s] %s: that is one for a whole sweep; "
			            "choose with --section NAME, or "
			            "--sweep time_based=1",
			            e->section->name,
			            e->timed ? "loops until runtime" : "ends with size",
			            first->section->name,
			            first->timed ? "loops until runtime" : "ends with size");
	}
}

/* --- which axes differ --- */

static const json_t *value_of(const struct fio_entry *e, size_t axis)
{
	return json_object_get(e->axis, axes[axis].name);
}

static bool equal(const json_t *a, const json_t *b)
{
	return a == b || (a && b && json_equal(a, b));
}

static void count_changes(struct import *m)
{
	for (size_t a = 0; a < AXIS_COUNT; a++) {
		m->changes[a] = 0;
		for (size_t i = 1; i < m->entries; i++)
			m->changes[a] +=
			    !equal(value_of(&m->entry[i - 1], a), value_of(&m->entry[i], a));
	}
}

static bool seen_before(const struct import *m, size_t axis, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (equal(value_of(&m->entry[k], axis), value_of(&m->entry[i], axis)))
			return true;
	return false;
}

static bool same_entry(const struct fio_entry *a, const struct fio_entry *b)
{
	return json_equal(a->axis, b->axis);
}

/* Do the sections hold every combination of what differs, once each? */
static bool is_product(const struct import *m)
{
	size_t product = 1;

	for (size_t a = 0; a < AXIS_COUNT; a++) {
		size_t values = 0;

		if (!m->changes[a])
			continue;
		for (size_t i = 0; i < m->entries; i++) {
			if (!value_of(&m->entry[i],
			              a)) /* left out: it has no list to stand in */
				return false;
			values += !seen_before(m, a, i);
		}
		if (__builtin_mul_overflow(product, values, &product))
			return false;
	}
	for (size_t i = 0; i < m->entries; i++)
		for (size_t k = 0; k < i; k++)
			if (same_entry(&m->entry[i], &m->entry[k]))
				return false;
	return product == m->entries;
}

static bool all_same(const struct import *m)
{
	for (size_t a = 0; a < AXIS_COUNT; a++)
		if (m->changes[a])
			return false;
	return true;
}

/* --- the config --- */

static bool is_list(const json_t *v)
{
	return json_is_array(v) || json_object_get(v, "from");
}

static void put_common(struct import *m, bool scalars_only)
{
	for (size_t a = 0; a < AXIS_COUNT; a++) {
		const json_t *v = value_of(&m->entry[0], a);

		if (v && !m->changes[a] && !(scalars_only && is_list(v)))
			(void)json_object_set(m->config, axes[a].name, (json_t *)(uintptr_t)v);
	}
}

static json_t *list_of(const struct import *m, size_t axis)
{
	json_t *list = json_array();

	for (size_t i = 0; i < m->entries; i++) {
		json_t *v = (json_t *)(uintptr_t)value_of(&m->entry[i], axis);

		if (!seen_before(m, axis, i))
			(void)json_array_append(list,
			                        json_is_array(v) ? json_array_get(v, 0) : v);
	}
	return list;
}

/* What changes least is outermost, so that the combinations follow each other as the sections
 * do. */
static void put_product(struct import *m)
{
	AUTO(text_fini) struct text names = { 0 };

	for (size_t most = 1; most < m->entries; most++)
		for (size_t a = 0; a < AXIS_COUNT; a++)
			if (m->changes[a] == most) {
				(void)json_object_set_new(m->config, axes[a].name,
				                          list_of(m, a));
				text_addf(&names, "%s%s", names.len ? " x " : "", axes[a].name);
			}
	fio_note(&m->c, "the %zu sections are the product %s: their names are not kept",
	         m->entries, text_get(&names));
}

/* Without rw above there is no product beside the entries; what is a list must stand in each.
 */
static json_t *entry_of(const struct import *m, size_t i)
{
	json_t *o = json_object();

	(void)json_object_set_new(o, "name", json_string(m->entry[i].name));
	for (size_t a = 0; a < AXIS_COUNT; a++) {
		const json_t *v = value_of(&m->entry[i], a);

		if (v && (m->changes[a] || is_list(v) || a == AXIS_rw))
			(void)json_object_set(o, axes[a].name, (json_t *)(uintptr_t)v);
	}
	return o;
}

static void put_include(struct import *m)
{
	json_t *list = json_array();

	(void)json_object_del(m->config, axes[AXIS_rw].name);
	for (size_t i = 0; i < m->entries; i++)
		(void)json_array_append_new(list, entry_of(m, i));
	(void)json_object_set_new(m->config, "include", list);
}

static void put_description(struct import *m)
{
	AUTO(text_fini) struct text t = { 0 };

	for (size_t i = 0; i < m->entries; i++) {
		const char *d = m->entry[i].description;

		if (d && (!i || !m->entry[i - 1].description ||
		          strcmp(d, m->entry[i - 1].description) != 0))
			text_addf(&t, "%s%s", t.len ? "; " : "", d);
	}
	if (t.len)
		(void)json_object_set_new(m->config, "description", json_string(text_get(&t)));
}

static void put_name(struct import *m)
{
	AUTO(freep) char *name = config_default_name(m->c.wishes->name);

	(void)json_object_set_new(m->config, "name", json_string(name));
}

static void set_if_new(json_t *config, const char *key, json_t *value)
{
	if (!json_object_get(config, key))
		(void)json_object_set(config, key, value);
	json_decref(value);
}

/* fio would measure it again; a combination stands once in a plan. */
static void note_equals(const struct import *m)
{
	for (size_t i = 0; i < m->entries; i++)
		for (size_t k = 0; k < i; k++)
			if (same_entry(&m->entry[i], &m->entry[k])) {
				fio_note(&m->c,
				         "%s: [%.80s] is the same as [%.80s]: one combination, "
				         "measured once; `repeats` measures all of them again",
				         m->entry[i].section->origin, m->entry[i].name,
				         m->entry[k].name);
				break;
			}
}

static void put_all(struct import *m)
{
	bool repeated, several, product;

	put_name(m);
	put_description(m);
	count_changes(m);
	repeated = m->entries > 1 && all_same(m);
	fio_sweep_apply(&m->c, m->entry, m->entries, m->config);
	count_changes(m);
	several = !all_same(m);
	product = several && is_product(m);
	put_common(m, several && !product);
	if (product)
		put_product(m);
	else if (several)
		put_include(m);
	if (several)
		note_equals(m);
	if (repeated)
		set_if_new(m->config, "repeats", json_integer((json_int_t)m->entries));
	if (several && !m->c.wishes->sweep->len)
		set_if_new(m->config, "order", json_string("listed"));
	set_if_new(m->config, "benchmark_type",
	           json_string(m->entry[0].timed ? "time" : "size"));
}

/* A last look at the whole, as `plan` will take it; and one key per line. */
static void finish(struct import *m, struct text *config)
{
	AUTO(freep) char *text = json_dumps(m->config, 0);
	const char *name = m->c.wishes->name;
	struct config_source src = { .path = name ? name : "import-job", .text = text };
	AUTO(sweep_freep) struct sweep *sweep = NULL;

	if (!config_load(&sweep, &src, &m->c.jobs->problems))
		text_add(config, sweep->config_text);
}

int fio_jobs_import(struct fio_jobs *j, const struct fio_wishes *w, struct text *config,
                    struct strlist *notes)
{
	struct import m = { .c = { j, w, notes }, .config = json_object() };

	check_chosen(&m);
	read_sections(&m);
	put_percentiles(&m);
	join_targets(&m);
	check_together(&m);
	if (!j->problems.len)
		put_all(&m);
	if (!j->problems.len)
		finish(&m, config);
	for (size_t i = 0; i < m.entries; i++)
		json_decref(m.entry[i].axis);
	free(m.entry);
	json_decref(m.config);
	return j->problems.len ? -EINVAL : 0;
}
