/* model/verdict.h: what the course of one run says about its numbers. Plain values: it travels through shared
 * memory. Filled by stat/judge.h; relative numbers are shares of the mean, rates are per second. */
#ifndef MODEL_VERDICT_H
#define MODEL_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

/* What the series showed. */
#define VERDICT_DRIFT      (1u << 0) /* a trend over the window */
#define VERDICT_WARMING    (1u << 1) /* still warming up after half of it */
#define VERDICT_FAST_START (1u << 2) /* the head was faster than what follows: a cache or credit */
#define VERDICT_STALLS     (1u << 3)
#define VERDICT_BIMODAL    (1u << 4)
#define VERDICT_UNSETTLED  (1u << 5) /* neighbouring batches are alike: slow modes that the window does not see */
#define VERDICT_EXCURSION  (1u << 6) /* batches lie further apart than SNIA's test lets them */
#define VERDICT_PLATEAU    (1u << 7) /* hardly any scatter, at a round number */
#define VERDICT_WIDE       (1u << 8) /* the half width is above the precision that was asked for */
/* What the pilot of its class had shown. */
#define VERDICT_PILOT_UNSTEADY (1u << 9)
#define VERDICT_PILOT_REFILLS  (1u << 10) /* fast again after a pause: no short run is steady */
#define VERDICT_PILOT_STALLS   (1u << 11)
#define VERDICT_NO_PILOT       (1u << 12) /* stopped early, and there was none */

struct verdict {
	bool judged;         /* else the series was too short, and nothing below holds */
	uint32_t seen;       /* VERDICT_* bits */
	double seconds;      /* length of the series */
	uint32_t values;     /* means of half a second or more, without the warm-up */
	double mean;         /* rate over all of it */
	double half_width;   /* relative, two-sided 95 %, around that mean */
	double rho;          /* of neighbouring batches, bias-corrected */
	uint32_t batches;
	double head_s, head_rate, rest_rate; /* warm-up that was found: head_s 0: none */
	double drift, drift_t;               /* relative rise over the window, in standard errors */
	double lowest, highest;              /* batch, relative */
	uint32_t stalls;                     /* times that the rate was below half its median */
	double stall_lost, stall_longest_s, stall_at_s; /* share of the work; the longest of them, and when */
	double low_rate, high_rate, low_share;          /* the two levels of a bimodal run */
};

/* The same for one op of the run, and its 99th percentile. */
struct op_verdict {
	bool judged;
	double half_width, rho;
	double reproducible;           /* half width in which another run is expected, too; 0: unknown */
	uint32_t batches;
	bool tail;                     /* the interval of p99 is known */
	bool tail_unresolved;          /* ... is not, in a run that was long enough to judge */
	double p99_low_ns, p99_high_ns;
};

#endif
