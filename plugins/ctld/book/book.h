/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The broker's book: the one ledger, behind the broker's one mutex.
 *
 * Only the agent's thread changes it, by rspb_book_apply() alone, and so may
 * read it without the mutex (rspb_book_ledger). The functions for other threads
 * read under the mutex for microseconds.
 */
#ifndef RSPB_CTLD_BOOK_BOOK_H
#define RSPB_CTLD_BOOK_BOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/nodeset.h"
#include "common/ledger/ledger.h"
#include "plugins/compat/parts/parts.h"

/* A listener that is told of every change, by the thread that makes it, with whatever locks it
 * holds. */
struct rspb_book_listener {
	void (*reset)(void); /* the ledger has been replaced */
	void (*record)(const struct rspb_record *record);
	void (*purge)(int64_t before); /* what ended before is forgotten */
};
/* Before anything is booked. NULL: nobody. */
void rspb_book_listen(const struct rspb_book_listener *listener);

/* Take over a new ledger made for the node table of that fingerprint; NULL:
 * from now on nothing is known. dedicated, one for each node: per cent kept for
 * shares where ordinary jobs may be beside them, else 0; NULL: nowhere. */
void rspb_book_reset(struct rspb_ledger *ledger, uint8_t *dedicated, uint64_t table);
/* For the agent's thread: the ledger, without the mutex; NULL: nothing is known. */
const struct rspb_ledger *rspb_book_ledger(void);
/* Likewise, what is dedicated; NULL: ordinary jobs are nowhere beside shares.
 */
const uint8_t *rspb_book_dedicated(void);
/* The nodes of which bookings may have a part (compat/cores.h), as wide as the ledger
 * that comes next; NULL: of none. It belongs to the book from then on. early, from any
 * thread: unless the agent has said which. */
void rspb_book_lend(struct rspb_nodeset *lent, bool early);
const struct rspb_nodeset *rspb_book_lent(void);
uint64_t rspb_book_table(void);
/* Whether the nodes have the numbers that the ledger uses, with at least the read lock. Until the
 * agent has made another ledger, nothing may be done by number. */
bool rspb_book_fits(void);
/* Grows with every change; for the agent. */
uint64_t rspb_book_version(void);
/* Likewise with every booking that is over. */
uint64_t rspb_book_freed(void);

/*
 * The one place where the ledger changes; the listener hears of it. What makes
 * a change durable belongs in here, before the change. RET 0, or -1 with err
 * and nothing changed.
 */
int rspb_book_apply(const struct rspb_record *record, struct rspb_err *err);
/* Enter a booking that the ledger does not have. The book does not keep it, here and below. */
int rspb_book_enter(const struct rspb_booking *booking, int64_t now, struct rspb_err *err);
/* Replace the booking of the same id. */
int rspb_book_change(const struct rspb_booking *booking, int64_t now, struct rspb_err *err);
/* Shorthand for an event without a booking; reason may be NULL. */
int rspb_book_event(uint64_t id, enum rspb_event event, int64_t now, const char *reason,
		    struct rspb_err *err);
/* Let what is over count no more: who runs may grow into what others had until
 * now. Nothing when time has gone back. */
void rspb_book_advance(int64_t now);
/* Forget what ended before `before`, seconds. */
void rspb_book_purge(int64_t before);

/*
 * For any thread, with any of slurmctld's locks or none. While the ledger is of another node table
 * (nodes were added, slurmctld is starting) the answer is "don't know" (false, -1), and the caller
 * goes on as stock Slurm would.
 */

/* Whether there is nothing booked at all: one relaxed load, for callers that
 * are asked very often. */
bool rspb_book_idle(void);
/* Whether what is booked has not been read yet. */
bool rspb_book_unread(void);
/* Nodes held by our bookings at any instant of [start, end); all, if the nodes have had other
 * numbers for a moment than the book. At least the read lock. RET false: don't know, set
 * untouched. */
bool rspb_book_booked(int64_t start, int64_t end, struct rspb_nodeset *set);
/* The first start from `from` on at which no booking holds so many of these nodes for
 * so many seconds. RET false: there is none, or don't know. */
bool rspb_book_first(int64_t from, int64_t seconds, uint32_t nodes, const struct rspb_nodeset *of,
		     int64_t *start);
/* Whether regular jobs may be beside shares anywhere: one relaxed load. */
bool rspb_book_colocates(void);
/* Whether bookings may have parts of nodes: one relaxed load. */
bool rspb_book_lends(void);
/* Take those out that are not lent. RET false: none is, or don't know; set is as it
 * was. */
bool rspb_book_lent_of(struct rspb_nodeset *set);
/* Find the nodes of the set where only shares are booked and regular jobs may run beside them, and
 * for every node how much is kept for shares there, in per cent. RET false: don't know, or nowhere;
 * both are untouched. */
bool rspb_book_beside(int64_t start, int64_t end, struct rspb_nodeset *set, uint8_t *dedicated);
/* Find what bookings of parts keep of nodes on which nothing else is booked. parts: made by the
 * caller, with the keys that it asks about. RET false: don't know, or nothing. */
bool rspb_book_parts(int64_t start, int64_t end, struct rspb_parts *parts);
/* next_start[n] = start of the first booking on node n after `from`, or
 * RSPB_TIME_MAX, and ranks[n] = the node's rank (compat/node.h), 0 if all are alike;
 * open->width entries. Where there are several leaves (policy/leaves.h), open keeps the
 * nodes of those that were chosen. RET false: don't know. */
bool rspb_book_next_start(int64_t from, const struct rspb_nodeset *chosen,
			  struct rspb_nodeset *open, int64_t *next_start, uint32_t *ranks);
/* RET false: there is no booking of that id; else its state and whose it is. */
bool rspb_book_state(uint64_t id, enum rspb_state *state, uint32_t *user);
/* RET how many licenses of a key bookings that have not begun, or have to begin again, are to have
 * at a time within [start, end), at most; INT64_MAX: that is not known for a moment. */
int64_t rspb_book_license(uint64_t key, int64_t start, int64_t end);
/* A job of a booking has left its nodes, and its licenses with them; with Slurm's write lock. */
void rspb_book_return(uint64_t id);
/* RET how often that was so; and the agent has seen so many of these times. */
uint32_t rspb_book_returned(void);
void rspb_book_returned_seen(uint32_t n);
/* Whether a booking is to start within `ahead` seconds of now, or should have
 * within as many and has not. */
bool rspb_book_imminent(int64_t now, int64_t ahead);

#endif
