/* tests/support/stored.h: what a test finds in a store, and the directory of one emptied. */
#ifndef SUPPORT_STORED_H
#define SUPPORT_STORED_H

#include "sink/store.h"

/* All values of a query, joined by '|', "-" for NULL; what is wrong with it when it fails. Good
 * until the next call. */
const char *stored_query(struct store *s, const char *sql);

/* Remove every file in it. */
void stored_empty(const char *dir);

#define assert_query(s, sql, expect) assert_string_equal(stored_query(s, sql), expect)

#endif
