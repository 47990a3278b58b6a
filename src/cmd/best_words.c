#include "cmd/best_words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

/* "bs 64k, numjobs 1, iodepth 8, libaio" */
static void choice_text(char *buf, size_t size, const struct best_choice *c)
{
	char bs[32], engine[32], rest[256];

	text_printable(engine, sizeof(engine), c->engine);
	text_printable(rest, sizeof(rest), c->rest);
	(void)snprintf(buf, size, "bs %s, numjobs %" PRIu64 ", iodepth %" PRIu64 ", %s%s%s",
	               print_size(bs, sizeof(bs), c->bs), c->numjobs, c->iodepth, engine,
	               *rest ? ", " : "", rest);
}

static void rate_text(char *buf, size_t size, double v)
{
	(void)snprintf(buf, size, fabs(v) < 100 ? "%.3g" : "%.0f", v);
}

static void latency_text(char *buf, size_t size, double us)
{
	if (isnan(us))
		(void)snprintf(buf, size, "unknown (few samples)");
	else if (us < 1000)
		(void)snprintf(buf, size, us < 10 ? "%.3g us" : "%.1f us", us);
	else if (us < 1e6)
		(void)snprintf(buf, size, "%.2f ms", us / 1e3);
	else
		(void)snprintf(buf, size, "%.2f s", us / 1e6);
}

/* "960 MiB/s +-0.5 %: bs 64k, numjobs 1, iodepth 8, libaio" */
static void add_cell(struct text *out, const struct best_data *d, const struct best_cell *c)
{
	char rate[32], choice[512];

	rate_text(rate, sizeof(rate), c->value[BEST_RATE]);
	choice_text(choice, sizeof(choice), &c->choice);
	text_addf(out, "%s %s", rate, d->unit);
	if (!isnan(c->value[BEST_HALF_WIDTH]))
		text_addf(out, " +-%.1f %%", 100 * c->value[BEST_HALF_WIDTH]);
	text_addf(out, ": %s", choice);
}

static void add_latency(struct text *out, const struct best_cell *c)
{
	static const char *const name[BEST_OPS] = { "read", "write", "trim" };
	char mean[32], p99[32];
	int ops = 0;

	for (int op = 0; op < BEST_OPS; op++)
		ops += !isnan(c->value[BEST_MEAN + op]);
	for (int op = 0; op < BEST_OPS; op++) {
		if (isnan(c->value[BEST_MEAN + op]))
			continue;
		latency_text(mean, sizeof(mean), c->value[BEST_MEAN + op]);
		latency_text(p99, sizeof(p99), c->value[BEST_P99 + op]);
		text_addf(out, "    %s%slatency: mean %s, p99 %s\n", ops > 1 ? name[op] : "",
		          ops > 1 ? " " : "", mean, p99);
	}
}

static void add_title(struct text *out, const struct best_data *d, size_t group)
{
	const char *direct = best_title_value(d, group, "direct");
	char text[512];
	size_t said = 0;

	text_add(out, "\n");
	for (size_t c = 0; c < d->column.len; c++) {
		const char *name = d->column.item[c], *value = d->title[group].value[c];
		bool plain = !strcmp(name, "filename") || !strcmp(name, "rw");
		uint64_t bytes;

		if (!plain && (!d->varies[c] || !*value))
			continue;
		text_printable(text, sizeof(text), value);
		if (!strcmp(name, "size") && !parse_u64(text, &bytes))
			(void)print_size(text, sizeof(text), bytes);
		text_addf(out, "%s%s%s%s", said++ ? ", " : "", plain ? "" : name,
		          plain ? "" : " ", text);
	}
	if (!said)
		text_addf(out, "all runs");
	text_add(out, d->title[group].simulated        ? " (simulated)\n"
	              : *d->title[group].unreal        ? " (null engine: no I/O)\n"
	              : direct && !strcmp(direct, "0") ? " (page cache, not the device)\n"
	                                               : "\n");
}

static void add_peak(struct text *out, const struct best_data *d, const struct best_group *g)
{
	text_addf(out, "  peak: ");
	add_cell(out, d, &g->peak);
	text_add(out, "\n");
	if (g->ties > 1) {
		char choice[512];

		choice_text(choice, sizeof(choice), &g->cheapest_tie.choice);
		text_addf(
		    out,
		    "    the best %zu of %zu cannot be told apart; the cheapest of them: %s\n",
		    g->ties, g->cells, choice);
	}
}

