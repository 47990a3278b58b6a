#include <string.h>

#include "base/units.h"
#include "config/loader.h"

/* clang-format off */
#define SHAPE "a range is {\"from\": A, \"to\": B, \"times\": N} or {\"from\": A, \"to\": B, \"plus\": N}"
/* clang-format on */

struct range {
	uint64_t from, to, step;
	bool times; /* else plus */
};

static bool shape_ok(struct loader *l, const struct range_place *at, json_t *v)
{
	const char *key;
	json_t *member;
	bool ok = true;

	json_object_foreach(v, key, member)
	{
		if (!strcmp(key, "from") || !strcmp(key, "to") || !strcmp(key, "times") ||
		    !strcmp(key, "plus"))
			continue;
		problem(l, at->path, "unknown member '%.80s'; " SHAPE, key);
		ok = false;
	}
	if (!ok)
		return false;
	if (json_object_get(v, "from") && json_object_get(v, "to") &&
	    !json_object_get(v, "times") != !json_object_get(v, "plus"))
		return true;
	problem(l, at->path, "incomplete; " SHAPE);
	return false;
}

static bool bound(struct loader *l, const struct range_place *at, const json_t *v,
                  const char *which, uint64_t *out)
{
	const json_t *member = json_object_get(v, which);
	struct err e = { 0 };
	char buf[64];
	const char *text = scalar_text(member, at->axis->kind == AXIS_TIME, buf, sizeof(buf));

	if (!text) {
		problem(l, at->path, "%s: expected one value", which);
		return false;
	}
	/* by the axis' own name: a complement is taken from the finished values */
	if (axis_parse(at->axis, at->axis->name, text, out, &e)) {
		problem(l, at->path, "%s: %s", which, e.text);
		return false;
	}
	return true;
}

/* "4k", 4, "5s", "10%" (of a range in percent): the distance of two values. */
static int parse_distance(const struct axis *a, const char *text, bool percent, uint64_t *out)
{
	char digits[8];
	size_t n = strlen(text);

	if (percent) {
		if (n && text[n - 1] == '%')
			n--;
		if (n >= sizeof(digits))
			return -1;
		memcpy(digits, text, n);
		digits[n] = '\0';
		return parse_u64(digits, out);
	}
	if (a->kind == AXIS_SIZE || a->kind == AXIS_SIZE_OR_PERCENT)
		return parse_size(text, out);
	if (a->kind == AXIS_TIME)
		return axis_parse(a, a->name, text, out, NULL);
	return parse_u64(text, out);
}

static bool read_step(struct loader *l, const struct range_place *at, const json_t *v,
                      struct range *r, bool percent)
{
	const char *which = r->times ? "times" : "plus", *text;
	char buf[64];
	int bad;

	text = scalar_text(json_object_get(v, which), at->axis->kind == AXIS_TIME && !r->times,
	                   buf, sizeof(buf));
	if (!text)
		bad = 1;
	else if (r->times)
		bad = parse_u64(text, &r->step) || r->step < 2;
	else
		bad = parse_distance(at->axis, text, percent, &r->step) || r->step < 1;
	if (!bad)
		return true;
	problem(l, at->path, "%s: '%.80s': %s", which, text ? text : "",
	        r->times ? "allowed: a whole number, 2 or more"
	                 : "allowed: a distance above 0, written like the values");
	return false;
}

static bool next(const struct range *r, uint64_t *v)
{
	uint64_t n;

	if (r->times ? __builtin_mul_overflow(*v, r->step, &n)
	             : __builtin_add_overflow(*v, r->step, &n))
		return false;
	*v = n;
	return n <= r->to;
}

static bool fits(struct loader *l, const struct range_place *at, const struct range *r)
{
	uint64_t n = r->times ? 64 : (r->to - r->from) / r->step + 1;

	if (r->from > r->to) {
		problem(l, at->path, "from is larger than to");
		return false;
	}
	if (r->times && !r->from) {
		problem(l, at->path,
		        "from 0 stays 0 however often multiplied; begin above it, or use plus");
		return false;
	}
	if (n > CONFIG_MAX_RANGE || l->range_values + n > CONFIG_MAX_RANGE) {
		problem(l, at->path, "too many values; the ranges of a config may make %d",
		        CONFIG_MAX_RANGE);
		return false;
	}
	l->range_values += n;
	return true;
}

static bool has_ranges(const struct axis *a)
{
	return a->kind != AXIS_TEXT && a->kind != AXIS_ENUM && a->kind != AXIS_BOOL &&
	       a->kind != AXIS_SIGNED;
}

void range_read(struct loader *l, const struct range_place *at, const json_t *v,
                struct axis_values *out)
{
	struct range r = { .times = json_object_get(v, "times") != NULL };
	char allowed[256];
	uint64_t flag, value;

	axis_allowed(at->axis, allowed, sizeof(allowed));
	if (!has_ranges(at->axis)) {
		problem(l, at->path, "an object is not a value; allowed: %s", allowed);
		return;
	}
	if (!shape_ok(l, at, (json_t *)(uintptr_t)v) || !bound(l, at, v, "from", &r.from) ||
	    !bound(l, at, v, "to", &r.to))
		return;
	flag = at->axis->kind == AXIS_SIZE_OR_PERCENT ? r.from & SIZE_PERCENT : 0;
	if (at->axis->kind == AXIS_SIZE_OR_PERCENT && flag != (r.to & SIZE_PERCENT)) {
		problem(l, at->path, "from and to must both be bytes or both be percent");
		return;
	}
	r.from &= ~flag;
	r.to &= ~flag;
	if (!read_step(l, at, v, &r, flag != 0) || !fits(l, at, &r))
		return;
	value = r.from;
	do
		values_push(out, at->complement ? 100 - value : value | flag);
	while (next(&r, &value));
}
