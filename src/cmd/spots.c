#include "cmd/spots.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "base/units.h"
#include "cmd/sweetspot.h"

/* One row per run that is ok, in order of its condition's first run. A condition is everything
 * that was set but bs, numjobs, iodepth and ioengine; rwmixread is one only of mixed patterns,
 * and what does no I/O competes only with itself. */
static const char query[] =
    "SELECT filename, rw, direct, size, mix, ramp_time, runtime, options, no_io,"
    " bs, numjobs, iodepth, ioengine, doubted, run_bw_mib_s, run_iops, mean_r, mean_w, p99_r, "
    "p99_w FROM ("
    "SELECT run, filename, rw, direct, size, CASE WHEN rw IN ('rw','randrw') THEN rwmixread "
    "END AS mix,"
    " ramp_time, runtime, options, CASE WHEN ioengine IN ('null', 'sim') THEN ioengine END AS no_io,"
    " bs, numjobs, iodepth, ioengine, max(doubts <> '') AS "
    "doubted, run_bw_mib_s, run_iops,"
    " max(CASE op WHEN 'read' THEN lat_mean_us END) AS mean_r, max(CASE op WHEN 'write' THEN "
    "lat_mean_us END) AS mean_w,"
    " max(CASE op WHEN 'read' THEN lat_p99_us END) AS p99_r, max(CASE op WHEN 'write' THEN "
    "lat_p99_us END) AS p99_w"
    " FROM results WHERE status = 'ok' GROUP BY run)"
    " ORDER BY min(run) OVER (PARTITION BY filename, rw, direct, size, mix, ramp_time, "
    "runtime, options, no_io), run";

enum condition_column {
	C_FILENAME,
	C_RW,
	C_DIRECT,
	C_SIZE,
	C_MIX,
	C_RAMP_TIME,
	C_RUNTIME,
	C_OPTIONS,
	C_NO_IO,
	C_COUNT
};
enum point_column {
	P_BS = C_COUNT,
	P_NUMJOBS,
	P_IODEPTH,
	P_ENGINE,
	P_DOUBTED,
	P_BW,
	P_IOPS,
	P_MEAN,
	P_P99 = P_MEAN + SPOT_OPS
};

struct condition {
	char *value[C_COUNT];
	size_t all_doubted; /* points, when every one of them is in doubt; else 0 */
};

struct spots {
	struct condition *condition;
	size_t conditions;
	struct spot_point *point;
	size_t points;
	struct strlist engine; /* each name once: points borrow them */
};

static void spots_fini(struct spots *s)
{
	for (size_t i = 0; i < s->conditions; i++)
		for (size_t c = 0; c < C_COUNT; c++)
			free(s->condition[i].value[c]);
	free(s->condition);
	free(s->point);
	strlist_fini(&s->engine);
}

static const char *engine_word(struct spots *s, const char *name)
{
	for (size_t i = 0; i < s->engine.len; i++)
		if (!strcmp(s->engine.item[i], name))
			return s->engine.item[i];
	strlist_add(&s->engine, name);
	return s->engine.item[s->engine.len - 1];
}

/* The row's condition is the last one, or new: rows come in order of condition. */
static size_t condition_of(struct spots *s, const struct rows *r)
{
	struct condition *last = s->conditions ? &s->condition[s->conditions - 1] : NULL;
	bool same = last != NULL;

	for (int c = 0; c < C_COUNT && same; c++)
		same = !strcmp(last->value[c], rows_text(r, c));
	if (same)
		return s->conditions - 1;
	if (!(s->conditions & (s->conditions - 1)))
		s->condition = xrealloc(s->condition, s->conditions ? 2 * s->conditions : 1,
		                        sizeof(*s->condition));
	for (int c = 0; c < C_COUNT; c++)
		s->condition[s->conditions].value[c] = xstrdup(rows_text(r, c));
	return s->conditions++;
}

