/* The sweet spots in words, from rows as the store gives them.
 * wrap: rows_open rows_next rows_text rows_int rows_real rows_close */
#include "support/test.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cmd/spots.h"
#include "support/capture.h"

#define COLUMNS 20

/* A result set of texts: one string per row, its cells separated by '|'. */
struct rows {
	const char *const *line;
	char cell[COLUMNS][64];
};

static struct rows table;

int __wrap_rows_open(struct rows **out, struct store *s, const char *sql, struct err *e);
int __wrap_rows_next(struct rows *r, struct err *e);
const char *__wrap_rows_text(const struct rows *r, int column);
int64_t __wrap_rows_int(const struct rows *r, int column);
double __wrap_rows_real(const struct rows *r, int column);
void __wrap_rows_close(struct rows *r);

int __wrap_rows_open(struct rows **out, struct store *s, const char *sql, struct err *e)
{
	(void)s;
	assert_non_null(strstr(sql, "FROM results WHERE status = 'ok'"));
	if (!table.line)
		return err_set(e, -EIO, "disk image is malformed");
	*out = &table;
	return 0;
}

int __wrap_rows_next(struct rows *r, struct err *e)
{
	const char *p = *r->line;

	(void)e;
	if (!p)
		return 0;
	for (size_t i = 0; i < COLUMNS; i++) {
		size_t n = strcspn(p, "|");

		(void)snprintf(r->cell[i], sizeof(r->cell[i]), "%.*s", (int)n, p);
		p += n + (p[n] == '|');
	}
	r->line++;
	return 1;
}

const char *__wrap_rows_text(const struct rows *r, int column)
{
	return r->cell[column];
}

int64_t __wrap_rows_int(const struct rows *r, int column)
{
	return strtoll(r->cell[column], NULL, 10);
}

double __wrap_rows_real(const struct rows *r, int column)
{
	return *r->cell[column] ? strtod(r->cell[column], NULL) : (double)NAN;
}

void __wrap_rows_close(struct rows *r)
{
	(void)r;
}

/* What spots_print() writes for these lines. */
static const char *printed(const char *const *lines)
{
	static struct capture c;
	struct err e = { 0 };
	int r;

	table = (struct rows){ .line = lines };
	capture_begin(&c);
	r = spots_print(NULL, &e);
	(void)capture_end(&c);
	assert_int_equal(r, 0);
	return c.text;
}

static void one_random_pattern(void **state)
{
	/* filename|rw|direct|size|mix|ramp|runtime|options|no_io|bs|numjobs|iodepth|engine|doubted|bw|iops|mean
	 * r,w|p99 r,w */
	static const char *const lines[] = {
		"/dev/"
		"vdb|randread|1|1073741824||2|30|||4096|1|1|io_uring|0|40|10240|97.31||180||",
		"/dev/"
		"vdb|randread|1|1073741824||2|30|||4096|1|32|io_uring|0|800|204800|156||400||",
		"/dev/"
		"vdb|randread|1|1073741824||2|30|||4096|1|16|io_uring|0|780|199680|80||200||",
		"/dev/"
		"vdb|randread|1|1073741824||2|30|||32768|1|32|io_uring|0|941|30112|1000||2000||",
		"/dev/"
		"vdb|randread|1|1073741824||2|30|||65536|1|8|libaio|0|960|15360|520.8||1234.5||",
		"/dev/"
		"vdb|randread|1|1073741824||2|30|||65536|4|8|libaio|1|5000|80000|520.8||1234.5|"
		"|",
		"/dev/vdb|randread|1|1073741824||2|30|||131072|1|4|io_uring|0|1000|8000|500||||",
		NULL,
	};

	(void)state;
	assert_string_equal(printed(lines),
	                    "\n/dev/vdb, randread\n"
	                    "  sweet spot: bs 64k, numjobs 1, iodepth 8, libaio: 960 MiB/s, "
	                    "96.0 % of the best (1000 MiB/s: bs 128k, "
	                    "numjobs 1, iodepth 4, io_uring)\n"
	                    "    latency: mean 520.8 us, p99 1.23 ms\n"
	                    "    neighbouring sizes: 32k 94.1 %, 128k 100.0 %\n"
	                    "  peak IOPS: bs 4k, numjobs 1, iodepth 32, io_uring: 204800\n"
	                    "  cheapest within 95 % of it: bs 4k, numjobs 1, iodepth 16, "
	                    "io_uring: 199680, 97.5 %\n"
	                    "    latency: mean 80.0 us, p99 200.0 us\n"
	                    "  left out: 1 of 7 runs, in doubt\n");
}

