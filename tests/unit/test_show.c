/* `show` and `export` of databases made here. */
#include "support/test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "sink/store.h"
#include "support/capture.h"
#include "support/records.h"

struct fixture {
	char *dir, db[256];
	struct sweep *sweep;
	struct store *store;
	struct err e;
};

static int setup(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));
	struct store_header h;

	(void)setenv("LC_ALL", "C", 1); /* drawings in ASCII */
	f->dir = scratch_dir();
	(void)snprintf(f->db, sizeof(f->db), "%s/a.db", f->dir);
	f->sweep = sweep_of("night");
	h = (struct store_header){
		.sweep = f->sweep,
		.host = "box",
		.planned_runs = 4,
		.estimate_s = 10,
		.command_options = "--destroy /dev/x",
		.facts_json = "{\"host\":\"box\",\"cpu\":\"Z80\",\"deep\":{\"a\":1}}"
	};
	*state = f;
	return store_create(&f->store, f->db, &h, &f->e);
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	(void)store_close(f->store, NULL);
	sweep_free(f->sweep);
	scratch_remove(f->dir);
	free(f);
	return 0;
}

/* A mixed run with everything in it, and a failed and a skipped one. */
static void fill(struct fixture *f)
{
	AUTO(freep) struct sample *s = sample_of(2000, 80000);
	struct run_of a;

	s->op[OP_WRITE].ios = 100;
	s->op[OP_WRITE].bytes = 409600;
	s->op[OP_WRITE].errors = 3;
	for (int i = 0; i < 100; i++)
		hist_record(&s->op[OP_WRITE].lat, 1000);
	s->device = (struct device_delta){ .valid = true,
		                           .read_ios = 2010,
		                           .read_bytes = 8232960,
		                           .queue_ns = 6000000000,
		                           .busy_ns = 1000000000,
		                           .elapsed_ns = 2000000000 };
	s->drain_ios = 8;
	s->drain_ns = 2500000;
	run_of(&a, 1, 1, STATUS_OK, s);
	a.job.rw = RW_RANDRW;
	a.record.flags =
	    FLAG_BIT(short_window) | FLAG_BIT(few_samples) | FLAG_BIT(cpu_bound);
	a.record.why = "foreign-io: not set\nstalls: from second 0.05 of the window on\ncpu-bound: job 2 used \x1b 98.7 % of a CPU";
	assert_int_equal(store_step(f->store, &a.record, NULL, false, &f->e), 0);
	run_of(&a, 2, 2, STATUS_FAILED, NULL);
	a.record.error = "open: no \x1b[2J such thing";
	assert_int_equal(store_step(f->store, &a.record, NULL, false, &f->e), 0);
	assert_int_equal(store_event(f->store, 2, "warning", "io", "open failed", &f->e), 0);
	run_of(&a, 3, 3, STATUS_SKIPPED, NULL);
	a.record.error = "bs 2097152 is larger than size 1048576";
	assert_int_equal(store_step(f->store, &a.record, NULL, false, &f->e), 0);
	assert_int_equal(store_close(f->store, &f->e), 0);
	f->store = NULL;
}

/* Run a command with `args` after the database; its stdout stays in c. */
static int run(struct fixture *f, struct capture *c, const char *verb, const char *const args[])
{
	const struct command *cmd = command_find(verb);
	char *argv[8] = { NULL };
	struct options o;
	int n = 0, code;

	argv[n++] = xstrdup(verb);
	argv[n++] = xstrdup(f->db);
	for (int i = 0; args[i]; i++)
		argv[n++] = xstrdup(args[i]);
	code = options_parse(&o, cmd, n, argv);
	capture_begin(c);
	if (!code)
		code = cmd->run(&o);
	(void)capture_end(c);
	options_fini(&o);
	while (n)
		free(argv[--n]);
	return code;
}

#define RUN(f, c, verb, ...)                                                                   \
	run(f, c, verb, (const char *const[]){ __VA_ARGS__ __VA_OPT__(, ) NULL })

static void contains(const struct capture *c, const char *line)
{
	if (!strstr(c->text, line))
		fail_msg("no '%s' in:\n%s", line, c->text);
}

