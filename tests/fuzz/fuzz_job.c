/* Any text as a job file, and its first line as a command line of fio: what becomes a config is
 * one that loads. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "fio/job_import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_config(const char *config)
{
	struct config_source src = { .path = "fuzz.json", .text = config };
	struct strlist problems = { 0 };
	struct sweep *s = NULL;

	assert(!config_load(&s, &src, &problems) && s);
	assert(!strcmp(s->config_text, config));
	sweep_free(s);
	strlist_fini(&problems);
}

static void import(struct fio_jobs *j)
{
	const struct strlist none = { 0 };
	const struct fio_wishes w = {
		.name = "fuzz", .section = &none, .sweep = &none, .without = &none
	};
	struct strlist notes = { 0 };
	struct text config = { 0 };

	if (!fio_jobs_import(j, &w, &config, &notes))
		check_config(text_get(&config));
	else
		assert(j->problems.len);
	for (size_t i = 0; i < j->problems.len; i++)
		assert(text_plain(j->problems.item[i]));
	text_fini(&config);
	strlist_fini(&notes);
	fio_jobs_fini(j);
}

/* /nowhere: a name with a directory, so that no include of the fuzzer's is found beside it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fio_jobs j = { 0 };
	char *text = malloc(size + 1);

	assert(text);
	memcpy(text, data, size);
	text[size] = '\0';
	fio_jobs_text(&j, "/nowhere/fuzz.fio", text, size);
	import(&j);
	fio_jobs_cmdline(&j, text);
	import(&j);
	free(text);
	return 0;
}
