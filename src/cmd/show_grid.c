#include "cmd/show_grid.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cmd/grid.h"
#include "cmd/query.h"
#include "config/config.h"
#include "plan/plan.h"
#include "sink/cell.h"

struct known { /* a run by what the plan calls it */
	uint8_t key[KEY_BYTES];
	uint64_t repeat;
	enum grid_state state;
};

struct known_list {
	struct known *item;
	size_t len;
};

/* --- how the runs stand --- */

static enum grid_state state_of(const char *status, bool doubted, bool live)
{
	if (!strcmp(status, status_name(STATUS_OK)))
		return doubted ? GRID_DOUBTED : GRID_DONE;
	if (!strcmp(status, status_name(STATUS_FAILED)) ||
	    !strcmp(status, status_name(STATUS_TIMEOUT)))
		return GRID_FAILED;
	if (!strcmp(status, status_name(STATUS_SKIPPED)))
		return GRID_SKIPPED;
	return live && !strcmp(status, status_name(STATUS_RUNNING)) ? GRID_NOW : GRID_LEFT;
}

static int compare_known(const void *a, const void *b)
{
	const struct known *x = a, *y = b;
	int d = memcmp(x->key, y->key, KEY_BYTES);

	return d ? d : (x->repeat > y->repeat) - (x->repeat < y->repeat);
}

static int load_known(struct known_list *l, struct store *s, bool live, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	int rc = rows_open(
	    &r, s,
	    "SELECT c.key, r.repeat, v.status, v.doubted FROM "
	    "(SELECT run, status, max(doubts <> '') AS doubted FROM results GROUP BY run "
	    "UNION ALL SELECT id, status, 0 FROM run WHERE status = 'running' AND purpose = "
	    "'grid') AS v "
	    "JOIN run AS r ON r.id = v.run JOIN combination AS c ON c.id = r.combination_id "
	    "ORDER BY c.key, r.repeat, r.id",
	    e);

	if (rc)
		return rc;
	while ((rc = rows_next(r, e)) == 1) {
		struct known k = { .repeat = (uint64_t)rows_int(r, 1),
			           .state =
			               state_of(rows_text(r, 2), rows_int(r, 3) != 0, live) };
		size_t size;
		const void *key = rows_blob(r, 0, &size);

		if (size != KEY_BYTES)
			return err_set(e, -EBADMSG, "damaged: a combination without a key");
		memcpy(k.key, key, KEY_BYTES);
		if ((l->len & (l->len + 1)) == 0) /* grow at 0, 1, 3, 7, ... */
			l->item = xrealloc(l->item, 2 * (l->len + 1), sizeof(*l->item));
		/* A new attempt under way stands for the one before. */
		if (l->len && !compare_known(&l->item[l->len - 1], &k))
			l->len--;
		l->item[l->len++] = k;
	}
	return rc;
}

/* Those of one combination; what is not known is left. */
static void count_states(uint32_t runs[GRID_STATES], const struct known_list *l,
                         const struct combination_key *key, uint64_t repeats)
{
	uint64_t left = repeats;
	size_t low = 0, high = l->len;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (memcmp(l->item[middle].key, key->bytes, KEY_BYTES) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < l->len && !memcmp(l->item[low].key, key->bytes, KEY_BYTES); low++)
		if (l->item[low].repeat && l->item[low].repeat <= repeats) {
			runs[l->item[low].state]++;
			left--;
		}
	runs[GRID_LEFT] += (uint32_t)(left < UINT32_MAX / 2 ? left : UINT32_MAX / 2);
}

/* --- by the plan: the config and the targets as the database has them --- */

/* Nothing here is looked at: what a machine lets run is no question of which combinations there
 * are. */
static void world_of(struct world *w, const struct sweep *sweep, struct store *s)
{
	*w = (struct world){ .targets = sweep->target.len };
	w->target = xcalloc(w->targets, sizeof(*w->target));
	w->limits = (struct limits){ .memory_total = INT64_MAX,
		                     .memory_available = INT64_MAX,
		                     .aio_max_nr = INT64_MAX,
		                     .memlock = UINT64_MAX,
		                     .threads_max = INT64_MAX,
		                     .nofile = INT64_MAX,
		                     .page_size = 4096 };
	for (size_t i = 0; i < w->targets; i++)
		if (store_get_target(s, sweep->target.item[i], &w->target[i], NULL))
			w->target[i].kind = TARGET_NOT_NEEDED;
}

