/* base/cpulist.h: a set of CPUs as people write it: "0-3,5". */
#ifndef BASE_CPULIST_H
#define BASE_CPULIST_H

#include <sched.h>
#include <stddef.h>

/* "0-3,5": numbers and ranges, separated by commas, each below CPU_SETSIZE. 0 or -EINVAL. */
int cpulist_parse(const char *text, cpu_set_t *set);
/* Ascending, in the fewest words: equal sets print the same. Cut when buf is too small. */
char *cpulist_print(char *buf, size_t size, const cpu_set_t *set);
/* The n-th CPU of the set, from 0, starting over at its end; -1 when it is empty. */
int cpulist_nth(const cpu_set_t *set, unsigned n);

#endif
