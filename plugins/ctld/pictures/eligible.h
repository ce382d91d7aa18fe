/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes that a question about slots is about. */
#ifndef RSPB_CTLD_PICTURES_ELIGIBLE_H
#define RSPB_CTLD_PICTURES_ELIGIBLE_H

#include "common/base/err.h"
#include "common/base/nodeset.h"
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

#endif
