#include "base/bytes.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

/* Each part: from *text on, which is moved behind it; how many bytes, at most `room`, or
 * -errno. */

static int parse_hex(const char **text, uint8_t *out, size_t room)
{
	const char *p = *text + 2;
	size_t digits = 0, n;

	while (hex_digit(p[digits]) >= 0)
		digits++;
	n = (digits + 1) / 2;
	if (!digits)
		return -EINVAL;
	if (n > room)
		return -ERANGE;
	memset(out, 0, n);
	for (size_t i = 0, at = digits % 2; i < digits; i++, at++)
		out[at / 2] = (uint8_t)(out[at / 2] << 4 | hex_digit(p[i]));
	*text = p + digits;
	return (int)n;
}

static int parse_quoted(const char **text, uint8_t *out, size_t room)
{
	const char *from = *text + 1, *end = strchr(from, '"');

	if (!end || end == from)
		return -EINVAL;
	if ((size_t)(end - from) > room)
		return -ERANGE;
	memcpy(out, from, (size_t)(end - from));
	*text = end + 1;
	return (int)(end - from);
}

static int parse_number(const char **text, uint8_t *out, size_t room)
{
	const char *digits = *text + (**text == '-');
	char *end;
	long v;
	size_t n = 0;

	if (!isdigit((unsigned char)*digits))
		return -EINVAL;
	errno = 0;
	v = strtol(*text, &end, 10);
	if (errno || v < INT32_MIN || v > (long)UINT32_MAX)
		return -ERANGE;
	*text = end;
	for (uint32_t left = (uint32_t)v; left || !n; left >>= 8, n++) {
		if (n == room)
			return -ERANGE;
		out[n] = (uint8_t)left;
	}
	return (int)n;
}

int bytes_parse(const char *text, uint8_t out[BYTES_MAX])
{
	size_t n = 0;

	do {
		size_t room = BYTES_MAX - n;
		int r;

		if (!strncmp(text, "0x", 2) || !strncmp(text, "0X", 2))
			r = parse_hex(&text, out + n, room);
		else if (*text == '"')
			r = parse_quoted(&text, out + n, room);
		else
			r = parse_number(&text, out + n, room);
		if (r < 0)
			return r;
		n += (size_t)r;
	} while (*text);
	return (int)n;
}

void bytes_print(char *buf, size_t size, const uint8_t *bytes, size_t n)
{
	size_t at = (size_t)snprintf(buf, size, "0x");

	for (size_t i = 0; i < n && at < size; i++)
		at += (size_t)snprintf(buf + at, size - at, "%02x", bytes[i]);
}
