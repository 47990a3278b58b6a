/* tests/support/records.h: hand-made runs for the tests of metrics, store and writers. */
#ifndef SUPPORT_RECORDS_H
#define SUPPORT_RECORDS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/record.h"
#include "model/sweep.h"
#include "support/default_job.h"

/* 2 s window, 2 jobs at depth 4: `ios` reads of 4 KiB, all of latency_ns; every 100 ms slot
 * alike. */
static inline struct sample *sample_of(uint64_t ios, uint64_t latency_ns)
{
	struct sample *s = xcalloc(1, sizeof(*s));
	struct op_sample *r = &s->op[OP_READ];

	s->window_ns = 2000000000;
	s->jobs = 2;
	s->inflight_ns = 16000000000;
	s->longest_gap_ns = 1500000;
	s->region_bytes = 1048576;
	s->cpu_user_ns = 200000000;
	s->cpu_sys_ns = 400000000;
	s->slot_ns = SERIES_SLOT_NS;
	s->slots = 20;
	r->ios = ios;
	r->bytes = ios * 4096;
	for (uint64_t i = 0; i < ios; i++)
		hist_record(&r->lat, latency_ns);
	for (unsigned i = 0; i < 20; i++) {
		s->slot[i].ios[OP_READ] = ios / 20;
		s->slot[i].bytes[OP_READ] = ios / 20 * 4096;
		s->slot[i].lat_sum_ns[OP_READ] = ios / 20 * latency_ns;
	}
	(void)snprintf(s->effective, sizeof(s->effective), "engine=psync");
	return s;
}

static inline struct job job_of(enum rw rw, uint64_t bs)
{
	struct job job = default_job();

	job.ioengine = ENGINE_PSYNC;
	job.rw = rw;
	job.bs = bs;
	job.numjobs = 2;
	job.iodepth = 4;
	job.size = 1048576;
	job.ramp_time = 500000000;
	job.runtime = 2000000000;
	job_defaults(&job);
	return job;
}

/* Everything a record points to. */
struct run_of {
	struct record record;
	struct job job;
	struct combination_key key;
	struct target_info target;
	char label[64], text[64];
};

/* Run `id` of combination number `number`. The sample stays the caller's. */
static inline void run_of(struct run_of *r, int64_t id, unsigned number, enum run_status status,
                          const struct sample *sample)
{
	memset(r, 0, sizeof(*r));
	r->job = job_of(RW_RANDREAD, 4096);
	r->key.bytes[0] = 0xab;
	r->key.bytes[15] = (uint8_t)(number >> 8);
	r->key.bytes[5] = (uint8_t)number;
	(void)snprintf(r->label, sizeof(r->label), "randread_4k_%u", number);
	(void)snprintf(r->text, sizeof(r->text), "number=%u", number);
	(void)snprintf(r->target.filename, sizeof(r->target.filename), "/mnt/t.dat");
	(void)snprintf(r->target.device, sizeof(r->target.device), "Some SSD (nvme0n1)");
	(void)snprintf(r->target.fs, sizeof(r->target.fs), "ext4");
	r->record = (struct record){ .run_id = id,
		                     .job = &r->job,
		                     .key = &r->key,
		                     .key_text = r->text,
		                     .label = r->label,
		                     .target = &r->target,
		                     .repeat = 1,
		                     .attempt = 1,
		                     .purpose = PURPOSE_GRID,
		                     .status = status,
		                     .error = "",
		                     .started_wall_ns = sample ? 1796061600250000000 : 0,
		                     .sample = sample };
}

static inline struct sweep *sweep_of(const char *name)
{
	struct sweep *s = sweep_new();

	s->name = xstrdup(name);
	s->config_text = xstrdup("{\"rw\":\"randread\"}");
	return s;
}

/* A scratch directory of its own. */
static inline char *scratch_dir(void)
{
	char path[] = "/tmp/iosweep-unit.XXXXXX";

	return mkdtemp(path) ? xstrdup(path) : NULL;
}

static inline void scratch_remove(char *dir)
{
	char path[512];
	const char *const name[] = { "a.db", "a.db-wal", "a.db-shm",
		                     "b.db", "a.csv",    "a.db-journal" };

	for (size_t i = 0; i < sizeof(name) / sizeof(name[0]); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", dir, name[i]);
		(void)remove(path);
	}
	(void)remove(dir);
	free(dir);
}

#endif
