#include <string.h>

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

bool text_read(struct loader *l, const struct axis *a, const char *path, const json_t *v,
               uint64_t *index)
{
	char buf[64], canonical[AXIS_TEXT_MAX];
	const char *text = scalar_text(v, false, buf, sizeof(buf));
	struct err e = { 0 };

	if (a->canonical(text ? text : "", canonical, sizeof(canonical), &e)) {
		problem(l, path, "%s", e.text);
		return false;
	}
	if (a->def && !strcmp(canonical, a->def)) {
		*index = AXIS_UNSET;
		return true;
	}
	return text_index(l, path, &l->sweep->text[a - axes], canonical, index);
}
