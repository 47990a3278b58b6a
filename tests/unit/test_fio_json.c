/* fio/json_*: documents in a text, old units, what options mean, sums. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

#include "base/cleanup.h"
#include "base/units.h"
#include "fio/json_import.h"
#include "fio/json_key.h"
#include "fio/json_modern.h"
#include "fio/json_options.h"
#include "fio/json_own.h"
#include "fio/json_shape.h"
#include "fio/json_sum.h"
#include "plan/key.h"

/* --- the scanner --- */

struct found {
	int documents, broken;
	char what[256];
};

static struct found scan(const char *text)
{
	struct json_scan s = { .text = text, .size = strlen(text), .line = 1 };
	struct json_document doc;
	struct found f = { 0 };
	struct err e = { 0 };
	int r;

	while ((r = json_scan_next(&s, &doc, &e))) {
		if (r > 0) {
			f.documents++;
			json_document_fini(&doc);
		} else if (!f.broken++) {
			(void)snprintf(f.what, sizeof(f.what), "%.200s", e.text);
		}
		e = (struct err){ 0 };
	}
	return f;
}

static void documents_are_found_in_noise(void **state)
{
	static const struct {
		const char *text;
		int documents, broken;
	} cases[] = {
		{ "", 0, 0 },
		{ "no JSON at all {", 0, 0 },
		{ "{\"jobs\":[]}", 1, 0 },
		{ "\xef\xbb\xbf{\"jobs\":[]}", 1, 0 },
		{ "fio: noise\n{\n \"jobs\" : []\n}\nmore noise\n", 1, 0 },
		{ "[{\"jobs\":[]},{\"jobs\":[]}, {\"jobs\":[]}]", 3, 0 },
		{ "{\"jobs\":[]}\n{\"client_stats\":[]}\n", 2, 0 },
		{ "{\"other\":1}\n{ \"jobs\" : [] }", 1, 0 },
		{ "{\"jobs\":{}}", 0, 0 },
		{ "{\"jobs\":[nan]}", 0, 1 },
		{ "{\"jobs\":[\n{\"jobname\"\n{\"jobs\":[]}", 1, 1 },
		{ "{\"x\":[1,}\n{\"jobs\":[]}", 1, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct found f = scan(cases[i].text);

		if (f.documents != cases[i].documents || f.broken != cases[i].broken)
			fail_msg("%s: %d documents, %d broken", cases[i].text, f.documents,
			         f.broken);
	}
}

static void what_is_broken_says_where(void **state)
{
	struct found f = scan("noise\n\n{\n  \"jobs\" : [\n    { \"jobname\" : NaN }\n] }\n");

	(void)state;
	assert_string_equal(f.what, "line 5 column 21: invalid token near 'NaN'");
}

/* --- runs --- */

struct taken {
	size_t n;
	struct {
		struct imported imported;
		char options[256], host[64], filename[128], key[512];
		size_t options_len, host_len;
		enum run_status status;
		int error_no;
		char error[128];
		uint64_t flags;
		struct job job;
	} run[8];
	struct strlist notes;
};

static int take(void *arg, struct json_run *run, struct err *e)
{
	struct taken *t = arg;
	AUTO(text_fini) struct text key = { 0 };

	(void)e;
	assert_true(t->n < ARRAY_SIZE(t->run));
	json_key_text(&key, &run->options);
	t->run[t->n].imported = run->imported;
	t->run[t->n].status = run->status;
	t->run[t->n].error_no = run->error_no;
	(void)snprintf(t->run[t->n].error, 128, "%s", text_get(&run->error));
	t->run[t->n].options_len = strlen(run->imported.options);
	t->run[t->n].host_len = strlen(run->imported.host);
	t->run[t->n].flags = run->flags;
	t->run[t->n].job = run->options.job;
	(void)snprintf(t->run[t->n].options, 256, "%s", run->imported.options);
	(void)snprintf(t->run[t->n].host, 64, "%s", run->imported.host);
	(void)snprintf(t->run[t->n].key, 512, "%s", text_get(&key));
	(void)snprintf(t->run[t->n].filename, 128, "%s",
	               run->options.word[AXIS_filename] ? run->options.word[AXIS_filename]
	                                                : "(none)");
	t->n++;
	return 0;
}

static void read_text(struct taken *t, const char *text, bool sum_jobs)
{
	struct json_scan s = { .text = text, .size = strlen(text), .line = 1 };
	const struct json_import how = {
		.sum_jobs = sum_jobs, .take = take, .arg = t, .notes = &t->notes
	};
	struct json_document doc;
	struct err e = { 0 };

	*t = (struct taken){ 0 };
	assert_int_equal(json_scan_next(&s, &doc, &e), 1);
	assert_int_equal(json_import(&doc, &how, &e), 0);
	json_document_fini(&doc);
}

#define ONE_JOB(options)                                                                         \
	"{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"j\",\"job options\":{" options   \
	"},\"read\":{\"io_bytes\":4096,\"io_kbytes\":4,\"runtime\":1000,\"total_ios\":1}}]}"

static void options_mean_what_they_mean_in_fio(void **state)
{
	struct taken t;
	struct job *job = &t.run[0].job;

	(void)state;
	read_text(&t,
	          ONE_JOB("\"readwrite\":\"randrw\",\"blocksize\":\"16kib\",\"size\":\"1G\","
	                  "\"rwmixwrite\":\"30\",\"buffered\":\"0\",\"timeout\":\"1000msec\","
	                  "\"ramp_time\":\"2\",\"ioengine\":\"libaio\",\"iodepth\":\"many\","
	                  "\"numjobs\":\"0x10\",\"fsync\":\"2k\",\"offset\":\"0x400kib\""),
	          false);
	assert_int_equal(job->rw, RW_RANDRW);
	assert_int_equal(job->bs, 16000);
	assert_int_equal(job->size, GIB);
	assert_int_equal(job->rwmixread, 70);
	assert_int_equal(job->direct, 1);
	assert_int_equal(job->runtime, 1000 * MSEC);
	assert_int_equal(job->ramp_time, 2 * SEC);
	assert_int_equal(job->ioengine, ENGINE_LIBAIO);
	assert_int_equal(job->iodepth, AXIS_UNSET); /* not a number of ours: kept as it is */
	assert_int_equal(job->numjobs, 16);
	assert_int_equal(job->fsync, 2048);
	assert_int_equal(job->offset, 1024); /* hexadecimal: the suffix is not read */
	assert_string_equal(t.run[0].options,
	                    "fsync=2048 profile=fio offset=1024 iodepth=many");
	strlist_fini(&t.notes);
}

static void sizes_are_of_the_kb_base(void **state)
{
	struct taken t;

	(void)state;
	read_text(&t, ONE_JOB("\"bs\":\"4k\",\"size\":\"1mib\",\"kb_base\":\"1000\""), false);
	assert_int_equal(t.run[0].job.bs, 4000);
	assert_int_equal(t.run[0].job.size, MIB);
	strlist_fini(&t.notes);
}

static void other_options_tell_runs_apart(void **state)
{
	struct taken t;

	(void)state;
	read_text(&t, ONE_JOB("\"verify\":\"a b\",\"write_bw_log\":\"x\",\"name\":\"n\""), false);
	assert_string_equal(t.run[0].options, "time_based=0 verify=a%20b");
	assert_non_null(strstr(t.run[0].key, " verify=a%20b"));
	strlist_fini(&t.notes);
}

/* The same combination as iosweep's own with profile=fio. */
static void a_known_job_has_the_key_of_our_own(void **state)
{
	struct taken t;
	struct job_text text = { .of = { [AXIS_filename] = "/dev/x" } };
	struct text key = { 0 };

	(void)state;
	read_text(&t,
	          ONE_JOB("\"filename\":\"/dev/x\",\"rw\":\"randread\",\"direct\":\"1\","
	                  "\"ioengine\":\"libaio\",\"runtime\":\"1\",\"iodepth\":\"8\""),
	          false);
	key_text(&t.run[0].job, &(struct key_raw){ AXIS_UNSET, t.run[0].job.offset }, &text, &key);
	assert_string_equal(t.run[0].key, key.s);
	assert_non_null(strstr(key.s, "filename=/dev/x"));
	text_fini(&key);
	strlist_fini(&t.notes);
}

#define FILES "\"filename\":\"a\",\"filename\":\"b\""
#define SIZES "\"bs\":\"4k\",\"bs\":\"8k\""
#define LAST "the key 'bs' stands twice; the last one counts"
#define SEVERAL "the key 'filename' stands twice: several files"
#define DOCUMENT(job) "{\"jobs\":[{\"jobname\":\"job options\"," job "}]}"

/* Whatever other key stands twice, before them or behind, or in another object. */
static void files_that_stand_twice_are_all_kept(void **state)
{
	static const struct {
		const char *text, *filename, *notes;
	} row[] = {
		{ ONE_JOB("\"filename\":\"a\\\"b\",\"bs\":\"4k\",\"filename\":\"c\""), "a\"b:c",
		  SEVERAL "\n" },
		{ ONE_JOB(SIZES "," FILES), "a:b", LAST "\n" SEVERAL "\n" },
		{ ONE_JOB(FILES "," SIZES "," SIZES), "a:b", LAST "\n" SEVERAL "\n" },
		{ DOCUMENT("\"lat\":{\"0.00\":0,\"0.00\":0},\"job options\":{" FILES "}"), "a:b",
		  SEVERAL "\n" },
		{ DOCUMENT("\"is\":[\"bs\",{\"bs\":1},{\"bs\":{\"bs\":\":\"}}],\"job options\" : {" FILES "}"),
		  "a:b", SEVERAL "\n" },
		{ DOCUMENT("\"x\\\"\":1,\"x\\\"\":2,\"job options\":{\"filename\":\"c\"}"), "c",
		  "the key 'x\\\"' stands twice; the last one counts\n" },
		{ DOCUMENT("\"job options\":{\"filename\":\"c\"}"), "c", "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(row); i++) {
		AUTO(text_fini) struct text notes = { 0 };
		struct taken t;

		read_text(&t, row[i].text, false);
		for (size_t k = 0; k < t.notes.len; k++)
			text_addf(&notes, "%s\n", t.notes.item[k]);
		assert_string_equal(t.run[0].filename, row[i].filename);
		assert_string_equal(text_get(&notes), row[i].notes);
		strlist_fini(&t.notes);
	}
}

/* What is too large to be one is told in words, and as no other. */
static void errors_are_those_of_a_system(void **state)
{
	static const struct {
		const char *job;
		int error_no;
		const char *error;
	} row[] = {
		{ "\"error\":5", 5, "fio ended with error 5" },
		{ "\"error\":99999", 99999, "fio ended with error 99999" },
		{ "\"error\":100005", 0, "fio ended with error 100005" },
		{ "\"total_err\":2,\"first_error\":5", 5, "2 I/Os failed, the first with error 5" },
		{ "\"total_err\":2,\"first_error\":100005", 0,
		  "2 I/Os failed, the first with error 100005" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(row); i++) {
		AUTO(text_fini) struct text doc = { 0 };
		struct taken t;

		text_addf(&doc, "{\"jobs\":[{\"jobname\":\"j\",%s}]}", row[i].job);
		read_text(&t, doc.s, false);
		assert_int_equal(t.run[0].status, STATUS_FAILED);
		assert_int_equal(t.run[0].error_no, row[i].error_no);
		assert_string_equal(t.run[0].error, row[i].error);
		strlist_fini(&t.notes);
	}
}

/* As in 300 clients that all ran a job of many sizes. */
static void nothing_is_cut(void **state)
{
	AUTO(text_fini) struct text sizes = { 0 }, doc = { 0 };
	struct taken t;

	(void)state;
	for (int i = 0; i < 300; i++)
		text_addf(&sizes, "%s%dk/", i ? ":" : "", i + 1);
	for (int i = 0; i < 300; i++)
		text_addf(&doc, "%s{\"jobname\":\"j\",\"hostname\":\"host%03d\",\"job options\":{\"bssplit\":\"%s\"}}",
		          i ? "," : "{\"client_stats\":[", i, sizes.s);
	text_add(&doc, "]}");
	read_text(&t, doc.s, true);
	assert_int_equal(t.n, 1);
	assert_int_equal(t.run[0].host_len, 300 * strlen("host000,") - 1);
	assert_int_equal(t.run[0].options_len, strlen("time_based=0 bssplit=") + sizes.len);
	strlist_fini(&t.notes);
}

/* --- old units --- */

static void old_units_become_those_of_today(void **state)
{
	json_t *job = json_loads("{\"read\":{\"io_bytes\":36244,\"bw\":1269,\"iops\":317,"
	                         "\"lat\":{\"min\":6,\"mean\":478737.47,\"stddev\":0.1,"
	                         "\"percentile\":{\"50.000000\":3280,\"0.00\":0}}}}",
	                         0, NULL);
	AUTO(freep) char *dump = NULL;

	(void)state;
	json_modern(job);
	dump = json_dumps(job, JSON_COMPACT | JSON_SORT_KEYS);
	assert_string_equal(
	    dump, "{\"read\":{\"bw\":1269,\"bw_bytes\":1299456,\"io_bytes\":37113856,"
	          "\"io_kbytes\":36244,\"iops\":317,\"lat_ns\":{\"mean\":478737470.0,"
	          "\"min\":6000,\"percentile\":{\"50.000000\":3280000},\"stddev\":100.0}}}");
	json_modern(job); /* what is modern stays as it is */
	free(dump);
	dump = json_dumps(job, JSON_COMPACT | JSON_SORT_KEYS);
	assert_non_null(strstr(dump, "\"io_bytes\":37113856"));
	json_decref(job);
}

/* --- sums --- */

static json_t *job_of(const double *sample, size_t n)
{
	double mean = 0, squares = 0, min = sample[0], max = sample[0];
	json_t *bins = json_object();

	for (size_t i = 0; i < n; i++) {
		char key[32];
		json_t *old;

		mean += sample[i] / (double)n;
		min = fmin(min, sample[i]);
		max = fmax(max, sample[i]);
		(void)snprintf(key, sizeof(key), "%.0f", sample[i]);
		old = json_object_get(bins, key);
		(void)json_object_set_new(bins, key, json_integer(json_integer_value(old) + 1));
	}
	for (size_t i = 0; i < n; i++)
		squares += (sample[i] - mean) * (sample[i] - mean);
	return json_pack("{s:{s:i,s:i,s:i,s:{s:i,s:f,s:f,s:f,s:f,s:o}}}", "read", "io_bytes",
	                 (int)n * 4096, "total_ios", (int)n, "runtime", (int)(100 * n), "lat_ns",
	                 "N", (int)n, "min", min, "max", max, "mean", mean, "stddev",
	                 sqrt(squares / (double)(n - 1)), "bins", bins);
}

static double lat(json_t *job, const char *key)
{
	json_t *read = json_object_get(job, "read");

	return json_number_value(json_object_get(json_object_get(read, "lat_ns"), key));
}

static void a_sum_is_that_of_the_samples(void **state)
{
	static const double all[] = { 100, 90, 110, 400, 100, 50, 60, 70 };
	json_t *sum = job_of(all, 3), *b = job_of(all + 3, 5), *want = job_of(all, 8);
	json_t *read = json_object_get(sum, "read");

	(void)state;
	json_sum(sum, b);
	assert_int_equal(lat(sum, "N"), 8);
	assert_true(fabs(lat(sum, "mean") - lat(want, "mean")) < 1e-9);
	assert_true(fabs(lat(sum, "stddev") - lat(want, "stddev")) < 1e-9);
	assert_true(lat(sum, "min") == 50 && lat(sum, "max") == 400);
	assert_true(json_equal(json_object_get(json_object_get(read, "lat_ns"), "bins"),
	                       json_object_get(json_object_get(json_object_get(want, "read"),
	                                                       "lat_ns"),
	                                       "bins")));
	/* the rate is that of the longest: 8 I/Os in 500 ms */
	assert_true(json_number_value(json_object_get(read, "iops")) == 16);
	json_decref(sum);
	json_decref(b);
	json_decref(want);
}

/* Two clones, each of 4096 bytes and one I/O, at 1 IOPS by its own word. */
static struct taken sum_of_two(const char *bytes, const char *runtime)
{
	AUTO(text_fini) struct text t = { 0 }, job = { 0 };
	struct taken taken;

	text_addf(&job,
	          "{\"jobname\":\"j\",\"job options\":{\"numjobs\":\"2\"},\"read\":{\"io_bytes\":%s,"
	          "\"io_kbytes\":4,\"bw_bytes\":4096,\"bw\":4,\"iops\":1.0,\"runtime\":%s,"
	          "\"total_ios\":1}}",
	          bytes, runtime);
	text_addf(&t, "{\"fio version\":\"fio-3.33\",\"jobs\":[%s,%s]}", job.s, job.s);
	read_text(&taken, t.s, true);
	strlist_fini(&taken.notes);
	return taken;
}

static void a_sum_without_a_time_has_no_rate(void **state)
{
	static const char *const runtime[] = { "0", "0.5", "1.5", "-1", "null", "1e300" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(runtime); i++) {
		struct taken t = sum_of_two("4096", runtime[i]);
		const struct metric_value *m = t.run[0].imported.op[OP_READ];

		assert_int_equal(m[METRIC_bytes].integer, 8192);
		assert_false(m[METRIC_iops].measured || m[METRIC_bw_mib_s].measured);
	}
}

static void a_sum_of_many_bytes_has_its_own_rate(void **state)
{
	struct taken t = sum_of_two("400000000000000000", "4000");
	const struct metric_value *m = t.run[0].imported.op[OP_READ];

	(void)state;
	assert_true(m[METRIC_bw_mib_s].real == 2e17);
	assert_true(m[METRIC_iops].real == 0.5);
}

/* --- shapes --- */

/* fio's own rule: 64 buckets per octave from 128 ns on, named by their middle. */
static uint64_t fio_name(uint64_t v)
{
	unsigned m = 0, e;
	uint64_t k;

	if (v < 128)
		return v;
	while (v >> (m + 1))
		m++;
	e = m - 6;
	k = (v >> e) % 64;
	return (UINT64_C(1) << m) + k * (UINT64_C(1) << e) + (UINT64_C(1) << e) / 2;
}

static void bins_are_those_that_fio_would_have_counted(void **state)
{
	AUTO(freep) struct hist *h = xcalloc(1, sizeof(*h));
	json_t *want = json_object(), *have;
	uint64_t x = 88172645463325252u;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint64_t v;
		char key[32];

		x ^= x << 13, x ^= x >> 7, x ^= x << 17; /* every octave up to 17 s alike */
		v = x >> (30 + x % 33);
		hist_record(h, v);
		(void)snprintf(key, sizeof(key), "%llu", (unsigned long long)fio_name(v));
		json_object_set_new(
		    want, key, json_integer(json_integer_value(json_object_get(want, key)) + 1));
	}
	have = json_shape_bins(h);
	assert_true(json_equal(want, have));
	json_decref(want);
	json_decref(have);
}

static void longer_than_all_buckets_is_in_the_last(void **state)
{
	AUTO(freep) struct hist *h = xcalloc(1, sizeof(*h));
	AUTO(freep) char *dump = NULL;
	json_t *bins;

	(void)state;
	hist_record(h, 5);
	hist_record(h, UINT64_C(60000000000));
	hist_record(h, UINT64_C(1) << 50);
	bins = json_shape_bins(h);
	dump = json_dumps(bins, JSON_COMPACT);
	assert_string_equal(dump, "{\"5\":1,\"17112760320\":2}");
	json_decref(bins);
}

static double share(json_t *job, const char *table, const char *key)
{
	return json_number_value(json_object_get(json_object_get(job, table), key));
}

static void shares_are_of_all_ios(void **state)
{
	static const uint64_t ns[] = { 3, 900, 1500, 15000, 15000, 900000, 3000000, 2500000000 };
	AUTO(freep) struct hist *h = xcalloc(1, sizeof(*h));
	json_t *job = json_object();

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(ns); i++)
		hist_record(h, ns[i]);
	json_shape_shares(job, h);
	assert_true(share(job, "latency_ns", "4") == 12.5);
	assert_true(share(job, "latency_ns", "1000") == 12.5);
	assert_true(share(job, "latency_us", "2") == 12.5);
	assert_true(share(job, "latency_us", "20") == 25);
	assert_true(share(job, "latency_us", "1000") == 12.5);
	assert_true(share(job, "latency_ms", "4") == 12.5);
	assert_true(share(job, "latency_ms", ">=2000") == 12.5);
	json_decref(job);
}

/* What fio's keys round stands beside them, and wins; nonsense there is left out. */
static void exact_numbers_win(void **state)
{
	struct taken t;
	const struct metric_value *m = t.run[0].imported.op[OP_READ];

	(void)state;
	read_text(&t,
	          ONE_JOB("\"bs\":\"4k\",\"iosweep_read\":\"ios=7 lat_p99_ns=37759.5 iops=nan "
	                  "bytes=-1 errors=1e3 none=3 lat_max_ns\",\"iosweep_run\":"
	                  "\"window_ns=1000000001\",\"iosweep_doubts\":\"stalls no-such cached\""),
	          false);
	assert_int_equal(m[METRIC_ios].integer, 7);
	assert_true(m[METRIC_lat_p99_us].measured && m[METRIC_lat_p99_us].real == 37759.5);
	assert_false(m[METRIC_iops].measured);
	assert_int_equal(m[METRIC_bytes].integer, 4096);
	assert_false(m[METRIC_errors].measured);
	assert_int_equal(t.run[0].imported.run[METRIC_window_s].integer, 1000000001);
	assert_true(t.run[0].flags == (FLAG_BIT(stalls) | FLAG_BIT(cached) | FLAG_BIT(imported)));
	assert_string_equal(t.run[0].options, ""); /* in the words of iosweep, with its defaults */
	strlist_fini(&t.notes);
}

/* Documents on disk have these names: what is written under one is read from it. */
static void own_options_keep_their_names(void **state)
{
	static const struct {
		enum json_own which;
		const char *name, *value;
	} row[] = {
		{ (enum json_own)OP_READ, "iosweep_read", "ios=7" },
		{ (enum json_own)(ROW_OPS - 1), "iosweep_mixed", "ios=8" },
		{ JSON_OWN_RUN, "iosweep_run", "window_ns=9" },
		{ JSON_OWN_DOUBTS, "iosweep_doubts", "stalls" },
		{ JSON_OWN_NOTES, "iosweep_notes", "cached" },
		{ JSON_OWN_WHY, "iosweep_why", "stalls: 2 s" },
		{ JSON_OWN_SIZE, "iosweep_size", "4096" },
		{ JSON_OWN_OFFSET, "iosweep_offset", "" },
		{ JSON_OWN_STATUS, "iosweep_status", "interrupted" },
		{ JSON_OWN_CLONE, "iosweep_clone", "2" },
		{ JSON_OWN_CLIENT, "iosweep_client", "h" },
		{ JSON_OWN_JOB, "iosweep_job", "j" },
		{ JSON_OWN_NOTE, "iosweep_note", "for people" },
	};
	json_t *all = json_object();
	struct json_options o;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(row); i++) {
		json_own_set(all, row[i].which, row[i].value);
		assert_string_equal(json_string_value(json_object_get(all, row[i].name)),
		                    row[i].value);
		assert_string_equal(json_own_get(all, row[i].which), row[i].value);
		assert_true(json_own_is(row[i].name));
	}
	json_options_read(&o, NULL, all);
	assert_false(o.known); /* fio says nothing */
	assert_true(o.native && o.interrupted);
	assert_string_equal(o.exact[OP_READ], "ios=7");
	assert_string_equal(o.exact[ROW_OPS - 1], "ios=8");
	assert_string_equal(o.exact[JSON_OWN_RUN], "window_ns=9");
	assert_true(o.flags == (FLAG_BIT(stalls) | FLAG_BIT(cached)));
	assert_string_equal(o.why, "stalls: 2 s");
	assert_true(o.raw_size.said && o.raw_size.value == 4096);
	assert_true(o.raw_offset.said && o.raw_offset.value == AXIS_UNSET);
	assert_int_equal(o.other.len, 3);
	assert_string_equal(o.other.item[0], "client=h");
	assert_string_equal(o.other.item[1], "clone=2");
	assert_string_equal(o.other.item[2], "job=j");
	json_options_fini(&o);
	json_decref(all);
}

TEST_MAIN(cmocka_unit_test(bins_are_those_that_fio_would_have_counted),
          cmocka_unit_test(longer_than_all_buckets_is_in_the_last),
          cmocka_unit_test(shares_are_of_all_ios), cmocka_unit_test(exact_numbers_win),
          cmocka_unit_test(own_options_keep_their_names),
          cmocka_unit_test(documents_are_found_in_noise),
          cmocka_unit_test(what_is_broken_says_where),
          cmocka_unit_test(options_mean_what_they_mean_in_fio),
          cmocka_unit_test(sizes_are_of_the_kb_base),
          cmocka_unit_test(other_options_tell_runs_apart),
          cmocka_unit_test(a_known_job_has_the_key_of_our_own),
          cmocka_unit_test(files_that_stand_twice_are_all_kept),
          cmocka_unit_test(errors_are_those_of_a_system), cmocka_unit_test(nothing_is_cut),
          cmocka_unit_test(old_units_become_those_of_today),
          cmocka_unit_test(a_sum_is_that_of_the_samples),
          cmocka_unit_test(a_sum_without_a_time_has_no_rate),
          cmocka_unit_test(a_sum_of_many_bytes_has_its_own_rate))
