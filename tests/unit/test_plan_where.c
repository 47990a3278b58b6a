/* The where expression: what it sees, what it may do, and what it says when it may not. */
#include "support/test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "plan/where.h"
#include "support/fixture.h"

static struct job sample(const struct sweep *s)
{
	struct job job;

	for (size_t a = 0; a < AXIS_COUNT; a++)
		*axis_slot(&axes[a], &job) = s->axis[a].val[0];
	job.bs = 64 * KIB;
	job.numjobs = 4;
	job.iodepth = 32;
	job.ramp_time = 1500 * MSEC;
	job.size = GIB;
	job_defaults(&job);
	return job;
}

static void matches(void **state)
{
	static const struct {
		const char *where;
		int match;
	} cases[] = {
		{ "1", 1 },
		{ "0", 0 },
		{ "NULL", 0 },
		{ "'abc'", 0 },
		{ "bs = 65536", 1 },
		{ "bs < size('64k')", 0 },
		{ "bs <= size('64K')", 1 },
		{ "rw = 'randread' AND ioengine = 'psync'", 1 },
		{ "rw LIKE 'rand%'", 1 },
		{ "rw IN ('read', 'write')", 0 },
		{ "filename = 't.bin'", 1 },
		{ "numjobs * iodepth <= 128", 1 },
		{ "numjobs * iodepth < 128", 0 },
		{ "runtime = 30", 1 },
		{ "typeof(runtime) = 'integer' AND typeof(ramp_time) = 'real'", 1 },
		{ "ramp_time = 1.5", 1 },
		{ "ramp_time = seconds('1500ms') AND runtime = seconds('30s')", 1 },
		{ "runtime < seconds('5m')", 1 },
		{ "size = size('1g')", 1 },
		{ "io_size IS NULL", 1 },
		{ "io_size > 0", 0 },
		{ "direct", 1 },
		{ "job_offset = 'split' AND profile = 'max'", 1 },
		{ "cpus_allowed IS NULL AND fixedbufs IS NULL AND hipri = 0", 1 },
		{ "iodepth_batch_submit = 0 AND iodepth_batch_complete_min = 1", 1 },
		{ "time_based AND fsync = 0", 1 },
		{ "max(bs, 100000) = 100000 AND abs(-1) = 1", 1 },
		{ "CASE rw WHEN 'randread' THEN bs > 4096 ELSE 0 END", 1 },
		{ "bs = 65536 -- a comment", 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct sweep *s = fixture_sweep();
		struct job job = sample(s);
		struct err e = { 0 };
		struct where *w = NULL;

		s->where = xstrdup(cases[i].where);
		if (where_new(&w, s, &e) || where_match(w, &job, &e) != cases[i].match)
			fail_msg("%s: %s", cases[i].where, e.text);
		/* and again, with the same statement */
		assert_int_equal(where_match(w, &job, &e), cases[i].match);
		where_free(w);
		sweep_free(s);
	}
}

static void refusals(void **state)
{
	static const struct {
		const char *where, *text;
	} cases[] = {
		{ "iodeph > 4", "where: 'iodeph > 4': no such column: iodeph" },
		{ "rw = \"read\"", "where: 'rw = \"read\"': no such column: read" },
		{ "bs >", "where: 'bs >': near \")\": syntax error" },
		{ "", "where: '': near \")\": syntax error" },
		{ "bs > 1; DROP TABLE x",
		  "where: 'bs > 1; DROP TABLE x': near \";\": syntax error" },
		{ "1), (2",
		  "where: '1), (2': one SQL expression is expected, and nothing after it" },
		{ "1 /*", "where: '1 /*': incomplete input" },
		{ "1) FROM row /*", "where: '1) FROM row /*': one SQL expression is expected, "
		                    "and nothing after it" },
		{ "1), 1 FROM row; SELECT (1", "where: '1), 1 FROM row; SELECT (1': one SQL "
		                               "expression is expected, and nothing after it" },
		{ "bs = (SELECT 1)", "where: 'bs = (SELECT 1)': a subquery is not allowed" },
		{ "EXISTS (SELECT 1 FROM row)",
		  "where: 'EXISTS (SELECT 1 FROM row)': a subquery is not allowed" },
		{ "1) UNION SELECT (1", "where: '1) UNION SELECT (1': " },
		{ "bs IN sqlite_schema", "where: 'bs IN sqlite_schema': " },
		{ "bs IN pragma_page_size", "where: 'bs IN pragma_page_size': " },
		{ "random() > 0", "where: 'random() > 0': function random is not allowed" },
		{ "randomblob(9)",
		  "where: 'randomblob(9)': function randomblob is not allowed" },
		{ "load_extension('x')", "where: 'load_extension('x')': " },
		{ "count(*)", "where: 'count(*)': function count is not allowed" },
		{ "date('now') > 1", "where: 'date('now') > 1': function date is not allowed" },
		{ "bs > ?", "where: 'bs > ?': parameters (?) have no value here" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct sweep *s = fixture_sweep();
		struct err e = { 0 };
		struct where *w = NULL;

		s->where = xstrdup(cases[i].where);
		assert_int_equal(where_new(&w, s, &e), -EINVAL);
		assert_null(w);
		if (strncmp(e.text, cases[i].text, strlen(cases[i].text)) != 0)
			fail_msg("%s", e.text);
		if (cases[i].text[strlen(cases[i].text) - 1] != ' ')
			assert_string_equal(e.text, cases[i].text);
		sweep_free(s);
	}
}

static void errors_of_a_row(void **state)
{
	static const struct {
		const char *where, *text;
	} cases[] = {
		{ "bs > size('4q')", "where: 'bs > size('4q')': size('4q'): not a size" },
		{ "runtime > seconds('1x')",
		  "where: 'runtime > seconds('1x')': seconds('1x'): not a time" },
		{ "abs(-9223372036854775807 - 1)",
		  "where: 'abs(-9223372036854775807 - 1)': integer overflow" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct sweep *s = fixture_sweep();
		struct job job = sample(s);
		struct err e = { 0 };
		struct where *w = NULL;

		s->where = xstrdup(cases[i].where);
		assert_int_equal(where_new(&w, s, &e), 0);
		assert_int_equal(where_match(w, &job, &e), -EINVAL);
		assert_string_equal(e.text, cases[i].text);
		where_free(w);
		sweep_free(s);
	}
}

static void steps_are_limited(void **state)
{
	struct sweep *s = fixture_sweep();
	struct job job = sample(s);
	struct text t = { 0 };
	struct err e = { 0 };
	struct where *w = NULL;

	(void)state;
	text_add(&t, "bs IN (0");
	for (unsigned i = 1; i < 30000; i++)
		text_addf(&t, ",bs+%u", i);
	text_add(&t, ")");
	s->where = xstrdup(text_get(&t));
	assert_int_equal(where_new(&w, s, &e), 0);
	assert_int_equal(where_match(w, &job, &e), -EINVAL);
	assert_non_null(strstr(e.text, "': takes too many steps"));
	where_free(w);
	text_fini(&t);
	sweep_free(s);
}

TEST_MAIN(cmocka_unit_test(matches), cmocka_unit_test(refusals),
          cmocka_unit_test(errors_of_a_row), cmocka_unit_test(steps_are_limited))
