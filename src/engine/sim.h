/* engine/sim.h: simulated devices. A description is plain values, found in a JSON file by
 * config/; the state of every device of a sweep lives in struct sim, on one virtual clock that
 * only I/Os and sim_pass() move: the same descriptions and the same I/Os give the same times,
 * to the nanosecond.
 *
 * An I/O waits for one of `servers` to be free, for the caps and for credits, then it is
 * served: all of that is decided when it is submitted. */
#ifndef ENGINE_SIM_H
#define ENGINE_SIM_H

#include "engine/engine.h"

#define SIM_SERVERS_MAX 4096
#define SIM_STEPS_MAX   32
#define SIM_EPOCH_NS    UINT64_C(1000000000) /* the clock begins here: 0 means "never" elsewhere \
	                                      */

enum sim_spread { SIM_FIXED, SIM_EXPONENTIAL, SIM_LOGNORMAL, SIM_SPREAD_COUNT };
enum sim_unit { SIM_IOS, SIM_BYTES, SIM_UNIT_COUNT };
enum sim_wave { SIM_SINE, SIM_SAW, SIM_SQUARE, SIM_WAVE_COUNT };

const char *sim_spread_name(uint64_t v); /* NULL past the end, these three */
const char *sim_unit_name(uint64_t v);
const char *sim_wave_name(uint64_t v);

struct sim_service { /* how long one server takes for one I/O */
	uint64_t base_ns, per_mib_ns, spread;
	double cv; /* of lognormal: standard deviation / mean */
};

/* Without padding: equal descriptions have equal bytes. Times in ns, sizes in bytes, rates per
 * second. A part whose first member is 0 (factors: 1) is not there. Factors multiply the speed
 * of the device: of servers and caps. */
struct sim_device {
	char name[64];
	char id[24]; /* of what the description says: another text, another id */
	uint64_t size_bytes, servers, seed;
	double iops, bytes_s; /* caps */
	struct sim_service service[OP_COUNT];
	struct {
		double size,
		    refill; /* of unit; refill is the rate that is left when all are spent */
		uint64_t unit;
	} credits;
	struct { /* the first `size` bytes of op go at full speed, then at `factor`; idle,
		    `recover` bytes/s come back */
		uint64_t size, op, recover;
		double factor;
	} cache;
	struct { /* writes go `factor` times as fast until passes x size bytes are written, ever
		  */
		double passes, factor;
	} fresh;
	struct { /* written bytes, at most size, are tidied up at `recover` bytes/s; until then
		    reads go at `factor` */
		uint64_t size, recover;
		double factor;
	} cleaning;
	struct { /* of busy time: after `after` the speed falls by `per_s` per second down to
		    `floor`; `cool` seconds of it are undone by an idle second */
		double per_s, floor, cool;
		uint64_t after_ns;
	} heat;
	struct { /* of busy time: the speed settles exponentially to 1 - drop */
		uint64_t tau_ns;
		double drop;
	} decay;
	struct { /* for `for_ns` out of every `every_ns` */
		uint64_t every_ns, for_ns;
		double factor;   /* 0: nothing starts */
		uint64_t random; /* 1: gaps and lengths are exponential with these means */
	} stalls;
	struct { /* now at full speed, now at `factor`, exponential stays with these means */
		uint64_t high_ns, low_ns;
		double factor;
	} modes;
	struct {
		uint64_t period_ns, shape;
		double amplitude; /* sine: 1 +- a; saw: from 1 down to 1 - a; square: 1, then 1
		                     - a */
	} wave;
	struct { /* AR(1) with this standard deviation and lag-1 correlation from slot to slot
		  */
		double cv, rho;
		uint64_t slot_ns;
	} noise;
	struct { /* a share of the slots of the noise, at random, has this factor */
		double share, factor;
	} spikes;
	struct { /* every run begins 1 - depth as fast, and settles exponentially */
		uint64_t tau_ns;
		double depth;
	} ramp_up;
	double between_runs; /* standard deviation of the speed from run to run */
	struct {
		uint64_t at_ns; /* since the device was first used */
		double factor;  /* from then on */
	} step[SIM_STEPS_MAX];
	uint64_t steps;
};

struct sim;

/* NULL: out of memory. */
struct sim *sim_new(void);
void sim_free(struct sim *s);
uint64_t sim_now(const struct sim *s);
/* Let time pass in which nothing is asked of any device. */
void sim_pass(struct sim *s, uint64_t ns);
/* A run on device number `index` begins: engines that are bound to s from now on work on it.
 * Its state is kept from run to run for as long as the description stays the same; a new one
 * begins here and now. -ENOMEM. */
int sim_begin(struct sim *s, uint64_t index, const struct sim_device *d, struct err *e);
/* An I/O of `len` bytes is asked of that device now: when it will be complete. */
uint64_t sim_serve(struct sim *s, enum op op, uint64_t len);

#endif
