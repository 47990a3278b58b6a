/* base/bytes.h: bytes written as text, in the words of fio's patterns. */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stddef.h>
#include <stdint.h>

#define BYTES_MAX 512

/* One part after another, without blanks between them: 0x and hexadecimal digits (the bytes as they stand, an odd number
 * of digits with a 0 in front), "text" in double quotes, or a decimal number (its bytes, the least first; a negative
 * one as 4 bytes). Returns how many bytes, at least one; -EINVAL, or -ERANGE when a number has more than 32 bits or
 * all have more than BYTES_MAX bytes. */
int bytes_parse(const char *text, uint8_t out[BYTES_MAX]);
/* "0x" and two digits per byte. */
void bytes_print(char *buf, size_t size, const uint8_t *bytes, size_t n);

#endif
