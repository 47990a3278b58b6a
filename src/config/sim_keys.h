/* config/sim_keys.h: what the description of a simulated device may hold. Readers: the loader, `iosweep help sim`, the
 * README reference. */
#ifndef CONFIG_SIM_KEYS_H
#define CONFIG_SIM_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sim_kind {
	SIM_KEY_TIME,   /* uint64_t ns */
	SIM_KEY_SIZE,   /* uint64_t bytes */
	SIM_KEY_COUNT,  /* uint64_t */
	SIM_KEY_CHOICE, /* uint64_t */
	SIM_KEY_BOOL,   /* uint64_t, 0 or 1 */
	SIM_KEY_AMOUNT, /* double, written like a size */
	SIM_KEY_REAL,   /* double */
	SIM_KEY_NAME,   /* char[64] */
	SIM_KEY_TEXT,   /* not kept */
};

struct sim_key {
	const char *section; /* the object it stands in; "": the device itself; "service": each of read, write, trim, fsync */
	const char *name;
	const char *help;
	const char *value; /* what it takes, in words */
	const char *def;   /* default, in words; NULL: it must be given where its section is */
	size_t off;        /* in struct sim_device; of a service in struct sim_service, of a step in its element */
	enum sim_kind kind;
	double min, max; /* TIME: in seconds */
	const char *(*choice)(uint64_t v);
};

extern const struct sim_key sim_keys[];
extern const size_t sim_key_count;

struct sim_section {
	const char *name, *help;
};

extern const struct sim_section sim_sections[];
extern const size_t sim_section_count;

#endif
