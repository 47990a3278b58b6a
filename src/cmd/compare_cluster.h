/* cmd/compare_cluster.h: which of the changed cells belong together, by axis: "rw = randwrite,
 * iodepth >= 16". Pure. */
#ifndef CMD_COMPARE_CLUSTER_H
#define CMD_COMPARE_CLUSTER_H

#include "cmd/compare_load.h"

#define CLUSTER_MAX   6
#define CLUSTER_TERMS 2

struct cluster_term {
	size_t axis;
	uint32_t low, high; /* indices of values, both included */
};

struct cluster {
	struct cluster_term term[CLUSTER_TERMS];
	size_t terms;          /* 0: all cells */
	size_t cells, changed; /* that match; of these changed, in the direction of d */
	double d, low,
	    high; /* mean of the matching cells' d, with the interval of their standard error */
};

/* At most CLUSTER_MAX, the largest first; each describes changed cells that the ones before do
 * not. Returns how many. */
size_t cluster_find(struct cluster out[CLUSTER_MAX], const struct compare_data *d,
                    const struct comparison *c);

#endif
