/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers the question of the select plugin about a regular job: the answer of the stock plugin,
 * without booked nodes. It books nothing. */
#include "plugins/select/place.h"

#include <stdlib.h>

#include "common/base/times.h"
#include "common/calendar/profile.h"
#include "common/policy/policy.h"
#include "plugins/compat/colocate_call.h"
#include "plugins/compat/limit/quota.h"
#include "plugins/compat/node.h"
#include "plugins/compat/parts/cores_call.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/occupancy.h"
#include "plugins/ctld/watch/watch.h"

/* Keeps regular jobs from licenses that are booked while they may run. It counts none itself. */

/* Whether bookings within [start, end) leave as many licenses as the job wants. Licenses in use
 * now count if the job would start now; for later starts Slurm keeps count of them. */
static bool place_licenses(const struct rspb_quotas *wanted, int64_t start, int64_t end,
			   int64_t now)
{
	int64_t used, most;

	for (size_t i = 0; i < wanted->n; i++) {
		const struct rspb_quota *want = &wanted->items[i];
		int64_t booked = rspb_book_license(want->key, start, end);

		if (booked == INT64_MAX)
			return false;
		if (booked && rspb_license_now(want->key, &used, &most) &&
		    want->use + booked + (start > now ? 0 : used) > most)
			return false;
	}
	return true;
}

bool rspb_place_licensed(const struct rspb_select_call *call, int64_t now)
{
	int64_t seconds = rspb_select_call_seconds(call);
	struct rspb_quotas wanted = { .n = 0 };
	bool enough;

	rspb_select_call_licenses(call, &wanted);
	enough = place_licenses(&wanted, now, seconds < 0 ? RSPB_TIME_MAX : now + seconds, now);
	free(wanted.items);
	return enough;
}

enum {
	LATER_STARTS = 3, /* further starts tried when asked for "when" */
	TIGHT_TRIES = 3,  /* sets of nodes tried before the full one */
	LONG_STEP = 86400 /* between starts of jobs without a limit */
};

/* The data for answering one question. */
struct place {
	const struct rspb_select_ops *stock;
	struct rspb_select_call own;	     /* Slurm's, but for the cores to avoid */
	const struct rspb_select_call *call; /* own */
	rspb_release_exclusion *avoid;	     /* what Slurm wants avoided itself */
	int64_t now;
	int64_t seconds;	      /* -1: no limit */
	struct rspb_quotas licenses;  /* that the job wants */
	struct rspb_nodeset *offered; /* what Slurm offers */
	struct rspb_nodeset *booked;  /* held by bookings */
	/* The nodes where shares are booked, of those not held: at the start examined last, and
	 * when the stock plugin was asked. */
	struct rspb_nodeset *beside, *kept;
	struct rspb_parts parts;     /* what bookings of parts keep then */
	struct rspb_quotas takes;    /* what the job takes beside these */
	bitstr_t *spared;	     /* the cores that it leaves to them; NULL: none */
	uint32_t *ranks;	     /* of each node (node.h), when it can start */
	uint8_t *dedicated;	     /* of each node; NULL: nothing beside */
	struct rspb_nodeset *open;   /* offered, not booked */
	struct rspb_nodeset *chosen; /* the answer */
	bool in_the_way;	     /* some of those offered are booked, begun now */
};

/* Make room for what bookings of parts of nodes keep, if the site has such. RET false: out of
 * memory. */
static bool parts_init(struct place *place, uint32_t width)
{
	rspb_cores_call_takes(place->call, &place->takes);
	return rspb_parts_init(&place->parts, width, &place->takes);
}

/* RET false: out of memory. The stock plugin then answers alone, and place_fini() frees what there
 * is. */
static bool place_init(struct place *place, const struct rspb_select_ops *stock,
		       const struct rspb_select_call *call, int64_t now)
{
	uint32_t width = rspb_select_call_width(call);

	place->stock = stock;
	place->own = *call;
	place->call = &place->own;
	place->avoid = call->exclusion;
	place->now = now;
	place->seconds = rspb_select_call_seconds(call);
	place->offered = rspb_nodeset_create(width);
	place->booked = rspb_nodeset_create(width);
	place->open = rspb_nodeset_create(width);
	place->chosen = rspb_nodeset_create(width);
	place->beside = rspb_nodeset_create(width);
	place->kept = rspb_nodeset_create(width);
	if (!place->offered || !place->booked || !place->open || !place->chosen || !place->beside ||
	    !place->kept)
		return false;
	rspb_select_call_licenses(call, &place->licenses);
	if (rspb_book_lends() && rspb_cores_call_beside(call) && !parts_init(place, width))
		return false;
	if (rspb_book_colocates() && rspb_colocate_asks(call))
		place->dedicated = malloc(width + 1);
	rspb_select_call_take(call, place->offered);
	return true;
}

