/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Works out what a job could have instead. Nothing is booked: rspb accept asks for an offer by
 * modify. */
#include "plugins/ctld/serve/owners.h"

#include <string.h>

#include "common/base/text.h"
#include "common/wire/json.h"
#include "plugins/compat/job.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/decide/basis.h"
#include "plugins/ctld/decide/batch.h"
#include "plugins/ctld/observe/finish.h"
#include "plugins/ctld/observe/intake.h"

/* Writes an offer as an answer has it. The search follows further below. */

enum { OFFER_TEXT = 64, FLAGS_TEXT = 160 };

/* Return what the offer would be charged if all of it were used, in node-seconds; 0: nothing. Parts
 * of nodes count by their weight. */
static int64_t price_of(const struct rspb_offer *offer, const struct rspb_request *asked,
			const struct rspb_config *config)
{
	struct rspb_config space;
	const struct rspb_part *part = &asked->parts[0];
	/* Floating point only reports here: no decision depends on a price that is shown. */
	double rate = rspb_charge_rate(asked, rspb_limits_settings(config, asked, &space));

	if (offer->tasks)
		rate *= (double) rspb_part_weighs(part, part->share) * (double) offer->tasks /
			(double) (rspb_part_whole(part) * part->tasks * part->nodes);
	if (offer->share)
		rate *= (double) rspb_part_weighs(part, offer->share) /
			(double) rspb_part_whole(part);
	return (int64_t) ((double) offer->nodes * (double) (offer->end - offer->start) * rate +
			  0.5);
}

/* Return the offer as an object, which is the caller's. The word and the flags are the two ways to
 * take it: rspb accept and a new submission. */
static json_object *offer_write(const struct rspb_offer *offer, const struct rspb_request *asked,
				const struct rspb_config *config)
{
	json_object *to = json_object_new_object();
	char word[OFFER_TEXT], flags[FLAGS_TEXT];
	struct rspb_text text = rspb_text_over(flags, sizeof(flags));
	struct rspb_text token = rspb_text_over(word, sizeof(word));
	int64_t price = price_of(offer, asked, config);

	rspb_offer_word(offer, asked, &token);
	rspb_offer_flags(offer, asked, &text);
	rspb_json_put_text(to, "offer", word);
	rspb_json_put_int(to, "start", offer->start);
	rspb_json_put_int(to, "end", offer->end);
	rspb_json_put_int(to, "nodes", offer->nodes);
	if (offer->tasks)
		rspb_json_put_int(to, "tasks", offer->tasks);
	if (offer->share)
		rspb_json_put_real(to, "share", (double) offer->share / 100, 6);
	rspb_json_put_real(to, "benefit", rspb_ratio_double(offer->benefit), 6);
	if (price)
		rspb_json_put_int(to, "price", price);
	if (asked->parts[0].n_tiers)
		rspb_json_put_real(to, "distance", (double) offer->distance / RSPB_PREFER_SCALE, 6);
	/* Skip the blank. */
	rspb_json_put_text(to, "flags", flags + 1);
	return to;
}

enum { LATER_TRIES = 8 }; /* ends of others that are tried */

/* The subject of the bargain. */
struct bargain {
	struct rspb_ask ask;
	uint64_t booked;	     /* the booking that it would replace, 0: none */
	int64_t longest;	     /* seconds that the partition allows, -1: any */
	struct rspb_preempt_who who; /* for whom others may make way */
};

static const char *or_null(const char *text)
{
	return *text ? text : NULL;
}

/* Return the longest time limit of a partition in seconds, -1: any. A partition that does not exist
 * any more allows nothing longer. */
static int64_t longest_in(const char *partition)
{
	const struct rspb_submission sub = { .partition = partition };
	struct rspb_submission_part part;

	return rspb_submission_part(&sub, &part, NULL) < 0 ? 0 : part.max_limit;
}

/* Read the request of a pending job. The caller holds the write lock, which reading a job's part of
 * its nodes needs. Offers for a booked job start from its booking, so that it can be exchanged for
 * another one. RET 0, or -1 with err. */
