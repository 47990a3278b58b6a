#include "stat/shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "stat/batch.h"

unsigned stat_merge(double *x, unsigned n, unsigned k)
{
	unsigned out = n / k;

	for (unsigned i = 0; k > 1 && i < out; i++)
		x[i] = stat_mean(x + (size_t)i * k, k);
	return out;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void sort_into(double *work, const double *x, unsigned n)
{
	memcpy(work, x, n * sizeof(*x));
	qsort(work, n, sizeof(*work), ascending);
}

double stat_median(const double *x, unsigned n, double *work)
{
	sort_into(work, x, n);
	return work[n / 2];
}

/* The mean says about how many; then one by one. */
unsigned stat_merge_for(const double *count, unsigned n, double least, double *work)
{
	double mean = stat_mean(count, n);
	unsigned k;

	if (mean * n < least)
		return n + 1;
	k = mean >= least ? 1 : (unsigned)(least / mean);
	for (; k <= n; k++) {
		unsigned m = n / k;

		for (unsigned i = 0; i < m; i++)
			work[i] = k * stat_mean(count + (size_t)i * k, k);
		qsort(work, m, sizeof(*work), ascending);
		if (work[m / 2] >= least)
			break;
	}
	return k;
}

/* Slots below half the mean and those above one and a half make up for each other, not
 * necessarily at once. */
static bool sliced(const double *x, unsigned n, double mean)
{
	double less = 0, more = 0;

	for (unsigned i = 0; i < n; i++) {
		if (x[i] < 0.5 * mean)
			less += mean - x[i];
		else if (x[i] > 1.5 * mean)
			more += x[i] - mean;
	}
	return less > 0 && more >= 0.5 * less;
}

bool stat_regulated(const double *x, unsigned n)
{
	double mean = stat_mean(x, n), squares = 0, products = 0;

	for (unsigned i = 0; i < n; i++) {
		squares += (x[i] - mean) * (x[i] - mean);
		if (i)
			products += (x[i] - mean) * (x[i - 1] - mean);
	}
	return sliced(x, n, mean) ||
	       (squares > 0.05 * 0.05 * mean * mean * n && products < -2 / sqrt(n) * squares);
}

void stat_stalls(struct stat_stalls *out, const double *x, unsigned n, double median)
{
	unsigned length = 0;

	*out = (struct stat_stalls){ 0 };
	for (unsigned i = 0; i < n; i++) {
		if (!(x[i] < 0.5 * median)) {
			length = 0;
			continue;
		}
		out->events += length++ == 0;
		out->lost += (median - x[i]) / (median * n);
		if (length > out->longest) {
			out->longest = length;
			out->at = i + 1 - length;
		}
	}
}

void stat_levels(struct stat_levels *out, const double *x, unsigned n, double apart,
                 double *work)
{
	double sum = 0, sum2 = 0, low = 0, best = -1, shift, within, gap;
	unsigned cut = 0;

	*out = (struct stat_levels){ 0 };
	if (n < 10)
		return;
	sort_into(work, x, n);
	shift = work[n / 2];
	for (unsigned i = 0; i < n; i++) {
		sum += work[i] - shift;
		sum2 += (work[i] - shift) * (work[i] - shift);
	}
	for (unsigned i = 1; i < n; i++) {
		double left = i, right = n - i, between;

		low += work[i - 1] - shift;
		between = low / left - (sum - low) / right;
		between *= between * left * right;
		if (between > best) {
			best = between;
			cut = i;
		}
	}
	out->low = stat_mean(work, cut);
	out->high = stat_mean(work + cut, n - cut);
	out->low_share = (double)cut / n;
	gap = out->high - out->low;
	/* all squares about the mean less those between the parts */
	within = fmax(0, sum2 - sum * sum / n - best / n) / (n - 2);
	out->two = cut * 10 >= n && (n - cut) * 10 >= n && gap > 4 * sqrt(within) &&
	           gap > apart * out->high;
}

bool stat_round_number(double rate)
{
	static const double round[] = { 1,    1.2, 1.25, 1.28, 1.5, 1.6, 2,   2.4, 2.5,
		                        2.56, 3,   3.2,  3.5,  4,   4.5, 4.8, 5,   5.12,
		                        6,    6.4, 7,    7.5,  8,   9,   10 };
	double digits;

	if (!(rate > 0))
		return false;
	digits = rate / pow(10, floor(log10(rate)));
	for (size_t i = 0; i < ARRAY_SIZE(round); i++)
		if (fabs(digits - round[i]) <= 0.003 * round[i])
			return true;
	return false;
}
