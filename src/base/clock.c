#include "base/clock.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "base/units.h"

uint64_t clock_mono_ns(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * SEC + (uint64_t)ts.tv_nsec;
}

int64_t clock_wall_ns(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_REALTIME, &ts);
	return (int64_t)ts.tv_sec * (int64_t)SEC + ts.tv_nsec;
}

void clock_sleep_until(uint64_t mono_ns)
{
	struct timespec ts = { .tv_sec = (time_t)(mono_ns / SEC),
			       .tv_nsec = (long)(mono_ns % SEC) };

	(void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

static time_t wall_seconds(int64_t wall_ns)
{
	const int64_t sec = (int64_t)SEC;

	return (time_t)(wall_ns >= 0 ? wall_ns / sec : (wall_ns - sec + 1) / sec);
}

char *clock_compact_utc(char *buf, size_t size, int64_t wall_ns)
{
	time_t s = wall_seconds(wall_ns);
	struct tm tm;

	(void)gmtime_r(&s, &tm);
	(void)strftime(buf, size, "%Y%m%dT%H%M%SZ", &tm);
	return buf;
}

char *clock_local_short(char *buf, size_t size, int64_t wall_ns, int64_t now_ns)
{
	bool soon = wall_ns >= now_ns && wall_ns - now_ns < INT64_C(20) * 3600 * (int64_t)SEC;
	time_t s = wall_seconds(wall_ns);
	struct tm tm;

	(void)localtime_r(&s, &tm);
	(void)strftime(buf, size, soon ? "%H:%M %Z" : "%a %H:%M %Z", &tm);
	return buf;
}

char *clock_local(char *buf, size_t size, int64_t wall_ns)
{
	time_t s = wall_seconds(wall_ns);
	struct tm tm;

	(void)localtime_r(&s, &tm);
	(void)strftime(buf, size, "%Y-%m-%d %H:%M:%S %Z", &tm);
	return buf;
}
