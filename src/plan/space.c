#include "plan/space.h"

#include <assert.h>

#include "plan/effective.h"

static uint64_t mul_saturate(uint64_t a, uint64_t b, bool *overflow)
{
	uint64_t r;

	if (!__builtin_mul_overflow(a, b, &r))
		return r;
	*overflow = true;
	return UINT64_MAX;
}

void space_init(struct space *s, const struct sweep *sweep, const struct partial *include)
{
	bool ignored = false;

	*s = (struct space){ .count = 1, .raw = 1, .label = include ? include->label : NULL };
	for (size_t n = AXIS_COUNT; n-- > 0;) { /* innermost first */
		enum axis_id a = sweep->nest[n];
		const struct axis_values *v = &sweep->axis[a];
		size_t raw_len = v->raw_len;

		s->len[a] = v->len;
		if (include && include->axis[a].len) {
			v = &include->axis[a];
			s->len[a] = v->len;
			raw_len = v->raw_len;
		} else if (include) {
			s->len[a] = raw_len =
			    1; /* what an entry does not name is scalar in the base */
		}
		assert(s->len[a] > 0);
		s->val[a] = v->val;
		if (s->len[a] > 1)
			s->vary[s->varies++] = a;
		s->count = mul_saturate(s->count, s->len[a], &ignored);
		s->raw = mul_saturate(s->raw, raw_len > s->len[a] ? raw_len : s->len[a],
		                      &s->overflow);
	}
}

void space_decode(const struct space *s, uint64_t i, struct job *job, size_t level[AXIS_COUNT])
{
	assert(i < s->count);
	for (size_t a = 0; a < AXIS_COUNT; a++) {
		*axis_slot(&axes[a], job) = s->val[a][0];
		if (level)
			level[a] = 0;
	}
	for (size_t n = 0; n < s->varies; n++) {
		enum axis_id a = s->vary[n];
		size_t at = (size_t)(i % s->len[a]);

		*axis_slot(&axes[a], job) = s->val[a][at];
		if (level)
			level[a] = at;
		i /= s->len[a];
	}
}

struct space_time space_time(const struct space *s, uint64_t pause_ns)
{
	struct space_time t = { 0 };
	struct job job;
	double rest = 1, writing = 0;

	space_decode(s, 0, &job, NULL);
	for (size_t n = 0; n < s->varies; n++)
		if (s->vary[n] != AXIS_runtime && s->vary[n] != AXIS_ramp_time)
			rest *= (double)s->len[s->vary[n]];
	for (size_t i = 0; i < s->len[AXIS_rw]; i++)
		writing += rw_writes_data(rw_of(s->val[AXIS_rw][i])) ? 1.0 / (double)s->len[AXIS_rw] : 0;
	for (size_t r = 0; r < s->len[AXIS_runtime]; r++) {
		job.runtime = s->val[AXIS_runtime][r];
		for (size_t k = 0; k < s->len[AXIS_ramp_time]; k++) {
			job.ramp_time = s->val[AXIS_ramp_time][k];
			if (job.ramp_time == AXIS_UNSET || !job.time_based)
				job.ramp_time = axis_default_in(&axes[AXIS_ramp_time], &job);
			if (job.runtime == AXIS_UNSET)
				t.unbounded = true;
			else
				t.all_s += rest * (double)(job_ns(&job) + job.startdelay + pause_ns) / 1e9;
		}
	}
	t.write_s = t.all_s * writing;
	return t;
}
