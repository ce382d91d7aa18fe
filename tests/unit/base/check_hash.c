/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "common/base/hash.h"
#include "tests/unit/runner.h"

/* The values that FNV's authors publish. */
START_TEST(published_values)
{
	static const struct {
		const char *text;
		uint64_t hash;
	} known[] = {
		{ "", UINT64_C(0xcbf29ce484222325) },
		{ "a", UINT64_C(0xaf63dc4c8601ec8c) },
		{ "foobar", UINT64_C(0x85944171f73967e8) },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		ck_assert_uint_eq(rspb_hash(RSPB_HASH_START, known[i].text, strlen(known[i].text)),
				  known[i].hash);
}
END_TEST

START_TEST(goes_on)
{
	uint64_t foo = rspb_hash(RSPB_HASH_START, "foo", 3);

	ck_assert_uint_eq(rspb_hash(foo, "bar", 3), rspb_hash(RSPB_HASH_START, "foobar", 6));
	ck_assert_uint_ne(rspb_hash(foo, "bar", 3), rspb_hash(foo, "bra", 3));
}
END_TEST

static Suite *suite(void)
{
	const TTest *const tests[] = { published_values, goes_on };

	return suite_of("hash", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
