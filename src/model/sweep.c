#include "model/sweep.h"

#include <stdlib.h>

#include "base/units.h"

struct sweep *sweep_new(void)
{
	struct sweep *s = xcalloc(1, sizeof(*s));

	for (size_t a = 0; a < AXIS_COUNT; a++) {
		s->axis[a].val = xcalloc(1, sizeof(*s->axis[a].val));
		s->axis[a].val[0] = axis_default(&axes[a]);
		s->axis[a].len = s->axis[a].raw_len = 1;
		s->nest[a] = (enum axis_id)a;
	}
	s->base_product = true;
	s->repeats = 1;
	s->seed = 1;
	s->stall_timeout_ns = 60 * SEC;
	s->sentinel_ns = SENTINEL_NS;
	s->sentinel_long = true;
	s->pilot_ns = PILOT_NS;
	return s;
}

const struct target_set *sweep_set(const struct sweep *s, size_t target)
{
	for (size_t i = 0; i < s->sets; i++)
		if (s->set[i].target == target)
			return &s->set[i];
	return NULL;
}

static void partials_free(struct partial *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t a = 0; a < AXIS_COUNT; a++)
			free(p[i].axis[a].val);
		free(p[i].label);
		free(p[i].text);
	}
	free(p);
}

void sweep_free(struct sweep *s)
{
	if (!s)
		return;
	for (size_t a = 0; a < AXIS_COUNT; a++) {
		free(s->axis[a].val);
		strlist_fini(&s->text[a]);
	}
	for (size_t i = 0; i < s->tags; i++) {
		free(s->tag[i].key);
		free(s->tag[i].value);
	}
	free(s->tag);
	partials_free(s->exclude, s->excludes);
	partials_free(s->include, s->includes);
	for (size_t i = 0; s->sim && i < s->target.len; i++)
		free(s->sim[i]);
	free(s->sim);
	free(s->set);
	strlist_fini(&s->target);
	strlist_fini(&s->may_overwrite);
	strlist_fini(&s->notes);
	free(s->name);
	free(s->description);
	free(s->where);
	free(s->config_text);
	free(s);
}
