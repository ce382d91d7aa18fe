/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The main function of a Check program with one suite. */
#ifndef RSPB_TESTS_UNIT_RUNNER_H
#define RSPB_TESTS_UNIT_RUNNER_H

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>

/* clang-format off */
#define RUN_SUITE(make_suite)						\
	int main(void)							\
	{								\
		SRunner *runner = srunner_create(make_suite());		\
		int failed;						\
									\
		srunner_run_all(runner, CK_ENV);			\
		failed = srunner_ntests_failed(runner);			\
		srunner_free(runner);					\
		return failed ? EXIT_FAILURE : EXIT_SUCCESS;		\
	}
/* clang-format on */

/* How often a random test goes round: n times, much less often where every
 * step is slow (make check-valgrind). */
static inline int test_rounds(int n)
{
	return getenv("RSPB_TEST_SHORT") ? (n + 19) / 20 : n;
}

/* Limit the memory of this process, but for AddressSanitizer, which maps terabytes of
 * addresses. RET whether it could be set. */
static inline bool test_memory(size_t bytes)
{
#ifdef __SANITIZE_ADDRESS__
	(void) bytes;
	return true;
#else
	const struct rlimit memory = { .rlim_cur = bytes, .rlim_max = RLIM_INFINITY };

	return setrlimit(RLIMIT_AS, &memory) == 0;
#endif
}

/* One suite of one test case made of these tests, each between setup and teardown (NULL:
 * nothing) and within so many seconds (0: Check's own). */
static inline Suite *suite_around(const char *name, void (*setup)(void), void (*teardown)(void),
				  int seconds, const TTest *const *tests, size_t count)
{
	Suite *suite = suite_create(name);
	TCase *tcase = tcase_create(name);

	if (setup || teardown)
		tcase_add_checked_fixture(tcase, setup, teardown);
	if (seconds)
		tcase_set_timeout(tcase, seconds);
	for (size_t i = 0; i < count; i++)
		tcase_add_test(tcase, tests[i]);
	suite_add_tcase(suite, tcase);
	return suite;
}

static inline Suite *suite_of(const char *name, const TTest *const *tests, size_t count)
{
	return suite_around(name, NULL, NULL, 0, tests, count);
}

/* The same as the program's only suite: RUN_TESTS(name, setup, teardown, seconds, test, ...) */
#define RUN_TESTS(name, setup, teardown, seconds, ...)                                             \
	static Suite *only_suite(void)                                                             \
	{                                                                                          \
		const TTest *const tests[] = { __VA_ARGS__ };                                      \
                                                                                                   \
		return suite_around(name, setup, teardown, seconds, tests,                         \
				    sizeof(tests) / sizeof(tests[0]));                             \
	}                                                                                          \
	RUN_SUITE(only_suite)

#endif