static void add_point(struct spots *s, const struct rows *r)
{
	struct spot_point p = { .condition = condition_of(s, r),
		                .bs = (uint64_t)rows_int(r, P_BS),
		                .numjobs = (uint64_t)rows_int(r, P_NUMJOBS),
		                .iodepth = (uint64_t)rows_int(r, P_IODEPTH),
		                .engine = engine_word(s, rows_text(r, P_ENGINE)),
		                .doubted = rows_int(r, P_DOUBTED) != 0,
		                .bw_mib_s = rows_real(r, P_BW),
		                .iops = rows_real(r, P_IOPS) };

	for (int op = 0; op < SPOT_OPS; op++) {
		p.lat_mean_us[op] = rows_real(r, P_MEAN + op);
		p.lat_p99_us[op] = rows_real(r, P_P99 + op);
	}
	if (!(s->points & (s->points - 1)))
		s->point = xrealloc(s->point, s->points ? 2 * s->points : 1, sizeof(*s->point));
	s->point[s->points++] = p;
}

static int load(struct spots *s, struct store *store, struct err *e)
{
	AUTO(rows_closep) struct rows *rows = NULL;
	int r = rows_open(&rows, store, query, e);

	if (r < 0)
		return r;
	while ((r = rows_next(rows, e)) > 0)
		add_point(s, rows);
	return r;
}

static void rate_text(char *buf, size_t size, double v)
{
	(void)snprintf(buf, size, v < 100 ? "%.3g" : "%.0f", v);
}

static void latency_text(char *buf, size_t size, double us)
{
	if (isnan(us))
		(void)snprintf(buf, size, "unknown (few samples)");
	else if (us < 1000)
		(void)snprintf(buf, size, "%.1f us", us);
	else if (us < 1e6)
		(void)snprintf(buf, size, "%.2f ms", us / 1e3);
	else
		(void)snprintf(buf, size, "%.2f s", us / 1e6);
}

static void print_latency(const struct spot_cell *c)
{
	static const char *const name[SPOT_OPS] = { "read", "write" };
	char mean[32], p99[32];
	bool both = !isnan(c->lat_mean_us[SPOT_READ]) && !isnan(c->lat_mean_us[SPOT_WRITE]);

	for (int op = 0; op < SPOT_OPS; op++) {
		if (isnan(c->lat_mean_us[op]))
			continue;
		latency_text(mean, sizeof(mean), c->lat_mean_us[op]);
		latency_text(p99, sizeof(p99), c->lat_p99_us[op]);
		printf("    %s%slatency: mean %s, p99 %s\n", both ? name[op] : "",
		       both ? " " : "", mean, p99);
	}
}

static void print_cell(const struct spot_cell *c)
{
	char bs[32];

	printf("bs %s, numjobs %" PRIu64 ", iodepth %" PRIu64 ", %s: ",
	       print_size(bs, sizeof(bs), c->bs), c->numjobs, c->iodepth, c->engine);
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 100;
}

static void print_bandwidth(const struct spot *s)
{
	char bw[32], best[32], bs[32];

	rate_text(bw, sizeof(bw), s->sweet.bw_mib_s);
	rate_text(best, sizeof(best), s->best.bw_mib_s);
	printf("  sweet spot: ");
	print_cell(&s->sweet);
	printf("%s MiB/s, %.1f %% of the best (%s MiB/s: bs %s, numjobs %" PRIu64
	       ", iodepth %" PRIu64 ", %s)\n",
	       bw, percent(s->sweet.bw_mib_s, s->best.bw_mib_s), best,
	       print_size(bs, sizeof(bs), s->best.bs), s->best.numjobs, s->best.iodepth,
	       s->best.engine);
	print_latency(&s->sweet);
	if (!s->smaller_bs && !s->larger_bs) {
		puts("    neighbouring sizes: none measured");
		return;
	}
	printf("    neighbouring sizes: ");
	if (s->smaller_bs)
		printf("%s %.1f %%, ", print_size(bs, sizeof(bs), s->smaller_bs),
		       100 * s->smaller_share);
	else
		printf("no smaller one measured, ");
	if (s->larger_bs)
		printf("%s %.1f %%\n", print_size(bs, sizeof(bs), s->larger_bs),
		       100 * s->larger_share);
	else
		puts("no larger one measured");
}

