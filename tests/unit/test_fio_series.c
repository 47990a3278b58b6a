/* fio/json_series.h: what goes on, and what began anew. */
#include "support/test.h"

#include "base/cleanup.h"
#include "fio/json_series.h"

#define JOB(name, runtime, bytes, lat)                                                             \
	"{\"jobname\":\"" name "\",\"job options\":{\"rw\":\"randread\",\"ramp_time\":\"1\"},"        \
	"\"read\":{\"io_bytes\":" #bytes ",\"runtime\":" #runtime ",\"lat_ns\":{\"mean\":" #lat "}}}"
#define DOC(ms, jobs)                                                                              \
	"{\"fio version\":\"fio-3.33\",\"timestamp_ms\":" #ms ",\"jobs\":[" jobs "]}"
#define SECONDS(s, jobs) "{\"timestamp\":" #s ",\"jobs\":[" jobs "]}"

static void a_run_goes_on_or_another_one_began(void **state)
{
	static const struct {
		const char *what, *earlier, *later;
		bool goes_on;
	} cases[] = {
		{ "at work when the first was printed", DOC(5000, JOB("a", 1000, 80, 9.5)),
		  DOC(6000, JOB("a", 2000, 160, 9.5)), true },
		{ "as old as the gap, ramp included", DOC(5000, JOB("a", 1000, 80, 9.5)),
		  DOC(7000, JOB("a", 1000, 80, 9.5)), true },
		{ "began after it", DOC(5000, JOB("a", 1000, 80, 9.5)),
		  DOC(7001, JOB("a", 1000, 81, 9.6)), false },
		{ "out of the ramp", DOC(5000, JOB("a", 900, 80, 0.0)),
		  DOC(6000, JOB("a", 900, 70, 9.5)), true },
		{ "each ended in its ramp", DOC(5000, JOB("a", 900, 80, 0.0)),
		  DOC(6000, JOB("a", 900, 80, 0.0)), false },
		{ "one had ended, the next one had not begun",
		  DOC(5000, JOB("a", 1000, 80, 9.5) "," JOB("b", 0, 0, 0.0)),
		  DOC(9000, JOB("a", 1000, 80, 9.5) "," JOB("b", 1500, 90, 9.5)), true },
		{ "one is not the same any more",
		  DOC(5000, JOB("a", 1000, 80, 9.5) "," JOB("b", 1000, 80, 9.5)),
		  DOC(9000, JOB("a", 1000, 81, 9.5) "," JOB("b", 5000, 90, 9.5)), false },
		{ "nothing was done", DOC(5000, JOB("a", 0, 0, 0.0)),
		  DOC(6000, JOB("a", 900, 80, 9.5)), false },
		{ "another name", DOC(5000, JOB("a", 1000, 80, 9.5)),
		  DOC(6000, JOB("b", 2000, 160, 9.5)), false },
		{ "one more job", DOC(5000, JOB("a", 1000, 80, 9.5)),
		  DOC(6000, JOB("a", 2000, 160, 9.5) "," JOB("b", 2000, 160, 9.5)), false },
		{ "printed before", DOC(5000, JOB("a", 1000, 80, 9.5)),
		  DOC(4000, JOB("a", 2000, 160, 9.5)), false },
		{ "whole seconds", SECONDS(5, JOB("a", 3000, 80, 9.5)),
		  SECONDS(6, JOB("a", 4000, 160, 9.5)), true },
		{ "whole seconds, perhaps after it", SECONDS(5, JOB("a", 900, 80, 9.5)),
		  SECONDS(6, JOB("a", 900, 160, 9.5)), false },
		{ "no time at all", "{\"jobs\":[" JOB("a", 1000, 80, 9.5) "]}",
		  "{\"jobs\":[" JOB("a", 2000, 160, 9.5) "]}", false },
		{ "of another version", DOC(5000, JOB("a", 1000, 80, 9.5)),
		  "{\"timestamp_ms\":6000,\"jobs\":[" JOB("a", 2000, 160, 9.5) "]}", false },
		{ "of clients", "{\"timestamp\":5,\"client_stats\":[" JOB("a", 3000, 80, 9.5) "]}",
		  "{\"timestamp\":6,\"client_stats\":[" JOB("a", 4000, 160, 9.5) "]}", true },
		{ "not even objects", "{\"timestamp\":5,\"jobs\":[1]}",
		  "{\"timestamp\":6,\"jobs\":[2]}", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		json_t *a = json_loads(cases[i].earlier, 0, NULL),
		       *b = json_loads(cases[i].later, 0, NULL);

		assert_non_null(a);
		assert_non_null(b);
		if (json_series_goes_on(a, b) != cases[i].goes_on)
			fail_msg("%s", cases[i].what);
		json_decref(a);
		json_decref(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_goes_on_or_another_one_began),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
