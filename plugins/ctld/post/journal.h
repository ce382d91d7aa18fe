/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal (JournalFile in rspb.conf): what was decided on what, and every
 * change of the ledger, for rspb-sim journal. Notes are put into a bounded
 * queue and written by a thread of its own, so that no disk is waited for;
 * what finds no room, or can't be written, is left out, and said so in the log
 * and in the journal, which goes on with the whole state then.
 *
 * All of it is called by the agent's thread alone, but for stop(), which comes
 * when that is gone. What is called under Slurm's locks takes microseconds.
 */
#ifndef RSPB_CTLD_POST_JOURNAL_H
#define RSPB_CTLD_POST_JOURNAL_H

#include <stddef.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "common/plan/rescue.h"

/* Settings have been read: begin, end, or go on, in the file of that name by
 * now, with all that decides. */
void rspb_journal_configure(const struct rspb_config *config);
/* Write down the whole state if that is due: ledger (NULL: it is not known),
 * made for the node table of that fingerprint. No lock may be held; takes the
 * read lock. */
void rspb_journal_look(const struct rspb_config *config,
		       const struct rspb_ledger *ledger, uint64_t table);

/* The ledger has been replaced. */
void rspb_journal_reset(void);
/* The ledger has changed so. */
void rspb_journal_record(const struct rspb_record *record);
void rspb_journal_purge(int64_t before);
/* decisions[n] were made on basis at `now`, as if the booking `without` (0: all
 * stand) had been cancelled. */
void rspb_journal_batch(const struct rspb_ledger *basis, uint64_t without,
			int64_t now, struct rspb_booking *const *decisions,
			size_t n);
/* plan, a basis with what was decided at `now` without a request, is other than
 * the ledger. */
void rspb_journal_rescue(const struct rspb_ledger *ledger,
			 const struct rspb_ledger *plan,
			 const struct rspb_rescue *rescue, int64_t now);
void rspb_journal_growth(const struct rspb_ledger *ledger,
			 const struct rspb_ledger *plan, int64_t before,
			 int64_t now);
/* The site's limits refused a request. */
void rspb_journal_refuse(uint64_t id, const char *reason);

/* Write what waits, for two seconds at most, and end. */
void rspb_journal_stop(void);

#endif
