#include "cmd/show_percentiles.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "cmd/show_op.h"
#include "cmd/show_value.h"
#include "config/config.h"
#include "model/imported.h"
#include "sink/cell.h"

#define DECIMALS 2 /* at least, as fio has them */

void show_percentiles_load(struct show_percentiles *p, struct store *s)
{
	p->chosen = config_percentiles(store_get(s, "config"), &p->list);
}

/* The widest name, so that they stand in columns. */
static int width_of(const struct percentiles *list)
{
	size_t width = 5;
	char name[24];

	for (size_t i = 0; i < list->n; i++) {
		size_t n = strlen(percentile_print(name, sizeof(name), list->at[i], DECIMALS));

		width = n > width ? n : width;
	}
	return (int)width;
}

void show_percentiles_print(const struct show_percentiles *p, const struct hist *h)
{
	int width = width_of(&p->list);
	size_t n = p->list.n;

	while (!p->chosen && n && percentile_too_few(h->n, p->list.at[n - 1]))
		n--;
	if (!n)
		return;
	puts("     lat percentiles (usec):");
	for (size_t i = 0; i < n; i++) {
		uint32_t at = p->list.at[i];
		char name[24], value[32] = "-";

		if (!percentile_too_few(h->n, at))
			(void)show_us(percentile_ns(h, at) / 1000, value, sizeof(value));
		printf("%s %*sth=[%5s]%s", i % 4 ? "" : "      |", width,
		       percentile_print(name, sizeof(name), at, DECIMALS), value,
		       i + 1 == n   ? "\n"
		       : i % 4 == 3 ? ",\n"
		                    : ",");
	}
}

int show_percentiles_json(struct text *t, const struct show_percentiles *p, struct store *s,
                          const struct rows *r, struct err *e)
{
	AUTO(freep) struct hist *h = xcalloc(1, sizeof(*h));
	int op = rows_find(r, "op"), rc = 0;
	int64_t run = rows_named_int(r, "run");
	char name[24];

	if (!rows_null(r, op))
		rc = show_histogram(h, s, run, row_op_find(rows_text(r, op)), e);
	if (rc)
		return err_wrap(e, "histogram of run %" PRId64, run);
	text_add(t, ",\"percentiles\":{");
	for (size_t i = 0; i < p->list.n; i++) {
		uint32_t at = p->list.at[i];

		text_addf(t, "%s\"%s\":", i ? "," : "",
		          percentile_print(name, sizeof(name), at, 0));
		if (!h->n || percentile_too_few(h->n, at))
			text_add(t, "null");
		else
			json_add_real(t, percentile_ns(h, at) / 1000);
	}
	text_add(t, "}");
	return 0;
}
