#include "cmd/export_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "base/units.h"
#include "cmd/query.h"
#include "fio/job_print.h"

#define NAME_BYTES 200 /* of 255, with a number and an ending */

static int column_of(const struct rows *r, const struct axis *a)
{
	return rows_find(r, axis_stored_name(a));
}

/* Axes in which runs of one pattern differ: what only goes with the pattern tells nothing. A value
 * that is not known is no other value. */
static int find_varying(struct export_names *names, struct store *s, const char *sql, struct err *e)
{
	for (size_t i = 0; i < AXIS_COUNT; i++) {
		AUTO(text_fini) struct text ask = { 0 };
		AUTO(rows_closep) struct rows *r = NULL;
		int rc;

		text_add(&ask, "SELECT max(n) FROM (SELECT count(DISTINCT ");
		query_axis(&ask, axis_stored_name(&axes[i]));
		text_addf(&ask, ") AS n FROM (%s) GROUP BY rw)", sql);
		rc = rows_open(&r, s, ask.s, e);
		if (rc)
			return rc;
		rc = rows_next(r, e);
		if (rc < 0)
			return rc;
		names->varies[i] = !axes[i].setting && rows_int(r, 0) > 1;
	}
	names->varies[AXIS_rw] = names->varies[AXIS_bs] = false;
	names->varies[AXIS_numjobs] = names->varies[AXIS_iodepth] = false;
	return 0;
}

/* The value of an axis as it can stand in a file name; "" when it is not known. */
static void value_of(struct text *out, const struct rows *r, const struct axis *a)
{
	char value[128], safe[128];
	int c = column_of(r, a);

	if (c < 0 || rows_null(r, c))
		return;
	if (rows_type(r, c) == ROWS_TEXT)
		(void)snprintf(value, sizeof(value), "%s", rows_text(r, c));
	else
		axis_print_human(a, (uint64_t)rows_int(r, c), value, sizeof(value));
	fio_run_name(safe, sizeof(safe), value);
	text_add(out, safe);
}

static bool known(const struct rows *r)
{
	static const enum axis_id always[] = { AXIS_rw, AXIS_bs, AXIS_numjobs, AXIS_iodepth };

	for (size_t i = 0; i < ARRAY_SIZE(always); i++)
		if (column_of(r, &axes[always[i]]) < 0 ||
		    rows_null(r, column_of(r, &axes[always[i]])))
			return false;
	return true;
}

static void add_value(struct text *t, const char *before, const struct rows *r, enum axis_id id)
{
	text_add(t, before);
	value_of(t, r, &axes[id]);
}

static bool is_mixed(const struct rows *r)
{
	uint64_t rw;

	return !axis_parse(&axes[AXIS_rw], axes[AXIS_rw].name,
	                   rows_text(r, column_of(r, &axes[AXIS_rw])), &rw, NULL) &&
	       rw_mixed(rw);
}

/* "_ioengine=libaio" for each axis that varies, `before` in front of each. */
static void add_varying(struct text *t, const struct export_names *names, const struct rows *r,
                        const char *before, const char *after)
{
	for (size_t i = 0; i < AXIS_COUNT; i++) {
		AUTO(text_fini) struct text value = { 0 };

		if (names->varies[i] && (i != AXIS_rwmixread || is_mixed(r)))
			value_of(&value, r, &axes[i]);
		if (value.len)
			text_addf(t, "%s%s=%s%s", before, axes[i].name, value.s, after);
	}
}

static void add_plain(struct text *file, const struct export_names *names, const struct rows *r)
{
	char label[128];

	if (known(r)) {
		add_value(file, "", r, AXIS_rw);
		add_value(file, "_", r, AXIS_bs);
		add_value(file, "_", r, AXIS_numjobs);
		add_value(file, "_", r, AXIS_iodepth);
	} else {
		fio_run_name(label, sizeof(label), rows_named_text(r, "label"));
		text_add(file, *label ? label : "run");
	}
	add_varying(file, names, r, "_", "");
}

