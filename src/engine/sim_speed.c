#include "engine/sim_speed.h"

#define STEP_NS    UINT64_C(10000000) /* what changes all the time is looked at so often */
#define FACTOR_MIN 0.001
#define LONG_NS    1e17 /* three years */
#define FORGET     1000 /* changes that nobody saw: it could be in any state now */
#define TWO_PI     6.283185307179586

static uint64_t after(uint64_t t, double ns)
{
	if (ns > LONG_NS)
		ns = LONG_NS;
	return ns < 1 ? t + 1 : t + (uint64_t)ns;
}

static void until(struct sim_speed *s, uint64_t t)
{
	if (t < s->until_ns)
		s->until_ns = t;
}

/* When the next stall begins and ends, after one that ended at t. */
static void next_stall(struct sim_speed *s, uint64_t t)
{
	const struct sim_device *d = s->d;
	double gap = (double)d->stalls.every_ns - (double)d->stalls.for_ns,
	       lasts = (double)d->stalls.for_ns;

	if (d->stalls.random) {
		gap = sim_exponential(&s->random, gap);
		lasts = sim_exponential(&s->random, lasts);
	}
	s->stall_from_ns = after(t, gap);
	s->stall_to_ns = after(s->stall_from_ns, lasts);
}

/* The last one began so long ago, and may not be over. */
static void begin_stalls(struct sim_speed *s, uint64_t now, uint64_t ago)
{
	const struct sim_device *d = s->d;
	bool over = ago >= d->stalls.for_ns;

	s->stall_from_ns = over ? now + d->stalls.every_ns - ago : now;
	s->stall_to_ns =
	    over ? s->stall_from_ns + d->stalls.for_ns : now + d->stalls.for_ns - ago;
}

/* Somewhere in its life. */
static void draw_mode(struct sim_speed *s, uint64_t t)
{
	double high = (double)s->d->modes.high_ns, low = (double)s->d->modes.low_ns;

	s->low = sim_uniform(&s->random) * (high + low) < low;
	s->mode_until_ns = after(t, sim_exponential(&s->random, s->low ? low : high));
}

void sim_speed_init(struct sim_speed *s, const struct sim_device *d, uint64_t seed,
                    uint64_t now)
{
	*s = (struct sim_speed){
		.d = d, .born_ns = now, .run_ns = now, .at_ns = now, .run_factor = 1, .spike = 1
	};
	sim_random_seed(&s->random, seed);
	if (d->modes.high_ns)
		draw_mode(s, now);
	if (d->stalls.every_ns) {
		next_stall(s, now);
		if (!d->stalls.random) /* it began somewhere in its period */
			begin_stalls(s, now, rng_below(&s->random.rng, d->stalls.every_ns));
	}
	if (d->wave.period_ns)
		s->wave_phase_ns = rng_below(&s->random.rng, d->wave.period_ns);
}

void sim_speed_begin_run(struct sim_speed *s, uint64_t now)
{
	s->run_ns = now;
	s->until_ns = now;
	if (s->d->between_runs > 0)
		s->run_factor = 1 + s->d->between_runs * sim_normal(&s->random);
}

/* Busy and idle time since the last look. */
static void pass_time(struct sim_speed *s, uint64_t t, uint64_t idle_ns)
{
	double idle = (double)(idle_ns - s->idle_ns), busy = (double)(t - s->at_ns) - idle;

	if (busy < 0)
		busy = 0;
	s->worked_ns += busy;
	s->hot_ns -= idle * s->d->heat.cool;
	if (s->hot_ns < 0)
		s->hot_ns = 0;
	s->hot_ns += busy;
	s->at_ns = t;
	s->idle_ns = idle_ns;
}

static double step_factor(struct sim_speed *s, uint64_t t)
{
	const struct sim_device *d = s->d;
	double f = 1;

	for (uint64_t i = 0; i < d->steps; i++) {
		if (t - s->born_ns < d->step[i].at_ns) {
			until(s, s->born_ns + d->step[i].at_ns);
			break;
		}
		f = d->step[i].factor;
	}
	return f;
}

static double mode_factor(struct sim_speed *s, uint64_t t)
{
	const struct sim_device *d = s->d;

	if (!d->modes.high_ns)
		return 1;
	if (t > s->mode_until_ns &&
	    (t - s->mode_until_ns) / FORGET > d->modes.high_ns + d->modes.low_ns)
		draw_mode(s, t);
	while (t >= s->mode_until_ns) {
		s->low = !s->low;
		s->mode_until_ns =
		    after(s->mode_until_ns,
		          sim_exponential(&s->random, (double)(s->low ? d->modes.low_ns
		                                                      : d->modes.high_ns)));
	}
	until(s, s->mode_until_ns);
	return s->low ? d->modes.factor : 1;
}