static int look_at_job(const struct rspb_work *work, const struct rspb_config *config, int64_t now,
		       struct bargain *bargain, struct rspb_err *err)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	uint64_t id = (uint64_t) work->inquiry.job;
	const struct rspb_booking *b = rspb_ledger_find(ledger, id);
	struct rspb_config space;
	struct rspb_job leader;

	/* The text is the same for jobs that do not exist and jobs of others, which the caller must
	 * not learn to tell apart. */
	if (!rspb_job_find((uint32_t) id, &leader) || leader.leader != id ||
	    leader.phase != RSPB_JOB_PENDING || !leader.contract ||
	    (leader.uid != work->who.uid && !work->who.privileged))
		return rspb_fail(err, "it does not request a booking, or is not yours");
	bargain->longest = longest_in(leader.partition);
	if (b && !rspb_state_final(b->state)) {
		bargain->booked = id;
		bargain->ask.request = rspb_request_clone(b->request);
		return bargain->ask.request ? 0 : rspb_fail(err, "out of memory");
	}
	if (rspb_intake_fill(&bargain->ask, &leader, rspb_ledger_nodes(ledger), config, now, err))
		return rspb_fail(err, "it cannot be read now; try again");
	if (bargain->ask.refusal.text[0])
		return rspb_fail(err, "%s", bargain->ask.refusal.text);
	return rspb_limits_forms(bargain->ask.request,
				 rspb_limits_settings(config, bargain->ask.request, &space),
				 rspb_node_count(), now)
		       ? rspb_fail(err, "out of memory")
		       : 0;
}

/* Read the request of a booking without a job, or of a request for one. Locks and results are those
 * of look_at_job(). */
static int look_group(const struct rspb_work *work, const struct rspb_config *config, int64_t now,
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
		return rspb_fail(err, "no such booking exists, or it is not yours");
	bargain->longest = longest_in(resv.partition);
	if (!group.booking) {
		if (rspb_operator_request(&resv, rspb_ledger_nodes(ledger), config, now, request,
					  err))
			return -1;
		/* The id is a new one, so that nothing in the ledger is taken for the request
		 * itself. */
		(*request)->id = rspb_reserved_new_id(ledger, resv.id);
		return 0;
	}
	bargain->booked = group.booking->request->id;
	*request = rspb_request_clone(group.booking->request);
	return *request ? 0 : rspb_fail(err, "out of memory");
}

/* Return the longest duration, by the partition and the site's limits for the request. The horizon
 * bounds it if neither does. */
static int64_t longest_of(const struct bargain *bargain, const struct rspb_config *config)
{
	struct rspb_config space;
	int64_t most = rspb_limits_settings(config, bargain->ask.request, &space)->max_duration;
	int64_t there = bargain->longest;

	if (there < 0)
		return most ? most : config->horizon;
	return most && most < there ? most : there;
}

/* Check an offer as a request of its own, with the checks of a submission, or of a change of the
 * booking (rspb_admit_request()): accepting it asks for just that. Without memory it is kept, and
 * judged when it is accepted. */
static bool may_ask(const struct rspb_config *config, const struct bargain *bargain,
		    const struct rspb_request *request, const struct rspb_offer *offer, int64_t now)
{
	const struct rspb_booking *old = bargain->booked ? rspb_ledger_find(rspb_book_ledger(),
									    bargain->booked)
							 : NULL;
	struct rspb_request *own = rspb_request_clone(request);
	struct rspb_config space, judged;
	bool may = true;

	/* Co-reservations and forms have several sizes, which one number does not describe. */
	if (own && own->n_parts == 1 && own->n_forms < 2) {
		own->parts[0].nodes = own->parts[0].nodes_min = (uint32_t) offer->nodes;
		own->ready = offer->start;
		own->duration = offer->end - offer->start;
		own->deadline = offer->end;
		judged = *rspb_limits_settings(config, own, &space);
		/* A mere question is always allowed. */
		judged.mode = RSPB_MODE_BOOK;
		if (old)
			rspb_admit_ease(old, own->ready, &judged);
		may = !rspb_limits_request(own, &judged, rspb_node_count(), now, NULL);
	}
	rspb_request_destroy(own);
	return may;
}

/* Check an offer against the limits on what is booked, with the checks of the decision. The limits
 * count nodes, whichever they are, so the lowest numbers stand for those that the decision would
 * take: of nodes that are free, as far as these go, since shares on one node count once. An offer
 * that cannot be judged is kept: the decision judges it again. */
static bool is_allowed(const struct rspb_ledger *book, const struct rspb_config *config,
		       const struct rspb_request *request, const struct rspb_offer *offer,
		       int64_t now)
{
	struct rspb_booking *b = rspb_booking_create(request);
	bool allowed = true;

	if (!b || request->n_parts > 1 || rspb_booking_grant(b, rspb_ledger_nodes(book), NULL) ||
	    offer->nodes > rspb_ledger_nodes(book))
		goto out;
	b->start = offer->start;
	b->end = offer->end;
	b->decided_at = now;
	b->grants[0].share = offer->share;
	if (rspb_profile_free_over(rspb_ledger_profile(book), b->start, b->end, b->grants[0].nodes,
				   NULL))
		goto out;
	for (uint32_t i = 0; rspb_nodeset_count(b->grants[0].nodes) < offer->nodes; i++)
		rspb_nodeset_add(b->grants[0].nodes, i);
	rspb_nodeset_keep_lowest(b->grants[0].nodes, offer->nodes);
	allowed = !rspb_limits_decision(book, b, config, now, NULL);
out:
	rspb_booking_destroy(b);
	return allowed;
}

