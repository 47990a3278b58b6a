#include "fio/json_group.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"

struct keyed {
	char *key;
	size_t job;
};

static int by_key(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;
	int order = strcmp(x->key, y->key);

	return order ? order : (x->job > y->job) - (x->job < y->job);
}

/* Sorted once: documents of strangers may hold very many jobs. */
static void classify(struct json_class *c, struct keyed *k, size_t n)
{
	c->first = xcalloc(n + 1, sizeof(*c->first));
	c->members = xcalloc(n + 1, sizeof(*c->members));
	c->next = xcalloc(n + 1, sizeof(*c->next));
	qsort(k, n, sizeof(*k), by_key);
	for (size_t i = 0; i < n; i++) {
		bool same = i && !strcmp(k[i].key, k[i - 1].key);
		size_t job = k[i].job;

		c->first[job] = same ? c->first[k[i - 1].job] : job;
		c->members[c->first[job]]++;
		c->next[job] = n;
		if (same)
			c->next[k[i - 1].job] = job;
	}
}

enum depth { BY_GROUP, BY_JOB, BY_HOST };

static void add_dump(struct text *t, const json_t *v)
{
	AUTO(freep) char *dump =
	    v ? json_dumps(v, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY) : NULL;

	text_addf(t, "%s\n", dump ? dump : "");
}

static char *key_of(const json_t *job, enum depth depth)
{
	struct text t = { 0 };

	add_dump(&t, json_object_get(job, "groupid"));
	if (depth >= BY_JOB) {
		add_dump(&t, json_object_get(job, "jobname"));
		add_dump(&t, json_object_get(job, "job options"));
	}
	if (depth >= BY_HOST)
		add_dump(&t, json_object_get(job, "hostname"));
	return t.s;
}

static void group(struct json_class *c, json_t *jobs, enum depth depth)
{
	size_t n = json_array_size(jobs);
	struct keyed *k = xcalloc(n + 1, sizeof(*k));

	for (size_t i = 0; i < n; i++)
		k[i] = (struct keyed){ key_of(json_array_get(jobs, i), depth), i };
	classify(c, k, n);
	for (size_t i = 0; i < n; i++)
		free(k[i].key);
	free(k);
}

void json_groups_init(struct json_groups *g, json_t *jobs)
{
	g->jobs = json_array_size(jobs);
	group(&g->beside, jobs, BY_GROUP);
	group(&g->alike, jobs, BY_JOB);
	group(&g->clones, jobs, BY_HOST);
}

static void class_fini(struct json_class *c)
{
	free(c->first);
	free(c->members);
	free(c->next);
}

void json_groups_fini(struct json_groups *g)
{
	class_fini(&g->beside);
	class_fini(&g->alike);
	class_fini(&g->clones);
}
