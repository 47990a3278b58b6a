#include "fio/json_print.h"

#include <stdio.h>
#include <stdlib.h>

#include "sink/cell.h"

static void print_value(struct text *out, json_t *v, unsigned depth);

static void line(struct text *out, unsigned depth, bool first)
{
	text_add(out, first ? "\n" : ",\n");
	for (unsigned i = 0; i < depth; i++)
		text_add(out, "  ");
}

static void print_object(struct text *out, json_t *v, unsigned depth)
{
	bool first = true;
	const char *key;
	json_t *member;

	text_add(out, "{");
	json_object_foreach(v, key, member)
	{
		line(out, depth + 1, first);
		json_add_string(out, key);
		text_add(out, " : ");
		print_value(out, member, depth + 1);
		first = false;
	}
	line(out, depth, true);
	text_add(out, "}");
}

static void print_array(struct text *out, json_t *v, unsigned depth)
{
	size_t i;
	json_t *member;

	text_add(out, "[");
	json_array_foreach(v, i, member)
	{
		line(out, depth + 1, i == 0);
		print_value(out, member, depth + 1);
	}
	line(out, depth, true);
	text_add(out, "]");
}

/* With six places as long as they are enough: a reader then knows it for a real. */
static void print_real(struct text *out, double v)
{
	char six[64];

	(void)snprintf(six, sizeof(six), "%.6f", v);
	if (strtod(six, NULL) == v)
		text_add(out, six);
	else
		json_add_real(out, v);
}

static void print_value(struct text *out, json_t *v, unsigned depth)
{
	if (json_is_object(v))
		print_object(out, v, depth);
	else if (json_is_array(v))
		print_array(out, v, depth);
	else if (json_is_string(v))
		json_add_string(out, json_string_value(v));
	else if (json_is_integer(v))
		cell_add_int(out, json_integer_value(v));
	else if (json_is_real(v))
		print_real(out, json_real_value(v));
	else
		text_add(out, json_is_true(v) ? "true" : json_is_false(v) ? "false" : "null");
}

void json_print(struct text *out, json_t *v)
{
	print_value(out, v, 0);
	text_add(out, "\n");
}
