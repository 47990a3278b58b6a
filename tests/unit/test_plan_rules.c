/* What cannot work: each rule with its sentence, and what lies just inside the limit.
 * wrap: engine_ops */
#include "support/test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "plan/plan.h"
#include "support/fixture.h"

const struct engine_ops *__wrap_engine_ops(uint64_t id);
const struct engine_ops *__wrap_engine_ops(uint64_t id)
{
	static const struct engine_ops ops[ENGINE_COUNT] = {
		[ENGINE_IO_URING] = { .name = "io_uring",
		                      .caps = ENGINE_ASYNC | ENGINE_REGISTERS |
		                              ENGINE_POLLS | ENGINE_SQ_THREAD |
		                              ENGINE_UNCACHED,
		                      .depth_limit = 32768 },
		[ENGINE_LIBAIO] = { .name = "libaio", .caps = ENGINE_ASYNC },
		[ENGINE_PSYNC] = { .name = "psync" },
		[ENGINE_NULL] = { .name = "null", .caps = ENGINE_ASYNC | ENGINE_NO_TARGET },
		[ENGINE_PVSYNC2] = { .name = "pvsync2",
		                     .caps = ENGINE_POLLS | ENGINE_UNCACHED },
		[ENGINE_MMAP] = { .name = "mmap", .caps = ENGINE_PAGE_CACHE },
		[ENGINE_SIM] = { .name = "sim",
			         .caps = ENGINE_ASYNC | ENGINE_NO_TARGET | ENGINE_SIMULATED },
	};

	return id < ENGINE_COUNT ? &ops[id] : NULL;
}

/* One combination that breaks nothing; a case changes axes, the target or the world. */
struct change {
	const char *name;
	struct {
		enum axis_id axis;
		uint64_t value;
	} set[5];
	void (*world)(struct world *w);
	const char *reason, *text; /* NULL: it runs */
	int error;
	bool by_machine, absent;
};

static void missing(struct world *w)
{
	w->target[0].kind = TARGET_MISSING;
	w->target[0].free_bytes = GIB;
	w->target[0].size_bytes = 0;
}

static void directory(struct world *w)
{
	w->target[0].kind = TARGET_DIRECTORY;
	w->target[0].free_bytes = GIB;
	w->target[0].size_bytes = 0;
}

static void device(struct world *w)
{
	w->target[0].kind = TARGET_BLOCK;
	w->target[0].fs[0] = '\0';
	w->target[0].size_bytes = MIB;
	w->target[0].offset_align = 4096;
}

static void small_file(struct world *w)
{
	w->target[0].size_bytes = MIB;
}

static void our_small_file(struct world *w)
{
	w->target[0].size_bytes = MIB;
	w->target[0].ours_bytes = MIB;
	w->target[0].free_bytes = MIB / 4;
	w->target[0].ours = true;
}

static void no_direct(struct world *w)
{
	w->target[0].offset_align = 0;
	(void)snprintf(w->target[0].fs, sizeof(w->target[0].fs), "tmpfs");
}

static void absent(struct world *w)
{
	w->target[0].kind = TARGET_UNUSABLE;
	w->target[0].problem_errno = ENOENT;
	(void)snprintf(w->target[0].problem, sizeof(w->target[0].problem),
	               "no such directory: /mnt/x");
}

static void fifo(struct world *w)
{
	w->target[0].kind = TARGET_UNUSABLE;
	w->target[0].problem_errno = EINVAL;
	(void)snprintf(w->target[0].problem, sizeof(w->target[0].problem), "t.bin is a fifo");
}

static void no_io_uring(struct world *w)
{
	w->engine[ENGINE_IO_URING] =
	    (struct engine_status){ .error = EPERM, .reason = "kernel.io_uring_disabled is 2" };
}

static void no_device(struct world *w)
{
	absent(w);
	w->target[0].problem_errno = ENODEV;
	(void)snprintf(w->target[0].problem, sizeof(w->target[0].problem),
	               "no such device: /dev/vdz");
}

static void absent_without_io_uring(struct world *w)
{
	absent(w);
	no_io_uring(w);
}

static void few_events(struct world *w)
{
	w->limits.aio_max_nr = 65536;
	w->limits.aio_nr = 1536;
}

static void little_memory(struct world *w)
{
	w->limits.memory_available = GIB;
}

static void few_threads(struct world *w)
{
	w->limits.threads_max = 500;
}

static void little_locked(struct world *w)
{
	w->limits.memlock = 128 * KIB;
}

static void interrupts_only(struct world *w)
{
	w->target[0].major = 259;
	(void)snprintf(w->target[0].device, sizeof(w->target[0].device), "Fast (nvme0n1)");
}

static void may_be_nicer(struct world *w)
{
	w->limits.nice_least = -3;
}

