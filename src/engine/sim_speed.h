/* engine/sim_speed.h: how fast a simulated device is at a moment: everything that happens to it
 * whatever it is asked for. Moments only go forward. */
#ifndef ENGINE_SIM_SPEED_H
#define ENGINE_SIM_SPEED_H

#include "engine/sim.h"
#include "engine/sim_random.h"

struct sim_speed {
	const struct sim_device *d; /* borrowed */
	struct sim_random random;
	double factor;     /* of now; 0: nothing starts before until_ns */
	uint64_t until_ns; /* it holds until then */
	uint64_t born_ns, run_ns, at_ns;
	uint64_t idle_ns; /* in all, as it was told at at_ns */
	double run_factor;
	double noise, spike;
	uint64_t slot; /* of the noise, + 1; 0: none yet */
	bool low;      /* the slower of the two modes */
	uint64_t mode_until_ns, stall_from_ns, stall_to_ns, wave_phase_ns;
	double hot_ns,
	    worked_ns; /* of busy time: that counts for heat, that counts for decay */
};

void sim_speed_init(struct sim_speed *s, const struct sim_device *d, uint64_t seed,
                    uint64_t now);
void sim_speed_begin_run(struct sim_speed *s, uint64_t now);
/* Set factor and until_ns for the moment t, t >= until_ns of before. idle_ns: idle time of the
 * device in all. */
void sim_speed_update(struct sim_speed *s, uint64_t t, uint64_t idle_ns);

#endif
