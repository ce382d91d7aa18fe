/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Both twins of differ.h, and the comparison of what they answer: RET 0, or -1
 * with pair->wrong set to what is not the same.
 */
#ifndef RSPB_TESTS_NAIVE_DIFFER_PAIR_H
#define RSPB_TESTS_NAIVE_DIFFER_PAIR_H

#include "tests/naive/differ.h"
#include "tests/naive/list.h"

struct differ_booking {
	int64_t start, end;
	struct rspb_nodeset *nodes;
};

enum { MOST_BOOKINGS = 512 };

/* Both twins and what has been booked in them. */
struct differ_pair {
	uint32_t nodes;
	struct rspb_profile *profile;
	struct naive_list *list;
	/* Copies that nothing is done to, or NULL. */
	struct rspb_profile *kept;
	struct naive_list *kept_list;
	struct rspb_nodeset *set, *a, *b;
	int64_t *figures[2];
	struct differ_booking bookings[MOST_BOOKINGS];
	size_t booked;
	struct rspb_err err;
	const char *wrong;
};

/* Always -1. */
int differ_mismatch(struct differ_pair *pair, const char *what);
int differ_same_rc(struct differ_pair *pair, int64_t rc, int64_t want, const char *what);
int differ_same_rect(struct differ_pair *pair, const struct rspb_rect *x,
		     const struct rspb_rect *y);
/* pair->a and pair->b. */
int differ_same_set(struct differ_pair *pair);
/* Both twins, and the copies that are kept, are sound and have the same
 * records. */
int differ_check_state(struct differ_pair *pair);

#endif
