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

/* "randwrite, iodepth >= 16"; "all cells" */
void cluster_text(char *buf, size_t size, const struct compare_data *d,
                  const struct cluster *k);
double compare_percent(double d); /* of a difference of logarithms */

#endif
