/* Which charts suit what varies: those of a report, the first of them for --plot. */
#include "support/test.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cmd/charts.h"

struct varying {
	enum axis_id axis;
	size_t values;
};

/* "TITLE: Y over X by SERIES in PANEL" of each chart, a line each. */
static const char *describe(const struct charts *c)
{
	static struct text t;

	text_fini(&t);
	for (size_t i = 0; i < c->n; i++) {
		const struct plot_query *q = &c->chart[i].query;

		text_addf(&t, "%s: %s over %s", c->chart[i].title, q->y, q->x);
		text_addf(&t, "%s%s", q->series ? " by " : "", q->series ? q->series : "");
		text_addf(&t, "%s%s", q->panel ? " in " : "", q->panel ? q->panel : "");
		text_addf(&t, "%s%s", q->label ? " at " : "", q->label ? q->label : "");
		text_addf(&t, "%s%s\n", q->where ? " where " : "", q->where ? q->where : "");
	}
	return text_get(&t);
}

static const struct {
	struct varying axis[6];
	const char *where, *charts;
} cases[] = {
	{ { { 0 } },
	  NULL,
	  "I/Os per second: run_iops over rw\n"
	  "p99 latency: lat_p99_us over rw\n"
	  "CPU time per I/O: cpu_us_per_io over rw\n" },
	{ { { AXIS_bs, 11 } },
	  NULL,
	  "Bandwidth: run_bw_mib_s over bs\n"
	  "p99 latency: lat_p99_us over bs\n"
	  "CPU time per I/O: cpu_us_per_io over bs\n" },
	{ { { AXIS_rw, 6 }, { AXIS_ioengine, 2 } },
	  NULL,
	  "I/Os per second: run_iops over rw by ioengine\n"
	  "p99 latency: lat_p99_us over rw by ioengine\n"
	  "CPU time per I/O: cpu_us_per_io over rw by ioengine\n" },
	{ { { AXIS_ioengine, 3 } },
	  NULL,
	  "I/Os per second: run_iops over ioengine\n"
	  "p99 latency: lat_p99_us over ioengine\n"
	  "CPU time per I/O: cpu_us_per_io over ioengine\n" },
	{ { { AXIS_iodepth, 6 }, { AXIS_ioengine, 2 }, { AXIS_direct, 2 } },
	  NULL,
	  "I/Os per second: run_iops over iodepth by ioengine in direct\n"
	  "p99 latency: lat_p99_us over iodepth by ioengine in direct\n"
	  "Latency against throughput, bs 4k: lat_p99_us over run_iops in direct at iodepth "
	  "where bs = 4096\n"
	  "CPU time per I/O: cpu_us_per_io over iodepth by ioengine in direct\n" },
	{ { { AXIS_bs, 11 },
	    { AXIS_numjobs, 6 },
	    { AXIS_iodepth, 6 },
	    { AXIS_rw, 6 },
	    { AXIS_ioengine, 2 } },
	  "direct = 1",
	  "Bandwidth: run_bw_mib_s over bs by iodepth in rw where direct = 1\n"
	  "I/Os per second by block size and depth: run_iops over iodepth by bs in rw where "
	  "direct = 1\n"
	  "p99 latency: lat_p99_us over bs by iodepth in rw where direct = 1\n"
	  "Latency against throughput, bs 4k: lat_p99_us over run_iops by numjobs in rw at "
	  "iodepth where bs = 4096 AND (direct = 1\n)\n"
	  "CPU time per I/O: cpu_us_per_io over bs by ioengine in rw where direct = 1\n" },
	/* the engine has a panel where the pattern needs none, and not twice in one chart */
	{ { { AXIS_bs, 2 }, { AXIS_iodepth, 70 }, { AXIS_numjobs, 2 }, { AXIS_ioengine, 2 } },
	  NULL,
	  "Bandwidth: run_bw_mib_s over bs by numjobs in ioengine\n"
	  "p99 latency: lat_p99_us over bs by numjobs in ioengine\n"
	  "CPU time per I/O: cpu_us_per_io over bs by ioengine\n" },
	/* too many for lines and panels */
	{ { { AXIS_filename, 30 }, { AXIS_bs, 5 }, { AXIS_iodepth, 17 } },
	  NULL,
	  "Bandwidth: run_bw_mib_s over bs\n"
	  "I/Os per second by block size and depth: run_iops over iodepth by bs\n"
	  "p99 latency: lat_p99_us over bs\n"
	  "Latency against throughput, bs 4k: lat_p99_us over run_iops at iodepth where bs = "
	  "4096\n"
	  "CPU time per I/O: cpu_us_per_io over bs\n" },
	/* any number before names, and no line over yes and no */
	{ { { AXIS_fsync, 4 }, { AXIS_rw, 2 } },
	  NULL,
	  "I/Os per second: run_iops over fsync in rw\n"
	  "p99 latency: lat_p99_us over fsync in rw\n"
	  "CPU time per I/O: cpu_us_per_io over fsync in rw\n" },
	{ { { AXIS_direct, 2 }, { AXIS_rw, 2 } },
	  NULL,
	  "I/Os per second: run_iops over rw in direct\n"
	  "p99 latency: lat_p99_us over rw in direct\n"
	  "CPU time per I/O: cpu_us_per_io over rw in direct\n" },
};

static void what_varies_chooses(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO(charts_fini) struct charts c = { 0 };
		struct chart_axes a = { .smallest_bs = 4096 };

		for (size_t k = 0; cases[i].axis[k].values; k++)
			a.values[cases[i].axis[k].axis] = cases[i].axis[k].values;
		assert_int_equal(chart_axes_vary(&a), i > 0);
		charts_choose(&c, &a, cases[i].where);
		assert_string_equal(describe(&c), cases[i].charts);
	}
	(void)describe(&(struct charts){ 0 });
}

TEST_MAIN(cmocka_unit_test(what_varies_chooses))
