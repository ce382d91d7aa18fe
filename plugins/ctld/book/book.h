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
#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "plugins/compat/limit/quota.h"
#include "plugins/compat/parts/parts.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/record/durable.h"

/* --- book.c --- */

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
 * open->width entries. Where there are several leaves (policy/policy.h), open keeps the
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

/*
 * How long nodes take between two jobs: behind the one until another can have
 * them (epilogs, health checks; CleanUp in rspb.conf(5)), and with the other
 * until its first command runs (prologs; Prepare). Windows leave both between
 * them.
 */

enum rspb_gap { RSPB_GAP_CLEAN_UP, RSPB_GAP_PREPARE, RSPB_GAPS };

/* The agent: as the settings say, in seconds, RSPB_GAP_AUTO: as is learned. */
void rspb_gap_use(enum rspb_gap gap, int64_t seconds);
/* The agent: these nodes are busy with it now, all others are not. To be learned
 * from, at most once a second. */
void rspb_gap_see(enum rspb_gap gap, const struct rspb_nodeset *busy, int64_t now);
/* Any thread. RET seconds; learned: what three of four of the last nodes took that
 * took six seconds or more, 0 while fewer than three did within six hours. */
int64_t rspb_gap(enum rspb_gap gap);
/* Any thread. RET both together: what lies between two windows. */
int64_t rspb_gap_whole(void);
/* The kind in the durable journal: what was learned outlives slurmctld. */
extern const struct rspb_durable_kind rspb_gap_durable;
/* For the agent: forget which nodes are busy, because the nodes have other numbers. Learned
 * durations stay. */
void rspb_gap_reset(void);

/* Bookings that are reservations without a job: an operator's, or a group's. */

/* Whether a booking is one. */
bool rspb_reserved_is(uint64_t id);
/* RET the user whose it is, 0: an operator's, or a job's. */
uint32_t rspb_reserved_owner(const struct rspb_request *request);
/* Slurm's number of the reservation that holds a booking. */
uint32_t rspb_reserved_number(uint64_t id);
/* RET an id that no booking of this ledger has. */
uint64_t rspb_reserved_new_id(const struct rspb_ledger *ledger, uint32_t reservation);
/* The booking of a reservation that has not ended, by Slurm's number; NULL:
 * none (0 is none's). */
const struct rspb_booking *rspb_reserved_find(uint32_t reservation);

/* Call `other` (NULL: nobody) for each reservation that is not of a booked job, then
 * fn for each booking of the ledger that is a reservation's, by id, also one that is over,
 * with that reservation (NULL: it is gone), until one returns non-zero. Slurm's list
 * is walked once at most. Wants the read lock; RET what was returned, else 0; -1:
 * out of memory. */
typedef int (*rspb_reserved_fn)(const struct rspb_booking *booking, const struct rspb_resv *resv,
				void *arg);
int rspb_reserved_each(const struct rspb_ledger *ledger, int64_t now, rspb_resv_fn other,
		       rspb_reserved_fn fn, void *arg);

/* The reservations of bookings that exist, by booking and part, for asking about many: Slurm's own
 * list is walked once. init: RET 0, or -1 without memory, nothing to free. */
struct rspb_resv_keys {
	size_t n, room;
	struct rspb_resv_key *items; /* NULL: not made */
};
int rspb_resv_keys_init(struct rspb_resv_keys *keys);
void rspb_resv_keys_fini(struct rspb_resv_keys *keys);
/* out may be NULL; else under the lock that was held for init(). */
bool rspb_resv_keys_find(const struct rspb_resv_keys *keys, uint64_t id, uint32_t part, int64_t now,
			 struct rspb_resv *out);

/* --- view.c --- */

/*
 * The calendar of the book as others ask about it: a copy, made when somebody asks and
 * the book is another, since the agent asks its own without the book's mutex. All of
 * it with that mutex.
 */

/* set = the nodes with anything booked within [start, end). */
void rspb_view_booked(const struct rspb_ledger *ledger, uint64_t version, int64_t start,
		      int64_t end, struct rspb_nodeset *set);
/* The first start from `from` on at which so many of these nodes are free for so many
 * seconds. RET false: there is none, or don't know. */
bool rspb_view_first(const struct rspb_ledger *ledger, uint64_t version, int64_t from,
		     int64_t seconds, uint32_t nodes, const struct rspb_nodeset *of,
		     int64_t *start);
