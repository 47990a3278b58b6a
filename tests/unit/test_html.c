#include "cmd/html.h"

#include "support/test.h"

static void assert_html(const char *s, const char *expect)
{
	struct text t = { 0 };

	html_add(&t, s);
	assert_string_equal(text_get(&t), expect);
	text_fini(&t);
}

static void nothing_is_markup(void **state)
{
	(void)state;
	assert_html("", "");
	assert_html("plain text\nof two lines", "plain text\nof two lines");
	assert_html("<script>alert(\"1\")</script>",
	            "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;");
	assert_html("' onload='x", "&#39; onload=&#39;x");
	assert_html("&amp; &#60;", "&amp;amp; &amp;#60;");
	assert_html("caf\xc3\xa9 \xe2\x82\xac", "caf\xc3\xa9 \xe2\x82\xac");
}

static void what_steers_and_what_is_no_text(void **state)
{
	(void)state;
	assert_html("a\033[31mb\tc\rd\x7f", "a?[31mb?c?d?");
	assert_html("\xc2\x9b"
	            "31m",
	            "?31m"); /* C1 */
	assert_html("\xff<\xc0\xaf", "\xef\xbf\xbd&lt;\xef\xbf\xbd\xef\xbf\xbd");
	assert_html("cut \xe2\x82", "cut \xef\xbf\xbd\xef\xbf\xbd");
}

static void elements(void **state)
{
	struct text t = { 0 };

	(void)state;
	html_element(&t, "td", " class=\"n\"", "<1");
	assert_string_equal(text_get(&t), "<td class=\"n\">&lt;1</td>");
	text_fini(&t);
}

/* Neither the end of a script nor the beginning of a comment. */
static void an_island_ends_where_it_should(void **state)
{
	struct text t = { 0 };

	(void)state;
	html_island(&t, "x", "{\"a\":\"</script><!--<script>\",\"b\":[1,2]}");
	assert_string_equal(
	    text_get(&t), "<script type=\"application/json\" id=\"x\">{\"a\":\"\\u003c/script>"
			  "\\u003c!--\\u003cscript>\",\"b\":[1,2]}</script>\n");
	text_fini(&t);
}

TEST_MAIN(cmocka_unit_test(nothing_is_markup),
          cmocka_unit_test(what_steers_and_what_is_no_text), cmocka_unit_test(elements),
          cmocka_unit_test(an_island_ends_where_it_should))
