/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers when so many nodes could be booked. A slot is no promise: another request may come
 * first. */
#include "plugins/ctld/serve/reads.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/conf/config.h"
#include "common/wire/json.h"
#include "common/wire/texts.h"
#include "plugins/compat/limit/quota.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/no_show.h"
#include "plugins/ctld/book/occupancy.h"
#include "plugins/ctld/request/ask.h"

enum { USUALLY_AHEAD_S = 7 * 86400, USUALLY_MOST = 20 };

/* The search: what is looked for, and where. */
struct hunt {
	struct rspb_config config;
	const struct rspb_picture *picture;
	struct rspb_nodeset *eligible; /* owned */
	struct rspb_eligible_gpus gpus;
	struct rspb_ledger *basis; /* owned */
	const struct rspb_profile *calendar;
	struct rspb_profile *parts; /* owned: that, where parts are looked for */
	struct rspb_booking *draft; /* owned: one that would be made */
	struct rspb_rect *rects;    /* owned */
	int64_t n_rects;
	int64_t now, last; /* latest end */
	size_t most;
	json_object *list;
	int64_t from, until; /* of the range that grows; until 0: none */
	uint32_t free;	     /* at its first */
	bool hides;	     /* Slurm would not show nodes or partitions to who asks */
};

/* Let the Rules for this user and partition count. The settings are copied, as space goes out of
 * scope and the limits are changed below. Account and QOS are not known: the later request may name
 * them. */
static void take_rules(struct hunt *hunt, const struct rspb_request *request)
{
	struct rspb_config space;
	const struct rspb_config *config = rspb_limits_settings(&hunt->config, request, &space);

	if (config != &hunt->config)
		hunt->config = *config;
}

/* --- parts of nodes --------------------------------------------------------- */

/* Decide whether the question is about parts of nodes. CPUs and memory are; GPUs alone are asked of
 * whole nodes if no node is booked in parts. */
static bool asks_parts(const struct hunt *hunt, const struct rspb_inquiry *q)
{
	struct rspb_nodeset *lent;
	bool any;

	if (q->terms.cpus || q->terms.mem || !q->terms.gpus[0])
		return q->terms.cpus || q->terms.mem;
	lent = rspb_nodeset_clone(hunt->eligible);
	any = lent && rspb_book_lent_of(lent) && !rspb_nodeset_empty(lent);
	rspb_nodeset_destroy(lent);
	return any;
}

/* Return the number of cores that has as many CPUs on every node, and the fewest cores that a node
 * has. Nodes can differ in threads; the node with the fewest needs the most cores. */
static int64_t cores_of(const struct hunt *hunt, int64_t cpus, int64_t *fewest)
{
	const uint32_t *units = rspb_ledger_room(hunt->basis, RSPB_ROOM_CORES);
	const uint32_t *all = rspb_ledger_room(hunt->basis, RSPB_ROOM_CPUS);
	int64_t most = 1;

	*fewest = INT64_MAX;
	RSPB_NODESET_EACH (n, hunt->eligible) {
		int64_t cores = units ? units[n] / RSPB_SHARE_CORE : 0, threads;

		if (!cores)
			continue;
		threads = all && all[n] > cores ? all[n] / cores : 1;
		if ((cpus + threads - 1) / threads > most)
			most = (cpus + threads - 1) / threads;
		if (cores < *fewest)
			*fewest = cores;
	}
	return most;
}

static void add_need(struct rspb_part *part, const char *kind, int64_t amount)
{
	if (amount)
		part->quotas[part->n_quotas++] = (struct rspb_quota){
			.key = rspb_room_key(kind),
			.most = -1,
			.per_node = amount,
		};
}

/* Let the request ask for parts of nodes, and search in a calendar in which a node is free if that
 * part of it is. Only nodes that are lent in parts remain eligible. RET 0, or -1 with err. */
static int ask_parts(struct hunt *hunt, const struct rspb_inquiry *q, struct rspb_part *part,
		     struct rspb_err *err)
{
	int64_t cores, fewest;
	char typed[RSPB_ASK_TAG + 8];

