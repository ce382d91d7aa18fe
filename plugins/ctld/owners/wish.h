/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A request that nobody has made: what a message says of it, as its job's
 * submission would. */
#ifndef RSPB_CTLD_OWNERS_WISH_H
#define RSPB_CTLD_OWNERS_WISH_H

#include <stdint.h>

#include "common/conf/config.h"
#include "plugins/compat/submit/draft.h"
#include "plugins/ctld/owners/work.h"
#include "plugins/ctld/requests/ask.h"

/* With the write lock: fill in an empty ask, which is the caller's to fini;
 * *longest: seconds that its partition allows. RET 0, or -1 with a sentence for
 * the user. */
int rspb_wish_read(const struct rspb_work *work, const struct rspb_config *config, int64_t now,
		   struct rspb_ask *ask, int64_t *longest, struct rspb_err *err);
/* Without a lock: whether the site's limits let its user ask so. Likewise. */
int rspb_wish_judge(struct rspb_ask *ask, const struct rspb_config *config, int64_t now,
		    struct rspb_err *err);
/* RET what a message says of the job; its texts belong to the message. */
struct rspb_draft_spec rspb_wish_spec(const struct rspb_inquiry *q);
/* Put what a message says of benefit into the flags. RET 0 or -1 with err. */
int rspb_wish_worth(const struct rspb_inquiry *q, struct rspb_flags *flags, struct rspb_err *err);

#endif
