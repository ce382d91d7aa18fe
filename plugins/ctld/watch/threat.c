/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sees what has come in the way of bookings, tells their owners and has them helped. The
 * plans for that are made in rescue.c. */
#include "plugins/ctld/watch/watch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/base/times.h"
#include "common/wire/texts.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/kinds/watch.h"
#include "plugins/ctld/observe/following.h"
#include "plugins/ctld/request/ask.h"
#include "plugins/ctld/watch/state.h"

/* The first part finds bookings that lack room on a node, or have a node that no longer suits
 * them. The second part acts on that. */

/* Look up the names of the nodes, in one section. A node for which there is no time stays
 * without a name, and the message does without it. */
static void name_all(struct rspb_lacks *lacks)
{
	struct rspb_nodeset *one = rspb_nodeset_create(rspb_ledger_nodes(rspb_book_ledger()));
	struct rspb_section section;

	lacks->nodes = calloc(lacks->n, sizeof(*lacks->nodes));
	if (one && lacks->nodes && rspb_section_enter(&section, RSPB_LOCK_READ, "lacks")) {
		for (size_t i = 0; i < lacks->n && !rspb_section_spent(&section); i++) {
			rspb_nodeset_clear(one);
			rspb_nodeset_add(one, lacks->items[i].node);
			lacks->nodes[i] = rspb_node_names(NULL, one);
			section.items++;
		}
		rspb_section_leave(&section);
	}
	rspb_nodeset_destroy(one);
}

/* Add bookings with a node that does not suit them. A booking that lacks room is in the list
 * already. RET false: out of memory. */
static bool add_unfit(struct rspb_lacks *lacks)
{
	size_t room = lacks->n, n_full = lacks->n;
	struct rspb_overfull *unfit;
	size_t n = rspb_doubts_unfit(&unfit);

	if (n && rspb_array_grow(&lacks->items, &room, lacks->n + n, sizeof(*unfit))) {
		free(unfit);
		return false;
	}
	for (size_t i = 0; i < n; i++)
		if (!rspb_array_find(&unfit[i], lacks->items, n_full, sizeof(*unfit),
				     rspb_array_by_u64))
			lacks->items[lacks->n++] = unfit[i];
	free(unfit);
	if (n)
		qsort(lacks->items, lacks->n, sizeof(*unfit), rspb_array_by_u64);
	return true;
}

/* Find those of the book; call without locks. The result is good until the book changes. */
static void lacks_find(struct rspb_lacks *lacks)
{
	int64_t n;

	*lacks = (struct rspb_lacks){ .n = 0 };
	n = rspb_ledger_overfull(rspb_book_ledger(), &lacks->items);
	if (n > 0)
		lacks->n = (size_t) n;
	if (add_unfit(lacks) && lacks->n)
		name_all(lacks);
}

static void lacks_fini(struct rspb_lacks *lacks)
{
	for (size_t i = 0; lacks->nodes && i < lacks->n; i++)
		free(lacks->nodes[i]);
	free(lacks->nodes);
	free(lacks->items);
	*lacks = (struct rspb_lacks){ .n = 0 };
}

/* Put into text, of size bytes, what is in the way of a booking. RET text; NULL:
 * nothing. */
static const char *lacks_say(const struct rspb_lacks *lacks, uint64_t id, char *text, size_t size)
{
	const struct rspb_overfull *one = rspb_array_find(&id, lacks->items, lacks->n, sizeof(*one),
							  rspb_array_by_u64);
	const char *node;

	if (!one)
		return NULL;
	node = lacks->nodes ? lacks->nodes[one - lacks->items] : NULL;
	snprintf(text, size, "a lack of %s on %s", one->what, node ? node : "one of its nodes");
	return text;
}

enum {
	SLICE_US = 30000, /* of work for them, until others have their turn */
	PART = 20	  /* those tried before take a part of the time at most */
};

/* The settings for a booking's owner say how long before its start it can have less
 * because a node is lost, s. */
static int64_t outage_of(const struct rspb_booking *b, const struct rspb_config *config)
{
	struct rspb_config space;

	return rspb_config_outage(rspb_limits_settings(config, b->request, &space));
}