/* Whether anything is booked of less than whole nodes. */
bool rspb_view_shares(const struct rspb_ledger *ledger, uint64_t version);

/* --- beside.c --- */

/* Where others may be beside what is booked, as a ledger has it; of any thread, with
 * what keeps the ledger as it is. */

/* Whether it has nodes, or is to have them. */
bool rspb_booking_held(const struct rspb_booking *booking);

/* Nodes within a window by what is booked on them: whole, shares of time, parts; a node
 * may be in several. The sets may be one and the same. */
struct rspb_beside {
	struct rspb_nodeset *whole, *shares, *parts;
};
void rspb_beside_sort(const struct rspb_ledger *ledger, int64_t start, int64_t end,
		      const struct rspb_beside *to);

/* Make room for what is kept of that many nodes in each kind of resource that somebody takes; fini
 * also frees what a call without memory has left. RET false: out of memory. */
bool rspb_parts_init(struct rspb_parts *parts, uint32_t width, const struct rspb_quotas *takes);
void rspb_parts_fini(struct rspb_parts *parts);

/* parts->nodes: where nothing but parts is booked within a window; the rest for those.
 * RET false: there are none, or out of memory. */
bool rspb_beside_parts(const struct rspb_ledger *ledger, int64_t start, int64_t end,
		       struct rspb_parts *parts);

/* next: of each node when the next booking begins there behind that time; is that time
 * where one is to have begun by then that has not. */
void rspb_beside_due(const struct rspb_ledger *ledger, int64_t start, int64_t *next);

/* --- capacity.c --- */

/* Computes the capacity of the nodes by the settings: how much of each may be booked as shares, and
 * where other jobs may run beside these. Needs at least the read lock. */

/* Whether two settings make different things of the nodes. */
bool rspb_capacity_differs(const struct rspb_config *a, const struct rspb_config *b);
/* A ledger for what is booked already, which stands whatever is dedicated to
 * shares by now: each node has room for all of it, until it is resized. RET
 * NULL: out of memory. */
struct rspb_ledger *rspb_capacity_ledger(uint32_t width, const struct rspb_config *config,
					 int64_t now);
/* Whether the nodes have more or less of something than when that ledger, of as many,
 * was made; asked by the agent alone. */
bool rspb_capacity_stale(const struct rspb_ledger *ledger);
/* The nodes of which bookings may have a part, owned by the caller; NULL: of none, as
 * the settings say. RET 0, -1: out of memory. */
int rspb_capacity_lent(uint32_t width, const struct rspb_config *config,
		       struct rspb_nodeset **lent);
/* Where nobody has read the book yet, after a start, let it lend by the rule by which it
 * is going to: those who ask now are not to have nodes for themselves instead. */
void rspb_capacity_lend_early(uint32_t width, const struct rspb_config *config);
/* Share units of each node: its cores where it is lent; else a share is one of the
 * node, whatever its number of CPUs. The caller frees them. RET NULL: out of memory. */
int64_t *rspb_capacity_shares(uint32_t width, const struct rspb_config *config,
			      const struct rspb_nodeset *lent);
/* For each node, per cent kept for shares where ordinary jobs may be beside
 * them, else 0 (see compat/colocate.h). The caller frees them. RET NULL:
 * nowhere, or out of memory. */
uint8_t *rspb_capacity_beside(uint32_t width, const struct rspb_config *config);

/* --- licenses.c --- */

/*
 * Tells which licenses bookings that have not begun, or have to begin again, are to have, and when:
 * what regular jobs have to leave. Kept by each change of the book, with its mutex.
 */

/* Count all bookings of another ledger; NULL: there is none. */
void rspb_licenses_reset(const struct rspb_ledger *ledger);
/* Before and after a record is tried on the ledger: forget what its bookings
 * are to have, learn it again. */
void rspb_licenses_forget(const struct rspb_ledger *ledger, const struct rspb_record *record);
void rspb_licenses_learn(const struct rspb_ledger *ledger, const struct rspb_record *record);
/* RET how many of those with this key are booked at a time within [start, end),
 * at most. */
int64_t rspb_licenses_peak(uint64_t key, int64_t start, int64_t end);
/* Whether any are; for the agent, who changes the book. */
bool rspb_licenses_any(void);

#endif
