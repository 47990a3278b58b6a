#include "support/test.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "sink/cell.h"
#include "sink/csv.h"
#include "support/records.h"

struct fixture {
	char *dir, db[256], csv[256];
	struct sweep *sweep;
	struct store *store;
	struct err e;
};

static int setup(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));
	struct store_header h;

	f->dir = scratch_dir();
	(void)snprintf(f->db, sizeof(f->db), "%s/a.db", f->dir);
	(void)snprintf(f->csv, sizeof(f->csv), "%s/a.csv", f->dir);
	f->sweep = sweep_of("n\xc3\xa4"
	                    "cht");
	h = (struct store_header){ .sweep = f->sweep, .host = "box" };
	*state = f;
	return store_create(&f->store, f->db, &h, &f->e);
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	(void)store_close(f->store, NULL);
	sweep_free(f->sweep);
	scratch_remove(f->dir);
	free(f);
	return 0;
}

static void add(struct fixture *f, int64_t id, enum run_status status,
                const struct sample *sample, const char *error)
{
	struct run_of a;

	run_of(&a, id, (unsigned)id, status, sample);
	a.record.error = error;
	assert_int_equal(store_step(f->store, &a.record, NULL, false, &f->e), 0);
}

static int json_of(FILE *out, struct store *s, const char *where, struct err *e)
{
	AUTO(text_fini) struct text sql = { 0 };
	AUTO(rows_closep) struct rows *rows = NULL;
	int r;

	csv_select(&sql, where);
	r = rows_open(&rows, s, text_get(&sql), e);
	return r ? r : json_write_rows(out, rows, e);
}

/* What csv_write or json_of gives; the caller frees it. */
static char *written(struct fixture *f, const char *where, int dialect)
{
	char *buf = NULL;
	size_t size;
	FILE *out = open_memstream(&buf, &size);
	int r;

	f->e = (struct err){ 0 };
	r = dialect < 0 ? json_of(out, f->store, where, &f->e)
	                : csv_write(out, f->store, where, (enum csv_dialect)dialect, &f->e);
	(void)fclose(out);
	assert_string_equal(f->e.text, "");
	assert_int_equal(r, 0);
	return buf;
}

static char *file_text(const char *path)
{
	char *buf = xcalloc(1, 65536);
	FILE *in = fopen(path, "r");

	assert_non_null(in);
	assert_true(fread(buf, 1, 65535, in) > 0);
	(void)fclose(in);
	return buf;
}

/* Line `n` from 0; the text is cut there. */
static char *line(char *text, int n)
{
	while (n--)
		text = strchr(text, '\n') + 1;
	*strchr(text, '\n') = '\0';
	return text;
}