/* When to look again at those that could not be helped: after so long, and twice
 * as long each time; sooner where something has come free since. */
enum { AGAIN_MS = 60000, FREED_MS = 2000 };

/* The words that owners are told, after the cause. */
#define NOW " is in the way now"

/* Changes where room may have come: a booking was over early, a node has
 * changed. */
static uint64_t freed(void)
{
	return rspb_book_freed() + (uint64_t) rspb_ctld_changed(RSPB_CHANGED_NODES);
}

/* A lasting cause comes before a node, which can be back. */
static const struct rspb_block *in_the_way(const struct rspb_booking *b,
					   const struct rspb_occupancy *occ)
{
	const struct rspb_block *found = NULL;

	for (uint32_t i = 0; i < b->n_grants; i++) {
		const struct rspb_grant *grant = &b->grants[i];
		const struct rspb_block *block = rspb_occupancy_hit(occ, b->start, b->end,
								    grant->nodes, grant->share);

		if (block && (!found || found->kind == RSPB_BLOCK_DOWN))
			found = block;
	}
	return found;
}

/* Whether the notice waits for a first try to help. If that succeeds, the owner is told of
 * the new place only. */
static bool to_help(const struct rspb_trouble *notice)
{
	return notice->untold && notice->serious && !notice->tries;
}

/* Whether a job names a node that is in the way of its booking. */
static bool names_it(const struct rspb_booking *b, const struct rspb_block *block)
{
	bool named = false;

	for (uint32_t i = 0; block->nodes && i < b->n_grants; i++) {
		const struct rspb_nodeset *fixed = b->request->parts[i].fixed;

		named |= fixed && !rspb_nodeset_disjoint(fixed, block->nodes);
	}
	return named && rspb_kind_of(b->request)->has_jobs;
}

/* outage: the block is a node that is out. */
static void note(const struct rspb_booking *b, const struct rspb_block *block, bool outage)
{
	struct rspb_trouble *notice = rspb_trouble_find(b->request->id);
	char text[RSPB_ERR_TEXT] = "";

	if (block)
		snprintf(text, sizeof(text), "%s" NOW "%s", block->what,
			 names_it(b, block) ? "; its job names the node (--nodelist), gets no "
					      "other, and starts when the node is available"
					    : "");
	if (!strcmp(notice ? notice->text : "", text))
		return;
	if (!block && to_help(notice)) {
		rspb_trouble_forget(notice);
		return;
	}
	if (!notice)
		notice = rspb_trouble_add(b->request->id);
	if (!notice)
		return;
	memcpy(notice->text, text, sizeof(text));
	if (block)
		snprintf(notice->was, sizeof(notice->was), "%s was in the way", block->what);
	notice->offers[0] = '\0';
	notice->serious = block && !block->passing;
	notice->outage = outage;
	notice->spared_ms = 0;
	notice->tries = 0;
	notice->untold = true;
}

/* Note that something was in the way when slurmctld ended, and is not any more. */
static void note_gone(const struct rspb_booking *b)
{
	struct rspb_trouble *notice = strstr(rspb_booking_why(b), NOW) &&
						      !rspb_trouble_find(b->request->id)
					      ? rspb_trouble_add(b->request->id)
					      : NULL;

	if (notice)
		notice->untold = true;
}

/* first: since the book was made. */
static void compare(const struct rspb_occupancy *occ, const struct rspb_lacks *lacks, bool first)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	struct rspb_block lack = { .kind = RSPB_BLOCK_DOWN };

	for (size_t i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);
		const struct rspb_block *block;

		if (b->state != RSPB_BOOKED)
			continue;
		block = in_the_way(b, occ);
		if (!block && lacks_say(lacks, b->request->id, lack.what, sizeof(lack.what)))
			block = &lack;
		note(b, block, block && block != &lack && block->kind == RSPB_BLOCK_DOWN);
		if (first && !block)
			note_gone(b);
	}
}

/* Bookings that are over need no notice. */
static bool is_over(const struct rspb_trouble *notice)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), notice->id);

	return !b || b->state != RSPB_BOOKED;
}

static void forget_old(void)
{
	struct rspb_trouble *next;

	for (struct rspb_trouble *notice = rspb_trouble_next(0); notice; notice = next) {
		next = rspb_trouble_next(notice->id);
		if (is_over(notice))
			rspb_trouble_forget(notice);
	}
}

