/* fio/job_sweep.c: --sweep KEY=VALUES: "bs=4k..1m*2", "iodepth=1,8,32", "rw=[\"read\"]",
 * "repeats=3", "stonewall". */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "config/settings.h"
#include "fio/job_entry.h"
#include "model/axis.h"

static json_t *scalar(const char *s)
{
	uint64_t v;

	return !parse_u64(s, &v) && v <= INT64_MAX ? json_integer((json_int_t)v)
	                                           : json_string(s);
}

/* "A..B*N" and "A..B+N"; anything else is a value. */
static json_t *value(const char *s)
{
	const char *dots = strstr(s, ".."), *step = dots ? strpbrk(dots + 2, "*+") : NULL;
	AUTO(freep) char *from = NULL;
	AUTO(freep) char *to = NULL;

	if (!step || dots == s)
		return scalar(s);
	from = xstrndup(s, (size_t)(dots - s));
	to = xstrndup(dots + 2, (size_t)(step - dots - 2));
	return json_pack("{s:s, s:s, s:o}", "from", from, "to", to,
	                 *step == '*' ? "times" : "plus", scalar(step + 1));
}

/* NULL: a JSON text that is none. */
static json_t *values(const char *text)
{
	json_t *list;

	if (*text && strchr("[{\"", *text))
		return json_loads(text, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
	list = json_array();
	for (const char *p = text;; p++) {
		size_t n = strcspn(p, ",");
		AUTO(freep) char *one = xstrndup(p, n);

		(void)json_array_append_new(list, value(one));
		p += n;
		if (!*p)
			break;
	}
	return list;
}

/* A list of one is that one. */
static json_t *single(json_t *v)
{
	json_t *one;

	if (!json_is_array(v) || json_array_size(v) != 1)
		return v;
	one = json_incref(json_array_get(v, 0));
	json_decref(v);
	return one;
}

bool fio_sweep_is_option(const char *sweep)
{
	char key[64];
	size_t n = strcspn(sweep, "=");

	if (n >= sizeof(key))
		return false;
	memcpy(key, sweep, n);
	key[n] = '\0';
	return !strcmp(key, "time_based") || (!axis_find(key) && !setting_find(key));
}

/* The key, and its value; NULL after a problem. */
static json_t *read_wish(const struct fio_context *c, const char *sweep, char **key)
{
	char *equals = strchr(*key = xstrdup(sweep), '=');
	const struct axis *a;
	json_t *v;

	if (!equals || equals == *key) {
		fio_problem(c->jobs, "--sweep", "'%.80s': expected KEY=VALUES", sweep);
		return NULL;
	}
	*equals = '\0';
	a = axis_find(*key);
	if (a && ((a->inverse && !strcmp(a->inverse, *key)) ||
	          (a->complement && !strcmp(a->complement, *key)))) {
		fio_problem(c->jobs, "--sweep", "%s: say it by %s", *key, a->name);
		return NULL;
	}
	v = values(equals + 1);
	if (!v)
		fio_problem(c->jobs, "--sweep", "%.80s: not JSON", sweep);
	else if (fio_takes(c, "--sweep", *key, v = single(v)))
		return v;
	json_decref(v);
	return NULL;
}

void fio_sweep_apply(const struct fio_context *c, struct fio_entry *entry, size_t n,
                     json_t *config)
{
	for (size_t i = 0; i < c->wishes->sweep->len; i++) {
		AUTO(freep) char *key = NULL;
		const struct axis *a;
		json_t *v;

		if (fio_sweep_is_option(c->wishes->sweep->item[i]))
			continue;
		v = read_wish(c, c->wishes->sweep->item[i], &key);
		a = v ? axis_find(key) : NULL;
		for (size_t k = 0; a && k < n; k++)
			(void)json_object_set(entry[k].axis, a->name, v);
		if (v && !a)
			(void)json_object_set(config, key, v);
		json_decref(v);
	}
}