static void may_all(struct world *w)
{
	w->limits.nice_least = -20;
	w->limits.realtime_io = true;
}

static void trims(struct world *w)
{
	device(w);
	w->target[0].trims = true;
}

static void trims_in_little_memory(struct world *w)
{
	trims(w);
	w->limits.memory_available = GIB;
}

static void uncached(struct world *w)
{
	w->target[0].uncached = true;
}

static void polls(struct world *w)
{
	w->target[0].polls = true;
}

static void few_files(struct world *w)
{
	w->limits.nofile = 128;
}

static void few_files_in_a_directory(struct world *w)
{
	few_files(w);
	directory(w);
}

#define PERCENT(x) (SIZE_PERCENT | (x))

static const struct change cases[] = {
	{ .name = "nothing wrong" },
	{ .name = "bs over size",
	  .set = { { AXIS_size, 65536 }, { AXIS_bs, 131072 } },
	  .reason = "bs larger than size",
	  .text = "bs 128k is larger than size 64k (131072 > 65536 bytes)" },
	{ .name = "bs is size", .set = { { AXIS_size, 65536 }, { AXIS_bs, 65536 } } },
	{ .name = "size with a tail", .set = { { AXIS_size, 30 * KIB } } },
	{ .name = "size 100 bytes",
	  .set = { { AXIS_size, 100 } },
	  .reason = "bs larger than size",
	  .text = "bs 4k is larger than size 100 (4096 > 100 bytes)" },
	{ .name = "percent of a small file",
	  .set = { { AXIS_size, PERCENT(50) }, { AXIS_bs, MIB } },
	  .world = small_file,
	  .reason = "bs larger than size",
	  .text = "bs 1m is larger than size 512k (1048576 > 524288 bytes)" },
	{ .name = "bs over io_size",
	  .set = { { AXIS_time_based, 0 }, { AXIS_io_size, 1000 } },
	  .reason = "bs larger than io_size",
	  .text = "bs 4k is larger than io_size 1000 (4096 > 1000 bytes)" },
	{ .name = "percent of a missing file",
	  .set = { { AXIS_size, PERCENT(100) } },
	  .world = missing,
	  .reason = "size in percent of nothing",
	  .text = "size 100% of t.bin, which does not exist; give size in bytes" },
	{ .name = "percent of a directory",
	  .set = { { AXIS_size, PERCENT(10) } },
	  .world = directory,
	  .reason = "size in percent of nothing",
	  .text = "size 10% of t.bin, which is a directory: its files have no size yet; give "
	          "size in bytes" },
	{ .name = "missing file without size",
	  .world = missing,
	  .reason = "size missing",
	  .text = "t.bin does not exist: size is needed to create it" },
	{ .name = "missing file with size", .set = { { AXIS_size, MIB } }, .world = missing },
	{ .name = "directory without size",
	  .world = directory,
	  .reason = "size missing",
	  .text = "size is needed for the files to be made in directory t.bin" },
	{ .name = "null without size",
	  .set = { { AXIS_ioengine, ENGINE_NULL } },
	  .reason = "size missing",
	  .text = "ioengine null needs a size: it has no target to take it from" },
	{ .name = "null with size",
	  .set = { { AXIS_ioengine, ENGINE_NULL }, { AXIS_size, MIB }, { AXIS_bs, 1000 } },
	  .world = absent },
	{ .name = "size over a device",
	  .set = { { AXIS_size, MIB + 4096 } },
	  .world = device,
	  .reason = "size larger than the device",
	  .text = "size 1028k is larger than t.bin, which has 1048576 bytes" },
	{ .name = "size beyond a foreign file is for the guards",
	  .set = { { AXIS_size, 2 * MIB } },
	  .world = small_file },
	{ .name = "jobs beyond a device",
	  .set = { { AXIS_size, MIB / 2 },
	           { AXIS_numjobs, 4 },
	           { AXIS_offset_increment, MIB / 4 } },
	  .world = device,
	  .reason = "offset beyond the target",
	  .text = "job 4 would end at 1310720 (size 512k + 3 x offset_increment 256k), but "
	          "t.bin has 1048576 bytes" },
	{ .name = "jobs up to the end of a device",
	  .set = { { AXIS_size, MIB / 2 },
	           { AXIS_numjobs, 3 },
	           { AXIS_offset_increment, MIB / 4 } },
	  .world = device },
	{ .name = "offset beyond a device",
	  .set = { { AXIS_size, MIB / 2 }, { AXIS_offset, 768 * KIB } },
	  .world = device,
	  .reason = "offset beyond the target",
	  .text = "job 1 would end at 1310720 (size 512k + offset 768k), but t.bin has 1048576 "
	          "bytes" },
	{ .name = "offset up to the end",
	  .set = { { AXIS_size, MIB / 2 }, { AXIS_offset, MIB / 2 } },
	  .world = device },
	{ .name = "the rest of a device",
	  .set = { { AXIS_offset, MIB / 2 } },
	  .world = device },
	{ .name = "nothing is left of a device",
	  .set = { { AXIS_offset, MIB } },
	  .world = device,
	  .reason = "offset beyond the target",
	  .text = "job 1 would end at 1048576 (size 0 + offset 1m), but t.bin has 1048576 "
	          "bytes" },
	{ .name = "offset in percent of nothing",
	  .set = { { AXIS_size, MIB }, { AXIS_offset, PERCENT(10) } },
	  .world = missing,
	  .reason = "offset in percent of nothing",
	  .text = "offset 10% of t.bin, which has no size yet; give offset in bytes" },
	{ .name = "offset 1000 direct",
	  .set = { { AXIS_size, MIB }, { AXIS_offset, 1000 } },
	  .reason = "offset not a multiple of the alignment",
	  .error = EINVAL,
	  .text = "offset 1000 is not a multiple of 512, which direct=1 needs on t.bin" },
	{ .name = "step back by 100 direct",
	  .set = { { AXIS_rw, RW_READ }, { AXIS_rw_step, -(uint64_t)100 } },
	  .reason = "offset not a multiple of the alignment",
	  .error = EINVAL,
	  .text = "rw_step -100 is not a multiple of 512, which direct=1 needs on t.bin" },
	{ .name = "random blocks of 100 direct",
	  .set = { { AXIS_blockalign, 100 } },
	  .reason = "offset not a multiple of the alignment",
	  .error = EINVAL,
	  .text = "blockalign 100 is not a multiple of 512, which direct=1 needs on t.bin" },
	{ .name = "runs of 7", .set = { { AXIS_rw_step, 7 } } },
	{ .name = "runs of -7",
	  .set = { { AXIS_rw_step, -(uint64_t)7 } },
	  .reason = "negative step of a random pattern",
	  .error = EINVAL,
	  .text = "rw_step -7: a random pattern takes a number of I/Os, which is not negative" },
	{ .name = "sizes direct",
	  .set = { { AXIS_bssplit, 0 } },
	  .reason = "bs not a multiple of the alignment",
	  .error = EINVAL,
	  .text = "bssplit: a size of 4096/50:1000/50 is not a multiple of 512, which direct=1 "
	          "needs on t.bin; use direct=0 or multiples" },
	{ .name = "sizes buffered", .set = { { AXIS_bssplit, 0 }, { AXIS_direct, 0 } } },
	{ .name = "the largest of the sizes",
	  .set = { { AXIS_bssplit, 0 }, { AXIS_direct, 0 }, { AXIS_size, 4095 } },
	  .reason = "bs larger than size",
	  .text = "bs 4k is larger than size 4095 (4096 > 4095 bytes)" },
	{ .name = "jobs beyond a file of ours",
	  .set = { { AXIS_size, MIB / 2 },
	           { AXIS_numjobs, 4 },
	           { AXIS_offset_increment, MIB / 4 } },
	  .world = our_small_file },
	{ .name = "jobs beyond 64 bits",
	  .set = { { AXIS_size, MIB / 2 },
	           { AXIS_numjobs, 4 },
	           { AXIS_offset_increment, INT64_MAX } },
	  .world = small_file,
	  .reason = "offset beyond the target",
	  .text = "job 4 would end at 18446744073709551615 (size 512k + 3 x offset_increment "
	          "9223372036854775807), but t.bin "
	          "has 1048576 bytes" },
	{ .name = "direct on tmpfs",
	  .world = no_direct,
	  .reason = "direct not supported",
	  .error = EINVAL,
	  .by_machine = true,
	  .text = "direct=1 does not work on tmpfs (t.bin); use direct=0" },
	{ .name = "buffered on tmpfs", .set = { { AXIS_direct, 0 } }, .world = no_direct },
	{ .name = "bs 1000 direct",
	  .set = { { AXIS_bs, 1000 } },
	  .reason = "bs not a multiple of the alignment",
	  .error = EINVAL,
	  .text = "bs 1000 is not a multiple of 512, which direct=1 needs on t.bin; use "
	          "direct=0 or a multiple" },
	{ .name = "bs 1000 buffered", .set = { { AXIS_bs, 1000 }, { AXIS_direct, 0 } } },
	{ .name = "bs 512 on a 4Kn disk",
	  .set = { { AXIS_bs, 512 } },
	  .world = device,
	  .reason = "bs not a multiple of the alignment",
	  .error = EINVAL,
	  .text = "bs 512 is not a multiple of 4096, which direct=1 needs on t.bin; use "
	          "direct=0 or a multiple" },
	{ .name = "offset_increment 1000 direct",
	  .set = { { AXIS_numjobs, 2 }, { AXIS_size, MIB }, { AXIS_offset_increment, 1000 } },
	  .reason = "offset not a multiple of the alignment",
	  .error = EINVAL,
	  .text =
	      "offset_increment 1000 is not a multiple of 512, which direct=1 needs on t.bin" },
	{ .name = "engine not permitted",
	  .set = { { AXIS_ioengine, ENGINE_IO_URING } },
	  .world = no_io_uring,
	  .reason = "engine unusable",
	  .error = EPERM,
	  .by_machine = true,
	  .text = "ioengine io_uring cannot be used here: kernel.io_uring_disabled is 2" },
	{ .name = "ring too deep",
	  .set = { { AXIS_ioengine, ENGINE_IO_URING }, { AXIS_iodepth, 32769 } },
	  .reason = "iodepth above the engine's limit",
	  .error = EINVAL,
	  .by_machine = true,
	  .text = "iodepth 32769 is above the kernel's limit of 32768 for io_uring" },
	{ .name = "deepest ring",
	  .set = { { AXIS_ioengine, ENGINE_IO_URING }, { AXIS_iodepth, 32768 } } },
	{ .name = "too many events",
	  .set = { { AXIS_ioengine, ENGINE_LIBAIO }, { AXIS_iodepth, 100000 } },
	  .world = few_events,
	  .reason = "aio-max-nr",
	  .error = EAGAIN,
	  .by_machine = true,
	  .text = "libaio needs 100000 events (numjobs 1 x iodepth 100000), but aio-nr is 1536 "
	          "of aio-max-nr 65536; raise "
	          "the sysctl fs.aio-max-nr" },
	{ .name = "just enough events",
	  .set = { { AXIS_ioengine, ENGINE_LIBAIO },
	           { AXIS_iodepth, 32000 },
	           { AXIS_numjobs, 2 } },
	  .world = few_events },
	{ .name = "deeper than the core",
	  .set = { { AXIS_ioengine, ENGINE_LIBAIO }, { AXIS_iodepth, 65536 } },
	  .reason = "iodepth above the limit",
	  .error = EINVAL,
	  .text = "iodepth 65536 is above 65535, the most one job can keep in flight" },
	{ .name = "depth of psync does not count", .set = { { AXIS_iodepth, 1000000 } } },
	{ .name = "memory",
	  .set = { { AXIS_ioengine, ENGINE_LIBAIO }, { AXIS_iodepth, 1025 }, { AXIS_bs, MIB } },
	  .world = little_memory,
	  .reason = "memory",
	  .error = ENOMEM,
	  .by_machine = true,
	  .text = "numjobs 1 x iodepth 1025 x bs 1m need 1.0 GiB of memory, but only 1 GiB are "
	          "available" },
	{ .name = "just enough memory", /* beside 16 MiB for the program and 64 KiB for the job */
	  .set = { { AXIS_ioengine, ENGINE_LIBAIO }, { AXIS_iodepth, 1007 }, { AXIS_bs, MIB } },
	  .world = little_memory },
	{ .name = "memory of a mixed pattern",
	  .set = { { AXIS_ioengine, ENGINE_LIBAIO },
	           { AXIS_iodepth, 512 },
	           { AXIS_bs, MIB },
	           { AXIS_rw, RW_RANDRW } },
	  .world = little_memory,
	  .reason = "memory",
	  .error = ENOMEM,
	  .by_machine = true,
	  .text = "numjobs 1 x iodepth 512 x bs 1m x 2 (reads and writes) need 1.0 GiB of memory, "
	          "but only 1 GiB are available" },
	{ .name = "small blocks take whole pages",
	  .set = { { AXIS_ioengine, ENGINE_LIBAIO },
	           { AXIS_iodepth, 1024 },
	           { AXIS_bs, 512 },
	           { AXIS_numjobs, 257 },
	           { AXIS_direct, 0 } },
	  .world = little_memory,
	  .reason = "memory",
	  .error = ENOMEM,
	  .by_machine = true,
	  .text = "numjobs 257 x iodepth 1024 x bs 512 need 1.0 GiB of memory, but only 1 GiB are "
	          "available" },
	{ .name = "memory of many jobs",
	  .set = { { AXIS_ioengine, ENGINE_NULL }, { AXIS_numjobs, 16385 }, { AXIS_size, GIB } },
	  .world = little_memory,
	  .reason = "memory",
	  .error = ENOMEM,
	  .by_machine = true,
	  .text = "numjobs 16385 x iodepth 1 x bs 4k need 1.0 GiB of memory, but only 1 GiB are "
	          "available" },
	{ .name = "trims have no buffers",
	  .set = { { AXIS_rw, RW_TRIM },
	           { AXIS_ioengine, ENGINE_LIBAIO },
	           { AXIS_iodepth, 2000 },
	           { AXIS_bs, MIB },
	           { AXIS_size, MIB } },
	  .world = trims_in_little_memory },
	{ .name = "null has no buffers",
	  .set = { { AXIS_ioengine, ENGINE_NULL },
	           { AXIS_iodepth, 60000 },
	           { AXIS_bs, MIB },
	           { AXIS_size, GIB } },
	  .world = little_memory },
	{ .name = "space to grow a file of ours",
	  .set = { { AXIS_size, 5 * MIB / 4 + 1 } },
	  .world = our_small_file,
	  .reason = "space",
	  .error = ENOSPC,
	  .by_machine = true,
	  .text = "t.bin: needs 1.3 MiB, but only 1.2 MiB are free there" },
	{ .name = "space of a missing file",
	  .set = { { AXIS_size, 2 * GIB } },
	  .world = missing,
	  .reason = "space",
	  .error = ENOSPC,
	  .by_machine = true,
	  .text = "t.bin: needs 2 GiB, but only 1 GiB are free there" },
	{ .name = "space of a file for each job",
	  .set = { { AXIS_size, 512 * MIB }, { AXIS_numjobs, 3 } },
	  .world = directory,
	  .reason = "space",
	  .error = ENOSPC,
	  .by_machine = true,
	  .text = "t.bin: needs 1.5 GiB, but only 1 GiB are free there" },
	{ .name = "threads",
	  .set = { { AXIS_numjobs, 10000 } },
	  .world = few_threads,
	  .reason = "threads",
	  .error = EAGAIN,
	  .by_machine = true,
	  .text = "numjobs 10000 needs as many threads, but only 500 more may be started" },
	{ .name = "rings",
	  .set = { { AXIS_ioengine, ENGINE_IO_URING }, { AXIS_numjobs, 64 } },
	  .world = few_files,
	  .reason = "open files",
	  .error = EMFILE,
	  .by_machine = true,
	  .text = "numjobs 64 with io_uring needs 148 open files, but the limit is 128 (ulimit "
	          "-n)" },
	{ .name = "files",
	  .set = { { AXIS_numjobs, 109 }, { AXIS_size, MIB } },
	  .world = few_files_in_a_directory,
	  .reason = "open files",
	  .error = EMFILE,
	  .by_machine = true,
	  .text =
	      "numjobs 109 with psync needs 129 open files, but the limit is 128 (ulimit -n)" },
	{ .name = "as many files as may be", .set = { { AXIS_numjobs, 108 } }, .world = few_files },
	{ .name = "buffers that psync has not",
	  .set = { { AXIS_fixedbufs, 1 } },
	  .reason = "engine has no such option",
	  .error = EINVAL,
	  .text = "fixedbufs=1 means nothing to ioengine psync; it needs io_uring" },
	{ .name = "no buffers asked of psync", .set = { { AXIS_fixedbufs, 0 } } },
	{ .name = "files that libaio has not",
	  .set = { { AXIS_registerfiles, 1 }, { AXIS_ioengine, ENGINE_LIBAIO } },
	  .reason = "engine has no such option",
	  .error = EINVAL,
	  .text = "registerfiles=1 means nothing to ioengine libaio; it needs io_uring" },
	{ .name = "polling by libaio",
	  .set = { { AXIS_hipri, 1 }, { AXIS_ioengine, ENGINE_LIBAIO } },
	  .reason = "engine has no such option",
	  .error = EINVAL,
	  .text = "hipri=1 means nothing to ioengine libaio; it needs io_uring or pvsync2" },
	{ .name = "submission thread of pvsync2",
	  .set = { { AXIS_sqthread_poll, 1 }, { AXIS_ioengine, ENGINE_PVSYNC2 } },
	  .reason = "engine has no such option",
	  .error = EINVAL,
	  .text = "sqthread_poll=1 means nothing to ioengine pvsync2; it needs io_uring" },
	{ .name = "uncached psync",
	  .set = { { AXIS_uncached, 1 }, { AXIS_direct, 0 } },
	  .reason = "engine has no such option",
	  .error = EINVAL,
	  .text = "uncached=1 means nothing to ioengine psync; it needs io_uring or pvsync2" },
	{ .name = "uncached where the kernel or the file system is older",
	  .set = { { AXIS_uncached, 1 }, { AXIS_direct, 0 }, { AXIS_ioengine, ENGINE_PVSYNC2 } },
	  .reason = "uncached not supported",
	  .by_machine = true,
	  .error = EOPNOTSUPP,
	  .text = "uncached=1: ext4 does not take RWF_DONTCACHE (t.bin); it needs Linux 6.14 "
	          "and a file system that has it" },
	{ .name = "uncached where it works",
	  .set = { { AXIS_uncached, 1 }, { AXIS_direct, 0 }, { AXIS_ioengine, ENGINE_PVSYNC2 } },
	  .world = uncached },
	{ .name = "uncached means nothing to direct I/O",
	  .set = { { AXIS_uncached, 1 }, { AXIS_ioengine, ENGINE_PSYNC } } },
	{ .name = "below the nice value that is permitted",
	  .set = { { AXIS_nice, 23 } }, /* 0..19, then -1..-20 */
	  .world = may_be_nicer,
	  .reason = "nice not permitted",
	  .by_machine = true,
	  .error = EACCES,
	  .text = "nice=-4 is not permitted to this user, only -3 and more; it needs "
	          "CAP_SYS_NICE or a limit (ulimit -e)" },
	{ .name = "at it", .set = { { AXIS_nice, 22 } }, .world = may_be_nicer },
	{ .name = "nicer is always permitted", .set = { { AXIS_nice, 19 } } },
	{ .name = "realtime I/O for nobody",
	  .set = { { AXIS_prioclass, PRIOCLASS_REALTIME } },
	  .reason = "prioclass not permitted",
	  .by_machine = true,
	  .error = EPERM,
	  .text = "prioclass=1 (realtime) is not permitted to this user; it needs "
	          "CAP_SYS_NICE or CAP_SYS_ADMIN" },
	{ .name = "everything for root",
	  .set = { { AXIS_prioclass, PRIOCLASS_REALTIME }, { AXIS_nice, NICE_COUNT - 1 } },
	  .world = may_all },
	{ .name = "trim of a file",
	  .set = { { AXIS_rw, RW_TRIM } },
	  .reason = "trim of a file",
	  .error = ENOTTY,
	  .text = "rw trim discards blocks of a block device, and t.bin is a file" },
	{ .name = "trim where there are no trims",
	  .set = { { AXIS_rw, RW_RANDTRIMWRITE }, { AXIS_size, MIB } },
	  .world = device,
	  .reason = "device takes no trims",
	  .by_machine = true,
	  .error = EOPNOTSUPP,
	  .text = "rw randtrimwrite: t.bin takes no trims (queue/discard_max_bytes is 0)" },
	{ .name = "trim where there are",
	  .set = { { AXIS_rw, RW_TRIM }, { AXIS_size, MIB } },
	  .world = trims },
	{ .name = "trim of half a sector",
	  .set = { { AXIS_rw, RW_TRIMWRITE }, { AXIS_size, MIB }, { AXIS_bs, 2048 }, { AXIS_direct, 0 } },
	  .world = trims,
	  .reason = "bs not a multiple of the alignment",
	  .error = EINVAL,
	  .text = "bs 2048 is not a multiple of 4096, which trims need on t.bin; use a multiple" },
	{ .name = "trim half a sector on",
	  .set = { { AXIS_rw, RW_TRIM }, { AXIS_size, MIB / 2 }, { AXIS_offset, 2048 } },
	  .world = trims,
	  .reason = "offset not a multiple of the alignment",
	  .error = EINVAL,
	  .text = "offset 2048 is not a multiple of 4096, which trims need on t.bin" },
	{ .name = "trim by a ring of an older kernel",
	  .set = { { AXIS_rw, RW_TRIM }, { AXIS_size, MIB }, { AXIS_ioengine, ENGINE_IO_URING } },
	  .world = trims,
	  .reason = "io_uring trims from Linux 6.12 on",
	  .by_machine = true,
	  .error = EOPNOTSUPP,
	  .text = "rw trim: io_uring trims from Linux 6.12 on; use libaio, psync or pvsync2" },
	{ .name = "trim through a mapping",
	  .set = { { AXIS_rw, RW_TRIM }, { AXIS_size, MIB }, { AXIS_ioengine, ENGINE_MMAP } },
	  .world = trims,
	  .reason = "trims not with this",
	  .error = EINVAL,
	  .text = "rw trim: there are no trims with mmap" },
	{ .name = "trim by a schedule",
	  .set = { { AXIS_rw, RW_TRIM }, { AXIS_size, MIB }, { AXIS_thinktime, 1000 } },
	  .world = trims,
	  .reason = "trims not with this",
	  .error = EINVAL,
	  .text = "rw trim: there are no trims with a rate or thinktime" },
	{ .name = "all that io_uring has",
	  .set = { { AXIS_fixedbufs, 1 },
	           { AXIS_registerfiles, 1 },
	           { AXIS_sqthread_poll, 1 },
	           { AXIS_hipri, 1 },
	           { AXIS_ioengine, ENGINE_IO_URING } },
	  .world = polls },
	{ .name = "mmap, direct",
	  .set = { { AXIS_ioengine, ENGINE_MMAP } },
	  .reason = "engine goes through the page cache",
	  .error = EINVAL,
	  .text = "ioengine mmap goes through the page cache; it needs direct=0" },
	{ .name = "mmap", .set = { { AXIS_ioengine, ENGINE_MMAP }, { AXIS_direct, 0 } } },
	{ .name = "polling the page cache",
	  .set = { { AXIS_hipri, 1 }, { AXIS_ioengine, ENGINE_PVSYNC2 }, { AXIS_direct, 0 } },
	  .world = polls,
	  .reason = "hipri without direct",
	  .error = EINVAL,
	  .text = "hipri=1 polls the device, which the page cache keeps away: it needs direct=1" },
	{ .name = "polling ring and syncs",
	  .set = { { AXIS_hipri, 1 },
	           { AXIS_ioengine, ENGINE_IO_URING },
	           { AXIS_rw, RW_WRITE },
	           { AXIS_fsync, 8 } },
	  .world = polls,
	  .reason = "hipri with fsync",
	  .error = EINVAL,
	  .text = "hipri=1 makes a ring that only reads and writes: no fsync, fdatasync or "
	          "end_fsync with io_uring" },
	{ .name = "polling pvsync2 and syncs",
	  .set = { { AXIS_hipri, 1 },
	           { AXIS_ioengine, ENGINE_PVSYNC2 },
	           { AXIS_rw, RW_WRITE },
	           { AXIS_fsync, 8 } },
	  .world = polls },
	{ .name = "two schedules",
	  .set = { { AXIS_rate, 8 * MIB }, { AXIS_rate_iops, 100 } },
	  .reason = "rate with rate_iops",
	  .error = EINVAL,
	  .text = "rate 8m and rate_iops 100 are two schedules; give one" },
	{ .name = "no polled queue",
	  .set = { { AXIS_hipri, 1 }, { AXIS_ioengine, ENGINE_IO_URING } },
	  .world = interrupts_only,
	  .reason = "hipri without a polled queue",
	  .error = EOPNOTSUPP,
	  .by_machine = true,
	  .text = "hipri=1: the queue of Fast (nvme0n1) does not poll (queue/io_poll is 0; NVMe "
	          "needs nvme.poll_queues)" },
	{ .name = "no device to poll",
	  .set = { { AXIS_hipri, 1 }, { AXIS_ioengine, ENGINE_PVSYNC2 } },
	  .reason = "hipri without a polled queue",
	  .error = EOPNOTSUPP,
	  .by_machine = true,
	  .text = "hipri=1: there is no block device to poll under t.bin" },
	{ .name = "batches",
	  .set = { { AXIS_ioengine, ENGINE_LIBAIO },
	           { AXIS_iodepth, 32 },
	           { AXIS_iodepth_batch_complete_min, 16 },
	           { AXIS_iodepth_batch_complete_max, 8 } },
	  .reason = "batch min above max",
	  .error = EINVAL,
	  .text = "iodepth_batch_complete_min 16 is above iodepth_batch_complete_max 8" },
	{ .name = "batches that fit",
	  .set = { { AXIS_ioengine, ENGINE_LIBAIO },
	           { AXIS_iodepth, 32 },
	           { AXIS_iodepth_batch_complete_min, 8 },
	           { AXIS_iodepth_batch_complete_max, 8 } } },
	{ .name = "locked memory",
	  .set = { { AXIS_ioengine, ENGINE_IO_URING }, { AXIS_iodepth, 33 }, { AXIS_fixedbufs, 1 } },
	  .world = little_locked,
	  .reason = "memlock",
	  .error = ENOMEM,
	  .by_machine = true,
	  .text = "fixedbufs=1 locks the buffers of numjobs 1 x iodepth 33 x bs 4k, 132 KiB, but "
	          "only 128 KiB may be locked (ulimit -l)" },
	{ .name = "locked memory that suffices",
	  .set = { { AXIS_ioengine, ENGINE_IO_URING }, { AXIS_iodepth, 32 }, { AXIS_fixedbufs, 1 } },
	  .world = little_locked },
	{ .name = "locked memory if granted",
	  .set = { { AXIS_ioengine, ENGINE_IO_URING }, { AXIS_iodepth, 33 } },
	  .world = little_locked },
	{ .name = "CPUs there are not",
	  .set = { { AXIS_cpus_allowed, 1 } },
	  .reason = "cpus_allowed",
	  .error = EINVAL,
	  .by_machine = true,
	  .text = "cpus_allowed 0-3,5: CPU 2-3,5 cannot be used here, only 0-1" },
	{ .name = "CPUs", .set = { { AXIS_cpus_allowed, 0 } } },
	{ .name = "no such device",
	  .world = no_device,
	  .reason = "no such device",
	  .error = ENODEV,
	  .by_machine = true,
	  .absent = true,
	  .text = "no such device: /dev/vdz" },
	{ .name = "absent",
	  .world = absent,
	  .reason = "no such file or directory",
	  .error = ENOENT,
	  .by_machine = true,
	  .absent = true,
	  .text = "no such directory: /mnt/x" },
	{ .name = "absent, and more",
	  .set = { { AXIS_ioengine, ENGINE_IO_URING } },
	  .world = absent_without_io_uring,
	  .reason = "engine unusable",
	  .error = EPERM,
	  .by_machine = true,
	  .text = "ioengine io_uring cannot be used here: kernel.io_uring_disabled is 2" },
	{ .name = "fifo",
	  .world = fifo,
	  .reason = "target unusable",
	  .error = EINVAL,
	  .by_machine = true,
	  .text = "t.bin is a fifo" },
};

