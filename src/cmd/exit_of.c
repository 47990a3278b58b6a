#include "cmd/exit_of.h"

#include <errno.h>

#include "cmd/cmd.h"

int exit_of_error(int error)
{
	switch (-error) {
	case 0:
		return EXIT_OK;
	case EINVAL: /* the question names what is not there, or is no SQL */
	case EBUSY:
		return EXIT_USAGE;
	case EBADMSG: /* damaged, which only reading it to the end shows */
		return EXIT_INPUT;
	case ENODATA:
		return EXIT_NOTHING;
	default:
		return EXIT_STORE;
	}
}

int exit_of_resume(int error)
{
	switch (-error) {
	case 0:
		return EXIT_OK;
	case EBUSY:
		return EXIT_USAGE;
	case ENOSPC:
	case EROFS:
	case EACCES:
		return EXIT_STORE;
	default:
		return EXIT_INPUT;
	}
}

int open_to_ask(struct store **out, const char *verb, const char *path)
{
	struct err e = { 0 };
	int error = store_open(out, path, &e);

	if (!error)
		return EXIT_OK;
	complain("%s: %s", verb, e.text);
	return error == -EBUSY ? EXIT_USAGE : EXIT_INPUT;
}