/* Tell an owner, under the write lock, what is in the way or that nothing is any more. A
 * doubt of Slurm's about the job comes before the good news. */
static void tell_owner(struct rspb_trouble *notice)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), notice->id);
	char text[RSPB_ERR_TEXT + RSPB_TROUBLE_OFFERS];

	notice->untold = false;
	if (is_over(notice))
		return;
	if (!notice->text[0] && rspb_doubt_says(notice->id))
		snprintf(text, sizeof(text), "%s", rspb_doubt_says(notice->id));
	else
		snprintf(text, sizeof(text), "%s%s", notice->text, notice->offers);
	/* A late booking may wait for something else, of which this text took the place. */
	if (!text[0])
		rspb_attempt_untell(notice->id);
	rspb_log_info("booking %" PRIu64 ": %s", notice->id,
		      text[0] ? text : "nothing is in the way any more");
	rspb_kind_of(b->request)->tell(notice->id, text);
}

static bool to_tell(const struct rspb_trouble *notice)
{
	return notice->untold && !to_help(notice);
}

/* RET the next notice that an owner is to be told, after that of a booking; NULL: none. */
static struct rspb_trouble *next_to_tell(uint64_t after)
{
	struct rspb_trouble *notice = rspb_trouble_next(after);

	while (notice && !to_tell(notice))
		notice = rspb_trouble_next(notice->id);
	return notice;
}

/* Tell all owners that are to be told, in short sections. Notices without anything left to
 * say are forgotten afterwards. */
static void tell_all(void)
{
	struct rspb_trouble *notice, *next;
	struct rspb_section section;
	uint64_t told = 0;

	/* A notice may be forgotten at a yield point, and is found again by its id. */
	while ((notice = next_to_tell(told)) &&
	       rspb_section_enter(&section, RSPB_LOCK_WRITE, "threats")) {
		do {
			told = notice->id;
			tell_owner(notice);
			section.items++;
			notice = next_to_tell(told);
		} while (notice && !rspb_section_spent(&section));
		rspb_section_leave(&section);
		rspb_breathe();
	}
	for (notice = rspb_trouble_next(0); notice; notice = next) {
		next = rspb_trouble_next(notice->id);
		if (!notice->text[0] && !notice->untold)
			rspb_trouble_forget(notice);
	}
}

/* Whether nodes or reservations may be others since the last look. */
static bool worth_a_look(int64_t now)
{
	bool news = rspb_watch->threat.unfit_seen != rspb_doubts_mark() ||
		    rspb_news_overdue(rspb_watch->threat.compared, now) ||
		    rspb_ctld_changed(RSPB_CHANGED_NODES) >= rspb_watch->threat.compared;

	/* Asked in any case: it remembers what it has seen. */
	news |= rspb_news_of_resvs(&rspb_watch->threat.resvs, "threats", now);
	rspb_watch->threat.unfit_seen = rspb_doubts_mark();
	if (news)
		rspb_watch->threat.compared = now;
	return news;
}

static int add_preparing(const struct rspb_job_mark *mark, void *out)
{
	struct rspb_job job;

	if (mark->placed && rspb_job_find(mark->id, &job))
		rspb_job_nodes(&job, RSPB_JOB_PREPARES, out);
	return 0;
}

/* Let gap.c see which nodes are being cleaned up or prepared now, from which it learns how
 * long that takes. Prologs are looked for only after a change of jobs. */
static void see_gaps(int64_t now)
{
	bool jobs = rspb_slurm_conf().prolog_ahead &&
		    rspb_ctld_changed(RSPB_CHANGED_JOBS) >= rspb_watch->threat.gaps_at;
	struct rspb_nodeset *cleaned, *prepared;
	struct rspb_section section;
	bool inside = true;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "gaps"))
		return;
	rspb_watch->threat.gaps_at = now;
	cleaned = rspb_nodeset_create(rspb_node_width());
	prepared = rspb_nodeset_create(rspb_node_width());
	if (cleaned)
		rspb_node_add(RSPB_NODES_COMPLETING, cleaned);
	if (prepared && jobs)
		rspb_walk_jobs(&section, &inside, add_preparing, prepared);
	if (inside)
		rspb_section_leave(&section);
	if (cleaned)
		rspb_gap_see(RSPB_GAP_CLEAN_UP, cleaned, now);
	if (prepared && jobs && inside)
		rspb_gap_see(RSPB_GAP_PREPARE, prepared, now);
	rspb_nodeset_destroy(cleaned);
	rspb_nodeset_destroy(prepared);
}

