#include "cmd/import_json.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "cmd/import_files.h"
#include "cmd/stopping.h"
#include "fio/json_identity.h"
#include "fio/json_import.h"
#include "fio/json_key.h"
#include "fio/json_series.h"
#include "plan/key.h"

#define PROBLEMS_SAID 3 /* of one file: the first tells most */

struct taking {
	struct import_json *im;
	const char *path;
	char hash[2 * KEY_BYTES + 1];
	struct import_count *count;
	int failed; /* -errno of the database */
};

static int stopping(struct err *e)
{
	return stopping_signal() ? err_set(e, -EINTR, "stopped by a signal") : 0;
}

static int open_store(struct import_json *im, struct err *e)
{
	int r = store_create_import(&im->store, im->create, im->name, e);

	im->created = im->store != NULL;
	return r ? r : store_import_begin(&im->import, im->store, e);
}

static void key_of(const struct json_run *run, struct text *text, struct combination_key *key)
{
	text_clear(text);
	json_key_text(text, &run->options);
	key_hash(text_get(text), key);
}

/* Jobs of the same options under two names are two cases, as "before" and "after": no repeats of
 * one. What iosweep itself ran has the name of its options. */
static int keep_apart(struct taking *t, struct json_run *run, struct text *text,
                      struct combination_key *key, struct err *e)
{
	int r;

	key_of(run, text, key);
	if (run->options.exact[ROW_OPS])
		return 0;
	r = store_import_others(t->im->import, key, run->name, e);
	if (r <= 0)
		return r;
	json_identity_add_name(run);
	key_of(run, text, key);
	return 0;
}

static int take(void *arg, struct json_run *run, struct err *e)
{
	struct taking *t = arg;
	AUTO(text_fini) struct text key = { 0 };
	struct combination_key hash;
	int apart = keep_apart(t, run, &key, &hash, e);
	struct record r = {
		.job = &run->options.job,
		.key = &hash,
		.label = run->name,
		.purpose = PURPOSE_GRID,
		.status = run->status,
		.error_no = run->error_no,
		.error = text_get(&run->error),
		.flags = run->flags,
		.why = text_get(&run->why),
		.started_wall_ns = run->started_wall_ns,
		.imported = &run->imported,
	};

	r.key_text = text_get(&key);
	run->imported.file = t->path;
	run->imported.document = t->hash;
	t->count->runs++;
	t->failed = apart ? apart : store_import_put(t->im->import, &r, e);
	if (!t->failed)
		t->failed = stopping(e);
	return t->failed;
}

/* The same document, wherever it lies, is one. */
static void hash_document(struct taking *t, const struct json_document *doc)
{
	AUTO(text_fini) struct text copy = { 0 };
	struct combination_key hash;

	text_addn(&copy, doc->text, doc->len);
	key_hash(copy.s, &hash);
	(void)key_hex(&hash, t->hash);
}

static int take_document(struct taking *t, struct json_document *doc, struct err *e)
{
	struct import_json *im = t->im;
	const struct json_import how = {
		.sum_jobs = im->sum_jobs, .take = take, .arg = t, .notes = &im->notes
	};
	struct err why = { 0 };
	int r = im->store ? 0 : open_store(im, e);

	t->count->documents++;
	hash_document(t, doc);
	if (!r)
		r = store_import_has(im->import, t->hash, e);
	if (r) {
		t->count->again += r > 0;
		return r > 0 ? 0 : r;
	}
	if (!json_import(doc, &how, &why))
		return 0;
	if (t->failed)
		return err_set(e, t->failed, "%s", why.text);
	strlist_add(&im->problems, why.text);
	return 0;
}

/* The last document that was found waits for the next one: is it a state of a run that went on? */
struct waiting {
	struct json_document doc;
	size_t states; /* that were left out */
};

static int let_go(struct taking *t, struct waiting *w, struct err *e)
{
	int r = w->doc.root ? take_document(t, &w->doc, e) : 0;

	json_document_fini(&w->doc);
	return r;
}

static int take_next(struct taking *t, struct waiting *w, struct json_document *next, struct err *e)
{
	int r = 0;

	if (w->doc.root && json_series_goes_on(w->doc.root, next->root)) {
		text_add(&next->noise, text_get(&w->doc.noise)); /* a signal counts to the end */
		json_document_fini(&w->doc);
		w->states++;
	} else {
		r = let_go(t, w, e);
	}
	w->doc = *next;
	return r;
}

static int take_all(struct taking *t, struct json_scan *scan, struct err *e)
{
	struct waiting w = { 0 };
	struct err why = { 0 };
	struct json_document doc;
	int r = 0, found;

	for (; !r && (found = json_scan_next(scan, &doc, &why)); why = (struct err){ 0 }) {
		if (found > 0)
			r = take_next(t, &w, &doc, e);
		else if (t->im->problems.len < PROBLEMS_SAID)
			strlist_add(&t->im->problems, why.text);
	}
	if (!r)
		r = let_go(t, &w, e);
	json_document_fini(&w.doc);
	if (w.states)
		strlist_addf(&t->im->notes,
		             "%zu document%s that fio printed while it ran (--status-interval) "
		             "left out: the last one of a run holds all of it",
		             w.states, w.states == 1 ? "" : "s");
	return r;
}

int import_json_file(struct import_json *im, const char *path, struct import_count *count,
                     struct err *e)
{
	struct taking t = { .im = im, .path = path, .count = count };
	AUTO(text_fini) struct text text = { 0 };
	struct json_scan scan = { .line = 1 };
	struct err why = { 0 };
	int r = import_read(&text, path, &why);

	if (stopping(e))
		return e->code;
	count->unread = r != 0;
	if (r)
		strlist_add(&im->problems, why.text);
	scan.text = text_get(&text);
	scan.size = text.len;
	return take_all(&t, &scan, e);
}
