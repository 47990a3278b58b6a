/* config/known_options.h: fio's options that a config or a job file may name and that are not supported yet. */
#ifndef CONFIG_KNOWN_OPTIONS_H
#define CONFIG_KNOWN_OPTIONS_H

/* Why this option of fio (job file, command line, engines' own ones) is not here, or the nearest way to what it does: a
 * sentence without an end, to stand after "not supported yet: ". NULL: fio has no such option, or it is supported. */
const char *known_option_hint(const char *name);

#endif
