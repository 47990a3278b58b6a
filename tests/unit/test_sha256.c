#include "base/sha256.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "support/test.h"

static void assert_hash(const void *data, size_t size, const char *expect)
{
	uint8_t h[SHA256_BYTES];
	char hex[2 * SHA256_BYTES + 1];

	sha256(h, data, size);
	for (size_t i = 0; i < SHA256_BYTES; i++)
		(void)snprintf(hex + 2 * i, 3, "%02x", h[i]);
	assert_string_equal(hex, expect);
}

/* Of FIPS 180-4's examples, and a million a (NIST's CAVP). */
static void published_examples(void **state)
{
	const char *two = "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijkl"
	                  "mnopjklmnopqklm"
			  "nopqrlmnopqrsmnopqrstnopqrstu";
	AUTO(freep) char *million = xcalloc(1000000, 1);

	(void)state;
	memset(million, 'a', 1000000);
	assert_hash("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	assert_hash("abc", 3,
	            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	assert_hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
	            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	assert_hash(two, 112,
	            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
	assert_hash(million, 1000000,
	            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* Where the padding needs a block of its own and where it just does not. */
static void around_a_block(void **state)
{
	char a[64];

	(void)state;
	memset(a, 'a', sizeof(a));
	assert_hash(a, 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
	assert_hash(a, 63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34");
	assert_hash(a, 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

static void base64_of_it(void **state)
{
	char text[SHA256_BASE64];

	(void)state;
	sha256_base64(text, "", 0);
	assert_string_equal(text, "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
}

TEST_MAIN(cmocka_unit_test(published_examples), cmocka_unit_test(around_a_block),
          cmocka_unit_test(base64_of_it))
