#include "fio/json_import.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "fio/json_filename.h"
#include "fio/json_group.h"
#include "fio/json_modern.h"
#include "fio/json_repeated.h"
#include "fio/json_sum.h"

struct reading {
	const struct json_import *how;
	json_t *jobs, *global;
	json_t *total; /* of all clients; NULL: there is none */
	const char *version;
	char *header; /* JSON: the document without its jobs */
	bool stopped, clients;
	struct json_groups group;
};

static json_t *job_at(const struct reading *r, size_t i)
{
	return json_array_get(r->jobs, i);
}

static const char *text_of(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	return s ? s : "";
}

static bool is_total(const struct reading *r, const json_t *job)
{
	return r->clients && !strcmp(text_of(job, "jobname"), "All clients");
}

static int emit(const struct reading *r, json_t *job, struct json_run_context *c, struct err *e)
{
	struct json_run run;
	int rc;

	c->global = r->global;
	c->version = r->version;
	c->stopped = r->stopped;
	json_run_read(&run, job, c);
	run.imported.header = r->header;
	rc = r->how->take(r->how->arg, &run, e);
	json_run_fini(&run);
	return rc;
}

/* Which of its clones a job is, from 1; 0: it has none. `seen`: of each first one so far. */
static size_t clone_number(const struct reading *r, size_t i, size_t *seen)
{
	return json_class_size(&r->group.clones, i) > 1 ? ++seen[r->group.clones.first[i]] : 0;
}

static size_t clients_of(const struct reading *r, size_t i)
{
	return json_class_size(&r->group.alike, i) / json_class_size(&r->group.clones, i);
}

static int emit_alone(const struct reading *r, size_t i, size_t *seen, struct err *e)
{
	struct json_run_context c = { .host = text_of(job_at(r, i), "hostname"),
		                      .together = json_class_size(&r->group.beside, i),
		                      .clone = clone_number(r, i, seen),
		                      .client = clients_of(r, i) > 1 };

	return emit(r, job_at(r, i), &c, e);
}

/* The hosts of a job, each once: "a,b". */
static char *hosts_of(const struct reading *r, size_t i)
{
	const struct json_groups *g = &r->group;
	struct text t = { 0 };

	for (size_t k = i; k < g->jobs; k = g->alike.next[k])
		if (g->clones.first[k] == k)
			text_addf(&t, "%s%s", t.len ? "," : "", text_of(job_at(r, k), "hostname"));
	return t.s ? t.s : xstrdup("");
}

static int emit_sum(const struct reading *r, size_t i, struct err *e)
{
	const struct json_groups *g = &r->group;
	AUTO(freep) char *hosts = hosts_of(r, i);
	struct json_run_context c = { .host = hosts,
		                      .times = clients_of(r, i),
		                      .together = json_class_size(&g->beside, i) -
		                                  json_class_size(&g->alike, i) + 1 };
	json_t *sum;
	int rc;

	if (g->alike.first[i] != i)
		return 0; /* is in the sum of an earlier one */
	sum = json_deep_copy(job_at(r, i));
	for (size_t k = g->alike.next[i]; k < g->jobs; k = g->alike.next[k])
		json_sum(sum, job_at(r, k));
	rc = emit(r, sum, &c, e);
	json_decref(sum);
	return rc;
}

/* The sum that fio printed is of all groups: it says something only when there is but one, and
 * what its job was when all are alike. */
static int emit_total(const struct reading *r, struct err *e)
{
	AUTO(freep) char *hosts = hosts_of(r, 0);
	struct json_run_context c = { .host = hosts, .together = 1 };

	if (json_class_size(&r->group.beside, 0) != r->group.jobs) {
		if (r->how->notes)
			strlist_add(r->how->notes, "the sum over all clients is of jobs that ran "
			                           "one after another, and was left out");
		return 0;
	}
	c.unlike = json_class_size(&r->group.alike, 0) != r->group.jobs;
	if (!c.unlike) {
		c.times = clients_of(r, 0);
		(void)json_object_set(r->total, "jobname",
		                      json_object_get(job_at(r, 0), "jobname"));
		(void)json_object_set(r->total, "job options",
		                      json_object_get(job_at(r, 0), "job options"));
	}
	return emit(r, r->total, &c, e);
}

/* The way out of rows that are all in doubt. */
static void say_clones(const struct reading *r)
{
	size_t clones = 0;

	for (size_t i = 0; i < r->group.jobs; i++)
		clones += json_class_size(&r->group.clones, i) > 1;
	if (clones && r->how->notes)
		strlist_addf(r->how->notes,
		             "%zu rows are clones of a job, each a part of its load and in doubt; "
		             "--sum-jobs makes one row of them",
		             clones);
}

static int emit_all(struct reading *r, struct err *e)
{
	AUTO(freep) size_t *seen = NULL;
	int rc = 0;

	json_groups_init(&r->group, r->jobs);
	seen = xcalloc(r->group.jobs + 1, sizeof(*seen));
	for (size_t i = 0; i < r->group.jobs && !rc; i++)
		rc = r->how->sum_jobs ? emit_sum(r, i, e) : emit_alone(r, i, seen, e);
	if (!rc && !r->how->sum_jobs)
		say_clones(r);
	if (!rc && r->total && !r->how->sum_jobs)
		rc = emit_total(r, e);
	json_groups_fini(&r->group);
	return rc;
}

/* The jobs, modern, without the sum over them. */
static void read_jobs(struct reading *r, json_t *from)
{
	size_t i;
	json_t *job;

	r->jobs = json_array();
	json_array_foreach(from, i, job)
	{
		if (!json_is_object(job))
			continue;
		json_modern(job);
		if (is_total(r, job))
			r->total = job;
		else
			(void)json_array_append(r->jobs, job);
	}
}

static char *header_of(json_t *root)
{
	json_t *copy = json_copy(root);
	char *text;

	(void)json_object_del(copy, "jobs");
	(void)json_object_del(copy, "client_stats");
	text = json_dumps(copy, JSON_COMPACT | JSON_REAL_PRECISION(17));
	json_decref(copy);
	return text;
}

/* Of several files fio prints one key each. */
static void read_repeated(struct json_document *doc, const struct json_import *how)
{
	AUTO(strlist_fini) struct strlist keys = { 0 };

	json_repeated(&keys, doc->text, doc->len);
	for (size_t i = 0; how->notes && i < keys.len; i++)
		strlist_addf(how->notes, "the key '%s' stands twice%s", keys.item[i],
		             strcmp(keys.item[i], "filename") ? "; the last one counts"
		                                              : ": several files");
	json_filename_join(doc);
}

int json_import(struct json_document *doc, const struct json_import *how, struct err *e)
{
	json_t *clients = json_object_get(doc->root, "client_stats");
	struct reading r = { .how = how,
		             .global = json_object_get(doc->root, "global options"),
		             .version = text_of(doc->root, "fio version"),
		             .clients = clients != NULL,
		             .stopped = strstr(text_get(&doc->noise), "terminating on signal") };
	int rc;

	if (doc->repeats)
		read_repeated(doc, how);
	read_jobs(&r, clients ? clients : json_object_get(doc->root, "jobs"));
	r.header = header_of(doc->root);
	if (!json_array_size(r.jobs))
		rc = err_set(e, -EINVAL, "a document of fio without any job in it");
	else
		rc = emit_all(&r, e);
	json_decref(r.jobs);
	free(r.header);
	return rc;
}
