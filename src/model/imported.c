#include "model/imported.h"

#include <string.h>

const char *row_op_name(uint64_t op)
{
	return op == OP_MIXED ? "mixed" : op_name(op);
}

unsigned row_op_find(const char *name)
{
	unsigned op = 0;

	while (op < ROW_OPS && strcmp(row_op_name(op), name) != 0)
		op++;
	return op;
}

void row_op_sql_name(struct text *sql, const char *column)
{
	text_addf(sql, "CASE %s", column);
	for (unsigned op = 0; op < ROW_OPS; op++)
		text_addf(sql, " WHEN %u THEN '%s'", op, row_op_name(op));
	text_add(sql, " END");
}

void row_op_sql_number(struct text *sql, const char *column)
{
	text_addf(sql, "CASE %s", column);
	for (unsigned op = 0; op < ROW_OPS; op++)
		text_addf(sql, " WHEN '%s' THEN %u", row_op_name(op), op);
	text_add(sql, " END");
}
