#include "base/sha256.h"

#include <string.h>

#define BLOCK 64

/* clang-format off */
static const uint32_t k[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
/* clang-format on */

static uint32_t turn(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

static void schedule(uint32_t w[64], const uint8_t *p)
{
	for (int i = 0; i < 16; i++, p += 4)
		w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
	for (int i = 16; i < 64; i++) {
		uint32_t a = w[i - 15], b = w[i - 2];

		w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[i - 7] +
		       (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
	}
}

static void compress(uint32_t h[8], const uint8_t *block)
{
	uint32_t w[64], v[8];

	schedule(w, block);
	memcpy(v, h, sizeof(v));
	for (int i = 0; i < 64; i++) {
		uint32_t e = v[4], a = v[0];
		uint32_t t1 = v[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
		              ((e & v[5]) ^ (~e & v[6])) + k[i] + w[i];
		uint32_t t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) +
		              ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));

		memmove(v + 1, v, 7 * sizeof(*v));
		v[4] += t1;
		v[0] = t1 + t2;
	}
	for (int i = 0; i < 8; i++)
		h[i] += v[i];
}

void sha256(uint8_t out[SHA256_BYTES], const void *data, size_t size)
{
	uint32_t h[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
	const uint8_t *p = data;
	uint8_t last[2 * BLOCK] = { 0 };
	size_t rest = size % BLOCK, len = rest < BLOCK - 8 ? BLOCK : 2 * BLOCK;

	for (size_t i = 0; i < size / BLOCK; i++)
		compress(h, p + i * BLOCK);
	if (rest)
		memcpy(last, p + size - rest, rest);
	last[rest] = 0x80;
	for (size_t i = 0; i < 8; i++)
		last[len - 1 - i] = (uint8_t)((uint64_t)size * 8 >> 8 * i);
	for (size_t i = 0; i < len; i += BLOCK)
		compress(h, last + i);
	for (size_t i = 0; i < SHA256_BYTES; i++)
		out[i] = (uint8_t)(h[i / 4] >> (24 - 8 * (i % 4)));
}

void sha256_base64(char out[SHA256_BASE64], const void *data, size_t size)
{
	static const char letters[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint8_t h[SHA256_BYTES + 1] = { 0 };
	size_t n = 0;

	sha256(h, data, size);
	for (size_t i = 0; i < SHA256_BYTES; i += 3) {
		uint32_t v = (uint32_t)h[i] << 16 | (uint32_t)h[i + 1] << 8 |
		             (i + 2 < SHA256_BYTES ? h[i + 2] : 0u);

		for (int shift = 18; shift >= 0; shift -= 6)
			out[n++] = letters[v >> shift & 63];
	}
	out[n - 1] = '='; /* 32 bytes are ten groups of three and two more */
	out[n] = '\0';
}
