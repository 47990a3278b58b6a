/* Marks of latency histograms: any threshold, any batch of time, few marks for long windows. */
#include "support/test.h"

#include "base/cleanup.h"
#include "base/text.h"
#include "base/units.h"
#include "run/marks.h"

struct marked_job {
	struct hist lat[OP_COUNT];
	struct marks marks;
};

static struct marked_job *job_new(uint64_t width_ns)
{
	struct marked_job *j = xcalloc(1, sizeof(*j));

	j->marks.count = xcalloc(MARKS_ROOM, sizeof(uint32_t));
	marks_begin(&j->marks, width_ns);
	return j;
}

static void job_free(struct marked_job *j)
{
	free(j->marks.count);
	free(j);
}

/* Until at_ns, `fast` reads of 100 ns and `slow` ones of 5 us. */
static void work(struct marked_job *j, unsigned fast, unsigned slow, uint64_t at_ns)
{
	for (unsigned i = 0; i < fast + slow; i++)
		hist_record(&j->lat[OP_READ], i < fast ? 100 : 5000);
	marks_take(&j->marks, j->lat, at_ns);
}

static void expect(struct marked_job *j, uint64_t at_ns, uint32_t all, uint32_t above)
{
	struct tail_counts got = marks_at(&j->marks, &j->lat[OP_READ], OP_READ, 100, at_ns);

	assert_int_equal(got.all, all);
	assert_int_equal(got.above, above);
}

static void counts_at_every_boundary(void **state)
{
	struct marked_job *j = job_new(100);

	(void)state;
	work(j, 10, 1, 50); /* not yet one */
	assert_int_equal(j->marks.n, 0);
	work(j, 10, 1, 100);
	work(j, 5, 0, 150);
	work(j, 5, 3, 210);
	work(j, 7, 0, 520); /* held up: nothing came in between but what it found now */
	expect(j, 100, 22, 2);
	expect(j, 200, 35, 5);
	expect(j, 300, 42, 5);
	expect(j, 500, 42, 5);
	hist_record(&j->lat[OP_READ], UINT64_C(1) << 42); /* beyond all buckets */
	expect(j, 600, 43, 6);
	assert_int_equal(marks_at(&j->marks, &j->lat[OP_READ], OP_READ, 99, 600).above, 43);
	job_free(j);
}

static void the_width_doubles_when_it_is_full(void **state)
{
	struct marked_job *j = job_new(100);

	(void)state;
	for (unsigned i = 1; i <= 1000; i++)
		work(j, 9, 1, i * 100);
	assert_int_equal(j->marks.width_ns, 3200);
	assert_in_range(j->marks.n, TAIL_MAX / 2, TAIL_MAX);
	for (unsigned i = 1; i <= 31; i++)
		expect(j, i * 3200, i * 320, i * 32);
	marks_widen(&j->marks, 12800);
	assert_int_equal(j->marks.width_ns, 12800);
	assert_int_equal(j->marks.n, 7);
	for (unsigned i = 1; i <= 7; i++)
		expect(j, i * 12800, i * 1280, i * 128);
	marks_begin(&j->marks, 100);
	assert_int_equal(j->marks.n, 0);
	job_free(j);
}

/* Latencies all over the place: fewer marks, but right ones. */
static void room_for_many_buckets(void **state)
{
	struct marked_job *j = job_new(100);

	(void)state;
	for (unsigned i = 1; i <= 40; i++) {
		for (int op = 0; op < OP_COUNT; op++) {
			hist_record(&j->lat[op], 1);
			hist_record(&j->lat[op], UINT64_C(1) << 40);
		}
		marks_take(&j->marks, j->lat, i * 100);
		assert_true(j->marks.used <= MARKS_ROOM);
	}
	assert_in_range(j->marks.n, 1, 4);
	for (uint64_t at = j->marks.width_ns; at <= 4000; at += j->marks.width_ns) {
		struct tail_counts got =
		    marks_at(&j->marks, &j->lat[OP_SYNC], OP_SYNC, 100, at);

		assert_int_equal(got.all, at / 50);
		assert_int_equal(got.above, at / 100);
	}
	job_free(j);
}

TEST_MAIN(cmocka_unit_test(counts_at_every_boundary),
          cmocka_unit_test(the_width_doubles_when_it_is_full),
          cmocka_unit_test(room_for_many_buckets))
