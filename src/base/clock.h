/* base/clock.h: monotonic time for measuring, wall time only for labels. Nanoseconds. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

uint64_t clock_mono_ns(void);                          /* CLOCK_MONOTONIC: never steps */
uint64_t clock_boot_ns(void);                          /* the same, and goes on while the machine is suspended */
uint64_t clock_suspended_ns(void);                     /* since boot */
int64_t clock_wall_ns(void);                           /* CLOCK_REALTIME: may step; never subtract */
/* Did the wall clock jump by more than a second since the last look? *offset_ns, 0 at first, is kept between looks;
 * wall and boot are read now. True with "the wall clock was set back by 7200.0 s". */
bool clock_jump(int64_t *offset_ns, int64_t wall_ns, int64_t boot_ns, char *buf, size_t size);
void clock_sleep_until(uint64_t mono_ns);              /* absolute; returns early on a signal */
/* "20261130T180000Z" / "2026-11-30T18:00:00Z" / local "2026-11-30 19:00:00 CET" into buf (>= 40), which is returned. */
char *clock_compact_utc(char *buf, size_t size, int64_t wall_ns);
char *clock_utc(char *buf, size_t size, int64_t wall_ns);
char *clock_local(char *buf, size_t size, int64_t wall_ns);
/* "19:00 CET", or "Tue 19:00 CET" when that is not within 20 hours of now_ns. */
char *clock_local_short(char *buf, size_t size, int64_t wall_ns, int64_t now_ns);

#endif
