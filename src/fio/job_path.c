#include "fio/job_path.h"

#include <jansson.h>

#include "model/axis.h"

void fio_path(struct text *out, const char *path)
{
	for (; *path; path++)
		text_addf(out, *path == ':' ? "\\%c" : "%c", *path);
}

void fio_paths(struct strlist *out, const char *filename)
{
	json_t *list, *path;
	size_t i;

	if (!filename_is_list(filename)) {
		strlist_add(out, filename);
		return;
	}
	list = json_loads(filename, 0, NULL);
	json_array_foreach(list, i, path)
	{
		if (json_is_string(path))
			strlist_add(out, json_string_value(path));
	}
	json_decref(list);
}
