/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/fields.h"

#include "common/policy/policy.h"

/* The words of a journal for enum rspb_open_end, in its order. */
static const char *const open_ends[] = {
	[RSPB_OPEN_DEADLINE] = "deadline",
	[RSPB_OPEN_INFINITE] = "infinite",
	[RSPB_OPEN_LAST] = "last",
	[RSPB_OPEN_DEADLINE_ONLY] = "deadline-only",
};

/* clang-format off */
#define MEMBER(member, kind, needed, high, names)			\
	{ #member, RSPB_JSON_##kind, offsetof(struct rspb_policy, member), \
	  needed, 0, high, names }
#define NUMBER(member)	   MEMBER(member, INT64, true, INT64_MAX - 1, NULL)
#define FLAG(member)	   MEMBER(member, BOOL, true, 0, NULL)
#define NAME(member, rows) MEMBER(member, ROW, true, sizeof((rows)[0]), rows)

/* The members of struct rspb_policy that decide. The batch interval is not among them: the requests
 * of one decision stand together in the journal. The notice before offers decides nothing. */
const struct rspb_json_field rspb_policy_fields[] = {
	NAME(order, rspb_orders), NAME(when, rspb_whens),
	NAME(where, rspb_wheres), NAME(degrade, rspb_degrades),
	FLAG(trim), FLAG(distinct),
	MEMBER(open_end, WORD, true, 4, open_ends),
	NUMBER(headroom), NUMBER(long_headroom), NUMBER(long_duration),
	FLAG(crowd_prompt), NUMBER(patience), FLAG(tie_load),
	NUMBER(offer_horizon),
	/* Journals from before there was a choice say nothing. */
	MEMBER(keep_surplus, BOOL, false, 0, NULL),
	MEMBER(repairs, INT64, false, INT64_MAX - 1, NULL),
	MEMBER(shift, INT64, false, INT64_MAX - 1, NULL),
	MEMBER(shift_part, INT64, false, 10000, NULL),
	MEMBER(forward, BOOL, false, 0, NULL),
	MEMBER(firm, INT64, false, INT64_MAX - 1, NULL),
	{ .key = NULL }
};
/* clang-format on */