static int load_sweep(struct sweep **out, struct store *s)
{
	AUTO(strlist_fini) struct strlist problems = { 0 };
	AUTO(strlist_fini) struct strlist sets = { 0 };
	const char *engine = store_get(s, "default_ioengine");
	struct config_source src = {
		.path = "config", .text = store_get(s, "config"), .sets = &sets, .blind = true
	};

	if (!src.text)
		return -ENOENT;
	if (engine)
		strlist_addf(&sets, "ioengine=%s", engine);
	return config_load(out, &src, &problems);
}

static bool may_vary(const struct sweep *s, size_t a)
{
	const uint64_t first = s->axis[a].len ? s->axis[a].val[0] : AXIS_UNSET;

	if (s->axis[a].len > 1)
		return true;
	for (size_t i = 0; i < s->includes; i++) {
		const struct axis_values *own = &s->include[i].axis[a];

		if (own->len > 1 || (own->len && (!s->base_product || own->val[0] != first)))
			return true;
	}
	return false;
}

struct walk {
	const struct plan *plan;
	const struct known_list *known;
	bool varies[AXIS_COUNT];
};

static bool add_combination(struct grid *g, const struct walk *w, const struct plan_row *row)
{
	const struct sweep *sweep = w->plan->sweep;
	const char *value[AXIS_COUNT] = { NULL };
	uint32_t runs[GRID_STATES] = { 0 };
	char text[AXIS_COUNT][64];

	for (size_t a = 0; a < AXIS_COUNT; a++) {
		uint64_t v = axis_value(&axes[a], &row->job);

		if (!w->varies[a])
			continue;
		if (axes[a].kind == AXIS_TEXT) {
			const char *of = sweep_text(sweep, &axes[a], v);

			value[a] = of ? of : "";
		} else {
			axis_print(&axes[a], v, text[a], sizeof(text[a]));
			value[a] = text[a];
		}
	}
	count_states(runs, w->known, &row->key, sweep->repeats);
	return grid_add(g, value, runs);
}

/* false: there is no plan to be had, or it is too large. */
static bool by_plan(struct grid *g, struct store *s, const struct known_list *l)
{
	AUTO(sweep_freep) struct sweep *sweep = NULL;
	AUTO(plan_freep) struct plan *plan = NULL;
	AUTO(freep) struct plan_row *row = xcalloc(1, sizeof(*row));
	struct walk walk = { .known = l };
	struct world w = { 0 };
	bool ok = !load_sweep(&sweep, s);

	if (!ok)
		return false;
	world_of(&w, sweep, s);
	ok = !plan_new(&plan, sweep, &w, GRID_CELLS_MAX, NULL) && plan->enumerated;
	walk.plan = plan;
	for (size_t a = 0; ok && a < AXIS_COUNT; a++)
		walk.varies[a] = may_vary(sweep, a);
	for (uint64_t i = 0; ok && i < plan->combinations; i++) {
		plan_cell(plan, i, row);
		ok = add_combination(g, &walk, row);
	}
	free(w.target);
	return ok;
}

/* --- by the rows alone --- */

