/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the provisional answer at submission: what would be decided by what was known last. It
 * runs in the thread of a submission, with Slurm's read locks, on copies of its own. Therefore it
 * must be quick, and decides nothing. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/plan/schedule.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/book/occupancy.h"
#include "plugins/ctld/broker.h"
#include "plugins/ctld/decide/batch.h"
#include "plugins/ctld/request/ask.h"

/* The most bookings that are moved in the provisional plan. The agent, which holds no lock, may
 * move more. */
enum { ADVICE_SHIFTS = 16 };

/* RET the decision on a request, which is then booked in the ledger, too, or NULL with err. */
static struct rspb_booking *decide(struct rspb_ledger *ledger, const struct rspb_policy *policy,
				   const struct rspb_request *request, int64_t at,
				   struct rspb_err *err)
{
	const struct rspb_request *const one[] = { request };
	struct rspb_booking *booking = NULL;

	return rspb_schedule_batch(ledger, policy, one, 1, at, &booking, err) ? NULL : booking;
}

/* The same, for as many nodes as Slurm says. If the request may begin later, it gets a start at
 * which MaxBookedPercent has room. *took: some pick was refused, by Slurm or by that limit. */
static struct rspb_booking *decide_suited(struct rspb_ledger *ledger,
					  const struct rspb_ledger *book,
					  const struct rspb_config *config,
					  struct rspb_request *request,
					  const struct rspb_job *draft, int64_t at, bool *took,
					  struct rspb_err *err)
{
	struct rspb_policy policy = config->policy;
	struct rspb_booking *booking;
	int64_t from = rspb_request_first(request, at);
	struct rspb_suits suits;
	struct rspb_config space;

	policy.offer_horizon = config->horizon;
	policy.offer_notice = RSPB_OFFER_NOTICE_S;
	rspb_suits_init_draft(&suits, draft);
	if (request->ready < rspb_request_last(request))
		rspb_suits_within(&suits, book, rspb_limits_settings(config, request, &space));
	policy.judge = draft ? &suits.judge : NULL;
	/* Moves of other bookings are tried by decide_moving(), with a limit. */
	policy.shift = 0;
	booking = decide(ledger, &policy, request, at, err);
	/* The first decision leaves the ledger, which would refuse another one of the same job. */
	if (booking && suits.took &&
	    rspb_suits_count(&suits, request, ledger, from, from + request->duration) &&
	    (booking->state != RSPB_BOOKED || !rspb_ledger_cancel(ledger, request->id, at, NULL))) {
		rspb_booking_destroy(booking);
		booking = decide(ledger, &policy, request, at, err);
	}
	/* The limit is the reason that helps the user. */
	if (booking && booking->state != RSPB_BOOKED && suits.over.text[0])
		rspb_booking_say(booking, suits.over.text);
	*took = suits.took;
	rspb_suits_fini(&suits);
	return booking;
}

/* The same, with a few other bookings moved for it. The search is cut short, because the
 * submission waits and holds the locks of Slurm. RET NULL: it has no place either. */
static struct rspb_booking *decide_moving(struct rspb_ledger *ledger,
					  const struct rspb_config *config,
					  const struct rspb_request *request, int64_t at)
{
	struct rspb_policy policy = config->policy;
	struct rspb_booking *booking;

	if (!policy.shift)
		return NULL;
	policy.shift = ADVICE_SHIFTS;
	policy.forward = false;
	policy.repairs = 1;
	booking = decide(ledger, &policy, request, at, NULL);
	if (booking && booking->state == RSPB_BOOKED)
		return booking;
	rspb_booking_destroy(booking);
	return NULL;
}

/* The best of the decisions above, and one with preemptable jobs ended, if that is better. For the
 * last, Slurm is not asked once more, because that takes milliseconds. */
static struct rspb_booking *decide_best(struct rspb_ledger *ledger, const struct rspb_ledger *book,
					const struct rspb_config *config,
					struct rspb_request *request, const struct rspb_job *draft,
					int64_t at, struct rspb_err *err)
{
	bool took = false;
	struct rspb_booking *booking = decide_suited(ledger, book, config, request, draft, at,
						     &took, err);
	struct rspb_policy policy = config->policy;
	struct rspb_booking *other = NULL;
	struct rspb_ledger *view = NULL;

	policy.offer_horizon = config->horizon;
	policy.offer_notice = RSPB_OFFER_NOTICE_S;
	policy.shift = 0;
	/* If Slurm refuses the job itself, moving others does not help. */
	if (booking && booking->state != RSPB_BOOKED && !took &&
	    (other = decide_moving(ledger, config, request, at))) {
		rspb_booking_destroy(booking);
		return other;
	}
	if (!booking || !draft || !rspb_preempt_wanted(request, booking, at))
		return booking;
	/* The other plan is made without the first decision, which holds its nodes in the
	 * ledger. */
	if (booking->state != RSPB_BOOKED || !rspb_ledger_cancel(ledger, request->id, at, NULL))
		view = rspb_preempt_view_draft(book, ledger, draft, at);
	if (view)
		other = decide(view, &policy, request, at, NULL);
	if (other && rspb_preempt_better(other, booking)) {
		rspb_booking_destroy(booking);
		booking = other;
		other = NULL;
	}
	rspb_booking_destroy(other);
	rspb_ledger_destroy(view);
	return booking;
}

/* Plan the request and write the answer as a line to which more is added. *start is set only if it
 * would be booked. */
static enum rspb_advice judge(struct rspb_request *request, const struct rspb_job *draft,
			      struct rspb_ledger *ledger, const struct rspb_ledger *book,
			      int64_t at, const char *zone, char *text, size_t size, int64_t *start)
{
	struct rspb_booking *booking;
	enum rspb_advice advice = RSPB_ADVICE_ROOM;
	const struct rspb_config *config = rspb_settings_get();
	struct rspb_err err;

	/* Limits on bookings are judged last, by the book without other uses of nodes. */
	booking = decide_best(ledger, book, config, request, draft, at, &err);
	if (!booking) {
		snprintf(text, size, "booking unlikely: %s", err.text);
	} else if (booking->state == RSPB_BOOKED &&
		   rspb_limits_decision(book, booking, config, at, &err)) {
		snprintf(text, size, "booking unlikely: %s", err.text);
		advice = RSPB_ADVICE_LIMITS;
	} else {
		rspb_report_advice(booking, zone, text, size);
		if (booking->n_grants) {
			advice = RSPB_ADVICE_LIKELY;
			*start = booking->start;
		}
	}
	rspb_booking_destroy(booking);
	return advice;
}

enum rspb_advice rspb_broker_advise(struct rspb_request *request, const struct rspb_job *draft,
				    const char *zone, const char *then, char *text, size_t size,
				    int64_t *start)
{
	struct rspb_ledger *ledger, *book;
	enum rspb_advice advice;
	int64_t at;
	size_t n;

	*start = 0;
	/* These are copies, on which the plan can be made without any lock of ours. */
	ledger = rspb_published_get(&at, &book);
	if (!ledger)
		return RSPB_ADVICE_NONE;
	advice = judge(request, draft, ledger, book, at, zone, text, size, start);
	n = strlen(text);
	snprintf(text + n, size - n, " (as of %" PRId64 " s ago%s)", (int64_t) time(NULL) - at,
		 then);
	rspb_ledger_destroy(ledger);
	rspb_ledger_destroy(book);
	return advice;
}