	if (!rspb_book_lent_of(hunt->eligible) || rspb_nodeset_empty(hunt->eligible))
		return rspb_fail(err, "no node of that partition is booked in "
				      "parts");
	part->quotas = calloc(3, sizeof(*part->quotas));
	if (!part->quotas)
		return rspb_fail(err, "out of memory");
	add_need(part, RSPB_ROOM_MEMORY, q->terms.mem);
	add_need(part, "gpu", hunt->gpus.count);
	snprintf(typed, sizeof(typed), "gpu:%s", hunt->gpus.type);
	/* Nodes with one type alone have no count of that type. */
	if (hunt->gpus.type[0] && rspb_ledger_room(hunt->basis, rspb_room_key(typed)))
		add_need(part, typed, hunt->gpus.count);
	cores = cores_of(hunt, q->terms.cpus ? q->terms.cpus : 1, &fewest);
	part->share = cores * RSPB_SHARE_CORE;
	part->whole = (fewest > cores ? fewest : cores) * RSPB_SHARE_CORE;
	hunt->parts = rspb_ledger_for_part(hunt->basis, part, hunt->eligible);
	if (!hunt->parts)
		return rspb_fail(err, "out of memory");
	hunt->calendar = hunt->parts;
	return 0;
}

/* Keep the nodes that have so much of a kind. The error names numbers only if the caller may see
 * nodes. RET 0, -1 with err: there are too few. */
static int keep_large(struct hunt *hunt, const struct rspb_partition *where, const char *what,
		      uint64_t key, int64_t amount, int64_t nodes, struct rspb_err *err)
{
	const uint32_t *has = rspb_ledger_room(hunt->basis, key);
	uint32_t n = 0, most = 0;

	if (!amount || !has)
		return 0;
	RSPB_NODESET_EACH (i, hunt->eligible) {
		if (has[i] >= amount) {
			n++;
			continue;
		}
		most = has[i] > most ? has[i] : most;
		rspb_nodeset_remove(hunt->eligible, i);
	}
	if (n && n >= nodes)
		return 0;
	if (hunt->hides)
		return rspb_fail(err,
				 "partition %s does not have that many nodes with %" PRId64 " %s",
				 where->name, amount, what);
	if (n)
		return rspb_fail(err, "partition %s has only %u node%s with %" PRId64 " %s",
				 where->name, n, n == 1 ? "" : "s", amount, what);
	return rspb_fail(err,
			 "none of the requested nodes in partition %s has %" PRId64 " %s; the "
			 "most is %u",
			 where->name, amount, what, most);
}

/* RET how many nodes of a partition remain of a question with some of its wishes. */
static uint32_t count_with(const struct hunt *hunt, const struct rspb_partition *where,
			   const struct rspb_inquiry *q, const struct rspb_eligible_gpus *gpus)
{
	struct rspb_nodeset *nodes = rspb_nodeset_clone(where->nodes);
	uint32_t n = 0;

	if (nodes && !rspb_eligible_keep(q, hunt->picture, gpus, nodes, NULL))
		n = rspb_nodeset_count(nodes);
	rspb_nodeset_destroy(nodes);
	return n;
}

static int64_t most_gpus(const struct hunt *hunt, const struct rspb_partition *where)
{
	int64_t most = 0;

	RSPB_NODESET_EACH (n, where->nodes) {
		const struct rspb_node_class *class = rspb_node_class_of(&hunt->picture->classes,
									 n);
		int64_t has = class ? rspb_gres_gpus(class->gres, hunt->gpus.type) : 0;

		most = has > most ? has : most;
	}
	return most;
}

/* Write into err which condition leaves too few nodes: one alone, or all together. Each is tried
 * without the others, because the user can only change one if it is named. RET -1. */
