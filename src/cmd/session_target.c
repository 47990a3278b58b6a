#include "cmd/session_target.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "cmd/session_set.h"
#include "cmd/session_wait.h"

static void set_failed(struct session_target *t, int r, const char *text)
{
	t->state = TARGET_FAILED;
	t->error = r < 0 ? -r : r;
	(void)snprintf(t->text, sizeof(t->text), "%.500s", text);
}

struct search {
	const char *path;
	struct target_made *made;
};

static int match_path(void *arg, const struct store_created *c)
{
	struct search *find = arg;

	if (!strcmp(c->path, find->path))
		*find->made = (struct target_made){ .dev = c->dev,
			                            .ino = c->ino,
			                            .born_ns = c->born_ns,
			                            .least = c->least,
			                            .size = c->size };
	return 0;
}

/* Have the worker do it, whose threads may hang on the device: the supervisor never touches it.
 */
static int ask_worker(struct session *s, enum task_kind kind, struct layout *l, struct err *e)
{
	struct task_watch w = session_watch(s);
	struct shared *sh;
	int r = supervisor_ready(&s->supervisor, e);

	if (r)
		return r;
	sh = s->supervisor.shared;
	sh->kind = kind;
	sh->layout = *l;
	atomic_store(&sh->live.layout_total, l->size_bytes);
	w.major = l->on_major;
	w.minor = l->on_minor;
	switch (session_do(s, &w, e)) {
	case END_DONE:
		sh = s->supervisor.shared;
		*l = sh->layout;
		return sh->result ? err_set(e, sh->result, "%s", sh->err.text) : 0;
	case END_STOPPED:
		return err_set(e, -EINTR, "interrupted");
	case END_CRASHED:
	case END_STALLED:
		break;
	}
	return e->code ? e->code : -EIO;
}

/* What this sweep has made, into the store; least: bytes that it has at least. */
static int record(struct session *s, const struct layout *l, uint64_t least, struct err *e)
{
	char path[PATH_MAX];
	struct store_created c = { .path = path,
		                   .dev = l->made.dev,
		                   .ino = l->made.ino,
		                   .born_ns = l->made.born_ns,
		                   .least = least,
		                   .size = l->made.size };

	memcpy(path, l->path, sizeof(path));
	return store_put_created(s->store, &c, e);
}

/* Create one file, known to the DB before it is there. What is there already is used if it is
 * ours, but it belongs to the sweep that made it (perhaps this one, before it was resumed):
 * only that one removes it. *mine: it is this one's. */
static int make_file(struct session *s, struct layout *l, bool *mine, struct err *e)
{
	struct search known = { l->path, &l->made };
	struct err look = { 0 };
	int r = ask_worker(s, TASK_LOOK, l, &look);
	bool missing = r == -ENOENT;

	if (r && !missing)
		return err_set(e, r, "%s", look.text);
	r = store_each_created(s->store, match_path, &known, e);
	*mine = missing || l->made.dev;
	if (missing)
		l->made = (struct target_made){ 0 };
	if (l->made.size < l->size_bytes)
		l->made.size = l->size_bytes;
	(void)snprintf(l->made.sweep, sizeof(l->made.sweep), "%s", store_get(s->store, "uuid"));
	if (!r && missing)
		r = record(s, l, 0, e);
	if (!r)
		r = ask_worker(s, TASK_CREATE, l, e);
	if (!r && *mine)
		r = record(s, l, l->made.least, e);
	l->dev = l->made.dev;
	l->ino = l->made.ino;
	return r;
}

/* The file that is the target: the one that was planned with, or, when it has just been made,
 * held from now on. All that follows is done to this file and to no other. */
static int take_file(struct session *s, struct session_target *t, const struct layout *l,
                     struct err *e)
{
	int r = 0;

	if (t->info.kind == TARGET_FILE && (t->info.dev != l->dev || t->info.ino != l->ino))
		return err_set(e, -ESTALE, "%s is no longer the file that it was", l->path);
	t->info.dev = l->dev;
	t->info.ino = l->ino;
	if (!t->hold.len)
		r = target_hold(&t->hold, &t->info, true, prepared_patience(s->prepared->sweep),
		                e);
	if (r == -EBUSY) /* another sweep was quicker: the file is its own */
		(void)store_del_created(s->store, l->path, NULL);
	return r;
}

/* One file of target t. When it is the target itself it is held as soon as it exists; a
 * directory is held already. */
static int make_one(struct session *s, struct session_target *t, const char *path,
                    uint64_t size, struct err *e)
{
	const bool itself = t->info.kind != TARGET_DIRECTORY;
	struct layout l = { .size_bytes = size,
		            .on_major = t->info.major,
		            .on_minor = t->info.minor,
		            .seed = s->prepared->sweep->seed,
		            .whole = s->prepared->sweep->fill };
	bool mine = false;
	int r;

	(void)snprintf(l.path, sizeof(l.path), "%s", path);
	r = make_file(s, &l, &mine, e);
	if (!r && itself)
		r = take_file(s, t, &l, e);
	if (!r)
		r = ask_worker(s, TASK_LAYOUT, &l, e);
	return r || !mine ? r : record(s, &l, l.made.size, e);
}

