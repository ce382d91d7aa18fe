/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kind *job with cores of its own on its nodes*: as any job's, but others are
 * beside it. */
#ifndef RSPB_CTLD_SHARES_CORES_H
#define RSPB_CTLD_SHARES_CORES_H

#include "plugins/ctld/book/kind.h"

extern const struct rspb_kind rspb_kind_cores;

#endif
