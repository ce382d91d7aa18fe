/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AvailRectList to the letter: a linked list of records, each with a linked
 * list of the booked nodes' numbers, walked from its head (Li et al., section
 * 4, algorithms 1 to 3). Never tuned. Memory exhaustion ends the program.
 */
#ifndef RSPB_TESTS_NAIVE_LINKED_H
#define RSPB_TESTS_NAIVE_LINKED_H

#include "common/calendar/profile.h"

struct linked;

struct linked *linked_create(uint32_t nodes);
void linked_destroy(struct linked *list);
/* The nodes must be free, or booked, throughout; not checked. */
void linked_add(struct linked *list, int64_t start, int64_t end,
		const struct rspb_nodeset *nodes);
void linked_remove(struct linked *list, int64_t start, int64_t end,
		   const struct rspb_nodeset *nodes);
/* As rspb_profile_search by pe-worst, open end by deadline. RET 1 or 0. */
int linked_search_pe_worst(struct linked *list, const struct rspb_query *query,
			   struct rspb_rect *rect, struct rspb_nodeset *set);

#endif
