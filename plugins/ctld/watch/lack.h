/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bookings with parts of nodes that have less by now than is booked of them, or with
 * nodes that have not what their jobs ask for. */
#ifndef RSPB_CTLD_WATCH_LACK_H
#define RSPB_CTLD_WATCH_LACK_H

#include <stddef.h>
#include <stdint.h>

#include "common/ledger/ledger.h"

struct rspb_lacks {
	struct rspb_overfull *items; /* by id */
	size_t n;
	char **nodes; /* their names, as far as they are known */
};

/* Find those of the book; call without locks. The result is good until the book changes. */
void rspb_lacks_find(struct rspb_lacks *lacks);
void rspb_lacks_fini(struct rspb_lacks *lacks);
/* Put into text, of size bytes, what is in the way of a booking. RET text; NULL:
 * nothing. */
const char *rspb_lacks_say(const struct rspb_lacks *lacks, uint64_t id, char *text, size_t size);

#endif
