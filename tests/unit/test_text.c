/* Growing text, lists of text, printable text, the nearest name. */
#include "support/test.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/text.h"

static void text_grows(void **state)
{
	struct text t = { 0 };

	(void)state;
	assert_string_equal(text_get(&t), "");
	for (int i = 0; i < 1000; i++)
		text_addf(&t, "%d,", i);
	text_addn(&t, "endless", 3);
	text_add(&t, "!");
	assert_int_equal(t.len, strlen(text_get(&t)));
	assert_int_equal(t.len, 10 * 2 + 90 * 3 + 900 * 4 + 4);
	assert_string_equal(text_get(&t) + t.len - 8, "999,end!");
	text_clear(&t);
	assert_string_equal(text_get(&t), "");
	text_add(&t, "again");
	assert_string_equal(text_get(&t), "again");
	text_fini(&t);
	assert_null(t.s);
}

static void lists_own_their_text(void **state)
{
	struct strlist l = { 0 };
	char word[] = "word";

	(void)state;
	assert_false(strlist_has(&l, "word"));
	strlist_add(&l, word);
	word[0] = 'W';
	for (int i = 0; i < 20; i++)
		strlist_addf(&l, "n%d", i);
	assert_int_equal(l.len, 21);
	assert_true(strlist_has(&l, "word"));
	assert_true(strlist_has(&l, "n19"));
	assert_false(strlist_has(&l, "n2x"));
	strlist_fini(&l);
	assert_int_equal(l.len, 0);
}

static void printable(void **state)
{
	static const struct {
		const char *in, *out;
		size_t size;
	} row[] = {
		{ "plain ~", "plain ~", 64 },
		{ "\x1b[31mred\n\t\x7f", "?[31mred???", 64 },
		{ "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80",
		  "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80", 64 },
		{ "c1 \xc2\x9b!", "c1 ?!", 64 },
		{ "nbsp \xc2\xa0!", "nbsp \xc2\xa0!", 64 },
		{ "bad \xff\xc3(\xc0\xaf\xed\xa0\x80 end\xe2\x82",
		  "bad ?"
		  "?(????? end?"
		  "?",
		  64 },
		{ "cut here", "cut", 4 },
		{ "a\xc3\xbc", "a", 3 }, /* never within a character */
		{ "a\xc3\xbc", "a\xc3\xbc", 4 },
		{ "x", "", 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(row); i++) {
		char buf[64] = "untouched";

		text_printable(buf, row[i].size, row[i].in);
		assert_string_equal(buf, row[i].out);
	}
}

static void printable_of_any_length(void **state)
{
	char in[5001];
	char *out;

	(void)state;
	memset(in, 'a', sizeof(in));
	in[4999] = '\x1b';
	in[5000] = '\0';
	out = text_printable_copy(in);
	in[4999] = '?';
	assert_string_equal(out, in);
	free(out);
	out = text_printable_copy("");
	assert_string_equal(out, "");
	free(out);
}

static void utf8_lengths(void **state)
{
	static const struct {
		const char *s;
		size_t n, len;
	} row[] = {
		{ "a", 1, 1 },
		{ "\xc3\xbc", 2, 2 },
		{ "\xc3\xbc", 1, 0 },
		{ "\xe2\x82\xac", 3, 3 },
		{ "\xe2\x82\xac", 2, 0 },
		{ "\xf0\x9f\x98\x80", 4, 4 },
		{ "\xf4\x8f\xbf\xbf", 4, 4 },
		{ "\xf4\x90\x80\x80", 4, 0 },
		{ "\xc1\xbf", 2, 0 },
		{ "\xe0\x9f\xbf", 3, 0 },
		{ "\xf0\x8f\xbf\xbf", 4, 0 },
		{ "\xed\x9f\xbf", 3, 3 },
		{ "\xed\xa0\x80", 3, 0 },
		{ "\x80", 1, 0 },
		{ "\xff", 1, 0 },
		{ "\xc3(", 2, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(row); i++)
		assert_int_equal(text_utf8(row[i].s, row[i].n), row[i].len);
}

static void nearest(void **state)
{
	static const char *const name[] = { "iodepth", "runtime",  "rw",
		                            "bs",      "io_uring", "libaio" };
	static const struct {
		const char *word, *near;
	} row[] = {
		{ "iodepht", "iodepth" },
		{ "iodepths", "iodepth" },
		{ "runtme", "runtime" },
		{ "libaoi", "libaio" },
		{ "rx", "rw" },
		{ "rw", "rw" },
		{ "b", "bs" },
		{ "io-uring", "io_uring" },
		{ "verify", NULL },
		{ "", NULL },
		{ "a word that is far longer than any name of an option could ever be, really",
		  NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(row); i++) {
		const char *got = text_nearest(row[i].word, name, ARRAY_SIZE(name));

		if (!row[i].near)
			assert_null(got);
		else
			assert_string_equal(got, row[i].near);
	}
}

static void first_error_wins_and_is_wrapped(void **state)
{
	struct err e = { 0 };

	(void)state;
	assert_int_equal(err_set(NULL, -5, "nobody listens"), -5);
	assert_int_equal(err_set(&e, -5, "value %d", 7), -5);
	assert_int_equal(err_set(&e, -6, "later"), -6);
	assert_string_equal(e.text, "value 7");
	assert_int_equal(err_wrap(&e, "file %s", "x"), -5);
	assert_string_equal(e.text, "file x: value 7");
	assert_string_equal(err_name(2), "No such file or directory");
	assert_string_equal(err_name(99999), "unknown error");
}

static void words_are_taken(void **state)
{
	const char *s = "batch:1";
	char *part = xstrndup(s, 3);

	(void)state;
	assert_false(text_take(&s, "batch;"));
	assert_false(text_take(&s, "batch:1 and more"));
	assert_string_equal(s, "batch:1");
	assert_true(text_take(&s, "batch:"));
	assert_string_equal(s, "1");
	assert_string_equal(part, "bat");
	free(part);
}

TEST_MAIN(cmocka_unit_test(text_grows), cmocka_unit_test(words_are_taken),
          cmocka_unit_test(lists_own_their_text), cmocka_unit_test(printable),
          cmocka_unit_test(printable_of_any_length), cmocka_unit_test(utf8_lengths),
          cmocka_unit_test(nearest), cmocka_unit_test(first_error_wins_and_is_wrapped))