static void check_skip(const struct change *c, const struct plan *p, const struct plan_row *row)
{
	assert_int_equal(row->skip.skipped, c->reason != NULL);
	assert_int_equal(p->skipped, c->reason != NULL);
	assert_int_equal(p->skipped_by_machine, c->by_machine);
	assert_int_equal(p->reasons, c->reason != NULL);
	assert_int_equal(row->skip.error, c->error);
	assert_int_equal(row->skip.by_machine, c->by_machine);
	assert_int_equal(row->skip.target_absent, c->absent);
	assert_true(p->estimate_s == (c->reason && !c->absent ? 0
	                              : row->job.time_based   ? 32
	                                                      : 30));
	if (!c->reason)
		return;
	assert_string_equal(row->skip.text, c->text);
	assert_string_equal(row->skip.reason, c->reason);
	assert_string_equal(p->reason[0].reason, c->reason);
	assert_int_equal(p->reason[0].count, 1);
	assert_int_equal(p->reason[0].by_machine, c->by_machine);
}

static void every_rule(void **state)
{
	(void)state;
	for (const struct change *c = cases; c < cases + ARRAY_SIZE(cases); c++) {
		struct sweep *s = fixture_sweep();
		struct err e = { 0 };
		struct plan_row row;
		struct world w;
		struct plan *p;

		strlist_add(&s->text[AXIS_cpus_allowed], "0-1");
		strlist_add(&s->text[AXIS_bssplit], "4096/50:1000/50");
		strlist_add(&s->text[AXIS_cpus_allowed], "0-3,5");
		for (size_t i = 0; i < ARRAY_SIZE(c->set); i++)
			if (c->set[i].axis != AXIS_filename)
				fixture_axis(s, c->set[i].axis, &c->set[i].value, 1);
		fixture_world(&w, s);
		if (c->world)
			c->world(&w);
		assert_int_equal(plan_new(&p, s, &w, PLAN_MAX_DEFAULT, &e), 0);
		plan_row(p, 0, &row);
		if (row.skip.skipped != (c->reason != NULL) ||
		    (c->text && strcmp(row.skip.text, c->text) != 0))
			print_error("%s: %s\n", c->name, row.skip.text);
		check_skip(c, p, &row);
		plan_free(p);
		fixture_world_fini(&w);
		sweep_free(s);
	}
}

