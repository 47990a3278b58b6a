/* cmd/report_page.c: the frame of the page: its look, its script, and the policy that lets only
 * these two be used. */
#include <string.h>

#include "base/sha256.h"
#include "cmd/html.h"
#include "cmd/report.h"

/* Two files become part of the program, each ended by a NUL. */
__asm__(".pushsection .rodata\n"
        "report_css:\n\t.incbin \"src/cmd/report.css\"\n\t.byte 0\n"
        "report_js:\n\t.incbin \"src/cmd/report.js\"\n\t.byte 0\n"
        ".popsection\n");
extern const char report_css[], report_js[];

static void add_policy(struct text *t)
{
	char style[SHA256_BASE64], script[SHA256_BASE64];

	sha256_base64(style, report_css, strlen(report_css));
	sha256_base64(script, report_js, strlen(report_js));
	text_addf(t,
	          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	          "style-src 'sha256-%s'; script-src 'sha256-%s'; base-uri 'none'; "
	          "form-action 'none'\">\n",
	          style, script);
}

static void add_title(struct text *t, const struct report *r)
{
	for (size_t i = 0; i < r->sides; i++) {
		const char *name = store_get(r->side[i].store, "name");

		text_add(t, i ? " against " : "");
		html_add(t, name ? name : "");
	}
}

static void add_links(struct text *t, const struct report *r)
{
	static const char *const link[][2] = {
		{ "asked", "What was asked" }, { "environment", "Environment" },
		{ "doubts", "Doubts" },        { "compared", "What changed" },
		{ "answers", "Answers" },      { "charts", "Charts" },
		{ "all", "All rows" },
	};

	text_add(t, "<nav aria-label=\"Sections\">");
	for (size_t i = 0; i < sizeof(link) / sizeof(*link); i++)
		if (r->sides > 1 || strcmp(link[i][0], "compared") != 0)
			text_addf(t, "<a href=\"#%s\">%s</a> ", link[i][0], link[i][1]);
	text_add(t, "</nav>\n");
}

/* "2376 runs, 12 in doubt; the sweep is done." */
static void add_summary(struct text *t, const struct report *r)
{
	for (size_t i = 0; i < r->sides; i++) {
		const struct report_side *s = &r->side[i];

		text_addf(t, "<p>%s%s%zu runs, ", s->name, *s->name ? ": " : "",
		          s->counts.runs);
		if (s->counts.doubted)
			text_addf(t,
			          "<a class=\"doubt\" href=\"#doubts\"><strong>%zu in "
			          "doubt</strong></a>",
			          s->counts.doubted);
		else
			text_add(t, "none in doubt");
		text_add(t, "; the sweep is ");
		html_add(t, s->standing.state);
		text_add(t, ".</p>\n");
	}
}

void report_head(struct text *t, const struct report *r)
{
	text_add(t, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
	add_policy(t);
	text_add(t, "<meta name=\"viewport\" content=\"width=device-width, "
	            "initial-scale=1\">\n" REPORT_MARK IOSWEEP_VERSION "\">\n"
	            "<meta name=\"referrer\" content=\"no-referrer\">\n<title>");
	add_title(t, r);
	text_add(t, " - iosweep report</title>\n<style>");
	text_add(t, report_css);
	text_add(t, "</style>\n</head>\n<body>\n<header>\n<h1>");
	add_title(t, r);
	text_add(t, "</h1>\n");
	add_summary(t, r);
	add_links(t, r);
	text_add(t, "</header>\n<main>\n");
}

void report_foot(struct text *t)
{
	text_add(t,
	         "</main>\n<footer><p class=\"soft\">Made by iosweep " IOSWEEP_VERSION
	         ". Everything is in this file: it asks no network for anything.</p></footer>\n"
	         "<script>");
	text_add(t, report_js);
	text_add(t, "</script>\n</body>\n</html>\n");
}
