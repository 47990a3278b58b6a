/* One rule from errors to exit codes, for every command that asks a database or resumes one. */
#include "support/test.h"

#include <errno.h>

#include "base/cleanup.h"
#include "cmd/exit_of.h"

static const struct {
	int error;
	int asked, resumed;
} cases[] = {
	{ 0, EXIT_OK, EXIT_OK },
	{ -EINVAL, EXIT_USAGE, EXIT_INPUT }, /* no such column; or no database of ours */
	{ -EBUSY, EXIT_USAGE, EXIT_USAGE },
	{ -EBADMSG, EXIT_INPUT, EXIT_INPUT },
	{ -ENODATA, EXIT_NOTHING, EXIT_INPUT },
	{ -ENOENT, EXIT_STORE, EXIT_INPUT }, /* the folder of the answer; or the database */
	{ -EIO, EXIT_STORE, EXIT_INPUT },
	{ -ENOSPC, EXIT_STORE, EXIT_STORE },
	{ -EROFS, EXIT_STORE, EXIT_STORE },
	{ -EACCES, EXIT_STORE, EXIT_STORE },
};

static void questions_and_resuming(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(exit_of_error(cases[i].error), cases[i].asked);
		assert_int_equal(exit_of_resume(cases[i].error), cases[i].resumed);
	}
}

TEST_MAIN(cmocka_unit_test(questions_and_resuming))
