#include "support/vfs_fault.h"

#include <sqlite3.h>
#include <stddef.h>

static struct vfs_fault none, *fault = &none;

struct file {
	sqlite3_file base;
	sqlite3_file *inner; /* behind this one, in the same memory */
};

static sqlite3_vfs *inner_vfs(void)
{
	return sqlite3_vfs_find("unix");
}

static bool fails(void)
{
	unsigned n = ++fault->calls;

	return fault->fail_at && n >= fault->fail_at &&
	       n < fault->fail_at + (fault->fails ? fault->fails : 1);
}

/* The code itself, or the one that its kind of call would give. */
static int code_for(int ioerr)
{
	return fault->code == SQLITE_IOERR ? ioerr : fault->code;
}

static sqlite3_file *in(sqlite3_file *f)
{
	return ((struct file *)(void *)f)->inner;
}

static int f_close(sqlite3_file *f)
{
	return in(f)->pMethods ? in(f)->pMethods->xClose(in(f)) : SQLITE_OK;
}

static int f_read(sqlite3_file *f, void *data, int n, sqlite3_int64 at)
{
	return in(f)->pMethods->xRead(in(f), data, n, at);
}

static int f_write(sqlite3_file *f, const void *data, int n, sqlite3_int64 at)
{
	return fails() ? code_for(SQLITE_IOERR_WRITE)
	               : in(f)->pMethods->xWrite(in(f), data, n, at);
}

static int f_truncate(sqlite3_file *f, sqlite3_int64 size)
{
	return fails() ? code_for(SQLITE_IOERR_TRUNCATE)
	               : in(f)->pMethods->xTruncate(in(f), size);
}

static int f_sync(sqlite3_file *f, int flags)
{
	return fails() ? code_for(SQLITE_IOERR_FSYNC) : in(f)->pMethods->xSync(in(f), flags);
}

static int f_size(sqlite3_file *f, sqlite3_int64 *size)
{
	return in(f)->pMethods->xFileSize(in(f), size);
}

static int f_lock(sqlite3_file *f, int level)
{
	return fails() ? code_for(SQLITE_IOERR_LOCK) : in(f)->pMethods->xLock(in(f), level);
}

static int f_unlock(sqlite3_file *f, int level)
{
	return in(f)->pMethods->xUnlock(in(f), level);
}

static int f_check(sqlite3_file *f, int *out)
{
	return in(f)->pMethods->xCheckReservedLock(in(f), out);
}

static int f_control(sqlite3_file *f, int op, void *arg)
{
	return in(f)->pMethods->xFileControl(in(f), op, arg);
}

static int f_sector(sqlite3_file *f)
{
	return in(f)->pMethods->xSectorSize(in(f));
}

static int f_device(sqlite3_file *f)
{
	return in(f)->pMethods->xDeviceCharacteristics(in(f));
}

static int f_shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **out)
{
	if (extend && fails())
		return code_for(SQLITE_IOERR_SHMSIZE);
	return in(f)->pMethods->xShmMap(in(f), page, size, extend, out);
}

static int f_shm_lock(sqlite3_file *f, int offset, int n, int flags)
{
	if ((flags & SQLITE_SHM_LOCK) && fails())
		return code_for(SQLITE_IOERR_SHMLOCK);
	return in(f)->pMethods->xShmLock(in(f), offset, n, flags);
}

static void f_shm_barrier(sqlite3_file *f)
{
	in(f)->pMethods->xShmBarrier(in(f));
}

static int f_shm_unmap(sqlite3_file *f, int delete_too)
{
	return in(f)->pMethods->xShmUnmap(in(f), delete_too);
}

static const sqlite3_io_methods methods = {
	.iVersion = 2,
	.xClose = f_close,
	.xRead = f_read,
	.xWrite = f_write,
	.xTruncate = f_truncate,
	.xSync = f_sync,
	.xFileSize = f_size,
	.xLock = f_lock,
	.xUnlock = f_unlock,
	.xCheckReservedLock = f_check,
	.xFileControl = f_control,
	.xSectorSize = f_sector,
	.xDeviceCharacteristics = f_device,
	.xShmMap = f_shm_map,
	.xShmLock = f_shm_lock,
	.xShmBarrier = f_shm_barrier,
	.xShmUnmap = f_shm_unmap,
};

static int v_open(sqlite3_vfs *v, const char *name, sqlite3_file *f, int flags, int *out)
{
	struct file *file = (struct file *)(void *)f;
	int r;

	(void)v;
	file->base.pMethods = NULL;
	if (fails())
		return fault->code == SQLITE_IOERR ? SQLITE_CANTOPEN : fault->code;
	file->inner = (sqlite3_file *)(void *)(file + 1);
	r = inner_vfs()->xOpen(inner_vfs(), name, file->inner, flags, out);
	if (file->inner->pMethods)
		file->base.pMethods = &methods;
	return r;
}

static int v_delete(sqlite3_vfs *v, const char *name, int sync)
{
	(void)v;
	return fails() ? code_for(SQLITE_IOERR_DELETE)
	               : inner_vfs()->xDelete(inner_vfs(), name, sync);
}

void vfs_fault_install(struct vfs_fault *f)
{
	static sqlite3_vfs vfs;

	fault = f ? f : &none;
	if (!vfs.zName) {
		vfs = *inner_vfs();
		vfs.zName = "fault";
		vfs.pNext = NULL;
		vfs.szOsFile = (int)sizeof(struct file) + inner_vfs()->szOsFile;
		vfs.xOpen = v_open;
		vfs.xDelete = v_delete;
	}
	if (f)
		(void)sqlite3_vfs_register(&vfs, 1);
	else
		(void)sqlite3_vfs_register(inner_vfs(), 1);
}
