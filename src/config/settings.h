/* config/settings.h: the sweep settings: config keys that have one value for the whole sweep.
 * Readers: the config loader, --set, `iosweep help`, the README reference. */
#ifndef CONFIG_SETTINGS_H
#define CONFIG_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

enum setting_kind {
	SETTING_BENCHMARK, /* "time" or "size" */
	SETTING_NAME,      /* text that can be a file name */
	SETTING_TEXT,      /* one text */
	SETTING_TAGS,      /* object of text */
	SETTING_COUNT,     /* integer >= 1 */
	SETTING_SEED,      /* 64-bit */
	SETTING_ORDER,     /* spread, listed, random */
	SETTING_TIME,      /* duration */
	SETTING_SIZE,      /* bytes */
	SETTING_BOOL,      /* 0, 1, true, false */
	SETTING_SENTINELS, /* true, false or a time */
	SETTING_PRECISION, /* a percentage */
	SETTING_PATHS,     /* path or list of paths */
	SETTING_EXCLUDE,   /* list of partial combinations */
	SETTING_INCLUDE,   /* list of combinations */
	SETTING_PERCENTILES, /* numbers */
	SETTING_PRECONDITION, /* an object of its own keys */
};

struct setting {
	const char *name;
	const char *alias; /* another key for the same thing, or NULL */
	const char *value; /* what it takes, in words */
	const char *def;   /* default, in words */
	const char *help;
	size_t off; /* in struct sweep, for the kinds that fill one member */
	enum setting_kind kind;
	bool nonzero; /* an empty text, or a time of 0, is no value */
};

extern const struct setting settings[];
extern const size_t setting_count;

/* The setting with this name or alias, or NULL. */
const struct setting *setting_find(const char *key);

#endif
