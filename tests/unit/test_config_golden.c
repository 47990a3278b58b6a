/* Every folder of tests/golden/config-bad and config-ok: config.json (and "sets", one KEY=VALUE
 * a line) against expect.err, all problems, or expect.out, what the sweep holds.
 * GOLDEN_UPDATE=1 writes them anew. */
#include "support/test.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "config/config.h"

static int top; /* descriptor of the directory the test began in */

static void read_file(const char *path, struct text *t)
{
	FILE *f = fopen(path, "re");
	char line[4096];

	if (!f)
		return;
	while (fgets(line, sizeof(line), f))
		text_add(t, line);
	(void)fclose(f);
}

static void read_sets(struct strlist *sets)
{
	struct text t = { 0 };
	char *save = NULL;

	read_file("sets", &t);
	for (char *p = t.s ? strtok_r(t.s, "\n", &save) : NULL; p;
	     p = strtok_r(NULL, "\n", &save))
		strlist_add(sets, p);
	text_fini(&t);
}

static void print_values(struct text *t, const struct sweep *s, size_t a,
                         const struct axis_values *v)
{
	char buf[64];

	text_addf(t, "%s =", axes[a].name);
	for (size_t i = 0; i < v->len; i++) {
		axis_print_human(&axes[a], v->val[i], buf, sizeof(buf));
		if (axes[a].kind == AXIS_TEXT)
			(void)snprintf(buf, sizeof(buf), "%s",
			               v->val[i] < sweep_texts(s, &axes[a])->len
			                   ? sweep_text(s, &axes[a], v->val[i])
			                   : "(none)");
		text_addf(t, " %s", buf);
	}
	if (v->raw_len != v->len)
		text_addf(t, " (of %zu)", v->raw_len);
	text_add(t, "\n");
}

static void print_partials(struct text *t, const struct sweep *s, const char *what,
                           const struct partial *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		text_addf(t, "%s %zu %s: %s\n", what, i, p[i].label ? p[i].label : "-",
		          p[i].text);
		for (size_t a = 0; a < AXIS_COUNT; a++) {
			if (!p[i].axis[a].len)
				continue;
			text_add(t, "  ");
			print_values(t, s, a, &p[i].axis[a]);
		}
	}
}

static void print_confidence(struct text *t, const struct sweep *s)
{
	char interval[64], pilot[64];

	print_seconds(interval, sizeof(interval), s->sentinel_ns);
	print_seconds(pilot, sizeof(pilot), s->pilot_ns);
	if (!s->sentinel_long)
		text_addf(t, "sentinels %s\n", interval);
	if (s->precision > 0)
		text_addf(t, "precision %g, pilot %d of %s\n", s->precision, s->pilot, pilot);
}

static void print_sweep(struct text *t, const struct sweep *s)
{
	char pause[64], stall[64];

	for (size_t i = 0; i < AXIS_COUNT; i++)
		if (s->axis[s->nest[i]].given)
			print_values(t, s, s->nest[i], &s->axis[s->nest[i]]);
	print_seconds(pause, sizeof(pause), s->pause_ns);
	print_seconds(stall, sizeof(stall), s->stall_timeout_ns);
	text_addf(t,
	          "time_based %d, base product %d, repeats %" PRIu64 ", seed %" PRIu64
	          ", order %d\n",
	          (int)s->axis[AXIS_time_based].val[0], s->base_product, s->repeats, s->seed,
	          (int)s->order);
	text_addf(t, "stall_timeout %s, pause %s, keep %d, fill %d\n", stall, pause, s->keep,
	          s->fill);
	text_addf(t, "name %s, description %s, where %s\n", s->name,
	          s->description ? s->description : "-", s->where ? s->where : "-");
	print_confidence(t, s);
	for (size_t i = 0; i < s->percentiles.n; i++)
		text_addf(t, "%s%g%s", i ? ":" : "percentiles ",
		          (double)s->percentiles.at[i] / PERCENTILE_UNIT,
		          i + 1 == s->percentiles.n ? "\n" : "");
	for (size_t i = 0; i < s->tags; i++)
		text_addf(t, "tag %s: %s\n", s->tag[i].key, s->tag[i].value);
	for (size_t i = 0; i < s->may_overwrite.len; i++)
		text_addf(t, "may_overwrite %s\n", s->may_overwrite.item[i]);
	print_partials(t, s, "exclude", s->exclude, s->excludes);
	print_partials(t, s, "include", s->include, s->includes);
	for (size_t i = 0; i < s->notes.len; i++)
		text_addf(t, "note %s\n", s->notes.item[i]);
}

