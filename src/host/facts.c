#include "host/facts.h"

#include <jansson.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/cleanup.h"
#include "host/read.h"
#include "host/sysfs.h"

char *facts_host(char *buf, size_t size)
{
	struct utsname u = { 0 };

	(void)uname(&u);
	(void)snprintf(buf, size, "%s", u.nodename);
	return buf;
}

void fact_liburing(struct fact *f)
{
	(void)snprintf(f->text, sizeof(f->text), "%s", LIBURING_VERSION);
}

void fact_jansson(struct fact *f)
{
	(void)snprintf(f->text, sizeof(f->text), "%s", jansson_version_str());
}

void fact_sqlite(struct fact *f)
{
	(void)snprintf(f->text, sizeof(f->text), "%s", sqlite3_libversion());
}

static const struct {
	const char *name;
	void (*read)(struct fact *f);
} facts[] = {
#define FACT(name, reader, help) { #name, fact_##reader },
#include "model/facts.def"
#undef FACT
};

static void put_text(json_t *o, const char *key, const char *s)
{
	AUTO(text_fini) struct text clean = { 0 };

	if (!*s)
		return;
	text_add_utf8(&clean, s);
	(void)json_object_set_new(o, key, json_string(text_get(&clean)));
}

static void put_number(json_t *o, const char *key, uint64_t v)
{
	(void)json_object_set_new(o, key, json_integer((json_int_t)v));
}

/* Settings of the disk's request queue that change results. */
static void put_queue(json_t *o, const struct target_info *t)
{
	static const char *const number[] = {
		"nr_requests", "max_sectors_kb", "logical_block_size", "physical_block_size",
		"rotational",  "iostats",        "nomerges",           "read_ahead_kb",
		"io_poll"
	};
	static const char *const text[] = { "scheduler", "write_cache", "wbt_lat_usec" };
	char disk[64], line[256];
	uint64_t v;

	if (!t->major && !t->minor)
		return;
	sysfs_disk(disk, sizeof(disk), t->major, t->minor);
	for (size_t i = 0; i < ARRAY_SIZE(text); i++)
		if (!sysfs_text(line, sizeof(line), "%s/queue/%s", disk, text[i]))
			put_text(o, text[i], line);
	for (size_t i = 0; i < ARRAY_SIZE(number); i++)
		if (!sysfs_u64(&v, "%s/queue/%s", disk, number[i]))
			put_number(o, number[i], v);
	if (!sysfs_u64(&v, "%s/size", disk))
		put_number(o, "device_bytes", v * 512);
	if (!sysfs_text(line, sizeof(line), "%s/device/firmware_rev", disk))
		put_text(o, "firmware", line);
}

static json_t *target_facts(const struct target_info *t)
{
	json_t *o = json_object();

	put_text(o, "filename", t->filename);
	put_text(o, "path", t->path);
	put_text(o, "kind", target_kind_name(t->kind));
	put_text(o, "problem", t->problem);
	if (t->kind == TARGET_UNUSABLE || t->kind == TARGET_NOT_NEEDED)
		return o;
	if (t->kind == TARGET_FILE || t->kind == TARGET_BLOCK)
		put_number(o, "size_bytes", t->size_bytes);
	put_text(o, "device", t->device);
	put_text(o, "serial", t->serial);
	put_text(o, "wwn", t->wwn);
	put_text(o, "fs", t->fs);
	put_text(o, "mount_point", t->mount_point);
	put_text(o, "mount_options", t->mount_options);
	put_number(o, "offset_align", t->offset_align);
	put_number(o, "memory_align", t->memory_align);
	put_queue(o, t);
	return o;
}

void facts_json(struct text *out, const struct world *w)
{
	json_t *root = json_object(), *targets = json_array();
	char *s;

	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		struct fact f = { 0 };

		facts[i].read(&f);
		if (f.number)
			(void)json_object_set_new(root, facts[i].name, json_integer(f.n));
		else
			put_text(root, facts[i].name, f.text);
	}
	for (size_t i = 0; i < w->targets; i++)
		if (w->target[i].kind != TARGET_SET) /* its members are there */
			(void)json_array_append_new(targets, target_facts(&w->target[i]));
	(void)json_object_set_new(root, "targets", targets);
	s = json_dumps(root, JSON_COMPACT);
	text_add(out, s ? s : "{}");
	free(s);
	json_decref(root);
}
