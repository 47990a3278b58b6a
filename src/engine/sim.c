#include "engine/sim.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "engine/sim_speed.h"

#define MIB_BYTES 1048576.0
#define LONG_NS   1e15 /* 12 days: no I/O waits longer for anything, and the clock never ends */

struct state { /* of one device */
	struct sim_device device;
	struct sim_random random; /* of service times */
	struct sim_speed speed;
	uint64_t busy_until_ns,
	    idle_ns;       /* all that was asked is complete then; idle time in all */
	uint64_t start_ns; /* of the last I/O: none overtakes it */
	double ios_gate_ns, bytes_gate_ns; /* the caps let the next I/O through */
	double tokens, cached, unclean, written;
	uint64_t tokens_ns, unclean_ns;             /* they are of then */
	double log_mean[OP_COUNT], sigma[OP_COUNT]; /* of lognormal times with mean 1 */
	struct heap_item *server;                   /* when each is free */
};

struct sim {
	uint64_t now_ns;
	struct state **device;
	uint64_t devices;
	struct state *at; /* of the run under way */
};

const char *sim_spread_name(uint64_t v)
{
	static const char *const name[SIM_SPREAD_COUNT] = { "fixed", "exponential",
		                                            "lognormal" };

	return v < SIM_SPREAD_COUNT ? name[v] : NULL;
}

const char *sim_unit_name(uint64_t v)
{
	static const char *const name[SIM_UNIT_COUNT] = { "ios", "bytes" };

	return v < SIM_UNIT_COUNT ? name[v] : NULL;
}

const char *sim_wave_name(uint64_t v)
{
	static const char *const name[SIM_WAVE_COUNT] = { "sine", "saw", "square" };

	return v < SIM_WAVE_COUNT ? name[v] : NULL;
}

struct sim *sim_new(void)
{
	struct sim *s = calloc(1, sizeof(*s));

	if (s)
		s->now_ns = SIM_EPOCH_NS;
	return s;
}

static void state_free(struct state *st)
{
	if (st)
		free(st->server);
	free(st);
}

void sim_free(struct sim *s)
{
	if (!s)
		return;
	for (uint64_t i = 0; i < s->devices; i++)
		state_free(s->device[i]);
	free(s->device);
	free(s);
}

uint64_t sim_now(const struct sim *s)
{
	return s->now_ns;
}

void sim_pass(struct sim *s, uint64_t ns)
{
	s->now_ns += ns;
}

static struct state *state_new(const struct sim_device *d, uint64_t now)
{
	struct state *st = calloc(1, sizeof(*st));
	uint64_t seed = d->seed;

	if (!st)
		return NULL;
	st->server = calloc(d->servers, sizeof(*st->server));
	if (!st->server) {
		free(st);
		return NULL;
	}
	st->device = *d;
	for (uint64_t i = 0; i < d->servers; i++)
		st->server[i] = (struct heap_item){ .order = i };
	for (int op = 0; op < OP_COUNT; op++) {
		double variance = log1p(d->service[op].cv * d->service[op].cv);

		st->sigma[op] = sqrt(variance);
		st->log_mean[op] = -variance / 2;
	}
	sim_random_seed(&st->random, rng_splitmix(&seed));
	sim_speed_init(&st->speed, &st->device, rng_splitmix(&seed), now);
	st->busy_until_ns = st->tokens_ns = st->unclean_ns = now;
	st->tokens = d->credits.size;
	return st;
}

static int make_room(struct sim *s, uint64_t index)
{
	struct state **more;

	if (index < s->devices)
		return 0;
	more = reallocarray(s->device, index + 1, sizeof(struct state *));
	if (!more)
		return -ENOMEM;
	memset(more + s->devices, 0, (index + 1 - s->devices) * sizeof(struct state *));
	s->device = more;
	s->devices = index + 1;
	return 0;
}

int sim_begin(struct sim *s, uint64_t index, const struct sim_device *d, struct err *e)
{
	struct state **st;

	if (make_room(s, index))
		return err_set(e, -ENOMEM, "sim: out of memory");
	st = &s->device[index];
	/* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): it has no padding */
	if (*st && memcmp(&(*st)->device, d, sizeof(*d)) != 0) {
		state_free(*st);
		*st = NULL;
	}
	if (!*st)
		*st = state_new(d, s->now_ns);
	if (!*st)
		return err_set(e, -ENOMEM, "sim: out of memory");
	s->at = *st;
	sim_speed_begin_run(&s->at->speed, s->now_ns);
	return 0;
}

