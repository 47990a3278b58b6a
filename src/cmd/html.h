/* cmd/html.h: text as HTML. Whatever a name holds, it is shown and never markup. */
#ifndef CMD_HTML_H
#define CMD_HTML_H

#include "base/text.h"

/* Append s as the text of an element or of an attribute in quotes. Control characters but line
 * ends become '?', bytes that are no UTF-8 U+FFFD. */
void html_add(struct text *t, const char *s);
/* <TAG ATTRIBUTES>s</TAG>; attributes: as they stand, with a blank before, or "". */
void html_element(struct text *t, const char *tag, const char *attributes, const char *s);
/* A JSON document that scripts find by its id, and that nothing in it can end. */
void html_island(struct text *t, const char *id, const char *json);

#endif