static void need_is_what_runs_asks(void **state)
{
	struct sweep *s = fixture_sweep();
	struct err e = { 0 };
	struct world w;
	struct plan *p;

	(void)state;
	fixture_targets(s, 3);
	fixture_axis(s, AXIS_rw, VALUES(RW_READ, RW_RANDWRITE));
	fixture_axis(s, AXIS_size, VALUES(MIB, 4 * MIB));
	fixture_axis(s, AXIS_bs, VALUES(4096, 2 * MIB));
	fixture_axis(s, AXIS_numjobs, VALUES(1, 4));
	fixture_axis(s, AXIS_offset_increment, VALUES(MIB));
	fixture_axis(s, AXIS_direct, VALUES(0));
	fixture_world(&w, s);
	w.target[1].kind = TARGET_DIRECTORY;
	w.target[1].free_bytes = GIB;
	w.target[2].kind = TARGET_UNUSABLE;
	assert_int_equal(plan_new(&p, s, &w, PLAN_MAX_DEFAULT, &e), 0);
	assert_true(p->need[0].used && p->need[0].reads && p->need[0].writes &&
	            p->need[0].buffered);
	assert_false(p->need[0].direct);
	assert_int_equal(p->need[0].size_bytes, 7 * MIB);
	assert_int_equal(p->need[0].files, 1);
	/* bs 2m does not fit into size 1m: (4k: 2 sizes, 2m: 1) x 2 numjobs */
	assert_int_equal(p->need[0].write_ns, 6 * 32 * SEC);
	assert_int_equal(p->need[1].files, 4);
	assert_false(p->need[2].used);
	plan_free(p);
	fixture_world_fini(&w);
	sweep_free(s);
}

TEST_MAIN(cmocka_unit_test(every_rule), cmocka_unit_test(need_is_what_runs_asks))
