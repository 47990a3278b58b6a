/* cmd/best_words.h: the answers of best_find() for people: sentences first, then tables. */
#ifndef CMD_BEST_WORDS_H
#define CMD_BEST_WORDS_H

#include "base/text.h"
#include "cmd/best_load.h"

/* tables: also one line per block size, and the front of rate against p99. */
void best_words(struct text *out, const struct best_data *d, const struct best_group *g,
                bool tables);

/* One cell as columns of a table. */
#define BEST_COLUMNS 9
struct best_row {
	char column[BEST_COLUMNS][32];
	char rest[256]; /* what else tells it apart; "" mostly */
};
void best_headings(const char *out[BEST_COLUMNS], const struct best_data *d);
void best_row(struct best_row *out, const struct best_group *g, const struct best_cell *c);

#endif
