#include "model/metrics.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "model/flag.h"
#include "model/percentiles.h"

enum series_choice { SERIES_LOWEST, SERIES_HIGHEST, SERIES_STDDEV };

static const struct metric_value not_measured = { 0 };

static struct metric_value integer(uint64_t v)
{
	return (struct metric_value){ .measured = true,
		                      .integer = v > INT64_MAX ? INT64_MAX : (int64_t)v };
}

static struct metric_value real(double v)
{
	return isfinite(v) ? (struct metric_value){ .measured = true, .real = v }
	                   : not_measured;
}

static struct metric_value ratio(double a, double b)
{
	return b > 0 ? real(a / b) : not_measured;
}

static uint64_t counter(const void *base, size_t off)
{
	return *(const uint64_t *)(const void *)((const char *)base + off);
}

static const struct op_sample *op_of(const struct metric_input *in)
{
	return &in->sample->op[in->op];
}

/* Over reads, writes and trims: a sync moves no data. */
static uint64_t total(const struct sample *s, size_t off)
{
	return counter(&s->op[OP_READ], off) + counter(&s->op[OP_WRITE], off) +
	       counter(&s->op[OP_TRIM], off);
}

static struct metric_value per_second(uint64_t n, const struct sample *s)
{
	return ratio((double)n * 1e9, (double)s->window_ns);
}

static struct metric_value eval_op_counter(const struct metric_input *in, size_t off)
{
	return integer(counter(op_of(in), off));
}

static struct metric_value eval_op_rate(const struct metric_input *in, size_t off)
{
	return per_second(counter(op_of(in), off), in->sample);
}

static struct metric_value eval_lat_counter(const struct metric_input *in, size_t off)
{
	const struct hist *h = &op_of(in)->lat;

	return h->n ? integer(counter(h, off)) : not_measured;
}

static struct metric_value eval_lat_mean(const struct metric_input *in, size_t arg)
{
	const struct hist *h = &op_of(in)->lat;

	(void)arg;
	return h->n ? real(hist_mean(h)) : not_measured;
}

static struct metric_value eval_lat_stddev(const struct metric_input *in, size_t arg)
{
	const struct hist *h = &op_of(in)->lat;

	(void)arg;
	return h->n ? real(hist_stddev(h)) : not_measured;
}

bool metric_too_few(uint64_t n, size_t p)
{
	return percentile_too_few(n, (uint32_t)p * (PERCENTILE_UNIT / 100));
}

static struct metric_value eval_lat_percentile(const struct metric_input *in, size_t p)
{
	const struct hist *h = &op_of(in)->lat;

	return metric_too_few(h->n, p) ? not_measured
	                               : real(hist_percentile(h, (double)p / 100));
}

uint32_t metric_slots_per(uint64_t slot_ns, uint64_t width_ns)
{
	return (uint32_t)((width_ns + slot_ns - 1) / slot_ns);
}

uint64_t metric_whole_slots(uint64_t window_ns, uint64_t width_ns)
{
	return (window_ns + width_ns * (100 - METRIC_WHOLE_PCT) / 100) / width_ns;
}

uint64_t metric_rate_slot_ns(uint64_t window_ns, uint64_t slot_ns)
{
	return slot_ns * metric_slots_per(slot_ns, window_ns < 10 * SEC ? SERIES_SLOT_NS : SEC);
}

static uint64_t slot_ios(const struct metric_input *in, uint64_t i)
{
	const struct sample *s = in->sample;

	return i < s->slots ? s->slot[i].ios[in->op] : 0;
}

/* Only slots that lie in the window as a whole. */
static struct metric_value eval_op_series(const struct metric_input *in, size_t choice)
{
	const struct sample *s = in->sample;
	double low = (double)INFINITY, high = 0, mean = 0, m2 = 0, width;
	uint64_t n, per, width_ns;

	if (!s->slot_ns)
		return not_measured;
	width_ns = metric_rate_slot_ns(s->window_ns, s->slot_ns);
	per = width_ns / s->slot_ns;
	width = (double)width_ns / 1e9;
	n = metric_whole_slots(s->window_ns, width_ns);
	for (uint64_t i = 0; i < n; i++) {
		uint64_t ios = 0;
		double v, delta;

		for (uint64_t k = 0; k < per; k++)
			ios += slot_ios(in, i * per + k);
		v = (double)ios / width;
		low = fmin(low, v);
		high = fmax(high, v);
		delta = v - mean;
		mean += delta / (double)(i + 1);
		m2 += delta * (v - mean);
	}
	if (n == 0)
		return not_measured;
	if (choice == SERIES_STDDEV)
		return n < 2 ? not_measured : real(sqrt(m2 / (double)(n - 1)));
	return real(choice == SERIES_LOWEST ? low : high);
}

