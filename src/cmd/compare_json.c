#include "cmd/compare_json.h"

#include <math.h>

#include "cmd/json_value.h"

static void set_real(json_t *o, const char *key, double v)
{
	json_object_set_new(o, key, json_value_real(v));
}

static json_t *texts(const struct strlist *l)
{
	json_t *list = json_array();

	for (size_t i = 0; i < l->len; i++)
		json_array_append_new(list, json_value_text(l->item[i]));
	return list;
}

static json_t *value(const struct compare_axis *axis, uint32_t i)
{
	const char *text = axis->value.item[i];
	char *end;
	double v;

	if (!axis->ordered)
		return json_value_text(text);
	v = strtod(text, &end);
	return *text && !*end ? json_value_real(v) : json_null();
}

static json_t *cell(const struct compare_data *d, const struct compare_cell *c)
{
	static const char *const verdict[] = { "alone", "undecided", "same", "changed" };
	json_t *o = json_object();

	for (size_t a = 0; a < d->axes; a++)
		json_object_set_new(o, d->axis[a].name,
		                    value(&d->axis[a], d->value[c->cell * d->axes + a]));
	set_real(o, "a", c->mean[COMPARE_A]);
	set_real(o, "b", c->mean[COMPARE_B]);
	json_object_set_new(o, "n_a", json_value_count(c->runs[COMPARE_A]));
	json_object_set_new(o, "n_b", json_value_count(c->runs[COMPARE_B]));
	set_real(o, "ratio", exp(c->d));
	set_real(o, "low", exp(c->low));
	set_real(o, "high", exp(c->high));
	set_real(o, "p", c->p);
	set_real(o, "q", c->q);
	json_object_set_new(o, "verdict", json_string(verdict[c->verdict]));
	if (c->verdict == COMPARE_UNDECIDED)
		json_object_set_new(o, "more_repeats",
		                    c->more ? json_value_count(c->more) : json_null());
	return o;
}

static json_t *clusters(const struct compared *c)
{
	json_t *list = json_array();
	char what[512];

	for (size_t i = 0; i < c->clusters; i++) {
		const struct cluster *k = &c->cluster[i];
		json_t *o = json_object();

		cluster_text(what, sizeof(what), c->data, k);
		json_object_set_new(o, "cells_where", json_value_text(what));
		json_object_set_new(o, "cells", json_value_count(k->cells));
		json_object_set_new(o, "changed", json_value_count(k->changed));
		set_real(o, "ratio", exp(k->d));
		set_real(o, "low", exp(k->low));
		set_real(o, "high", exp(k->high));
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *shift(const struct comparison *f)
{
	json_t *o = json_object();

	set_real(o, "ratio", exp(f->shift));
	set_real(o, "low", exp(f->shift_low));
	set_real(o, "high", exp(f->shift_high));
	set_real(o, "pct", compare_percent(f->shift));
	return o;
}

static json_t *spread(const struct comparison *f)
{
	static const char *const source[] = { "unknown", "repeats", "differences" };
	json_t *o = json_object();

	set_real(o, "a_pct", 100 * f->spread[COMPARE_A]);
	set_real(o, "b_pct", 100 * f->spread[COMPARE_B]);
	set_real(o, "used_pct", 100 * f->used_spread);
	json_object_set_new(o, "from", json_string(source[f->source]));
	return o;
}

/* Rows of each side whose percentiles leave the submission out; null for other metrics. */
static json_t *percentiles(const struct compare_data *d)
{
	json_t *o;

	if (!d->percentile)
		return json_null();
	o = json_object();
	json_object_set_new(o, "clat_a", json_value_count(d->kinds[COMPARE_A].completion));
	json_object_set_new(o, "clat_b", json_value_count(d->kinds[COMPARE_B].completion));
	json_object_set_new(o, "comparable", json_boolean(compare_alike(d)));
	return o;
}

int compare_json(FILE *out, const struct compared *c)
{
	const struct comparison *f = c->found;
	json_t *root = json_object(), *list = json_array();
	int r;

	json_object_set_new(root, "schema_version", json_integer(1));
	json_object_set_new(root, "a", json_value_text(c->name[COMPARE_A]));
	json_object_set_new(root, "b", json_value_text(c->name[COMPARE_B]));
	json_object_set_new(root, "metric", json_string(c->data->metric));
	json_object_set_new(root, "environment", texts(&c->data->differs));
	json_object_set_new(root, "notes", texts(&c->data->note));
	json_object_set_new(root, "percentiles", percentiles(c->data));
	json_object_set_new(root, "runs_in_doubt", json_value_count(c->data->doubted));
	json_object_set_new(root, "only_a", json_value_count(f->only[COMPARE_A]));
	json_object_set_new(root, "only_b", json_value_count(f->only[COMPARE_B]));
	json_object_set_new(root, "spread", spread(f));
	json_object_set_new(root, "global_shift", shift(f));
	json_object_set_new(root, "changed", json_value_count(f->changed));
	json_object_set_new(root, "up", json_value_count(f->up));
	json_object_set_new(root, "down", json_value_count(f->down));
	json_object_set_new(root, "same", json_value_count(f->same));
	json_object_set_new(root, "undecided", json_value_count(f->undecided));
	json_object_set_new(root, "clusters", clusters(c));
	for (size_t i = 0; i < f->cells; i++)
		json_array_append_new(list, cell(c->data, &f->cell[i]));
	json_object_set_new(root, "cells", list);
	r = json_value_write(out, root);
	json_decref(root);
	return r;
}