static int make_directory_files(struct session *s, struct session_target *t,
                                const struct plan_need *need, struct err *e)
{
	char path[PATH_MAX];
	int r = 0;

	for (unsigned i = 0; i < need->files && !r; i++) {
		target_file_path(path, sizeof(path), t->info.path, true, i);
		r = make_one(s, t, path, need->size_bytes, e);
	}
	return r;
}

static int fill_existing(struct session *s, const struct target_info *t, struct err *e)
{
	struct layout l = { .size_bytes = t->size_bytes,
		            .on_major = t->major,
		            .on_minor = t->minor,
		            .block_device = t->kind == TARGET_BLOCK,
		            .major = t->kind == TARGET_BLOCK ? t->major : 0,
		            .minor = t->kind == TARGET_BLOCK ? t->minor : 0,
		            .diskseq = t->diskseq,
		            .whole = true,
		            .seed = s->prepared->sweep->seed };

	if (t->kind == TARGET_FILE) {
		l.dev = t->dev;
		l.ino = t->ino;
	}
	(void)snprintf(l.path, sizeof(l.path), "%s", t->path);
	return ask_worker(s, TASK_LAYOUT, &l, e);
}

/* Look again at what we made: its size and what it can do are now known. The configured name
 * may lead elsewhere by now: the place is what counts, and the file that was made and is held.
 */
static int adopt(const struct session *s, struct session_target *t, struct err *e)
{
	const uint64_t dev = t->info.dev, ino = t->info.ino;
	char filename[PATH_MAX], path[PATH_MAX];

	memcpy(filename, t->info.filename, sizeof(filename));
	memcpy(path, t->info.path, sizeof(path));
	target_look(&t->info, path, prepared_patience(s->prepared->sweep));
	memcpy(t->info.filename, filename, sizeof(filename));
	if (t->info.kind == TARGET_UNUSABLE)
		return err_set(e, -t->info.problem_errno, "%s", t->info.problem);
	if (t->info.kind != TARGET_FILE || strcmp(t->info.path, path) != 0 ||
	    t->info.dev != dev || t->info.ino != ino)
		return err_set(e, -ESTALE,
		               "%s is no longer the file that was laid out: another stands in "
		               "its place",
		               path);
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
		return make_directory_files(s, t, need, e);
	case TARGET_MISSING:
		r = make_one(s, t, t->info.path, need->size_bytes, e);
		return r ? r : adopt(s, t, e);
	case TARGET_FILE:
		if (t->info.ours) {
			uint64_t size = need->size_bytes > t->info.size_bytes
			                    ? need->size_bytes
			                    : t->info.size_bytes;

			r = make_one(s, t, t->info.path, size, e);
			return r ? r : adopt(s, t, e);
		}
		return s->prepared->sweep->fill ? fill_existing(s, &t->info, e) : 0;
	case TARGET_BLOCK:
		return s->prepared->sweep->fill ? fill_existing(s, &t->info, e) : 0;
	case TARGET_UNUSABLE:
		return err_set(e, -(t->info.problem_errno ? t->info.problem_errno : EINVAL),
		               "%s", t->info.problem);
	case TARGET_NOT_NEEDED:
	case TARGET_SIMULATED:
	case TARGET_SET: /* its members are made one by one */
		break;
	}
	return 0;
}

/* Does max_write leave room for what must be written before this target can be used? */
static bool spare(struct session *s, size_t index)
{
	struct session_target *t = &s->target[index];
	const struct sweep *sweep = s->prepared->sweep;
	struct intent want = prepared_intent(s->prepared, index);
	bool filled =
	    sweep->fill && (t->info.kind == TARGET_FILE || t->info.kind == TARGET_BLOCK);
	uint64_t bytes = filled ? t->info.size_bytes
	                        : target_look_layout(&t->info, &want, prepared_patience(sweep));

	t->spared =
	    sweep->max_write_bytes && wear_forbids(s, NULL, bytes, t->text, sizeof(t->text));
	return t->spared;
}

static void make_target(struct session *s, size_t index)
{
	struct session_target *t = &s->target[index];
	const uint64_t from = clock_mono_ns();
	struct err e = { 0 };
	uint64_t written = s->wear.written;
	int r;

	if (spare(s, index)) {
		t->state = TARGET_FAILED;
		return;
	}
	(void)snprintf(s->what, sizeof(s->what), "%s", t->info.filename);
	progress_begin(&s->progress);
	r = make(s, index, &e);
	t->written_bytes += s->wear.written - written;
	if (r && session_stopping(s))
		return;
	if (r) {
		set_failed(t, r, *e.text ? e.text : err_name(-r));
		return;
	}
	t->state = TARGET_READY;
	costs_layout(&s->costs, s->prepared->layout_of[index], clock_mono_ns() - from);
	if (s->prepared->sweep->fill) {
		t->info.unwritten = false;
		t->info.zero_pct = 0;
	}
	(void)store_put_target(s->store, &t->info, NULL);
}

