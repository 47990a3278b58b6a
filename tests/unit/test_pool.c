/* Job threads: none is left behind when not all of them can be started.
 * wrap: pthread_create */
#include "support/test.h"

#include <errno.h>
#include <pthread.h>

#include "run/pool.h"

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*fn)(void *),
                          void *arg);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*fn)(void *),
                          void *arg);

static unsigned allowed;

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*fn)(void *),
                          void *arg)
{
	if (!allowed)
		return EAGAIN;
	allowed--;
	return __real_pthread_create(thread, attr, fn, arg);
}

static void all_or_none_more(void **state)
{
	static struct run run;
	struct pool p;

	(void)state;
	pool_init(&p, &run);
	allowed = 2;
	assert_int_equal(pool_grow(&p, 2, NULL), 0);
	for (unsigned n = 0; n < 6; n++) {
		struct err e = { 0 };

		allowed = n;
		assert_int_equal(pool_grow(&p, 8, &e), -EAGAIN);
		assert_int_equal(p.n, 2);
		assert_int_equal(pool_pending(&p), 0);
		assert_memory_equal(e.text, "cannot start job ", 17);
		assert_int_equal(e.text[17] - '0', 3 + n);
	}
	allowed = 6;
	assert_int_equal(pool_grow(&p, 8, NULL), 0);
	assert_int_equal(p.n, 8);
	pool_command(&p, 8, LANE_RELEASE);
	pool_finish(&p);
	pool_fini(&p);
}

TEST_MAIN(cmocka_unit_test(all_or_none_more))
