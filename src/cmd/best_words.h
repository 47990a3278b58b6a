/* cmd/best_words.h: the answers of best_find() for people: sentences first, then tables. */
#ifndef CMD_BEST_WORDS_H
#define CMD_BEST_WORDS_H

#include "cmd/best_load.h"

/* tables: also one line per block size, and the front of rate against p99. */
void best_words(struct text *out, const struct best_data *d, const struct best_group *g,
                bool tables);

#endif