static int tell_short(const struct hunt *hunt, const struct rspb_inquiry *q,
		      const struct rspb_partition *where, uint32_t left, struct rspb_err *err)
{
	const struct rspb_eligible_gpus none = { .count = 0 };
	struct rspb_inquiry part = *q;
	const char *kind = hunt->gpus.type, *colon = *kind ? " " : "";
	uint32_t n;

	part.terms.nodelist[0] = part.features[0] = '\0';
	n = count_with(hunt, where, &part, &hunt->gpus);
	if (hunt->gpus.count && !n)
		return rspb_fail(err,
				 "no node of partition %s has %" PRId64 "%s%s GPUs; the most is "
				 "%" PRId64,
				 where->name, hunt->gpus.count, colon, kind,
				 most_gpus(hunt, where));
	if (hunt->gpus.count && n < q->terms.nodes)
		return rspb_fail(err, "partition %s has only %u node%s with %" PRId64 "%s%s GPU%s",
				 where->name, n, n == 1 ? "" : "s", hunt->gpus.count, colon, kind,
				 hunt->gpus.count == 1 ? "" : "s");
	memcpy(part.features, q->features, sizeof(part.features));
	n = count_with(hunt, where, &part, &none);
	if (q->features[0] && !n)
		return rspb_fail(err, "no node of partition %s has the features %.100s",
				 where->name, q->features);
	if (q->features[0] && n < q->terms.nodes)
		return rspb_fail(err, "partition %s has only %u node%s with the features %.100s",
				 where->name, n, n == 1 ? "" : "s", q->features);
	if (!left)
		return rspb_fail(err,
				 "no node of partition %s has all of these names, features and "
				 "GPUs",
				 where->name);
	return rspb_fail(err, "partition %s has only %u node%s with these names, features and GPUs",
			 where->name, left, left == 1 ? "" : "s");
}

/* Keep the nodes that the conditions of the question allow. RET 0, or -1 with err: too few are
 * left. */
static int keep_eligible(struct hunt *hunt, const struct rspb_inquiry *q,
			 const struct rspb_partition *where, struct rspb_err *err)
{
	uint32_t left;

	if (rspb_eligible_keep(q, hunt->picture, &hunt->gpus, hunt->eligible, err) ||
	    keep_large(hunt, where, "CPUs", RSPB_ROOM_CPUS, q->terms.cpus, q->terms.nodes, err) ||
	    keep_large(hunt, where, "MiB of memory", rspb_room_key(RSPB_ROOM_MEMORY), q->terms.mem,
		       q->terms.nodes, err))
		return -1;
	left = rspb_nodeset_count(hunt->eligible);
	if (left && q->terms.nodes <= left)
		return 0;
	if (hunt->hides)
		return rspb_fail(err,
				 "partition %s does not have that many nodes with these names, "
				 "features and GPUs",
				 where->name);
	return tell_short(hunt, q, where, left, err);
}

/* --- starts ------------------------------------------------------------------ */

/* RET -1 with err: the partition accepts no requests, or nothing begins in it now. */
static int check_state(const struct rspb_partition *where, int64_t ready, int64_t now,
		       struct rspb_err *err)
{
	if (!where->state)
		return 0;
	if (strcmp(where->state, "DOWN"))
		return rspb_fail(err, "partition %s is %s and accepts no jobs", where->name,
				 where->state);
	if (ready > now)
		return 0;
	return rspb_fail(err,
			 "partition %s is DOWN and starts no jobs until an operator opens it; ask "
			 "with --begin about later times",
			 where->name);
}

/* Check the question and make the booking that would be tried at each start. The order matters: the
 * nodes are reduced before parts are formed of them, and the Rules need the partition's name. RET
 * 0, or -1 with err. */
static int begin(struct hunt *hunt, const struct rspb_inquiry *q, uint32_t uid,
		 struct rspb_err *err)
{
	struct rspb_request *request = rspb_request_create(1);
	const struct rspb_partition *where;
	int64_t ahead = hunt->config.horizon < USUALLY_AHEAD_S ? hunt->config.horizon
							       : USUALLY_AHEAD_S;
	int64_t first = hunt->now + hunt->config.min_notice;
	uint32_t all;

