/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes that a question about slots is about. */
#ifndef RSPB_CTLD_PICTURES_SLOT_FILTER_H
#define RSPB_CTLD_PICTURES_SLOT_FILTER_H

#include "common/base/err.h"
#include "common/base/nodeset.h"
#include "common/request/request.h"
#include "plugins/ctld/pictures/picture.h"
#include "plugins/ctld/socket/inquiry.h"

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
