#include "cmd/session_target.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"

static void set_failed(struct session_target *t, int r, const char *text)
{
	t->state = TARGET_FAILED;
	t->error = r < 0 ? -r : r;
	(void)snprintf(t->text, sizeof(t->text), "%.500s", text);
}

struct search {
	const char *path;
	uint64_t *dev, *ino;
};

static int match_path(void *arg, const struct store_created *c)
{
	struct search *find = arg;

	if (!strcmp(c->path, find->path)) {
		*find->dev = c->dev;
		*find->ino = c->ino;
	}
	return 0;
}

/* Create one file, known to the DB before it is there. What is there already is used if it is
 * ours, but it belongs to the sweep that made it (perhaps this one, before it was resumed):
 * only that one removes it. */
static int make_file(struct session *s, const char *path, uint64_t size, struct layout *l,
                     struct err *e)
{
	struct search known = { path, &l->dev, &l->ino };
	bool missing = access(path, F_OK) != 0;
	int r = store_each_created(s->store, match_path, &known, e);

	if (!r && missing)
		r = store_put_created(s->store, path, 0, 0, size, e);
	if (!r)
		r = target_create(path, &l->dev, &l->ino, e);
	if (!r && missing)
		r = store_put_created(s->store, path, l->dev, l->ino, size, e);
	return r;
}

/* Write what is missing of it, in the worker. */
static int lay_out(struct session *s, const struct layout *l, struct err *e)
{
	struct shared *sh;
	int r = supervisor_ready(&s->supervisor, e);

	if (r)
		return r;
	sh = s->supervisor.shared;
	sh->kind = TASK_LAYOUT;
	sh->layout = *l;
	atomic_store(&sh->live.layout_total, l->size_bytes);
	switch (session_task(s, 0, e)) {
	case END_DONE:
		if (s->supervisor.shared->result)
			return err_set(e, s->supervisor.shared->result, "%s",
			               s->supervisor.shared->err.text);
		return 0;
	case END_STOPPED:
		return -EINTR;
	case END_CRASHED:
	case END_STALLED:
		break;
	}
	return e->code ? e->code : -EIO;
}

/* t: the target that is this file, to be held as soon as it exists; NULL: a file in a directory
 * that is held. */
static int make_one(struct session *s, struct session_target *t, const char *path,
                    uint64_t size, struct err *e)
{
	struct layout l = { .size_bytes = size,
		            .seed = s->prepared->sweep->seed,
		            .whole = s->prepared->sweep->fill };
	int r = make_file(s, path, size, &l, e);

	if (!r && t && !t->hold.len) {
		r = target_hold(&t->hold, &t->info, true, e);
		if (r == -EBUSY) /* another sweep was quicker: the file is its own */
			(void)store_del_created(s->store, path, NULL);
	}
	if (r)
		return r;
	(void)snprintf(l.path, sizeof(l.path), "%s", path);
	return lay_out(s, &l, e);
}

static int make_directory_files(struct session *s, const struct target_info *t,
                                const struct plan_need *need, struct err *e)
{
	char path[PATH_MAX];
	int r = 0;

	for (unsigned i = 0; i < need->files && !r; i++) {
		target_file_path(path, sizeof(path), t->path, true, i);
		r = make_one(s, NULL, path, need->size_bytes, e);
	}
	return r;
}

static int fill_existing(struct session *s, const struct target_info *t, struct err *e)
{
	struct layout l = { .size_bytes = t->size_bytes,
		            .block_device = t->kind == TARGET_BLOCK,
		            .whole = true,
		            .seed = s->prepared->sweep->seed };

	if (t->kind == TARGET_FILE) {
		l.dev = t->dev;
		l.ino = t->ino;
	}
	(void)snprintf(l.path, sizeof(l.path), "%s", t->path);
	return lay_out(s, &l, e);
}