/* What a rate allows grows with bs: no peak, no sweet spot. */
static void add_held(struct text *out, const struct best_data *d, const struct best_group *g)
{
	char held[128];

	text_printable(held, sizeof(held), g->peak.held);
	text_addf(out, "  the rate was held: %s, as asked: not what the target can do\n", held);
	text_add(out, "  highest: ");
	add_cell(out, d, &g->peak);
	text_add(out, "\n");
	add_latency(out, &g->peak);
}

static double percent_of_peak(const struct best_group *g, const struct best_cell *c)
{
	return 100 * exp(c->level - g->peak.level);
}

/* Smaller sizes that may reach it as well: naming one only would be a coin toss. */
static void add_borderline(struct text *out, const struct best_group *g)
{
	char bs[32];

	for (size_t i = 0; i < g->sizes; i++) {
		const struct best_size *s = &g->size[i];

		if (s->reach != BEST_BORDERLINE)
			continue;
		text_addf(out, "    %s %s: %.1f %% +-%.1f %%, too close to tell\n",
		          s->best.choice.bs == g->sweet.choice.bs ? "itself," : "or",
		          print_size(bs, sizeof(bs), s->best.choice.bs), 100 * s->share,
		          100 * s->half_width);
	}
}

static void add_neighbours(struct text *out, const struct best_group *g)
{
	const struct best_size *smaller = NULL, *larger = NULL;
	const char *how = g->doubted && !g->all_doubted ? " without doubt" : "";
	char bs[32];

	for (size_t i = 0; i < g->sizes; i++) {
		if (g->size[i].best.choice.bs < g->sweet.choice.bs)
			smaller = &g->size[i];
		if (g->size[i].best.choice.bs > g->sweet.choice.bs && !larger)
			larger = &g->size[i];
	}
	if (!smaller && !larger) {
		text_addf(out, "    neighbouring sizes: none measured%s\n", how);
		return;
	}
	text_addf(out, "    neighbouring sizes: ");
	if (smaller)
		text_addf(out, "%s %.1f %%, ",
		          print_size(bs, sizeof(bs), smaller->best.choice.bs),
		          100 * smaller->share);
	else
		text_addf(out, "no smaller one measured%s, ", how);
	if (larger)
		text_addf(out, "%s %.1f %%\n",
		          print_size(bs, sizeof(bs), larger->best.choice.bs),
		          100 * larger->share);
	else
		text_addf(out, "no larger one measured%s\n", how);
}

static void add_sweet(struct text *out, const struct best_data *d, const struct best_group *g)
{
	char rate[32], choice[512];

	rate_text(rate, sizeof(rate), g->sweet.value[BEST_RATE]);
	choice_text(choice, sizeof(choice), &g->sweet.choice);
	text_addf(out, "  sweet spot: %s: %s %s, %.1f %% of the peak\n", choice, rate, d->unit,
	          percent_of_peak(g, &g->sweet));
	add_borderline(out, g);
	add_latency(out, &g->sweet);
	add_neighbours(out, g);
}

static const struct best_cell *most_iops(const struct best_group *g)
{
	const struct best_cell *most = NULL;

	for (size_t i = 0; i < g->cells; i++)
		if (!isnan(g->cell[i].value[BEST_IOPS]) &&
		    (!most || g->cell[i].value[BEST_IOPS] > most->value[BEST_IOPS]))
			most = &g->cell[i];
	return most;
}

/* At the same bs, the fewest I/Os in flight that reach `within` of it; cells ascend by jobs,
 * then depth. */
static const struct best_cell *cheapest_near(const struct best_group *g,
                                             const struct best_cell *most, double within)
{
	const struct best_cell *cheap = most;

	for (size_t i = 0; i < g->cells; i++) {
		const struct best_cell *c = &g->cell[i];

		if (c->choice.bs == most->choice.bs &&
		    c->value[BEST_IOPS] >= within * most->value[BEST_IOPS] &&
		    c->choice.numjobs * c->choice.iodepth <
		        cheap->choice.numjobs * cheap->choice.iodepth)
			cheap = c;
	}
	return cheap;
}

