#include "config/config.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "config/loader.h"

#define PROBLEMS_MAX 200

void problem(struct loader *l, const char *path, const char *fmt, ...)
{
	char what[1024], line[2048], shown[2048];
	va_list ap;

	if (l->problems->len >= PROBLEMS_MAX) {
		l->hidden++;
		return;
	}
	va_start(ap, fmt);
	(void)vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	(void)snprintf(line, sizeof(line), "%.400s: %.*s%s%s", l->origin, CONFIG_PATH,
	               path ? path : "", path ? ": " : "", what);
	text_printable(shown, sizeof(shown), line);
	strlist_add(l->problems, shown);
}

static void read_axis(struct loader *l, const struct axis *a, const char *key, const json_t *v)
{
	const char **first = &l->axis_key[a - axes];

	if (*first) {
		problem(l, key, "the same option as '%s'; give one of them", *first);
		return;
	}
	*first = key;
	values_read(l, a, key, key, v, &l->sweep->axis[a - axes]);
}

static void read_key(struct loader *l, const char *key, const json_t *v)
{
	const struct setting *s = setting_find(key);
	const struct axis *a = axis_find(key);

	if (s)
		setting_apply(l, s, key, v);
	else if (a)
		read_axis(l, a, key, v);
	else
		other_key(l, key, key, v);
}

static void read_keys(struct loader *l)
{
	const char *key;
	json_t *v;

	json_object_foreach(l->root, key, v)
	{
		l->origin = strlist_has(&l->from_set, key) ? "--set" : l->file;
		read_key(l, key, v);
	}
	l->origin = l->file;
}

bool config_takes(const char *origin, const char *key, const json_t *value,
                  struct strlist *problems, struct strlist *notes)
{
	AUTO(sweep_freep) struct sweep *sweep = sweep_new();
	struct loader l = { .sweep = sweep, .problems = problems, .file = origin, .origin = origin };
	size_t before = problems->len;

	read_key(&l, key, value);
	for (size_t i = 0; i < sweep->notes.len; i++)
		if (!strlist_has(notes, sweep->notes.item[i]))
			strlist_add(notes, sweep->notes.item[i]);
	return problems->len == before;
}

static const char *text_of(const struct sweep *s, const struct axis *a, uint64_t value)
{
	if (a == &axes[AXIS_bs] && value & BS_MIX)
		return sweep_text(s, &axes[AXIS_bssplit], value & ~BS_MIX);
	return a->kind == AXIS_TEXT ? sweep_text(s, a, value) : NULL;
}

bool config_value(const char *key, const json_t *value, uint64_t *out, char **text)
{
	AUTO(sweep_freep) struct sweep *sweep = sweep_new();
	AUTO(strlist_fini) struct strlist problems = { 0 };
	struct loader l = { .sweep = sweep, .problems = &problems, .origin = "", .blind = true };
	const struct axis *a = axis_find(key);
	const struct axis_values *v = &sweep->axis[a - axes];
	const char *said;

	read_axis(&l, a, key, value);
	if (problems.len || v->len != 1)
		return false;
	*out = v->val[0];
	said = text_of(sweep, a, *out);
	*text = said ? xstrdup(said) : NULL;
	return true;
}

/* Outermost first: filename, the other axes as their keys stand in the config, what was not
 * named. */
static void set_nesting(struct loader *l)
{
	enum axis_id *nest = l->sweep->nest;
	bool placed[AXIS_COUNT] = { [AXIS_filename] = true };
	const char *key;
	size_t n = 0;
	json_t *v;

	nest[n++] = AXIS_filename;
	json_object_foreach(l->root, key, v)
	{
		const struct axis *a = axis_find(key);

		if (!a || placed[a - axes])
			continue;
		placed[a - axes] = true;
		nest[n++] = (enum axis_id)(a - axes);
	}
	for (size_t a = 0; a < AXIS_COUNT; a++)
		if (!placed[a])
			nest[n++] = (enum axis_id)a;
}

static char *dump(const json_t *v)
{
	char *s = json_dumps(v, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));

	return s ? s : xstrdup("null");
}

/* One key per line. The name stands in it also when it came from the file's name. */
static void set_config_text(struct loader *l)
{
	AUTO(text_fini) struct text t = { 0 };
	const char *key;
	json_t *v;

	if (!json_object_get(l->root, "name"))
		(void)json_object_set_new(l->root, "name", json_string(l->sweep->name));
	json_object_foreach(l->root, key, v)
	{
		json_t *name = json_string(key);
		AUTO(freep) char *left = dump(name);
		AUTO(freep) char *right = dump(v);

		json_decref(name);
		text_addf(&t, "%s%s: %s", t.len ? ",\n  " : "{\n  ", left, right);
	}
	text_add(&t, "\n}\n");
	l->sweep->config_text = xstrdup(text_get(&t));
}

static json_t *read_root(struct loader *l, const struct config_source *src, int *code)
{
	size_t len = src->text ? strlen(src->text) : 0;
	AUTO(freep)
	char *owned = !src->text && src->path ? config_read(l, src->path, &len, code) : NULL;
	const char *text = owned;
	json_t *root;

	if (!src->text && !src->path)
		return json_object();
	if (src->text) {
		text = config_check_encoding(l, src->text, &len);
		*code = -EINVAL;
	}
	if (!text)
		return NULL;
	*code = -EINVAL;
	root = config_parse(l, text, len);
	if (!root || json_is_object(root)) {
		*code = root ? 0 : -EINVAL;
		return root;
	}
	problem(l, NULL,
	        "line 1 column 1: a config is one JSON object: { \"key\": value, ... }");
	json_decref(root);
	return NULL;
}

const char *config_name(const struct config_source *src)
{
	if (!src->path)
		return src->text ? "config" : "--set";
	return strcmp(src->path, "-") != 0 ? src->path : "stdin";
}

static void fill(struct loader *l, const struct config_source *src)
{
	override_all(l, src->sets);
	read_keys(l);
	partials_read(l);
	check_sweep(l);
	sims_read(l);
	set_nesting(l);
	if (!l->sweep->name)
		l->sweep->name = config_default_name(src->path);
}

int config_load(struct sweep **out, const struct config_source *src, struct strlist *problems)
{
	AUTO(sweep_freep) struct sweep *sweep = sweep_new();
	struct loader l = { .sweep = sweep, .problems = problems, .blind = src->blind };
	size_t before = problems->len;
	int code = 0;

	l.file = l.origin = config_name(src);
	l.root = read_root(&l, src, &code);
	if (l.root)
		fill(&l, src);
	if (l.hidden)
		strlist_addf(problems, "%s: and %zu more problems", l.file, l.hidden);
	if (problems->len == before)
		set_config_text(&l);
	json_decref(l.root);
	strlist_fini(&l.from_set);
	if (problems->len > before)
		return code ? code : -EINVAL;
	*out = TAKE(sweep);
	return 0;
}
