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
