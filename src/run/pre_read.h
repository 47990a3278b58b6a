/* run/pre_read.h: the regions of a run brought into the page cache before it begins. */
#ifndef RUN_PRE_READ_H
#define RUN_PRE_READ_H

#include "run/pool.h"

/* Read the region of each of the first `jobs` lanes of p through its own open file, one after another; live shows how
 * far it is, and ends it early (0) when the run is to stop. A region that ends before it should is left to the run. */
int pre_read(const struct pool *p, unsigned jobs, struct live *live, struct err *e);

#endif
