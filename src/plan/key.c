#include "plan/key.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <xxhash.h>

#include "plan/effective.h"

struct out {
	char *buf;
	size_t size, len;
};

static void put(struct out *o, char c)
{
	if (o->len + 1 < o->size)
		o->buf[o->len++] = c;
}

static void put_value(struct out *o, const char *s)
{
	static const char hex[] = "0123456789ABCDEF";

	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c > 0x20 && c != '%' && c != '=') {
			put(o, *s);
			continue;
		}
		put(o, '%');
		put(o, hex[c >> 4]);
		put(o, hex[c & 15]);
	}
}

static void put_axis(struct out *o, const char *name, const char *value)
{
	if (o->len)
		put(o, ' ');
	for (; *name; name++)
		put(o, *name);
	put(o, '=');
	put_value(o, value);
}

/* ramp_time's default follows from the runtime, so it is no constant of the table. */
static bool at_default(const struct axis *a, uint64_t value, const struct job *job)
{
	if (a->required || a->always_in_key)
		return false;
	return value == (a == &axes[AXIS_ramp_time] ? ramp_default(job) : axis_default(a));
}

/* The axis whose name comes next after `after` in the alphabet; NULL at the end. */
static const struct axis *next_by_name(const struct axis *after)
{
	const struct axis *best = NULL;

	for (const struct axis *a = axes; a < axes + AXIS_COUNT; a++)
		if ((!after || strcmp(a->name, after->name) > 0) &&
		    (!best || strcmp(a->name, best->name) < 0))
			best = a;
	return best;
}

void key_text(const struct job *effective, uint64_t raw_size, const char *filename, char *buf,
              size_t size)
{
	struct out o = { .buf = buf, .size = size };
	char value[64];

	assert(size);
	for (const struct axis *a = next_by_name(NULL); a; a = next_by_name(a)) {
		uint64_t v = a == &axes[AXIS_size] ? raw_size : axis_value(a, effective);

		if (at_default(a, v, effective))
			continue;
		axis_print(a, v, value, sizeof(value));
		put_axis(&o, a->name, a->kind == AXIS_TEXT ? filename : value);
	}
	buf[o.len] = '\0';
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