/* The effective config, read again, must make the same sweep. */
static int reload_differs(const char *name, const struct sweep *s)
{
	struct config_source src = { .path = "elsewhere.json", .text = s->config_text };
	struct strlist problems = { 0 };
	struct text a = { 0 }, b = { 0 };
	struct sweep *again = NULL;
	int differs = 1;

	if (!config_load(&again, &src, &problems)) {
		print_sweep(&a, s);
		print_sweep(&b, again);
		differs = strcmp(text_get(&a), text_get(&b)) ||
		          strcmp(s->config_text, again->config_text);
	}
	if (differs)
		print_error("%s: the effective config makes another sweep:\n%s%s\n", name,
		            s->config_text, problems.len ? problems.item[0] : text_get(&b));
	sweep_free(again);
	strlist_fini(&problems);
	text_fini(&a);
	text_fini(&b);
	return differs;
}

static int compare(const char *name, const char *file, const struct text *got)
{
	struct text want = { 0 };
	int differs;

	if (getenv("GOLDEN_UPDATE")) {
		FILE *f = fopen(file, "we");

		assert_non_null(f);
		(void)fputs(text_get(got), f);
		(void)fclose(f);
	}
	read_file(file, &want);
	differs = strcmp(text_get(&want), text_get(got)) != 0;
	if (differs)
		print_error("%s: expected:\n%sgot:\n%s", name, text_get(&want), text_get(got));
	text_fini(&want);
	return differs;
}

/* 0, or 1 after printing what differs. In the case's own directory. */
static int run_case(const char *name, bool ok)
{
	struct strlist sets = { 0 }, problems = { 0 };
	struct config_source src = { .sets = &sets };
	struct text got = { 0 };
	struct sweep *s = NULL;
	int r, differs = 0;

	read_sets(&sets);
	src.path = access("config.json", F_OK) ? NULL : "config.json";
	r = config_load(&s, &src, &problems);
	for (size_t i = 0; i < problems.len; i++)
		text_addf(&got, "%s\n", problems.item[i]);
	if (s) {
		print_sweep(&got, s);
		differs = reload_differs(name, s);
	}
	if (!r != ok) {
		print_error("%s: returned %d\n%s", name, r, text_get(&got));
		differs = 1;
	} else if (compare(name, ok ? "expect.out" : "expect.err", &got)) {
		differs = 1;
	}
	sweep_free(s);
	strlist_fini(&sets);
	strlist_fini(&problems);
	text_fini(&got);
	return differs;
}

static void run_suite(const char *path, bool ok)
{
	DIR *dir = opendir(path);
	struct dirent *d;
	int cases = 0, failed = 0;

	assert_non_null(dir);
	while ((d = readdir(dir))) {
		char name[512];

		if (d->d_name[0] == '.')
			continue;
		(void)snprintf(name, sizeof(name), "%s/%s", path, d->d_name);
		assert_int_equal(chdir(name), 0);
		failed += run_case(name, ok);
		assert_int_equal(fchdir(top), 0);
		cases++;
	}
	(void)closedir(dir);
	assert_true(cases >= 10);
	assert_int_equal(failed, 0);
}

static void bad_configs_say_what_is_wrong(void **state)
{
	(void)state;
	run_suite("tests/golden/config-bad", false);
}

static void good_configs_make_these_sweeps(void **state)
{
	(void)state;
	run_suite("tests/golden/config-ok", true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_configs_say_what_is_wrong),
		cmocka_unit_test(good_configs_make_these_sweeps),
	};
	int r;

	top = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (top < 0)
		return 1;
	r = cmocka_run_group_tests(tests, NULL, NULL);
	(void)close(top);
	return r;
}
