/* iosweep probe: engines, limits, facts, and what each PATH would be as a target. Writes
 * nothing anywhere. */
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "cmd/prepare.h"
#include "host/facts.h"

struct look {
	struct world world;
	struct strlist *refusals; /* per target: why it must not be written to */
	int *nowait;
	json_t *facts; /* with "targets" taken out, below */
	json_t *targets;
};

static void look_at_target(struct look *l, size_t i, const char *path)
{
	struct target_info *t = &l->world.target[i];
	struct intent all = { .reads = true, .writes = true };
	struct consent none = { 0 };

	target_look(t, path, LOOK_MAX_NS);
	target_look_written(t, t->size_bytes, 1, LOOK_MAX_NS);
	guard_ask(t, &all, &none, LOOK_MAX_NS, &l->refusals[i], NULL);
	l->nowait[i] = t->kind == TARGET_FILE || t->kind == TARGET_BLOCK
	                   ? target_look_nowait(t, LOOK_MAX_NS)
	                   : -1;
}

static void look(struct look *l, const struct options *o)
{
	struct text facts = { 0 };
	size_t n = (size_t)o->nargs;

	*l = (struct look){ .refusals = xcalloc(n, sizeof(*l->refusals)),
		            .nowait = xcalloc(n, sizeof(*l->nowait)) };
	l->world.target = xcalloc(n, sizeof(*l->world.target));
	l->world.targets = n;
	probe_engines(&l->world);
	facts_limits(&l->world.limits);
	for (size_t i = 0; i < n; i++)
		look_at_target(l, i, o->args[i]);
	facts_json(&facts, &l->world);
	l->facts = json_loads(text_get(&facts), 0, NULL);
	l->targets = json_incref(json_object_get(l->facts, "targets"));
	(void)json_object_del(l->facts, "targets");
	text_fini(&facts);
}

static void look_fini(struct look *l)
{
	for (size_t i = 0; i < l->world.targets; i++)
		strlist_fini(&l->refusals[i]);
	free(l->refusals);
	free(l->nowait);
	free(l->world.target);
	json_decref(l->facts);
	json_decref(l->targets);
}

static bool usable(const struct target_info *t)
{
	return t->kind != TARGET_UNUSABLE;
}

static bool may_write(const struct look *l, size_t i)
{
	return usable(&l->world.target[i]) && !l->refusals[i].len &&
	       l->world.target[i].writable;
}

static void print_row(const char *name, const char *value)
{
	printf("  %-20s %s\n", name, value);
}

__attribute__((format(printf, 2, 3))) static void print_rowf(const char *name, const char *fmt,
                                                             ...)
{
	char value[1024];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(value, sizeof(value), fmt, ap);
	va_end(ap);
	print_row(name, value);
}

static void print_engines(const struct world *w)
{
	puts("engines");
	for (unsigned i = 0; i < ENGINE_COUNT; i++)
		print_rowf(engine_name(i),
		           w->engine[i].usable ? "usable: %s" : "not usable: %s",
		           w->engine[i].usable ? engine_ops(i)->help : w->engine[i].reason);
}

/* A limit for people: bytes or a count, UINT64_MAX is none. */
static void print_limit(const char *name, uint64_t v, bool bytes)
{
	char buf[32];

	if (v == UINT64_MAX)
		print_row(name, "unlimited");
	else if (bytes)
		print_row(name, print_bytes(buf, sizeof(buf), v));
	else
		print_rowf(name, "%llu", (unsigned long long)v);
}

static void print_limits(const struct limits *l)
{
	puts("limits");
	print_limit("memory available", l->memory_available, true);
	print_limit("locked memory", l->memlock, true);
	print_limit("threads", l->threads_max, false);
	print_limit("open files", l->nofile, false);
	print_rowf("libaio events", "%llu of %llu in use", (unsigned long long)l->aio_nr,
	           (unsigned long long)l->aio_max_nr);
}

