/* moment_parse(): the next time of day, across days and changes of the clocks, and full dates.
 */
#include "support/test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/moment.h"
#include "base/units.h"

/* Central Europe, without the zone files: forward on the last Sunday of March at 2:00, back on
 * that of October at 3:00. */
#define CET "CET-1CEST,M3.5.0,M10.5.0/3"

struct good {
	const char *zone, *now, *text, *then; /* UTC */
};

static int64_t utc_ns(const char *iso)
{
	struct tm tm = { 0 };

	assert_non_null(strptime(iso, "%Y-%m-%dT%H:%M:%SZ", &tm));
	return (int64_t)timegm(&tm) * (int64_t)SEC;
}

static void set_zone(const char *zone)
{
	(void)setenv("TZ", zone, 1);
	tzset();
}

static void gives(void **state)
{
	static const struct good cases[] = {
		{ "UTC0", "2026-11-30T22:00:00Z", "07:00", "2026-12-01T07:00:00Z" },
		{ "UTC0", "2026-11-30T22:00:00Z", "7:00", "2026-12-01T07:00:00Z" },
		{ "UTC0", "2026-11-30T22:00:00Z", "22:00:01", "2026-11-30T22:00:01Z" },
		/* the present is no future */
		{ "UTC0", "2026-11-30T22:00:00Z", "22:00", "2026-12-01T22:00:00Z" },
		{ "UTC0", "2026-12-31T23:30:00Z", "00:00", "2027-01-01T00:00:00Z" },
		{ "UTC0", "2028-02-28T12:00:00Z", "11:00", "2028-02-29T11:00:00Z" },
		{ CET, "2026-11-30T22:00:00Z", "07:00", "2026-12-01T06:00:00Z" },
		{ CET, "2026-07-01T22:30:00Z", "07:00", "2026-07-02T05:00:00Z" },
		/* nights with a change of the clocks: the wall counts */
		{ CET, "2026-03-28T21:00:00Z", "07:00", "2026-03-29T05:00:00Z" },
		{ CET, "2026-10-24T20:00:00Z", "07:00", "2026-10-25T06:00:00Z" },
		/* 2:30 does not come: the moment of the change */
		{ CET, "2026-03-28T21:00:00Z", "02:30", "2026-03-29T01:00:00Z" },
		{ CET, "2026-03-29T01:00:00Z", "02:30", "2026-03-30T00:30:00Z" },
		/* 2:30 comes twice: the next of them */
		{ CET, "2026-10-24T20:00:00Z", "02:30", "2026-10-25T00:30:00Z" },
		{ CET, "2026-10-25T00:30:00Z", "02:30", "2026-10-25T01:30:00Z" },
		{ CET, "2026-10-25T01:30:00Z", "02:30", "2026-10-26T01:30:00Z" },
		{ "EST5", "2026-11-30T22:00:00Z", "2026-12-01T07:00", "2026-12-01T12:00:00Z" },
		{ "EST5", "2026-11-30T22:00:00Z", "2026-12-01 07:00:15",
		  "2026-12-01T12:00:15Z" },
		{ "EST5", "2026-11-30T22:00:00Z", "2026-12-01T07:00Z", "2026-12-01T07:00:00Z" },
		{ "EST5", "2026-11-30T22:00:00Z", "2026-12-01T07:00:00+01:00",
		  "2026-12-01T06:00:00Z" },
		{ "EST5", "2026-11-30T22:00:00Z", "2026-12-01T07:00-03:30",
		  "2026-12-01T10:30:00Z" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct good *c = &cases[i];
		struct err e = { 0 };
		int64_t got = 0;

		set_zone(c->zone);
		assert_int_equal(moment_parse(c->text, utc_ns(c->now), &got, &e), 0);
		if (got != utc_ns(c->then))
			fail_msg("%s, now %s in %s: %lld, not %s", c->text, c->now, c->zone,
			         (long long)got / 1000000000, c->then);
	}
}

static void refuses(void **state)
{
	static const char *const cases[] = {
		"",
		"7",
		"07",
		"24:00",
		"07:60",
		"07:00:60",
		"7:0",
		"07:00 ",
		" 07:00",
		"007:00",
		"07:00Z",
		"tomorrow",
		"-1:00",
		"2026-12-01",
		"2026-13-01T07:00",
		"7:00am",
		"07:00:00:",
		"2026-02-30T07:00",
		"2026-12-01T07:00CET",
		"2026-12-01T07:00+1",
		"20261201T0700",
		"2262-01-01T00:00",
	};

	(void)state;
	set_zone("UTC0");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err e = { 0 };
		int64_t got = 0;

		if (moment_parse(cases[i], utc_ns("2026-11-30T22:00:00Z"), &got, &e) != -EINVAL)
			fail_msg("'%s' was taken", cases[i]);
		assert_non_null(strstr(
		    e.text,
		    ": write a time such as 07:00, or in full such as 2026-12-01T07:00"));
	}
}

static void refuses_the_past(void **state)
{
	struct err e = { 0 };
	int64_t got = 0;

	(void)state;
	set_zone(CET);
	assert_int_equal(
	    moment_parse("2026-11-30T23:00", utc_ns("2026-11-30T22:00:00Z"), &got, &e),
	    -EINVAL);
	assert_string_equal(e.text, "'2026-11-30T23:00': lies in the past");
	e = (struct err){ 0 };
	assert_int_equal(
	    moment_parse("2026-11-30T22:00Z", utc_ns("2026-11-30T22:00:00Z"), &got, &e),
	    -EINVAL);
	assert_string_equal(e.text, "'2026-11-30T22:00Z': lies in the past");
}

TEST_MAIN(cmocka_unit_test(gives), cmocka_unit_test(refuses),
          cmocka_unit_test(refuses_the_past))
