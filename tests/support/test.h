/* tests/support/test.h: cmocka with its includes in order, and a main(). */
#ifndef SUPPORT_TEST_H
#define SUPPORT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define TEST_MAIN(...)                                                                         \
	int main(void)                                                                         \
	{                                                                                      \
		const struct CMUnitTest tests[] = { __VA_ARGS__ };                             \
                                                                                               \
		return cmocka_run_group_tests(tests, NULL, NULL);                              \
	}

#endif