/* Look again at what we made: its identity and size are now known. */
static int adopt(struct session_target *t, struct err *e)
{
	char filename[PATH_MAX];

	memcpy(filename, t->info.filename, sizeof(filename));
	target_inspect(&t->info, filename);
	if (t->info.kind != TARGET_FILE)
		return err_set(e, -EIO, "%s: vanished after layout", filename);
	t->info.ours = true;
	return 0;
}

static int make(struct session *s, size_t index, struct err *e)
{
	struct session_target *t = &s->target[index];
	const struct plan_need *need = &s->prepared->plan->need[index];
	int r = 0;

	switch (t->info.kind) {
	case TARGET_DIRECTORY:
		return make_directory_files(s, &t->info, need, e);
	case TARGET_MISSING:
		r = make_one(s, t, t->info.path, need->size_bytes, e);
		return r ? r : adopt(t, e);
	case TARGET_FILE:
		if (t->info.ours) {
			uint64_t size = need->size_bytes > t->info.size_bytes
			                    ? need->size_bytes
			                    : t->info.size_bytes;

			r = make_one(s, t, t->info.path, size, e);
			return r ? r : adopt(t, e);
		}
		return s->prepared->sweep->fill ? fill_existing(s, &t->info, e) : 0;
	case TARGET_BLOCK:
		return s->prepared->sweep->fill ? fill_existing(s, &t->info, e) : 0;
	case TARGET_UNUSABLE:
		return err_set(e, -(t->info.problem_errno ? t->info.problem_errno : EINVAL),
		               "%s", t->info.problem);
	case TARGET_NOT_NEEDED:
		break;
	}
	return 0;
}

void session_target_make(struct session *s, size_t index)
{
	struct session_target *t = &s->target[index];
	struct err e = { 0 };
	int r;

	(void)snprintf(s->what, sizeof(s->what), "%s", t->info.filename);
	progress_begin(&s->progress);
	r = make(s, index, &e);
	if (s->signal)
		return;
	if (r) {
		set_failed(t, r, *e.text ? e.text : err_name(-r));
		return;
	}
	t->state = TARGET_READY;
	if (s->prepared->sweep->fill) {
		t->info.unwritten = false;
		t->info.zero_pct = 0;
	}
	(void)store_put_target(s->store, &t->info, NULL);
}

int session_hold(struct session *s)
{
	struct prepared *p = s->prepared;
	int code = EXIT_OK;

	s->target = xcalloc(p->world.targets, sizeof(*s->target));
	for (size_t i = 0; i < p->world.targets; i++) {
		struct session_target *t = &s->target[i];
		struct intent want;
		struct err e = { 0 };

		t->info = p->world.target[i];
		want = prepared_intent(p, i);
		if (!p->plan->need[i].used || t->info.kind == TARGET_MISSING ||
		    t->info.kind == TARGET_UNUSABLE || t->info.kind == TARGET_NOT_NEEDED)
			continue;
		if (target_hold(&t->hold, &t->info, want.writes || want.fill, &e)) {
			complain("%s", e.text);
			code = EXIT_REFUSED;
		}
	}
	return code;
}

struct removal {
	struct session *s;
	struct strlist gone;
};

static int remove_one(void *arg, const struct store_created *c)
{
	struct removal *r = arg;
	struct err e = { 0 };

	/* dev 0: recorded, but the sweep was killed before or while it was made: the marker
	 * decides */
	if (target_remove(c->path, c->dev, c->ino, &e))
		complain("%s", e.text);
	else
		strlist_add(&r->gone, c->path);
	return 0;
}

void session_targets_remove(struct session *s)
{
	struct removal r = { .s = s };
	struct err e = { 0 };

	if (store_each_created(s->store, remove_one, &r, &e))
		complain("%s", e.text);
	for (size_t i = 0; i < r.gone.len; i++)
		(void)store_del_created(s->store, r.gone.item[i], NULL);
	strlist_fini(&r.gone);
}
