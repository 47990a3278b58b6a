#include "cmd/plan_json.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/units.h"
#include "cmd/json_value.h"
#include "model/direction.h"

#define DUMP (JSON_COMPACT | JSON_REAL_PRECISION(12))

static json_t *strings(const struct strlist *a, const struct strlist *b)
{
	json_t *list = json_array();

	for (size_t i = 0; i < a->len; i++)
		json_array_append_new(list, json_value_text(a->item[i]));
	for (size_t i = 0; b && i < b->len; i++)
		json_array_append_new(list, json_value_text(b->item[i]));
	return list;
}

static json_t *target(const struct target_info *t, const struct plan_need *need)
{
	json_t *o = json_object();

	json_object_set_new(o, "filename", json_value_text(t->filename));
	json_object_set_new(o, "path", json_value_text(t->path));
	json_object_set_new(o, "kind", json_string(target_kind_name(t->kind)));
	json_object_set_new(o, "problem", json_value_text(t->problem));
	json_object_set_new(o, "device", json_value_text(t->device));
	json_object_set_new(o, "serial", json_value_text(t->serial));
	json_object_set_new(o, "size_bytes", json_value_count(t->size_bytes));
	json_object_set_new(o, "fs", json_value_text(t->fs));
	json_object_set_new(o, "mount_point", json_value_text(t->mount_point));
	json_object_set_new(o, "free_bytes",
	                    t->free_bytes == FREE_UNKNOWN ? json_null()
	                                                  : json_value_count(t->free_bytes));
	json_object_set_new(o, "offset_align", json_value_count(t->offset_align));
	json_object_set_new(o, "unwritten", json_boolean(t->unwritten));
	json_object_set_new(o, "used", json_boolean(need->used));
	json_object_set_new(o, "reads", json_boolean(need->reads));
	json_object_set_new(o, "writes", json_boolean(need->writes));
	json_object_set_new(o, "needs_bytes", json_value_count(need->size_bytes));
	json_object_set_new(o, "needs_files", json_value_count(need->files));
	return o;
}

static json_t *reasons(const struct plan *p)
{
	json_t *list = json_array();

	for (size_t i = 0; i < p->reasons; i++)
		json_array_append_new(
		    list, json_pack("{s:s,s:o,s:s}", "reason", p->reason[i].reason, "count",
		                    json_value_count(p->reason[i].count), "by",
		                    p->reason[i].by_machine ? "machine" : "config"));
	return list;
}

static json_t *known(const struct plan *p, uint64_t v)
{
	return p->enumerated ? json_value_count(v) : json_null();
}

static json_t *coverage(const struct prepared *pr, const struct coverage *c)
{
	json_t *o = json_object(), *parts = json_array();
	char until[40];

	json_object_set_new(o, "until",
	                    json_string(clock_utc(until, sizeof(until), c->until_wall_ns)));
	json_object_set_new(o, "runs", json_value_count(c->covered));
	json_object_set_new(o, "of_runs", json_value_count(c->runs));
	json_object_set_new(o, "combinations", json_value_count(c->touched));
	json_object_set_new(o, "of_combinations", json_value_count(c->combinations));
	for (size_t i = 0; i < c->parts; i++) {
		const struct coverage_part *part = &c->part[i];

		json_array_append_new(
		    parts,
		    json_pack("{s:o,s:s,s:o,s:o}", "filename",
		              json_value_text(pr->world.target[part->target].filename), "rw",
		              rw_name(part->rw), "runs", json_value_count(part->covered),
		              "of_runs", json_value_count(part->runs)));
	}
	json_object_set_new(o, "parts", parts);
	return o;
}

