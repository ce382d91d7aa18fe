/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Publishes the ledger of the last plan, so that any thread can plan on it. */
#ifndef RSPB_CTLD_BOOK_PUBLISHED_H
#define RSPB_CTLD_BOOK_PUBLISHED_H

#include <stdint.h>

#include "common/ledger/ledger.h"

/* basis: the ledger and all that stands in the way from outside; book: without
 * that, by which limits on bookings are judged. As of that second. Takes over
 * both (NULL: none). */
void rspb_published_set(struct rspb_ledger *basis, struct rspb_ledger *book, int64_t at);
/* RET how often one was set. */
uint64_t rspb_published_count(void);
/* RET an own copy of the basis (NULL: none), and in *book, if that is not NULL,
 * one of the book. */
struct rspb_ledger *rspb_published_get(int64_t *at, struct rspb_ledger **book);

#endif
