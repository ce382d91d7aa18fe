/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says in one sentence why a search has found no place. It searches for none itself. */
#include "common/plan/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "common/request/request.h"
#include "common/wire/texts.h"

enum { GRES_TEXT = 128 };

/* Add the generic resources of a part with cores. Other parts are described without them. */
static void add_devices(struct rspb_text *text, const struct rspb_part *part)
{
	char gres[GRES_TEXT];

	rspb_devices_print(part->quotas, part->whole ? part->n_quotas : 0, gres, sizeof(gres));
	rspb_text_add(text, *gres ? ", " : "");
	rspb_gres_add_words(gres, text);
}

/* Add in words what is short, from its name in a quota: "GPUs (a100) are". */
static void add_lacking(struct rspb_text *text, const char *name)
{
	if (!strcmp(name, "gpu"))
		rspb_text_add(text, "GPUs are");
	else if (!strncmp(name, "gpu:", 4))
		rspb_text_add(text, "GPUs (%s) are", name + 4);
	else
		rspb_text_add(text, "%s is", name);
}

/* Add what the request asks for: "6 nodes", "35% of each of 2 nodes". */
static void add_asked(struct rspb_text *text, const struct rspb_plan *plan)
{
	const struct rspb_part *part = plan->pieces[0].part;
	const char *kind = part->fixed ? "named " : "";

	/* A sentence with all parts would be too long. */
	if (plan->n > 1) {
		rspb_text_add(text, "%" PRIu32 " parts together", plan->n);
		return;
	}
	if (part->share) {
		rspb_part_add_units(part, part->share, text);
		add_devices(text, part);
		rspb_text_add(text, part->whole ? " on " : " of a CPU on ");
	}
	rspb_text_add(text, "%" PRIu32 " %snode%s", part->nodes, kind, part->nodes == 1 ? "" : "s");
	/* A user who would take less has to see that even that is not free. */
	if (plan->pieces[0].floor < plan->pieces[0].aim) {
		rspb_text_add(text, " (at least ");
		if (part->share)
			rspb_part_add_units(part, plan->pieces[0].floor, text);
		else
			rspb_text_add(text, "%" PRId64, plan->pieces[0].floor);
		rspb_text_add(text, ")");
	}
}

/* When the last start that is worth anything ends. */
static int64_t last_end(const struct rspb_request *request)
{
	return rspb_request_last(request) + request->duration;
}

static void add_window(struct rspb_text *text, const struct rspb_plan *plan, int64_t ready,
		       bool one_start)
{
	const struct rspb_request *request = plan->request;

	rspb_text_add(text, one_start ? " requested for " : " requested between ");
	rspb_text_add_time(text, ready);
	rspb_text_add(text, one_start ? " to " : " and ");
	rspb_text_add_time(text, one_start ? ready + request->duration : last_end(request));
}

/* RET the suitable nodes, in a set of the plan or the request. For named nodes the sentence
 * counts these alone. */
static const struct rspb_nodeset *possible(const struct rspb_plan *plan)
{
	const struct rspb_part *part = plan->pieces[0].part;
	const struct rspb_nodeset *eligible = part->fixed ? part->fixed
					      : part->share
						      ? part->eligible
						      : rspb_search_eligible(plan, plan->scratch);

	if (eligible)
		return eligible;
	rspb_nodeset_fill(plan->scratch);
	return plan->scratch;
}

/* Most nodes free at any start of the window that one part may have. */
static uint32_t most_free(struct rspb_plan *plan, int64_t ready, bool one_start)
{
	struct rspb_query query = {
		.ready = ready,
		.deadline = plan->request->clean_up +
			    (one_start ? ready + plan->request->duration : last_end(plan->request)),
		.duration = plan->request->duration + plan->request->clean_up,
		.nodes = 1,
		.eligible = possible(plan),
		.open_end = plan->policy->open_end,
	};
	struct rspb_rect *rects = NULL;
	int64_t n = rspb_profile_candidates(rspb_ledger_profile(plan->ledger), &query, &rects,
					    NULL);
	/* Without memory no start is counted, and the sentence says that none is free. */
	uint32_t most = 0;

	for (int64_t i = 0; i < n; i++)
		if (rects[i].free > most)
			most = rects[i].free;
	free(rects);
	return most;
}

/* How many of the possible nodes are out of service all the time. *all: how many are possible. */
static uint32_t count_down(const struct rspb_plan *plan, int64_t ready, uint32_t *all)
{
	const struct rspb_ledger *ledger = plan->ledger;
	const struct rspb_nodeset *nodes = possible(plan);
	struct rspb_nodeset *left = rspb_nodeset_clone(nodes);
	uint32_t down;

	*all = rspb_nodeset_count(nodes);
	for (size_t i = 0; left && i < rspb_ledger_blocks(ledger); i++) {
		int64_t start, end;
		bool beside;

		nodes = rspb_ledger_block_at(ledger, i, &start, &end, &beside);
		/* Only a block over the whole window counts, because its nodes are out of
		 * service at every start. */
		if (rspb_ledger_block_kind(ledger, i) == RSPB_BLOCK_DOWN && !beside &&
		    start <= ready && end >= last_end(plan->request))
			rspb_nodeset_minus(left, nodes);
	}
	down = left ? *all - rspb_nodeset_count(left) : 0;
	rspb_nodeset_destroy(left);
	return down;
}

