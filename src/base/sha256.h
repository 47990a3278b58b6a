/* base/sha256.h: SHA-256 (FIPS 180-4), for what a page may run. */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_BYTES  32
#define SHA256_BASE64 45 /* characters of one in base64, with the NUL */

void sha256(uint8_t out[SHA256_BYTES], const void *data, size_t size);
/* The same in base64 (RFC 4648), as a Content-Security-Policy names it. */
void sha256_base64(char out[SHA256_BASE64], const void *data, size_t size);

#endif
