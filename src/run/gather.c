#include "run/gather.h"

#include <string.h>

static void add_ops(struct sample *out, const struct tally *t)
{
	for (int op = 0; op < OP_COUNT; op++) {
		struct op_sample *o = &out->op[op];

		hist_merge(&o->lat, &t->lat[op]);
		o->ios = o->lat.n;
		o->bytes += t->bytes[op];
		o->short_ios += t->short_ios[op];
		o->errors += t->errors[op];
	}
}

/* The jobs' histograms are merged into the first one's: the run is over. */
static void add_service(struct sample *out, struct pool *p, unsigned n)
{
	for (int op = 0; op < OP_COUNT; op++) {
		struct hist *h = &p->lane[0]->tally.service[op];

		for (unsigned i = 1; i < n; i++)
			hist_merge(h, &p->lane[i]->tally.service[op]);
		if (!h->n)
			continue;
		out->op[op].service = (struct service){ .n = h->n,
			                                .max_ns = h->max,
			                                .mean_ns = hist_mean(h),
			                                .p50_ns = hist_percentile(h, 50),
			                                .p99_ns = hist_percentile(h, 99) };
	}
}

/* Of several targets each has a sum of its own. */
static void add_target(struct target_sum *sum, const struct tally *t)
{
	for (int op = 0; op < OP_COUNT; op++) {
		const struct hist *h = &t->lat[op];

		sum->ios[op] += h->n;
		sum->bytes[op] += t->bytes[op];
		sum->errors[op] += t->errors[op];
		sum->lat_sum_ns[op] += h->sum;
		if (h->n && h->max > sum->lat_max_ns[op])
			sum->lat_max_ns[op] = h->max;
	}
}

static void add_numbers(struct sample *out, const struct tally *t)
{
	bool idle = true;

	for (int op = 0; op < OP_COUNT; op++)
		idle = idle && !t->lat[op].n;
	out->jobs_idle += idle;
	out->inflight_ns += t->inflight_ns;
	out->cpu_user_ns += t->cpu_user_ns;
	out->cpu_sys_ns += t->cpu_sys_ns;
	out->ramp_ios += t->ramp_ios;
	out->spin_ns += t->spin_ns;
	out->start_late_ns += t->start_late_ns;
	out->unstarted += t->unstarted;
	if (t->lag_max_ns > out->lag_max_ns)
		out->lag_max_ns = t->lag_max_ns;
	if (t->backlog_max > out->backlog_max)
		out->backlog_max = t->backlog_max;
	out->inflight_at_stop += t->inflight_at_stop;
	out->drain_ios += t->drain_ios;
	if (t->longest_gap_ns > out->longest_gap_ns)
		out->longest_gap_ns = t->longest_gap_ns;
	if (t->drain_ns > out->drain_ns)
		out->drain_ns = t->drain_ns;
	if (t->drain_max_ns > out->drain_max_ns)
		out->drain_max_ns = t->drain_max_ns;
}

static void add_series(struct sample *out, struct series *s)
{
	series_widen(s, out->slot_ns);
	for (uint32_t i = out->slots; i < s->used; i++)
		out->slot[i] = (struct series_slot){ 0 };
	if (s->used > out->slots)
		out->slots = s->used;
	for (uint32_t i = 0; i < s->used; i++)
		for (int op = 0; op < OP_COUNT; op++) {
			out->slot[i].ios[op] += s->slot[i].ios[op];
			out->slot[i].bytes[op] += s->slot[i].bytes[op];
			out->slot[i].lat_sum_ns[op] += s->slot[i].lat_sum_ns[op];
		}
}

/* The job with the largest share of a CPU in its own window. */
static void note_busiest(struct sample *out, const struct tally *t, unsigned job)
{
	uint64_t cpu = t->cpu_user_ns + t->cpu_sys_ns,
		 window = t->window_to_ns - t->window_from_ns;

	if (!window ||
	    (out->busiest_window_ns && (double)cpu * (double)out->busiest_window_ns <=
	                                   (double)out->busiest_cpu_ns * (double)window))
		return;
	out->busiest_job = job;
	out->busiest_cpu_ns = cpu;
	out->busiest_window_ns = window;
}

struct span {
	uint64_t first, last;
};

static void span_add(struct span *s, uint64_t v)
{
	if (!v)
		return;
	if (!s->first || v < s->first)
		s->first = v;
	if (v > s->last)
		s->last = v;
}

/* From the first job's opening to the last job's end: what the jobs completed was completed in
 * this time. A job that was held up (more jobs than CPUs) makes it no shorter, so that no rate
 * is ever too high. */
struct window gather_window(const struct pool *p, unsigned n)
{
	struct span from = { 0 }, to = { 0 };

	for (unsigned i = 0; i < n; i++) {
		const struct tally *t = &p->lane[i]->tally;

		if (t->window_to_ns == t->window_from_ns)
			continue; /* it came when all was over */
		span_add(&from, t->window_from_ns);
		span_add(&to, t->window_to_ns);
	}
	return (struct window){ from.first, to.last };
}

/* ... to the end of the first: until then all jobs that had begun were at work. */
static uint64_t together(const struct pool *p, unsigned n)
{
	uint64_t from = UINT64_MAX, to = UINT64_MAX;

	for (unsigned i = 0; i < n; i++) {
		const struct tally *t = &p->lane[i]->tally;

		if (t->window_to_ns == t->window_from_ns)
			continue;
		if (t->window_from_ns < from)
			from = t->window_from_ns;
		if (t->window_to_ns < to)
			to = t->window_to_ns;
	}
	return to > from ? to - from : 0;
}

void gather(struct sample *out, struct pool *p, unsigned n)
{
	struct span started = { 0 }, stopped = { 0 }, error = { 0 };
	struct window window;

	memset(out, 0, offsetof(struct sample, slot));
	out->jobs = n;
	window = gather_window(p, n);
	out->window_ns = window.to_ns - window.from_ns;
	out->together_ns = together(p, n);
	out->targets = run_targets(p->run->spec);
	for (unsigned i = 0; i < out->targets; i++)
		out->region_bytes += workload_bytes(&p->run->spec[i]);
	for (unsigned i = 0; i < n; i++)
		if (p->lane[i]->tally.series.slot_ns > out->slot_ns)
			out->slot_ns = p->lane[i]->tally.series.slot_ns;
	if (job_rated(&p->run->spec->job))
		add_service(out, p, n);
	for (unsigned i = 0; i < n; i++) {
		struct tally *t = &p->lane[i]->tally;
		unsigned target = lane_place(p->run, i).target;

		add_ops(out, t);
		if (out->targets > 1)
			add_target(&out->target[target], t);
		add_numbers(out, t);
		note_busiest(out, t, i);
		add_series(out, &t->series);
		span_add(&started, t->started_ns);
		span_add(&stopped, t->stopped_ns);
		if (t->first_error.error && (!error.first || t->first_error_ns < error.first)) {
			error.first = t->first_error_ns;
			out->first_error = t->first_error;
			out->first_error.target = target;
		}
		if (t->first_short.len && !out->first_short.len) {
			out->first_short = t->first_short;
			out->first_short.target = target;
			out->first_short_bytes = t->first_short_bytes;
		}
	}
	out->start_skew_ns = started.last - started.first;
	out->stop_skew_ns = stopped.last - stopped.first;
}
