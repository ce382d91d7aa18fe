/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/socket/bargain.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "common/plan/offers.h"
#include "plugins/compat/job.h"
#include "plugins/compat/submit/submission.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/decide/basis.h"
#include "plugins/ctld/decide/holds.h"
#include "plugins/ctld/jobs/intake.h"
#include "plugins/ctld/operators/group.h"
#include "plugins/ctld/operators/internal.h"
#include "plugins/ctld/requests/limits.h"
#include "plugins/ctld/socket/wish.h"

enum { OFFER_TEXT = 64, FLAGS_TEXT = 160 };

/* What is bargained about. */
struct bargain {
	struct rspb_ask ask;
	uint64_t booked; /* the booking that it would replace, 0: none */
	int64_t longest; /* seconds that the partition allows, -1: any */
};

static int64_t longest_in(const char *partition)
{
	const struct rspb_submission sub = { .partition = partition };
	struct rspb_submission_part part;

	return rspb_submission_part(&sub, &part, NULL) ? 0 : part.max_limit;
}

/* A job's, with the write lock. RET 0, or -1 with err. */
static int look(const struct rspb_work *work, const struct rspb_config *config,
		int64_t now, struct bargain *bargain, struct rspb_err *err)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	uint64_t id = (uint64_t) work->inquiry.job;
	const struct rspb_booking *b = rspb_ledger_find(ledger, id);
	struct rspb_job leader;

	if (!rspb_job_find((uint32_t) id, &leader) || leader.leader != id ||
	    leader.phase != RSPB_JOB_PENDING || !leader.contract ||
	    (leader.uid != work->who.uid && !work->who.privileged))
		return rspb_fail(err,
				 "it asks for no booking, or is not yours");
	bargain->longest = longest_in(leader.partition);
	if (b && !rspb_state_final(b->state)) {
		bargain->booked = id;
		bargain->ask.request = rspb_request_clone(b->request);
		return bargain->ask.request ? 0
					    : rspb_fail(err, "out of memory");
	}
	if (rspb_intake_fill(&bargain->ask, &leader, rspb_ledger_nodes(ledger),
			     config, now, err))
		return rspb_fail(err, "it cannot be looked at just now");
	if (!bargain->ask.refusal.text[0])
		return 0;
	return rspb_fail(err, "%s", bargain->ask.refusal.text);
}

/* "4@20261124T110000Z+3600": what accept takes back, as one word. */
static void offer_text(const struct rspb_offer *offer, char *buf, size_t size)
{
	struct rspb_text text = rspb_text_over(buf, size);
	time_t start = offer->start;
	char time[32];
	struct tm tm;

	if (offer->kind == RSPB_OFFER_LESS && offer->share)
		rspb_text_add_percent(&text, offer->share);
	else if (offer->kind >= RSPB_OFFER_LESS)
		rspb_text_add(&text, "%" PRId64, offer->nodes);
	strftime(time, sizeof(time), "%Y%m%dT%H%M%SZ", gmtime_r(&start, &tm));
	rspb_text_add(&text, "@%s+%" PRId64, time, offer->end - offer->start);
}

static void add_number(json_object *to, const char *key, int64_t number)
{
	json_object_object_add(to, key, json_object_new_int64(number));
}

static json_object *write_offer(const struct rspb_offer *offer,
				const struct rspb_request *asked)
{
	json_object *to = json_object_new_object();
	char word[OFFER_TEXT], flags[FLAGS_TEXT], number[32];
	struct rspb_text text = rspb_text_over(flags, sizeof(flags));
	double benefit = rspb_ratio_double(offer->benefit);

	offer_text(offer, word, sizeof(word));
	rspb_offer_flags(offer, asked, &text);
	json_object_object_add(to, "offer", json_object_new_string(word));
	add_number(to, "start", offer->start);
	add_number(to, "end", offer->end);
	add_number(to, "nodes", offer->nodes);
	snprintf(number, sizeof(number), "%g", (double) offer->share / 100);
	if (offer->share)
		json_object_object_add(
			to, "share",
			json_object_new_double_s((double) offer->share / 100,
						 number));
	snprintf(number, sizeof(number), "%.6g", benefit);
	json_object_object_add(to, "benefit",
			       json_object_new_double_s(benefit, number));
	/* Behind the blank. */
	json_object_object_add(to, "flags", json_object_new_string(flags + 1));
	return to;
}

