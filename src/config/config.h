/* config/config.h: a JSON config becomes a sweep. The only user of jansson besides the JSON
 * writers in sink/. */
#ifndef CONFIG_CONFIG_H
#define CONFIG_CONFIG_H

#include <stdbool.h>

#include <stdbool.h>

#include "base/err.h"
#include "base/text.h"
#include "model/sweep.h"

struct config_source {
	const char *path; /* file, "-" for stdin, or NULL: only sets */
	const char
	    *text; /* when not NULL: the config itself (resume), path is then only its name */
	const struct strlist *sets; /* "KEY=VALUE" from --set, in order; may be NULL */
	bool blind; /* no target is looked at, and no description of a simulated one: to know the
	               combinations alone */
};

/* Build the sweep. 0, or -errno with EVERY problem as one line in `problems`
 * ("FILE: line L column C: ..." for syntax, "FILE: blocksize[2]: '4q': ..." for values).
 * On success *out is the caller's (sweep_free). sweep->config_text is valid input for a later
 * call. */
int config_load(struct sweep **out, const struct config_source *src, struct strlist *problems);

/* Would a config take this key with this value? No: why, as config_load() says it, with `origin` in the place of the
 * file. notes: gets what is accepted as already so. */
struct json_t;
bool config_takes(const char *origin, const char *key, const struct json_t *value,
                  struct strlist *problems, struct strlist *notes);

/* The one value that a config with this key of an axis has. *text: that of a text axis, or of sizes per direction
 * (BS_MIX); NULL: its default, or an axis of another kind; the caller's. No target is looked at. False: it takes no
 * such value, or has several. */
bool config_value(const char *key, const struct json_t *value, uint64_t *out, char **text);

/* The percentiles that a stored config chooses; false: it chooses none, or is NULL: then they are fio's usual ones. */
bool config_percentiles(const char *config, struct percentiles *out);

/* The name of a sweep whose config, or job file, is at path: what a file may be called. The caller's. */
char *config_default_name(const char *path);

/* What messages call this config: its path, "stdin", "--set" (no config at all). */
const char *config_name(const struct config_source *src);

#endif