static void a_run_as_fio_would_say_it(void **state)
{
	static const char *const lines[] = {
		"run 1: randread_4k_1 (cab0000000001), repeat 1, attempt 1: ok\n",
		"  /mnt/t.dat on Some SSD (nvme0n1), ext4, 2026-11-30 18:00:00",
		"  ioengine=psync rw=randrw bs=4k numjobs=2 iodepth=4 direct=1 size=1m "
		"ramp_time=0.5 runtime=2\n",
		"  doubt short-window: fewer than 3 x numjobs x iodepth I/Os",
		"  doubt cpu-bound: job 2 used ? 98.7 % of a CPU\n",
		"  note few-samples: ",
		"  read: IOPS=1000, BW=3.91MiB/s (4.10MB/s)(7.81MiB/2000msec)\n"
		"     lat (usec): min=80.00, max=80.00, avg=80.00, stdev=0.000\n"
		"     lat percentiles (usec):\n"
		"      |  1.00th=[80.00],  5.00th=[80.00], 10.00th=[80.00], 20.00th=[80.00],\n",
		"      | 99.00th=[80.00], 99.50th=[80.00], 99.90th=[80.00], 99.95th=[80.00]\n"
		"   bw (  KiB/s): min=4000, max=4000, avg=4000.00, stdev=0.00, samples=2\n"
		"   iops        : min=1000, max=1000, avg=1000.00, stdev=0.00, slots of 100 "
		"ms\n"
		"  write: IOPS=50, BW=200KiB/s (205kB/s)(400KiB/2000msec)\n"
		"     lat (usec): min=1.000, max=1.000, avg=1.000, stdev=0.000\n",
		"95.00th=[1.000],\n      | 99.00th=[1.000]\n",
		"  cpu          : usr=10.00%, sys=20.00%, us per I/O=285.714\n"
		"  IO depth     : asked=4 per job, achieved=4.00 per job, 8 in all\n"
		"     issued rwts: total=2000,100,0,0 short=0,0,0,0 errors=0,3,0,0\n"
		"     longest gap between completions of a job: 1.500 ms\n",
		"  outside the window: 0 I/Os in the ramp; 0 in flight at the stop; drain of 8 I/Os in 2.500 ms, "
		"longest 0.000 ms\n",
		"  disk stats   : ios=2010/0, bytes=7.85MiB/0B, queue=3.00, util=50.00%\n",
		"  effective    : engine=psync\n",
	};
	struct fixture *f = *state;
	struct capture c;

	fill(f);
	assert_int_equal(RUN(f, &c, "show", "1"), EXIT_OK);
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		contains(&c, lines[i]);
	contains(&c, "\n  read: latency, from each value to the next; 2000 I/Os\n     79.4 us | "
	             "##############################   100.0 % p50 p90 p99 p99.9\n");
	contains(&c, "\n  read: IOPS over the window\n        1000 |############\n");
	contains(&c, "\n  read: mean latency (usec) over the window\n");
	contains(&c, "           0 +------------ 2 s\n              ^ stalls: the longest\n");
	contains(&c, "\n  write: latency, from each value to the next; 100 I/Os\n");
	assert_int_equal(RUN(f, &c, "show", "cab0000000002"), EXIT_OK);
	contains(&c, "run 2: randread_4k_2 (cab0000000002), repeat 1, attempt 1: failed\n");
	contains(&c, "ext4, never started\n");
	contains(&c, "  error: open: no ?[2J such thing\n");
	assert_int_equal(RUN(f, &c, "show", "99"), EXIT_USAGE);
	assert_string_equal(c.text, "");
	assert_int_equal(RUN(f, &c, "show", "1", "--json"), EXIT_OK);
	contains(&c, "{\"schema_version\":1,\"rows\":[\n{\"sweep\":\"night\",");
	contains(&c, "\"op\":\"write\",");
	contains(&c, "],\n\"intervals\":[\n{\"run\":1,");
	contains(&c, "\"t_s\":1,\"len_s\":1,\"ios\":1000,\"bytes\":4096000,\"iops\":1000,");
	contains(&c, "],\n\"histograms\":[\n{\"run\":1,");
	contains(&c, "\"low_us\":79.872,\"high_us\":80.384,\"ios\":2000}");
}

static void rates_in_the_units_of_fio(void **state)
{
	AUTO(freep) struct sample *s = sample_of(2000, 80000);
	struct fixture *f = *state;
	struct capture c;
	struct run_of a;

	s->op[OP_READ].bytes = 2 * 3456 * MIB;
	run_of(&a, 1, 1, STATUS_OK, s);
	assert_int_equal(store_step(f->store, &a.record, NULL, false, &f->e), 0);
	assert_int_equal(RUN(f, &c, "show", "1"), EXIT_OK);
	contains(&c, "  read: IOPS=1000, BW=3456MiB/s (3624MB/s)(6912MiB/2000msec)\n");
	s->op[OP_READ].bytes = 2 * 12 * GIB;
	run_of(&a, 2, 2, STATUS_OK, s);
	assert_int_equal(store_step(f->store, &a.record, NULL, false, &f->e), 0);
	assert_int_equal(RUN(f, &c, "show", "2"), EXIT_OK);
	contains(&c, "  read: IOPS=1000, BW=12.0GiB/s (12.9GB/s)(24.0GiB/2000msec)\n");
}