static struct metric_value eval_counter(const struct metric_input *in, size_t off)
{
	return integer(counter(in->sample, off));
}

static struct metric_value eval_run_rate(const struct metric_input *in, size_t off)
{
	return per_second(total(in->sample, off), in->sample);
}

static struct metric_value eval_depth_total(const struct metric_input *in, size_t arg)
{
	(void)arg;
	return integer(in->job->numjobs * in->job->iodepth *
	               (in->sample->targets ? in->sample->targets : 1));
}

static struct metric_value eval_depth_mean(const struct metric_input *in, size_t arg)
{
	const struct sample *s = in->sample;

	(void)arg;
	return ratio((double)s->inflight_ns, (double)s->window_ns * (double)s->jobs);
}

static struct metric_value eval_cpu_per_io(const struct metric_input *in, size_t arg)
{
	const struct sample *s = in->sample;

	(void)arg;
	if (s->simulated)
		return not_measured;
	return ratio((double)(s->cpu_user_ns + s->cpu_sys_ns),
	             (double)total(s, offsetof(struct op_sample, ios)));
}

static struct metric_value eval_cpu_pct(const struct metric_input *in, size_t off)
{
	if (in->sample->simulated)
		return not_measured;
	return ratio(100 * (double)counter(in->sample, off), (double)in->sample->window_ns);
}

static struct metric_value eval_device(const struct metric_input *in, size_t off)
{
	const struct device_delta *d = &in->sample->device;

	return d->valid ? integer(counter(d, off)) : not_measured;
}

static struct metric_value eval_device_queue(const struct metric_input *in, size_t arg)
{
	const struct device_delta *d = &in->sample->device;

	(void)arg;
	return d->valid ? ratio((double)d->queue_ns, (double)d->elapsed_ns) : not_measured;
}

static struct metric_value eval_device_util(const struct metric_input *in, size_t arg)
{
	const struct device_delta *d = &in->sample->device;

	(void)arg;
	if (!d->valid || !d->elapsed_ns || d->busy_unknown)
		return not_measured;
	/* The kernel counts busy time in ticks: it may pass the interval by one. */
	return real(fmin(100, 100 * (double)d->busy_ns / (double)d->elapsed_ns));
}

static struct metric_value eval_passes(const struct metric_input *in, size_t arg)
{
	const struct sample *s = in->sample;

	(void)arg;
	return ratio((double)total(s, offsetof(struct op_sample, bytes)),
	             (double)s->region_bytes);
}

static struct metric_value eval_flush(const struct metric_input *in, size_t arg)
{
	(void)arg;
	return in->sample->flush_ns ? integer(in->sample->flush_ns) : not_measured;
}

static struct metric_value eval_write_amplification(const struct metric_input *in, size_t arg)
{
	const struct sample *s = in->sample;

	(void)arg;
	return s->device.valid
	           ? ratio((double)s->device.write_bytes, (double)s->op[OP_WRITE].bytes)
	           : not_measured;
}

static struct metric_value word(const char *text)
{
	return (struct metric_value){ .measured = text, .text = text };
}

static const struct op_verdict *judged(const struct metric_input *in)
{
	const struct op_verdict *v = &op_of(in)->verdict;

	return v->judged ? v : NULL;
}

static struct metric_value eval_half_width(const struct metric_input *in, size_t arg)
{
	const struct op_verdict *v = judged(in);

	(void)arg;
	return v ? real(100 * v->half_width) : not_measured;
}

static struct metric_value eval_reproducible(const struct metric_input *in, size_t arg)
{
	const struct op_verdict *v = judged(in);

	(void)arg;
	return v && v->reproducible > 0 ? real(100 * v->reproducible) : not_measured;
}

static struct metric_value eval_batches(const struct metric_input *in, size_t arg)
{
	const struct op_verdict *v = judged(in);

	(void)arg;
	return v ? integer(v->batches) : not_measured;
}

static struct metric_value eval_rho(const struct metric_input *in, size_t arg)
{
	const struct op_verdict *v = judged(in);

	(void)arg;
	return v ? real(v->rho) : not_measured;
}