static int by_rows(struct grid *g, struct store *s, struct err *e)
{
	AUTO(text_fini) struct text list = { 0 };
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(rows_closep) struct rows *r = NULL;
	size_t column[AXIS_COUNT], n = 0;
	int rc;

	for (size_t a = 0; a < AXIS_COUNT; a++)
		if (query_has_column(s, axes[a].name)) {
			text_addf(&list, ", %s", axes[a].name);
			column[n++] = a;
		}
	text_addf(&sql,
	          "SELECT sum(status = 'ok' AND NOT doubted), sum(status = 'ok' AND doubted), "
	          "sum(status IN "
	          "('failed', 'timeout')), sum(status = 'skipped'), sum(status = "
	          "'interrupted')%s FROM "
	          "(SELECT combination, run, status, max(doubts <> '') AS doubted%s FROM "
	          "results GROUP BY run) "
	          "GROUP BY combination ORDER BY min(run) LIMIT %d",
	          text_get(&list), text_get(&list), GRID_CELLS_MAX);
	rc = rows_open(&r, s, text_get(&sql), e);
	if (rc)
		return rc;
	while ((rc = rows_next(r, e)) == 1) {
		static const enum grid_state states[] = { GRID_DONE, GRID_DOUBTED, GRID_FAILED,
			                                  GRID_SKIPPED, GRID_LEFT };
		const char *value[AXIS_COUNT] = { NULL };
		AUTO(strlist_fini) struct strlist texts = { 0 };
		uint32_t runs[GRID_STATES] = { 0 };

		for (int i = 0; i < (int)ARRAY_SIZE(states); i++)
			runs[states[i]] += (uint32_t)rows_int(r, i);
		for (size_t i = 0; i < n; i++)
			strlist_add(&texts, rows_text(r, (int)(ARRAY_SIZE(states) + i)));
		for (size_t i = 0; i < n; i++)
			value[column[i]] = texts.item[i];
		if (!grid_add(g, value,
		              runs)) { /* an axis with too many values: none is drawn */
			grid_fini(g);
			return 0;
		}
	}
	return rc;
}

static int load_grid(struct grid *g, bool *planned, struct store *s,
                     const struct show_standing *p, struct err *e)
{
	struct known_list l = { 0 };
	int r = load_known(&l, s, p->live, e);

	*planned = false;
	if (!r)
		*planned = by_plan(g, s, &l);
	free(l.item);
	if (!r && !*planned) {
		grid_fini(g);
		r = by_rows(g, s, e);
	}
	grid_sort(g);
	return r;
}

int show_grid(struct store *s, const struct show_standing *p, struct err *e)
{
	const struct draw_style st = draw_style_of(stdout);
	AUTO(grid_fini) struct grid g = { 0 };
	AUTO(text_fini) struct text t = { 0 };
	bool planned;
	int r = load_grid(&g, &planned, s, p, e);

	if (r)
		return r;
	grid_draw(&t, &st, &g);
	if (t.len && !planned && p->planned > p->done)
		text_addf(&t,
		          "\n  without %" PRId64
		          " runs that are not done: the config in it gives no plan here\n",
		          p->planned - p->done);
	(void)fputs(text_get(&t), stdout);
	return 0;
}

static void add_value(struct text *t, size_t a, const char *value)
{
	char *end = NULL;
	double v = strtod(value, &end);

	text_addf(t, "\"%s\":", axes[a].name);
	if (axes[a].kind == AXIS_TEXT || axes[a].kind == AXIS_ENUM || (*value && *end))
		json_add_string(t, value);
	else if (*value)
		json_add_real(t, v);
	else
		text_add(t, "null");
}

int show_grid_json(struct text *t, struct store *s, const struct show_standing *p,
                   struct err *e)
{
	AUTO(grid_fini) struct grid g = { 0 };
	bool planned;
	int r = load_grid(&g, &planned, s, p, e);

	if (r)
		return r;
	text_addf(t, ",\n\"grid\":{\"whole\":%s,\"cells\":[", planned ? "true" : "false");
	for (size_t i = 0; i < g.cells; i++) {
		text_add(t, i ? ",\n{" : "\n{");
		for (size_t a = 0; a < AXIS_COUNT; a++)
			if (g.value[a].len > 1) {
				add_value(t, a, g.value[a].item[g.cell[i].at[a]]);
				text_add(t, ",");
			}
		for (int k = 0; k < GRID_STATES; k++)
			text_addf(t, "%s\"%s\":%" PRIu32, k ? "," : "",
			          grid_state_name((enum grid_state)k), g.cell[i].runs[k]);
		text_add(t, "}");
	}
	text_add(t, "]}");
	return 0;
}
