#include "fio/job_stored.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "config/config.h"
#include "fio/job_imported.h"
#include "fio/job_write.h"
#include "model/world.h"
#include "sink/store_import.h"

void fio_stored_runs(struct text *sql, const char *view, const char *where)
{
	text_addf(sql, "SELECT run FROM %s", view);
	rows_where(sql, "WHERE", where);
}

void fio_stored_sql(struct text *sql, const char *view, const char *where)
{
	text_add(sql, "SELECT combination.*, target.kind AS target_kind, document.header,"
	              " imported.source FROM"
	              " (SELECT combination_id AS of, min(id) AS first FROM run WHERE id IN (");
	fio_stored_runs(sql, view, where);
	text_add(sql, ") GROUP BY combination_id) JOIN combination ON combination.id = of"
	              " LEFT JOIN target ON target.filename = combination.filename"
	              " LEFT JOIN imported ON imported.run_id = first"
	              " LEFT JOIN document ON document.hash = imported.document"
	              " ORDER BY combination.id");
}

/* Texts are of the row, until the next. */
static int read_axis(struct rows *r, const struct axis *a, struct job *job,
                     struct job_text *text, struct err *e)
{
	int c = rows_find(r, axis_stored_name(a)); /* -1: the database is older than it */
	uint64_t *slot = axis_slot(a, job);

	*slot = c < 0 ? axis_default(a) : AXIS_UNSET;
	if (c < 0 || rows_null(r, c))
		return 0;
	if (a->kind == AXIS_TEXT && a->def && !strcmp(rows_text(r, c), a->def))
		return 0; /* as when it is not given */
	if (a->kind == AXIS_TEXT) {
		*slot = 0;
		text->of[a - axes] = rows_text(r, c);
		return 0;
	}
	if (rows_type(r, c) == ROWS_TEXT) /* a name, or one value for each direction */
		return axis_parse(a, a->name, rows_text(r, c), slot, e) ? -ENOTSUP : 0;
	*slot = (uint64_t)rows_int(r, c);
	return 0;
}

int fio_stored_read(struct rows *r, struct fio_run *run, struct job *job, struct err *e)
{
	int bad = 0, kind = rows_find(r, "target_kind");
	bool keyed = !rows_named_missing(r, "key_text");

	*run = (struct fio_run){ .label = rows_named_text(r, "label"),
		                 .job = job,
		                 .key_text = keyed ? rows_named_text(r, "key_text") : NULL,
		                 .directory = !rows_null(r, kind) &&
		                              rows_int(r, kind) == TARGET_DIRECTORY };
	for (const struct axis *a = axes; !bad && a < axes + AXIS_COUNT; a++)
		bad = read_axis(r, a, job, &run->text, e);
	if (!bad &&
	    (job->rw == AXIS_UNSET || job->ioengine == AXIS_UNSET || job->bs == AXIS_UNSET))
		bad = err_set(e, -ENOTSUP, "its pattern, engine or bs is not known");
	return bad;
}

/* What iosweep ran. */
static int write_own(struct fio_written *w, struct rows *r, const struct percentiles *list,
                     struct err *e)
{
	struct fio_run run;
	struct job job;
	int bad = fio_stored_read(r, &run, &job, e);

	return bad ? bad : fio_run_write(&run, list, w, e);
}

/* What fio ran, to the letter. A job that iosweep wrote has all of its targets in what is said
 * beside its options. */
static int write_imported(struct fio_written *w, struct rows *r, struct err *e)
{
	json_t *options = fio_imported_options(rows_named_text(r, "header"),
	                                       rows_named_text(r, "source"));
	bool ours = fio_imported_said(options);
	int bad = 0;

	if (rows_named_missing(r, axes[AXIS_rw].name))
		bad = err_set(e, -ENOTSUP, "its document does not say its options");
	else if (ours)
		bad = write_own(w, r, NULL, e);
	if (!bad)
		bad = fio_imported_add(w, options, e);
	if (!bad && !ours && rows_named_int(r, axes[AXIS_time_based].name) == 1)
		fio_imported_time_based(w);
	json_decref(options);
	return bad;
}

static void add_section(struct text *out, struct rows *r, const struct percentiles *list,
                        bool first)
{
	AUTO(fio_written_fini) struct fio_written w = { 0 };
	AUTO(text_fini) struct text section = { 0 };
	const char *label = rows_named_text(r, "label");
	struct err e = { 0 };
	char why[sizeof(e.text)], name[256];
	int bad = rows_named_missing(r, "source") ? write_own(&w, r, list, &e)
	                                          : write_imported(&w, r, &e);

	if (!bad)
		(void)fio_run_sections(&section, label, &w, !first, &e);
	text_printable(why, sizeof(why), e.text);
	text_printable(name, sizeof(name), label);
	if (e.code)
		text_addf(out, "\n; %s: %s\n", name, why);
	else
		text_addf(out, "\n%s", text_get(&section));
}

static void add_head(struct text *out, struct store *s)
{
	char name[256], directory[1024];

	text_printable(name, sizeof(name), store_get(s, "name") ? store_get(s, "name") : "");
	text_printable(directory, sizeof(directory),
	               store_get(s, "start_directory") ? store_get(s, "start_directory") : "");
	text_addf(out, "; sweep %s, from iosweep %s: what %s\n", name, IOSWEEP_VERSION,
	          store_is_import(s) ? "fio ran, by its documents" : "it ran, as jobs of fio");
	if (*directory)
		text_addf(out, "; file names are relative to %s\n", directory);
}

int fio_stored_write(FILE *out, struct rows *rows, struct store *s, struct err *e)
{
	AUTO(text_fini) struct text t = { 0 };
	struct percentiles list;
	bool first = true, chosen = config_percentiles(store_get(s, "config"), &list);
	int r;

	add_head(&t, s);
	while ((r = rows_next(rows, e)) > 0) {
		add_section(&t, rows, chosen ? &list : NULL, first);
		first = false;
		if (fputs(text_get(&t), out) < 0)
			return err_set(e, -EIO, "cannot write");
		text_clear(&t);
	}
	return !r && first ? err_set(e, -EINVAL, "no run to write as a job: none matches") : r;
}
