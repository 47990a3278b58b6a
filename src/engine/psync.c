#include "engine/engines.h"

const struct engine_ops engine_psync = { .name = "psync" };
