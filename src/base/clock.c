#include "base/clock.h"

#include <stdio.h>
#include <time.h>

uint64_t clock_mono_ns(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000ULL + (uint64_t)ts.tv_nsec;
}

int64_t clock_wall_ns(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_REALTIME, &ts);
	return (int64_t)ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

void clock_sleep_until(uint64_t mono_ns)
{
	struct timespec ts = { .tv_sec = (time_t)(mono_ns / 1000000000ULL),
			       .tv_nsec = (long)(mono_ns % 1000000000ULL) };

	(void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

static time_t wall_seconds(int64_t wall_ns)
{
	return (time_t)(wall_ns >= 0 ? wall_ns / 1000000000LL : (wall_ns - 999999999LL) / 1000000000LL);
}

char *clock_iso_utc(char *buf, size_t size, int64_t wall_ns)
{
	time_t s = wall_seconds(wall_ns);
	char date[32];
	struct tm tm;

	(void)gmtime_r(&s, &tm);
	(void)strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm);
	(void)snprintf(buf, size, "%s.%03dZ", date,
		       (int)((wall_ns - (int64_t)s * 1000000000LL) / 1000000LL));
	return buf;
}

char *clock_compact_utc(char *buf, size_t size, int64_t wall_ns)
{
	time_t s = wall_seconds(wall_ns);
	struct tm tm;

	(void)gmtime_r(&s, &tm);
	(void)strftime(buf, size, "%Y%m%dT%H%M%SZ", &tm);
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
