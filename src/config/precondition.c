/* The setting `precondition`: an object. */
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "config/loader.h"

enum kind { COUNT, SIZE, TIME };

#define OFF(member) offsetof(struct precondition, member)

/* clang-format off */
static const struct member {
	const char *name, *value;
	size_t off;
	enum kind kind;
	uint64_t min, max;
	bool round; /* stands in `rounds` */
} members[] = {
	{ "sequential_passes", "0 to 100", OFF(sequential_passes), COUNT, 0, 100, false },
	{ "random_passes", "0 to 100", OFF(random_passes), COUNT, 0, 100, false },
	{ "sequential_bs", "a size from 512 to 1g", OFF(sequential_bs), SIZE, 512, 1 << 30, false },
	{ "bs", "a size from 512 to 1g", OFF(random_bs), SIZE, 512, 1 << 30, false },
	{ "iodepth", "1 to 65535", OFF(iodepth), COUNT, 1, 65535, false },
	{ "max_time", "time, more than 0", OFF(max_time_ns), TIME, 1, MAX_TIME_NS, false },
	{ "max_write", "size, more than 0", OFF(max_bytes), SIZE, 1, INT64_MAX, false },
	{ "settle", "time", OFF(settle_ns), TIME, 0, MAX_TIME_NS, false },
	{ "max", "5 to 1000", OFF(rounds), COUNT, 5, 1000, true },
	{ "runtime", "time, more than 0", OFF(round_ns), TIME, 1, MAX_TIME_NS, true },
};
/* clang-format on */

static const struct member *member_find(const char *name, bool round)
{
	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		if (members[i].round == round && !strcmp(members[i].name, name))
			return &members[i];
	return NULL;
}

static void unknown(struct loader *l, const char *path, const char *key, bool round)
{
	const char *name[ARRAY_SIZE(members) + 1], *near;
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		if (members[i].round == round)
			name[n++] = members[i].name;
	if (!round)
		name[n++] = "rounds";
	near = nearest_name(key, name, n);
	problem(l, path, "unknown key%s%s%s; see the README", near ? "; did you mean '" : "",
	        near ? near : "", near ? "'?" : "");
}

static void read_member(struct loader *l, const struct member *m, const char *path,
                        const json_t *v)
{
	char buf[64];
	const char *text = scalar_text(v, m->kind == TIME, buf, sizeof(buf));
	uint64_t value = 0;
	int r = -1;

	if (text && m->kind == COUNT)
		r = parse_u64(text, &value);
	else if (text)
		r = m->kind == SIZE ? parse_size(text, &value) : parse_time(text, &value);
	if (r || value < m->min || value > m->max)
		problem(l, path, "%s%.80s%s: not a valid value; allowed: %s", text ? "'" : "",
		        text ? text : "null, a list or an object", text ? "'" : "", m->value);
	else
		memcpy((char *)&l->sweep->precondition + m->off, &value, sizeof(value));
}

static void read_object(struct loader *l, const char *path, const json_t *object, bool round)
{
	char at[CONFIG_PATH];
	const char *key;
	json_t *v;

	if (!json_is_object(object)) {
		problem(l, path, "expected an object, such as %s",
		        round ? "{\"max\": 25, \"runtime\": \"60s\"}"
		              : "{\"sequential_passes\": 2, \"rounds\": {\"max\": 25}}");
		return;
	}
	json_object_foreach((json_t *)(uintptr_t)object, key, v)
	{
		const struct member *m = member_find(key, round);

		(void)snprintf(at, sizeof(at), "%s.%s", path, key);
		if (m)
			read_member(l, m, at, v);
		else if (!round && !strcmp(key, "rounds"))
			read_object(l, at, v, true);
		else
			unknown(l, at, key, round);
	}
}

void precondition_read(struct loader *l, const char *key, const json_t *v)
{
	struct precondition *p = &l->sweep->precondition;

	p->given = true;
	p->sequential_passes = 2;
	p->sequential_bs = MIB;
	p->random_bs = 4 * KIB;
	p->iodepth = 32;
	p->settle_ns = 60 * SEC;
	if (json_object_get(v, "rounds")) {
		p->rounds = 25;
		p->round_ns = 60 * SEC;
	}
	read_object(l, key, v, false);
}