/* Give the call back the cores that Slurm itself wants avoided, and drop ours. */
static void avoid_reset(struct place *place)
{
	if (place->own.exclusion != place->avoid)
		rspb_colocate_drop(place->own.exclusion);
	place->own.exclusion = place->avoid;
}

static void place_fini(struct place *place)
{
	avoid_reset(place);
	rspb_colocate_forget(&place->spared);
	rspb_parts_fini(&place->parts);
	free(place->takes.items);
	free(place->licenses.items);
	free(place->dedicated);
	free(place->ranks);
	rspb_nodeset_destroy(place->beside);
	rspb_nodeset_destroy(place->kept);
	rspb_nodeset_destroy(place->offered);
	rspb_nodeset_destroy(place->booked);
	rspb_nodeset_destroy(place->open);
	rspb_nodeset_destroy(place->chosen);
}

/* Take nodes where only shares are booked out of the booked ones. The job may run beside shares if
 * it leaves the cores and the part of the memory that are kept for them. */
static void find_beside(struct place *place, int64_t start, int64_t end)
{
	struct rspb_nodeset *brief = place->chosen;

	rspb_nodeset_clear(place->beside);
	if (!place->dedicated || !rspb_book_beside(start, end, place->beside, place->dedicated))
		return;
	rspb_nodeset_and(place->beside, place->offered);
	if (rspb_nodeset_empty(place->beside))
		return;
	rspb_colocate_short(place->call, place->beside, place->dedicated,
			    start <= place->now ? rspb_placed_each : NULL, brief);
	rspb_nodeset_minus(place->beside, brief);
	rspb_nodeset_minus(place->booked, place->beside);
}

/* Take nodes where only parts are booked out of the booked ones, if they have room for the job
 * beside these. The cores to spare are in place->spared. */
static void find_parts(struct place *place, int64_t start, int64_t end)
{
	struct rspb_nodeset *full = place->chosen;

	rspb_colocate_forget(&place->spared);
	if (!place->parts.nodes || !rspb_book_parts(start, end, &place->parts))
		return;
	rspb_nodeset_and(place->parts.nodes, place->offered);
	if (rspb_nodeset_empty(place->parts.nodes))
		return;
	rspb_nodeset_clear(full);
	place->spared = rspb_cores_call_keep(place->call, rspb_placed_each, &place->parts,
					     &place->takes, start, end, full);
	rspb_nodeset_minus(place->parts.nodes, full);
	rspb_nodeset_minus(place->booked, place->parts.nodes);
}

/* Find the nodes held while the job would run from `start` on, without place->beside. If it lacks
 * licenses, all nodes count as booked. RET false: the book does not know, and the stock plugin is
 * to answer alone. */
static bool find_booked(struct place *place, int64_t start)
{
	int64_t end = place->seconds < 0 ? RSPB_TIME_MAX
					 : start + place->seconds + rspb_gap_whole();

	if (!rspb_book_booked(start, end, place->booked))
		return false;
	find_beside(place, start, end);
	find_parts(place, start, end);
	if (start <= place->now)
		place->in_the_way = !rspb_nodeset_disjoint(place->offered, place->booked);
	if (!place_licenses(&place->licenses, start, end, place->now)) {
		rspb_nodeset_copy(place->booked, place->offered);
		rspb_nodeset_clear(place->beside);
	}
	return true;
}

/* Ask the stock plugin about the nodes that are open for a start at `start`, with the cores to
 * spare excluded. RET as it says. */
static int ask_open(struct place *place, int64_t start)
{
	bool later = start > place->now;

	rspb_nodeset_copy(place->open, place->offered);
	rspb_nodeset_minus(place->open, place->booked);
	/* Too few nodes are known without the stock plugin, whose answer is expensive. */
	if (rspb_nodeset_count(place->open) < place->call->min_nodes)
		return ESLURM_NODES_BUSY;
	rspb_nodeset_copy(place->kept, place->beside);
	avoid_reset(place);
	if (place->spared || (place->dedicated && (later || !rspb_nodeset_empty(place->kept))))
		place->own.exclusion = rspb_colocate_keep(place->call, place->kept,
							  place->dedicated, place->spared, later);
	rspb_select_call_put(place->call, place->open);
	return rspb_select_ask(place->stock, place->call);
}

/* Whether an answer to "when" holds: no chosen node is booked then, and where
 * shares or parts are, their cores were avoided. told: the cores of parts that were. */
static bool answer_holds(struct place *place, int64_t start, const bitstr_t *told)
{
	if (!find_booked(place, start))
		return true;
	rspb_select_call_take(place->call, place->chosen);
	/* A node that is not booked for the whole time is booked for this answer. */
	rspb_cores_call_untold(place->spared, told, place->chosen, place->booked);
	rspb_nodeset_minus(place->beside, place->kept);
	return rspb_nodeset_disjoint(place->chosen, place->booked) &&
	       rspb_nodeset_disjoint(place->chosen, place->beside);
}

