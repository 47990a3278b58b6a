/* Job files of fio to configs: what they mean there they mean here, and what cannot be said
 * stops them. */
#include "support/test.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "config/config.h"
#include "fio/job_import.h"
#include "fio/job_units.h"

struct wanted {
	const char *section, *without, *sweep[4];
	bool cmdline;
};

/* What became of a text. */
struct imported {
	int r;
	struct fio_jobs jobs;
	struct text config;
	struct strlist notes;
	struct sweep *sweep; /* of the config */
};

static struct imported import(const char *text, struct wanted want)
{
	struct imported m = { 0 };
	struct strlist sweep = { 0 }, section = { 0 }, without = { 0 };
	struct fio_wishes w = { "dir/night.fio", &section, &sweep, &without };
	struct config_source src = { .path = "night.json" };

	for (size_t i = 0; i < ARRAY_SIZE(want.sweep) && want.sweep[i]; i++)
		strlist_add(&sweep, want.sweep[i]);
	if (want.section)
		strlist_add(&section, want.section);
	if (want.without)
		strlist_add(&without, want.without);
	if (want.cmdline)
		fio_jobs_cmdline(&m.jobs, text);
	else
		fio_jobs_text(&m.jobs, "a.fio", text, strlen(text));
	m.r = fio_jobs_import(&m.jobs, &w, &m.config, &m.notes);
	src.text = text_get(&m.config);
	if (!m.r)
		assert_int_equal(config_load(&m.sweep, &src, &m.jobs.problems), 0);
	strlist_fini(&sweep);
	strlist_fini(&section);
	strlist_fini(&without);
	return m;
}

static void imported_fini(struct imported *m)
{
	fio_jobs_fini(&m->jobs);
	text_fini(&m->config);
	strlist_fini(&m->notes);
	sweep_free(m->sweep);
}

static struct imported accepted(const char *text, struct wanted want)
{
	struct imported m = import(text, want);

	for (size_t i = 0; i < m.jobs.problems.len; i++)
		print_error("%s\n", m.jobs.problems.item[i]);
	assert_int_equal(m.r, 0);
	return m;
}

