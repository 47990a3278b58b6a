/* tests/support/recorded.h: a bench (core_bench.h) whose I/Os are recorded (record.h). A
 * program that uses it says "wrap: engine_ops lane_prepare" in its first comment. */
#ifndef SUPPORT_RECORDED_H
#define SUPPORT_RECORDED_H

#include "support/core_bench.h"
#include "support/record.h"

extern struct recording rec;

/* bench_spec(); from now on its runs go into `rec`, which is empty. */
struct run_spec recorded_spec(const struct bench *b, enum engine_id engine, enum rw rw);
int recorded_teardown(void **state);

#define RECORDED_TEST(f) cmocka_unit_test_setup_teardown(f, bench_setup, recorded_teardown)

#endif