void rspb_threat_configure(const struct rspb_config *config)
{
	rspb_gap_use(RSPB_GAP_CLEAN_UP, config->clean_up);
	/* Prologs that run with the first step take their time all the same. */
	rspb_gap_use(RSPB_GAP_PREPARE, rspb_slurm_conf().prolog_ahead ? config->prepare : 0);
	/* The notice may be another one. */
	for (struct rspb_trouble *notice = rspb_trouble_next(0); notice;
	     notice = rspb_trouble_next(notice->id))
		if (notice->spared_ms)
			notice->spared_ms = 1;
}

void rspb_threat_watch(const struct rspb_config *config, int64_t now)
{
	struct rspb_occupancy occ;
	struct rspb_section section;
	struct rspb_lacks lacks;
	bool first = !rspb_watch->threat.compared;

	if (rspb_book_idle())
		return;
	see_gaps(now);
	forget_old();
	rspb_requeued_watch(config, now);
	if (!worth_a_look(now))
		return;
	rspb_occupancy_init(&occ, rspb_ledger_nodes(rspb_book_ledger()), now,
			    now + rspb_rules_farthest(config) + 1);
	if (rspb_section_enter(&section, RSPB_LOCK_READ, "threats")) {
		rspb_occupancy_collect(&occ, NULL);
		section.items = occ.n;
		rspb_section_leave(&section);
		lacks_find(&lacks);
		if (first || occ.n || lacks.n || rspb_trouble_next(0))
			compare(&occ, &lacks, first);
		lacks_fini(&lacks);
	}
	rspb_occupancy_fini(&occ);
	tell_all();
}

/* Whether room may have come since the last try. Slurm stamps changes of nodes in whole
 * seconds, so that a change in the second of the try counts, too. */
static bool may_be_free(const struct rspb_trouble *notice)
{
	return notice->freed != freed() ||
	       rspb_ctld_changed(RSPB_CHANGED_NODES) >= notice->tried_ms / 1000;
}

bool rspb_threat_comes_first(const struct rspb_booking *b)
{
	for (const struct rspb_trouble *notice = rspb_trouble_next(0); notice;
	     notice = rspb_trouble_next(notice->id)) {
		const struct rspb_booking *other = rspb_ledger_find(rspb_book_ledger(), notice->id);

		if (other && notice->serious && other->start < b->end && other->end > b->start &&
		    (!notice->tries || may_be_free(notice)))
			return true;
	}
	return false;
}

/* RET when it is its turn, ms; INT64_MAX: it needs no help. */
static int64_t turn_of(const struct rspb_trouble *notice)
{
	int64_t at;

	if (!notice->serious)
		return INT64_MAX;
	if (!notice->tries)
		return 0;
	at = notice->tried_ms +
	     rspb_backoff(may_be_free(notice) ? FREED_MS : AGAIN_MS, notice->tries);
	at = at > rspb_watch->threat.resume_at ? at : rspb_watch->threat.resume_at;
	return notice->spared_ms ? rspb_earlier(at, notice->spared_ms) : at;
}

/* RET from when on, in ms, it, or others for it, can have less because of an outage; 0:
 * now. */
static int64_t spared_until(const struct rspb_booking *b, const struct rspb_trouble *notice,
			    const struct rspb_rescues *rescues)
{
	int64_t from = notice->outage ? b->start - outage_of(b, rescues->config) : 0;

	return from > rescues->now ? from * 1000 : 0;
}

/* Its owner hears once what happens to it until then. */
static void say_spared(const struct rspb_booking *b, struct rspb_trouble *notice,
		       const struct rspb_config *config)
{
	char time[32];

	rspb_duration_print_ms(outage_of(b, config) * 1000, time, sizeof(time));
	snprintf(notice->offers, sizeof(notice->offers),
		 "; the booking waits for it, or gets another node, until %s before its start",
		 time);
}

