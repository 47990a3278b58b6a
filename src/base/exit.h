/* base/exit.h: exit codes of the program; fixed, tested from outside (see `iosweep help exit-codes`). */
#ifndef BASE_EXIT_H
#define BASE_EXIT_H

enum exit_code {
	EXIT_OK = 0,
	EXIT_ROWS = 1,     /* finished, but rows failed, timed out, or were skipped because of the machine */
	EXIT_USAGE = 2,    /* usage; too many combinations; DB exists or is in use */
	EXIT_INPUT = 3,    /* an input file is invalid */
	EXIT_REFUSED = 4,  /* refused for safety */
	EXIT_NOTHING = 5,  /* nothing can run here; not comparable */
	EXIT_STORE = 6,    /* results could not be stored */
	EXIT_UNTIL = 7,    /* stopped as asked, resumable */
	EXIT_HUP = 129,
	EXIT_INT = 130,
	EXIT_TERM = 143,
};

#endif