static void reals_as_text(void **state)
{
	static const struct {
		double v;
		const char *real, *fixed;
	} cases[] = {
		{ 0, "0", "0.000" },
		{ 30, "30", "30.000" },
		{ 0.5, "0.5", "0.500" },
		{ 1000, "1000", "1000.000" },
		{ 1234567.8, "1234568", "1234567.800" },
		{ 123456.7, "123457", "123456.700" },
		{ 99999.96, "100000", "99999.960" },
		{ 3.90625, "3.90625", "3.906" },
		{ 1.0 / 3, "0.333333", "0.333" },
		{ 200.0 / 3, "66.6667", "66.667" },
		{ 0.00001234567, "0.0000123457", "0.000" },
		{ -2.5, "-2.5", "-2.500" },
		{ 1e20, "100000000000000000000", "100000000000000000000" },
		{ (double)NAN, "", "" },
		{ (double)INFINITY, "", "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO(text_fini) struct text real = { 0 };
		AUTO(text_fini) struct text fixed = { 0 };

		cell_add_real(&real, cases[i].v, '.');
		cell_add_fixed3(&fixed, cases[i].v, '.');
		assert_string_equal(text_get(&real), cases[i].real);
		assert_string_equal(text_get(&fixed), cases[i].fixed);
	}
}

static void integers_as_text(void **state)
{
	static const struct {
		int64_t v;
		const char *expect;
	} cases[] = {
		{ 0, "0" },
		{ -1, "-1" },
		{ 9007199254740993, "9007199254740993" },
		{ INT64_MAX, "9223372036854775807" },
		{ INT64_MIN, "-9223372036854775808" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO(text_fini) struct text t = { 0 };

		cell_add_int(&t, cases[i].v);
		assert_string_equal(text_get(&t), cases[i].expect);
	}
}

static void json_values(void **state)
{
	static const struct {
		double v;
		const char *expect;
	} reals[] = {
		{ 30, "30" },
		{ -0.5, "-0.5" },
		{ 0.1, "0.1" },
		{ 80.123, "80.123" },
		{ 1.0 / 3, "0.33333333333333331" },
		{ 1e300, "1.0000000000000001e+300" },
		{ (double)NAN, "null" },
		{ -(double)INFINITY, "null" },
	};
	static const struct {
		const char *s, *expect;
	} strings[] = {
		{ "", "\"\"" },
		{ "a\"b\\c\n\t\x01\x7f", "\"a\\\"b\\\\c\\n\\t\\u0001\\u007f\"" },
		{ "n\xc3\xa4"
		  "cht \xf0\x9f\x92\xbe",
		  "\"n\xc3\xa4"
		  "cht \xf0\x9f\x92\xbe\"" },
		{ "a\xff"
		  "b\xc3",
		  "\"a\xef\xbf\xbd"
		  "b\xef\xbf\xbd\"" },
		{ "\xc0\xaf\xed\xa0\x80",
		  "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(reals); i++) {
		AUTO(text_fini) struct text t = { 0 };

		json_add_real(&t, reals[i].v);
		assert_string_equal(text_get(&t), reals[i].expect);
	}
	for (size_t i = 0; i < ARRAY_SIZE(strings); i++) {
		AUTO(text_fini) struct text t = { 0 };

		json_add_string(&t, strings[i].s);
		assert_string_equal(text_get(&t), strings[i].expect);
	}
}

#define HEAD                                                                                   \
	"randread_4k_1,cab0000000001,1,1,2026-11-30T18:00:00.250Z,box,Some SSD "               \
	"(nvme0n1),ext4,,"
#define AXES "/mnt/t.dat,psync,randread,4096,2,4,1,1048576,50,0.5,2,"

static void a_row_in_every_dialect(void **state)
{
	static const struct {
		enum csv_dialect d;
		const char *start, *expect;
	} cases[] = {
		{ CSV_CANONICAL, "sweep,label,",
		  "n\xc3\xa4"
		  "cht," HEAD "ok,,few-samples unverified,,read," AXES
		  ",2000,8192000,1000,3.90625,4.096,80.000,80.000,0.000,80.000,80.000,80.000,"
		  "80.000,80.000,,80.000,"
		  "1000,1000,0,0,0,2,1000,3.90625,8,4,1.5,300.000,10,20,,,,,,,7.8125,,,,,short,,,,,,0,,,,,," },
		{ CSV_EXCEL, "\xef\xbb\xbfsweep;label;",
		  "n\xc3\xa4"
		  "cht;randread_4k_1;cab0000000001;1;1;2026-11-30T18:00:00.250Z;box;Some SSD "
		  "(nvme0n1);ext4;;"
		  "ok;;few-samples "
		  "unverified;;read;/mnt/"
		  "t.dat;psync;randread;4096;2;4;1;1048576;50;0,5;2;;2000;8192000;"
		  "1000;3,90625;4,096;80,000;80,000;0,000;80,000;80,000;80,000;80,000;80,000;;"
		  "80,000;1000;1000;0;0;0;2;"
		  "1000;3,90625;8;4;1,5;300,000;10;20;;;;;;;7,8125;;;;;short;;;;;;0;;;;;;\r" },
		{ CSV_TSV, "sweep\tlabel\t",
		  "n\xc3\xa4"
		  "cht\trandread_4k_1\tcab0000000001\t1\t1\t2026-11-30T18:00:00.250Z\tbox\t"
		  "Some SSD (nvme0n1)\text4\t\tok\t\tfew-samples "
		  "unverified\t\tread\t/mnt/t.dat\tpsync\trandread\t4096\t"
		  "2\t4\t1\t1048576\t50\t0.5\t2\t\t2000\t8192000\t1000\t3.90625\t4.096\t80."
		  "000\t80.000\t0.000\t80.000\t"
		  "80.000\t80.000\t80.000\t80.000\t\t80.000\t1000\t1000\t0\t0\t0\t2\t1000\t3."
		  "90625\t8\t4\t1.5\t300.000\t"
		  "10\t20\t\t\t\t\t\t\t7.8125\t\t\t\t\tshort\t\t\t\t\t\t0\t\t\t\t\t\t" },
	};
	struct fixture *f = *state;
	AUTO(freep) struct sample *sample = sample_of(2000, 80000);
	struct run_of a;

	run_of(&a, 1, 1, STATUS_OK, sample);
	a.record.flags = FLAG_BIT(few_samples) | FLAG_BIT(unverified);
	assert_int_equal(store_step(f->store, &a.record, NULL, true, &f->e), 0);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO(freep) char *all = written(f, NULL, (int)cases[i].d);

		assert_memory_equal(all, cases[i].start, strlen(cases[i].start));
		assert_string_equal(line(all, 1), cases[i].expect);
	}
}

static void hostile_cells(void **state)
{
	static const struct {
		const char *error, *canonical, *excel, *tsv;
	} cases[] = {
		{ "plain", ",plain,", ";plain;", "\tplain\t" },
		{ "a,b", ",\"a,b\",", ";a,b;", "\ta,b\t" },
		{ "a;b", ",a;b,", ";\"a;b\";", "\ta;b\t" },
		{ "say \"x\"", ",\"say \"\"x\"\"\",", ";\"say \"\"x\"\"\";", "\tsay \"x\"\t" },
		{ "=cmd|' /C calc'!A0", ",'=cmd|' /C calc'!A0,", ";'=cmd|' /C calc'!A0;",
		  "\t'=cmd|' /C calc'!A0\t" },
		{ "@SUM(1,2)", ",\"'@SUM(1,2)\",", ";'@SUM(1,2);", "\t'@SUM(1,2)\t" },
		{ "-2+3", ",'-2+3,", ";'-2+3;", "\t'-2+3\t" },
		{ "+1", ",'+1,", ";'+1;", "\t'+1\t" },
		{ "\tx", ",'\tx,", ";'\tx;", "\t' x\t" },
		{ " x ", ",\" x \",", ";\" x \";", "\t x \t" },
		{ "two\tcells", ",two\tcells,", ";two\tcells;", "\ttwo cells\t" },
		{ "bad \xff", ",bad \xef\xbf\xbd,", ";bad \xef\xbf\xbd;",
		  "\tbad \xef\xbf\xbd\t" },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		add(f, (int64_t)i + 1, STATUS_SKIPPED, NULL, cases[i].error);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO(freep) char *canonical = written(f, NULL, CSV_CANONICAL);
		AUTO(freep) char *excel = written(f, NULL, CSV_EXCEL);
		AUTO(freep) char *tsv = written(f, NULL, CSV_TSV);

		assert_non_null(strstr(line(canonical, (int)i + 1), cases[i].canonical));
		assert_non_null(strstr(line(excel, (int)i + 1), cases[i].excel));
		assert_non_null(strstr(line(tsv, (int)i + 1), cases[i].tsv));
	}
}

static void line_ends_stay_inside_quotes(void **state)
{
	struct fixture *f = *state;

	add(f, 1, STATUS_SKIPPED, NULL, "two\r\nlines");
	AUTO(freep) char *canonical = written(f, NULL, CSV_CANONICAL);
	AUTO(freep) char *tsv = written(f, NULL, CSV_TSV);

	assert_non_null(strstr(canonical, ",\"two\r\nlines\","));
	assert_non_null(strstr(tsv, "\ttwo  lines\t"));
}

static void a_condition_chooses_rows(void **state)
{
	struct fixture *f = *state;
	FILE *out = tmpfile();

	add(f, 1, STATUS_SKIPPED, NULL, "one");
	add(f, 2, STATUS_SKIPPED, NULL, "two");
	AUTO(freep) char *all = written(f, "run = 2 -- the second", CSV_CANONICAL);

	assert_non_null(strstr(all, ",two,"));
	assert_null(strstr(all, ",one,"));
	assert_int_equal(
	    csv_write(out, f->store, "run = 2); DROP TABLE run; --", CSV_CANONICAL, &f->e),
	    -EINVAL);
	assert_non_null(strstr(f->e.text, "more than one statement"));
	(void)fclose(out);
}

static void json_is_exact(void **state)
{
	struct fixture *f = *state;
	AUTO(freep) struct sample *sample = sample_of(0, 0);

	sample->op[OP_READ].ios = 9007199254740993;
	add(f, 1, STATUS_FAILED, sample, "=\"x\"");
	AUTO(freep) char *all = written(f, NULL, -1);

	assert_memory_equal(all, "{\"schema_version\":1,\"rows\":[\n{\"sweep\":", 38);
	assert_non_null(strstr(
	    all, "\"error\":\"=\\\"x\\\"\",\"op\":\"read\",\"filename\":\"/mnt/t.dat\""));
	assert_non_null(strstr(all, "\"ios\":9007199254740993,"));
	assert_non_null(strstr(all, "\"lat_p50_us\":null,"));
	assert_string_equal(all + strlen(all) - 4, "\n]}\n");
}

static void appending_and_writing_give_the_same_file(void **state)
{
	struct fixture *f = *state;
	AUTO(freep) struct sample *sample = sample_of(2000, 80000);
	struct stat st;

	add(f, 1, STATUS_OK, sample, "");
	assert_int_equal(csv_append(f->csv, f->store, 1, &f->e), 0);
	add(f, 2, STATUS_SKIPPED, NULL, "because");
	assert_int_equal(csv_append(f->csv, f->store, 2, &f->e), 0);
	assert_int_equal(csv_append(f->csv, f->store, 99, &f->e), 0); /* no such row: no line */
	AUTO(freep) char *appended = file_text(f->csv);

	assert_int_equal(csv_write_file(f->csv, f->store, NULL, &f->e), 0);
	AUTO(freep) char *anew = file_text(f->csv);
	AUTO(freep) char *direct = written(f, NULL, CSV_CANONICAL);

	assert_string_equal(anew, direct);
	assert_string_equal(appended, direct);
	assert_int_equal(csv_write_file("/dev/null", f->store, NULL, &f->e), 0);
	assert_int_equal(stat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
}

static void a_full_disk_is_said(void **state)
{
	struct fixture *f = *state;

	add(f, 1, STATUS_SKIPPED, NULL, "x");
	assert_int_equal(csv_append("/dev/full", f->store, 1, &f->e), -ENOSPC);
	assert_string_equal(f->e.text, "/dev/full: write: No space left on device");
	f->e = (struct err){ 0 };
	assert_int_equal(csv_write_file("/dev/full", f->store, NULL, &f->e), -ENOSPC);
	f->e = (struct err){ 0 };
	assert_int_equal(csv_write_file("/nonexistent/x.csv", f->store, NULL, &f->e), -ENOENT);
	assert_string_equal(f->e.text,
	                    "/nonexistent/x.csv: cannot write: No such file or directory");
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

TEST_MAIN(cmocka_unit_test(reals_as_text), cmocka_unit_test(integers_as_text),
          cmocka_unit_test(json_values), T(a_row_in_every_dialect), T(hostile_cells),
          T(line_ends_stay_inside_quotes), T(a_condition_chooses_rows), T(json_is_exact),
          T(appending_and_writing_give_the_same_file), T(a_full_disk_is_said))