	where = rspb_picture_partition(hunt->picture, q->partition);
	if (!request || !where) {
		rspb_request_destroy(request);
		return rspb_fail(err, "there is no partition %s", q->partition);
	}
	all = rspb_nodeset_count(where->nodes);
	if (q->terms.nodes > all) {
		rspb_request_destroy(request);
		if (hunt->hides)
			return rspb_fail(err, "partition %s does not have that many nodes",
					 where->name);
		if (!all)
			return rspb_fail(err, "partition %s has no nodes", where->name);
		return rspb_fail(err, "partition %s has only %u node%s", where->name, all,
				 all == 1 ? "" : "s");
	}
	first = q->terms.ready > first ? q->terms.ready : first;
	hunt->eligible = rspb_nodeset_clone(where->nodes);
	if (!hunt->eligible || check_state(where, q->terms.ready, hunt->now, err) ||
	    rspb_eligible_read_gpus(q->terms.gpus, &hunt->gpus, err) ||
	    keep_eligible(hunt, q, where, err)) {
		rspb_request_destroy(request);
		return hunt->eligible ? -1 : rspb_fail(err, "out of memory");
	}
	hunt->last = q->terms.deadline ? q->terms.deadline : hunt->now + ahead + q->terms.duration;
	if (hunt->last > hunt->now + hunt->config.horizon)
		hunt->last = hunt->now + hunt->config.horizon;
	hunt->most = q->most ? (size_t) q->most : USUALLY_MOST;
	request->user = uid;
	rspb_request_label(request, NULL, NULL, where->name);
	request->ready = first;
	request->duration = q->terms.duration;
	request->deadline = request->ready + request->duration;
	request->parts[0].nodes = q->terms.nodes ? q->terms.nodes : 1;
	request->parts[0].nodes_min = request->parts[0].nodes;
	if ((asks_parts(hunt, q) && ask_parts(hunt, q, &request->parts[0], err)) ||
	    rspb_licensed_ask(hunt->picture, q->terms.licenses, &request->parts[0], err)) {
		rspb_request_destroy(request);
		return -1;
	}
	take_rules(hunt, request);
	hunt->draft = rspb_booking_create(request);
	rspb_request_destroy(request);
	if (!hunt->draft ||
	    rspb_booking_grant(hunt->draft, rspb_ledger_nodes(hunt->picture->ledger), err))
		return rspb_fail(err, "out of memory");
	return 0;
}

/* Check the limits that do not depend on the start, once. The user's sums are switched off
 * afterwards, so that allowed() does not count them for each start. RET 0, or -1 with err. */
static int check_limits(struct hunt *hunt, struct rspb_err *err)
{
	struct rspb_config config = hunt->config;
	struct rspb_booking *draft = hunt->draft;
	const struct rspb_request *request = draft->request;

	if (rspb_limits_request(request, &config, rspb_ledger_machine(hunt->picture->ledger),
				hunt->now, err) ||
	    rspb_no_show_check(request->user, hunt->now, err))
		return -1;
	/* How much is booked depends on the start, and is left to allowed(). */
	config.max_share_percent = 100;
	draft->decided_at = hunt->now;
	draft->start = request->ready;
	draft->end = request->deadline;
	rspb_nodeset_clear(draft->grants[0].nodes);
	rspb_nodeset_or(draft->grants[0].nodes, hunt->eligible);
	rspb_nodeset_keep_lowest(draft->grants[0].nodes, request->parts[0].nodes);
	draft->grants[0].share = request->parts[0].share;
	if (rspb_limits_grant(hunt->picture->ledger, draft,
			      rspb_no_show_held(request->user, hunt->now), &config, err))
		return -1;
	hunt->config.max_waiting_user = 0;
	hunt->config.max_ahead_user = 0;
	return 0;
}

/* Find the times at which enough nodes are free for the whole duration, and licenses are left. RET
 * 0, also if there is none; -1 with err. */
static int find_rects(struct hunt *hunt, struct rspb_err *err)
{
	const struct rspb_request *request = hunt->draft->request;
	const struct rspb_query query = {
		.ready = request->ready,
		.deadline = hunt->last,
		.duration = request->duration,
		.nodes = request->parts[0].nodes,
		.eligible = hunt->eligible,
		.open_end = RSPB_OPEN_DEADLINE_ONLY,
	};
	struct rspb_profile *licensed;

	if (hunt->last < request->ready + request->duration)
		return 0;
	licensed = rspb_licensed_calendar(hunt->calendar, hunt->basis, request, hunt->last);
	if (!licensed)
		return rspb_fail(err, "out of memory");
	hunt->n_rects = rspb_profile_candidates(licensed, &query, &hunt->rects, err);
	rspb_profile_destroy(licensed);
	return hunt->n_rects < 0 ? -1 : 0;
}

