#include "config/settings.h"

#include <string.h>

#include "base/cleanup.h"
#include "model/sweep.h"

#define OFF(member) offsetof(struct sweep, member)

/* clang-format off */
const struct setting settings[] = {
	{ .name = "benchmark_type", .alias = "time_based", .kind = SETTING_BENCHMARK, .value = "time or size (time_based: 1 or 0)",
	  .def = "time if runtime is given, size if only size or io_size is",
	  .help = "time: loop until runtime; size: every job makes one full pass (or io_size), no ramp, runtime is a cap" },
	{ .name = "name", .kind = SETTING_NAME, .off = OFF(name), .value = "letters, digits, . _ -, at most 64", .def = "the config's file name without .json",
	  .help = "name of the sweep and of its files" },
	{ .name = "description", .kind = SETTING_TEXT, .off = OFF(description), .value = "text", .def = "none",
	  .help = "what the sweep is for; stored with it" },
	{ .name = "tags", .kind = SETTING_TAGS, .value = "object of text", .def = "none",
	  .help = "labels of the sweep, repeated in every row" },
	{ .name = "repeats", .kind = SETTING_COUNT, .off = OFF(repeats), .value = "1 or more", .def = "1",
	  .help = "runs of each combination, in rounds, so that repeats of a combination lie apart" },
	{ .name = "order", .kind = SETTING_ORDER, .value = "spread, listed or random", .def = "spread",
	  .help = "spread: a space-filling quarter of every rw block first, then the rest; listed: config order, filename outermost; random" },
	{ .name = "seed", .kind = SETTING_SEED, .off = OFF(seed), .value = "64-bit integer (as text above 2^63 - 1)", .def = "1",
	  .help = "start of every random sequence: offsets, directions, data, order" },
	{ .name = "exclude", .kind = SETTING_EXCLUDE, .value = "list of partial combinations", .def = "none",
	  .help = "combinations to leave out: all named keys match, any listed value" },
	{ .name = "include", .kind = SETTING_INCLUDE, .value = "list of combinations", .def = "none",
	  .help = "combinations added after exclude and where; own lists multiply; may carry a name" },
	{ .name = "where", .kind = SETTING_TEXT, .off = OFF(where), .nonzero = true, .value = "one SQL expression over the axes", .def = "none",
	  .help = "keeps the combinations for which it is true; bytes, seconds, size('64k'), seconds('5m')" },
	{ .name = "stall_timeout", .kind = SETTING_TIME, .off = OFF(stall_timeout_ns), .nonzero = true, .value = "time, more than 0", .def = "60s",
	  .help = "no completion for so long while I/O is in flight ends a run as timeout" },
	{ .name = "may_overwrite", .kind = SETTING_PATHS, .value = "path or list of paths", .def = "none",
	  .help = "existing files this config may write to; never enough for a device" },
	{ .name = "max_write", .kind = SETTING_SIZE, .off = OFF(max_write_bytes), .nonzero = true, .value = "bytes, more than 0", .def = "none",
	  .help = "most that the sweep may write, layout and fill included; then its writing runs are skipped" },
	{ .name = "keep", .kind = SETTING_BOOL, .off = OFF(keep), .value = "0, 1, true or false", .def = "false",
	  .help = "keep the files the sweep created" },
	{ .name = "fill", .kind = SETTING_BOOL, .off = OFF(fill), .value = "0, 1, true or false", .def = "false",
	  .help = "write the whole target once before the first run (a device also needs --destroy)" },
	{ .name = "precondition", .kind = SETTING_PRECONDITION, .value = "object: sequential_passes (2), sequential_bs (1m), random_passes (0), bs (4k), iodepth (32), rounds {max (25), runtime (60s)}, max_time, max_write, settle (60s)", .def = "none",
	  .help = "before the first run: write every block of the target so often, then random writes in rounds until five of them are steady; after writing runs let it settle before it is read (a device also needs --destroy)" },
	{ .name = "pause", .kind = SETTING_TIME, .off = OFF(pause_ns), .value = "time", .def = "0",
	  .help = "idle time between runs" },
	{ .name = "sentinels", .kind = SETTING_SENTINELS, .value = "true, false (or 0), or a time", .def = "true",
	  .help = "one cell of every target and pattern is run again when so much time has passed (true: every 30 min in sweeps of more than an hour): how far two runs of the same lie apart, and whether machine or device changed over the night" },
	{ .name = "precision", .kind = SETTING_PRECISION, .value = "a percentage such as 2%, at most 50%; 0% is off", .def = "off",
	  .help = "a run ends as soon as the 95 % interval of its IOPS is no wider than this to either side; runtime is then the longest it may last" },
	{ .name = "pilot", .kind = SETTING_BOOL, .off = OFF(pilot), .value = "0, 1, true or false", .def = "false",
	  .help = "with precision: first a long run of every target, engine, pattern and direct at its smallest and largest bs, with the most I/Os in flight, teaches how long the others need" },
	{ .name = "pilot_time", .kind = SETTING_TIME, .off = OFF(pilot_ns), .nonzero = true, .value = "time, more than 0", .def = "120s",
	  .help = "how long a pilot lasts; then it is idle for 1/24 of that and runs again for 1/15; below 12 s it teaches nothing, below 40 s little" },
	{ .name = "percentile_list", .kind = SETTING_PERCENTILES, .value = "at most 20 numbers above 0 and up to 100, of at most six decimals: \"50:99:99.9\" or [50, 99, 99.9]", .def = "1, 5, 10, 20, ... 90, 95, 99, 99.5, 99.9, 99.95, 99.99",
	  .help = "the percentiles of latency that `show DB RUN` and fio's documents and jobs have; columns of results are always the same" },
};
/* clang-format on */

const size_t setting_count = ARRAY_SIZE(settings);

const struct setting *setting_find(const char *key)
{
	for (size_t i = 0; i < setting_count; i++)
		if (!strcmp(settings[i].name, key) ||
		    (settings[i].alias && !strcmp(settings[i].alias, key)))
			return &settings[i];
	return NULL;
}
