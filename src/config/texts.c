#include <string.h>

#include "base/cpulist.h"
#include "config/loader.h"

bool text_index(struct loader *l, const char *path, struct strlist *list, const char *text,
                uint64_t *index)
{
	for (size_t i = 0; i < list->len; i++)
		if (!strcmp(list->item[i], text)) {
			*index = i;
			return true;
		}
	*index = l->texts_frozen ? TEXT_NONE : list->len;
	if (l->texts_frozen)
		return true;
	if (list->len == CONFIG_MAX_ENTRIES) {
		problem(l, path, "more than %d different values", CONFIG_MAX_ENTRIES);
		return false;
	}
	strlist_add(list, text);
	return true;
}

bool cpus_read(struct loader *l, const char *path, const json_t *v, uint64_t *index)
{
	char buf[64], canonical[4096];
	const char *text = scalar_text(v, false, buf, sizeof(buf));
	cpu_set_t set;

	if (!text || cpulist_parse(text, &set)) {
		problem(l, path,
		        "'%.80s': not a list of CPUs; allowed: numbers and ranges such as "
		        "\"0-3,5\", below %d",
		        text ? text : "", CPU_SETSIZE);
		return false;
	}
	(void)cpulist_print(canonical, sizeof(canonical), &set);
	return text_index(l, path, &l->sweep->cpus, canonical, index);
}