/* TARGET/[PATTERNMIX/]BS/PATTERN-IODEPTH-NUMJOBS; its readers take the file name apart, so that
 * everything else is a folder. */
static void add_bench_fio(struct text *folder, struct text *file, const struct export_names *names,
                          const struct rows *r)
{
	const char *path = rows_text(r, column_of(r, &axes[AXIS_filename])),
		   *slash = strrchr(path, '/');
	char target[128];

	fio_run_name(target, sizeof(target), slash ? slash + 1 : path);
	text_addf(folder, "%s/", *target && *target != '.' ? target : "target");
	add_varying(folder, names, r, "", "/");
	if (is_mixed(r)) {
		add_value(folder, "", r, AXIS_rw);
		add_value(folder, "", r, AXIS_rwmixread);
		text_add(folder, "/");
	}
	add_value(folder, "", r, AXIS_bs);
	text_add(folder, "/");
	add_value(file, "", r, AXIS_rw);
	add_value(file, "-", r, AXIS_iodepth);
	add_value(file, "-", r, AXIS_numjobs);
}

static void add_name(struct export_names *names, const struct rows *r)
{
	struct text folder = { 0 }, file = { 0 };

	if (names->n == names->cap) {
		names->cap = names->cap ? 2 * names->cap : 64;
		names->name = xrealloc(names->name, names->cap, sizeof(*names->name));
	}
	if (names->bench_fio)
		add_bench_fio(&folder, &file, names, r);
	else
		add_plain(&file, names, r);
	if (file.len > NAME_BYTES) { /* numbers tell the rest apart */
		file.len = NAME_BYTES;
		file.s[file.len] = '\0';
	}
	names->name[names->n++] = (struct export_name){
		.folder = folder.s ? folder.s : xstrdup(""),
		.file = file.s ? file.s : xstrdup("run"),
		.run = rows_named_int(r, "run_id"),
	};
}

static int by_name(const void *a, const void *b)
{
	const struct export_name *x = *(struct export_name *const *)a,
				 *y = *(struct export_name *const *)b;
	int order = strcmp(x->folder, y->folder);

	if (!order)
		order = strcmp(x->file, y->file);
	return order ? order : (x->run > y->run) - (x->run < y->run);
}

static void number(struct export_names *names, struct export_name *name, size_t n)
{
	struct text t = { 0 };

	if (names->bench_fio) {
		text_addf(&t, "%sr%zu/", name->folder, n);
		free(name->folder);
		name->folder = t.s;
	} else {
		text_addf(&t, "%s-r%zu", name->file, n);
		free(name->file);
		name->file = t.s;
	}
}

/* Runs of one name are numbered, in their order. */
static void make_unique(struct export_names *names)
{
	struct export_name **sorted = xcalloc(names->n + 1, sizeof(struct export_name *));

	for (size_t i = 0; i < names->n; i++)
		sorted[i] = &names->name[i];
	qsort(sorted, names->n, sizeof(struct export_name *), by_name);
	for (size_t i = 0, end; i < names->n; i = end) {
		for (end = i + 1; end < names->n; end++)
			if (strcmp(sorted[i]->folder, sorted[end]->folder) != 0 ||
			    strcmp(sorted[i]->file, sorted[end]->file) != 0)
				break;
		for (size_t k = i; end - i > 1 && k < end; k++)
			number(names, sorted[k], k - i + 1);
	}
	free(sorted);
}

int export_names_load(struct export_names *names, struct store *s, const char *sql, struct err *e)
{
	AUTO(rows_closep) struct rows *r = NULL;
	int rc = find_varying(names, s, sql, e);

	if (!rc)
		rc = rows_open(&r, s, sql, e);
	while (!rc && (rc = rows_next(r, e)) == 1) {
		add_name(names, r);
		rc = 0;
	}
	if (!rc)
		make_unique(names);
	return rc;
}

void export_names_fini(struct export_names *names)
{
	for (size_t i = 0; i < names->n; i++) {
		free(names->name[i].folder);
		free(names->name[i].file);
	}
	free(names->name);
}
