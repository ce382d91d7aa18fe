/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspb-sim journal: what is known while a journal is read. */
#ifndef RSPB_SIM_JOURNAL_JOURNAL_H
#define RSPB_SIM_JOURNAL_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "contrib/sim/jsonl/lines.h"
#include "contrib/sim/replay/sums.h"
#include "contrib/sim/report/options.h"

enum { JOURNAL_BATCH = 65536 };

/* A policy that decides again: the recorded one, or others that are asked for. */
struct contender {
	const char *name;
	struct rspb_policy policy;
	bool own_limits; /* config counts, not the recorded */
	struct rspb_config config;
	struct rspb_booking **decided; /* [JOURNAL_BATCH], owned */
	struct rspb_ledger *own;       /* --apart: what it has decided; else NULL */
	size_t different;
	struct sim_sums sums;
};

struct journal {
	struct sim_options options;
	/* The machine, as of its last line. */
	uint32_t nodes;
	char **names;		   /* [nodes], NULL: it has none */
	struct rspb_config config; /* settings as recorded */
	bool has_config;
	struct rspb_ledger *ledger; /* what was decided, as recorded */
	struct rspb_ledger *basis;  /* and what blocks it for the next
					 * decision; NULL: nothing does yet */
	/* The batch: asked, decided by us, as it was recorded. */
	struct rspb_request **requests; /* [JOURNAL_BATCH], owned */
	struct rspb_booking **recorded;
	size_t n, n_recorded;
	/* The decisions of earlier batches in the same second. */
	struct rspb_booking **earlier; /* [n_earlier], owned */
	size_t n_earlier, room_earlier;
	bool decided;
	uint64_t without;
	int64_t now;
	FILE *out;     /* what differs, shown when all is read */
	char *said;    /* in here */
	FILE *notices; /* NULL: stderr */
	size_t length;
	/* In sum. */
	bool asked; /* other policies than the recorded */
	struct contender *contenders;
	size_t n_contenders;
	struct sim_sums sums;
	size_t heads, promises[RSPB_N_STATES], broken;
	size_t decisions, moves, rescues, growths, machines, gaps, torn, cut, limited;
};

/* Lines of one kind. RET 0, or -1 with err that says where. */
typedef int journal_read_fn(struct journal *journal, const struct sim_record *record,
			    struct rspb_err *err);
journal_read_fn journal_machine, journal_standing, journal_change, journal_move, journal_event,
	journal_purge, journal_gap;
journal_read_fn journal_block, journal_hold, journal_request, journal_decide, journal_booking,
	journal_book, journal_refuse;
journal_read_fn journal_rescue, journal_grow;
/* Readers of the durable journal: promises are counted by their states. */
journal_read_fn journal_head, journal_promise, journal_kept;

/* Set up by the options, which are read. Call fini() in any case. RET 0 or -1 with err. */
int journal_init(struct journal *journal, struct rspb_err *err);
void journal_fini(struct journal *journal);
/* A whole journal, of which a line or two are held at a time; torn ones are
 * left out. path: for messages. RET 0, or -1 with err: it is not one. */
int journal_read(struct journal *journal, FILE *in, const char *path, struct rspb_err *err);

/* Forget the machine and all on it. */
void journal_forget(struct journal *journal);
/* RET 0, or -1 with err when there is no machine yet. */
int journal_want_machine(const struct journal *journal, const struct sim_record *record,
			 struct rspb_err *err);
/* The ledger has changed: what blocks it counts no more. */
void journal_drop_basis(struct journal *journal);
/* A booking of the machine, which there has to be. RET NULL with err. */
struct rspb_booking *journal_read_booking(const struct journal *journal,
					  const struct sim_record *record, struct rspb_err *err);
/* All of the array "bookings", into *list, which is owned by the caller, as they
 * are. RET 0; -1 with err, and n of them are there. */
int journal_read_bookings(const struct journal *journal, const struct sim_record *record,
			  struct rspb_booking ***list, size_t *n, struct rspb_err *err);
/* Book, change or move, with err that says where. */
int journal_apply(struct journal *journal, const struct sim_record *record,
		  enum rspb_record_kind kind, const struct rspb_booking *booking,
		  struct rspb_err *err);
/* Sum up the batch and forget it. cut: it may be incomplete, since whoever
 * wrote it was killed or its disk was full. RET 0, -1 with err: it is not
 * whole. */
int journal_batch_end(struct journal *journal, bool cut, const struct sim_record *record,
		      struct rspb_err *err);
void journal_batch_fini(struct journal *journal);
/* Forget what batches before this one have decided. */
void journal_drop_earlier(struct journal *journal);
/* See to it that journal->basis is there, for the next decision. RET 0 or -1
 * with err. */
int journal_want_basis(struct journal *journal, const struct sim_record *record,
		       struct rspb_err *err);
/* RET a clone of `from` as of journal->now, without the booking `without`, to
 * decide on; NULL with err. */
struct rspb_ledger *journal_ground(const struct journal *journal, const struct rspb_ledger *from,
				   struct rspb_err *err);
/* --apart (apart.c): ledgers of their own, as of journal->now. */
int journal_apart_go_on(struct journal *journal, struct rspb_err *err);
/* RET what this one decides on next, for the caller to destroy; NULL with err. */
struct rspb_ledger *journal_apart_ground(const struct journal *journal,
					 const struct contender *contender, struct rspb_err *err);
/* An event of a booking, before it is one of the recorded ledger. */
int journal_apart_event(struct journal *journal, const struct rspb_record *record,
			struct rspb_err *err);
/* Is it the same decision? What is said about it, and when, does not count. */
bool journal_same_decision(const struct rspb_booking *ours, const struct rspb_booking *theirs);
/* Note it if they are not the same decision; what is said about it, and when,
 * does not count. */
void journal_compare(struct journal *journal, struct contender *contender,
		     const struct sim_record *record, const struct rspb_booking *theirs,
		     const struct rspb_booking *ours);
/* A decision that is not as recorded. */
void journal_differs(struct journal *journal, struct contender *contender,
		     const struct sim_record *record, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* The command; argv[0] is its name. RET an exit status. */
int sim_journal_main(int argc, char **argv);

#endif
