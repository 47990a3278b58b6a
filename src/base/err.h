/* base/err.h: one error: a -errno code and the sentence a person reads. The first error wins. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

struct err {
	int code;        /* 0, or -errno */
	char text[1024]; /* one sentence, no newline; "" when code is 0 */
};

/* Record the error unless one is there already. Returns `code`, for "return err_set(...)". e may be NULL. */
__attribute__((format(printf, 3, 4))) int err_set(struct err *e, int code, const char *fmt, ...);

/* Put "what: " in front of a recorded error: whoever knows more adds it. Returns e->code. */
__attribute__((format(printf, 2, 3))) int err_wrap(struct err *e, const char *fmt, ...);

/* strerror() of a positive errno without its thread-safety trouble: a static text. */
const char *err_name(int errnum);

#endif
