/* base/units.h: sizes and times as people write them, and back. Sizes are bytes, times nanoseconds. */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

#define KIB UINT64_C(1024)
#define MIB (KIB * KIB)
#define GIB (KIB * MIB)
#define USEC UINT64_C(1000)
#define MSEC UINT64_C(1000000)
#define SEC UINT64_C(1000000000)

/* Parse "4k", "4KiB", "0x1000", "4096": integer with an optional suffix k m g t (each also with b, ib
 * or i), case ignored, powers of 1024. Decimals, blanks, signs, an empty text and unknown suffixes are
 * -EINVAL; a value over 2^63-1 is -ERANGE. */
int parse_size(const char *s, uint64_t *bytes);

/* Parse "30", "0.5", "500ms", "30s", "5m", "1h", "2d" (also us): plain numbers are seconds, `m` is
 * minutes, fractions allowed, case ignored. -EINVAL, or -ERANGE above 10^9 seconds. */
int parse_time(const char *s, uint64_t *ns);

/* Parse a plain unsigned decimal integer: digits only. */
int parse_u64(const char *s, uint64_t *value);

/* The unsigned integer of base 10 or 16 that *s begins with; *s is then behind it. -EINVAL: it
 * begins with no digit; -ERANGE. */
int take_u64(const char **s, int base, uint64_t *value);

/* What a hexadecimal digit of either case stands for; -1: it is none. */
int hex_digit(char c);

/* "4k", "1m", "4000": the shortest exact form, accepted by parse_size() and by fio alike. */
char *print_size(char *buf, size_t size, uint64_t bytes);

/* Seconds as a plain decimal with no trailing zeros: "30", "0.5"; exact to the nanosecond. */
char *print_seconds(char *buf, size_t size, uint64_t ns);

/* For people: "83160 s" as "23 h 06 min", "500 ms", "1 min 30 s". */
char *print_duration(char *buf, size_t size, uint64_t ns);

/* For people: "4 KiB", "256 MiB", "1.5 TiB". */
char *print_bytes(char *buf, size_t size, uint64_t bytes);

#endif
