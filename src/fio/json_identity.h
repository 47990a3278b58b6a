/* fio/json_identity.h: what an imported run was, as it stands in the columns, and what is kept of its
 * document. */
#ifndef FIO_JSON_IDENTITY_H
#define FIO_JSON_IDENTITY_H

#include "fio/json_run.h"

/* The last step of json_run_read(): options, facts, source. */
void json_identity_read(struct json_run *run, json_t *job, const struct json_run_context *c);
/* Its name becomes one of its options ("job=NAME"), and so part of its key; also when it is exported
 * and comes back alone. */
void json_identity_add_name(struct json_run *run);

#endif