void session_target_make(struct session *s, size_t index)
{
	for (unsigned k = 0; k < session_members(s, index) && !session_stopping(s); k++)
		if (session_member(s, index, k)->state == TARGET_NEW)
			make_target(s, world_member(&s->prepared->world, index, k));
}

static bool to_be_held(const struct session *s, size_t i)
{
	enum target_kind kind = s->prepared->world.target[i].kind;

	return s->prepared->plan->need[i].used && kind != TARGET_MISSING &&
	       kind != TARGET_UNUSABLE && kind != TARGET_NOT_NEEDED && kind != TARGET_SIMULATED;
}

/* Is target i, under any of its names, written to? *first: the one that stands for all. */
static bool any_writes(const struct session *s, size_t i, bool *first)
{
	const struct prepared *p = s->prepared;
	bool writes = false;

	*first = true;
	for (size_t k = 0; k < p->world.targets; k++) {
		struct intent want = prepared_intent(p, k);

		if (!to_be_held(s, k) || !target_same(&p->world.target[i], &p->world.target[k]))
			continue;
		*first = *first && k >= i;
		writes = writes || want.writes || want.fill;
	}
	return writes;
}

/* Now that nobody else can take it, all is looked at once more: this is what counts. */
static int ask_again(struct session *s, size_t i)
{
	struct prepared *p = s->prepared;
	struct intent want = prepared_intent(p, i);
	size_t before = p->refusals.len;

	want.held = true;
	guard_ask(&p->world.target[i], &want, &p->consent, prepared_patience(p->sweep),
	          &p->refusals, &p->decisions);
	for (size_t r = before; r < p->refusals.len; r++)
		complain("refused: %s", p->refusals.item[r]);
	return p->refusals.len > before ? EXIT_REFUSED : EXIT_OK;
}

int session_hold(struct session *s)
{
	struct prepared *p = s->prepared;
	int code = EXIT_OK;

	s->target = xcalloc(p->world.targets, sizeof(*s->target));
	for (size_t i = 0; i < p->world.targets; i++) {
		struct session_target *t = &s->target[i];
		struct err e = { 0 };
		bool first, writes;

		t->info = p->world.target[i];
		if (!p->plan->need[i].used)
			continue;
		writes = to_be_held(s, i) && any_writes(s, i, &first);
		if (to_be_held(s, i) && first &&
		    target_hold(&t->hold, &t->info, writes, prepared_patience(p->sweep), &e)) {
			complain("%s", e.text);
			code = EXIT_REFUSED;
		} else if (ask_again(s, i)) {
			code = EXIT_REFUSED;
		}
	}
	return code;
}

void session_store_decisions(struct session *s)
{
	struct strlist *l = &s->prepared->decisions;

	for (size_t i = 0; i < l->len; i++)
		(void)store_event(s->store, 0, "info", "guard", l->item[i], NULL);
	strlist_fini(l);
}

struct removal {
	struct session *s;
	struct strlist gone;
	bool hung; /* no file after this one is tried */
};

/* A file that is a target was held until now, from the moment when it was made or looked at. */
static bool was_held(const struct session *s, const struct store_created *c)
{
	for (size_t i = 0; i < s->prepared->world.targets; i++) {
		const struct session_target *t = &s->target[i];

		if (t->state == TARGET_READY && t->info.kind == TARGET_FILE && t->info.ours &&
		    !strcmp(t->info.path, c->path) && t->info.dev == c->dev &&
		    t->info.ino == c->ino)
			return true;
	}
	return false;
}

static int remove_one(void *arg, const struct store_created *c)
{
	struct removal *r = arg;
	/* dev 0: recorded, but the sweep was killed before or while it was made: the marker
	 * decides */
	struct layout l = { .made = { .dev = c->dev,
		                      .ino = c->ino,
		                      .born_ns = c->born_ns,
		                      .least = c->least,
		                      .size = c->size,
		                      .held = was_held(r->s, c) } };
	struct err e = { 0 };
	int rc = -ETIMEDOUT;

	(void)snprintf(l.path, sizeof(l.path), "%s", c->path);
	(void)snprintf(l.made.sweep, sizeof(l.made.sweep), "%s",
	               store_get(r->s->store, "uuid"));
	if (!r->hung)
		rc = ask_worker(r->s, TASK_REMOVE, &l, &e);
	r->hung = rc == -ETIMEDOUT || rc == -EINTR;
	if (!rc)
		strlist_add(&r->gone, c->path);
	else if (r->hung)
		complain(
		    "%s was not removed: its device does not answer; later: iosweep clean %s",
		    c->path, r->s->db_path);
	else
		complain("%s", e.text);
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
	progress_clear(&s->progress);
}
