/* What the description of a job says holds as long as the job is what it was written for. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "fio/job_said.h"

/* "name=value" each. */
static const char *option_of(const void *arg, const char *name)
{
	size_t n = strlen(name);

	for (const char *const *o = arg; *o; o++)
		if (!strncmp(*o, name, n) && (*o)[n] == '=')
			return *o + n + 1;
	return NULL;
}

static void put(void *arg, const struct fio_said *s, bool holds)
{
	text_addf(arg, "%s%s:%s>%s;", holds ? "" : "!", s->axis->name, s->configured,
	          s->value ? s->value : s->configured);
}

#define HALF "iosweep: size=50%25=4096=4096 offset==8=8 profile=max filename=a%20b:c"

static void words_hold_for_the_job_they_were_written_for(void **state)
{
	static const struct {
		const char *description, *option[4], *said;
	} row[] = {
		{ HALF,
		  { "filename=a b\\:c", "size=4096", "offset=8" },
		  "size:50%>4096;offset:>8;profile:max>max;filename:a b:c>a b:c;" },
		{ HALF,
		  { "directory=a b\\:c", "size=4096", "offset=8" },
		  "size:50%>4096;offset:>8;profile:max>max;filename:a b:c>a b:c;" },
		{ HALF, /* together or not at all */
		  { "filename=a b\\:c", "size=4k", "offset=8" },
		  "!size:50%>4096;!offset:>8;profile:max>max;!filename:a b:c>a b:c;" },
		{ HALF,
		  { "filename=a b\\:c", "size=4096" },
		  "!size:50%>4096;!offset:>8;profile:max>max;!filename:a b:c>a b:c;" },
		{ HALF, /* of another target */
		  { "filename=a b:c", "size=4096", "offset=8" },
		  "!size:50%>4096;!offset:>8;profile:max>max;!filename:a b:c>a b:c;" },
		{ "iosweep: filename=[\"x\",\"y\"] size==1=1",
		  { "filename=y", "size=1" },
		  "filename:[\"x\",\"y\"]>[\"x\",\"y\"];size:>1;" },
		{ "iosweep: filename=[\"x\",\"y\"] size==1=1",
		  { "filename=z", "size=1" },
		  "!filename:[\"x\",\"y\"]>[\"x\",\"y\"];!size:>1;" },
		{ "iosweep: filename=[7 size==1=1",
		  { "filename=[7", "size=1" },
		  "filename:[7>[7;size:>1;" },
		{ "iosweep: filename=[\"x\"", { "filename=x" }, "!filename:[\"x\">[\"x\";" },
		{ "iosweep: iodepth_batch_submit=0=32 iodepth=1",
		  { "iodepth_batch_submit=32", "iodepth=2" },
		  "iodepth_batch_submit:0>0;iodepth:1>1;" },
		{ "iosweep: iodepth_batch_submit=0=32",
		  { "iodepth_batch_submit=8" },
		  "!iodepth_batch_submit:0>0;" },
		{ "iosweep: size nothing=1 =2 = size=% size=%0", { NULL }, "size:%>%;size:%0>%0;" },
		{ "iosweep:", { NULL }, "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(row); i++) {
		struct fio_said_job job = { option_of, row[i].option };
		struct text t = { 0 };

		assert_true(fio_said(row[i].description));
		fio_said_each(row[i].description, &job, put, &t);
		assert_string_equal(text_get(&t), row[i].said);
		text_fini(&t);
	}
}

static void what_is_added_is_read(void **state)
{
	static const char *const option[] = { "bs=2=%", NULL };
	struct text t = { 0 }, said = { 0 };

	(void)state;
	text_add(&t, FIO_SAID);
	fio_said_add(&t, &(struct fio_said){ &axes[AXIS_bs], "a b", "=1", "2=%" });
	fio_said_add(&t, &(struct fio_said){ &axes[AXIS_bs], "", "", "2=%" });
	fio_said_add(&t, &(struct fio_said){ .axis = &axes[AXIS_bs], .configured = "" });
	assert_string_equal(text_get(&t), "iosweep: bs=a%20b=%3D1=2%3D%25 bs==2%3D%25 bs=");
	fio_said_each(text_get(&t), &(struct fio_said_job){ option_of, option }, put, &said);
	assert_string_equal(text_get(&said), "bs:a b>=1;bs:>;bs:>;");
	assert_false(fio_said("iosweep"));
	assert_false(fio_said(NULL));
	text_fini(&said);
	text_fini(&t);
}

static void values_of_a_key(void **state)
{
	char *size = fio_key_value("bs=4096 offset=8 size=50%25", &axes[AXIS_size]),
	     *none = fio_key_value("bs=4096 offset=8", &axes[AXIS_size]);

	(void)state;
	assert_string_equal(size, "50%");
	assert_string_equal(none, "");
	free(size);
	free(none);
}

TEST_MAIN(cmocka_unit_test(words_hold_for_the_job_they_were_written_for),
          cmocka_unit_test(what_is_added_is_read), cmocka_unit_test(values_of_a_key))
