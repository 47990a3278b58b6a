/* Whole configs through config_load(): what is accepted, and what the sweep then holds. */
#include "support/test.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "config/config.h"
#include "config/known_options.h"

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

/* Load from a path; the problems, joined by newlines, must be these. */
static void expect_problems(const struct config_source *src, int code, const char *want)
{
	struct strlist problems = { 0 };
	struct sweep *s = NULL;
	struct text got = { 0 };

	assert_int_equal(config_load(&s, src, &problems), code);
	assert_null(s);
	for (size_t i = 0; i < problems.len; i++)
		text_addf(&got, "%s%s", i ? "\n" : "", problems.item[i]);
	assert_string_equal(text_get(&got), want);
	text_fini(&got);
	strlist_fini(&problems);
}

static void unreadable_files(void **state)
{
	(void)state;
	expect_problems(&(struct config_source){ .path = "/nonexistent/x.json" }, -ENOENT,
	                "/nonexistent/x.json: cannot read: No such file or directory");
	expect_problems(&(struct config_source){ .path = "/" }, -EISDIR,
	                "/: cannot read: Is a directory");
	expect_problems(&(struct config_source){ .path = "/dev/zero" }, -EFBIG,
	                "/dev/zero: larger than 16 MiB: that is no config");
}

/* Run config_load() on "-" with this text on standard input. */
static int load_stdin(const char *text, struct sweep **s, struct strlist *problems)
{
	int saved = dup(STDIN_FILENO), in = memfd_create("config", MFD_CLOEXEC), r;

	assert_true(saved >= 0 && in >= 0);
	assert_int_equal(write(in, text, strlen(text)), strlen(text));
	assert_int_equal(lseek(in, 0, SEEK_SET), 0);
	assert_int_equal(dup2(in, STDIN_FILENO), STDIN_FILENO);
	r = config_load(s, &(struct config_source){ .path = "-" }, problems);
	assert_int_equal(dup2(saved, STDIN_FILENO), STDIN_FILENO);
	(void)close(saved);
	(void)close(in);
	return r;
}

static void reads_standard_input(void **state)
{
	struct strlist problems = { 0 };
	struct sweep *s = NULL;

	(void)state;
	assert_int_equal(load_stdin("{" REST "}", &s, &problems), 0);
	assert_string_equal(s->name, "sweep");
	sweep_free(s);
	assert_int_equal(load_stdin("{", &s, &problems), -EINVAL);
	assert_string_equal(problems.item[0],
	                    "stdin: line 1 column 2: unexpected end of input");
	strlist_fini(&problems);
}

static void *load_deep(void *text)
{
	expect_problems(&(struct config_source){ .path = "x", .text = text }, -EINVAL,
	                "x: line 1 column 65: nested too deep: more than 64 levels");
	return NULL;
}

