#include "model/size_mix.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/divisor.h"
#include "base/units.h"
#include "model/axis.h"

#define ALLOWED                                                                                \
	"allowed: SIZE/PERCENT:SIZE/PERCENT (as many as 64, 100 %% together; a blank percent " \
	"is an equal part of the rest), or MIN-MAX; by commas for reads, writes and trims"
#define WORD 24

/* The word that ends before one of `stops`; false: it is empty or longer than a number. */
static bool take_word(const char **at, const char *stops, char word[WORD])
{
	size_t n = strcspn(*at, stops);

	if (!n || n >= WORD)
		return false;
	memcpy(word, *at, n);
	word[n] = '\0';
	*at += n;
	return true;
}

static bool take_size(const char **at, const char *stops, uint32_t *out)
{
	char word[WORD];
	uint64_t v;

	if (!take_word(at, stops, word) || parse_size(word, &v) || v < 1 || v > GIB)
		return false;
	*out = (uint32_t)v;
	return true;
}

static bool take_range(const char **at, struct size_mix *m)
{
	if (!take_size(at, "-,", &m->min) || *(*at)++ != '-' || !take_size(at, ",", &m->max) ||
	    m->max < m->min)
		return false;
	m->range = true;
	m->n = m->max / m->min;
	m->max = m->min * m->n;
	return true;
}

struct share {
	uint64_t percent; /* 0: blank */
};

static bool take_entry(const char **at, struct size_mix *m, struct share *s)
{
	char word[WORD];
	uint32_t len;

	if (m->n == SIZE_MIX_MAX || !take_size(at, "/:,", &len))
		return false;
	s->percent = 0;
	if (**at == '/') {
		(*at)++;
		if (**at && !strchr(":,", **at) &&
		    (!take_word(at, ":,", word) || parse_u64(word, &s->percent) ||
		     !s->percent || s->percent > 100))
			return false;
	}
	m->len[m->n++] = len;
	m->min = m->n == 1 || len < m->min ? len : m->min;
	m->max = len > m->max ? len : m->max;
	return true;
}

/* Percents to bounds of draws; exact when the blanks' part of the rest is no whole percent. */
static bool set_bounds(struct size_mix *m, const struct share share[])
{
	uint64_t given = 0, blanks = 0, sum = 0;

	for (unsigned i = 0; i < m->n; i++) {
		given += share[i].percent;
		blanks += !share[i].percent;
	}
	if (given > 100 || (given < 100 && !blanks) || (given == 100 && blanks))
		return false;
	for (unsigned i = 0; i < m->n; i++) { /* in parts of 100 * blanks */
		sum +=
		    share[i].percent ? share[i].percent * (blanks ? blanks : 1) : 100 - given;
		m->below[i] = (sum << 32) / (100 * (blanks ? blanks : 1));
	}
	assert(m->below[m->n - 1] == UINT64_C(1) << 32);
	return true;
}

static bool take_split(const char **at, struct size_mix *m, struct share share[SIZE_MIX_MAX])
{
	bool more = true;

	while (more) {
		if (!take_entry(at, m, &share[m->n]))
			return false;
		more = **at == ':';
		*at += more;
	}
	return set_bounds(m, share);
}

/* One direction, up to a comma or the end. */
static bool take_direction(const char **at, struct size_mix *m,
                           struct share share[SIZE_MIX_MAX])
{
	size_t n = strcspn(*at, ",");

	*m = (struct size_mix){ 0 };
	return memchr(*at, '-', n) ? take_range(at, m) : take_split(at, m, share);
}

struct parsed {
	struct size_mix mix;
	struct share share[SIZE_MIX_MAX];
};

static int parse(const char *text, struct parsed out[SIZES_COUNT], struct err *e)
{
	const char *at = text;
	unsigned n = 0;
	bool ok = true, more = true;

	while (ok && more) {
		ok = n < SIZES_COUNT && take_direction(&at, &out[n].mix, out[n].share);
		n += ok;
		more = *at == ',';
		at += more;
	}
	if (!ok || *at)
		return err_set(e, -EINVAL, "'%.80s': not a mix of sizes; " ALLOWED, text);
	for (; n < SIZES_COUNT; n++)
		out[n] = out[n - 1];
	return 0;
}

int size_mix_parse(const char *text, struct size_mix mix[SIZES_COUNT], struct err *e)
{
	struct parsed p[SIZES_COUNT];
	int r = parse(text, p, e);

	for (unsigned i = 0; i < SIZES_COUNT && !r; i++)
		mix[i] = p[i].mix;
	return r;
}

double size_mix_mean(const struct size_mix *m)
{
	double sum = 0;

	if (m->range)
		return (double)m->min * (m->n + 1) / 2;
	for (unsigned i = 0; i < m->n; i++)
		sum += m->len[i] * (double)(m->below[i] - (i ? m->below[i - 1] : 0));
	return sum / 0x1p32;
}

static uint32_t grain_of(const struct size_mix *m)
{
	uint64_t grain = m->range ? m->min : 0;

	for (unsigned i = 0; i < m->n && !m->range; i++)
		grain = greatest_divisor(grain, m->len[i]);
	return (uint32_t)grain;
}

struct size_span size_span(const struct job *job, const struct size_mix mix[SIZES_COUNT])
{
	struct size_span all = { .min = UINT64_MAX };

	if (!mix)
		return (struct size_span){ job->bs, job->bs, job->bs };
	for (unsigned d = 0; d < SIZES_COUNT; d++) {
		if (!job_uses(job, d))
			continue;
		all.min = mix[d].min < all.min ? mix[d].min : all.min;
		all.max = mix[d].max > all.max ? mix[d].max : all.max;
		all.grain = greatest_divisor(all.grain, grain_of(&mix[d]));
	}
	return all;
}

static size_t print_direction(const struct parsed *p, char *buf, size_t size)
{
	size_t n = 0;

	if (p->mix.range)
		return (size_t)snprintf(buf, size, "%" PRIu32 "-%" PRIu32, p->mix.min,
		                        p->mix.max);
	for (unsigned i = 0; i < p->mix.n && n < size; i++) {
		n += (size_t)snprintf(buf + n, size - n, "%s%" PRIu32, i ? ":" : "",
		                      p->mix.len[i]);
		if (p->share[i].percent && p->mix.n > 1 && n < size)
			n += (size_t)snprintf(buf + n, size - n, "/%" PRIu64,
			                      p->share[i].percent);
	}
	return n;
}

/* The same I/Os in the same order of draws? */
static bool same(const struct size_mix *a, const struct size_mix *b)
{
	return a->n == b->n && a->range == b->range && a->min == b->min &&
	       !memcmp(a->len, b->len, sizeof(a->len)) &&
	       !memcmp(a->below, b->below, sizeof(a->below));
}

int size_mix_canonical(const char *text, char *buf, size_t size, struct err *e)
{
	struct parsed p[SIZES_COUNT];
	unsigned last = SIZES_COUNT;
	size_t n = 0;
	int r = parse(text, p, e);

	if (r)
		return r;
	while (last > 1 && same(&p[last - 1].mix, &p[last - 2].mix))
		last--;
	for (unsigned i = 0; i < last && n < size; i++) {
		n += (size_t)snprintf(buf + n, size - n, "%s", i ? "," : "");
		if (n < size)
			n += print_direction(&p[i], buf + n, size - n);
	}
	if (n >= size)
		return err_set(e, -E2BIG, "'%.80s': longer than %zu characters", text,
		               size - 1);
	return 0;
}