/* Write the range that has been growing, if any, unless the list is full. */
static void close_range(struct hunt *hunt)
{
	json_object *slot;

	if (!hunt->until || json_object_array_length(hunt->list) >= hunt->most)
		return;
	slot = json_object_new_object();
	rspb_json_put_int(slot, "from", hunt->from);
	rspb_json_put_int(slot, "until", hunt->until);
	if (!hunt->hides)
		rspb_json_put_int(slot, "free", hunt->free);
	json_object_array_add(hunt->list, slot);
	hunt->until = 0;
}

/* Check MaxBookedPercent for all starts in [from, until] at once: the booking is tried for the time
 * that any of them would take. */
static bool allowed(struct hunt *hunt, int64_t from, int64_t until)
{
	struct rspb_booking *draft = hunt->draft;

	draft->start = from;
	draft->end = until + draft->request->duration;
	return !rspb_limits_grant(hunt->picture->ledger, draft, (struct rspb_holding){ 0 },
				  &hunt->config, NULL);
}

/* Add the starts of a rectangle to the ranges. Its set of nodes is free until its end, so any start
 * fits up to the duration before that. Rectangles come by start, and overlapping ranges become
 * one. */
static void take_rect(struct hunt *hunt, const struct rspb_rect *rect)
{
	int64_t until = rect->right - hunt->draft->request->duration;

	if (until > hunt->last - hunt->draft->request->duration)
		until = hunt->last - hunt->draft->request->duration;
	/* If not the whole range is allowed, the first start may still be. */
	if (!allowed(hunt, rect->start, until))
		until = rect->start;
	if (!allowed(hunt, rect->start, until))
		return;
	if (hunt->until && rect->start > hunt->until)
		close_range(hunt);
	if (!hunt->until) {
		hunt->from = rect->start;
		hunt->free = rect->free;
		hunt->until = until;
	} else if (until > hunt->until) {
		hunt->until = until;
	}
}

/* limits: of this user, as they are before any of them was looked at. */
static int hunt_all(struct hunt *hunt, const struct rspb_inquiry *inquiry, uint32_t uid,
		    struct rspb_config *limits, struct rspb_err *err)
{
	if (begin(hunt, inquiry, uid, err))
		return -1;
	*limits = hunt->config;
	if (check_limits(hunt, err) || find_rects(hunt, err))
		return -1;
	for (int64_t i = 0; i < hunt->n_rects && json_object_array_length(hunt->list) < hunt->most;
	     i++)
		take_rect(hunt, &hunt->rects[i]);
	close_range(hunt);
	return 0;
}

/* RET the first start at which so many nodes may be booked, -1: there is none. */
static int64_t first_start(struct hunt *hunt, uint32_t nodes)
{
	struct rspb_part *part = &hunt->draft->request->parts[0];
	struct rspb_err err;
	int64_t start = -1;

	/* The draft of the slots is used again with another number of nodes. */
	part->nodes = part->nodes_min = nodes;
	free(hunt->rects);
	hunt->rects = NULL;
	hunt->n_rects = 0;
	if (check_limits(hunt, &err) || find_rects(hunt, &err))
		return -1;
	for (int64_t i = 0; i < hunt->n_rects && start < 0; i++)
		if (allowed(hunt, hunt->rects[i].start, hunt->rects[i].start))
			start = hunt->rects[i].start;
	return start;
}

static void add_lead(json_object *list, uint32_t nodes, int64_t seconds)
{
	json_object *lead = json_object_new_object();

	rspb_json_put_int(lead, "nodes", nodes);
	if (seconds >= 0)
		rspb_json_put_int(lead, "seconds", seconds);
	json_object_array_add(list, lead);
}

/* Add how far ahead this user must ask for one node, a quarter, half and all of the eligible
 * ones, within the site's limits and from the same begin on. */
