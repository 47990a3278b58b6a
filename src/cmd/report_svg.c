#include "cmd/report_svg.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "cmd/html.h"
#include "cmd/plot_draw.h"
#include "sink/output.h"

static int draw(struct text *out, struct plot_data *d, struct err *e)
{
	AUTO(freep) char *path = NULL;
	int fd = output_temporary(&path, ".svg", e), r;

	if (fd < 0)
		return fd;
	(void)close(fd);
	r = plot_draw(d, path, false, e);
	if (!r) {
		r = file_load(out, path, SIZE_MAX);
		r = r ? err_set(e, r, "%s: %s", path, err_name(-r)) : 0;
	}
	(void)unlink(path);
	return r;
}

/* What names a part of the picture, with what follows it. */
static const char *const names[] = { " id='", " id=\"", "'#", "\"#", "url(#" };

static size_t name_at(const char *p)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strncmp(p, names[i], strlen(names[i])))
			return strlen(names[i]);
	return 0;
}

/* The ids of each picture are its own; texts are left as they are. A colour ("#ffffff") is no
 * name. */
static void add_renamed(struct text *t, const char *svg, unsigned number)
{
	bool tag = false;

	while (*svg) {
		size_t n = tag ? name_at(svg) : 0;
		bool colour = n == 2 && strspn(svg + n, "0123456789abcdefABCDEF") == 6;

		if (*svg == '<' || *svg == '>')
			tag = *svg == '<';
		text_addn(t, svg, n ? n : 1);
		if (n && !colour)
			text_addf(t, "c%u-", number);
		svg += n ? n : 1;
	}
}

int report_svg(struct text *t, struct plot_data *d, const char *sentence, unsigned number,
               struct err *e)
{
	static const char title[] = "<title>Gnuplot</title>";
	AUTO(text_fini) struct text svg = { 0 };
	char *start, *own;
	int r = draw(&svg, d, e);

	if (r)
		return r;
	start = svg.s ? strstr(svg.s, "<svg") : NULL;
	own = start ? strstr(start, title) : NULL;
	if (!own)
		return err_set(e, -EIO, "gnuplot made no SVG");
	*own = '\0';
	text_add(t, "<svg role=\"img\" aria-label=\"");
	html_add(t, sentence);
	text_add(t, "\"");
	text_add(t, start + strlen("<svg"));
	html_element(t, "title", "", sentence);
	add_renamed(t, own + strlen(title), number);
	return 0;
}
