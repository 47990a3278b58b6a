/* cmd/flag_words.h: why a doubt or note stands at a run. */
#ifndef CMD_FLAG_WORDS_H
#define CMD_FLAG_WORDS_H

#include <stddef.h>

#include "base/text.h"

/* Append "NAME: sentence": the one that was stored with the run (`why`, a line each), else the
 * flag's rule. The name is n bytes long; one that is unknown has no sentence. */
void flag_reason(struct text *out, const char *why, const char *name, size_t n);

#endif
