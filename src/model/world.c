#include "model/world.h"

const char *target_kind_name(enum target_kind kind)
{
	static const char *const name[] = {
		[TARGET_MISSING] = "missing",         [TARGET_FILE] = "file",
		[TARGET_BLOCK] = "block device",      [TARGET_DIRECTORY] = "directory",
		[TARGET_UNUSABLE] = "unusable",       [TARGET_NOT_NEEDED] = "not needed",
		[TARGET_SIMULATED] = "simulated device",
	};

	return name[kind];
}
