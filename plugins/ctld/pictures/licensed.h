/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When there are as many licenses as somebody wants, for who asks when that is. */
#ifndef RSPB_CTLD_PICTURES_LICENSED_H
#define RSPB_CTLD_PICTURES_LICENSED_H

#include "common/base/err.h"
#include "common/request/request.h"
#include "plugins/ctld/pictures/picture.h"

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