static void add_iops(struct text *out, const struct best_data *d, const struct best_group *g)
{
	const struct best_cell *most = most_iops(g), *cheap;
	char choice[512];

	if (!most)
		return;
	choice_text(choice, sizeof(choice), &most->choice);
	text_addf(out, "  most IOPS: %.0f: %s\n", most->value[BEST_IOPS], choice);
	cheap = cheapest_near(g, most, d->ask.within);
	if (cheap != most) {
		choice_text(choice, sizeof(choice), &cheap->choice);
		text_addf(out, "    %.1f %% of it: %s\n",
		          100 * cheap->value[BEST_IOPS] / most->value[BEST_IOPS], choice);
	}
	for (size_t l = 0; l < d->ask.limits; l++) {
		const struct best_met *m = &g->limit[l];

		if (!m->met) {
			text_addf(out, "  most IOPS with %s: no run meets it\n",
			          d->limit.item[l]);
			continue;
		}
		choice_text(choice, sizeof(choice), &m->cell.choice);
		text_addf(out, "  most IOPS with %s: %.0f: %s\n", d->limit.item[l],
		          m->cell.value[BEST_IOPS], choice);
		text_addf(out, "    there it is %.4g", m->cell.value[BEST_LIMIT + l]);
		if (m->borderline)
			text_addf(out, ", but its interval reaches to %.4g: borderline",
			          m->cell.value[BEST_FAR + l]);
		text_add(out, "\n");
	}
}

static void add_cpu(struct text *out, const struct best_group *g)
{
	char choice[512];

	if (!g->least_cpu.runs)
		return;
	choice_text(choice, sizeof(choice), &g->least_cpu.choice);
	text_addf(out, "  least CPU per I/O: %.2f us: %s\n", g->least_cpu.value[BEST_CPU],
	          choice);
}

/* --- how it grows along one axis --- */

struct scale {
	uint64_t first, last, enough; /* values of the axis: enough is the first that reaches
	                                 `within` of the best here */
	double first_level, best_level, last_level;
	size_t n;
};

static bool along_depth(const struct best_choice *a, const struct best_choice *b)
{
	return a->bs == b->bs && a->numjobs == b->numjobs && !strcmp(a->engine, b->engine) &&
	       !strcmp(a->rest, b->rest);
}

static bool along_jobs(const struct best_choice *a, const struct best_choice *b)
{
	return a->bs == b->bs && a->iodepth == b->iodepth && !strcmp(a->engine, b->engine) &&
	       !strcmp(a->rest, b->rest);
}

static struct scale scale_of(const struct best_group *g, double within, bool depth)
{
	struct scale s = { .best_level = -(double)INFINITY };
	bool (*same)(const struct best_choice *, const struct best_choice *) =
	    depth ? along_depth : along_jobs;

	for (size_t i = 0; i < g->cells; i++) /* ascending by jobs and depth */
		if (same(&g->cell[i].choice, &g->sweet.choice) &&
		    g->cell[i].level > s.best_level)
			s.best_level = g->cell[i].level;
	for (size_t i = 0; i < g->cells; i++) {
		const struct best_cell *c = &g->cell[i];
		uint64_t v = depth ? c->choice.iodepth : c->choice.numjobs;

		if (!same(&c->choice, &g->sweet.choice))
			continue;
		if (!s.n++) {
			s.first = v;
			s.first_level = c->level;
		}
		if (!s.enough && c->level >= s.best_level + log(within))
			s.enough = v;
		s.last = v;
		s.last_level = c->level;
	}
	return s;
}

/* "iodepth 1 to 32 at bs 64k, numjobs 1: 4.1 times as much as with 1, ..." */
static void add_scale(struct text *out, const struct best_data *d, const struct best_group *g,
                      bool depth)
{
	struct scale s = scale_of(g, d->ask.within, depth);
	double fall = 100 * (1 - exp(s.last_level - s.best_level));
	char bs[32];

	if (s.n < 2)
		return;
	text_addf(out, "  %s %" PRIu64 " to %" PRIu64 " at bs %s, %s %" PRIu64 ": ",
	          depth ? "iodepth" : "numjobs", s.first, s.last,
	          print_size(bs, sizeof(bs), g->sweet.choice.bs), depth ? "numjobs" : "iodepth",
	          depth ? g->sweet.choice.numjobs : g->sweet.choice.iodepth);
	if (exp(s.best_level - s.first_level) < 1.02) {
		text_addf(out, "%" PRIu64 " is enough\n", s.first);
		return;
	}
	text_addf(out,
	          "%.3g times as much as with %" PRIu64 ", reached to %.0f %% with %" PRIu64,
	          exp(s.best_level - s.first_level), s.first, 100 * d->ask.within, s.enough);
	if (fall > 100 * (1 - d->ask.within))
		text_addf(out, "; %" PRIu64 " is %.0f %% below the best", s.last, fall);
	text_add(out, "\n");
}

/* --- tables --- */

