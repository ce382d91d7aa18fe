/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out what has happened to a booking by comparing two contracts. letters.c tells people. */
#include "plugins/ctld/post/letters.h"

#include <string.h>

#include "plugins/ctld/base/report.h"

/* Whether the owner has a booking in this state: it was decided, and is not over. */
static bool stands(enum rspb_state state)
{
	return state != RSPB_REQUESTED && !rspb_state_final(state);
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* Compare two contracts that are both in force. The order of the checks is that of importance
 * to the owner, because only one event is told. */
static enum rspb_letter_event compare(const struct rspb_contract *old,
				      const struct rspb_contract *new, int64_t now)
{
	bool here = old->start == new->start && old->end == new->end;

	/* Slurm has refused one of several changes, and this one is undone: it was not told yet. */
	if (begins(new->reason, RSPB_REASON_STAYS) && strcmp(old->reason, new->reason) != 0)
		return RSPB_LETTER_STAYS;
	if (new->nodes_granted < old->nodes_granted || new->share_granted < old->share_granted)
		return RSPB_LETTER_DEGRADED;
	if (here &&
	    (new->nodes_granted > old->nodes_granted || new->share_granted > old->share_granted))
		/* After an outage nodes may come back a few at a time. The owner hears of the
		 * outage once, and once that all is back. */
		return old->had && new->had ? RSPB_LETTER_NOTHING : RSPB_LETTER_GROWN;
	/* As long as the start may move, moves are expected. The owner is told when the start
	 * is fixed. */
	if (!here || strcmp(old->on, new->on) != 0)
		return old->firm_from > now && new->firm_from > now ? RSPB_LETTER_NOTHING
								    : RSPB_LETTER_MOVED;
	/* An offer that was held has been accepted for good. */
	if (old->held && !new->held)
		return RSPB_LETTER_BOOKED;
	/* Changes that a person made are answered where that person asked for them. */
	if (!new->reason[0] || !strcmp(old->reason, new->reason) ||
	    begins(new->reason, RSPB_REASON_BY_OWNER) ||
	    begins(new->reason, RSPB_REASON_BY_OPERATOR))
		return RSPB_LETTER_NOTHING;
	return RSPB_LETTER_WARNED;
}

enum rspb_letter_event rspb_letter_event(const struct rspb_contract *old,
					 const struct rspb_contract *new, int64_t now)
{
	/* A request for a booking that was released may be decided again later, and a request
	 * for offers alone is answered with these. The refusal of an offer is the answer to the
	 * user who accepts it. */
	if (new->state == RSPB_DECLINED)
		return rspb_state_final(old->state) || rspb_contract_of_offer(old) ||
				       new->terms.offers
			       ? RSPB_LETTER_NOTHING
			       : RSPB_LETTER_DECLINED;
	if (rspb_state_final(new->state))
		return stands(old->state) ? RSPB_LETTER_ENDED : RSPB_LETTER_NOTHING;
	if (new->state == RSPB_REQUESTED)
		return stands(old->state) ? RSPB_LETTER_LOST : RSPB_LETTER_NOTHING;
	if (!stands(old->state))
		return new->held ? RSPB_LETTER_HELD : RSPB_LETTER_BOOKED;
	/* Slurm itself mails the start of a job. */
	return old->state == new->state ? compare(old, new, now) : RSPB_LETTER_NOTHING;
}
