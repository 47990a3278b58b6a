/* tests/support/engine_sim.h: a simulated device with its own clock: one server, every I/O
 * takes SIM_SERVICE_NS, first come, first served. What it does is known to the nanosecond, and
 * no test waits for it. */
#ifndef SUPPORT_ENGINE_SIM_H
#define SUPPORT_ENGINE_SIM_H

#include "engine/engine.h"

#define SIM_SERVICE_NS 1000000ULL

extern const struct engine_ops engine_sim;

#endif
