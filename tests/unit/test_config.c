/* Whole configs through config_load(): what is accepted, and what the sweep then holds. */
#include "support/test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "config/config.h"

#define REST "\"filename\":\"t.bin\",\"rw\":\"read\",\"runtime\":1"

/* The sweep of this text, or a failed test that prints the problems. */
static struct sweep *load_with(const char *text, const struct strlist *sets)
{
	struct config_source src = { .path = "dir/night run.json", .text = text, .sets = sets };
	struct strlist problems = { 0 };
	struct sweep *s = NULL;
	int r = config_load(&s, &src, &problems);

	for (size_t i = 0; i < problems.len; i++)
		print_error("%s\n", problems.item[i]);
	strlist_fini(&problems);
	assert_int_equal(r, 0);
	assert_non_null(s);
	return s;
}

static struct sweep *load(const char *text)
{
	return load_with(text, NULL);
}

static void expect_values(const struct sweep *s, enum axis_id a, const uint64_t *want, size_t n)
{
	assert_int_equal(s->axis[a].len, n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(s->axis[a].val[i], want[i]);
}

#define EXPECT(s, a, ...)                                                                      \
	expect_values(s, AXIS_##a, (const uint64_t[]){ __VA_ARGS__ },                          \
	              sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

static uint64_t product(const struct sweep *s, bool raw)
{
	uint64_t n = 1;

	for (size_t a = 0; a < AXIS_COUNT; a++)
		n *= raw ? s->axis[a].raw_len : s->axis[a].len;
	return n;
}

static void reference_config(void **state)
{
	struct sweep *s = load("{\"benchmark_type\":\"time\",\"volumes\":[\"/dev/"
	                       "vdb\"],\"ioengines\":[\"libaio\"],"
	                       "\"blocksize\":[\"4k\",\"8k\",\"16k\",\"32k\",\"64k\",\"128k\","
	                       "\"256k\",\"512k\",\"1024k\",\"2048k\","
	                       "\"4096k\"],\"numjobs\":[1,2,4,8,16,32],\"iodepths\":[1,2,4,8,"
	                       "16,32],\"direct\":[1],\"ramp_time\":5,"
	                       "\"runtime\":[30],\"rw\":[\"read\",\"randread\",\"write\","
	                       "\"randwrite\",\"rw\",\"randrw\"]}");

	(void)state;
	assert_int_equal(product(s, false), 2376);
	assert_int_equal(product(s, true), 2376);
	assert_string_equal(s->target.item[0], "/dev/vdb");
	EXPECT(s, ioengine, ENGINE_LIBAIO);
	EXPECT(s, ramp_time, 5 * SEC);
	EXPECT(s, runtime, 30 * SEC);
	EXPECT(s, rw, RW_READ, RW_RANDREAD, RW_WRITE, RW_RANDWRITE, RW_RW, RW_RANDRW);
	EXPECT(s, time_based, 1);
	assert_string_equal(s->name, "night-run");
	assert_int_equal(s->notes.len, 0);
	sweep_free(s);
}

TEST_MAIN(cmocka_unit_test(reference_config))
