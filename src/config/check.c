#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "config/loader.h"

static bool given_above(const struct loader *l, enum axis_id a)
{
	return l->axis_key[a] != NULL;
}

static bool entry_names(const struct partial *p, enum axis_id a)
{
	return p->axis[a].given;
}

static bool any_entry_names(const struct loader *l, enum axis_id a)
{
	for (size_t i = 0; i < l->sweep->includes; i++)
		if (entry_names(&l->sweep->include[i], a))
			return true;
	return false;
}

/* Required keys stand above, or in every include: then there is no product above. */
static void check_required(struct loader *l)
{
	struct text missing = { 0 };

	for (size_t a = 0; a < AXIS_COUNT; a++) {
		if (!axes[a].required || given_above(l, (enum axis_id)a))
			continue;
		if (any_entry_names(l, (enum axis_id)a))
			l->sweep->base_product = false;
		else
			text_addf(&missing, "%s%s", missing.len ? ", " : "", axes[a].name);
	}
	if (missing.len)
		problem(l, NULL, "missing required keys: %s", text_get(&missing));
	text_fini(&missing);
}

/* Keys that an include entry lacks must have one value above. */
static void check_include(struct loader *l, size_t i)
{
	const struct partial *p = &l->sweep->include[i];
	char path[64];

	(void)snprintf(path, sizeof(path), "include[%zu]", i);
	for (size_t a = 0; a < AXIS_COUNT; a++) {
		if (entry_names(p, (enum axis_id)a))
			continue;
		if (l->sweep->axis[a].len > 1)
			problem(l, path,
			        "lacks '%s', which is a list above; name the value here",
			        l->axis_key[a]);
		else if (axes[a].required && !given_above(l, (enum axis_id)a) &&
		         any_entry_names(l, (enum axis_id)a))
			problem(l, path, "lacks '%s', which is not given above either",
			        axes[a].name);
	}
}

static void set_benchmark_axis(struct loader *l)
{
	struct axis_values *v = &l->sweep->axis[AXIS_time_based];

	v->val[0] = l->benchmark != BENCHMARK_SIZE;
	v->given = l->benchmark_given;
}

static void choose_benchmark(struct loader *l)
{
	bool timed = given_above(l, AXIS_runtime) || any_entry_names(l, AXIS_runtime);
	bool sized = given_above(l, AXIS_size) || any_entry_names(l, AXIS_size) ||
	             given_above(l, AXIS_io_size) || any_entry_names(l, AXIS_io_size) ||
	             given_above(l, AXIS_number_ios) || any_entry_names(l, AXIS_number_ios);

	if (l->benchmark == BENCHMARK_UNSET && !l->benchmark_given) {
		l->benchmark = timed ? BENCHMARK_TIME : BENCHMARK_SIZE;
		if (!timed && !sized)
			problem(l, NULL,
			        "nothing says how long a run is: give runtime (benchmark_type "
			        "\"time\": loop for "
			        "so long), or size or io_size (benchmark_type \"size\": one "
			        "full pass)");
	}
	set_benchmark_axis(l);
}

static void check_runtime(struct loader *l)
{
	char path[64];

	if (l->benchmark != BENCHMARK_TIME || given_above(l, AXIS_runtime))
		return;
	if (l->sweep->base_product) {
		problem(l, NULL,
		        "missing required keys: runtime (benchmark_type is \"time\"; \"size\" "
		        "needs none)");
		return;
	}
	for (size_t i = 0; i < l->sweep->includes; i++) {
		if (entry_names(&l->sweep->include[i], AXIS_runtime))
			continue;
		(void)snprintf(path, sizeof(path), "include[%zu]", i);
		problem(l, path, "lacks 'runtime', which is not given above either");
	}
}

static bool all_zero(const struct axis_values *v)
{
	for (size_t i = 0; i < v->len; i++)
		if (v->val[i])
			return false;
	return true;
}

static void check_ramp(struct loader *l)
{
	static const char text[] =
	    "benchmark_type \"size\" has no ramp; leave ramp_time out or set it to 0";
	char path[64];

	if (l->benchmark != BENCHMARK_SIZE)
		return;
	if (given_above(l, AXIS_ramp_time) && !all_zero(&l->sweep->axis[AXIS_ramp_time]))
		problem(l, l->axis_key[AXIS_ramp_time], "%s", text);
	for (size_t i = 0; i < l->sweep->includes; i++) {
		(void)snprintf(path, sizeof(path), "include[%zu].ramp_time", i);
		if (!all_zero(&l->sweep->include[i].axis[AXIS_ramp_time]))
			problem(l, path, "%s", text);
	}
}

static bool has_mix(const struct axis_values *v)
{
	for (size_t i = 0; i < v->len; i++)
		if (v->val[i] & BS_MIX)
			return true;
	return false;
}

static bool has_step(const struct axis_values *v)
{
	for (size_t i = 0; i < v->len; i++)
		if (v->val[i] >= RW_COUNT && v->val[i] != AXIS_UNSET)
			return true;
	return false;
}

/* Values of one axis that say what another says too, which would be ignored. */
static const struct twice {
	enum axis_id axis, other;
	bool (*says)(const struct axis_values *v);
	const char *problem;
} twice[] = {
	{ AXIS_bs, AXIS_bssplit, has_mix,
	  "sizes per direction, and bssplit: each says all sizes; give one of them" },
	{ AXIS_rw, AXIS_rw_step, has_step,
	  "a step of its own, and rw_step: each says it; give one of them" },
};

/* The values of an axis in an include entry: its own, or those above. */
static const struct axis_values *values_in(const struct loader *l, const struct partial *p,
                                           enum axis_id a)
{
	return p && p->axis[a].given ? &p->axis[a] : &l->sweep->axis[a];
}

/* p NULL: the product above. */
static void check_twice_in(struct loader *l, const struct partial *p, const char *path)
{
	for (const struct twice *t = twice; t < twice + ARRAY_SIZE(twice); t++)
		if (t->says(values_in(l, p, t->axis)) && values_in(l, p, t->other)->given)
			problem(l, path ? path : l->axis_key[t->axis], "%s", t->problem);
}

static void check_twice(struct loader *l)
{
	char path[64];

	if (l->sweep->base_product)
		check_twice_in(l, NULL, NULL);
	for (size_t i = 0; i < l->sweep->includes; i++) {
		(void)snprintf(path, sizeof(path), "include[%zu]", i);
		check_twice_in(l, &l->sweep->include[i], path);
	}
}

/* What fio calls so is how it is. */
static void tell_randrepeat(struct loader *l)
{
	const struct axis_values *v = &l->sweep->axis[AXIS_randrepeat];

	if (given_above(l, AXIS_randrepeat) && v->len == 1 && v->val[0])
		strlist_add(&l->sweep->notes, "randrepeat: accepted as already so: random "
		                              "sequences always repeat with the same seed");
}

void check_sweep(struct loader *l)
{
	l->origin = l->file;
	check_required(l);
	for (size_t i = 0; i < l->sweep->includes; i++)
		check_include(l, i);
	choose_benchmark(l);
	check_runtime(l);
	check_ramp(l);
	tell_randrepeat(l);
	check_twice(l);
	check_confidence(l);
}