/*
 * The answer to "when" for starts from `from` on. RET SLURM_SUCCESS with the
 * start in the job, or why not.
 */
static int when_from(struct place *place, int64_t from)
{
	bitstr_t *told;
	int64_t start;
	bool holds;
	int rc;

	if (!find_booked(place, from))
		return rspb_select_ask(place->stock, place->call);
	rc = ask_open(place, from);
	if (rc != SLURM_SUCCESS)
		return rc;
	start = rspb_select_call_start(place->call);
	/* The stock plugin is not told of `from`, and its nodes may be free before. */
	if (start < from)
		start = from;
	told = place->spared;
	place->spared = NULL;
	holds = start <= place->now || answer_holds(place, start, told);
	rspb_colocate_forget(&told);
	if (!holds)
		return SLURM_ERROR;
	rspb_select_call_set_start(place->call, start);
	return SLURM_SUCCESS;
}

/* The `i`th start to try after a start that failed. The backfill scheduler plans only as far ahead
 * as bf_window. RET false: no other start is worth a try. */
static bool next_start(const struct place *place, int64_t first, int i, int64_t *start)
{
	int64_t step = place->seconds < 0 ? LONG_STEP : place->seconds;
	int64_t from = i ? first + (step << (i - 1)) : first;
	int64_t last = rspb_select_call_backfill() ? place->now + rspb_select_call_window()
						   : RSPB_TIME_MAX;

	*start = from;
	if (place->seconds < 0 || !place->call->min_nodes)
		return from <= last;
	return rspb_book_first(from, place->seconds + rspb_gap_whole(), place->call->min_nodes,
			       place->offered, start) &&
	       *start <= last;
}

/* Find a start, and leave it in the job. Only a few starts are tried, because Slurm holds its
 * locks meanwhile. */
static int place_when(struct place *place)
{
	int64_t first = rspb_select_call_begin(place->call, place->now), start;
	int rc = when_from(place, first);

	if (rspb_select_call_now_only(place->call))
		return rc;
	for (int i = 0; i < LATER_STARTS && rc != SLURM_SUCCESS; i++) {
		/* If no booking is in the way, later starts fail for the same reason. */
		if (rspb_nodeset_disjoint(place->offered, place->booked) &&
		    rspb_nodeset_empty(place->beside))
			break;
		if (!next_start(place, first, i, &start))
			break;
		rc = when_from(place, start);
	}
	return rc;
}

/* If the book does not know, the stock plugin answers alone. */
static int place_now(struct place *place)
{
	if (!find_booked(place, place->now))
		return rspb_select_ask(place->stock, place->call);
	return ask_open(place, place->now);
}

/* Whether two nodes are of the same value, to Slurm and to jobs that need more than this one
 * does. */
static bool are_alike(const struct place *place, uint32_t a, uint32_t b)
{
	return place->ranks[a] == place->ranks[b] &&
	       rspb_select_call_rank(a) == rspb_select_call_rank(b);
}

/* Put the nodes of `from` that are like this one into out. */
static void take_alike(const struct place *place, uint32_t like, const struct rspb_nodeset *from,
		       struct rspb_nodeset *out)
{
	rspb_nodeset_clear(out);
	RSPB_NODESET_EACH (n, from)
		if (are_alike(place, n, like))
			rspb_nodeset_add(out, n);
}

/*
 * Fill `tight` with the open nodes of the tightest gaps: of each sort of nodes that
 * Slurm chose, 2^doubled as many. RET false: out of memory.
 */
static bool pick_tight(struct place *place, const int64_t *gap_end, int doubled,
		       struct rspb_nodeset *tight)
{
	struct rspb_nodeset *rest = place->kept, *sort = place->beside;

	rspb_nodeset_copy(rest, place->chosen);
	rspb_nodeset_clear(tight);
	while (!rspb_nodeset_empty(rest)) {
		uint32_t like = rspb_nodeset_next(rest, 0);
		uint32_t needed;

		take_alike(place, like, rest, sort);
		needed = rspb_nodeset_count(sort);
		rspb_nodeset_minus(rest, sort);
		take_alike(place, like, place->open, sort);
		if (rspb_pick(sort, NULL, gap_end, needed << doubled, true, sort, NULL))
			return false;
		rspb_nodeset_or(tight, sort);
	}
	return true;
}

