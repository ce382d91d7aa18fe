/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows what has become of booked jobs, and closes windows. What that is verdict.c
 * says, what ends finish.c does. */
#include "plugins/ctld/following/lifecycle.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/base/array.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/asking/changed.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/gap.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/ending/finish.h"
#include "plugins/ctld/following/verdict.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/mirror/resv.h"

struct finding {
	uint64_t id;
	enum rspb_verdict verdict;
};

/* Each has its turn to be looked at, whatever is known of it: so often, so many
 * parts of all. */
enum { TURN_S = 10, TURNS = 6 };
/* To ask Slurm for the reservations of more than these costs more than to walk
 * its list once. */
enum { FEW = 8 };

static struct {
	int64_t at;  /* when some had theirs, 0: all have */
	size_t next; /* in the order of the ledger */
} turn;
static int64_t others; /* as compat/resv.h has them */

/* Windows that ended by then may be outlasted by their jobs. */
static int64_t outlasted;

void rspb_lifecycle_reset(void)
{
	outlasted = 0;
	rspb_changed_reset();
	turn.at = 0;
}

static void give_up_stuck(const struct rspb_booking *b,
			  const struct rspb_config *config, int64_t now)
{
	char reason[RSPB_ERR_TEXT];
	struct rspb_err why;

	if (!rspb_booked_stuck(b, &why))
		return;
	snprintf(reason, sizeof(reason),
		 "its nodes were given back, as its job could not start within "
		 "%" PRId64 " s (%.200s)",
		 config->start_within, why.text);
	rspb_end_give_up(b, reason, config, now);
}

static void follow(const struct finding *finding,
		   const struct rspb_config *config, int64_t now)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(),
							finding->id);
	struct rspb_err err;

	/* What was found under the read lock may be past already. */
	if (!b || rspb_state_final(b->state) ||
	    rspb_verdict_of(b, NULL, config, now) != finding->verdict)
		return;
	switch (finding->verdict) {
	case RSPB_VERDICT_STARTED:
		if (rspb_book_event(finding->id, RSPB_EV_START, now, NULL,
				    &err))
			rspb_log_error("booking %" PRIu64 ": %s", finding->id,
				       err.text);
		rspb_contract_state(finding->id, RSPB_ACTIVE, NULL);
		break;
	case RSPB_VERDICT_GONE:
		rspb_end_gone(b, config, now);
		break;
	case RSPB_VERDICT_DONE:
		rspb_end_booking(b, RSPB_EV_END, RSPB_COMPLETED, now, NULL);
		break;
	case RSPB_VERDICT_STOPPED:
		rspb_end_booking(b, RSPB_EV_TERMINATE, RSPB_TERMINATED, now,
				 "its job was cancelled");
		break;
	case RSPB_VERDICT_STUCK:
		give_up_stuck(b, config, now);
		break;
	case RSPB_VERDICT_MISSED:
		rspb_end_give_up(b,
				 "its window passed and the job could not run",
				 config, now);
		break;
	case RSPB_VERDICT_MOVED:
		rspb_end_booking(b, RSPB_EV_CANCEL, RSPB_CANCELLED, now,
				 "its job was taken out of its reservation");
		break;
	case RSPB_VERDICT_DELETED:
		rspb_end_give_up(b, "its reservation was deleted", config, now);
		break;
	case RSPB_VERDICT_KEEP:
		break;
	}
}

struct findings {
	struct finding *items;
	size_t n, room;
};

/* One look at bookings. */
struct look {
	const struct rspb_config *config;
	int64_t now;
	size_t from, to;		   /* those whose turn it is */
	bool ended;			   /* jobs that ran may have */
	bool resvs;			   /* reservations may be gone */
	const struct rspb_resv_keys *keys; /* NULL: Slurm is asked for each */
	struct findings *findings;
};

static void judge_one(const struct rspb_booking *b, const struct look *look)
{
	struct findings *findings = look->findings;
	enum rspb_verdict verdict;

	if (!b || rspb_state_final(b->state) ||
	    !rspb_kind_of(b->request)->has_jobs)
		return;
	verdict = rspb_verdict_of(b, look->keys, look->config, look->now);
	if (verdict != RSPB_VERDICT_KEEP &&
	    !rspb_array_grow(&findings->items, &findings->room, findings->n + 1,
			     sizeof(*findings->items)))
		findings->items[findings->n++] = (struct finding){
			.id = b->request->id,
			.verdict = verdict,
		};
}

/* Time alone may change what is to be said of it, or the end of its job. */
static bool time_tells(const struct rspb_booking *b, const struct look *look)
{
	return b->start <= look->now && !rspb_state_final(b->state) &&
	       (b->state != RSPB_ACTIVE || b->end <= look->now || look->ended);
}

static void judge_all(const struct look *look)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();

	for (size_t i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (i >= look->to && !look->resvs && b->start > look->now)
			break;
		if ((i >= look->from && i < look->to) || time_tells(b, look) ||
		    (look->resvs &&
		     !rspb_verdict_resv_there(b, look->keys, look->now)))
			judge_one(b, look);
	}
}

static void take_turn(struct look *look, bool all)
{
	size_t n = rspb_ledger_count(rspb_book_ledger());

	if (!all && look->now >= turn.at && look->now < turn.at + TURN_S)
		return;
	look->from = all || turn.next >= n ? 0 : turn.next;
	look->to = all ? n : look->from + n / TURNS + 1;
	turn.next = look->to;
	turn.at = look->now;
}