/* Nothing was asked since all was complete: what recovers when idle does. */
static void rest(struct state *st, uint64_t now)
{
	uint64_t idle = now - st->busy_until_ns;

	st->idle_ns += idle;
	st->busy_until_ns = now;
	st->cached -= (double)idle * (double)st->device.cache.recover / 1e9;
	if (st->cached < 0)
		st->cached = 0;
}

/* How much faster or slower this I/O is than the device is as a whole. */
static double own_factor(struct state *st, enum op op, double bytes, uint64_t start)
{
	const struct sim_device *d = &st->device;
	double f = 1;

	if (d->cleaning.size) {
		double done =
		    (double)(start - st->unclean_ns) * (double)d->cleaning.recover / 1e9;

		st->unclean = st->unclean > done ? st->unclean - done : 0;
		st->unclean_ns = start;
		if (op == OP_READ && st->unclean > 0)
			f *= d->cleaning.factor;
		if (op == OP_WRITE)
			st->unclean = fmin(st->unclean + bytes, (double)d->cleaning.size);
	}
	if (d->cache.size && d->cache.op == (uint64_t)op) {
		if (st->cached + bytes > (double)d->cache.size)
			f *= d->cache.factor;
		else
			st->cached += bytes;
	}
	if (op == OP_WRITE) {
		if (d->fresh.passes > 0 &&
		    st->written < d->fresh.passes * (double)d->size_bytes)
			f *= d->fresh.factor;
		st->written += bytes;
	}
	return f;
}

static double service_ns(struct state *st, enum op op, double bytes)
{
	const struct sim_service *s = &st->device.service[op];
	double mean = (double)s->base_ns + (double)s->per_mib_ns * bytes / MIB_BYTES;

	if (s->spread == SIM_EXPONENTIAL)
		return sim_exponential(&st->random, mean);
	if (s->spread == SIM_LOGNORMAL)
		return mean * exp(st->log_mean[op] + st->sigma[op] * sim_normal(&st->random));
	return mean;
}

static uint64_t later(uint64_t a, double b)
{
	if (b - (double)a > LONG_NS)
		return a + (uint64_t)LONG_NS;
	return b > (double)a ? (uint64_t)ceil(b) : a;
}

/* When so many credits are there; they are spent then. */
static uint64_t spend(struct state *st, double amount, uint64_t start)
{
	const double refill = st->device.credits.refill / 1e9;
	double have = st->tokens + (double)(start - st->tokens_ns) * refill, wait;

	if (have > st->device.credits.size)
		have = st->device.credits.size;
	wait = have < amount ? fmin(ceil((amount - have) / refill), LONG_NS) : 0;
	st->tokens_ns = start + (uint64_t)wait;
	st->tokens = have + wait * refill - amount;
	return st->tokens_ns;
}

/* A full stop lets nothing begin. */
static uint64_t look_at_speed(struct state *st, uint64_t start)
{
	while (start >= st->speed.until_ns) {
		sim_speed_update(&st->speed, start, st->idle_ns);
		if (!(st->speed.factor > 0))
			start = st->speed.until_ns;
	}
	return start;
}

uint64_t sim_serve(struct sim *s, enum op op, uint64_t len)
{
	struct state *st = s->at;
	const struct sim_device *d = &st->device;
	double bytes = op == OP_SYNC ? 0 : (double)len, speed, lasts;
	uint64_t start = s->now_ns, end;

	if (start > st->busy_until_ns)
		rest(st, start);
	if (st->server[0].key > start)
		start = st->server[0].key;
	if (st->start_ns > start)
		start = st->start_ns;
	if (op != OP_SYNC) {
		if (d->iops > 0)
			start = later(start, st->ios_gate_ns);
		if (d->bytes_s > 0)
			start = later(start, st->bytes_gate_ns);
		if (d->credits.size > 0)
			start = spend(st, d->credits.unit == SIM_BYTES ? bytes : 1, start);
	}
	start = st->start_ns = look_at_speed(st, start);
	speed = st->speed.factor * own_factor(st, op, bytes, start);
	lasts = fmin(service_ns(st, op, bytes) / speed, LONG_NS);
	end = start + (uint64_t)(lasts + 0.5);
	heap_replace(st->server, (unsigned)d->servers,
	             (struct heap_item){ .key = end, .order = st->server[0].order });
	if (op != OP_SYNC && d->iops > 0)
		st->ios_gate_ns =
		    fmax(st->ios_gate_ns, (double)start - 1) + 1e9 / d->iops / speed;
	if (op != OP_SYNC && d->bytes_s > 0)
		st->bytes_gate_ns = fmax(st->bytes_gate_ns, (double)start - 1) +
		                    bytes * 1e9 / d->bytes_s / speed;
	if (end > st->busy_until_ns)
		st->busy_until_ns = end;
	return end;
}
