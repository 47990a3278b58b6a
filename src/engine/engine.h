/* engine/engine.h: the I/O engines behind one ops struct. An engine sees descriptors and I/Os,
 * never config, job or statistics. One engine object belongs to one thread: open it in the
 * thread that uses it.
 *
 * Life of an engine:  open -> [ bind -> (submit | reap)* -> unbind ]* -> close.
 * Calls go through engine_*() below, which assert the contract once for every engine. */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum op {
	OP_READ,
	OP_WRITE,
	OP_TRIM,
	OP_SYNC, /* fsync, or fdatasync, of the I/O's descriptor; offset, len and buf are ignored */
	OP_COUNT
};

const char *op_name(uint64_t op); /* "read" "write" "trim" "sync"; NULL past the end */

/* One I/O. The caller owns it and must leave it alone between submit and reap. */
struct io {
	void *buf;       /* inside the arena of engine_env, or engine_run.buffers */
	uint64_t offset; /* bytes */
	uint64_t start;  /* the caller's stamp; engines do not touch it */
	uint32_t len;    /* bytes */
	int32_t res;     /* set by reap: bytes transferred, 0 for a sync, or -errno */
	uint32_t slot;   /* index below engine_env.depth; unique among I/Os in flight */
	uint8_t op;      /* enum op */
	uint8_t file;    /* index into the descriptors given to engine_bind() */
	bool data_only;  /* OP_SYNC: fdatasync */
};

enum engine_cap {
	ENGINE_ASYNC = 1 << 0,     /* holds more than one I/O: iodepth means something */
	ENGINE_NO_TARGET = 1 << 1, /* null: opens and creates no target, any bs and depth */
	ENGINE_REGISTERS = 1 << 2, /* takes buffers and files registered with the kernel */
	ENGINE_POLLS = 1 << 3,     /* can poll the device for completions */
	ENGINE_SQ_THREAD = 1 << 4, /* a kernel thread can take submissions */
	ENGINE_PAGE_CACHE = 1 << 5, /* all I/O goes through the page cache */
	ENGINE_SIMULATED = 1 << 6,  /* filename describes a simulated device; time is not real */
	ENGINE_UNCACHED = 1 << 7,   /* can leave nothing in the page cache */
};

#define ENGINE_DEPTH_MAX 1000000

struct engine_env {
	unsigned depth; /* most I/Os in flight at a time, 1 .. ENGINE_DEPTH_MAX */
	void *arena;    /* buffer memory that every io.buf lies in; outlives the engine */
	size_t arena_size;
	/* Asked for by name: granted, or open fails. Either keeps a CPU busy. */
	bool poll;      /* poll the device for completions */
	bool sq_thread; /* a kernel thread polls for submissions */
};

struct sim;

/* What the kernel is told of the accesses to come. */
enum io_advice { ADVICE_NONE, ADVICE_RANDOM, ADVICE_SEQUENTIAL, ADVICE_NOREUSE };

/* NO_ROOM: it would be used if granted, but was found to leave no room for what must be there; so it
 * is not asked for, and said to be refused. */
enum engine_wish { WISH_NO, WISH_IF_GRANTED, WISH_REQUIRED, WISH_NO_ROOM };

/* What one run asks of an open engine. */
struct engine_run {
	const int *fds; /* borrowed */
	unsigned n;
	void *buffers;        /* where this run's buffers lie; NULL: in the arena of engine_env */
	size_t buffer_bytes;  /* the first so many there hold all buffers ... */
	size_t buffer_stride; /* ... and none crosses a multiple of this */
	enum engine_wish fixed_buffers, fixed_files; /* registered with the kernel */
	bool submit_now; /* submit makes its own system call, instead of leaving it to reap */
	bool uncached;   /* each I/O leaves nothing in the page cache (RWF_DONTCACHE) */
	enum io_advice advice; /* for a mapping: descriptors have been told */
	struct sim *sim; /* ENGINE_SIMULATED: the device of this run, on the clock of all its engines */
};

struct engine_polls {
	uint64_t all, empty; /* 0, 0: it waits for interrupts */
};

struct engine; /* private to each engine file */

struct engine_ops {
	const char *name, *help;
	unsigned caps;        /* enum engine_cap */
	unsigned depth_limit; /* the kernel's own limit of one context, 0 = none */
	/* Usable on this machine? 0, or -errno with the true reason in e (ENOSYS; EPERM by
	 * sysctl or seccomp; memlock; aio-max-nr). */
	int (*probe)(struct err *e);
	int (*open)(struct engine **eng, const struct engine_env *env, struct err *e);
	/* Work as this run asks until unbind or the next bind; nothing is in flight. Optional.
	 * What is required and not granted is an error. */
	int (*bind)(struct engine *eng, const struct engine_run *run, struct err *e);
	/* Let go of the descriptors: they may be closed after it. Optional. */
	void (*unbind)(struct engine *eng);
	/* Both return a count or -errno. submit: how many of the n were accepted, in order; it
	 * may only queue them, and reap then submits and waits in one system call. reap: how
	 * many were put into done[], between min and max; it waits at most until the absolute
	 * monotonic time deadline_ns, so fewer than min (also 0) come back only when that has
	 * passed. min = 0 never waits. */
	int (*submit)(struct engine *eng, struct io *const ios[], unsigned n);
	int (*reap)(struct engine *eng, struct io *done[], unsigned min, unsigned max,
	            uint64_t deadline_ns);
	/* What the kernel granted, as "key=value key=value": shown by `show`, stored per run.
	 * Optional. */
	void (*describe)(const struct engine *eng, char *buf, size_t len);
	/* Since bind: looks for completions by polling the device, and those that found none.
	 * Optional: engines that cannot poll. */
	struct engine_polls (*polls)(const struct engine *eng);
	/* The engine's own clock in ns, for a simulated device; NULL = the real clock. Only reap moves it. The engines of
	 * one run share it, and are then driven by one thread, in turn: always the one whose reap is due first. */
	uint64_t (*now)(struct engine *eng);
	/* With it: the time at which reap with these arguments would come back. */
	uint64_t (*due)(struct engine *eng, unsigned min, uint64_t deadline_ns);
	void (*close)(struct engine *eng);
};

enum engine_id {
	ENGINE_IO_URING,
	ENGINE_LIBAIO,
	ENGINE_PSYNC,
	ENGINE_NULL,
	ENGINE_PVSYNC2,
	ENGINE_MMAP,
	ENGINE_SIM,
	ENGINE_COUNT
};

const struct engine_ops *engine_ops(uint64_t id); /* NULL past the end */
const char *engine_name(uint64_t id);             /* NULL past the end */

int engine_open(const struct engine_ops *ops, struct engine **eng, const struct engine_env *env,
                struct err *e);
int engine_bind(const struct engine_ops *ops, struct engine *eng, const struct engine_run *run,
                struct err *e);
void engine_unbind(const struct engine_ops *ops, struct engine *eng); /* accepts NULL */
int engine_submit(const struct engine_ops *ops, struct engine *eng, struct io *const ios[],
                  unsigned n);
int engine_reap(const struct engine_ops *ops, struct engine *eng, struct io *done[],
                unsigned min, unsigned max, uint64_t deadline_ns);
void engine_describe(const struct engine_ops *ops, const struct engine *eng, char *buf,
                     size_t len);
struct engine_polls engine_polls(const struct engine_ops *ops, const struct engine *eng);
void engine_close(const struct engine_ops *ops, struct engine *eng); /* accepts NULL */

#endif
