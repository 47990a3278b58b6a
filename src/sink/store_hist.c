/* sink/store_hist.c: histograms inside of SQL: hist_ios(data, bucket), hist_low_ns(bucket),
 * hist_high_ns(bucket). */
#include <stdlib.h>
#include <string.h>

#include "model/hist.h"
#include "sink/store_private.h"

/* The last one unpacked: a query asks for all buckets of one before it goes on to the next. */
struct unpacked {
	uint8_t *blob;
	size_t size;
	struct hist hist;
};

static void unpacked_free(void *arg)
{
	struct unpacked *u = arg;

	free(u->blob);
	free(u);
}

static bool unpack(struct unpacked *u, const uint8_t *blob, size_t size)
{
	struct err e = { 0 };

	if (u->blob && u->size == size && !memcmp(u->blob, blob, size))
		return true;
	free(u->blob);
	u->blob = NULL;
	memset(&u->hist, 0, sizeof(u->hist));
	if (!size || hist_unpack(&u->hist, blob, size, &e))
		return false;
	u->blob = xcalloc(size, 1);
	memcpy(u->blob, blob, size);
	u->size = size;
	return true;
}

static bool bucket_of(sqlite3_value *v, unsigned *bucket)
{
	sqlite3_int64 i = sqlite3_value_int64(v);

	*bucket = (unsigned)i;
	return i >= 0 && i < HIST_BUCKETS;
}

static void hist_ios(sqlite3_context *c, int n, sqlite3_value **v)
{
	struct unpacked *u = sqlite3_user_data(c);
	const uint8_t *blob = sqlite3_value_blob(v[0]);
	unsigned bucket;

	(void)n;
	if (!bucket_of(v[1], &bucket) || !blob ||
	    !unpack(u, blob, (size_t)sqlite3_value_bytes(v[0])))
		sqlite3_result_null(c);
	else
		sqlite3_result_int64(c, (sqlite3_int64)u->hist.bucket[bucket]);
}

static void low(sqlite3_context *c, int n, sqlite3_value **v)
{
	unsigned bucket;

	(void)n;
	if (bucket_of(v[0], &bucket))
		sqlite3_result_int64(c, (sqlite3_int64)hist_low(bucket));
}

static void high(sqlite3_context *c, int n, sqlite3_value **v)
{
	unsigned bucket;

	(void)n;
	if (bucket_of(v[0], &bucket))
		sqlite3_result_int64(c, (sqlite3_int64)hist_high(bucket));
}

int store_hist_functions(sqlite3 *db)
{
	const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY;
	int r = sqlite3_create_function_v2(db, "hist_ios", 2, flags,
	                                   xcalloc(1, sizeof(struct unpacked)), hist_ios, NULL,
	                                   NULL, unpacked_free);

	if (!r)
		r = sqlite3_create_function_v2(db, "hist_low_ns", 1, flags, NULL, low, NULL,
		                               NULL, NULL);
	return r ? r
	         : sqlite3_create_function_v2(db, "hist_high_ns", 1, flags, NULL, high, NULL,
	                                      NULL, NULL);
}
