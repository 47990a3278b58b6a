/* stat/tail.h: how sure a percentile is. Slow I/Os come in clumps (one stall hits the whole
 * queue), so that intervals from order statistics, which take I/Os as independent, are far too
 * narrow. Batch exceedance asks instead how much the share of I/Os above the percentile differs
 * from batch to batch. Pure. */
#ifndef STAT_TAIL_H
#define STAT_TAIL_H

#include <stdbool.h>
#include <stdint.h>

/* Half width of the share of I/Os above a threshold, from counts per batch of equal time (n >=
 * 5 and <= TAIL_MAX): the ratio estimator above / all by batch means, with their correlation
 * (stat/batch.h); never less than that of independent I/Os above a quantile p, z sqrt(p (1 - p)
 * / all). */
double stat_share_half_width(const uint64_t *above, const uint64_t *all, unsigned n, double p,
                             double confidence);

/* The half width h is good enough to name a quantile p (0.99): h <= (1 - p) / 2. The interval
 * then is from quantile p - h to p + h. */
bool stat_tail_resolved(double p, double half_width);

#endif