void best_headings(const char *out[BEST_COLUMNS], const struct best_data *d)
{
	const char *heading[BEST_COLUMNS] = { "bs",       "numjobs", "iodepth",
		                              "ioengine", d->unit,   "of peak",
		                              "IOPS",     "p99",     "CPU us/IO" };

	memcpy(out, heading, sizeof(heading));
}

void best_row(struct best_row *out, const struct best_group *g, const struct best_cell *c)
{
	const size_t size = sizeof(out->column[0]);
	char(*at)[sizeof(out->column[0])] = out->column;

	(void)print_size(at[0], size, c->choice.bs);
	(void)snprintf(at[1], size, "%" PRIu64, c->choice.numjobs);
	(void)snprintf(at[2], size, "%" PRIu64, c->choice.iodepth);
	text_printable(at[3], size, c->choice.engine);
	rate_text(at[4], size, c->value[BEST_RATE]);
	(void)snprintf(at[5], size, "%.1f %%", percent_of_peak(g, c));
	(void)snprintf(at[6], size, "%.0f", c->value[BEST_IOPS]);
	if (isnan(best_p99(c)))
		(void)snprintf(at[7], size, "-");
	else
		latency_text(at[7], size, best_p99(c));
	(void)snprintf(at[8], size, isnan(c->value[BEST_CPU]) ? "-" : "%.2f",
	               c->value[BEST_CPU]);
	text_printable(out->rest, sizeof(out->rest), c->choice.rest);
}

static void add_columns(struct text *out, const char *const column[BEST_COLUMNS])
{
	text_addf(out, "    %8s %7s %7s %-9s %10s %8s %10s %12s %9s", column[0], column[1],
	          column[2], column[3], column[4], column[5], column[6], column[7], column[8]);
}

static void add_table_cell(struct text *out, const struct best_group *g,
                           const struct best_cell *c)
{
	const char *column[BEST_COLUMNS];
	struct best_row row;

	best_row(&row, g, c);
	for (size_t i = 0; i < BEST_COLUMNS; i++)
		column[i] = row.column[i];
	add_columns(out, column);
	text_addf(out, "%s%s\n", *row.rest ? " " : "", row.rest);
}

static void add_head(struct text *out, const struct best_data *d, const char *title)
{
	const char *heading[BEST_COLUMNS];

	best_headings(heading, d);
	text_addf(out, "  %s\n", title);
	add_columns(out, heading);
	text_add(out, "\n");
}

static void add_tables(struct text *out, const struct best_data *d, const struct best_group *g)
{
	add_head(out, d, "the best of each block size:");
	for (size_t i = 0; i < g->sizes; i++)
		add_table_cell(out, g, &g->size[i].best);
	if (g->fronts < 2)
		return;
	add_head(out, d,
	         "rate against p99: nothing measured is better in one and no worse in the "
	         "other (by 2 %):");
	for (size_t i = 0; i < g->fronts; i++)
		add_table_cell(out, g, &g->cell[g->front[i]]);
}

static void add_doubted(struct text *out, const struct best_data *d, const struct best_group *g)
{
	const struct best_point *p = &g->in_doubt;
	char rate[32], choice[512], doubts[256];

	if (!g->doubted || g->all_doubted)
		return;
	text_addf(out, "  left out: %zu of %zu runs, in doubt\n", g->doubted, g->runs);
	if (!*p->doubts)
		return;
	rate_text(rate, sizeof(rate), p->value[BEST_RATE]);
	choice_text(choice, sizeof(choice), &p->choice);
	text_printable(doubts, sizeof(doubts), p->doubts);
	text_addf(out, "    the best of those would have won: %s %s (%s): %s\n", rate, d->unit,
	          doubts, choice);
}

static void add_answers(struct text *out, const struct best_data *d, const struct best_group *g)
{
	if (*g->peak.held) {
		add_held(out, d, g);
		add_cpu(out, g);
		return;
	}
	add_peak(out, d, g);
	add_sweet(out, d, g);
	add_iops(out, d, g);
	add_cpu(out, g);
	add_scale(out, d, g, true);
	add_scale(out, d, g, false);
}

void best_words(struct text *out, const struct best_data *d, const struct best_group *g,
                bool tables)
{
	add_title(out, d, g->group);
	if (g->all_doubted)
		text_addf(
		    out,
		    "  all %zu runs are in doubt; the best of those, not to be relied on:\n",
		    g->runs);
	if (g->cells) {
		add_answers(out, d, g);
		if (tables)
			add_tables(out, d, g);
	} else {
		text_addf(out, "  no run that is ok has %s\n", d->metric);
	}
	add_doubted(out, d, g);
}
