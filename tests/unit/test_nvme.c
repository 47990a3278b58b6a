/* The health page of an NVMe drive; what is no such drive has none. */
#include "support/test.h"

#include <errno.h>
#include <string.h>

#include "base/units.h"
#include "run/nvme.h"

static void numbers_of_the_page(void **state)
{
	uint8_t page[NVME_HEALTH_BYTES];
	struct nvme_health h;

	(void)state;
	memset(page, 0xee, sizeof(page)); /* what is not read */
	page[0] = 0x04;
	page[3] = 97;
	page[5] = 255; /* "255: more than 254" is what the drive says */
	memset(page + 32, 0, 32);
	memcpy(page + 32, "\x01\x02\x03\x00", 4);
	memcpy(page + 48, "\xef\xcd\xab\x89\x67\x45\x23\x01", 8);
	nvme_health_parse(&h, page);
	assert_int_equal(h.critical, 4);
	assert_int_equal(h.spare_percent, 97);
	assert_int_equal(h.percent_used, 255);
	assert_int_equal(h.units_read, 0x030201);
	assert_int_equal(h.units_written, 0x0123456789abcdef);
	assert_false(h.saturated);
}

static void more_than_64_bits(void **state)
{
	uint8_t page[NVME_HEALTH_BYTES] = { 0 };
	struct nvme_health h;

	(void)state;
	page[48] = 7;
	page[63] = 1; /* the highest of its 16 bytes */
	nvme_health_parse(&h, page);
	assert_int_equal(h.units_written, UINT64_MAX);
	assert_int_equal(h.units_read, 0);
	assert_true(h.saturated);
}

static void other_devices_have_none(void **state)
{
	struct nvme_health h;

	(void)state;
	assert_int_equal(nvme_health(&h, 7, 0, SEC), -ENODEV);
	assert_int_equal(nvme_health(&h, 0, 0, SEC), -ENODEV);
}

TEST_MAIN(cmocka_unit_test(numbers_of_the_page), cmocka_unit_test(more_than_64_bits),
          cmocka_unit_test(other_devices_have_none))
