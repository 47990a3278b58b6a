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

uint64_t clock_boot_ns(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_BOOTTIME, &ts);
	return (uint64_t)ts.tv_sec * SEC + (uint64_t)ts.tv_nsec;
}

uint64_t clock_suspended_ns(void)
{
	uint64_t mono = clock_mono_ns(), boot = clock_boot_ns();

	return boot > mono ? boot - mono : 0;
}

int64_t clock_wall_ns(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_REALTIME, &ts);
	return (int64_t)ts.tv_sec * (int64_t)SEC + ts.tv_nsec;
}

bool clock_jump(int64_t *offset_ns, int64_t wall_ns, int64_t boot_ns, char *buf, size_t size)
{
	const int64_t offset = wall_ns - boot_ns, jump = *offset_ns ? offset - *offset_ns : 0;

	*offset_ns = offset;
	if (jump <= (int64_t)SEC && jump >= -(int64_t)SEC)
		return false;
	(void)snprintf(buf, size, "the wall clock was set %s by %.1f s",
	               jump < 0 ? "back" : "forward", (double)(jump < 0 ? -jump : jump) / 1e9);
	return true;
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

char *clock_utc(char *buf, size_t size, int64_t wall_ns)
{
	time_t s = wall_seconds(wall_ns);
	struct tm tm;

	(void)gmtime_r(&s, &tm);
	(void)strftime(buf, size, "%Y-%m-%dT%H:%M:%SZ", &tm);
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
