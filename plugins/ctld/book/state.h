/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state that this room keeps: its member of struct rspb_controller (controller.h). All zeros:
 * nothing yet, but for the settings of gaps. */
#ifndef RSPB_CTLD_BOOK_STATE_H
#define RSPB_CTLD_BOOK_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/calendar/profile.h"
#include "common/ledger/ledger.h"
#include "plugins/compat/node.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/book/occupancy.h"

enum { RSPB_GAP_LAST = 32 /* so many nodes are remembered */ };

/* How long nodes take for one sort of gap (gap.c). Any thread reads the value in force, in seconds;
 * the others belong to the agent. */
struct rspb_gap_learner {
	_Atomic int64_t in_force;
	int64_t *since; /* each node is busy with it, 0: it is not; owned */
	size_t room;
	struct {
		int64_t at, took;
	} last[RSPB_GAP_LAST];
	size_t n; /* ever; the i-th is at i % RSPB_GAP_LAST */
	int64_t setting;
};

/* A change of how many licenses of a key are booked, from a time on (licenses.c). */
struct rspb_licenses_step {
	uint64_t key;
	int64_t at, change;
};

enum { RSPB_NO_SHOW_LISTS = 1024 };

/* A job that was given nodes (placed.c). */
struct rspb_starts_note {
	uint32_t job, task; /* the array's number, if it is one of its tasks */
	bool of_array;
};

/* The jobs that have nodes (placed.c). Slurm's locks guard it: notes are made with the write
 * lock. */
struct rspb_placed_state {
	uint32_t *ids; /* owned */
	size_t n, room;
	size_t next;	 /* to be looked at */
	uint32_t starts; /* there were, when it was seen */
	bool known;	 /* and in order */
};

/* When booked licenses are needed, by key, then time. */
struct rspb_licenses_state {
	struct rspb_licenses_step *steps; /* owned */
	size_t n, room;
	/* How often a booked job has given back its licenses, and how many of these times the agent
	 * has seen whether it waits again. */
	uint32_t returned, seen;
};

struct rspb_book_state {
	/* Our plugins ask for every job whether anything is booked, far more often than that
	 * changes. Such questions are answered without the mutex, by these three. */
	atomic_int booked;
	atomic_bool colocates; /* regular jobs may be beside shares somewhere */
	atomic_bool lends;     /* bookings may have part of their nodes */

	/* Guards the book, up to the view: the agent changes it, threads in select read it. */
	pthread_mutex_t mutex;
	struct rspb_ledger *ledger; /* owned */
	uint8_t *dedicated;
	struct rspb_nodeset *lent;
	uint64_t table, version, freed;
	/* The answer of next_start, good while `from` is in [next_from, next_until). */
	int64_t *next;
	int64_t next_from, next_until;
	bool next_good;
	struct rspb_licenses_state licenses;
	/* A copy of the calendar, made on demand; NULL: none yet. */
	struct {
		struct rspb_profile *profile;
		uint64_t made; /* of which version of the book */
		bool shares;   /* some of it is of less than whole nodes */
	} view;

	/* Set before the agent starts, and then only read. */
	const struct rspb_book_listener *listener;
	const struct rspb_kind *const *kinds;
	const struct rspb_source *const *sources;

	/* The mutex guards the lists, to read them too: whoever walks one frees what is over.
	 * Nothing is called under it that could wait. */
	struct {
		pthread_mutex_t mutex;
		struct rspb_unused_window *lists[RSPB_NO_SHOW_LISTS];
	} unused;
	/* The mutex guards which one is the latest: the agent makes them, others look into one
	 * while they are counted as its users. */
	struct {
		pthread_mutex_t mutex;
		struct rspb_published *latest;
		atomic_uint_least64_t count;
	} published;
	/* Slurm's locks guard these two: notes are made with the write lock. */
	struct {
		struct rspb_starts_note items[RSPB_STARTS_MOST];
		atomic_uint n; /* the agent reads it without a lock, too */
	} starts;
	struct rspb_placed_state placed;

	/* The agent alone uses all that follows, but for gaps in force. */
	struct rspb_gap_learner gaps[RSPB_GAPS];
	struct rspb_node_look capacity_look; /* at the sizes of nodes */
	uint64_t count_most; /* of bookings of a reservation: what came before may be forgotten */
	/* The state of the nodes, good until Slurm stamps a change of one of them, so that not
	 * every plan looks at all nodes. */
	struct {
		struct rspb_nodeset *unusable; /* but for those that are rebooted */
		struct rspb_nodeset *rebooted, *silent;
		int64_t taken; /* second */
	} nodes;
	/* The collected reservations of others. */
	struct {
		struct rspb_occupancy occupancy;
		struct rspb_resv_seen_at seen;
		uint64_t version, edits; /* of the book, as of compat/resv.h */
		bool booked;		 /* some are bookings and left out */
		bool floats;		 /* one of them stays ahead of now */
	} others;
};

extern struct rspb_book_state *const rspb_book;
extern struct rspb_placed_state *const rspb_placed;
extern struct rspb_licenses_state *const rspb_licenses;

#endif
