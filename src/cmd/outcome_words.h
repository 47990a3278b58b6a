/* cmd/outcome_words.h: the sentences of runs that went wrong. */
#ifndef CMD_OUTCOME_WORDS_H
#define CMD_OUTCOME_WORDS_H

#include <stddef.h>

#include "model/sample.h"

/* Of an I/O that failed, with what is needed to find it. */
void outcome_io_error(const struct io_error *io, char *buf, size_t size);
/* Of the first I/O that transferred less than it was asked for. */
void outcome_short(const struct sample *sample, char *buf, size_t size);
/* Of a run whose window saw no completion and whose drain was given up. */
void outcome_unseen(const struct sample *sample, char *buf, size_t size);

#endif
