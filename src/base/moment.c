#include "base/moment.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "base/units.h"

#define DAY      86400
#define YEAR_MAX 2261 /* the last whole one that 63 bits of nanoseconds hold */

/* Digits at *s, `min` to `max` of them, no more than `limit`; -1: not so. */
static int digits(const char **s, int min, int max, int limit)
{
	int n = 0, v = 0;

	for (; n < max && **s >= '0' && **s <= '9'; n++, ++*s)
		v = v * 10 + (**s - '0');
	return n >= min && v <= limit ? v : -1;
}

static bool take(const char **s, char c)
{
	if (**s != c)
		return false;
	++*s;
	return true;
}

/* "7:00" or "07:00:30". */
static bool take_time(const char **s, struct tm *tm)
{
	tm->tm_hour = digits(s, 1, 2, 23);
	if (tm->tm_hour < 0 || !take(s, ':'))
		return false;
	tm->tm_min = digits(s, 2, 2, 59);
	tm->tm_sec = take(s, ':') ? digits(s, 2, 2, 59) : 0;
	return tm->tm_min >= 0 && tm->tm_sec >= 0;
}

/* "2026-12-01": a day that there is. */
static bool take_date(const char **s, struct tm *tm)
{
	struct tm back;
	time_t t;
	int year = digits(s, 4, 4, YEAR_MAX), month, day;

	if (year < 1970 || !take(s, '-'))
		return false;
	month = digits(s, 2, 2, 12);
	if (month < 1 || !take(s, '-'))
		return false;
	day = digits(s, 2, 2, 31);
	if (day < 1)
		return false;
	*tm = (struct tm){ .tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day };
	back = *tm;
	t = timegm(&back);
	return t >= 0 && back.tm_mday == day;
}

/* "", "Z" or "+01:00"; *given: not "". */
static bool take_zone(const char **s, bool *given, long *offset)
{
	struct tm tm = { 0 };
	char sign = **s;

	*given = sign != '\0';
	*offset = 0;
	if (!*given || take(s, 'Z') || take(s, 'z'))
		return true;
	if (!take(s, '+') && !take(s, '-'))
		return false;
	if (!take_time(s, &tm) || tm.tm_sec)
		return false;
	*offset = (tm.tm_hour * 3600L + tm.tm_min * 60L) * (sign == '-' ? -1 : 1);
	return true;
}

static long offset_at(time_t t)
{
	struct tm tm;

	(void)localtime_r(&t, &tm);
	return tm.tm_gmtoff;
}

/* The first second with the offset of `after`: the offsets of a and b differ. */
static time_t change_between(time_t a, time_t b)
{
	const long after = offset_at(b);

	while (b - a > 1) {
		time_t mid = a + (b - a) / 2;

		if (offset_at(mid) == after)
			b = mid;
		else
			a = mid;
	}
	return b;
}

/* The first moment after `now` at which local clocks show these fields; 0: on that day there is
 * none any more. */
static time_t local_after(const struct tm *fields, time_t now)
{
	struct tm tm = *fields;
	const time_t utc = timegm(&tm);
	const long before = offset_at(utc - DAY), after = offset_at(utc + DAY);
	const long larger = before > after ? before : after,
		   smaller = before > after ? after : before;
	const time_t early = utc - larger, late = utc - smaller;
	const bool early_shows = offset_at(early) == larger,
		   late_shows = offset_at(late) == smaller;
	time_t t;

	if (early_shows && early > now)
		return early;
	if (late_shows && late > now)
		return late;
	if (early_shows || late_shows)
		return 0;
	t = change_between(early, late);
	return t > now ? t : 0;
}

static time_t next_time(const struct tm *time, time_t now)
{
	time_t t = 0;

	for (int day = 0; !t && day < 3; day++) {
		struct tm tm;

		(void)localtime_r(&now, &tm);
		tm = (struct tm){ .tm_year = tm.tm_year,
			          .tm_mon = tm.tm_mon,
			          .tm_mday = tm.tm_mday + day,
			          .tm_hour = time->tm_hour,
			          .tm_min = time->tm_min,
			          .tm_sec = time->tm_sec };
		t = local_after(&tm, now);
	}
	return t;
}

/* A date before the time: "2026-12-01T07:00Z". */
static int parse_full(const char *s, time_t now, time_t *out)
{
	struct tm tm;
	bool zone;
	long offset;

	if (!take_date(&s, &tm) || (!take(&s, 'T') && !take(&s, 't') && !take(&s, ' ')) ||
	    !take_time(&s, &tm) || !take_zone(&s, &zone, &offset) || *s)
		return -EINVAL;
	*out = zone ? timegm(&tm) - offset : local_after(&tm, now);
	return *out > now ? 0 : -ERANGE;
}

int moment_parse(const char *text, int64_t now_ns, int64_t *out_ns, struct err *e)
{
	const time_t now = (time_t)(now_ns / (int64_t)SEC);
	const char *s = text;
	struct tm tm = { 0 };
	time_t t = 0;
	int r;

	if (take_time(&s, &tm) && !*s) {
		t = next_time(&tm, now);
		r = 0;
	} else {
		r = parse_full(text, now, &t);
	}
	if (r == -ERANGE)
		return err_set(e, -EINVAL, "'%.60s': lies in the past", text);
	if (r)
		return err_set(e, -EINVAL,
		               "'%.60s': write a time such as 07:00, or in full such as "
		               "2026-12-01T07:00",
		               text);
	*out_ns = (int64_t)t * (int64_t)SEC;
	return 0;
}
