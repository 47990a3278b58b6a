/* The description of a simulated device: a JSON file named by filename where ioengine is sim.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <xxhash.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "config/loader.h"
#include "config/sim_keys.h"
#include "engine/sim.h"

#define MEMBER_MAX 64

struct sim_reader {
	struct loader *l;
	struct sim_device *d;
	bool given[OP_COUNT]; /* these services are described */
};

static const char *const service_name[OP_COUNT] = { "read", "write", "trim", "fsync" };

static int service_of(const char *key)
{
	for (int op = 0; op < OP_COUNT; op++)
		if (!strcmp(service_name[op], key))
			return op;
	return -1;
}

static const struct sim_key *key_find(const char *section, const char *name)
{
	for (size_t i = 0; i < sim_key_count; i++)
		if (!strcmp(sim_keys[i].section, section) && !strcmp(sim_keys[i].name, name))
			return &sim_keys[i];
	return NULL;
}

static bool section_known(const char *name)
{
	if (service_of(name) >= 0)
		return true;
	for (size_t i = 0; i < sim_section_count; i++)
		if (*sim_sections[i].name && !strcmp(sim_sections[i].name, name))
			return strcmp(name, "service") != 0;
	return false;
}

/* --- one value --- */

static int parse_choice(const struct sim_key *k, const char *text, uint64_t *v)
{
	for (*v = 0; k->choice(*v); ++*v)
		if (!strcmp(k->choice(*v), text))
			return 0;
	return -1;
}

static int parse_real(const char *text, double *v)
{
	char *end;

	*v = strtod(text, &end);
	return !*text || *end ? -1 : 0;
}

/* As a number in the unit of k->min. */
static int parse(const struct sim_key *k, const char *text, uint64_t *whole, double *real)
{
	bool bit = false;
	int r = -1;

	switch (k->kind) {
	case SIM_KEY_TIME:
		r = parse_time(text, whole);
		*real = (double)*whole / 1e9;
		return r;
	case SIM_KEY_SIZE:
		r = parse_size(text, whole);
		break;
	case SIM_KEY_COUNT:
		r = parse_u64(text, whole);
		break;
	case SIM_KEY_CHOICE:
		return parse_choice(k, text, whole);
	case SIM_KEY_BOOL:
		bit = !strcmp(text, "1") || !strcmp(text, "true");
		*whole = bit;
		return bit || !strcmp(text, "0") || !strcmp(text, "false") ? 0 : -1;
	case SIM_KEY_AMOUNT:
		if (!parse_size(text, whole))
			r = 0;
		else
			return parse_real(text, real);
		break;
	case SIM_KEY_REAL:
		return parse_real(text, real);
	case SIM_KEY_NAME:
	case SIM_KEY_TEXT:
		break;
	}
	*real = (double)*whole;
	return r;
}

static bool is_whole(enum sim_kind kind)
{
	return kind != SIM_KEY_AMOUNT && kind != SIM_KEY_REAL;
}

static void read_text(struct sim_reader *r, const struct sim_key *k, const char *path,
                      const json_t *v)
{
	const char *text = json_string_value(v);

	if (!text || !text_plain(text) ||
	    (k->kind == SIM_KEY_NAME && strlen(text) >= sizeof(r->d->name)))
		problem(r->l, path, "expected %s, in quotes, without control characters",
		        k->value);
	else if (k->kind == SIM_KEY_NAME)
		(void)snprintf(r->d->name, sizeof(r->d->name), "%s", text);
}

/* base: what k->off counts from. */
static void read_value(struct sim_reader *r, const struct sim_key *k, const char *path,
                       const json_t *v, void *base)
{
	bool limited = k->kind != SIM_KEY_CHOICE && k->kind != SIM_KEY_BOOL;
	char buf[64];
	const char *text;
	uint64_t whole = 0;
	double real = 0;

	if (k->kind == SIM_KEY_NAME || k->kind == SIM_KEY_TEXT) {
		read_text(r, k, path, v);
		return;
	}
	text = scalar_text(v, k->kind == SIM_KEY_TIME, buf, sizeof(buf));
	if (!text)
		problem(r->l, path, "one value is needed; allowed: %s", k->value);
	else if (parse(k, text, &whole, &real) ||
	         (limited && !(real >= k->min && real <= k->max)))
		problem(r->l, path, "'%.80s': not a valid value; allowed: %s", text, k->value);
	else if (is_whole(k->kind))
		memcpy((char *)base + k->off, &whole, sizeof(whole));
	else
		memcpy((char *)base + k->off, &real, sizeof(real));
}