static double stall_factor(struct sim_speed *s, uint64_t t)
{
	if (!s->d->stalls.every_ns)
		return 1;
	if (t >= s->stall_to_ns && !s->d->stalls.random) {
		uint64_t over =
		    (t - s->stall_to_ns) / s->d->stalls.every_ns * s->d->stalls.every_ns;

		s->stall_from_ns += over;
		s->stall_to_ns += over;
	}
	if (t > s->stall_to_ns && (t - s->stall_to_ns) / FORGET > s->d->stalls.every_ns)
		next_stall(s, t);
	while (t >= s->stall_to_ns)
		next_stall(s, s->stall_to_ns);
	if (t < s->stall_from_ns) {
		until(s, s->stall_from_ns);
		return 1;
	}
	until(s, s->stall_to_ns);
	return s->d->stalls.factor;
}

static double wave_factor(struct sim_speed *s, uint64_t t)
{
	double a = s->d->wave.amplitude, at;

	if (!s->d->wave.period_ns)
		return 1;
	at = (double)((t - s->born_ns + s->wave_phase_ns) % s->d->wave.period_ns) /
	     (double)s->d->wave.period_ns;
	until(s, t + STEP_NS);
	if (s->d->wave.shape == SIM_SINE)
		return 1 + a * sin(TWO_PI * at);
	if (s->d->wave.shape == SIM_SAW)
		return 1 - a * at;
	return at < 0.5 ? 1 : 1 - a;
}

/* Slots that nobody looked at are jumped over: n steps of an AR(1) process are one of rho^n. */
static double noise_factor(struct sim_speed *s, uint64_t t)
{
	const struct sim_device *d = s->d;
	uint64_t slot, n;

	if (!(d->noise.cv > 0) && !(d->spikes.share > 0))
		return 1;
	slot = (t - s->born_ns) / d->noise.slot_ns + 1;
	n = slot - s->slot;
	until(s, s->born_ns + slot * d->noise.slot_ns);
	if (!n)
		return (1 + s->noise) * s->spike;
	if (d->noise.cv > 0) {
		double rho = s->slot ? pow(d->noise.rho, (double)n) : 0;

		s->noise =
		    rho * s->noise + d->noise.cv * sqrt(1 - rho * rho) * sim_normal(&s->random);
	}
	if (d->spikes.share > 0)
		s->spike = sim_uniform(&s->random) < d->spikes.share ? d->spikes.factor : 1;
	s->slot = slot;
	return (1 + s->noise) * s->spike;
}

static double heat_factor(struct sim_speed *s, uint64_t t)
{
	double over = s->hot_ns - (double)s->d->heat.after_ns, f = 1;

	if (!(s->d->heat.per_s > 0))
		return 1;
	until(s, t + STEP_NS);
	if (over > 0)
		f -= s->d->heat.per_s * over / 1e9;
	return f > s->d->heat.floor ? f : s->d->heat.floor;
}

/* 1 - drop x (1 - exp(-t / tau)): from 1 to what is left. */
static double settle(struct sim_speed *s, uint64_t t, double drop, double x)
{
	until(s, t + STEP_NS);
	return 1 - drop * -expm1(-x);
}

void sim_speed_update(struct sim_speed *s, uint64_t t, uint64_t idle_ns)
{
	const struct sim_device *d = s->d;
	double f, stalled;

	pass_time(s, t, idle_ns);
	s->until_ns = UINT64_MAX;
	stalled = stall_factor(s, t);
	if (!(stalled > 0)) {
		s->factor = 0;
		return;
	}
	f = s->run_factor * stalled * step_factor(s, t) * mode_factor(s, t) *
	    wave_factor(s, t) * noise_factor(s, t) * heat_factor(s, t);
	if (d->decay.tau_ns)
		f *= settle(s, t, d->decay.drop, s->worked_ns / (double)d->decay.tau_ns);
	if (d->ramp_up.tau_ns)
		f *= 1 - d->ramp_up.depth *
		             exp(-(double)(t - s->run_ns) / (double)d->ramp_up.tau_ns);
	if (d->ramp_up.tau_ns && t - s->run_ns < 20 * d->ramp_up.tau_ns)
		until(s, t + STEP_NS);
	s->factor = f > FACTOR_MIN ? f : FACTOR_MIN;
}
