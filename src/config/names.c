#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "config/known_options.h"
#include "config/loader.h"

struct accepted {
	const char *name, *note;
	bool only_true; /* false means something else, which is not supported */
	bool any;       /* any value */
};

/* clang-format off */
static const struct accepted accepted[] = {
	{ "group_reporting", "the jobs of a run are always reported together", true, false },
	{ "thread", "jobs are always threads", true, false },
	{ "overwrite", "files are written once before they are measured", true, false },
	{ "lat_percentiles", "percentiles are those of the whole latency", true, false },
	{ "gtod_reduce", "statistics stay on: their clock reads are per batch", false, false },
	{ "eta-newline", "progress is printed by --progress", false, true },
	{ "eta_newline", "progress is printed by --progress", false, true },
	{ "$schema", "no effect", false, true },
};

/* Values that are right in fio and not here yet: they must not be taken for typing errors. */
static const struct {
	enum axis_id axis;
	const char *value; /* space-separated */
} later[] = {
	{ AXIS_ioengine, " vsync pvsync splice posixaio solarisaio windowsaio syslet-rw sg io_uring_cmd net netsplice "
	  "cpuio rdma falloc ftruncate filecreate filestat filedelete dircreate dirstat dirdelete exec e4defrag rados rbd http nbd "
	  "nfs gfapi gfapi_async libhdfs mtd pmemblk dev-dax libpmem libiscsi libzbc libblkio xnvme external " },
};
/* clang-format on */

bool value_not_supported(const struct axis *a, const char *text)
{
	char word[64];

	if (!*text || strchr(text, ' ') || strlen(text) > sizeof(word) - 3)
		return false;
	(void)snprintf(word, sizeof(word), " %s ", text);
	for (size_t i = 0; i < ARRAY_SIZE(later); i++)
		if (a == &axes[later[i].axis] && strstr(later[i].value, word))
			return true;
	return false;
}

const char *nearest_name(const char *word, const char *const *name, size_t n)
{
	char lower[64];
	size_t len = strlen(word);
	const char *best;

	if (!len || len >= sizeof(lower))
		return NULL;
	for (size_t i = 0; i <= len; i++)
		lower[i] = (char)tolower((unsigned char)word[i]);
	best = text_nearest(lower, name, n);
	for (size_t i = 0; !best && len >= 3 && i < n; i++)
		if (strstr(name[i], lower)) /* "uring" */
			best = name[i];
	return best;
}

void suggest_value(const struct axis *a, const char *text, char *buf, size_t size)
{
	const char *name[32], *best;
	size_t n = 0;

	buf[0] = '\0';
	if (a->kind != AXIS_ENUM)
		return;
	while (n < ARRAY_SIZE(name) && (name[n] = a->choice(n)))
		n++;
	best = nearest_name(text, name, n);
	if (best)
		(void)snprintf(buf, size, "; did you mean '%s'?", best);
}

bool same_option(const char *a, const char *b)
{
	const struct setting *s = setting_find(a);
	const struct axis *x = axis_find(a);

	if (s || setting_find(b))
		return s == setting_find(b);
	return !strcmp(a, b) || (x && x == axis_find(b));
}

#define KEYS_MAX 256
#define KEY_TEXT 4096

struct keys {
	char text[KEY_TEXT]; /* the words of the tables' lists, each terminated */
	const char *name[KEYS_MAX];
	size_t used, len;
};

static void keys_add(struct keys *k, const char *words)
{
	for (const char *p = words; p && *p; p += strcspn(p, " "), p += strspn(p, " ")) {
		size_t n = strcspn(p, " ");

		if (k->len == KEYS_MAX || k->used + n + 1 > KEY_TEXT)
			return;
		memcpy(k->text + k->used, p, n);
		k->text[k->used + n] = '\0';
		k->name[k->len++] = k->text + k->used;
		k->used += n + 1;
	}
}

/* Every key that means something. */
static void all_keys(struct keys *k)
{
	for (const struct axis *a = axes; a < axes + AXIS_COUNT; a++) {
		keys_add(k, a->name);
		keys_add(k, a->alias);
		keys_add(k, a->inverse);
		keys_add(k, a->complement);
	}
	for (size_t i = 0; i < setting_count; i++)
		keys_add(k, settings[i].name);
	for (size_t i = 0; i < ARRAY_SIZE(accepted); i++)
		keys_add(k, accepted[i].name);
}

static void unknown_key(struct loader *l, const char *path, const char *key)
{
	struct keys k = { .len = 0 };
	const char *near;

	all_keys(&k);
	near = nearest_name(key, k.name, k.len);
	if (near)
		problem(l, path, "unknown key; did you mean '%s'?", near);
	else
		problem(l, path, "unknown key; see: iosweep help axes");
}

/* Does every value (a list counts) say yes? */
static bool all_true(const json_t *v)
{
	bool on = false;
	json_t *item;
	size_t i;

	if (!json_is_array(v))
		return scalar_bool(v, &on) && on;
	json_array_foreach(v, i, item)
	{
		if (!scalar_bool(item, &on) || !on)
			return false;
	}
	return json_array_size(v) > 0;
}

static void accept(struct loader *l, const struct accepted *a, const char *path,
                   const json_t *v)
{
	bool value;

	if (a->only_true && !all_true(v)) {
		if (scalar_bool(v, &value))
			problem(l, path, "0 is not supported yet: %s", a->note);
		else
			problem(l, path, "allowed: 1 or true: %s", a->note);
		return;
	}
	if (!a->any && !a->only_true && !all_true(v) && !scalar_bool(v, &value)) {
		problem(l, path, "allowed: 0, 1, true or false");
		return;
	}
	strlist_addf(&l->sweep->notes, "%s: accepted as already so: %s", a->name, a->note);
}

void other_key(struct loader *l, const char *path, const char *key, const json_t *v)
{
	for (size_t i = 0; i < ARRAY_SIZE(accepted); i++)
		if (!strcmp(accepted[i].name, key)) {
			accept(l, &accepted[i], path, v);
			return;
		}
	if (known_option_hint(key))
		problem(l, path, "an option of fio that is not supported yet: %s",
		        known_option_hint(key));
	else
		unknown_key(l, path, key);
}
