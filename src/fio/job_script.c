#include "fio/job_script.h"

#include <inttypes.h>

#include "base/cleanup.h"
#include "base/shell.h"
#include "base/units.h"
#include "fio/job_write.h"

/* The part that is the same for every plan, ended by a NUL: what the lines below call. */
__asm__(".pushsection .rodata\n"
        "job_script_sh:\n\t.incbin \"src/fio/job_script.sh\"\n\t.byte 0\n"
        ".popsection\n");
extern const char job_script_sh[];

/* A comment of one line. */
static void comment(FILE *out, const char *text)
{
	char safe[1024];

	text_printable(safe, sizeof(safe), text);
	(void)fprintf(out, "# %s\n", safe);
}

static void print_head(FILE *out, const struct plan *p)
{
	AUTO(text_fini) struct text t = { 0 };
	char took[64], pause[64];

	(void)fputs("#!/bin/sh\n", out);
	text_addf(&t,
	          "sweep %s, planned by iosweep %s, as %" PRIu64
	          " calls of fio: %s of ramp and runtime%s",
	          p->sweep->name, IOSWEEP_VERSION, p->runs - p->skipped * p->sweep->repeats,
	          print_duration(took, sizeof(took), (uint64_t)(p->estimate_s * 1e9)),
	          p->unbounded ? ", and what is bound by size" : "");
	comment(out, text_get(&t));
	comment(out, "usage: sh SCRIPT [--destroy DEVICE]... [DIRECTORY]; a run whose JSON is "
	             "in DIRECTORY is not run again");
	comment(out, "then: iosweep import DIRECTORY");
	if (p->sweep->fill || p->sweep->precondition.given)
		comment(out, "fill and precondition are not part of this: do them before");
	(void)fprintf(out, "set -u\nruns=%" PRIu64 " pause=%s out=%s-fio\n", p->runs,
	              print_seconds(pause, sizeof(pause), p->sweep->pause_ns), p->sweep->name);
	(void)fputs(job_script_sh, out);
}

/* What the target has to be, before the first call. */
static void print_check(FILE *out, const struct target_info *t, const struct plan_need *need)
{
	AUTO(text_fini) struct text name = { 0 };

	add_shell_word(&name, t->filename);
	switch (t->kind) {
	case TARGET_MISSING:
		(void)fprintf(out, "makes %s\n", text_get(&name));
		break;
	case TARGET_DIRECTORY:
		for (uint64_t i = 0; i < need->files; i++)
			(void)fprintf(out, "makes %s/iosweep.%" PRIu64 ".dat\n",
			              text_get(&name), i);
		break;
	case TARGET_FILE:
		(void)fprintf(out, "file %s %" PRIu64 "\n", text_get(&name), need->size_bytes);
		break;
	case TARGET_BLOCK:
		(void)fprintf(out, "device %s %" PRIu64 "\n", text_get(&name), t->size_bytes);
		if (need->writes)
			(void)fprintf(out, "destroys %s\n", text_get(&name));
		break;
	case TARGET_UNUSABLE:
	case TARGET_NOT_NEEDED:
	case TARGET_SIMULATED:
	case TARGET_SET:
		break;
	}
}

static void print_call(FILE *out, uint64_t number, const struct plan_row *row,
                       const struct fio_written *w)
{
	AUTO(text_fini) struct text line = { 0 };
	char name[sizeof(row->label)];

	fio_run_name(name, sizeof(name), row->label);
	text_addf(&line, "run %06" PRIu64 "-%s", number, name);
	if (row->repeat > 1)
		text_addf(&line, "-r%" PRIu64, row->repeat);
	fio_run_arguments(&line, row->label, w);
	(void)fprintf(out, "%s\n", text_get(&line));
}

static void print_row(FILE *out, const struct plan *p, uint64_t i, const struct plan_row *row)
{
	AUTO(fio_written_fini) struct fio_written w = { 0 };
	AUTO(text_fini) struct text why = { 0 };
	struct fio_run run = {
		.label = row->label,
		.job = &row->job,
		.text = row->text,
		.key_text = row->key_text,
		.directory = p->world->target[row->job.filename].kind == TARGET_DIRECTORY,
	};
	struct err e = { 0 };
	const struct percentiles *list = &p->sweep->percentiles;

	if (!row->skip.skipped && !fio_run_write(&run, list->n ? list : NULL, &w, &e)) {
		print_call(out, i + 1, row, &w);
		return;
	}
	text_addf(&why, "%06" PRIu64 "-%s: %s", i + 1, row->label,
	          e.code ? e.text : row->skip.text);
	comment(out, text_get(&why));
}

void fio_script(FILE *out, const struct plan *p)
{
	struct plan_row row;

	print_head(out, p);
	for (size_t i = 0; i < p->world->targets; i++)
		if (p->need[i].used)
			print_check(out, &p->world->target[i], &p->need[i]);
	(void)fputs("checked\n\n", out);
	for (uint64_t i = 0; i < p->runs; i++) {
		plan_row(p, i, &row);
		print_row(out, p, i, &row);
	}
	(void)fprintf(out, "\nfinish\n%s", p->sweep->keep ? "" : "unmake\n");
}