static void print_iops(const struct spot *s)
{
	char peak[32], cheap[32];

	rate_text(peak, sizeof(peak), s->peak.iops);
	rate_text(cheap, sizeof(cheap), s->cheap.iops);
	printf("  peak IOPS: ");
	print_cell(&s->peak);
	printf("%s\n  cheapest within 95 %% of it: ", peak);
	print_cell(&s->cheap);
	printf("%s, %.1f %%\n", cheap, percent(s->cheap.iops, s->peak.iops));
	print_latency(&s->cheap);
}

/* Does the sweep have more than one value of this condition? Empty ones (no mixed pattern) do
 * not count. */
static bool varies(const struct spots *s, int column)
{
	const char *first = NULL;

	for (size_t i = 0; i < s->conditions; i++) {
		const char *v = s->condition[i].value[column];

		if (column == C_MIX && !*v)
			continue;
		if (first && strcmp(first, v) != 0)
			return true;
		first = v;
	}
	return false;
}

static void print_title(const struct spots *s, const struct condition *c)
{
	static const char *const name[C_COUNT] = { "filename", "rw",        "direct",
		                                   "size",     "rwmixread", "ramp_time",
		                                   "runtime",  "options" };
	char text[512];
	uint64_t bytes;

	text_printable(text, sizeof(text), c->value[C_FILENAME]);
	printf("\n%s, %s", text, c->value[C_RW]);
	for (int i = C_DIRECT; i < C_NO_IO; i++) {
		if (!varies(s, i) || (i == C_MIX && !*c->value[i]))
			continue;
		text_printable(text, sizeof(text), c->value[i]);
		if (i == C_SIZE && !parse_u64(text, &bytes))
			(void)print_size(text, sizeof(text), bytes);
		printf(", %s %s", name[i], *text ? text : "default");
	}
	puts(!strcmp(c->value[C_NO_IO], "sim")  ? " (simulated)"
	     : *c->value[C_NO_IO]               ? " (null engine: no I/O)"
	     : !strcmp(c->value[C_DIRECT], "0") ? " (page cache, not the device)"
	                                        : "");
}

/* Where every run is in doubt, the best of them is better than no answer, as long as it says
 * so. */
static void lift_doubts(struct spots *s)
{
	for (size_t c = 0; c < s->conditions; c++) {
		size_t n = 0, doubted = 0;

		for (size_t i = 0; i < s->points; i++)
			if (s->point[i].condition == c) {
				n++;
				doubted += s->point[i].doubted;
			}
		s->condition[c].all_doubted = doubted == n ? n : 0;
		for (size_t i = 0; doubted == n && i < s->points; i++)
			if (s->point[i].condition == c)
				s->point[i].doubted = false;
	}
}

static void print_spot(const struct spots *s, const struct spot *spot)
{
	const struct condition *c = &s->condition[spot->condition];

	assert(s->condition && spot->condition < s->conditions);
	print_title(s, c);
	if (c->all_doubted)
		printf("  all %zu runs are in doubt; the best of those, not to be relied on:\n",
		       c->all_doubted);
	if (spot->ranked) {
		print_bandwidth(spot);
		if (!strncmp(c->value[C_RW], "rand", 4))
			print_iops(spot);
	}
	if (spot->doubted)
		printf("  left out: %zu of %zu runs, in doubt\n", spot->doubted,
		       spot->doubted + spot->ranked);
}

int spots_print(struct store *store, struct err *e)
{
	AUTO(spots_fini) struct spots s = { 0 };
	AUTO(freep) struct spot *spot = NULL;
	int r = load(&s, store, e);
	size_t n;

	if (r < 0)
		return r;
	lift_doubts(&s);
	n = sweetspot_find(&spot, s.point, s.points);
	for (size_t i = 0; i < n; i++)
		print_spot(&s, &spot[i]);
	return 0;
}
