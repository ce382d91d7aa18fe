/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "common/base/array.h"
#include "tests/unit/runner.h"

struct item {
	uint64_t key;
	int value;
};

/* A sorted array of the keys 2, 4, 6, put in from its end, its middle and its start. */
struct kept {
	struct item *items;
	size_t n, room;
};

static size_t place(const struct kept *kept, uint64_t key)
{
	return rspb_array_place(&key, kept->items, kept->n, sizeof(*kept->items),
				rspb_array_by_u64);
}

static struct item *find(const struct kept *kept, uint64_t key)
{
	return rspb_array_find(&key, kept->items, kept->n, sizeof(*kept->items), rspb_array_by_u64);
}

static struct kept three(void)
{
	static const uint64_t keys[] = { 6, 2, 4 };
	struct kept kept = { 0 };

	for (size_t i = 0; i < 3; i++) {
		struct item new = { keys[i], (int) (10 * keys[i]) };
		struct item *copy = rspb_array_insert(&kept.items, &kept.room, &kept.n,
						      place(&kept, new.key), &new, sizeof(new));

		ck_assert_ptr_nonnull(copy);
		ck_assert_uint_eq(copy->key, keys[i]);
	}
	return kept;
}

START_TEST(inserted_items_are_sorted)
{
	struct kept kept = three();

	ck_assert_uint_eq(kept.n, 3);
	for (size_t i = 0; i < 3; i++) {
		ck_assert_uint_eq(kept.items[i].key, 2 * (i + 1));
		ck_assert_int_eq(kept.items[i].value, (int) (20 * (i + 1)));
	}
	free(kept.items);
}
END_TEST

START_TEST(places)
{
	static const size_t places_of[] = { 0, 0, 0, 1, 1, 2, 2, 3 };
	struct kept kept = three(), nothing = { 0 };

	/* An item that is there stands at the place of its key; others belong before the next. */
	for (uint64_t key = 0; key <= 7; key++)
		ck_assert_uint_eq(place(&kept, key), places_of[key]);
	ck_assert_uint_eq(place(&nothing, 1), 0);
	free(kept.items);
}
END_TEST

START_TEST(found_or_not)
{
	struct kept kept = three(), nothing = { 0 };

	for (uint64_t key = 1; key <= 7; key++)
		if (key % 2)
			ck_assert_ptr_null(find(&kept, key));
		else
			ck_assert_int_eq(find(&kept, key)->value, (int) (10 * key));
	ck_assert_ptr_null(find(&nothing, 2));
	free(kept.items);
}
END_TEST

START_TEST(removed_items_leave_the_others)
{
	static const uint64_t order[] = { 4, 6, 2 };
	struct kept kept = three();

	for (size_t i = 0; i < 3; i++) {
		rspb_array_remove(kept.items, &kept.n, find(&kept, order[i]), sizeof(*kept.items));
		ck_assert_uint_eq(kept.n, 2 - i);
		ck_assert_ptr_null(find(&kept, order[i]));
		for (size_t j = i + 1; j < 3; j++)
			ck_assert_ptr_nonnull(find(&kept, order[j]));
	}
	free(kept.items);
}
END_TEST

static Suite *suite(void)
{
	const TTest *const tests[] = { inserted_items_are_sorted, places, found_or_not,
				       removed_items_leave_the_others };

	return suite_of("array", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