static void add_leads(struct hunt *hunt, const struct rspb_config *limits, json_object *answer)
{
	json_object *list = json_object_new_array();
	uint32_t all = rspb_nodeset_count(hunt->eligible), last = 0;

	rspb_json_put(answer, "leads", list);
	hunt->last = hunt->now + limits->horizon;
	for (uint32_t part = 8; all && part; part /= 2) {
		uint32_t nodes = part == 8 ? 1 : all / part;
		int64_t start;

		if (nodes <= last)
			continue;
		last = nodes;
		/* check_limits() has changed the copy for the number before. */
		hunt->config = *limits;
		start = first_start(hunt, nodes);
		add_lead(list, nodes, start < 0 ? -1 : start - hunt->now);
	}
}

/* RET in how many seconds so many are free for that long, -1: not until then. */
static int64_t lead_of(const struct rspb_profile *calendar, const struct rspb_query *query)
{
	struct rspb_rect *rects = NULL;
	int64_t n = rspb_profile_candidates(calendar, query, &rects, NULL);
	int64_t lead = n > 0 ? rects[0].start - query->ready : -1;

	free(rects);
	return lead;
}

void rspb_slots_leads(const struct rspb_profile *calendar, uint32_t all,
		      const struct rspb_nodeset *eligible, int64_t now, int64_t duration,
		      int64_t horizon, json_object *to)
{
	struct rspb_query query = {
		.ready = now,
		.deadline = now + horizon,
		.duration = duration,
		.eligible = eligible,
		.open_end = RSPB_OPEN_DEADLINE_ONLY,
	};
	uint32_t most, fewest = 0;
	json_object *list = json_object_new_array();

	rspb_json_put(to, "leads", list);
	/* Nobody can use nodes that are down. */
	if (!rspb_profile_peak(calendar, now, query.deadline, &most, &fewest, NULL) && fewest < all)
		all -= fewest;
	if (eligible && rspb_nodeset_count(eligible) < all)
		all = rspb_nodeset_count(eligible);
	for (uint32_t part = 8; all && part; part /= 2) {
		uint32_t nodes = part == 8 ? 1 : all / part;
		int64_t seconds;

		if (nodes <= query.nodes)
			continue;
		query.nodes = nodes;
		seconds = lead_of(calendar, &query);
		add_lead(list, nodes, seconds);
	}
}

int rspb_slots_answer(const struct rspb_inquiry *inquiry, const struct rspb_caller_view *who,
		      const struct rspb_picture *picture, json_object *answer, struct rspb_err *err)
{
	struct hunt hunt = {
		.picture = picture,
		.now = picture->at,
		.hides = !who->sees_nodes || !who->sees_partitions,
	};
	struct rspb_config limits;
	int64_t at;
	int rc;

	/* The basis is a copy that other threads do not change. It can be of another node table
	 * than the picture, just after slurmctld has read slurm.conf again. */
	hunt.basis = rspb_published_get(&at, NULL);
	if (!hunt.basis || rspb_ledger_nodes(hunt.basis) != rspb_ledger_nodes(picture->ledger)) {
		rspb_ledger_destroy(hunt.basis);
		return rspb_fail(err, "slurmctld has just started and does not know yet what is "
				      "free; try again in a few seconds");
	}
	hunt.calendar = rspb_ledger_profile(hunt.basis);
	hunt.config = *rspb_settings_get();
	/* A mere question is always allowed. */
	hunt.config.mode = RSPB_MODE_BOOK;
	/* The list goes into the answer also after an error, which frees it. */
	hunt.list = json_object_new_array();
	rc = hunt_all(&hunt, inquiry, who->uid, &limits, err);
	rspb_json_put(answer, "slots", hunt.list);
	if (!rc && !hunt.hides)
		add_leads(&hunt, &limits, answer);
	free(hunt.rects);
	rspb_profile_destroy(hunt.parts);
	rspb_nodeset_destroy(hunt.eligible);
	rspb_booking_destroy(hunt.draft);
	rspb_ledger_destroy(hunt.basis);
	return rc;
}