/* Where offers are searched, and what decides whether the site allows them. */
struct market {
	const struct bargain *bargain;
	const struct rspb_config *config;
	int64_t now;
	struct rspb_ledger *basis, *book; /* without the booking itself */
	struct rspb_suits suits;
	const struct rspb_judge *judge; /* Slurm, of a job; NULL: of none */
	json_object *list;
	/* The earliest start of an offer of each kind so far; 0: there is none. */
	int64_t starts[RSPB_N_OFFERS];
};

/* Whether an offer is worth showing beside those of other forms of the same request, of whose kind
 * the earliest start is `had` (0: there is none). */
static bool is_new(const struct rspb_offer *offer, int64_t had)
{
	return !had || (offer->kind == RSPB_OFFER_LATER && offer->start < had);
}

/* Add the offers for a request to the list. An offer that the site's limits forbid is left out,
 * because accepting it would be refused. further: the list has those of another form of the
 * request already. RET 0, or -1 with err. */
static int look_for(struct market *market, const struct rspb_request *request, bool further,
		    struct rspb_err *err)
{
	int64_t had[RSPB_N_OFFERS];
	struct rspb_offer offers[RSPB_N_OFFERS];
	struct rspb_policy policy;
	int n;

	rspb_settings_policy(market->config, &policy);
	policy.judge = market->judge;
	n = rspb_offers_find(market->basis, &policy, request, market->now,
			     market->now + market->config->horizon,
			     longest_of(market->bargain, market->config), offers, err);
	memcpy(had, market->starts, sizeof(had));
	for (int i = 0; i < n; i++) {
		int64_t *start = &market->starts[offers[i].kind];

		if ((further && !is_new(&offers[i], had[offers[i].kind])) ||
		    !may_ask(market->config, market->bargain, request, &offers[i], market->now) ||
		    !is_allowed(market->book, market->config, request, &offers[i], market->now))
			continue;
		json_object_array_add(market->list,
				      offer_write(&offers[i], request, market->config));
		if (!*start || offers[i].start < *start)
			*start = offers[i].start;
	}
	return n < 0 ? -1 : 0;
}

/* Add offers for the other forms in which a decision tries the request, such as whole nodes where
 * parts do not fit. Slurm's answers are about one form, so each has a judge of its own. RET 0, or
 * -1 with err. */
static int look_further(struct market *market, struct bargain *bargain, struct rspb_err *err)
{
	const struct rspb_round round = {
		.basis = market->basis,
		.config = market->config,
		.table = rspb_book_table(),
		.now = market->now,
	};
	struct rspb_request *others[RSPB_RECOUNT_MOST];
	uint32_t n = 0;
	int rc = 0;

	if (market->judge)
		n = rspb_recount_others(&round, &bargain->ask, others);
	for (uint32_t i = 0; i < n; i++) {
		rspb_suits_fini(&market->suits);
		rspb_suits_init(&market->suits, others[i]->id, bargain->ask.jobs, round.table);
		rc = rc ? rc : look_for(market, others[i], true, err);
		rspb_request_destroy(others[i]);
	}
	/* Later starts are tried with the request itself, so that its judge is a new one, too. */
	if (n) {
		rspb_suits_fini(&market->suits);
		rspb_suits_init(&market->suits, bargain->ask.request->id, bargain->ask.jobs,
				round.table);
	}
	return rc;
}

/* Return the earliest end of a booking after a second; INT64_MAX: no booking ends after it. */
static int64_t next_end(const struct rspb_ledger *book, int64_t behind)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < rspb_ledger_count(book); i++) {
		const struct rspb_booking *b = rspb_ledger_at(book, i);

		if (!rspb_state_final(b->state) && b->end > behind && b->end < next)
			next = b->end;
	}
	return next;
}

/* Look for offers at later starts. Nodes may be free while MaxBookedPercent or a user's limit
 * allows no more; that can only change when a booking ends. The number of tries is bounded, because
 * each is a full search. */
static int look_later(struct market *market, const struct rspb_request *request,
		      struct rspb_err *err)
{
	struct rspb_request *later = rspb_request_clone(request);
	int rc = later ? 0 : rspb_fail(err, "out of memory");

	for (int i = 0; i < LATER_TRIES && !rc; i++) {
		int64_t at = next_end(market->book, later->ready);

		if (at > market->now + market->config->horizon ||
		    json_object_array_length(market->list))
			break;
		later->ready = at;
		later->deadline = at + later->duration;
		rc = look_for(market, later, false, err);
	}
	rspb_request_destroy(later);
	return rc;
}

