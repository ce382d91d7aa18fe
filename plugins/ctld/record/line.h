/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A controller's journal as text: what it decided on and what became of its
 * ledger, so that rspb-sim decides the same again, or asks what another
 * policy would have decided. One JSON object a line, {"at":S,"KIND":...},
 * where S is the second the line was made in; rspb-sim(1), JOURNALS, has the
 * kinds. The ledger's own records (book, change, move, event, purge) and the
 * machine with what stands on it are enough to build the ledger anew, so a
 * journal that survives a crash can be this same text.
 *
 * Every function returns a line with its end, malloc'ed: the caller frees it;
 * NULL: out of memory.
 */
#ifndef RSPB_CTLD_RECORD_LINE_H
#define RSPB_CTLD_RECORD_LINE_H

#include <stdint.h>

#include <json-c/json.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "common/plan/schedule.h"
#include "common/policy/policy.h"

/* The machine a ledger is of, and all settings in force: policy is the one
 * that decides, which may be more than what config says. names: every node,
 * by its number, separated by commas (NULL: they have none). */
char *rspb_line_machine(int64_t at, const struct rspb_ledger *ledger,
			const struct rspb_config *config, const struct rspb_policy *policy,
			const char *names);
/* A booking, as one of these kinds: "standing", it is in the ledger when the
 * journal begins, final ones too, since their ids are taken; "booking", what was
 * decided about one of the requests. */
char *rspb_line_booking(int64_t at, const char *kind, const struct rspb_booking *booking);
/* Nodes taken from outside, for the next decision only; beside: shares may be
 * booked on them all the same. */
char *rspb_line_block(int64_t at, int64_t start, int64_t end, bool beside,
		      const struct rspb_nodeset *nodes);
char *rspb_line_hold(int64_t at, const struct rspb_hold *hold);
char *rspb_line_request(int64_t at, const struct rspb_request *request);
/* The requests before it are decided at `now`, as if booking `without` (0:
 * all stand) had been cancelled. */
char *rspb_line_decide(int64_t at, int64_t now, uint64_t without);
/* RET the line of a decision without a request, on the blocks before it: another place for the
 * booking rescue->id, or growth of bookings that run or start before `before`. bookings[n]: all
 * that the ledger changes then. */
char *rspb_line_rescue(int64_t at, int64_t now, const struct rspb_rescue *rescue,
		       const struct rspb_booking *const *bookings, size_t n);
char *rspb_line_grow(int64_t at, int64_t now, int64_t before,
		     const struct rspb_booking *const *bookings, size_t n);
/* A change of the ledger; not RSPB_REC_ADVANCE. */
char *rspb_line_record(int64_t at, const struct rspb_record *record);
/* Time has gone on to `before`, and what ended before is forgotten. */
char *rspb_line_purge(int64_t at, int64_t before);
/* A request, granted or not looked at, that the site's limits refused. */
char *rspb_line_refuse(int64_t at, uint64_t id, const char *reason);
/* RET the line that says how many lines are missing here. */
char *rspb_line_gap(int64_t at, uint64_t lost, const char *why);

#endif
