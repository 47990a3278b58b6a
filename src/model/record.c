#include "model/record.h"

const char *status_name(uint64_t status)
{
	static const char *const name[STATUS_COUNT] = {
		[STATUS_RUNNING] = "running", [STATUS_OK] = "ok",
		[STATUS_FAILED] = "failed",   [STATUS_SKIPPED] = "skipped",
		[STATUS_INTERRUPTED] = "interrupted", [STATUS_TIMEOUT] = "timeout",
	};

	return status < STATUS_COUNT ? name[status] : NULL;
}

const char *purpose_name(uint64_t purpose)
{
	static const char *const name[PURPOSE_COUNT] = { "grid", "pilot", "sentinel", "confirm", "anchor", "fill", "round", "baseline", "settle" };

	return purpose < PURPOSE_COUNT ? name[purpose] : NULL;
}
