/* sink/json.c: the rows of a sweep as one JSON document; and the facts of its machine, back
 * from theirs. */
#include <jansson.h>

#include "base/cleanup.h"
#include "sink/cell.h"
#include "sink/csv.h"

#define CHUNK 65536

int json_write_rows(FILE *out, struct rows *rows, struct err *e)
{
	AUTO(text_fini) struct text t = { 0 };
	bool any = false;
	int r;

	text_add(&t, "{\"schema_version\":1,\"rows\":[");
	while ((r = rows_next(rows, e)) == 1) {
		text_add(&t, any ? ",\n" : "\n");
		json_add_row(&t, rows);
		any = true;
		if (t.len >= CHUNK && (r = csv_put(out, &t, e)))
			return r;
	}
	text_add(&t, "\n]}\n");
	return r ? r : csv_put(out, &t, e);
}

int jsonl_write_rows(FILE *out, struct rows *rows, struct err *e)
{
	AUTO(text_fini) struct text t = { 0 };
	int r;

	while ((r = rows_next(rows, e)) == 1) {
		json_add_row(&t, rows);
		text_add(&t, "\n");
		if (t.len >= CHUNK && (r = csv_put(out, &t, e)))
			return r;
	}
	return r ? r : csv_put(out, &t, e);
}

void json_each_fact(const char *json,
                    void (*fn)(void *arg, const char *name, const char *value), void *arg)
{
	json_t *root = json_loads(json, 0, NULL), *value;
	const char *name;

	json_object_foreach(root, name, value)
	{
		char *text = json_is_object(value) || json_is_array(value)
		                 ? NULL
		                 : json_dumps(value, JSON_ENCODE_ANY);

		if (text)
			fn(arg, name, json_is_string(value) ? json_string_value(value) : text);
		free(text);
	}
	json_decref(root);
}
