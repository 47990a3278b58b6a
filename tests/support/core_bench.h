/* tests/support/core_bench.h: a core with a temporary file, for the tests of run/core.h. */
#ifndef SUPPORT_CORE_BENCH_H
#define SUPPORT_CORE_BENCH_H

#include "run/core.h"

struct bench {
	struct core *core;
	struct live *live;
	struct sample *sample;
	char dir[64], path[96]; /* the file has FILE_BYTES of noise */
	struct err err;
};

#define FILE_BYTES (1024 * 1024)

int bench_setup(void **state);
int bench_teardown(void **state);

/* Size mode: one pass over the file, direct=0 (works on every file system). */
struct run_spec bench_spec(const struct bench *b, uint64_t engine, enum rw rw);
/* One server, every I/O takes so long, first come, first served: what a run on it gives is known to the nanosecond. */
struct sim_device bench_device(uint64_t service_ns);
/* core_run(), and what must hold of every sample. */
int bench_run(struct bench *b, const struct run_spec *spec);
void bench_file(const char *path, uint64_t bytes); /* noise */
bool bench_usable(uint64_t engine);

#endif
