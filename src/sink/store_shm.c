/* sink/store_shm.c: room for the index of the write-ahead log. SQLite writes it through a
 * mapping, and makes it with holes where blocks are smaller than 4 KiB: to fill a hole on a
 * full disk ends the process. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "sink/store_private.h"

/* The index grows by so much for so many pages in the log (SQLite's walformat). */
#define REGION_BYTES (32 * KIB)
#define REGION_PAGES 4096
#define PAGE_BYTES   4096

static int no_room(const struct store *s, int errnum, struct err *e)
{
	return err_set(e, -errnum, "%s: no room for the index of its log (-shm): %s", s->path,
	               err_name(errnum));
}

/* The first read makes the index: only when there is room to fill it. */
static int make_index(struct store *s, const char *path, struct err *e)
{
	struct statvfs fs;

	if (!fstatvfs(s->lock_fd, &fs) && fs.f_blocks) {
		uint64_t blocks = geteuid() ? fs.f_bavail : fs.f_bfree;

		if (blocks * fs.f_frsize < 2 * REGION_BYTES)
			return no_room(s, ENOSPC, e);
	}
	if (store_exec(s, "SELECT count(*) FROM sqlite_master", "read", e))
		return e ? e->code : -EIO;
	/* Kept open: to close any descriptor of it would drop SQLite's locks on it. */
	s->shm_fd = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	return s->shm_fd < 0 ? err_set(e, -errno, "%s: %s", path, err_name(errno)) : 0;
}

int store_reserve_shm(struct store *s, struct err *e)
{
	AUTO(text_fini) struct text path = { 0 };
	uint64_t pages, bytes;
	struct stat log;
	int r;

	if (s->network)
		return 0;
	text_addf(&path, "%s-shm", sqlite3_db_filename(s->db, "main"));
	r = s->shm_fd < 0 ? make_index(s, path.s, e) : 0;
	if (r)
		return r;
	text_fini(&path);
	text_addf(&path, "%s-wal", sqlite3_db_filename(s->db, "main"));
	pages = stat(path.s, &log) ? 0 : (uint64_t)log.st_size / PAGE_BYTES;
	/* half a region ahead: a transaction is smaller than that */
	bytes = (1 + (pages + REGION_PAGES / 2) / REGION_PAGES) * REGION_BYTES;
	if (bytes <= s->shm_bytes)
		return 0;
	if (fallocate(s->shm_fd, 0, 0, (off_t)bytes) && errno == ENOSPC)
		return no_room(s, ENOSPC, e);
	s->shm_bytes = bytes; /* a file system that cannot reserve is left as it is */
	return 0;
}
