#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/loader.h"

/* "host:/export", "nfs://host/export": people write network addresses where a mount point is
 * meant. */
static bool looks_remote(const char *s)
{
	size_t n = strcspn(s, ":/");

	return n && s[n] == ':' && s[n + 1] == '/';
}

bool path_check(struct loader *l, const char *path, const char *text)
{
	if (!*text)
		problem(l, path, "an empty text is no path");
	else if (!text_plain(text))
		problem(l, path, "'%.80s': control characters in a path", text);
	else if (strlen(text) >= PATH_MAX)
		problem(l, path, "'%.80s...': longer than a path can be (%d bytes)", text,
		        PATH_MAX - 1);
	else if (!l->blind && looks_remote(text) && access(text, F_OK))
		problem(l, path,
		        "'%.80s': not a path but a network address; mount it and name the "
		        "mount point or a "
		        "file there",
		        text);
	else
		return true;
	return false;
}

static bool is_directory(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

bool target_read(struct loader *l, const char *key, const char *path, const json_t *v,
                 uint64_t *index)
{
	const char *text = json_string_value(v);
	char buf[64];

	if (!text) {
		text = scalar_text(v, false, buf, sizeof(buf));
		problem(l, path, "%.80s: expected a path in quotes", text ? text : "");
		return false;
	}
	if (!path_check(l, path, text))
		return false;
	if (!strcmp(key, "directory") && !l->blind && !l->texts_frozen && !is_directory(text)) {
		problem(
		    l, path,
		    "'%.80s': not a directory; it must exist (a file is named by 'filename')",
		    text);
		return false;
	}
	return text_index(l, path, &l->sweep->target, text, index);
}