/* Say how many of the possible nodes are free, and which part of the others is out of service. */
static void add_free_nodes(struct rspb_text *text, struct rspb_plan *plan, int64_t ready,
			   bool one_start)
{
	bool named = plan->pieces[0].part->fixed;
	uint32_t all, down = count_down(plan, ready, &all), most;

	/* Users can name other nodes if they know that theirs are out of service. */
	if (down && (named || down == all)) {
		if (down < all)
			rspb_text_add(text, ": %" PRIu32 " of them %s", down,
				      down == 1 ? "is" : "are");
		else if (all == 1)
			rspb_text_add(text, named ? ": it is" : ": the only suitable node is");
		else
			rspb_text_add(text,
				      named ? ": all of them are"
					    : ": all %" PRIu32 " suitable nodes are",
				      all);
		rspb_text_add(text, " down or drained");
		return;
	}
	most = most_free(plan, ready, one_start);
	if (most)
		rspb_text_add(text, ": %s%" PRIu32 " %s%s free%s", one_start ? "only " : "at most ",
			      most, named ? "of them " : "", most == 1 ? "is" : "are",
			      one_start ? " then" : " at any start");
	else if (all == 1)
		rspb_text_add(text, ": %s is not free%s", named ? "it" : "the only suitable node",
			      one_start ? " then" : " for so long at any start");
	else if (!all)
		rspb_text_add(text, ": no node is suitable");
	else if (named)
		rspb_text_add(text, ": none of them is free%s",
			      one_start ? " then" : " for so long at any start");
	else
		rspb_text_add(text, ": none of the %" PRIu32 " suitable nodes is free%s", all,
			      one_start ? " then" : " for so long at any start");
	if (down)
		rspb_text_add(text, ", and %" PRIu32 " %s down or drained", down,
			      down == 1 ? "is" : "are");
}

/* The amounts that the nodes of a request are able to give at its only start. */
struct most_given {
	int64_t most;	/* what one node gives */
	uint32_t nodes; /* how many give enough */
};

/* Whether two names are of one kind of devices: "gpu" and "gpu:a100" are. */
static bool is_same_kind(const char *a, const char *b)
{
	size_t len = strcspn(a, ":");

	return len == strcspn(b, ":") && !strncmp(a, b, len);
}

/* Look for the most that is free of a kind on the suitable nodes, beside others. Nodes that are
 * taken as a whole, or out of service, give nothing. A node with several types of devices counts
 * each type as well, and a node with one type has no bound for it. */
static struct most_given look_for_kind(struct rspb_plan *plan, const char *kind, int64_t ready)
{
	const struct rspb_ledger *ledger = plan->ledger;
	const struct rspb_part *part = plan->pieces[0].part;
	const size_t width = plan->width;
	int64_t *taken = malloc((3 * width + 1) * sizeof(*taken)), *left, *spare;
	struct most_given given = { 0, 0 };

	if (!taken)
		return given;
	left = taken + width;
	spare = left + width;
	for (uint32_t n = 0; n < width; n++)
		left[n] = spare[n] = INT64_MAX;
	for (uint32_t q = 0; q < part->n_quotas; q++) {
		const struct rspb_quota *quota = &part->quotas[q];
		const uint32_t *room = rspb_ledger_room(ledger, quota->key);

		if (!room || !is_same_kind(quota->name, kind) ||
		    rspb_ledger_taken(ledger, quota->key, ready, ready + plan->request->duration,
				      taken, NULL))
			continue;
		for (uint32_t n = 0; n < width; n++) {
			int64_t here = (int64_t) room[n] - taken[n];
			int64_t rest = here - rspb_ledger_takes(ledger, part, quota, room, n);

			left[n] = here < left[n] ? here : left[n];
			spare[n] = rest < spare[n] ? rest : spare[n];
		}
	}
	RSPB_NODESET_EACH (n, possible(plan)) {
		if (left[n] == INT64_MAX || !rspb_nodeset_has(plan->shareable, n) ||
		    plan->room[n] <= 0)
			continue;
		given.most = left[n] > given.most ? left[n] : given.most;
		given.nodes += spare[n] >= 0;
	}
	free(taken);
	return given;
}

/* Look for the most cores that are free on one of them. */
static struct most_given look_for_cores(struct rspb_plan *plan)
{
	const struct rspb_part *part = plan->pieces[0].part;
	struct most_given given = { 0, 0 };

