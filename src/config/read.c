#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "config/loader.h"

static bool looks_utf16(const unsigned char *s, size_t n)
{
	return n >= 2 && ((s[0] == 0xff && s[1] == 0xfe) || (s[0] == 0xfe && s[1] == 0xff) ||
	                  !s[0] || !s[1]);
}

/* Of the byte at text[i], from 1; columns count characters. */
static void position(const char *text, size_t i, size_t *line, size_t *column)
{
	*line = *column = 1;
	for (const char *p = text; p < text + i; p++) {
		if (*p == '\n') {
			++*line;
			*column = 1;
		} else if (((unsigned char)*p & 0xc0) != 0x80) {
			++*column;
		}
	}
}

const char *config_check_encoding(struct loader *l, const char *text, size_t *len)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t n = *len, bom = 0, step, line, column;

	if (looks_utf16(s, n)) {
		problem(l, NULL,
		        "line 1 column 1: not UTF-8 but UTF-16 or UTF-32; save the file as UTF-8");
		return NULL;
	}
	if (n >= 3 && !memcmp(s, "\xef\xbb\xbf", 3))
		bom = 3;
	for (size_t i = bom; i < n; i += step) {
		step = text_utf8(text + i, n - i);
		if (step && s[i])
			continue;
		position(text + bom, i - bom, &line, &column);
		if (step)
			problem(l, NULL, "line %zu column %zu: a NUL byte is not JSON", line,
			        column);
		else
			problem(l, NULL,
			        "line %zu column %zu: 0x%02x is not UTF-8; save the file as UTF-8",
			        line, column, s[i]);
		return NULL;
	}
	*len = n - bom;
	return text + bom;
}

char *config_read(struct loader *l, const char *path, size_t *len, int *code)
{
	bool is_stdin = !strcmp(path, "-");
	AUTO(text_fini) struct text t = { 0 };
	const char *begin;

	*code = is_stdin ? file_read_all(&t, STDIN_FILENO, CONFIG_MAX_BYTES)
	                 : file_load(&t, path, CONFIG_MAX_BYTES);
	if (*code == -EFBIG) {
		problem(l, NULL, "larger than 16 MiB: that is no config");
		return NULL;
	}
	if (*code) {
		problem(l, NULL, "cannot read: %s", err_name(-*code));
		return NULL;
	}
	*code = -EINVAL;
	*len = t.len;
	begin = config_check_encoding(l, text_get(&t), len);
	if (!begin)
		return NULL;
	*code = 0;
	return xstrndup(begin, *len);
}