static struct metric_value eval_tail(const struct metric_input *in, size_t off)
{
	const struct op_verdict *v = &op_of(in)->verdict;

	return v->tail ? real(*(const double *)(const void *)((const char *)v + off))
	               : not_measured;
}

static struct metric_value eval_confidence(const struct metric_input *in, size_t arg)
{
	static const enum flag_id worst_first[] = { FLAG_stalls, FLAG_unsteady, FLAG_drift,
		                                    FLAG_bimodal };

	(void)arg;
	for (size_t i = 0; i < ARRAY_SIZE(worst_first); i++)
		if (in->flags & 1ULL << worst_first[i])
			return word(flag_at(worst_first[i])->name);
	if (!in->sample->verdict.judged)
		return word("short");
	return word(in->flags & FLAG_BIT(wide) ? flag_at(FLAG_wide)->name : "ok");
}

const char *stop_reason_name(uint64_t reason)
{
	static const char *const name[STOPPED_COUNT] = {
		[STOPPED_RUNTIME] = "runtime",           [STOPPED_SIZE] = "size",
		[STOPPED_PRECISION] = "precision",       [STOPPED_CAP] = "cap",
		[STOPPED_CAP_UNSTEADY] = "cap-unsteady",
	};

	return reason < STOPPED_COUNT ? name[reason] : NULL;
}

static struct metric_value eval_stop_reason(const struct metric_input *in, size_t arg)
{
	(void)arg;
	return word(stop_reason_name(in->sample->stop_reason));
}

static struct metric_value eval_service(const struct metric_input *in, size_t off)
{
	const struct service *s = &op_of(in)->service;

	if (!s->n || (off == offsetof(struct service, p99_ns) && metric_too_few(s->n, 9900)))
		return not_measured;
	return real(*(const double *)(const void *)((const char *)s + off));
}

static struct metric_value eval_service_max(const struct metric_input *in, size_t arg)
{
	const struct service *s = &op_of(in)->service;

	(void)arg;
	return s->n ? integer(s->max_ns) : not_measured;
}

static struct metric_value eval_rated(const struct metric_input *in, size_t off)
{
	return job_rated(in->job) ? eval_counter(in, off) : not_measured;
}

static struct metric_value eval_written_before(const struct metric_input *in, size_t arg)
{
	uint64_t bytes = in->sample->written_before_bytes;

	(void)arg;
	return bytes == WRITTEN_NOWHERE ? not_measured : integer(bytes);
}

static const struct metric metrics[METRIC_COUNT] = {
#define METRIC(id, ...) [METRIC_##id] = { .name = #id, __VA_ARGS__ },
#include "model/metrics.def"
};

const struct metric *metric_at(size_t i)
{
	assert(i < METRIC_COUNT);
	return &metrics[i];
}

const struct metric *metric_find(const char *name)
{
	for (size_t i = 0; i < METRIC_COUNT; i++)
		if (!strcmp(metrics[i].name, name))
			return &metrics[i];
	return NULL;
}

bool metric_is_rate(const struct metric *m)
{
	return m->unit && (!strcmp(m->unit, "1/s") || !strcmp(m->unit, "MiB/s") ||
	                   !strcmp(m->unit, "MB/s"));
}

bool metric_is_lat_percentile(const struct metric *m)
{
	return m->eval == eval_lat_percentile;
}

struct metric_value metric_eval(const struct metric *m, const struct metric_input *in)
{
	return m->eval(in, m->arg);
}

unsigned metric_ops(const struct sample *s, const struct job *job, bool ok)
{
	unsigned ops = 0;

	for (unsigned op = 0; op < OP_COUNT; op++)
		if (s->op[op].ios || s->op[op].errors)
			ops |= 1U << op;
	if (ops || !ok)
		return ops;
	if (job_does(job, OP_READ))
		ops |= 1U << OP_READ;
	if (job_does(job, OP_WRITE))
		ops |= 1U << OP_WRITE;
	if (job_does(job, OP_TRIM))
		ops |= 1U << OP_TRIM;
	return ops;
}

bool metric_few_samples(const struct sample *s, unsigned ops)
{
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		if (!metric_is_lat_percentile(&metrics[i]))
			continue;
		for (unsigned op = 0; op < OP_COUNT; op++)
			if ((ops & 1U << op) && metric_too_few(s->op[op].lat.n, metrics[i].arg))
				return true;
	}
	return false;
}
