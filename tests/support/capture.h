/* tests/support/capture.h: what is printed to stdout between begin and end. */
#ifndef SUPPORT_CAPTURE_H
#define SUPPORT_CAPTURE_H

#include <stdio.h>
#include <unistd.h>

struct capture {
	FILE *file;
	int saved;
	char text[16384];
};

static inline void capture_begin(struct capture *c)
{
	(void)fflush(stdout);
	c->file = tmpfile();
	assert_non_null(c->file);
	c->saved = dup(STDOUT_FILENO);
	assert_true(dup2(fileno(c->file), STDOUT_FILENO) >= 0);
}

static inline const char *capture_end(struct capture *c)
{
	size_t n;

	(void)fflush(stdout);
	assert_true(dup2(c->saved, STDOUT_FILENO) >= 0);
	(void)close(c->saved);
	rewind(c->file);
	n = fread(c->text, 1, sizeof(c->text) - 1, c->file);
	c->text[n] = '\0';
	(void)fclose(c->file);
	return c->text;
}

#endif
