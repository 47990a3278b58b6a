/* fio/json_key.h: which combination an imported run is of. */
#ifndef FIO_JSON_KEY_H
#define FIO_JSON_KEY_H

#include "base/text.h"
#include "fio/json_options.h"

/* The canonical text, as of a run of our own when all its options are axes of ours; else with the
 * others beside them, and without what is not known. */
void json_key_text(struct text *out, const struct json_options *o);

#endif
