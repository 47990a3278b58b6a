#include "cmd/best_json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "cmd/json_value.h"
#include "model/axis.h"

static void set_real(json_t *o, const char *key, double v)
{
	json_object_set_new(o, key, json_value_real(v));
}

static json_t *choice(const struct best_choice *c)
{
	json_t *o = json_object();

	json_object_set_new(o, "bs", json_value_count(c->bs));
	json_object_set_new(o, "numjobs", json_value_count(c->numjobs));
	json_object_set_new(o, "iodepth", json_value_count(c->iodepth));
	json_object_set_new(o, "ioengine", json_value_text(c->engine));
	if (*c->rest)
		json_object_set_new(o, "rest", json_value_text(c->rest));
	return o;
}

static json_t *cell(const struct best_data *d, const struct best_group *g,
                    const struct best_cell *c)
{
	static const char *const op[BEST_OPS] = { "read", "write", "trim" };
	json_t *o = choice(&c->choice);
	char key[64];

	json_object_set_new(o, "runs", json_value_count(c->runs));
	set_real(o, d->metric, c->value[BEST_RATE]);
	set_real(o, "share_pct", 100 * exp(c->level - g->peak.level));
	set_real(o, "half_width_pct", 100 * c->value[BEST_HALF_WIDTH]);
	set_real(o, "bw_mib_s", c->value[BEST_BW]);
	set_real(o, "iops", c->value[BEST_IOPS]);
	set_real(o, "cpu_us_per_io", c->value[BEST_CPU]);
	set_real(o, "lat_p99_us", best_p99(c));
	for (int i = 0; i < BEST_OPS; i++) {
		if (isnan(c->value[BEST_MEAN + i]))
			continue;
		(void)snprintf(key, sizeof(key), "%s_lat_mean_us", op[i]);
		set_real(o, key, c->value[BEST_MEAN + i]);
		(void)snprintf(key, sizeof(key), "%s_lat_p99_us", op[i]);
		set_real(o, key, c->value[BEST_P99 + i]);
	}
	return o;
}

static json_t *limits(const struct best_data *d, const struct best_group *g)
{
	json_t *list = json_array();

	for (size_t l = 0; l < d->ask.limits; l++) {
		const struct best_met *m = &g->limit[l];
		json_t *o = m->met ? cell(d, g, &m->cell) : json_object();

		json_object_set_new(o, "limit", json_value_text(d->limit.item[l]));
		json_object_set_new(o, "met", json_boolean(m->met));
		json_object_set_new(o, "borderline", json_boolean(m->borderline));
		if (m->met)
			set_real(o, "value", m->cell.value[BEST_LIMIT + l]);
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *sizes(const struct best_data *d, const struct best_group *g)
{
	static const char *const reach[] = { "below", "borderline", "reaches" };
	json_t *list = json_array();

	for (size_t i = 0; i < g->sizes; i++) {
		json_t *o = cell(d, g, &g->size[i].best);

		set_real(o, "share_half_width_pct", 100 * g->size[i].half_width);
		json_object_set_new(o, "reach", json_string(reach[g->size[i].reach]));
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *front(const struct best_data *d, const struct best_group *g)
{
	json_t *list = json_array();

	for (size_t i = 0; i < g->fronts; i++)
		json_array_append_new(list, cell(d, g, &g->cell[g->front[i]]));
	return list;
}

static json_t *in_doubt(const struct best_data *d, const struct best_group *g)
{
	json_t *o;

	if (!*g->in_doubt.doubts)
		return json_null();
	o = choice(&g->in_doubt.choice);
	set_real(o, d->metric, g->in_doubt.value[BEST_RATE]);
	json_object_set_new(o, "doubts", json_value_text(g->in_doubt.doubts));
	return o;
}

/* A column of the group as what it is: axes that are numbers as numbers. */
static json_t *title(const char *column, const char *value)
{
	const struct axis *a = axis_find(column);
	uint64_t n;
	char *end;
	double real;

	if (!*value)
		return a ? json_null() : json_string("");
	if (!a || a->choice || a->kind == AXIS_TEXT)
		return json_value_text(value);
	if (!parse_u64(value, &n))
		return json_value_count(n);
	real = strtod(value, &end);
	return *end ? json_value_text(value) : json_value_real(real);
}

static json_t *group(const struct best_data *d, const struct best_group *g)
{
	json_t *o = json_object();
	bool any = g->cells;

	for (size_t c = 0; c < d->column.len; c++)
		json_object_set_new(o, d->column.item[c],
		                    title(d->column.item[c], d->title[g->group].value[c]));
	json_object_set_new(o, "runs", json_value_count(g->runs));
	json_object_set_new(o, "runs_in_doubt", json_value_count(g->doubted));
	json_object_set_new(o, "all_in_doubt", json_boolean(g->all_doubted));
	json_object_set_new(o, "choices", json_value_count(g->cells));
	set_real(o, "run_to_run_pct", 100 * g->spread);
	json_object_set_new(o, "peak", any ? cell(d, g, &g->peak) : json_null());
	json_object_set_new(o, "tied_with_peak", json_value_count(g->ties));
	json_object_set_new(o, "cheapest_tied",
	                    any ? cell(d, g, &g->cheapest_tie) : json_null());
	json_object_set_new(o, "rate_held",
	                    any && *g->peak.held ? json_value_text(g->peak.held)
	                                         : json_null());
	json_object_set_new(o, "sweet_spot",
	                    any && !*g->peak.held ? cell(d, g, &g->sweet) : json_null());
	json_object_set_new(o, "sizes", sizes(d, g));
	json_object_set_new(o, "limits", limits(d, g));
	json_object_set_new(o, "least_cpu",
	                    g->least_cpu.runs ? cell(d, g, &g->least_cpu) : json_null());
	json_object_set_new(o, "front", front(d, g));
	json_object_set_new(o, "better_but_in_doubt", in_doubt(d, g));
	return o;
}

int best_json(FILE *out, const struct best_data *d, const struct best_group *g, size_t n)
{
	json_t *root = json_object(), *groups = json_array();
	int r;

	json_object_set_new(root, "schema_version", json_integer(1));
	json_object_set_new(root, "metric", json_string(d->metric));
	set_real(root, "within", d->ask.within);
	for (size_t i = 0; i < n; i++)
		json_array_append_new(groups, group(d, &g[i]));
	json_object_set_new(root, "groups", groups);
	r = json_value_write(out, root);
	json_decref(root);
	return r;
}
