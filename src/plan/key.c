#include "plan/key.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <xxhash.h>

#include "base/units.h"

static bool stands_for_itself(char c)
{
	return (unsigned char)c > 0x20 && c != '%' && c != '=';
}

void key_encode(struct text *out, const char *s)
{
	while (*s) {
		size_t n = 0;

		while (stands_for_itself(s[n]))
			n++;
		text_addn(out, s, n);
		s += n;
		if (*s)
			text_addf(out, "%%%02X", (unsigned char)*s++);
	}
}

void key_decode(char *s)
{
	char *to = s;

	for (; *s; s++) {
		int high = *s == '%' ? hex_digit(s[1]) : -1;
		int low = high >= 0 ? hex_digit(s[2]) : -1;

		if (low >= 0 && (high || low)) {
			*to++ = (char)(high << 4 | low);
			s += 2;
		} else {
			*to++ = *s;
		}
	}
	*to = '\0';
}

static bool at_default(const struct axis *a, uint64_t value, const struct job *job)
{
	if (a->required || a->always_in_key)
		return false;
	return value == axis_default_in(a, job);
}

static uint64_t key_value(const struct axis *a, const struct job *job, const struct key_raw *raw)
{
	if (a == &axes[AXIS_size])
		return raw->size;
	return a == &axes[AXIS_offset] ? raw->offset : axis_value(a, job);
}

/* The axes that are named, by their names; most rows name few. */
static size_t named_axes(const struct axis *named[AXIS_COUNT], const struct job *job,
                         const struct key_raw *raw)
{
	size_t n = 0;

	for (const struct axis *a = axes; a < axes + AXIS_COUNT; a++) {
		size_t at = n;

		if (at_default(a, key_value(a, job, raw), job))
			continue;
		for (; at > 0 && strcmp(named[at - 1]->name, a->name) > 0; at--)
			named[at] = named[at - 1];
		named[at] = a;
		n++;
	}
	return n;
}

void key_text(const struct job *effective, const struct key_raw *raw, const struct job_text *text,
              struct text *out)
{
	const struct axis *named[AXIS_COUNT];
	size_t n = named_axes(named, effective, raw);
	char value[64];

	for (size_t i = 0; i < n; i++) {
		const struct axis *a = named[i];

		axis_print(a, key_value(a, effective, raw), value, sizeof(value));
		text_addf(out, "%s%s=", i ? " " : "", a->name);
		key_encode(out, a->kind == AXIS_TEXT ? axis_text(a, text) : value);
	}
}

void key_hash(const char *text, struct combination_key *out)
{
	XXH128_canonical_t canonical;

	XXH128_canonicalFromHash(&canonical, XXH3_128bits(text, strlen(text)));
	static_assert(sizeof(canonical.digest) == KEY_BYTES,
	              "the stored key is the whole hash");
	memcpy(out->bytes, canonical.digest, KEY_BYTES);
	(void)snprintf(out->id, sizeof(out->id), "c%02x%02x%02x%02x%02x%02x", out->bytes[0],
	               out->bytes[1], out->bytes[2], out->bytes[3], out->bytes[4],
	               out->bytes[5]);
}

char *key_hex(const struct combination_key *k, char buf[2 * KEY_BYTES + 1])
{
	for (size_t i = 0; i < KEY_BYTES; i++)
		(void)snprintf(buf + 2 * i, 3, "%02x", k->bytes[i]);
	return buf;
}
