/* base/cleanup.h: scope cleanup. AUTO(fn) runs fn(&variable) when the scope ends; TAKE(p) hands the
 * pointer over and leaves NULL behind. Define and assign in one statement; never mix with goto. */
#ifndef BASE_CLEANUP_H
#define BASE_CLEANUP_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define AUTO(fn) __attribute__((cleanup(fn)))
#define TAKE(p)                                                                                  \
	__extension__({                                                                          \
		__typeof__(p) take_tmp_ = (p);                                                   \
		(p) = NULL;                                                                      \
		take_tmp_;                                                                       \
	})
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static inline void freep(void *p)
{
	free(*(void **)p);
}

static inline void closep(const int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void fclosep(FILE **f)
{
	if (*f)
		(void)fclose(*f);
}

static inline void closedirp(DIR **d)
{
	if (*d)
		(void)closedir(*d);
}

#endif