static void expect_values(const struct axis_values *v, const uint64_t *want, size_t n)
{
	assert_int_equal(v->len, n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(v->val[i], want[i]);
}

#define EXPECT(holder, a, ...)                                                                 \
	expect_values(&(holder)->axis[AXIS_##a], (const uint64_t[]){ __VA_ARGS__ },            \
	              sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

static bool some_contains(const struct strlist *l, const char *part)
{
	for (size_t i = 0; i < l->len; i++)
		if (strstr(l->item[i], part))
			return true;
	return false;
}

#define GLOBAL "[global]\nfilename=t.bin\nsize=1m\nstonewall\n"

/* What is not said is as fio does it, not as iosweep would. */
static void defaults(void **state)
{
	struct imported m = accepted("[a]\nfilename=t.bin\nsize=1m\ntime_based\nruntime=2\n",
	                             (struct wanted){ 0 });

	(void)state;
	EXPECT(m.sweep, rw, RW_READ);
	EXPECT(m.sweep, ioengine, ENGINE_PSYNC);
	EXPECT(m.sweep, direct, 0);
	EXPECT(m.sweep, profile, PROFILE_FIO);
	EXPECT(m.sweep, ramp_time, 0);
	EXPECT(m.sweep, runtime, 2 * SEC);
	EXPECT(m.sweep, time_based, 1);
	assert_string_equal(m.sweep->name, "night");
	imported_fini(&m);
}

/* runtime alone is a cap; 0 is none; time_based alone is nothing. */
static void length(void **state)
{
	struct imported m =
	    accepted("[a]\nfilename=t.bin\nsize=1m\nruntime=5\n", (struct wanted){ 0 });

	(void)state;
	EXPECT(m.sweep, time_based, 0);
	EXPECT(m.sweep, runtime, 5 * SEC);
	assert_true(some_contains(&m.notes, "only caps one pass"));
	imported_fini(&m);
	m = accepted("[a]\nfilename=t.bin\nsize=1m\nruntime=5\nramp_time=1\n",
	             (struct wanted){ .sweep = { "time_based=1" } });
	EXPECT(m.sweep, time_based, 1);
	EXPECT(m.sweep, ramp_time, SEC);
	imported_fini(&m);
	m = accepted("[a]\nfilename=t.bin\nsize=1m\nruntime=0\ntime_based\nramp_time=0\n",
	             (struct wanted){ 0 });
	EXPECT(m.sweep, time_based, 0);
	EXPECT(m.sweep, runtime, AXIS_UNSET);
	imported_fini(&m);
}

/* Form: comments, blanks, flags, a repeated option, CRLF, a mark at the start; [Global] is a
 * job like any other. */
static void forms(void **state)
{
	struct imported m =
	    accepted("\xef\xbb\xbf; one\r\n[global]\r\n  filename = t.bin ; two\r\nsize=1m# "
	             "three\r\n\r\n"
	             "[Global]\r\nbs=4k\r\nbs=8k\r\nzero_buffers\r\ngroup_reporting=1",
	             (struct wanted){ 0 });

	(void)state;
	EXPECT(m.sweep, bs, 8192);
	EXPECT(m.sweep, size, MIB);
	EXPECT(m.sweep, zero_buffers, 1);
	assert_string_equal(m.sweep->target.item[0], "t.bin");
	imported_fini(&m);
}

static void units(void **state)
{
	static const struct {
		enum axis_id axis;
		const char *value;
		unsigned kb_base;
		const char *want;
		int rewritten;
	} row[] = {
		{ AXIS_bs, "4k", 1024, "4k", 0 },
		{ AXIS_bs, "4KB", 1024, "4KB", 0 },
		{ AXIS_bs, "4kib", 1024, "4000", 1 },
		{ AXIS_bs, "1MiB", 1024, "1000000", 1 },
		{ AXIS_bs, "4ki", 1024, "4ki", 0 },
		{ AXIS_bs, "8kib,4k", 1024, "8000,4k", 1 },
		{ AXIS_bs, "1p", 1024, "1125899906842624", 1 },
		{ AXIS_bs, "4k", 1000, "4000", 1 },
		{ AXIS_bs, "4kib", 1000, "4kib", 0 },
		{ AXIS_bs, "2m", 1000, "2000000", 1 },
		{ AXIS_bs, "4kib4", 1024, "4kib4", 0 }, /* refused, instead of 40004 */
		{ AXIS_bs, "4k4", 1000, "4k4", 0 },
		{ AXIS_size, "50%", 1024, "50%", 0 },
		{ AXIS_bssplit, "4kib/60:16k/40", 1024, "4000/60:16k/40", 1 },
		{ AXIS_rw, "randrw", 1024, "randrw", 0 },
		{ AXIS_rw, "read:4k", 1024, "read:4k", 0 },
		{ AXIS_rw, "read:-4kib", 1024, "read:-4000", 1 },
		/* hexadecimal: the suffix is not read */
		{ AXIS_bs, "0x1000", 1024, "0x1000", 0 },
		{ AXIS_bs, "0x100kib", 1024, "256", 1 },
		{ AXIS_bs, "0X1ek", 1024, "30", 1 },
		{ AXIS_bs, "0x400g,8kib", 1024, "1024,8000", 2 },
		{ AXIS_bs, "0x400k", 1000, "1024", 1 },
		{ AXIS_bs, "0x10k4", 1024, "16", 1 },
		{ AXIS_bs, "0x", 1024, "0x", 0 },
		{ AXIS_bs, "0xk", 1024, "0xk", 0 },
		{ AXIS_bssplit, "0x200-0x400k", 1024, "0x200-1024", 1 },
		{ AXIS_rw, "read:0x1000k", 1024, "read:4096", 1 },
		/* whole numbers take suffixes too */
		{ AXIS_iodepth, "16", 1024, "16", 0 },
		{ AXIS_iodepth, "0x10", 1024, "16", 1 },
		{ AXIS_iodepth, "1k", 1024, "1024", 1 },
		{ AXIS_rate_iops, "1kib,2k", 1024, "1000,2048", 2 },
		{ AXIS_rate_iops, "1k", 1000, "1000", 1 },
		{ AXIS_iodepth, "16x", 1024, "16x", 0 },
		{ AXIS_rwmixread, "0x32", 1024, "50", 1 },
		/* and times are of microseconds */
		{ AXIS_runtime, "10", 1024, "10", 0 },
		{ AXIS_runtime, "10msec", 1024, "10ms", 0 },
		{ AXIS_runtime, "0x3e8", 1024, "1000us", 1 },
		{ AXIS_runtime, "0x3e8m", 1024, "1000us", 1 },
		{ AXIS_thinktime, "0x64", 1024, "100us", 1 },
		{ AXIS_runtime, "0xffffffffffffffffff", 1024, "0xffffffffffffffffff", 0 },
		{ AXIS_direct, "1", 1024, "1", 0 },
	};
	struct text t = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(row); i++) {
		const struct axis *a = &axes[row[i].axis];

		text_clear(&t);
		assert_int_equal(fio_numbers(a, row[i].value, row[i].kb_base, &t),
		                 row[i].rewritten);
		assert_string_equal(text_get(&t), row[i].want);
	}
	assert_int_equal(fio_numbers(&axes[AXIS_bs], "99999999999999pib", 1024, &t), -ERANGE);
	assert_int_equal(fio_numbers(&axes[AXIS_bs], "0xffffffffffffffffffk", 1024, &t), -ERANGE);
	assert_int_equal(fio_numbers(&axes[AXIS_bs], "0x8000000000000000k", 1024, &t), -ERANGE);
	text_fini(&t);
}

/* READ,WRITE,TRIM: the last holds for those after it, and where nothing stands it is 4k. */
static void sizes_by_direction(void **state)
{
	static const struct {
		const char *value, *want;
	} row[] = {
		{ "8k,4k", "{\"read\": \"8k\", \"write\": \"4k\"}" },
		{ "8k,", "{\"read\": \"8k\", \"write\": \"4k\"}" },
		{ ",8k", "{\"write\": \"8k\"}" },
		{ "8k,4k,2k", "{\"read\": \"8k\", \"write\": \"4k\", \"trim\": \"2k\"}" },
		{ "8k,,2k", "{\"read\": \"8k\", \"write\": \"4k\", \"trim\": \"2k\"}" },
	};
	AUTO(text_fini) struct text job = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(row); i++) {
		struct imported m;
		json_t *config;
		char *bs;

		text_clear(&job);
		text_addf(&job, GLOBAL "[a]\nrw=randrw\nbs=%s\n", row[i].value);
		m = accepted(text_get(&job), (struct wanted){ 0 });
		config = json_loads(text_get(&m.config), 0, NULL);
		bs = json_dumps(json_object_get(config, "bs"), 0);
		assert_string_equal(bs, row[i].want);
		free(bs);
		json_decref(config);
		imported_fini(&m);
	}
}

static void kb_base(void **state)
{
	struct imported m = accepted("[a]\nfilename=t.bin\nsize=1m\nbs=4k\nkb_base=1000\n",
	                             (struct wanted){ 0 });

	(void)state;
	EXPECT(m.sweep, bs, 4000);
	EXPECT(m.sweep, size, 1000000);
	assert_true(some_contains(&m.notes, "a.fio:4: bs: '4k' in fio is 4000 bytes"));
	imported_fini(&m);
}

static size_t nesting(const struct sweep *s, enum axis_id a)
{
	size_t i = 0;

	while (s->nest[i] != a)
		i++;
	return i;
}

static void product_becomes_axes(void **state)
{
	struct imported m =
	    accepted(GLOBAL "[a]\nrw=read\nbs=4k\n[b]\nrw=read\nbs=64k\n[c]\nrw=write\nbs=4k\n"
	                    "[d]\nrw=write\nbs=64k\n",
	             (struct wanted){ 0 });

	(void)state;
	assert_int_equal(m.sweep->includes, 0);
	EXPECT(m.sweep, rw, RW_READ, RW_WRITE);
	EXPECT(m.sweep, bs, 4096, 65536);
	assert_true(nesting(m.sweep, AXIS_rw) <
	            nesting(m.sweep, AXIS_bs)); /* it changes least */
	assert_int_equal(m.sweep->order, ORDER_LISTED);
	imported_fini(&m);
}

static void others_become_entries(void **state)
{
	struct imported m =
	    accepted(GLOBAL "numjobs=2\n[a]\nrw=read\n[b]\nrw=write\nnumjobs=1\nfsync=8\n",
	             (struct wanted){ .sweep = { "iodepth=1,8", "ioengine=libaio" } });
	const struct partial *p = m.sweep->include;

	(void)state;
	assert_false(m.sweep->base_product);
	assert_int_equal(m.sweep->includes, 2);
	assert_string_equal(p[0].label, "a");
	EXPECT(&p[0], numjobs, 2);
	EXPECT(&p[0], iodepth, 1, 8);
	EXPECT(&p[1], numjobs, 1);
	EXPECT(&p[1], fsync, 8);
	EXPECT(&p[1], iodepth, 1, 8);
	EXPECT(m.sweep, ioengine, ENGINE_LIBAIO);
	imported_fini(&m);
}

static void same_sections_are_repeats(void **state)
{
	struct imported m = accepted(GLOBAL "[a]\n[b]\n[c]\n", (struct wanted){ 0 });

	(void)state;
	assert_int_equal(m.sweep->repeats, 3);
	imported_fini(&m);
	/* but not those that a sweep made the same */
	m = accepted(GLOBAL "[a]\nbs=4k\n[b]\nbs=8k\n",
	             (struct wanted){ .sweep = { "bs=4k..1m*4" } });
	assert_int_equal(m.sweep->repeats, 1);
	EXPECT(m.sweep, bs, 4096, 16384, 65536, 262144, 1048576);
	imported_fini(&m);
}

/* One that stands again behind another is measured once, and that is said. */
static void same_sections_apart_are_said(void **state)
{
	struct imported m = accepted(
	    GLOBAL "[a]\nrw=read\n[b]\nrw=write\nbs=8k\n[c]\nrw=read\n", (struct wanted){ 0 });

	(void)state;
	assert_true(some_contains(&m.notes,
	                          "a.fio:10: [c] is the same as [a]: one combination, "
	                          "measured once"));
	imported_fini(&m);
}

static void names_of_sections(void **state)
{
	struct imported m = accepted(GLOBAL "[a]\nname=x\nrw=read\n[b]\nrw=write\nbs=8k\n",
	                             (struct wanted){ 0 });

	(void)state;
	assert_string_equal(m.sweep->include[0].label, "x");
	assert_string_equal(m.sweep->include[1].label, "b");
	imported_fini(&m);
}

static void sweep_takes_settings(void **state)
{
	struct imported m =
	    accepted("[a]\nfilename=t.bin\nsize=1m\n[b]\nfilename=t.bin\nsize=1m\nrw=write\n",
	             (struct wanted){ .sweep = { "stonewall", "repeats=3", "numjobs=1..5+2",
	                                         "direct=[0,1]" } });

	(void)state;
	assert_int_equal(m.sweep->repeats, 3);
	EXPECT(m.sweep, numjobs, 1, 3, 5);
	EXPECT(m.sweep, direct, 0, 1);
	EXPECT(m.sweep, rw, RW_READ, RW_WRITE);
	imported_fini(&m);
}

static void later_global_holds_below(void **state)
{
	struct imported m = accepted(GLOBAL "bs=8k\nbs=16k\n[a]\nnumjobs=3\n[globals]"
	                                    "\nblocksize=32k\nbuffered=0\n[b]\ndirect=0\n",
	                             (struct wanted){ .section = "b" });

	(void)state;
	EXPECT(m.sweep, bs, 32768);
	EXPECT(m.sweep, direct, 0);
	EXPECT(m.sweep, numjobs, 1);
	imported_fini(&m);
}

static void targets(void **state)
{
	struct imported m =
	    accepted("[a]\nfilename=x\\:y\ndirectory=.\nsize=1m\n", (struct wanted){ 0 });

	(void)state;
	assert_string_equal(m.sweep->target.item[0], "./x:y");
	imported_fini(&m);
	m = accepted("[a]\nsize=1m\n", (struct wanted){ 0 });
	assert_string_equal(m.sweep->target.item[0], ".");
	assert_true(some_contains(&m.notes, "no filename"));
	imported_fini(&m);
}

/* Sections that fio runs at the same time, the same on another target each, are one combination
 * over all of them. */
static void disks_at_once(void **state)
{
	struct imported m =
	    accepted("[global]\nsize=1m\nrw=randread\n[a]\nfilename=x\n[b]\nfilename=y\n"
	             "[c]\nstonewall\nfilename=x\n",
	             (struct wanted){ 0 });

	(void)state;
	assert_int_equal(m.sweep->axis[AXIS_filename].len, 2);
	assert_int_equal(m.sweep->sets, 1);
	assert_int_equal(m.sweep->set[0].n, 2);
	assert_string_equal(m.sweep->target.item[m.sweep->set[0].target], "[\"x\",\"y\"]");
	assert_true(some_contains(
	    &m.notes, "a.fio:6: [b] runs at the same time as [a], on another target"));
	imported_fini(&m);
	/* not those that differ in more, or share one */
	m = import("[global]\nsize=1m\n[a]\nfilename=x\n[b]\nfilename=y\nbs=8k\n[c]\nfilename="
	           "y\nbs=8k\n",
	           (struct wanted){ 0 });
	assert_true(
	    some_contains(&m.jobs.problems, "a.fio:5: [b] runs at the same time as [a]"));
	assert_true(
	    some_contains(&m.jobs.problems, "a.fio:8: [c] runs at the same time as [b]"));
	imported_fini(&m);
}

static void environment(void **state)
{
	struct imported m;

	(void)state;
	assert_int_equal(setenv("FIO_IMPORT_N", "8", 1), 0);
	m = accepted("[a]\nfilename=t.bin\nsize=${FIO_IMPORT_N}m\nbs=${FIO_IMPORT_N}k\n",
	             (struct wanted){ 0 });
	EXPECT(m.sweep, bs, 8192);
	EXPECT(m.sweep, size, 8 * MIB);
	imported_fini(&m);
	assert_int_equal(unsetenv("FIO_IMPORT_N"), 0);
}

static void command_line(void **state)
{
	struct imported m = accepted("/usr/bin/fio --name=global --size 1m \\\n --name=a "
	                             "--filename='a b' --rw=randread --output=x.json "
	                             "--output-format json --time_based --runtime=\"3\" --name "
	                             "b --filename=a\\ b --rw=randwrite --stonewall "
	                             "--time_based --runtime 3",
	                             (struct wanted){ .cmdline = true });

	(void)state;
	EXPECT(m.sweep, rw, RW_RANDREAD, RW_RANDWRITE);
	EXPECT(m.sweep, runtime, 3 * SEC);
	assert_string_equal(m.sweep->target.item[0], "a b");
	imported_fini(&m);
}

/* What runs fio is passed over; switches of fio that need a value have the next word, and those
 * that stand alone leave it. */
static void command_lines(void **state)
{
	static const char *const before[] = { "sudo -u root fio", "env A=b fio",
		                              "A=b /opt/fio/bin/fio", "time fio", "fio", "" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(before); i++) {
		AUTO(text_fini) struct text line = { 0 };
		struct imported m;

		text_addf(&line,
		          "%s --bandwidth-log --name fio --thread --filename t.bin --size 1m "
		          "--rw randread --direct 1 --end_fsync 0 --invalidate --norandommap "
		          "--eta never --bs 8k",
		          before[i]);
		m = accepted(line.s, (struct wanted){ .cmdline = true });
		EXPECT(m.sweep, rw, RW_RANDREAD);
		EXPECT(m.sweep, direct, 1);
		EXPECT(m.sweep, end_fsync, 0);
		EXPECT(m.sweep, invalidate, 1);
		EXPECT(m.sweep, norandommap, 1);
		EXPECT(m.sweep, bs, 8192);
		imported_fini(&m);
	}
}

static void left_out_by_name(void **state)
{
	struct imported m =
	    accepted("[a]\nfilename=t.bin\nsize=1m\nwrite_bw_log=x\nlog_avg_msec=10\n",
	             (struct wanted){ .without = "write_bw_log,log_avg_msec" });

	(void)state;
	assert_true(some_contains(&m.notes, "a.fio:4: write_bw_log: left out, as asked"));
	imported_fini(&m);
}

/* Everything wrong at once, each with where it stands. */
static void refusals(void **state)
{
	static const struct {
		const char *text;
		struct wanted want;
		const char *problem[3];
	} row[] = {
		{ "[a]\nbs=${FIO_IMPORT_NONE}\nwrite_bw_log=x\nfrobnicate=1\n",
		  { 0 },
		  { "a.fio:2: bs: undefined variable FIO_IMPORT_NONE",
		    "a.fio:3: write_bw_log: ", "a.fio:4: frobnicate: unknown key" } },
		{ "[a]\nbs=1.5k\nruntime=0.5\nkb_base=7\n",
		  { 0 },
		  { "a.fio:2: bs: '1.5k': fio takes whole numbers and reads this as 1;",
		    "a.fio:3: runtime: '0.5': fio takes whole numbers and reads this as 0;",
		    "a.fio:4: kb_base: allowed" } },
		{ "[a]\nrw=reed\niodepth=0\ntime_based=maybe\n",
		  { 0 },
		  { "a.fio:2: rw: 'reed'", "a.fio:3: iodepth: '0': out of range",
		    "a.fio:4: time_based: 'maybe'" } },
		{ "bs=4k\n[a\n[]\n",
		  { 0 },
		  { "a.fio:1: bs: stands before the first [section]",
		    "a.fio:2: '[' without ']'", "a.fio:3: a section without a name" } },
		{ "[a] x\n=4\ninclude /nowhere/x.inc\n",
		  { 0 },
		  { "a.fio:1: text behind [a]", "a.fio:2: a value without a name",
		    "a.fio:3: include /nowhere/x.inc: cannot read" } },
		{ "[a]\nsize=1m\nfilename=/x/a:/x/b\nrepeats=3\n",
		  { 0 },
		  { "a.fio:3: filename: '/x/a:/x/b': in fio each job goes over several files",
		    "a.fio:4: repeats: no option of fio" } },
		{ "[a]\nsize=1m\nfilename=host:/export\n",
		  { 0 },
		  { "a.fio:3: filename: 'host:/export': not a path but a network address" } },
		{ "[a]\nsize=1m\nfilename=t\n[b]\nsize=1m\nfilename=t\nruntime=1\ntime_based\n",
		  { 0 },
		  { "a.fio:4: [b] runs at the same time as [a] in fio",
		    "a.fio:4: [b] loops until runtime, [a] ends with size" } },
		{ "[a]\nsize=1m\nfilename=t\nruntime=2\nramp_time=1\n",
		  { 0 },
		  { "a.fio:5: ramp_time: without time_based the ramp uses up a part of "
		    "size" } },
		{ "[a]\nfilename=t\nsize=1m\n",
		  { .sweep = { "bs", "buffered=1", "rw=[" } },
		  { "--sweep: 'bs': expected KEY=VALUES", "--sweep: buffered: say it by direct",
		    "--sweep: rw=[: not JSON" } },
		{ "[a]\nfilename=t\nsize=1m\n",
		  { .section = "b" },
		  { "--section: 'b': no section has this name" } },
		{ "[global]\nbs=4k\n", { 0 }, { "import-job: no [section] in it" } },
		{ "fio job.fio --name=a 'b",
		  { .cmdline = true },
		  { "--cmdline: a quote is not closed" } },
		{ "fio --bs=4k job.fio",
		  { .cmdline = true },
		  { "--cmdline: 'job.fio': expected --OPTION=VALUE",
		    "--cmdline: no job in it" } },
		{ "job.fio --name=a --filename fio --direct yes",
		  { .cmdline = true },
		  { "--cmdline: 'job.fio': expected --OPTION=VALUE",
		    "--cmdline: 'yes': expected --OPTION=VALUE" } },
		{ "[a]\nfilename=\x1b[2J\n", { 0 }, { "a.fio:2: control characters" } },
		{ "[a]\nfilename=t\nsize=1m\nnumjobs=1,2,4\n",
		  { 0 },
		  { "a.fio:4: numjobs: '1,2,4': expected one value, for reads and writes "
		    "alike; "
		    "several are swept by --sweep numjobs=1,2,4" } },
		{ "[a]\nfilename=t\nsize=1m\nbs=8k,4k,2k,1k\n",
		  { 0 },
		  { "a.fio:4: bs: '8k,4k,2k,1k': expected READ,WRITE,TRIM" } },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(row); i++) {
		struct imported m = import(row[i].text, row[i].want);
		size_t n = 0;

		assert_int_equal(m.r, -EINVAL);
		for (; n < ARRAY_SIZE(row[i].problem) && row[i].problem[n]; n++)
			if (!some_contains(&m.jobs.problems, row[i].problem[n])) {
				for (size_t k = 0; k < m.jobs.problems.len; k++)
					print_error("%s\n", m.jobs.problems.item[k]);
				fail_msg("row %zu: not said: %s", i, row[i].problem[n]);
			}
		assert_int_equal(m.jobs.problems.len, n);
		assert_int_equal(m.config.len, 0);
		imported_fini(&m);
	}
}

static void expect_percentiles(const struct sweep *s, const uint32_t *want, size_t n)
{
	assert_int_equal(s->percentiles.n, n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(s->percentiles.at[i], want[i]);
}

/* A setting of the sweep: sections that differ have all of them. */
static void percentiles(void **state)
{
	static const uint32_t global[] = { 50000000, 99000000, 99900000 },
			      all[] = { 50000000, 90500000, 99000000, 99900000 };
	struct imported m =
	    accepted(GLOBAL "percentile_list=50:99:99.9 ; three\n[a]\n[b]\nbs=8k\n",
	             (struct wanted){ 0 });

	(void)state;
	expect_percentiles(m.sweep, global, ARRAY_SIZE(global));
	assert_false(some_contains(&m.notes, "percentile"));
	imported_fini(&m);
	m = accepted(GLOBAL
	             "percentile_list=50:99:99.9\n[a]\n[b]\nbs=8k\npercentile_list=90.5:50\n",
	             (struct wanted){ 0 });
	expect_percentiles(m.sweep, all, ARRAY_SIZE(all));
	assert_true(some_contains(&m.notes, "percentile_list is one for a whole sweep"));
	imported_fini(&m);
	m = accepted(GLOBAL "percentile_list=1:2\n[a]\n",
	             (struct wanted){ .sweep = { "percentile_list=50:99:99.9" } });
	expect_percentiles(m.sweep, global, ARRAY_SIZE(global));
	imported_fini(&m);
	m = accepted("[global]\nsize=1m\n[a]\nfilename=a\npercentile_list=50\n[b]\nfilename=b\n"
	             "percentile_list=90.5:99:99.9\n",
	             (struct wanted){ 0 }); /* at once: one combination over both */
	expect_percentiles(m.sweep, all, ARRAY_SIZE(all));
	imported_fini(&m);
	m = import(GLOBAL "percentile_list=50:x:101\n[a]\n", (struct wanted){ 0 });
	assert_int_equal(m.r, -EINVAL);
	assert_true(
	    some_contains(&m.jobs.problems, "a.fio:5: percentile_list: 'x': not a valid"));
	assert_true(some_contains(&m.jobs.problems, "percentile_list: '101': not a valid"));
	imported_fini(&m);
}

TEST_MAIN(cmocka_unit_test(percentiles), cmocka_unit_test(defaults), cmocka_unit_test(length),
          cmocka_unit_test(forms), cmocka_unit_test(units),
          cmocka_unit_test(sizes_by_direction), cmocka_unit_test(kb_base),
          cmocka_unit_test(product_becomes_axes), cmocka_unit_test(others_become_entries),
          cmocka_unit_test(same_sections_are_repeats),
          cmocka_unit_test(same_sections_apart_are_said), cmocka_unit_test(names_of_sections),
          cmocka_unit_test(sweep_takes_settings), cmocka_unit_test(later_global_holds_below),
          cmocka_unit_test(targets), cmocka_unit_test(disks_at_once),
          cmocka_unit_test(environment), cmocka_unit_test(command_line),
          cmocka_unit_test(command_lines),
          cmocka_unit_test(left_out_by_name), cmocka_unit_test(refusals))
