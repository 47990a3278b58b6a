/* fio/json_group.h: which jobs of a document belong together. */
#ifndef FIO_JSON_GROUP_H
#define FIO_JSON_GROUP_H

#include <stddef.h>

#include <jansson.h>

/* Of each job: the first job of its class, how many are in it, and the next of it. */
struct json_class {
	size_t *first, *members, *next; /* members: at the first; next: the number of jobs at the last */
};

struct json_groups {
	size_t jobs;
	struct json_class beside; /* of one group: they ran at the same time */
	struct json_class alike;  /* ... with one name and the same options: clones, or one job on several clients */
	struct json_class clones; /* ... on one host */
};

/* jobs: an array of objects. To be ended. */
void json_groups_init(struct json_groups *g, json_t *jobs);
void json_groups_fini(struct json_groups *g);

static inline size_t json_class_size(const struct json_class *c, size_t job)
{
	return c->members[c->first[job]];
}

#endif
