#include "support/recorded.h"

struct recording rec;

struct run_spec recorded_spec(const struct bench *b, enum engine_id engine, enum rw rw)
{
	recording_fini(&rec);
	rec = (struct recording){ .engine = engine };
	record_into(&rec);
	return bench_spec(b, engine, rw);
}

int recorded_teardown(void **state)
{
	int r = bench_teardown(state); /* its engines first */

	recording_fini(&rec);
	return r;
}