/* That of a booking without a job, or of a request for one. The same. */
static int look_group(const struct rspb_work *work,
		      const struct rspb_config *config, int64_t now,
		      struct bargain *bargain, struct rspb_err *err)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	const char *name = work->inquiry.reservation;
	struct rspb_request **request = &bargain->ask.request;
	struct rspb_group group;
	struct rspb_resv resv;

	if (!rspb_group_find(name, now, &group) ||
	    (group.owner != work->who.uid && !work->who.privileged) ||
	    !rspb_resv_find(name, now, &resv))
		return rspb_fail(err, "it is none, or not yours");
	bargain->longest = longest_in(resv.partition);
	if (!group.booking) {
		if (rspb_operator_request(&resv, rspb_ledger_nodes(ledger),
					  config, now, request, err))
			return -1;
		(*request)->id = rspb_operator_new_id(ledger, resv.id);
		return 0;
	}
	bargain->booked = group.booking->request->id;
	*request = rspb_request_clone(group.booking->request);
	return *request ? 0 : rspb_fail(err, "out of memory");
}

/* How long it may be, by its partition and the site's limits for it. */
static int64_t longest_of(const struct bargain *bargain,
			  const struct rspb_config *config)
{
	struct rspb_config space;
	int64_t most = rspb_limits_settings(config, bargain->ask.request,
					    &space)
			       ->max_duration;
	int64_t there = bargain->longest;

	if (there < 0)
		return most ? most : config->horizon;
	return most && most < there ? most : there;
}

/* RET the list, NULL with err. */
static json_object *find(struct bargain *bargain,
			 const struct rspb_config *config, int64_t now,
			 struct rspb_err *err)
{
	const struct rspb_request *request = bargain->ask.request;
	const struct rspb_record cancel = { .kind = RSPB_REC_EVENT,
					    .time = now,
					    .id = bargain->booked,
					    .event = RSPB_EV_CANCEL };
	struct rspb_ledger *basis = rspb_basis_make(config, now);
	struct rspb_offer offers[RSPB_N_OFFERS];
	struct rspb_policy policy;
	json_object *list = NULL;
	int n = -1;

	rspb_settings_policy(config, &policy);
	if (!basis ||
	    (bargain->booked && rspb_ledger_apply(basis, &cancel, err)))
		rspb_fail(err, "there is no snapshot of the cluster");
	else if (rspb_holds_add(basis, &request, 1, now))
		rspb_fail(err, "the jobs could not be looked at");
	else
		n = rspb_offers_find(basis, &policy, request, now,
				     now + config->horizon,
				     longest_of(bargain, config), offers, err);
	rspb_ledger_destroy(basis);
	if (n < 0)
		return NULL;
	list = json_object_new_array();
	for (int i = 0; i < n; i++)
		json_object_array_add(list, write_offer(&offers[i], request));
	return list;
}

/* RET 0, or -1 with err, and work->kind. */
static int ask(struct rspb_work *work, const struct rspb_config *config,
	       int64_t now, struct bargain *bargain, struct rspb_err *err)
{
	bool named = work->inquiry.reservation[0];
	bool wish = !work->inquiry.job && !named;
	struct rspb_section section;
	int rc;

	work->kind = "not-ready";
	if (!rspb_book_ledger() ||
	    !rspb_section_enter(&section, RSPB_LOCK_WRITE, "offers"))
		return rspb_fail(err, "slurmctld has just begun, or ends");
	rc = wish    ? rspb_wish_read(work, config, now, &bargain->ask,
				      &bargain->longest, err)
	     : named ? look_group(work, config, now, bargain, err)
		     : look(work, config, now, bargain, err);
	rspb_section_leave(&section);
	work->kind = wish ? "no" : "unknown";
	if (!rc && wish)
		rc = rspb_wish_judge(&bargain->ask, config, now, err);
	return rc;
}

void rspb_bargain_offers(struct rspb_work *work,
			 const struct rspb_config *config, int64_t now)
{
	struct bargain bargain = { .booked = 0 };
	struct rspb_err err;

	if (!ask(work, config, now, &bargain, &err))
		work->result = find(&bargain, config, now, &err);
	work->done = work->result;
	if (!work->done && !work->inquiry.duration)
		rspb_work_refuse(work, work->kind, err.text);
	else if (!work->done)
		work->err = err;
	rspb_ask_fini(&bargain.ask);
}
