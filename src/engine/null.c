#include "engine/engines.h"

const struct engine_ops engine_null = { .name = "null" };