static void print_values(json_t *object, const char *const *skip)
{
	const char *key;
	json_t *v;

	json_object_foreach(object, key, v)
	{
		bool skipped = false;
		char safe[1024];

		for (size_t i = 0; skip && skip[i]; i++)
			skipped |= !strcmp(skip[i], key);
		if (skipped)
			continue;
		if (json_is_integer(v)) {
			print_rowf(key, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
			continue;
		}
		text_printable(safe, sizeof(safe), json_string_value(v));
		print_row(key, safe);
	}
}

static void print_data(const struct target_info *t)
{
	if (t->kind == TARGET_BLOCK && t->zero_pct >= 0)
		print_rowf("data", "%d %% of 256 sampled reads are all zero%s", t->zero_pct,
		           t->unwritten
		               ? ": reads here may never reach the medium; fill it first"
		               : "");
	else if (t->kind == TARGET_FILE && t->ours)
		print_row("data", "made by iosweep: laid out before it is read");
	else if (t->kind == TARGET_FILE)
		print_row(
		    "data",
		    t->unwritten
			? "has holes or unwritten extents: reads there never reach the medium"
			: "written");
}

static void print_target(const struct look *l, size_t i)
{
	static const char *const shown[] = { "filename", "problem", "offset_align",
		                             "memory_align", NULL };
	const struct target_info *t = &l->world.target[i];
	char safe[PATH_MAX];

	text_printable(safe, sizeof(safe), t->filename);
	puts(safe);
	if (!usable(t)) {
		print_row("cannot be measured", t->problem);
		return;
	}
	print_values(json_array_get(l->targets, i), shown);
	if (t->offset_align)
		print_rowf("direct I/O", "in multiples of %u bytes, memory aligned to %u",
		           t->offset_align, t->memory_align);
	else
		print_rowf("direct I/O", "not on %s: use direct=0",
		           *t->fs ? t->fs : "this target");
	if (l->nowait[i] >= 0)
		print_row("inline I/O",
		          l->nowait[i] ? "yes"
		                       : "no: io_uring hands every I/O to a kernel thread");
	print_data(t);
	if (may_write(l, i))
		print_row("writing",
		          t->kind == TARGET_MISSING ? "safe: it would be created" : "safe");
	else if (!l->refusals[i].len)
		print_row("writing", "not permitted to this user");
	for (size_t r = 0; r < l->refusals[i].len; r++)
		print_row(r ? "" : "writing refused", l->refusals[i].item[r]);
}

static void print_text(const struct look *l)
{
	print_engines(&l->world);
	print_limits(&l->world.limits);
	puts("facts");
	print_values(l->facts, NULL);
	for (size_t i = 0; i < l->world.targets; i++)
		print_target(l, i);
}

static json_t *limits_json(const struct limits *l)
{
	const struct {
		const char *name;
		uint64_t value;
	} row[] = {
		{ "memory_available_bytes", l->memory_available },
		{ "memlock_bytes", l->memlock },
		{ "threads", l->threads_max },
		{ "nofile", l->nofile },
		{ "aio_max_nr", l->aio_max_nr },
		{ "aio_nr", l->aio_nr },
		{ "cpus", l->cpus },
		{ "page_size", l->page_size },
	};
	json_t *o = json_object();

	for (size_t i = 0; i < ARRAY_SIZE(row); i++)
		(void)json_object_set_new(o, row[i].name,
		                          row[i].value > INT64_MAX
		                              ? json_null()
		                              : json_integer((json_int_t)row[i].value));
	return o;
}

static json_t *engines_json(const struct world *w)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < ENGINE_COUNT; i++)
		(void)json_array_append_new(
		    list, json_pack("{s:s, s:b, s:i, s:s}", "name", engine_name(i), "usable",
		                    w->engine[i].usable, "errno", w->engine[i].error, "reason",
		                    w->engine[i].reason));
	return list;
}

/* What only a probe knows about a target, on top of its facts. */
static void add_findings(const struct look *l, size_t i)
{
	const struct target_info *t = &l->world.target[i];
	json_t *o = json_array_get(l->targets, i), *why = json_array();

	for (size_t r = 0; r < l->refusals[i].len; r++) {
		json_t *text = json_string(l->refusals[i].item[r]);

		(void)json_array_append_new(
		    why, text ? text : json_string("refused: its name is not valid UTF-8"));
	}
	(void)json_object_set_new(o, "usable", json_boolean(usable(t)));
	(void)json_object_set_new(o, "ours", json_boolean(t->ours));
	(void)json_object_set_new(o, "direct", json_boolean(t->offset_align != 0));
	(void)json_object_set_new(o, "safe_to_write", json_boolean(may_write(l, i)));
	(void)json_object_set_new(o, "write_refusals", why);
	(void)json_object_set_new(o, "unwritten", json_boolean(t->unwritten));
	(void)json_object_set_new(o, "zero_pct",
	                          t->zero_pct < 0 ? json_null() : json_integer(t->zero_pct));
	(void)json_object_set_new(o, "inline",
	                          l->nowait[i] < 0 ? json_null() : json_boolean(l->nowait[i]));
}

static void print_json(const struct look *l)
{
	json_t *root = json_object();

	for (size_t i = 0; i < l->world.targets; i++)
		add_findings(l, i);
	(void)json_object_set_new(root, "schema_version", json_integer(1));
	(void)json_object_set_new(root, "engines", engines_json(&l->world));
	(void)json_object_set_new(root, "limits", limits_json(&l->world.limits));
	(void)json_object_set(root, "facts", l->facts);
	(void)json_object_set(root, "targets", l->targets);
	(void)json_dumpf(root, stdout, JSON_INDENT(2));
	(void)putchar('\n');
	json_decref(root);
}

int cmd_probe(const struct options *o)
{
	size_t good = 0;
	struct look l;

	look(&l, o);
	if (o->json)
		print_json(&l);
	else
		print_text(&l);
	for (size_t i = 0; i < l.world.targets; i++)
		good += usable(&l.world.target[i]);
	look_fini(&l);
	return o->nargs && !good ? EXIT_NOTHING : EXIT_OK;
}
