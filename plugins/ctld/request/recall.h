/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a request and a grant from a contract again, after a restart. */
#ifndef RSPB_CTLD_REQUEST_RECALL_H
#define RSPB_CTLD_REQUEST_RECALL_H

#include "common/request/booking.h"
#include "common/wire/flags.h"

/* When it may be, and what that is worth. RET 0, or -1: out of memory. */
int rspb_recall_request(const struct rspb_contract *contract, struct rspb_request *request);
/* How many nodes, or which share of them, one part asks for. RET likewise. */
int rspb_recall_part(const struct rspb_contract *contract, struct rspb_part *part);
/* Set what it was granted, except for the nodes. */
void rspb_recall_grant(const struct rspb_contract *contract, struct rspb_grant *grant);

#endif
