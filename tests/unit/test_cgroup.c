/* host/cgroup.h and host/rings.h: what this machine tells. */
#include "support/test.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "host/cgroup.h"
#include "host/rings.h"

static void both_versions_of_cpu_stat(void **state)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} cases[] = {
		{ "nr_periods 10\nnr_throttled 3\nthrottled_time 123456789\n", 123456789 },
		{ "usage_usec 5\nnr_periods 0\nthrottled_usec 17\nburst_usec 0\n", 17 * USEC },
		{ "usage_usec 5\nuser_usec 3\n", 0 },
		{ "", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(throttle_parse(cases[i].text), cases[i].ns);
}

static void affinity_limits_the_cpus(void **state)
{
	cpu_set_t all, one;
	unsigned first = 0;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	while (!CPU_ISSET(first, &all))
		first++;
	CPU_ZERO(&one);
	CPU_SET(first, &one);
	assert_in_range(cpus_usable_milli(), 1, (uint64_t)CPU_COUNT(&all) * 1000);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	assert_in_range(cpus_usable_milli(), 1, 1000);
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
}

struct seen {
	char last[256];
	unsigned n;
};

static void note(void *arg, const char *dir)
{
	struct seen *s = arg;

	assert_int_equal(strncmp(dir, "/sys/fs/cgroup", 14), 0);
	assert_true(dir[strlen(dir) - 1] != '/');
	assert_string_not_equal(dir, s->last); /* never one twice */
	(void)snprintf(s->last, sizeof(s->last), "%.255s", dir);
	s->n++;
}

static void groups_lead_up_to_the_root(void **state)
{
	struct seen s = { 0 };

	(void)state;
	cgroup_each("cpu", note, &s);
	s.last[0] = '\0';
	cgroup_each("", note, &s);
	if (s.n)
		assert_string_equal(s.last, "/sys/fs/cgroup");
	s.n = 0;
	cgroup_each("no-such-controller", note, &s);
	assert_int_equal(s.n, 0);
}

static void throttling_only_grows(void **state)
{
	struct throttle t;
	struct throttle_stat a, b;

	(void)state;
	throttle_open(&t);
	throttle_read(&t, &a);
	throttle_read(&t, &b);
	assert_true(b.group_ns >= a.group_ns && b.thermal >= a.thermal);
	throttle_close(&t);
	assert_int_equal(t.groups, 0);
	throttle_close(&t);
}

static void no_ring_has_no_threads(void **state)
{
	struct ring_threads r = { .poll_ns = 1 };

	(void)state;
	assert_int_equal(ring_threads_read(&r), 0);
	assert_int_equal(r.poll_ns + r.work_ns + r.work_runs, 0);
}

TEST_MAIN(cmocka_unit_test(both_versions_of_cpu_stat),
          cmocka_unit_test(affinity_limits_the_cpus),
          cmocka_unit_test(groups_lead_up_to_the_root), cmocka_unit_test(throttling_only_grows),
          cmocka_unit_test(no_ring_has_no_threads))