/* Note how much help it may have for now, and tell its owner that once. RET whether its
 * offers are looked for. */
static bool limit_help(const struct rspb_booking *b, struct rspb_trouble *notice,
		       const struct rspb_rescues *rescues)
{
	bool first = !notice->tries || notice->spared_ms;

	notice->spared_ms = spared_until(b, notice, rescues);
	if (notice->spared_ms && !notice->tries)
		say_spared(b, notice, rescues->config);
	/* If nothing helps by then, the owner is told once more, with offers. */
	if (!notice->spared_ms && notice->tries && first)
		notice->untold = true;
	return first && !notice->spared_ms;
}

/* RET whether it has another place now. */
static bool move(struct rspb_rescues *rescues, struct rspb_trouble *notice)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), notice->id);
	bool reserved = rspb_reserved_is(notice->id), offers;

	if (!b)
		return false;
	offers = !reserved && limit_help(b, notice, rescues);
	if (reserved)
		/* No job waits in it, so that there are no offers and nothing is spared. */
		return rspb_operator_move(notice->id, rescues->config, rescues->now);
	rescues->outage = notice->outage;
	return rspb_rescue_waiting(rescues, notice->id, notice->was, notice->spared_ms != 0,
				   offers ? notice->offers : NULL);
}

/* Whether a node that was out is back since the last look: a place that is found then
 * is the one that it has. */
static bool is_back(const struct rspb_trouble *notice, const struct rspb_rescues *rescues)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), notice->id);

	return b && notice->outage && rescues->looked && !in_the_way(b, &rescues->occupancy);
}

/* Help one booking. If it gets another place, its notice is forgotten: the owner has been
 * told of the new place. The same goes for a notice that all is well again. RET whether the
 * booking needs no more help. */
static bool help(struct rspb_rescues *rescues, struct rspb_trouble *notice, int64_t now_ms)
{
	uint64_t id = notice->id;
	bool helped;

	if (is_back(notice, rescues)) {
		note(rspb_ledger_find(rspb_book_ledger(), id), NULL, false);
		return true;
	}
	helped = move(rescues, notice);
	/* The booking may have started, or ended, meanwhile. */
	notice = rspb_trouble_find(id);
	if (!notice)
		return true;
	notice->tries++;
	notice->tried_ms = now_ms;
	notice->freed = freed();
	if (!helped)
		return false;
	rspb_trouble_forget(notice);
	rspb_recheck_moved(id);
	return true;
}

/* RET the notice whose turn is first and, in *at, when that is. */
static struct rspb_trouble *next_turn(int64_t *at)
{
	struct rspb_trouble *first = NULL;

	*at = INT64_MAX;
	for (struct rspb_trouble *notice = rspb_trouble_next(0); notice && *at;
	     notice = rspb_trouble_next(notice->id))
		if (turn_of(notice) < *at) {
			*at = turn_of(notice);
			first = notice;
		}
	return first;
}

int64_t rspb_threat_run(const struct rspb_config *config, int64_t now_ms)
{
	int64_t began = rspb_section_clock_us(), at, spent;
	struct rspb_trouble *notice;
	struct rspb_rescues rescues;
	bool again = false;

	/* Found out since, or not so any more. */
	if (rspb_watch->threat.unfit_seen != rspb_doubts_mark())
		rspb_threat_watch(config, now_ms / 1000);
	notice = next_turn(&at);
	if (at > now_ms)
		return at;
	rspb_rescues_begin(&rescues, config, now_ms / 1000);
	do {
		again |= notice->tries != 0;
		help(&rescues, notice, now_ms);
		rspb_breathe();
		notice = next_turn(&at);
		spent = rspb_section_clock_us() - began;
	} while (at <= now_ms && spent < SLICE_US);
	rspb_rescues_end(&rescues);
	tell_all();
	/* First tries are urgent; later ones get a small part of the agent's time. */
	if (again)
		rspb_watch->threat.resume_at = now_ms + spent * (PART + 1) / 1000;
	next_turn(&at);
	return at > now_ms ? at : now_ms;
}
