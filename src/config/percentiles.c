/* percentile_list: fio's colon list, or a JSON list of numbers. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "config/loader.h"

struct reading {
	struct loader *loader;
	const struct setting *setting;
	const char *key;
	size_t equal; /* values that stood there before */
	bool full;    /* said that there are too many */
};

static void add(struct reading *r, const char *path, const char *text)
{
	uint32_t p;
	int known;

	if (percentile_parse(text, &p)) {
		problem(r->loader, path, "'%.80s': not a valid value; allowed: %s", text,
		        r->setting->value);
		return;
	}
	known = percentiles_add(&r->loader->sweep->percentiles, p);
	r->equal += known > 0;
	if (known == -E2BIG && !r->full) {
		problem(r->loader, r->key, "more than %d percentiles", PERCENTILES_MAX);
		r->full = true;
	}
}

/* Of the fio form, or one number. */
static void add_all(struct reading *r, const char *path, const json_t *v)
{
	char buf[64];
	const char *text = scalar_text(v, true, buf, sizeof(buf));

	if (!text) {
		problem(r->loader, path, "expected numbers; allowed: %s", r->setting->value);
		return;
	}
	for (const char *from = text; from;) {
		AUTO(text_fini) struct text one = { 0 };
		const char *end = strchrnul(from, ':');

		text_addn(&one, from, (size_t)(end - from));
		add(r, path, text_get(&one));
		from = *end ? end + 1 : NULL;
	}
}

void set_percentiles(struct loader *l, const struct setting *s, const char *key,
                     const json_t *v)
{
	struct reading r = { .loader = l, .setting = s, .key = key };
	json_t *item;
	size_t i;

	if (!json_is_array(v))
		add_all(&r, key, v);
	else if (!json_array_size(v))
		problem(l, key, "an empty list; allowed: %s", s->value);
	json_array_foreach(v, i, item)
	{
		AUTO(text_fini) struct text path = { 0 };

		text_addf(&path, "%s[%zu]", key, i);
		add_all(&r, text_get(&path), item);
	}
	if (r.equal)
		strlist_addf(&l->sweep->notes, "%s: %zu equal value%s merged", key, r.equal,
		             r.equal > 1 ? "s" : "");
}

bool config_percentiles(const char *config, struct percentiles *out)
{
	AUTO(sweep_freep) struct sweep *sweep = sweep_new();
	struct strlist problems = { 0 };
	struct loader l = { .sweep = sweep, .problems = &problems, .origin = "config" };
	json_t *root = config ? json_loads(config, 0, NULL) : NULL;
	const struct setting *s = setting_find("percentile_list");
	const json_t *v = json_object_get(root, s->name);
	bool chosen;

	if (v)
		set_percentiles(&l, s, s->name, v);
	json_decref(root);
	chosen = v && !problems.len;
	*out = chosen ? sweep->percentiles : percentiles_usual;
	strlist_fini(&problems);
	return chosen;
}
