/* fio/json_scan.h: the JSON documents of fio in a text that may hold anything else before,
 * between and after them: what fio says on stderr, its normal output, other documents. */
#ifndef FIO_JSON_SCAN_H
#define FIO_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "base/err.h"
#include "base/text.h"

struct json_scan {
	const char *text; /* NUL-terminated, may hold others */
	size_t size;
	size_t at;   /* where to go on */
	size_t line; /* of `at`, from 1 */
};

struct json_document {
	json_t *root;
	const char *text; /* inside of the scanned one */
	size_t len;
	struct text noise; /* what stood before it */
	bool repeats;      /* a key stands twice in one object: json_repeated.h */
};

/* 1: a document, 0: there are no more, -EINVAL: what looks like one and is none: "line L column C:
 * ..."; the next call goes on behind it. doc is to be ended after 1. */
int json_scan_next(struct json_scan *s, struct json_document *doc, struct err *e);
void json_document_fini(struct json_document *doc);

#endif
