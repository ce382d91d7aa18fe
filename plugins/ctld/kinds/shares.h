/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kind of booking that is made for a job with a share of the CPUs of its
 * nodes: as any job's, but others may be beside it, and its nodes are told. */
#ifndef RSPB_CTLD_KINDS_SHARES_H
#define RSPB_CTLD_KINDS_SHARES_H

#include "plugins/ctld/book/kind.h"

extern const struct rspb_kind rspb_kind_shares;

#endif
