/* config/loader.h: private to config/: what the parts of the loader share. */
#ifndef CONFIG_LOADER_H
#define CONFIG_LOADER_H

#include <jansson.h>

#include "config/config.h"
#include "config/settings.h"

#define CONFIG_MAX_BYTES   (UINT64_C(16) << 20)
#define CONFIG_MAX_DEPTH   64
#define CONFIG_MAX_RANGE   1000000          /* values that all ranges of a config may make */
#define CONFIG_MAX_ENTRIES 10000            /* of include, exclude, filename */
#define CONFIG_PATH        512              /* "exclude[0].bs[1]"; longer ones are cut */
#define TEXT_NONE          (UINT64_MAX - 1) /* a text that no job of the sweep has */

enum benchmark { BENCHMARK_UNSET, BENCHMARK_TIME, BENCHMARK_SIZE };

struct loader {
	struct sweep *sweep;
	struct strlist *problems;
	const char *file;        /* what problems call the config */
	const char *origin;      /* of the key at hand: file, or "--set" */
	struct strlist from_set; /* keys that --set gave */
	json_t *root;
	const char *axis_key[AXIS_COUNT]; /* the key the user chose, NULL: not given */
	bool benchmark_given;             /* benchmark_type or time_based stands there */
	enum benchmark benchmark;
	size_t range_values; /* made by ranges so far */
	size_t hidden;       /* problems beyond the most that are listed */
	bool blind;        /* nothing outside of the config is looked at */
	bool texts_frozen; /* values of text axes only match, they add nothing */
};

/* Record "ORIGIN: path: sentence"; path may be NULL. */
__attribute__((format(printf, 3, 4))) void problem(struct loader *l, const char *path,
                                                   const char *fmt, ...);

/* read.c: the whole text of path ("-": stdin) without a byte order mark, checked to be UTF-8;
 * or NULL with one problem and the reason in *code. */
char *config_read(struct loader *l, const char *path, size_t *len, int *code);
/* The same checks over text at hand. Returns where the text begins after a byte order mark, or
 * NULL. */
const char *config_check_encoding(struct loader *l, const char *text, size_t *len);

/* scan.c: what a JSON parser says badly or too late: comments, trailing commas, cut or deep
 * input, text after the document. Returns the number of problems; 0 also when it leaves the
 * complaint to the parser. */
size_t config_scan(struct loader *l, const char *text, size_t len);

/* syntax.c: text to JSON; NULL with problems. The root may be of any type. */
json_t *config_parse(struct loader *l, const char *text, size_t len);

/* override.c: apply KEY=VALUE texts to l->root. */
void override_all(struct loader *l, const struct strlist *sets);

/* names.c */
bool same_option(const char *a,
                 const char *b); /* the same axis or setting, by any of its keys */
/* A key that is neither axis nor setting: accepted as already so (with a note), or a problem.
 */
void other_key(struct loader *l, const char *path, const char *key, const json_t *v);
/* "; did you mean 'x'?" or "" into buf, for the value of an enum axis. */
void suggest_value(const struct axis *a, const char *text, char *buf, size_t size);
/* The nearest of n names, also by other case or as a part; NULL when none is near. */
const char *nearest_name(const char *word, const char *const *name, size_t n);
/* A value that fio knows and this program does not, yet. */
bool value_not_supported(const struct axis *a, const char *text);

/* scalar.c: the text of a scalar as the user would write it: itself, or in buf. NULL for null,
 * list, object. */
const char *scalar_text(const json_t *v, bool time, char *buf, size_t size);
bool scalar_bool(const json_t *v, bool *out);

/* values.c: a list, scalar or range of `key` at `path` into out (emptied first, then merged,
 * with a note). */
void values_read(struct loader *l, const struct axis *a, const char *key, const char *path,
                 const json_t *v, struct axis_values *out);
void values_push(struct axis_values *out, uint64_t value);

/* range.c: {"from","to","times"|"plus"}. */
struct range_place {
	const struct axis *axis;
	const char *path;
	bool complement; /* values are 100 minus */
};
void range_read(struct loader *l, const struct range_place *at, const json_t *v,
                struct axis_values *out);

/* sizes.c: {"read": SIZE, "write": SIZE, "trim": SIZE} of bs; false: it is no such object, but
 * may be a range. */
bool sizes_read(struct loader *l, const struct range_place *at, const json_t *v,
                struct axis_values *out);

/* target.c: a filename value, a path or a list of paths, to its index in sweep->target; false after a problem. */
bool target_value(struct loader *l, const char *key, const char *path, const json_t *v,
                  uint64_t *index);
bool path_check(struct loader *l, const char *path, const char *text);

/* texts.c: where a text stands in the list of its axis, added unless they are frozen (then TEXT_NONE); false after a
 * problem. */
bool text_index(struct loader *l, const char *path, struct strlist *list, const char *text,
                uint64_t *index);
/* A value of a text axis that is no filename, in its canonical form. */
bool text_read(struct loader *l, const struct axis *a, const char *path, const json_t *v,
               uint64_t *index);

/* precondition.c: that setting. */
void precondition_read(struct loader *l, const char *key, const json_t *v);

/* sim.c: the descriptions of those targets that are simulated, into sweep->sim. */
void sims_read(struct loader *l);

/* apply.c: the text of a value that must be a number or the like; NULL after a problem. */
const char *plain_value(struct loader *l, const struct setting *s, const char *key,
                        const json_t *v, char buf[64]);

/* confidence.c: settings about how sure a number must be. */
void set_sentinels(struct loader *l, const struct setting *s, const char *key, const json_t *v);
void set_precision(struct loader *l, const struct setting *s, const char *key, const json_t *v);
/* What holds between them and the others. */
void check_confidence(struct loader *l);

/* percentiles.c: percentile_list. */
void set_percentiles(struct loader *l, const struct setting *s, const char *key,
                     const json_t *v);

/* apply.c: one setting. */
void setting_apply(struct loader *l, const struct setting *s, const char *key, const json_t *v);

/* partial.c: include (first: it adds targets) and exclude, once all axes are known. */
void partials_read(struct loader *l);

/* check.c: what holds between keys: required ones, benchmark type, ramp, what include entries
 * lack. */
void check_sweep(struct loader *l);

#endif