/* RET whether the job has of each sort of nodes no more than Slurm chose. */
static bool keeps_sorts(struct place *place, const struct rspb_nodeset *picked)
{
	struct rspb_nodeset *rest = place->kept, *sort = place->beside;
	bool good = true;

	rspb_nodeset_copy(rest, picked);
	while (good && !rspb_nodeset_empty(rest)) {
		uint32_t like = rspb_nodeset_next(rest, 0), has;

		take_alike(place, like, rest, sort);
		has = rspb_nodeset_count(sort);
		rspb_nodeset_minus(rest, sort);
		take_alike(place, like, place->chosen, sort);
		good = has <= rspb_nodeset_count(sort);
	}
	return good;
}

/*
 * The nodes where the job was put are available; look for tighter ones among those
 * that are alike, by sets of the tightest gaps of growing size; is_tight() has picked the
 * first. RET whether a better answer is in the call now; if not, the one it held is lost.
 */
static bool try_tighter(struct place *place, const int64_t *gap_end)
{
	struct rspb_nodeset *tight = place->booked;

	for (int i = 0; i < TIGHT_TRIES; i++) {
		if (i && !pick_tight(place, gap_end, i, tight))
			return false;
		rspb_select_call_required(place->call, tight);
		rspb_nodeset_and(tight, place->open);
		if (rspb_nodeset_equal(tight, place->open))
			return false;
		if (rspb_select_ask_now(place->stock, place->call, tight) == SLURM_SUCCESS) {
			rspb_select_call_take(place->call, tight);
			return keeps_sorts(place, tight);
		}
	}
	return false;
}

/* Whether the nodes chosen are already among the tightest of those alike, which it leaves in
 * place->booked. */
static bool is_tight(struct place *place, const int64_t *gap_end)
{
	struct rspb_nodeset *tight = place->booked;

	return !pick_tight(place, gap_end, 0, tight) || rspb_nodeset_within(place->chosen, tight);
}

/* The job can start now, on the nodes in the call: see whether others like these, whose
 * gaps it fills better, will do. */
static int tighten(struct place *place)
{
	uint32_t width = place->open->width;
	int64_t *gap_end;
	int rc = SLURM_SUCCESS;

	rspb_select_call_take(place->call, place->chosen);
	if (rspb_nodeset_equal(place->chosen, place->open) || !rspb_select_call_free(place->call))
		return rc;
	gap_end = malloc(width * sizeof(*gap_end));
	place->ranks = malloc(width * sizeof(*place->ranks));
	rspb_nodeset_copy(place->offered, place->open);
	if (gap_end && place->ranks &&
	    rspb_book_next_start(place->now, place->chosen, place->open, gap_end, place->ranks) &&
	    !is_tight(place, gap_end) && !try_tighter(place, gap_end)) {
		rspb_select_call_put(place->call, place->offered);
		rc = rspb_select_ask(place->stock, place->call);
	}
	free(gap_end);
	return rc;
}

/* Ask bookings to move for a job that does not begin now. A job without a limit is left out,
 * because every booking is in its way. */
static void ask_aside(struct place *place)
{
	if (place->in_the_way && place->seconds >= 0 && place->call->min_nodes)
		rspb_aside_ask(rspb_select_call_leader(place->call), place->call->min_nodes,
			       place->seconds + rspb_gap_whole(), place->offered);
}

int rspb_place_job(const struct rspb_select_ops *stock, const struct rspb_select_call *call,
		   int64_t now)
{
	struct place place = { 0 };
	int rc;

	if (!place_init(&place, stock, call, now)) {
		place_fini(&place);
		return rspb_select_ask(stock, call);
	}
	if (rspb_select_call_run_now(call))
		rc = place_now(&place);
	else
		rc = place_when(&place);
	if (rc == SLURM_SUCCESS &&
	    (rspb_select_call_run_now(call) || rspb_select_call_start(call) <= now))
		rc = tighten(&place);
	else
		ask_aside(&place);
	place_fini(&place);
	return rc;
}

/* Keeps the reservations of others off booked nodes. It makes none. */

/* No booking ends later than this. */
static int64_t last_instant(int64_t now)
{
	return now + rspb_settings_get()->horizon;
}

void rspb_place_reservation(const struct rspb_select_resv *resv, struct rspb_nodeset *available,
			    int64_t now)
{
	int64_t start = resv->start, end = rspb_earlier(resv->end, RSPB_TIME_MAX);
	struct rspb_nodeset *booked;
	int64_t last;

	if (rspb_resv_ours(resv->name))
		return;
	booked = rspb_nodeset_create(available->width);
	if (!booked)
		return;
	last = last_instant(now);
	/* A reservation that repeats is checked for each of its times up to the horizon. */
	do {
		if (end > start && rspb_book_booked(start, end, booked))
			rspb_nodeset_minus(available, booked);
		start += resv->period;
		end += resv->period;
	} while (resv->period && start < last);
	rspb_nodeset_destroy(booked);
}
