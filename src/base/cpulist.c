#include "base/cpulist.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* Digits at *s as a CPU number; *s moves behind them. */
static int parse_cpu(const char **s, int *cpu)
{
	const char *p = *s;
	int v = 0;

	for (; *p >= '0' && *p <= '9' && v < CPU_SETSIZE; p++)
		v = v * 10 + (*p - '0');
	if (p == *s || v >= CPU_SETSIZE)
		return -EINVAL;
	*s = p;
	*cpu = v;
	return 0;
}

int cpulist_parse(const char *text, cpu_set_t *set)
{
	const char *p = text;

	CPU_ZERO(set);
	for (;;) {
		int from, to;

		if (parse_cpu(&p, &from))
			return -EINVAL;
		to = from;
		if (*p == '-' && (p++, parse_cpu(&p, &to) || to < from))
			return -EINVAL;
		for (; from <= to; from++)
			CPU_SET((size_t)from, set);
		if (!*p)
			return 0;
		if (*p++ != ',')
			return -EINVAL;
	}
}

char *cpulist_print(char *buf, size_t size, const cpu_set_t *set)
{
	size_t n = 0;

	buf[0] = '\0';
	for (size_t cpu = 0; cpu < CPU_SETSIZE && n < size; cpu++) {
		size_t from = cpu;

		if (!CPU_ISSET(cpu, set))
			continue;
		while (cpu + 1 < CPU_SETSIZE && CPU_ISSET(cpu + 1, set))
			cpu++;
		n += (size_t)snprintf(buf + n, size - n, "%s%zu", n ? "," : "", from);
		if (cpu > from && n < size)
			n += (size_t)snprintf(buf + n, size - n, "-%zu", cpu);
	}
	return buf;
}

int cpulist_nth(const cpu_set_t *set, unsigned n)
{
	unsigned count = (unsigned)CPU_COUNT(set);

	if (!count)
		return -1;
	n %= count;
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, set) && !n--)
			return (int)cpu;
	return -1;
}
