/* Any bytes as a file of fio's results: documents are read to their end, what is none is said in
 * words; every number is one, and histograms are fit to be stored. */
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "fio/json_import.h"
#include "fio/json_key.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_values(const struct metric_value m[METRIC_COUNT])
{
	for (size_t i = 0; i < METRIC_COUNT; i++)
		if (m[i].measured)
			assert(isfinite(m[i].real) && m[i].integer >= 0 &&
			       (!m[i].text || metric_at(i)->kind == METRIC_TEXT));
}

/* What is stored must be read again. */
static void check_histogram(const struct hist *h)
{
	static struct hist back;
	size_t n = hist_pack(h, NULL, 0);
	uint8_t *packed = malloc(n);
	struct err e = { 0 };

	assert(packed && h->n);
	assert(hist_pack(h, packed, n) == n);
	assert(!hist_unpack(&back, packed, n, &e));
	free(packed);
}

static int check_run(void *arg, struct json_run *run, struct err *e)
{
	struct text key = { 0 };

	(void)arg, (void)e;
	assert(run->status == STATUS_OK || *text_get(&run->error));
	assert(run->source && run->imported.header && run->imported.options);
	check_values(run->imported.run);
	for (size_t op = 0; op < ROW_OPS; op++) {
		check_values(run->imported.op[op]);
		if (run->imported.lat[op])
			check_histogram(run->imported.lat[op]);
	}
	json_key_text(&key, &run->options);
	text_fini(&key);
	return 0;
}

static void import(const char *text, size_t size, bool sum_jobs)
{
	struct json_scan scan = { .text = text, .size = size, .line = 1 };
	struct strlist notes = { 0 };
	const struct json_import how = { .sum_jobs = sum_jobs, .take = check_run, .notes = &notes };
	struct json_document doc;
	struct err e = { 0 };
	int r;

	for (; (r = json_scan_next(&scan, &doc, &e)); e = (struct err){ 0 }) {
		assert(r > 0 || (e.code && *e.text));
		if (r > 0) {
			struct err why = { 0 };

			if (json_import(&doc, &how, &why))
				assert(*why.text);
			json_document_fini(&doc);
		}
	}
	assert(scan.at == size);
	strlist_fini(&notes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	assert(text);
	memcpy(text, data, size);
	text[size] = '\0';
	import(text, size, false);
	import(text, size, true);
	free(text);
	return 0;
}
