/* cmd/redo.h: resume --redo: rows to be measured again, by an SQL expression. */
#ifndef CMD_REDO_H
#define CMD_REDO_H

#include "cmd/session.h"

/* Make the last attempts whose rows match o->redo count as not done. EXIT_OK, or EXIT_USAGE
 * after saying what is wrong with the expression. */
int redo_mark(struct session *s);
/* Add to a condition over the rows that those which match do not stay. */
void redo_add(struct text *where, const struct session *s);

#endif