/* --- an object --- */

static void unknown_key(struct sim_reader *r, const char *path, const char *section,
                        const char *key)
{
	const char *name[MEMBER_MAX], *near;
	size_t n = 0;

	for (size_t i = 0; i < sim_key_count && n < MEMBER_MAX; i++)
		if (!strcmp(sim_keys[i].section, section))
			name[n++] = sim_keys[i].name;
	for (size_t i = 0; !*section && i < sim_section_count && n < MEMBER_MAX; i++)
		if (section_known(sim_sections[i].name))
			name[n++] = sim_sections[i].name;
	for (int op = 0; !*section && op < OP_COUNT && n < MEMBER_MAX; op++)
		name[n++] = service_name[op];
	near = nearest_name(key, name, n);
	problem(r->l, path, "unknown key%s%s%s; see: iosweep help sim",
	        near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static const char *join(char *buf, size_t size, const char *path, const char *key)
{
	(void)snprintf(buf, size, "%s%s%s", path, *path ? "." : "", key);
	return buf;
}

/* The members of `section` at `path`; objects inside are left alone. */
static void read_object(struct sim_reader *r, const char *section, const char *path,
                        const json_t *object, void *base)
{
	char at[CONFIG_PATH];
	const char *key;
	json_t *v;

	if (!json_is_object(object)) {
		problem(r->l, *path ? path : NULL, "expected an object; see: iosweep help sim");
		return;
	}
	json_object_foreach((json_t *)(uintptr_t)object, key, v)
	{
		const struct sim_key *k = key_find(section, key);

		(void)join(at, sizeof(at), path, key);
		if (k)
			read_value(r, k, at, v, base);
		else if (*section || !section_known(key))
			unknown_key(r, at, section, key);
	}
	for (size_t i = 0; i < sim_key_count; i++)
		if (!strcmp(sim_keys[i].section, section) && !sim_keys[i].def &&
		    !json_object_get(object, sim_keys[i].name))
			problem(r->l, *path ? path : NULL, "missing key: %s", sim_keys[i].name);
}

static void read_steps(struct sim_reader *r, const json_t *list)
{
	struct sim_device *d = r->d;
	char path[64];
	json_t *v;
	size_t i;

	if (!json_is_array(list) || json_array_size(list) > SIM_STEPS_MAX) {
		problem(r->l, "steps", "expected a list of at most %d objects", SIM_STEPS_MAX);
		return;
	}
	json_array_foreach(list, i, v)
	{
		(void)snprintf(path, sizeof(path), "steps[%zu]", i);
		read_object(r, "steps", path, v, &d->step[i]);
		if (i && d->step[i].at_ns <= d->step[i - 1].at_ns)
			problem(r->l, path, "at: not after the step before");
	}
	d->steps = json_array_size(list);
}

static void read_sections(struct sim_reader *r, const json_t *root)
{
	const char *key;
	json_t *v;

	json_object_foreach((json_t *)(uintptr_t)root, key, v)
	{
		int op = service_of(key);

		if (op >= 0) {
			read_object(r, "service", key, v, &r->d->service[op]);
			r->given[op] = true;
		} else if (!strcmp(key, "steps")) {
			read_steps(r, v);
		} else if (section_known(key)) {
			read_object(r, key, key, v, r->d);
		}
	}
}

/* --- the device --- */

static void set_defaults(struct sim_device *d)
{
	*d = (struct sim_device){ .servers = 1, .seed = 1 };
	d->cache.op = OP_WRITE;
	d->fresh.factor = 1;
	d->noise.slot_ns = 100 * MSEC;
	d->spikes.factor = 1;
}

/* What is not described is as what is nearest to it. */
static void complete(struct sim_reader *r, const json_t *root)
{
	struct sim_device *d = r->d;

	if (json_is_object(root) && !r->given[OP_READ])
		problem(r->l, NULL, "missing key: read");
	if (!r->given[OP_WRITE])
		d->service[OP_WRITE] = d->service[OP_READ];
	if (!r->given[OP_TRIM])
		d->service[OP_TRIM] =
		    (struct sim_service){ .base_ns = d->service[OP_WRITE].base_ns };
	if (!r->given[OP_SYNC])
		d->service[OP_SYNC] =
		    (struct sim_service){ .base_ns = d->service[OP_WRITE].base_ns };
	if (json_object_get(root, "fresh") &&
	    !json_object_get(json_object_get(root, "fresh"), "passes"))
		d->fresh.passes = 1;
	if (d->stalls.every_ns && d->stalls.for_ns >= d->stalls.every_ns)
		problem(r->l, "stalls.for", "not shorter than stalls.every");
	if (d->cache.size && d->cache.op > OP_WRITE)
		problem(r->l, "cache.op", "allowed: read or write");
}

/* Of what it does, not of its name. */
static void set_id(struct sim_device *d)
{
	const size_t from = offsetof(struct sim_device, size_bytes);

	(void)snprintf(
	    d->id, sizeof(d->id), "sim-%016llx",
	    (unsigned long long)XXH3_64bits((const char *)d + from, sizeof(*d) - from));
}

static struct sim_device *device_read(struct loader *l, const char *path)
{
	struct sim_reader r = { .l = l, .d = xcalloc(1, sizeof(*r.d)) };
	AUTO(freep) char *text = NULL;
	json_t *root = NULL;
	size_t len = 0;
	struct stat st;
	int code;

	set_defaults(r.d);
	l->origin = path;
	if (!stat(path, &st) && !S_ISREG(st.st_mode))
		problem(l, NULL,
		        "no regular file: where ioengine is sim, filename names the JSON "
		        "description of a device");
	else
		text = config_read(l, path, &len, &code);
	if (text)
		root = config_parse(l, text, len);
	if (root) {
		read_object(&r, "", "", root, r.d);
		read_sections(&r, root);
		complete(&r, root);
		set_id(r.d);
	}
	json_decref(root);
	l->origin = l->file;
	return r.d;
}

/* --- which targets are simulated --- */

#define IS_SIMULATED 1u
#define IS_REAL      2u

static unsigned kinds(const struct axis_values *engines)
{
	unsigned bits = 0;

	for (size_t i = 0; i < engines->len; i++)
		bits |= engines->val[i] == ENGINE_SIM ? IS_SIMULATED : IS_REAL;
	return bits;
}

static void add_use(unsigned *use, const struct axis_values *targets,
                    const struct axis_values *engines)
{
	for (size_t i = 0; i < targets->len; i++)
		if (targets->val[i] < TEXT_NONE)
			use[targets->val[i]] |= kinds(engines);
}

/* What is done with several at once is done with each. */
static void share_use(struct loader *l, unsigned *use)
{
	const struct sweep *s = l->sweep;

	for (size_t i = 0; i < s->sets; i++) {
		const struct target_set *set = &s->set[i];

		if (use[set->target] & IS_SIMULATED)
			problem(l, "ioengine",
			        "sim for %.80s: devices are simulated one at a time",
			        s->target.item[set->target]);
		for (unsigned k = 0; k < set->n; k++)
			use[set->member[k]] |= use[set->target] & IS_REAL;
	}
}

void sims_read(struct loader *l)
{
	struct sweep *s = l->sweep;
	const struct axis_values *base = s->axis;
	AUTO(freep) unsigned *use = xcalloc(s->target.len + 1, sizeof(*use));

	if (l->blind)
		return;
	if (s->base_product)
		add_use(use, &base[AXIS_filename], &base[AXIS_ioengine]);
	for (size_t i = 0; i < s->includes; i++) {
		const struct axis_values *own = s->include[i].axis;

		add_use(use,
		        own[AXIS_filename].given ? &own[AXIS_filename] : &base[AXIS_filename],
		        own[AXIS_ioengine].given ? &own[AXIS_ioengine] : &base[AXIS_ioengine]);
	}
	share_use(l, use);
	s->sim = xcalloc(s->target.len + 1, sizeof(struct sim_device *));
	for (size_t i = 0; i < s->target.len; i++) {
		if (sweep_set(s, i))
			continue;
		if (use[i] == (IS_SIMULATED | IS_REAL))
			problem(l, "ioengine",
			        "sim and others for '%.80s': a target is either simulated or "
			        "real; keep them apart with "
			        "include entries",
			        s->target.item[i]);
		else if (use[i] == IS_SIMULATED)
			s->sim[i] = device_read(l, s->target.item[i]);
	}
}
