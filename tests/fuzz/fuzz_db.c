/* Any bytes as a database that somebody sent: refused in words, or read to its end; then the
 * same for going on with it. */
#include <assert.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/hist.h"
#include "sink/csv.h"
#include "sink/store.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char dir[64], path[96];

static void remove_all(void)
{
	static const char *const suffix[] = { "",       "-wal",    "-shm",    "-journal",
		                              "-spool", ".bak-v0", ".bak-v1", ".bak-v2" };
	char name[128];

	for (size_t i = 0; i < sizeof(suffix) / sizeof(suffix[0]); i++) {
		(void)snprintf(name, sizeof(name), "%s%s", path, suffix[i]);
		(void)unlink(name);
	}
}

static void remove_dir(void)
{
	remove_all();
	(void)rmdir(dir);
}

static void make_dir(void)
{
	static const char form[] = "/iosweep-fuzz.XXXXXX";

	if (*dir)
		return;
	(void)snprintf(dir, sizeof(dir), "%s%s", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm",
	               form);
	if (!mkdtemp(dir))
		abort();
	(void)snprintf(path, sizeof(path), "%s/f.db", dir);
	(void)atexit(remove_dir);
}

static void put_file(const uint8_t *data, size_t size)
{
	FILE *f = fopen(path, "wb");

	assert(f);
	assert(fwrite(data, 1, size, f) == size);
	assert(!fclose(f));
}

static void read_histograms(struct store *s)
{
	struct hist *h = calloc(1, sizeof(*h));
	struct rows *rows = NULL;
	struct err e = { 0 };

	assert(h);
	if (!rows_open(&rows, s, "SELECT data FROM histogram", &e)) {
		while (rows_next(rows, &e) == 1) {
			struct err why = { 0 };
			size_t n;
			const void *blob = rows_blob(rows, 0, &n);

			(void)hist_unpack(h, blob, n, &why);
		}
		rows_close(rows);
	}
	free(h);
}

static int look(void *arg, const struct store_state *st)
{
	(void)st;
	++*(unsigned *)arg;
	return 0;
}

static int write_json(FILE *out, struct store *s, struct err *e)
{
	struct rows *rows;
	int r = rows_open(&rows, s, "SELECT * FROM results WHERE iops > 1", e);

	if (r)
		return r;
	r = json_write_rows(out, rows, e);
	rows_close(rows);
	return r;
}

static void read_it(struct store *s)
{
	FILE *null = fopen("/dev/null", "w");
	struct target_info *t = calloc(1, sizeof(*t));
	struct err e = { 0 };
	unsigned n = 0;

	assert(null && t);
	if (csv_write(null, s, NULL, CSV_CANONICAL, &e))
		assert(e.code && *e.text);
	e = (struct err){ 0 };
	if (write_json(null, s, &e))
		assert(e.code && *e.text);
	(void)store_each_state(s, look, &n, NULL);
	(void)store_get(s, "config");
	(void)store_get_target(s, "t.bin", t, NULL);
	read_histograms(s);
	free(t);
	(void)fclose(null);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct store *s = NULL;
	struct err e = { 0 };

	make_dir();
	put_file(data, size);
	if (store_open(&s, path, &e)) {
		assert(e.code && *e.text);
	} else {
		read_it(s);
		(void)store_close(s, NULL);
	}
	s = NULL;
	e = (struct err){ 0 };
	if (store_resume(&s, path, &e)) {
		assert(e.code && *e.text);
	} else {
		read_it(s);
		(void)store_set_state(s, "done", &e);
		(void)store_close(s, NULL);
	}
	remove_all();
	return 0;
}
