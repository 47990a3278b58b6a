/* host/facts.h: facts as JSON, limits, counters. */
#include "support/test.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "host/facts.h"
#include "run/target.h"

static const struct {
	const char *name, *help;
} facts[] = {
#define FACT(name, reader, help) { #name, help },
#include "model/facts.def"
#undef FACT
};

static void table_is_sound(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		assert_int_equal(strspn(facts[i].name, "abcdefghijklmnopqrstuvwxyz0123456789_"),
		                 strlen(facts[i].name));
		assert_true(strlen(facts[i].help) > 0);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(facts[i].name, facts[j].name);
	}
}

static void facts_are_one_document(void **state)
{
	static const char *const always[] = { "host",   "iosweep", "kernel",   "arch",
		                              "sqlite", "jansson", "liburing", "libc" };
	static struct target_info t[2];
	struct world w = { .target = t, .targets = 2 };
	struct text out = { 0 };
	json_t *root, *targets;

	(void)state;
	target_inspect(&t[0], "/");
	target_inspect(&t[1], "/dev/no-such-disk-\xff");
	facts_json(&out, &w);
	root = json_loads(out.s, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(root);
	for (size_t i = 0; i < ARRAY_SIZE(always); i++)
		assert_true(json_string_length(json_object_get(root, always[i])) > 0);
	assert_string_equal(json_string_value(json_object_get(root, "iosweep")),
	                    IOSWEEP_VERSION);
	assert_int_equal(json_integer_value(json_object_get(root, "memory_bytes")),
	                 sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE));
	targets = json_object_get(root, "targets");
	assert_int_equal(json_array_size(targets), 2);
	assert_string_equal(
	    json_string_value(json_object_get(json_array_get(targets, 0), "kind")),
	    "directory");
	assert_string_equal(
	    json_string_value(json_object_get(json_array_get(targets, 1), "problem")),
	    "no such device: /dev/no-such-disk-?");
	json_decref(root);
	text_fini(&out);
}

static void limits_are_plausible(void **state)
{
	struct limits l;

	(void)state;
	facts_limits(&l);
	assert_int_equal(l.page_size, sysconf(_SC_PAGESIZE));
	assert_in_range(l.cpus, 1, sysconf(_SC_NPROCESSORS_ONLN));
	assert_in_range(l.memory_available, 1, (uint64_t)sysconf(_SC_PHYS_PAGES) * l.page_size);
	assert_in_range(l.threads_max, 1, UINT64_MAX);
	assert_in_range(l.nofile, 1, UINT64_MAX);
}

static void deltas_are_exact(void **state)
{
	const struct device_stat from = { .read_ios = 10,
		                          .read_sectors = 80,
		                          .write_ios = 5,
		                          .write_sectors = 40,
		                          .in_flight = 3,
		                          .io_ticks_ms = 100,
		                          .queue_ms = 1000 };
	struct device_stat to = { .read_ios = 110,
		                  .read_sectors = 880,
		                  .write_ios = 6,
		                  .write_sectors = 48,
		                  .io_ticks_ms = 350,
		                  .queue_ms = 1500 };
	struct device_delta d;

	(void)state;
	device_stat_delta(&from, &to, 500 * MSEC, &d);
	assert_true(d.valid);
	assert_int_equal(d.read_ios, 100);
	assert_int_equal(d.read_bytes, 800 * 512);
	assert_int_equal(d.write_ios, 1);
	assert_int_equal(d.write_bytes, 8 * 512);
	assert_int_equal(d.busy_ns, 250 * MSEC);
	assert_int_equal(d.queue_ns, 500 * MSEC);
	assert_int_equal(d.elapsed_ns, 500 * MSEC);
	to.read_ios = 9; /* ran backwards: another device */
	device_stat_delta(&from, &to, 500 * MSEC, &d);
	assert_false(d.valid);
	assert_int_equal(d.read_bytes, 0);
}

static void counters_only_grow(void **state)
{
	struct cpu_stat a, b;

	(void)state;
	assert_int_equal(device_stat_open(0, 0), -ENODEV);
	assert_int_equal(device_stat_open(4095, 4095), -ENOENT);
	assert_int_equal(cpu_stat_read(&a), 0);
	assert_int_equal(cpu_stat_read(&b), 0);
	assert_true(b.busy_ns >= a.busy_ns && b.busy_ns > 0);
	assert_true(b.steal_ns <= b.busy_ns);
}

TEST_MAIN(cmocka_unit_test(table_is_sound), cmocka_unit_test(facts_are_one_document),
          cmocka_unit_test(limits_are_plausible), cmocka_unit_test(deltas_are_exact),
          cmocka_unit_test(counters_only_grow))
