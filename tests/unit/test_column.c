#include "support/test.h"

#include <ctype.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "model/column.h"
#include "support/records.h"

/* Readers find columns by these names for ever: append, never rename or move. */
static const char golden[] =
    "sweep,label,combination,run,repeat,started_utc,host,device,fs,tags,status,doubts,notes,"
    "error,op,"
    "filename,ioengine,rw,bs,numjobs,iodepth,direct,size,rwmixread,ramp_time,runtime,options,"
    "ios,bytes,iops,bw_mib_s,bw_mb_s,lat_min_us,lat_mean_us,lat_stddev_us,lat_p50_us,lat_p90_"
    "us,lat_p95_us,"
    "lat_p99_us,lat_p99_9_us,lat_p99_99_us,lat_max_us,iops_min,iops_max,iops_stddev,errors,"
    "short_ios,"
    "window_s,run_iops,run_bw_mib_s,depth_total,depth_mean,longest_gap_ms,cpu_us_per_io,cpu_"
    "user_pct,cpu_sys_pct,"
    "device_read_bytes,device_write_bytes,device_read_ios,device_write_ios,device_queue_mean,"
    "device_util_pct,"
    "passes,flush_s,write_amplification,"
    "iops_half_width_pct,iops_half_width_repro_pct,confidence,stop_reason,batches,rho,"
    "lat_p99_low_us,lat_p99_high_us,written_before_bytes,"
    "service_mean_us,service_p50_us,service_p99_us,service_max_us,lag_max_ms,backlog_max";

static void header(struct text *t, uint64_t swept)
{
	struct column c[COLUMN_MAX];
	size_t n = column_list(c, swept);

	for (size_t i = 0; i < n; i++)
		text_addf(t, "%s%s", i ? "," : "", c[i].name);
}

static void the_header_is_golden(void **state)
{
	struct text t = { 0 };

	(void)state;
	header(&t, 0);
	assert_string_equal(text_get(&t), golden);
	text_fini(&t);
}

static void swept_axes_come_last(void **state)
{
	struct text t = { 0 };

	(void)state;
	header(&t, 1ULL << AXIS_fsync | 1ULL << AXIS_job_offset | 1ULL << AXIS_bs);
	assert_string_equal(text_get(&t) + strlen(golden), ",fsync,job_offset");
	text_fini(&t);
}

static void every_name_is_unique_plain_and_explained(void **state)
{
	struct column c[COLUMN_MAX];
	size_t n = column_list(c, UINT64_MAX);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		assert_true(islower((unsigned char)c[i].name[0]));
		assert_int_equal(strspn(c[i].name, "abcdefghijklmnopqrstuvwxyz0123456789_"),
		                 strlen(c[i].name));
		assert_true(c[i].help && strlen(c[i].help) > 4);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(c[i].name, c[k].name);
	}
}

static void kinds_are_those_of_the_values(void **state)
{
	static const struct {
		const char *name;
		enum column_kind kind;
	} cases[] = {
		{ "sweep", COLUMN_TEXT },
		{ "run", COLUMN_INTEGER },
		{ "filename", COLUMN_TEXT },
		{ "bs", COLUMN_INTEGER },
		{ "runtime", COLUMN_REAL },
		{ "options", COLUMN_TEXT },
		{ "ios", COLUMN_INTEGER },
		{ "iops", COLUMN_REAL },
		{ "lat_min_us", COLUMN_REAL },
		{ "window_s", COLUMN_REAL },
		{ "depth_total", COLUMN_INTEGER },
		{ "job_offset", COLUMN_TEXT },
		{ "device_read_bytes", COLUMN_INTEGER },
		{ "confidence", COLUMN_TEXT },
		{ "batches", COLUMN_INTEGER },
		{ "rho", COLUMN_REAL },
	};
	struct column c[COLUMN_MAX];
	size_t n = column_list(c, UINT64_MAX), found = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (size_t k = 0; k < n; k++)
			if (!strcmp(c[k].name, cases[i].name)) {
				assert_int_equal(c[k].kind, cases[i].kind);
				found++;
			}
	assert_int_equal(found, sizeof(cases) / sizeof(cases[0]));
}

static void set(struct axis_values *v, uint64_t a, uint64_t b)
{
	v->val = xrealloc(v->val, 2, sizeof(*v->val));
	v->val[0] = a;
	v->val[1] = b;
	v->len = 2;
}

static void what_a_sweep_sweeps(void **state)
{
	struct sweep *s = sweep_of("x");

	(void)state;
	assert_int_equal(column_swept(s), 0);
	set(&s->axis[AXIS_bs], 4096, 8192); /* has a column already */
	assert_int_equal(column_swept(s), 0);
	set(&s->axis[AXIS_fsync], 0, 32);
	assert_int_equal(column_swept(s), 1ULL << AXIS_fsync);

	s->includes = 1;
	s->include = xcalloc(1, sizeof(*s->include));
	s->include[0].axis[AXIS_end_fsync].val = xcalloc(1, sizeof(uint64_t));
	s->include[0].axis[AXIS_end_fsync].len = 1; /* 0: the default as well */
	assert_int_equal(column_swept(s), 1ULL << AXIS_fsync);
	s->include[0].axis[AXIS_end_fsync].val[0] = 1;
	assert_int_equal(column_swept(s), 1ULL << AXIS_fsync | 1ULL << AXIS_end_fsync);
	sweep_free(s);
}

static void options_name_what_differs(void **state)
{
	struct job job = job_of(RW_READ, 4096);
	struct job_text text = { .of = { [AXIS_cpus_allowed] = "0-3,5" } };
	AUTO(text_fini) struct text options = { 0 };

	(void)state;
	column_options(&job, &text, &options);
	assert_string_equal(text_get(&options), "");
	job.io_size = 65536;
	job.end_fsync = 1;
	job.job_offset = JOB_OFFSET_SAME;
	job.time_based = 0;
	job.cpus_allowed = 0;
	column_options(&job, &text, &options);
	assert_string_equal(text_get(&options), "io_size=65536 end_fsync=1 job_offset=same time_based=0 "
	                         "cpus_allowed=0-3,5");
	job = job_of(RW_READ, 4096);
	job.profile = PROFILE_FIO; /* what follows from it does not differ from a default */
	job.job_offset = AXIS_UNSET;
	job.iodepth_batch_submit = job.iodepth_batch_complete_max = AXIS_UNSET;
	job_defaults(&job);
	text_clear(&options);
	column_options(&job, &text, &options);
	assert_string_equal(text_get(&options), "profile=fio");
}

TEST_MAIN(cmocka_unit_test(the_header_is_golden), cmocka_unit_test(swept_axes_come_last),
          cmocka_unit_test(every_name_is_unique_plain_and_explained),
          cmocka_unit_test(kinds_are_those_of_the_values),
          cmocka_unit_test(what_a_sweep_sweeps), cmocka_unit_test(options_name_what_differs))
