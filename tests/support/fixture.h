/* tests/support/fixture.h: hand-made sweeps and worlds for tests of the plan. */
#ifndef SUPPORT_FIXTURE_H
#define SUPPORT_FIXTURE_H

#include "base/units.h"
#include "model/sweep.h"
#include "model/world.h"

#define VALUES(...)                                                                            \
	((const uint64_t[]){ __VA_ARGS__ }),                                                   \
	    (sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

/* One target t.bin, psync, randread, bs 4k, runtime 30 s. */
struct sweep *fixture_sweep(void);
/* Replace the values of an axis; equal values are merged as the config does. */
void fixture_axis(struct sweep *s, enum axis_id a, const uint64_t *val, size_t n);
/* Add targets until there are n; filename takes them all. */
void fixture_targets(struct sweep *s, size_t n);
/* Add an empty exclude or include entry; the pointer is good until the next one. */
struct partial *fixture_exclude(struct sweep *s, const char *text);
struct partial *fixture_include(struct sweep *s, const char *label);
void fixture_partial(struct partial *p, enum axis_id a, const uint64_t *val, size_t n);

/* Existing 1 GiB files on ext4 with 512 byte alignment, every engine usable, limits out of the
 * way. */
void fixture_world(struct world *w, const struct sweep *s);
void fixture_world_fini(struct world *w);

#endif
