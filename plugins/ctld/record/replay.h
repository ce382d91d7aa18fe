/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes what rspb.journal holds beyond promises (JournalKeep in rspb.conf): each decision with
 * its basis, and every change of the ledger, for rspb-sim journal. The notes wait in a bounded
 * queue for the journal's own writer; a note that finds no room, or cannot be written, is left
 * out, and that is said in the log and in the journal, which goes on with the whole state then.
 * Nobody is told anything because of them, and nothing waits for them.
 *
 * For the agent's thread alone. What is called under Slurm's locks takes
 * microseconds.
 */
#ifndef RSPB_CTLD_RECORD_REPLAY_H
#define RSPB_CTLD_RECORD_REPLAY_H

#include <stddef.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "common/plan/schedule.h"

/* Settings have been read: begin, end, or go on with all that decides. */
void rspb_replay_configure(const struct rspb_config *config);
/* Have what waits written, and the whole state where the file does not have it:
 * ledger (NULL: it is not known), made for the node table of that fingerprint. No
 * lock may be held; takes the read lock. */
void rspb_replay_look(const struct rspb_config *config, const struct rspb_ledger *ledger,
		      uint64_t table);

/* The ledger has been replaced. */
void rspb_replay_reset(void);
/* The ledger has changed so. */
void rspb_replay_record(const struct rspb_record *record);
void rspb_replay_purge(int64_t before);
/* decisions[n] were made on basis at `now`, as if the booking `without` (0: all
 * stand) had been cancelled. */
void rspb_replay_batch(const struct rspb_ledger *basis, uint64_t without, int64_t now,
		       struct rspb_booking *const *decisions, size_t n);
/* plan, a basis with what was decided at `now` without a request, is other than
 * the ledger. */
void rspb_replay_rescue(const struct rspb_ledger *ledger, const struct rspb_ledger *plan,
			const struct rspb_rescue *rescue, int64_t now);
void rspb_replay_growth(const struct rspb_ledger *ledger, const struct rspb_ledger *plan,
			int64_t before, int64_t now);
/* The site's limits refused a request. */
void rspb_replay_refuse(uint64_t id, const char *reason);

#endif