/* Replace the basis by one in which jobs that would make way are not in the way. A batch plans in
 * the same manner, and a change of a booking does not. If none makes way, the basis stays. */
static void see_through(struct market *market)
{
	const struct bargain *bargain = market->bargain;
	struct rspb_preempt_who who = bargain->who;
	struct rspb_ledger *view;

	who.jobs = bargain->ask.jobs;
	who.n_jobs = bargain->ask.jobs ? bargain->ask.n_jobs : 0;
	view = bargain->booked ? NULL : rspb_preempt_view(market->basis, &who, market->now);
	if (!view)
		return;
	rspb_ledger_destroy(market->basis);
	market->basis = view;
}

/* Search offers on copies of the ledger. The agent's thread holds no lock here, but the judge takes
 * the write lock for each question to Slurm. RET the list, NULL with err. */
static json_object *find_offers(struct bargain *bargain, const struct rspb_config *config,
				int64_t now, struct rspb_err *err)
{
	const struct rspb_request *request = bargain->ask.request;
	struct market market = {
		.bargain = bargain,
		.config = config,
		.now = now,
		.basis = rspb_basis_make(config, now),
		.book = rspb_ledger_clone(rspb_book_ledger()),
		.list = json_object_new_array(),
	};
	int rc = -1;

	/* Slurm can judge places only for jobs that exist. A request that was not submitted is
	 * offered what is free. */
	if (bargain->ask.jobs && bargain->ask.n_jobs == request->n_parts) {
		rspb_suits_init(&market.suits, request->id, bargain->ask.jobs, rspb_book_table());
		market.judge = &market.suits.judge;
	}
	if (!market.basis || !market.book ||
	    (bargain->booked && (rspb_ledger_cancel(market.basis, bargain->booked, now, err) ||
				 rspb_ledger_cancel(market.book, bargain->booked, now, err))))
		rspb_fail(err, "the state of the cluster is not known yet; try again in a few "
			       "seconds");
	else if (rspb_holds_add(market.basis, &request, 1, now))
		rspb_fail(err, "the jobs could not be read");
	else
		rc = 0;
	if (!rc)
		see_through(&market);
	if (!rc)
		rc = look_for(&market, request, false, err);
	if (!rc)
		rc = look_further(&market, bargain, err);
	if (!rc)
		rc = look_later(&market, request, err);
	if (market.judge)
		rspb_suits_fini(&market.suits);
	rspb_ledger_destroy(market.basis);
	rspb_ledger_destroy(market.book);
	if (rc)
		json_object_put(market.list);
	return rc ? NULL : market.list;
}

/* Read the request that offers are searched for, under the write lock, and check the user's limits
 * without it. RET 0, or -1 with err, and work->kind. */
static int ask(struct rspb_work *work, const struct rspb_config *config, int64_t now,
	       struct bargain *bargain, struct rspb_err *err)
{
	bool named = work->inquiry.reservation[0];
	bool wish = !work->inquiry.job && !named;
	struct rspb_section section;
	int rc;

	work->kind = "not-ready";
	if (!rspb_book_ledger() || !rspb_section_enter(&section, RSPB_LOCK_WRITE, "offers"))
		return rspb_fail(err, "slurmctld is starting or shutting down; try again in a "
				      "few seconds");
	rc = wish    ? rspb_wish_read(work, config, now, &bargain->ask, &bargain->longest, err)
	     : named ? look_group(work, config, now, bargain, err)
		     : look_at_job(work, config, now, bargain, err);
	rspb_section_leave(&section);
	work->kind = wish ? "no" : "unknown";
	if (!rc && wish) {
		struct rspb_config judged = *config;

		/* A mere question is always allowed. */
		judged.mode = RSPB_MODE_BOOK;
		rc = rspb_wish_judge(&bargain->ask, &judged, now, err);
	}
	return rc;
}

void rspb_bargain_offers(struct rspb_work *work, const struct rspb_config *config, int64_t now)
{
	struct bargain bargain = { .who = { .user = work->who.uid,
					    .partition = or_null(work->inquiry.partition),
					    .account = or_null(work->inquiry.account),
					    .qos = or_null(work->inquiry.qos) } };
	struct rspb_err err;

	if (!ask(work, config, now, &bargain, &err))
		work->result = find_offers(&bargain, config, now, &err);
	work->done = work->result;
	/* A refusal names the job or reservation; a mere question has none. */
	if (!work->done && (work->inquiry.job || work->inquiry.reservation[0]))
		rspb_work_refuse(work, work->kind, err.text);
	else if (!work->done)
		work->err = err;
	rspb_ask_fini(&bargain.ask);
}
