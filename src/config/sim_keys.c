#include "config/sim_keys.h"

#include "base/cleanup.h"
#include "engine/sim.h"

#define DEVICE(member)  .off = offsetof(struct sim_device, member)
#define SERVICE(member) .off = offsetof(struct sim_service, member)
#define STEP(member)    .off = offsetof(struct sim_device, step[0].member) - offsetof(struct sim_device, step)
#define TIME(low)       .kind = SIM_KEY_TIME, .min = (low), .max = 1e9, .value = (low) >= 0.001 ? "time, at least 1ms" : (low) > 0 ? "time, more than 0" : "time"
#define HOUR(low)       .kind = SIM_KEY_TIME, .min = (low), .max = 3600, .value = (low) > 0 ? "time, more than 0, up to 1h" : "time, up to 1h"
#define SIZE(low)       .kind = SIM_KEY_SIZE, .min = (low), .max = 0x1p62, .value = "size"
#define SHARE           .kind = SIM_KEY_REAL, .min = 0, .max = 1, .value = "0 to 1"
#define FACTOR          .kind = SIM_KEY_REAL, .min = 0.001, .max = 1000, .value = "0.001 to 1000"
#define SLOWER          .kind = SIM_KEY_REAL, .min = 0.001, .max = 1, .value = "0.001 to 1"
#define NS              1e-9

const struct sim_section sim_sections[] = {
	{ "", "the device" },
	{ "service", "\"read\", \"write\", \"trim\", \"fsync\": how long one server takes for one I/O" },
	{ "credits", "an I/O spends credits; while they last the device is as fast as it can be" },
	{ "cache", "a part of it is fast until it is full, as an SLC write cache" },
	{ "fresh", "a device that was never written to is faster" },
	{ "cleaning", "reads are slower while what was written is tidied up" },
	{ "heat", "it grows slower as it works" },
	{ "decay", "it settles at a lower speed as it works" },
	{ "stalls", "it stands still, or nearly, from time to time" },
	{ "modes", "it is now fast, now slow" },
	{ "wave", "its speed goes up and down, as with a neighbour that comes and goes" },
	{ "noise", "its speed wanders, from slot to slot" },
	{ "spikes", "some slots, at random, are slower" },
	{ "ramp_up", "every run begins slower" },
	{ "steps", "a list of such objects: its speed changes for good" },
};
const size_t sim_section_count = ARRAY_SIZE(sim_sections);

