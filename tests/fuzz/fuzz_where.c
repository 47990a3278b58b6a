/* Any text as the `where` of a sweep: refused in words, or an expression that answers yes or no
 * for every combination, or says why not. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plan/where.h"
#include "support/default_job.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void job_init(struct job *job, uint64_t bs)
{
	*job = default_job();
	job->bs = bs;
	job_defaults(job);
}

static void ask(const struct sweep *sweep)
{
	struct where *w = NULL;
	struct err e = { 0 };
	struct job job = { 0 };

	if (where_new(&w, sweep, &e)) {
		assert(e.code && *e.text);
		return;
	}
	for (uint64_t bs = 512; bs <= UINT64_C(1) << 40; bs <<= 20) {
		int r;

		e = (struct err){ 0 };
		job_init(&job, bs);
		r = where_match(w, &job, &e);
		assert(r == 0 || r == 1 || (r < 0 && e.code && *e.text));
	}
	where_free(w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sweep *sweep = sweep_new();

	strlist_add(&sweep->target, "t.bin");
	sweep->where = malloc(size + 1);
	assert(sweep->where);
	memcpy(sweep->where, data, size);
	sweep->where[size] = '\0';
	ask(sweep);
	sweep_free(sweep);
	return 0;
}