static void a_sweep_while_it_runs_and_after(void **state)
{
	struct fixture *f = *state;
	struct capture c;
	struct run_of a;

	run_of(&a, 9, 9, STATUS_RUNNING, NULL);
	assert_int_equal(store_step(f->store, NULL, &a.record, false, &f->e), 0);
	assert_int_equal(RUN(f, &c, "show"), EXIT_OK); /* its lock is held: here */
	contains(&c, "night: running, 0/4 runs done (0.0 %)\n");
	contains(&c, "ETA 10 s (");
	contains(&c, "now:\n  randread_4k_9, run 9\n");
	assert_int_equal(RUN(f, &c, "show", "--json"), EXIT_OK);
	contains(&c,
	         "\"state\":\"running\",\n\"live\":true,\n\"planned_runs\":4,\n\"done\":0,");
	contains(&c, "\"eta_s\":10,");

	fill(f);
	assert_int_equal(RUN(f, &c, "show"), EXIT_OK);
	contains(&c, "night: stopped, 3/4 runs done (75.0 %)\n"
	             "1 ok, 1 failed, 1 skipped, 0 timeout, 0 interrupted; 1 in doubt\n"
	             "go on with: iosweep resume ");
	contains(&c, "a.db --destroy /dev/x\n");
	contains(&c,
	         "failed (the last 10):\n  run 2 randread_4k_2: open: no ?[2J such thing\n");
	contains(&c, " warning run 2 io: open failed\n");
	contains(&c, "environment:\n  host: box\n  cpu: Z80\n");
	assert_null(strstr(c.text, "deep"));
	assert_int_equal(RUN(f, &c, "show", "--json"), EXIT_OK);
	contains(&c, "\"state\":\"stopped\",\n\"live\":false,");
	contains(&c, "\"doubted\":1,\n\"eta_s\":null,\n\"host\":\"box\",\n\"environment\":{"
	             "\"host\":\"box\","
	             "\"cpu\":\"Z80\",\"deep\":{\"a\":1}},");
	contains(&c, "\"failures\":[\n{\"run\":2,\"label\":\"randread_4k_2\",\"status\":"
	             "\"failed\",\"error\":\"open: no \\u001b[2J such thing\"}]");
}

static void export_in_its_formats(void **state)
{
	static const struct {
		const char *format, *first, *second;
	} cases[] = {
		{ "csv", "sweep,label,", "night,randread_4k_3,cab0000000003,3,1,,box," },
		{ "csv-excel", "\xef\xbb\xbfsweep;label;",
		  "night;randread_4k_3;cab0000000003;3;1;;box;" },
		{ "tsv", "sweep\tlabel\t",
		  "night\trandread_4k_3\tcab0000000003\t3\t1\t\tbox\t" },
		{ "json", "{\"schema_version\":1,\"rows\":[",
		  "{\"sweep\":\"night\",\"label\":\"randread_4k_3\"," },
	};
	struct fixture *f = *state;
	struct capture c;

	fill(f);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *second;

		assert_int_equal(RUN(f, &c, "export", "--format", cases[i].format, "--where",
		                     "status = 'skipped'"),
		                 EXIT_OK);
		assert_memory_equal(c.text, cases[i].first, strlen(cases[i].first));
		second = strchr(c.text, '\n') + 1;
		assert_memory_equal(second, cases[i].second, strlen(cases[i].second));
	}
}

static void export_says_what_is_wrong(void **state)
{
	struct fixture *f = *state;
	struct capture c;

	fill(f);
	assert_int_equal(RUN(f, &c, "export", "--format", "xls"), EXIT_USAGE);
	assert_int_equal(RUN(f, &c, "export", "--where", "nonsense = 1"), EXIT_USAGE);
	assert_int_equal(RUN(f, &c, "export", "--where", "1); DROP TABLE run; --"), EXIT_USAGE);
	assert_int_equal(RUN(f, &c, "export", "-o", "/dev/full"), EXIT_STORE);
	assert_int_equal(RUN(f, &c, "export", "-o", "/nonexistent/x"), EXIT_STORE);
	assert_string_equal(c.text, "");
	(void)snprintf(f->db, sizeof(f->db), "%s/none.db", f->dir);
	assert_int_equal(RUN(f, &c, "export"), EXIT_INPUT);
	assert_int_equal(RUN(f, &c, "show"), EXIT_INPUT);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

TEST_MAIN(T(a_run_as_fio_would_say_it), T(rates_in_the_units_of_fio),
          T(a_sweep_while_it_runs_and_after),
          T(export_in_its_formats), T(export_says_what_is_wrong))
