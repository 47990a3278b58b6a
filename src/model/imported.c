#include "model/imported.h"

const char *row_op_name(uint64_t op)
{
	return op == OP_MIXED ? "mixed" : op_name(op);
}
