/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time slots that are free for a question. */
#ifndef RSPB_CTLD_SERVE_SLOTS_H
#define RSPB_CTLD_SERVE_SLOTS_H

#include <json-c/json.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/nodeset.h"
#include "common/request/request.h"
#include "plugins/ctld/serve/inquiry.h"
#include "plugins/ctld/serve/picture.h"
#include "plugins/ctld/serve/reads.h"

/* --- slots.c --- */

/*
 * Add "slots" to the answer: ranges of starts, by time, at each of which a user could book that,
 * whole nodes or parts of them, within the site's limits, and how many nodes are free at the first;
 * and "leads", as below, but within the limits and from the same begin on. Numbers of nodes are
 * left out for who may not see nodes or partitions. As of the last plan (rspb_published_get). RET
 * 0, or -1 with err.
 */
int rspb_slots_answer(const struct rspb_inquiry *inquiry, const struct rspb_caller_view *who,
		      const struct rspb_picture *picture, json_object *answer,
		      struct rspb_err *err);

/* How far ahead one must ask: add "leads" to `to`, of one node, a quarter, half and all
 * of the eligible ones (NULL: of the machine, of `all` nodes) that are ever free until the horizon,
 * how many `nodes`, and in how many `seconds` the first start is at which they are for
 * so long; without these there is none. Limits on users do not count. */
void rspb_slots_leads(const struct rspb_profile *calendar, uint32_t all,
		      const struct rspb_nodeset *eligible, int64_t now, int64_t duration,
		      int64_t horizon, json_object *to);

/* --- slot_filter.c --- */

/* GPUs as --gpus-per-node takes them: "2", "a100:2". */
struct rspb_eligible_gpus {
	int64_t count;		 /* 0: none are asked for */
	char type[RSPB_ASK_TAG]; /* "": any */
};
/* RET 0, or -1 with err. */
int rspb_eligible_read_gpus(const char *text, struct rspb_eligible_gpus *out, struct rspb_err *err);

/* Remove from nodes those that nodelist, features and gpus of the question rule out. RET 0, or
 * -1 with err. */
int rspb_eligible_keep(const struct rspb_inquiry *inquiry, const struct rspb_picture *picture,
		       const struct rspb_eligible_gpus *gpus, struct rspb_nodeset *nodes,
		       struct rspb_err *err);

/* Have a part ask for licenses, as --licenses takes them. RET 0, or -1 with err: there is
 * none of that name, or not as many. */
int rspb_licensed_ask(const struct rspb_picture *picture, const char *text, struct rspb_part *part,
		      struct rspb_err *err);
/* RET a copy of a calendar in which no node is free while a request, of one part, could not
 * have its licenses within the ledger, until `last`; NULL: out of memory. */
struct rspb_profile *rspb_licensed_calendar(const struct rspb_profile *calendar,
					    const struct rspb_ledger *ledger,
					    const struct rspb_request *request, int64_t last);

#endif
