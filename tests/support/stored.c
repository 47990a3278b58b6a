#include "support/stored.h"

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

const char *stored_query(struct store *s, const char *sql)
{
	static char buf[4096];
	struct rows *r = NULL;
	struct err e = { 0 };
	size_t n = 0;
	int rc = rows_open(&r, s, sql, &e);

	buf[0] = '\0';
	while (!rc && (rc = rows_next(r, &e)) == 1) {
		for (int i = 0; i < rows_columns(r) && n < sizeof(buf); i++)
			n += (size_t)snprintf(buf + n, sizeof(buf) - n, "%s%s", n ? "|" : "",
			                      rows_null(r, i) ? "-" : rows_text(r, i));
		rc = 0;
	}
	if (rc)
		(void)snprintf(buf, sizeof(buf), "%s", e.text);
	rows_close(r);
	return buf;
}

void stored_empty(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *entry;

	while (d && (entry = readdir(d)))
		(void)unlinkat(dirfd(d), entry->d_name, 0);
	if (d)
		(void)closedir(d);
}