static void conditions_and_mixed_patterns(void **state)
{
	static const char *const lines[] = {
		"f\033x|rw|0|1048576|70|2|30|||4096|1|1|psync|0|12.34|3159|10|20|30|1500000",
		"f\033x|rw|1|1048576|70|2|30|||4096|1|1|psync|0|1|256|10|20||",
		"f\033x|read|1|2097152||2|30|fsync=1||4096|1|1|psync|1|1|256|10||||",
		NULL,
	};

	(void)state;
	assert_string_equal(
	    printed(lines),
	    "\nf?x, rw, direct 0, size 1m, options default (page cache, not the device)\n"
	    "  sweet spot: bs 4k, numjobs 1, iodepth 1, psync: 12.3 MiB/s, 100.0 % of the best "
	    "(12.3 MiB/s: bs 4k, "
	    "numjobs 1, iodepth 1, psync)\n"
	    "    read latency: mean 10.0 us, p99 30.0 us\n"
	    "    write latency: mean 20.0 us, p99 1.50 s\n"
	    "    neighbouring sizes: none measured\n"
	    "\nf?x, rw, direct 1, size 1m, options default\n"
	    "  sweet spot: bs 4k, numjobs 1, iodepth 1, psync: 1 MiB/s, 100.0 % of the best (1 "
	    "MiB/s: bs 4k, numjobs 1, "
	    "iodepth 1, psync)\n"
	    "    read latency: mean 10.0 us, p99 unknown (few samples)\n"
	    "    write latency: mean 20.0 us, p99 unknown (few samples)\n"
	    "    neighbouring sizes: none measured\n"
	    "\nf?x, read, direct 1, size 2m, options fsync=1\n"
	    "  all 1 runs are in doubt; the best of those, not to be relied on:\n"
	    "  sweet spot: bs 4k, numjobs 1, iodepth 1, psync: 1 MiB/s, 100.0 % of the best (1 "
	    "MiB/s: bs 4k, numjobs 1, "
	    "iodepth 1, psync)\n"
	    "    latency: mean 10.0 us, p99 unknown (few samples)\n"
	    "    neighbouring sizes: none measured\n");
}

static void sizes_at_the_edge_of_the_sweep(void **state)
{
	static const char *const grows[] = {
		"f|read|1|1048576||2|30|||4096|1|1|psync|0|100|25600|10||20||",
		"f|read|1|1048576||2|30|||8192|1|1|psync|0|200|25600|10||20||",
		NULL,
	};
	static const char *const falls[] = {
		"f|read|1|1048576||2|30|||4096|1|1|psync|0|200|51200|10||20||",
		"f|read|1|1048576||2|30|||8192|1|1|psync|0|100|12800|10||20||",
		NULL,
	};

	(void)state;
	assert_non_null(strstr(printed(grows),
	                       "    neighbouring sizes: 4k 50.0 %, no larger one measured\n"));
	assert_non_null(strstr(printed(falls),
	                       "    neighbouring sizes: no smaller one measured, 8k 50.0 %\n"));
}

static void no_io_at_all_is_no_rival(void **state)
{
	static const char *const lines[] = {
		"f|read|1|1048576||2|30|||4096|1|1|psync|0|100|25600|10||20||",
		"f|read|1|1048576||2|30||null|4096|1|1|null|0|90000|25600000|10||20||",
		NULL,
	};
	const char *text = printed(lines);

	(void)state;
	assert_non_null(strstr(text, "\nf, read\n  sweet spot: bs 4k, numjobs 1, iodepth 1, "
	                             "psync: 100 MiB/s, 100.0 % of the best"));
	assert_non_null(strstr(text, "\nf, read (null engine: no I/O)\n  sweet spot: bs 4k, "
	                             "numjobs 1, iodepth 1, null: 90000 MiB/s"));
}

static void nothing_and_trouble(void **state)
{
	static const char *const none[] = { NULL };
	struct err e = { 0 };

	(void)state;
	assert_string_equal(printed(none), "");
	table = (struct rows){ 0 };
	assert_int_equal(spots_print(NULL, &e), -EIO);
	assert_string_equal(e.text, "disk image is malformed");
}

TEST_MAIN(cmocka_unit_test(one_random_pattern), cmocka_unit_test(conditions_and_mixed_patterns),
          cmocka_unit_test(sizes_at_the_edge_of_the_sweep),
          cmocka_unit_test(no_io_at_all_is_no_rival), cmocka_unit_test(nothing_and_trouble))
