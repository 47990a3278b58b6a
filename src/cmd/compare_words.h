/* cmd/compare_words.h: a comparison for people, as text or Markdown; and how its parts are put
 * into words. */
#ifndef CMD_COMPARE_WORDS_H
#define CMD_COMPARE_WORDS_H

#include "cmd/compare_cluster.h"

struct compared {
	const char *name[COMPARE_SIDES]; /* of the sides, for titles */
	const struct compare_data *data;
	const struct comparison *found;
	struct cluster cluster[CLUSTER_MAX];
	size_t clusters;
};

void compare_words(struct text *out, const struct compared *c, bool markdown);

/* Of that, how many cells are what, and where; below the names and the environments. */
void compare_verdicts(struct text *out, const struct compared *c, bool markdown);
/* The changed cells, the largest difference first; out: room for all cells. Returns how many.
 */
size_t compare_changed(const struct compare_cell **out, const struct comparison *f);
/* "rw randwrite, bs 4k": of one cell, the axes that have more than one value. */
void compare_cell_text(char *buf, size_t size, const struct compare_data *d,
                       const struct compare_cell *c);

/* "randwrite, iodepth >= 16"; "all cells" */
void cluster_text(char *buf, size_t size, const struct compare_data *d,
                  const struct cluster *k);
double compare_percent(double d); /* of a difference of logarithms */

#endif
