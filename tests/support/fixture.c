#include "support/fixture.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

static void values_set(struct axis_values *v, const uint64_t *val, size_t n)
{
	v->val = xrealloc(v->val, n, sizeof(*v->val));
	v->len = 0;
	v->raw_len = n;
	v->given = true;
	for (size_t i = 0; i < n; i++) {
		bool there = false;

		for (size_t k = 0; k < v->len; k++)
			there |= v->val[k] == val[i];
		if (!there)
			v->val[v->len++] = val[i];
	}
}

void fixture_axis(struct sweep *s, enum axis_id a, const uint64_t *val, size_t n)
{
	values_set(&s->axis[a], val, n);
}

void fixture_partial(struct partial *p, enum axis_id a, const uint64_t *val, size_t n)
{
	values_set(&p->axis[a], val, n);
}

void fixture_targets(struct sweep *s, size_t n)
{
	uint64_t index[64];

	for (size_t i = s->target.len; i < n; i++)
		strlist_addf(&s->target, i ? "t%zu.bin" : "t.bin", i);
	for (size_t i = 0; i < n; i++)
		index[i] = i;
	fixture_axis(s, AXIS_filename, index, n);
}

struct sweep *fixture_sweep(void)
{
	struct sweep *s = sweep_new();

	fixture_targets(s, 1);
	fixture_axis(s, AXIS_ioengine, VALUES(ENGINE_PSYNC));
	fixture_axis(s, AXIS_rw, VALUES(RW_RANDREAD));
	fixture_axis(s, AXIS_runtime, VALUES(30 * SEC));
	return s;
}

static struct partial *add(struct partial **list, size_t *n)
{
	*list = xrealloc(*list, *n + 1, sizeof(**list));
	(*list)[*n] = (struct partial){ 0 };
	return &(*list)[(*n)++];
}

struct partial *fixture_exclude(struct sweep *s, const char *text)
{
	struct partial *p = add(&s->exclude, &s->excludes);

	p->text = xstrdup(text);
	return p;
}

struct partial *fixture_include(struct sweep *s, const char *label)
{
	struct partial *p = add(&s->include, &s->includes);

	p->label = label ? xstrdup(label) : NULL;
	return p;
}

void fixture_world(struct world *w, const struct sweep *s)
{
	*w = (struct world){
		.targets = s->target.len,
		.limits = { .memory_available = 64 * GIB,
		            .aio_max_nr = 1 << 30,
		            .memlock = UINT64_MAX,
		            .threads_max = 100000,
		            .nofile = 1 << 20,
		            .cpus = 2,
		            .page_size = 4096 },
	};
	CPU_SET(0, &w->limits.cpu_set);
	CPU_SET(1, &w->limits.cpu_set);
	w->target = xcalloc(w->targets, sizeof(*w->target));
	for (size_t i = 0; i < w->targets; i++) {
		struct target_info *t = &w->target[i];

		(void)snprintf(t->filename, sizeof(t->filename), "%s", s->target.item[i]);
		(void)snprintf(t->path, sizeof(t->path), "/data/%.200s", s->target.item[i]);
		(void)snprintf(t->fs, sizeof(t->fs), "ext4");
		t->kind = TARGET_FILE;
		t->writable = true;
		t->size_bytes = GIB;
		t->offset_align = 512;
	}
	for (size_t i = 0; i < ENGINE_COUNT; i++)
		w->engine[i].usable = true;
}

void fixture_world_fini(struct world *w)
{
	free(w->target);
	*w = (struct world){ 0 };
}
