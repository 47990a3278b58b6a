#include "fio/job_script.h"

#include <inttypes.h>

#include "base/cleanup.h"
#include "base/shell.h"
#include "base/units.h"
#include "fio/job_write.h"

/* Behind what is the plan's own: $runs, and the default of $out. */
static const char head[] =
    "fio=${FIO:-fio} destroy=' ' stopped='' refused='' failed=0\n"
    "while [ $# -gt 0 ]; do\n"
    "\tcase $1 in\n"
    "\t--destroy) destroy=\"$destroy${2:?} \"; shift 2 ;;\n"
    "\t*) out=$1; shift ;;\n"
    "\tesac\n"
    "done\n"
    "refuse() { echo \"refused: $*\" >&2; refused=1; }\n"
    "command -v \"$fio\" >/dev/null || { echo \"$fio is not there; FIO=... names another\" "
    ">&2; exit 5; }\n"
    "mkdir -p \"$out\" || exit 6\n"
    "trap 'stopped=1' HUP INT TERM\n"
    "\n"
    "# makes FILE: it is this script's, now or since before; $out/made remembers\n"
    "makes() {\n"
    "\tif [ -e \"$1\" ] || [ -L \"$1\" ]; then\n"
    "\t\tgrep -qxF -e \"$1\" \"$out/made\" 2>/dev/null || refuse \"$1 was not there when this "
    "was planned\"\n"
    "\telif ! (set -C && : >\"$1\") || ! printf '%s\\n' \"$1\" >>\"$out/made\"; then\n"
    "\t\trefuse \"$1 cannot be made\"\n"
    "\tfi\n"
    "}\n"
    "# file FILE BYTES\n"
    "file() {\n"
    "\tif [ ! -f \"$1\" ] || [ \"$(stat -Lc %s -- \"$1\")\" -lt \"$2\" ]; then refuse \"$1 is "
    "no file of $2 bytes (any more)\"; fi\n"
    "}\n"
    "# device DEVICE BYTES\n"
    "device() {\n"
    "\tif [ ! -b \"$1\" ] || [ \"$(blockdev --getsize64 \"$1\")\" -ne \"$2\" ]; then refuse "
    "\"$1 is no device of $2 bytes (any more)\"; fi\n"
    "}\n"
    "# destroys DEVICE: named, and neither mounted, held nor swapped to, nor is a part of it\n"
    "destroys() {\n"
    "\tcase $destroy in *\" $1 \"*) ;; *) refuse \"all data on $1 would be lost; this is "
    "permitted by: --destroy $1\" ;; esac\n"
    "\tname=$(basename \"$(readlink -f \"$1\")\")\n"
    "\tfor d in \"/sys/class/block/$name\" \"/sys/class/block/$name/$name\"*; do\n"
    "\t\t[ -e \"$d/dev\" ] || continue\n"
    "\t\tif grep -q \" $(cat \"$d/dev\") \" /proc/self/mountinfo; then refuse \"${d##*/} is "
    "mounted\"; fi\n"
    "\t\tif grep -q \"^/dev/${d##*/} \" /proc/swaps; then refuse \"${d##*/} is swapped to\"; "
    "fi\n"
    "\t\tif [ -n \"$(ls \"$d/holders\")\" ]; then refuse \"${d##*/} is held by $(ls "
    "\"$d/holders\")\"; fi\n"
    "\tdone\n"
    "}\n"
    "# run NAME OPTION...: once, into NAME.json\n"
    "run() {\n"
    "\tjson=$out/$1.json\n"
    "\tshift\n"
    "\t[ ! -e \"$json\" ] || return 0\n"
    "\techo \"${json##*/} (of $runs)\" >&2\n"
    "\tif \"$fio\" --output-format=json+ --output=\"$json.part\" \"$@\"; then\n"
    "\t\tmv \"$json.part\" \"$json\"\n"
    "\telif [ -n \"$stopped\" ]; then\n"
    "\t\trm -f \"$json.part\"\n"
    "\telse\n"
    "\t\tmv \"$json.part\" \"$json.failed\"\n"
    "\t\tfailed=$((failed + 1))\n"
    "\tfi\n"
    "\t[ -z \"$stopped\" ] || { echo 'stopped; the same command goes on' >&2; exit 130; }\n"
    "}\n\n";

/* All refusals are said at once, and no empty folder is left behind. */
static const char checked[] =
    "[ -z \"$refused\" ] || { rmdir \"$out\" 2>/dev/null; exit 4; }\n";

static const char tail[] = "\n[ $failed -eq 0 ] || { echo \"$failed failed: $out/*.failed; the "
			   "same command tries them again\" >&2; exit 1; }\n";

static const char remove_made[] =
    "[ ! -e \"$out/made\" ] || while read -r f; do rm -f -- \"$f\"; done <\"$out/made\"\n"
    "rm -f \"$out/made\"\n";

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
	char took[64];

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
	(void)fprintf(out, "set -u\nruns=%" PRIu64 " out=%s-fio\n", p->runs, p->sweep->name);
	(void)fputs(head, out);
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
		.directory = p->world->target[row->job.filename].kind == TARGET_DIRECTORY,
	};
	struct err e = { 0 };
	char seconds[64];
	const struct percentiles *list = &p->sweep->percentiles;

	if (!row->skip.skipped && !fio_run_write(&run, list->n ? list : NULL, &w, &e)) {
		print_call(out, i + 1, row, &w);
		if (p->sweep->pause_ns)
			(void)fprintf(
			    out, "sleep %s\n",
			    print_seconds(seconds, sizeof(seconds), p->sweep->pause_ns));
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
	(void)fprintf(out, "%s\n", checked);
	for (uint64_t i = 0; i < p->runs; i++) {
		plan_row(p, i, &row);
		print_row(out, p, i, &row);
	}
	(void)fputs(tail, out);
	if (!p->sweep->keep)
		(void)fputs(remove_made, out);
}