/* Those alone of which something may have become another. Read lock. */
static void find_verdicts(struct look *look)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	struct rspb_resv_keys keys;
	uint64_t *ids = NULL;
	bool all;
	int64_t n;

	look->ended = rspb_changed_look();
	n = rspb_changed_jobs(&ids);
	all = n < 0 || !turn.at;
	take_turn(look, all);
	look->resvs = all || rspb_resv_others() != others;
	others = rspb_resv_others();
	if (look->resvs || look->to || n > FEW) {
		if (rspb_resv_keys_init(&keys)) {
			free(ids);
			turn.at = 0;
			return;
		}
		look->keys = &keys;
	}
	for (int64_t i = 0; i < n && !all; i++)
		judge_one(rspb_ledger_find(ledger, ids[i]), look);
	judge_all(look);
	free(ids);
	if (look->keys)
		rspb_resv_keys_fini(&keys);
}

void rspb_lifecycle_watch(const struct rspb_config *config, int64_t now)
{
	struct findings findings = { .n = 0 };
	struct look look = {
		.config = config,
		.now = now,
		.findings = &findings,
	};
	struct rspb_section section;
	size_t i = 0;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "watch"))
		return;
	find_verdicts(&look);
	section.items = findings.n;
	rspb_section_leave(&section);
	while (i < findings.n &&
	       rspb_section_enter(&section, RSPB_LOCK_WRITE, "follow")) {
		do {
			follow(&findings.items[i++], config, now);
			section.items++;
		} while (i < findings.n && !rspb_section_spent(&section));
		rspb_section_leave(&section);
	}
	free(findings.items);
}

/* Whether somebody has booked the nodes of b from now on, or so soon that they are
 * just clean by then. */
static bool followed(const struct rspb_booking *b, int64_t now)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	uint32_t g, h;
	size_t i;

	for (i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *f = rspb_ledger_at(ledger, i);

		if (f->start - rspb_gap_whole() > now)
			break;
		if (f->state != RSPB_BOOKED || f->end <= now)
			continue;
		for (g = 0; g < b->n_grants; g++)
			for (h = 0; h < f->n_grants; h++)
				if (!rspb_nodeset_disjoint(b->grants[g].nodes,
							   f->grants[h].nodes))
					return true;
	}
	return false;
}

/* End the window of one active booking. */
static void close_window(const struct rspb_booking *b, int64_t now)
{
	struct rspb_err err;
	struct rspb_end_jobs jobs;
	uint32_t i;

	rspb_end_look(b, &jobs);
	if (!jobs.running) {
		if (!jobs.pending)
			rspb_end_booking(b, RSPB_EV_END, RSPB_COMPLETED, now,
					 NULL);
		return;
	}
	for (i = 0; i < jobs.n; i++) {
		struct rspb_job job;

		if (rspb_job_find(jobs.ids[i], &job) &&
		    job.phase == RSPB_JOB_RUNNING &&
		    rspb_job_time_out(jobs.ids[i], true, &err))
			rspb_log_error("%s", err.text);
	}
	rspb_end_booking(b, RSPB_EV_TERMINATE, RSPB_TERMINATED, now,
			 "the job was still running when its window ended");
}

static bool to_close(const struct rspb_booking *b,
		     const struct rspb_config *config, int64_t now)
{
	return b->state == RSPB_ACTIVE && b->end <= now &&
	       rspb_kind_of(b->request)->has_jobs &&
	       (config->overrun == RSPB_OVERRUN_END || followed(b, now));
}

static const struct rspb_booking *next_to_close(
	const struct rspb_config *config, int64_t now)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	size_t i;

	for (i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (b->start > now)
			break;
		if (to_close(b, config, now))
			return b;
	}
	return NULL;
}

/* Jobs that may go on behind their windows: Slurm ends what is still in a
 * reservation that is over, whatever the job's own limit says by then (it was
 * suspended, OverTimeLimit). */
static void let_go_on(const struct rspb_config *config, int64_t now)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	char name[RSPB_RESV_NAME];
	struct rspb_section section;
	bool entered = false;

	if (config->overrun == RSPB_OVERRUN_END)
		return;
	for (size_t i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (b->start > now)
			break;
		if (b->state != RSPB_ACTIVE || b->end > now ||
		    b->end <= outlasted || !rspb_kind_of(b->request)->has_jobs)
			continue;
		if (!entered &&
		    !rspb_section_enter(&section, RSPB_LOCK_WRITE, "outlast"))
			return;
		entered = true;
		for (uint32_t p = 0; p < b->n_grants; p++) {
			rspb_mirror_resv_name(b->request->id, p, b->n_grants,
					      name, sizeof(name));
			rspb_resv_outlast(name);
		}
		section.items++;
	}
	if (entered)
		rspb_section_leave(&section);
	outlasted = now;
}

/* When time alone tells more of one that has begun: it has waited for too long to
 * start, or its window is over. */
static int64_t next_end(const struct rspb_config *config, int64_t now)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	int64_t next = INT64_MAX;
	size_t i;

	for (i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);
		int64_t stuck = b->start + config->start_within;

		if (b->start > now)
			break;
		if (rspb_state_final(b->state))
			continue;
		if (b->end > now && b->end < next)
			next = b->end;
		if (b->state == RSPB_BOOKED && stuck > now && stuck < next)
			next = stuck;
	}
	return next;
}

int64_t rspb_lifecycle_ends(const struct rspb_config *config, int64_t now)
{
	const struct rspb_booking *b = next_to_close(config, now);
	struct rspb_section section;
	uint64_t before = 0;

	while (b && rspb_section_enter(&section, RSPB_LOCK_WRITE, "end")) {
		do {
			before = b->request->id;
			close_window(b, now);
			section.items++;
			b = next_to_close(config, now);
		} while (b && b->request->id != before &&
			 !rspb_section_spent(&section));
		rspb_section_leave(&section);
		/* One whose job waits again stays for the watch to judge. */
		if (b && b->request->id == before)
			break;
	}
	let_go_on(config, now);
	return next_end(config, now);
}
