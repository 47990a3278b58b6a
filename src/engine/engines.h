/* engine/engines.h: the engines by name, for the table in engine.c. */
#ifndef ENGINE_ENGINES_H
#define ENGINE_ENGINES_H

#include "engine/engine.h"

extern const struct engine_ops engine_io_uring, engine_libaio, engine_psync, engine_null,
    engine_pvsync2, engine_mmap, engine_sim;

#endif
