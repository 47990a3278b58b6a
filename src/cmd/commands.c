#include <string.h>

#include "cmd/cmd.h"
#include "cmd/plot_draw.h"

/* The verbs of the program, in the order a user meets them; `iosweep help` prints this table.
 */
/* clang-format off */
const struct command commands[] = {
	{ .name = "run", .args = "CONFIG|-", .summary = "expand, run, store",
	  .help = "Measures every combination of CONFIG (or of the keys given with --set alone) and stores it in one\n"
		  "database and one CSV. A run can be stopped and resumed at any time. Every kind of I/O is tried once before\n"
		  "the first run: what cannot work is said at once. A run that fails costs one row; three in a row with one\n"
		  "errno end that engine on that target.\n"
		  "--plot draws the result in the terminal at the end, if gnuplot is there.\n"
		  "  iosweep run --set filename=/data/scratch --set size=1g --set rw=randread --set iodepth=1,32 --set runtime=10\n"
		  "With --until or --for it starts no run that cannot end in time (ramp, layout and drain included), ends with\n"
		  "exit code 7 when runs are left, and says how to go on. --reuse OLD.db measures only what is new.",
	  .options = "set tag db csv out until for reuse destroy overwrite-signature keep-going plot progress quiet verbose strict yes-large",
	  .max_args = 1, .run = cmd_run },
	{ .name = "resume", .args = "DB", .summary = "go on where it stopped",
	  .help = "Rows with a final outcome stay; what was under way is done again, and what was given up after failures in\n"
		  "a row. --retry failed,timeout,skipped gives such rows a new attempt, and so does --redo \"doubts <> ''\" for\n"
		  "all that match; older attempts stay in the view all_runs. Permissions (--destroy) must be given again.\n"
		  "Rows that could not be stored (DB-spool) are brought into the database; one of an older iosweep is brought\n"
		  "up to date, after a copy into DB.bak-vN.",
	  .options = "csv retry redo until for destroy overwrite-signature keep-going plot progress quiet verbose strict",
	  .min_args = 1, .max_args = 1, .run = cmd_resume },
	{ .name = "plan", .args = "CONFIG|-", .summary = "what would run, how long",
	  .help = "Counts the combinations, says what is merged, excluded and skipped and why, how long it takes, what each\n"
		  "target is, and whether it may be written to. Changes nothing; exit codes are those of run. With --for 8h\n"
		  "or --until 07:00 it says what would be measured by then.\n"
		  "  iosweep plan CONFIG --json --list\n"
		  "  iosweep plan CONFIG --fio >plan.sh    # for a host where only fio is allowed",
	  .options = "set json list fio until for destroy overwrite-signature strict yes-large quiet verbose",
	  .max_args = 1, .run = cmd_plan },
	{ .name = "show", .args = "DB [ID]", .summary = "how a sweep stands (also while it runs), or one run of it",
	  .help = "A sweep is drawn as a grid of its combinations: done, in doubt, failed, skipped, not yet.\n"
		  "ID is the number of a run, or the id of a combination (c and 12 hex digits): its last attempts. A run is shown as\n"
		  "fio's users read it, with its latencies and its course drawn; --json has rows (`percentiles` in us), intervals and histograms.\n"
		  "Which percentiles: those of the sweep's percentile_list.",
	  .options = "json", .min_args = 1, .max_args = 2, .run = cmd_show },
	{ .name = "list", .args = "[DIR|FILE...]", .summary = "the sweeps in a folder (results/), and how each stands",
	  .help = "One entry per database, oldest first: name, state, start, size; runs done and planned, failed, in doubt; host and\n"
		  "targets. running, done, or stopped, which is also what was killed: it can be resumed. What\n"
		  "is no readable database is listed with the reason. Reads alone: nothing is changed, also beside a sweep.",
	  .options = "json", .max_args = -1, .run = cmd_list },
	{ .name = "best", .args = "DB", .summary = "sweet spots, in words",
	  .help = "One answer for each target, pattern and other condition: the peak, the smallest block size that reaches\n"
		  "95 % of it with the cheapest concurrency, the most IOPS (also within a --limit), the least CPU per I/O,\n"
		  "and how it grows with depth and jobs. Runs in doubt never win. What cannot be told apart is said.\n"
		  "  iosweep best results/x.db --where \"rw = 'randread'\" --limit 'lat_p99_us<=2000'",
	  .options = "by metric within limit where json", .min_args = 1, .max_args = 1, .run = cmd_best },
	{ .name = "compare", .args = "A [B]", .summary = "what changed between two sweeps",
	  .help = "Cells that both measured the same way are compared by the spread from run to run, all of them at once: changed\n"
		  "(by 3 % or more, and at most 5 % of those by chance), the same (within 3 %), or undecided. First what differs\n"
		  "in the environments, then the shift that all have in common, then which cells changed, by axis.\n"
		  "An axis with one value in A and one other in B (another volume or runtime) is not compared. Of one file two\n"
		  "halves are compared by --a and --b. Exit code 5: nothing in common.\n"
		  "  iosweep compare old.db new.db --fail-on regression:5\n"
		  "  iosweep compare x.db --a ioengine=libaio --b ioengine=io_uring",
	  .options = "a b ignore metric where json markdown fail-on", .min_args = 1, .max_args = 2, .run = cmd_compare },
	{ .name = "export", .args = "DB", .summary = "the rows as csv, xlsx, json, markdown, ...; matrices, intervals, histograms",
	  .help = "One row per run and op, with the columns of the view `results`; see: iosweep help metrics.\n"
		  "xlsx is a workbook with filters that opens alike in every locale.\n"
		  "csv-excel has a byte order mark, semicolons, decimal commas and CRLF, for sheets in such a locale.\n"
		  "fio-job is a job file: what each combination ran, with all of its options, for whom wants to see the same in fio;\n"
		  "of what was imported, what fio ran, as its documents say.\n"
		  "fio-json is what fio itself would have printed, for what reads that: one document for one run, else a folder of\n"
		  "files such as randread_4k_1_32.json (--layout bench-fio: as bench-fio has them); fio-json+ with its bins.\n"
		  "  iosweep export results/x.db --where \"rw = 'randread' and iodepth = 32\" -o x.csv\n"
		  "  iosweep export results/x.db --format fio-job --run 7 | fio -",
	  .options = "format where run layout wide pivot intervals histograms output", .min_args = 1, .max_args = 1, .run = cmd_export },
	{ .name = "import", .args = "FILE...", .summary = "results of fio (JSON, JSON+) into a database",
	  .help = "Reads what fio 2.0 to 3.4x printed with --output-format=json or json+: files, and all files below a\n"
		  "directory, whatever stands around the documents in them. The rows are like our own, so that best, compare,\n"
		  "show, export and plot answer for them; what a document does not say is empty. A document is never stored\n"
		  "twice. Files that are invalid are named and left out (exit code 3). --db may name a database that `import`\n"
		  "made: then it is added to.\n"
		  "Clones of a job without group_reporting are rows in doubt (partial-job), or one row with --sum-jobs.\n"
		  "  iosweep import fio-results/ --db old.db && iosweep best old.db",
	  .options = "db out sum-jobs quiet", .min_args = 1, .max_args = -1, .run = cmd_import },
	{ .name = "import-job", .args = "[FILE.fio...]", .summary = "a job file of fio becomes a config",
	  .help = "Prints a config that `iosweep run` takes: [global], sections, stonewall, include and ${VARIABLES} mean what they\n"
		  "mean in fio, numbers too (there 4kib is 4000), and where iosweep's defaults are others, fio's are written out.\n"
		  "Sections become axes when they form a product, else entries of `include`. An option that is not supported\n"
		  "stops the import, by file, line and name.\n"
		  "  iosweep import-job my.fio --sweep bs=4k..1m*2 --sweep iodepth=1,8,32 | iosweep run -\n"
		  "  iosweep import-job --cmdline 'fio --name=a --filename=t.bin --size=1g --rw=randread --runtime=30 --time_based'",
	  .options = "cmdline section sweep without quiet output", .max_args = -1, .run = cmd_import_job },
	{ .name = "plot", .args = "DB", .summary = "any column against any column, as a picture or in the terminal",
	  .help = "Draws by gnuplot into a file, as its name ends (" PLOT_ENDINGS "); without -o in the terminal. Axes that are not named are reduced\n"
		  "to the best value. Points in doubt are hollow and never stand where a clean one could.\n"
		  "  iosweep plot x.db --x bs --y run_bw_mib_s --series iodepth --panel rw -o x.svg\n"
		  "  iosweep plot x.db --x run_iops --y lat_p99_us --series numjobs --label iodepth -o knee.png\n"
		  "  iosweep plot x.db --kind heatmap --x iodepth --series bs --y run_iops --panel rw -o map.png",
	  .options = "x y series panel label kind ratio all where keep output", .min_args = 1, .max_args = 1, .run = cmd_plot },
	{ .name = "report", .args = "DB", .summary = "charts and one HTML page",
	  .help = "One file that needs no network and can be sent: what was asked, the machine, doubts first, the answers of best,\n"
		  "the standard charts (by gnuplot; without it their tables), and a table of all rows that sorts, filters and\n"
		  "opens a run: its flags explained, its histogram and course, what the kernel granted. It can be read without\n"
		  "script. -o names a file or a directory, - is stdout; without it x.db makes x.html beside it.\n"
		  "  iosweep report results/x.db -o x.html\n"
		  "  iosweep report old.db --compare new.db --where \"direct = 1\" -o - | gzip >both.html.gz",
	  .options = "compare where output", .min_args = 1, .max_args = 1, .run = cmd_report },
	{ .name = "probe", .args = "[PATH...]", .summary = "what this machine can do, and each PATH as a target",
	  .help = "Engines with the reason when one cannot be used, limits, facts; for each PATH what it is, how it is\n"
		  "aligned, whether its data was really written, and whether it is safe to write to. Changes nothing.",
	  .options = "json", .max_args = -1, .run = cmd_probe },
	{ .name = "clean", .args = "DB", .summary = "remove what an abandoned sweep left",
	  .help = "Removes the files that the sweep made: only those that still carry its marker and are still the same\n"
		  "file. The results stay. Refused while a sweep runs on DB.",
	  .options = "quiet", .min_args = 1, .max_args = 1, .run = cmd_clean },
	{ .name = "help", .args = "[TOPIC]", .summary = "this text, or about one topic or command",
	  .options = "", .max_args = 1, .run = cmd_help },
	{ 0 },
};
/* clang-format on */

const struct command *command_find(const char *name)
{
	for (const struct command *c = commands; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}