	RSPB_NODESET_EACH (n, possible(plan)) {
		int64_t cores = rspb_nodeset_has(plan->shareable, n)
					? plan->room[n] / RSPB_SHARE_CORE
					: 0;

		given.most = cores > given.most ? cores : given.most;
		given.nodes += cores && plan->room[n] >= rspb_part_on(part, part->share, n);
	}
	return given;
}

/* Add where it is short: the most that one node gives, or how many nodes give enough. With several
 * starts each has its own numbers, and none is told. */
static void add_given(struct rspb_text *text, struct most_given given, const char *unit)
{
	if (given.nodes)
		rspb_text_add(text, "; %" PRIu32 " node%s enough", given.nodes,
			      given.nodes == 1 ? " has" : "s have");
	else
		rspb_text_add(text, "; the most on one node is %" PRId64 "%s", given.most, unit);
}

/* Say what was short. The order matters: the judge, switches and other resources explain more
 * than a number of free nodes, which may even be large enough. */
static void add_what_is_free(struct rspb_text *text, struct rspb_plan *plan, int64_t ready,
			     bool one_start)
{
	bool packed = plan->pieces[0].part->whole;
	/* The plan has what was free at the start that was tried last. */
	bool is_tried = one_start && plan->start == ready;

	if (plan->n > 1 && !plan->unsuited) {
		rspb_text_add(text, one_start ? ": they do not all fit then"
					      : ": they do not all fit at any one start");
		return;
	}
	if (plan->unsuited) {
		rspb_text_add(text,
			      one_start ? ": Slurm would not start the job on what is free then"
					: ": Slurm would not start the job on what is free at any "
					  "start");
		return;
	}
	if (plan->spread) {
		rspb_text_add(text, ": fewer are free on %" PRIu32 " switch%s %s",
			      plan->pieces[0].part->leaves,
			      plan->pieces[0].part->leaves == 1 ? "" : "es",
			      one_start ? "then" : "at any start");
		return;
	}
	if (plan->lacks) {
		rspb_text_add(text, ": not enough ");
		add_lacking(text, plan->lacks->name);
		rspb_text_add(text, " free beside other%s %s", packed ? "s" : " shares",
			      one_start ? "then" : "at any start");
		if (is_tried && packed)
			add_given(text, look_for_kind(plan, plan->lacks->name, ready),
				  strcmp(plan->lacks->name, RSPB_ROOM_MEMORY) ? "" : " MiB");
		return;
	}
	if (packed) {
		struct most_given given = is_tried ? look_for_cores(plan)
						   : (struct most_given){ 0, 0 };

		/* Enough nodes with free cores may not have them in one place, or for the judge. */
		if (given.nodes && given.nodes < plan->pieces[0].part->nodes) {
			rspb_text_add(text, ": only %" PRIu32 " node%s so many cores free then",
				      given.nodes, given.nodes == 1 ? " has" : "s have");
			return;
		}
		rspb_text_add(text, ": no node has so many cores free %s",
			      one_start ? "then" : "at any start");
		if (is_tried && !given.nodes)
			add_given(text, given, "");
		return;
	}
	if (plan->has_shares) {
		rspb_text_add(text, one_start ? ": not enough CPU share is free then"
					      : ": not enough CPU share is free at any start");
		return;
	}
	add_free_nodes(text, plan, ready, one_start);
	/* The number of free nodes alone could be enough. */
	if (plan->keep)
		rspb_text_add(text, ", and %" PRId64 " must stay free", plan->keep);
}

void rspb_search_reason(struct rspb_plan *plan, int64_t now, char reason[RSPB_ERR_TEXT])
{
	const struct rspb_request *request = plan->request;
	int64_t ready = rspb_request_first(request, now);
	struct rspb_text text = rspb_text_over(reason, RSPB_ERR_TEXT);
	bool one_start = rspb_search_one_start(plan, ready);

	/* No search was made at all in these two cases. */
	if (ready > rspb_request_last(request)) {
		rspb_text_add(&text, "%" PRId64 " seconds from ", request->duration);
		rspb_text_add_time(&text, ready);
		rspb_text_add(&text, request->benefit_time ? " on are worth nothing, because "
							     "they would end after "
							   : " on would end after the deadline ");
		rspb_text_add_time(&text, last_end(request));
		return;
	}
	if (plan->has_shares && !rspb_ledger_shares(plan->ledger)) {
		rspb_text_add(&text, "no CPU share can be booked here");
		return;
	}
	add_asked(&text, plan);
	add_window(&text, plan, ready, one_start);
	/* A limit explains more than nodes, of which enough may be free. */
	if (plan->excess.quota) {
		rspb_text_add(&text, ": ");
		rspb_excess_print(&plan->excess, &text);
		return;
	}
	add_what_is_free(&text, plan, ready, one_start);
}