/* clang-format off */
const struct sim_key sim_keys[] = {
	{ "", "name", DEVICE(name), .kind = SIM_KEY_NAME, .value = "text, at most 63 characters", .def = "none", .help = "what plan calls it" },
	{ "", "description", .kind = SIM_KEY_TEXT, .value = "text", .def = "none", .help = "for the reader" },
	{ "", "size", DEVICE(size_bytes), SIZE(512), .help = "capacity: the default of the axis size" },
	{ "", "servers", DEVICE(servers), .kind = SIM_KEY_COUNT, .min = 1, .max = SIM_SERVERS_MAX, .value = "1 to 4096", .def = "1",
	  .help = "I/Os that are served at the same time; the others wait, first come, first served" },
	{ "", "bandwidth", DEVICE(bytes_s), .kind = SIM_KEY_AMOUNT, .min = 1, .max = 0x1p62, .value = "size per second", .def = "no cap", .help = "cap of all I/Os together" },
	{ "", "iops", DEVICE(iops), .kind = SIM_KEY_REAL, .min = 0.001, .max = 1e9, .value = "I/Os per second", .def = "no cap", .help = "cap of all I/Os together" },
	{ "", "between_runs", DEVICE(between_runs), .kind = SIM_KEY_REAL, .min = 0, .max = 0.3, .value = "0 to 0.3", .def = "0",
	  .help = "relative standard deviation of the speed from run to run" },
	{ "", "seed", DEVICE(seed), .kind = SIM_KEY_COUNT, .min = 0, .max = 0x1p53, .value = "integer", .def = "1", .help = "start of all its random sequences, with the sweep's seed" },
	{ "service", "base", SERVICE(base_ns), HOUR(NS), .help = "mean time whatever the size" },
	{ "service", "per_mib", SERVICE(per_mib_ns), HOUR(0), .def = "0", .help = "mean time for each MiB on top" },
	{ "service", "spread", SERVICE(spread), .kind = SIM_KEY_CHOICE, .choice = sim_spread_name, .value = "fixed, exponential or lognormal", .def = "fixed",
	  .help = "how times are spread around their mean" },
	{ "service", "cv", SERVICE(cv), .kind = SIM_KEY_REAL, .min = 0, .max = 10, .value = "0 to 10", .def = "0", .help = "of lognormal: standard deviation / mean" },
	{ "credits", "size", DEVICE(credits.size), .kind = SIM_KEY_AMOUNT, .min = 1, .max = 0x1p62, .value = "number, or size", .help = "credits of a full account; it begins full" },
	{ "credits", "refill", DEVICE(credits.refill), .kind = SIM_KEY_AMOUNT, .min = 0.001, .max = 0x1p62, .value = "number or size, per second",
	  .help = "credits that come back: the rate that is left when all are spent" },
	{ "credits", "unit", DEVICE(credits.unit), .kind = SIM_KEY_CHOICE, .choice = sim_unit_name, .value = "ios or bytes", .def = "ios", .help = "what a credit pays for" },
	{ "cache", "op", DEVICE(cache.op), .kind = SIM_KEY_CHOICE, .choice = op_name, .value = "read or write", .def = "write", .help = "whose I/Os fill it" },
	{ "cache", "size", DEVICE(cache.size), SIZE(1), .help = "bytes that it takes" },
	{ "cache", "factor", DEVICE(cache.factor), SLOWER, .help = "speed when it is full" },
	{ "cache", "recover", DEVICE(cache.recover), SIZE(0), .def = "0", .help = "bytes per second that it gets back while nothing is asked of the device" },
	{ "fresh", "passes", DEVICE(fresh.passes), .kind = SIM_KEY_REAL, .min = 0, .max = 100, .value = "0 to 100", .def = "1", .help = "until so many times its size is written ..." },
	{ "fresh", "factor", DEVICE(fresh.factor), FACTOR, .help = "... writes have this speed" },
	{ "cleaning", "size", DEVICE(cleaning.size), SIZE(1), .help = "bytes that are left to tidy up, at most" },
	{ "cleaning", "recover", DEVICE(cleaning.recover), SIZE(1), .help = "bytes per second that are tidied up" },
	{ "cleaning", "factor", DEVICE(cleaning.factor), SLOWER, .help = "speed of reads until then" },
	{ "heat", "after", DEVICE(heat.after_ns), TIME(0), .def = "0", .help = "busy time before it shows" },
	{ "heat", "per_s", DEVICE(heat.per_s), SHARE, .help = "part of the speed that is lost in every busy second after it" },
	{ "heat", "floor", DEVICE(heat.floor), SLOWER, .help = "speed that is left at the end" },
	{ "heat", "cool", DEVICE(heat.cool), .kind = SIM_KEY_REAL, .min = 0, .max = 1000, .value = "0 to 1000", .def = "0", .help = "busy seconds that are undone by an idle one" },
	{ "decay", "tau", DEVICE(decay.tau_ns), TIME(NS), .help = "time constant, of busy time" },
	{ "decay", "drop", DEVICE(decay.drop), SHARE, .help = "part of the speed that is lost at the end" },
	{ "stalls", "every", DEVICE(stalls.every_ns), TIME(0.001), .help = "from one to the next" },
	{ "stalls", "for", DEVICE(stalls.for_ns), TIME(NS), .help = "how long" },
	{ "stalls", "factor", DEVICE(stalls.factor), SHARE, .def = "0", .help = "speed meanwhile; 0: nothing begins" },
	{ "stalls", "random", DEVICE(stalls.random), .kind = SIM_KEY_BOOL, .value = "true or false", .def = "false", .help = "those are means of exponential times" },
	{ "modes", "factor", DEVICE(modes.factor), SLOWER, .help = "speed of the slow one" },
	{ "modes", "high", DEVICE(modes.high_ns), TIME(0.001), .help = "mean stay in the fast one, exponential" },
	{ "modes", "low", DEVICE(modes.low_ns), TIME(0.001), .help = "and in the slow one" },
	{ "wave", "shape", DEVICE(wave.shape), .kind = SIM_KEY_CHOICE, .choice = sim_wave_name, .value = "sine, saw or square", .def = "sine",
	  .help = "sine: around 1; saw: from 1 down, then back at once; square: half of the time down" },
	{ "wave", "period", DEVICE(wave.period_ns), TIME(0.001), .help = "how long one takes" },
	{ "wave", "amplitude", DEVICE(wave.amplitude), SHARE, .help = "by how much" },
	{ "noise", "cv", DEVICE(noise.cv), .kind = SIM_KEY_REAL, .min = 0, .max = 1, .value = "0 to 1", .def = "0", .help = "relative standard deviation" },
	{ "noise", "rho", DEVICE(noise.rho), .kind = SIM_KEY_REAL, .min = 0, .max = 0.9999, .value = "0 to 0.9999", .def = "0", .help = "correlation of a slot with the one before: AR(1)" },
	{ "noise", "slot", DEVICE(noise.slot_ns), TIME(0.001), .def = "100ms", .help = "length of a slot, also of the spikes'" },
	{ "spikes", "share", DEVICE(spikes.share), SHARE, .help = "of the slots" },
	{ "spikes", "factor", DEVICE(spikes.factor), SLOWER, .help = "speed in them" },
	{ "ramp_up", "tau", DEVICE(ramp_up.tau_ns), TIME(NS), .help = "time constant" },
	{ "ramp_up", "depth", DEVICE(ramp_up.depth), SHARE, .help = "part of the speed that is missing at the start" },
	{ "steps", "at", STEP(at_ns), TIME(0), .help = "time since its first use" },
	{ "steps", "factor", STEP(factor), FACTOR, .help = "speed from then on, against the start" },
};
/* clang-format on */
const size_t sim_key_count = ARRAY_SIZE(sim_keys);
