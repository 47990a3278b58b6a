#include "engine/engines.h"

const struct engine_ops engine_io_uring = { .name = "io_uring" };