static json_t *document(const struct prepared *pr, const struct coverage *c)
{
	const struct plan *p = pr->plan;
	json_t *o = json_object(), *targets = json_array();

	json_object_set_new(o, "product", json_value_count(p->product));
	json_object_set_new(o, "merged", known(p, p->merged));
	json_object_set_new(o, "excluded", known(p, p->excluded));
	json_object_set_new(o, "combinations", known(p, p->combinations));
	json_object_set_new(o, "runs", known(p, p->runs));
	json_object_set_new(o, "skipped", reasons(p));
	json_object_set_new(
	    o, "estimate_s",
	    p->unbounded ? json_null()
			 : json_value_real(p->estimate_s + pr->layout_s + pr->precondition_s));
	json_object_set_new(
	    o, "expected_s",
	    p->unbounded ? json_null()
			 : json_value_real(p->expected_s + pr->layout_s + pr->precondition_s));
	json_object_set_new(o, "sentinels", json_value_count(p->sentinels));
	json_object_set_new(o, "sentinel_s", json_value_real(p->sentinel_s));
	json_object_set_new(o, "pilots", json_value_count(p->pilots));
	json_object_set_new(o, "pilot_s", json_value_real(p->pilot_s));
	json_object_set_new(o, "simulated_s",
	                    json_value_real(p->simulated_s + pr->precondition_simulated_s));
	json_object_set_new(o, "precondition_s", json_value_real(pr->precondition_s));
	json_object_set_new(o, "precondition_bytes", json_value_real(pr->precondition_bytes));
	if (c)
		json_object_set_new(o, "in_time", coverage(pr, c));
	json_object_set_new(o, "write_s",
	                    p->unbounded ? json_null() : json_value_real(p->write_s));
	json_object_set_new(o, "unbounded", json_boolean(p->unbounded));
	json_object_set_new(o, "layout_bytes", json_value_count(pr->layout_bytes));
	for (size_t i = 0; i < pr->world.targets; i++)
		if (pr->world.target[i].kind != TARGET_SET) /* its members are there */
			json_array_append_new(targets, target(&pr->world.target[i], &p->need[i]));
	json_object_set_new(o, "targets", targets);
	json_object_set_new(o, "notes", strings(&pr->sweep->notes, &p->notes));
	json_object_set_new(o, "warnings", strings(&pr->warnings, NULL));
	json_object_set_new(o, "refusals", strings(&pr->refusals, NULL));
	json_object_set_new(o, "shortages", strings(&pr->shortages, NULL));
	return o;
}

static json_t *axis_json(const struct axis *a, const struct plan_row *row)
{
	uint64_t v = axis_value(a, &row->job);
	char pair[64];

	if (a->kind == AXIS_TEXT && *axis_text(a, &row->text))
		return json_value_text(axis_text(a, &row->text));
	if (v == AXIS_UNSET)
		return json_null();
	if (a->kind == AXIS_SIGNED)
		return json_integer((json_int_t)v);
	if (a->kind == AXIS_ENUM)
		return json_string(a->choice(v));
	if (direction_differs(a, v)) {
		axis_print(a, v, pair, sizeof(pair));
		return json_string(pair);
	}
	return a->kind == AXIS_TIME ? json_value_real((double)v / 1e9) : json_value_count(v);
}

static void print_row(const struct plan_row *row, uint64_t i)
{
	json_t *o = json_object();

	json_object_set_new(o, "run", json_value_count(i + 1));
	json_object_set_new(o, "combination", json_string(row->key.id));
	json_object_set_new(o, "repeat", json_value_count(row->repeat));
	json_object_set_new(o, "label", json_value_text(row->label));
	for (size_t a = 0; a < AXIS_COUNT; a++)
		json_object_set_new(o, axes[a].name, axis_json(&axes[a], row));
	if (row->skip.skipped) {
		json_object_set_new(o, "skipped", json_string(row->skip.reason));
		json_object_set_new(o, "why", json_value_text(row->skip.text));
	}
	(void)json_dumpf(o, stdout, DUMP);
	json_decref(o);
}

void plan_json_print(const struct prepared *p, const struct coverage *c, bool list)
{
	json_t *doc = document(p, c);
	char *text = json_dumps(doc, DUMP);

	json_decref(doc);
	if (!text)
		return;
	/* The list is streamed into the document's end: it may have a million rows. */
	(void)fwrite(text, 1, strlen(text) - 1, stdout);
	free(text);
	if (list) {
		struct plan_row row;

		(void)fputs(",\"list\":[", stdout);
		for (uint64_t i = 0; i < p->plan->runs; i++) {
			plan_row(p->plan, i, &row);
			(void)fputs(i ? ",\n" : "\n", stdout);
			print_row(&row, i);
		}
		(void)fputs("]", stdout);
	}
	(void)puts("}");
}