/* 100,000 brackets on a small stack: refused before anything recurses. */
static void deep_nesting(void **state)
{
	char *text = malloc(100001);
	pthread_attr_t attr;
	pthread_t thread;

	(void)state;
	assert_non_null(text);
	memset(text, '[', 100000);
	text[100000] = '\0';
	assert_int_equal(pthread_attr_init(&attr), 0);
	assert_int_equal(pthread_attr_setstacksize(&attr, 256 * KIB), 0);
	assert_int_equal(pthread_create(&thread, &attr, load_deep, text), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	(void)pthread_attr_destroy(&attr);
	free(text);
}

static void names_come_from_the_path(void **state)
{
	static const char *const row[][2] = {
		{ "a/b/night.json", "night" },
		{ "night run.json", "night-run" },
		{ "x", "x" },
		{ ".json", "json" },
		{ "...", "sweep" },
		{ "/tmp/", "sweep" },
		{ "a.json.json", "a.json" },
		{ "\xc3\xbc"
		  "ber.json",
		  "ber" },
		{ "-", "sweep" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(row); i++) {
		struct strlist problems = { 0 };
		struct sweep *s = NULL;

		assert_int_equal(config_load(&s,
		                             &(struct config_source){ .path = row[i][0],
		                                                      .text = "{" REST "}" },
		                             &problems),
		                 0);
		assert_string_equal(s->name, row[i][1]);
		sweep_free(s);
	}
}

/* The text that is stored: in the order and words of the config, --set applied, named. */
static void effective_config(void **state)
{
	struct strlist sets = { 0 };
	struct sweep *s;

	(void)state;
	strlist_add(&sets, "blocksize=4k , 8k");
	strlist_add(&sets, "repeats=2");
	s = load_with(
	    "{\"runtime\":0.1,\"bs\":\"16k\",\"rw\":[\"read\"],\"filename\":\"\xc3\xbc.bin\"}",
	    &sets);
	assert_string_equal(s->config_text, "{\n"
	                                    "  \"runtime\": 0.1,\n"
	                                    "  \"blocksize\": [\"4k\", \"8k\"],\n"
	                                    "  \"rw\": [\"read\"],\n"
	                                    "  \"filename\": \"\xc3\xbc.bin\",\n"
	                                    "  \"repeats\": \"2\",\n"
	                                    "  \"name\": \"night-run\"\n"
	                                    "}\n");
	sweep_free(s);
	strlist_fini(&sets);
}

static void many_problems_are_counted(void **state)
{
	struct strlist problems = { 0 };
	struct text t = { 0 };
	struct sweep *s = NULL;

	(void)state;
	text_add(&t, "{" REST ",\"bs\":[0");
	for (int i = 1; i < 1000; i++)
		text_add(&t, ",0");
	text_add(&t, "]}");
	assert_int_equal(
	    config_load(&s, &(struct config_source){ .path = "x", .text = text_get(&t) },
	                &problems),
	    -EINVAL);
	assert_int_equal(problems.len, 201);
	assert_string_equal(problems.item[200], "x: and 800 more problems");
	strlist_fini(&problems);
	text_fini(&t);
}

/* A range of many values, and as many equal ones, take no more than linear time and keep their
 * order. */
static void large_ranges(void **state)
{
	struct sweep *s = load("{" REST ",\"fsync\":[{\"from\":1,\"to\":400000,\"plus\":1},"
	                       "{\"from\":1,\"to\":500000,\"plus\":1}]}");

	(void)state;
	assert_int_equal(s->axis[AXIS_fsync].raw_len, 900000);
	assert_int_equal(s->axis[AXIS_fsync].len, 500000);
	assert_int_equal(s->axis[AXIS_fsync].val[499999], 500000);
	sweep_free(s);
}

/* A ":" is a letter like any other, and a path that looks remote but exists is taken. */
static void remote_looking_path_that_exists(void **state)
{
	char dir[] = "/tmp/iosweep-config.XXXXXX", host[64];
	char *was = getcwd(NULL, 0);
	struct sweep *s;

	(void)state;
	assert_non_null(was);
	assert_non_null(mkdtemp(dir));
	(void)snprintf(host, sizeof(host), "%s/nas:", dir);
	assert_int_equal(mkdir(host, 0700), 0);
	assert_int_equal(chdir(dir), 0);
	s = load("{\"filename\":[\"nas:/\",\"a:b:c\"],\"rw\":\"read\",\"runtime\":1}");
	assert_int_equal(chdir(was), 0);
	assert_int_equal(rmdir(host), 0);
	assert_int_equal(rmdir(dir), 0);
	assert_int_equal(s->axis[AXIS_filename].len, 2);
	assert_string_equal(s->target.item[0], "nas:/");
	assert_string_equal(s->target.item[1], "a:b:c");
	sweep_free(s);
	free(was);
}

/* Options of fio are told from typing errors, and each says why it is not here or what to use. */
static void known_options_are_never_unknown(void **state)
{
	static const struct {
		const char *name, *hint;
	} known[] = {
		{ "allow_mounted_write", "a mounted device is never written to" },
		{ "zoneskip", "zoned devices are measured as plain ones are: by offset" },
		{ "cpumask", "use cpus_allowed and cpus_allowed_policy" },
		{ "hipri_percentage", "use hipri: all I/Os poll, or none" },
		{ "stonewall",
		  "combinations run one after another: make each section an include entry" },
		{ "ioscheduler", "set it before the sweep: echo NAME > "
		                 "/sys/block/DEVICE/queue/scheduler; it is recorded per run" },
		{ "eta", "an option of fio's command line; see: iosweep help run" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		char text[128], want[256];

		(void)snprintf(text, sizeof(text), "{" REST ",\"%s\":1}", known[i].name);
		(void)snprintf(want, sizeof(want),
		               "x: %s: an option of fio that is not supported yet: %s",
		               known[i].name, known[i].hint);
		expect_problems(&(struct config_source){ .path = "x", .text = text }, -EINVAL,
		                want);
	}
	assert_null(known_option_hint("zoneski"));
	assert_null(known_option_hint(""));
	assert_null(known_option_hint("a b"));
}

TEST_MAIN(cmocka_unit_test(reference_config), cmocka_unit_test(unreadable_files),
          cmocka_unit_test(reads_standard_input), cmocka_unit_test(deep_nesting),
          cmocka_unit_test(names_come_from_the_path), cmocka_unit_test(effective_config),
          cmocka_unit_test(many_problems_are_counted), cmocka_unit_test(large_ranges),
          cmocka_unit_test(remote_looking_path_that_exists),
          cmocka_unit_test(known_options_are_never_unknown))
