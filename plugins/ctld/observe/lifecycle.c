/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows booked jobs and closes windows that are over. Bookings are ended by
 * observe/finish.c. */
#include "plugins/ctld/observe/following.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/base/array.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job_edit.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/decide/proposal.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/mirror/resv.h"
#include "plugins/ctld/observe/changed.h"
#include "plugins/ctld/observe/finish.h"
#include "plugins/ctld/observe/outcome.h"
#include "plugins/ctld/observe/state.h"

struct rspb_finding {
	uint64_t id;
	enum rspb_verdict verdict; /* not KEEP */
};

/* Judges what has happened to a booking by its jobs and reservations. It changes nothing. */

/* Whether a job of the booking cannot start, with the reason in err: Slurm says so of the job
 * itself, or something is known against the booking (doubts.c). */
static bool booked_stuck(const struct rspb_booking *b, struct rspb_err *err)
{
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(b->request->id, ids);
	const char *why = rspb_doubt_says(b->request->id);
	struct rspb_job job;

	for (uint32_t i = 0; i < n; i++)
		if (rspb_job_find(ids[i], &job) && job.phase == RSPB_JOB_PENDING &&
		    rspb_job_barred(&job, RSPB_BARS_START, err))
			return true;
	if (!why)
		return false;
	rspb_fail(err, "%s", why);
	return true;
}

bool rspb_verdict_resv_there(const struct rspb_booking *b, const struct rspb_resv_keys *keys,
			     int64_t now)
{
	struct rspb_resv resv;

	for (uint32_t i = 0; i < b->request->n_parts; i++)
		if (!(keys ? rspb_resv_keys_find(keys, b->request->id, i, now, NULL)
			   : rspb_mirror_resv_find(b, i, now, &resv)) &&
		    !rspb_mirror_resv_without(b, i))
			return false;
	return true;
}

/* Judge a booking by its jobs as they are now, with at least the read lock. keys: as above. */
static enum rspb_verdict verdict_of(const struct rspb_booking *b, const struct rspb_resv_keys *keys,
				    const struct rspb_config *config, int64_t now)
{
	struct rspb_end_jobs jobs;

	rspb_end_look(b, &jobs);
	if (b->state == RSPB_ACTIVE) {
		if (jobs.running)
			return RSPB_VERDICT_KEEP;
		/* A job that was requeued may run again until its time slot is over. */
		if (jobs.pending)
			return b->end <= now ? RSPB_VERDICT_MISSED : RSPB_VERDICT_KEEP;
		/* With ReleaseEarly=no the nodes stay booked until the end. */
		if (!config->release_early && b->end > now)
			return RSPB_VERDICT_KEEP;
		return jobs.cancelled ? RSPB_VERDICT_STOPPED : RSPB_VERDICT_DONE;
	}
	if (jobs.running)
		return RSPB_VERDICT_STARTED;
	if (!jobs.pending)
		return RSPB_VERDICT_GONE;
	if (b->end <= now)
		return RSPB_VERDICT_MISSED;
	if (!rspb_verdict_resv_there(b, keys, now))
		return RSPB_VERDICT_DELETED;
	if (now >= b->start + config->start_within && jobs.tied &&
	    config->unstartable == RSPB_UNSTARTABLE_RELEASE && booked_stuck(b, NULL))
		return RSPB_VERDICT_STUCK;
	return jobs.tied ? RSPB_VERDICT_KEEP : RSPB_VERDICT_MOVED;
}

/* Finds bookings of which something is to be reported, with few looks at bookings of which nothing
 * has changed. The verdict is found above, and acted on below. */

/* Every booking is looked at in turn, even if no change of it is known. In each period of TURN_S
 * seconds another of TURNS parts has its turn. */
enum { TURN_S = 10, TURNS = 6 };
/* To ask Slurm for the reservations of more than these costs more than to walk
 * its list once. */
enum { FEW = 8 };
/* After so many bookings the clock is read, to see whether the section has lasted long enough. */
enum { STEP = 64 };

struct findings {
	struct rspb_finding *items;
	size_t n, room;
};

/* A look at some bookings. */
struct look {
	const struct rspb_config *config;
	int64_t now;
	size_t from, to;		   /* those whose turn it is */
	bool ended;			   /* jobs that ran may have */
	uint64_t *ids;			   /* that may have changed, owned */
	int64_t n, at;			   /* up to here they were looked at */
	size_t next;			   /* likewise, in the ledger's order */
	bool resvs;			   /* reservations may be gone */
	bool listed;			   /* so many that Slurm's list of these is walked once */
	const struct rspb_resv_keys *keys; /* NULL: Slurm is asked for each */
	struct findings *findings;
};

/* Note a verdict other than KEEP. Without memory it is lost, and found again in turn. */
static void judge_one(const struct rspb_booking *b, const struct look *look)
{
	struct findings *findings = look->findings;
	enum rspb_verdict verdict;

	if (!b || rspb_state_final(b->state) || !rspb_kind_of(b->request)->has_jobs)
		return;
	verdict = verdict_of(b, look->keys, look->config, look->now);
	if (verdict != RSPB_VERDICT_KEEP &&
	    !rspb_array_grow(&findings->items, &findings->room, findings->n + 1,
			     sizeof(*findings->items)))
		findings->items[findings->n++] = (struct rspb_finding){
			.id = b->request->id,
			.verdict = verdict,
		};
}

/* Whether time alone may have changed the verdict of a booking that has begun, or a job that ran
 * may have ended. */
static bool time_tells(const struct rspb_booking *b, const struct look *look)
{
	return b->start <= look->now && !rspb_state_final(b->state) &&
	       (b->state != RSPB_ACTIVE || b->end <= look->now || look->ended);
}

/* Judge bookings by the order of the ledger, which is sorted by start, as many as a section has
 * time for. RET whether there are others. */
static bool judge_turn(struct look *look, const struct rspb_section *section)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();

	while (look->next < rspb_ledger_count(ledger)) {
		size_t i = look->next++;
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		/* None of the following bookings has begun, and it is not their turn. */
		if (i >= look->to && !look->resvs && b->start > look->now)
			break;
		if ((i >= look->from && i < look->to) || time_tells(b, look) ||
		    (look->resvs && !rspb_verdict_resv_there(b, look->keys, look->now)))
			judge_one(b, look);
		if (look->next % STEP == 0 && rspb_section_spent(section))
			return true;
	}
	return false;
}

/* Choose the part of the ledger whose turn it is. The places are by number, so that a booking may
 * miss a turn when others come or go before it. */
static void take_turn(struct look *look, bool all)
{
	size_t n = rspb_ledger_count(rspb_book_ledger());

	if (!all && look->now >= rspb_observe->turn.at &&
	    look->now < rspb_observe->turn.at + TURN_S)
		return;
	look->from = all || rspb_observe->turn.next >= n ? 0 : rspb_observe->turn.next;
	look->to = all ? n : look->from + n / TURNS + 1;
	rspb_observe->turn.next = look->to;
	rspb_observe->turn.at = look->now;
}

/* Choose what to look at: only the bookings of which something may have changed. RET false: the
 * section is left, slurmctld is going down. */
static bool look_begin(struct look *look, struct rspb_section *section)
{
	bool all, inside;
	int64_t others;

	look->ended = rspb_changed_look(section, &inside);
	if (!inside)
		return false;
	look->n = rspb_changed_jobs(&look->ids);
	all = look->n < 0 || !rspb_observe->turn.at;
	/* A number below zero stands for all bookings, which take_turn() then chooses. */
	if (all)
		look->n = 0;
	take_turn(look, all);
	/* All bookings are compared with the reservations only after somebody else has made or
	 * deleted one. */
	others = rspb_ctld_counts().others;
	look->resvs = all || others != rspb_observe->others;
	rspb_observe->others = others;
	look->listed = look->resvs || look->to || look->n > FEW;
	return true;
}

/* Go through the bookings whose jobs have changed, and then through the ledger. RET whether there
 * is more to look at. */
static bool look_on(struct look *look, const struct rspb_section *section)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();

	while (look->at < look->n) {
		judge_one(rspb_ledger_find(ledger, look->ids[look->at++]), look);
		if (look->at % STEP == 0 && rspb_section_spent(section))
			return true;
	}
	return judge_turn(look, section);
}

/* List Slurm's reservations in each section anew, because none of them outlives it. Without memory
 * for the list, all bookings are looked at the next time. RET as above. */
static bool look_listed(struct look *look, const struct rspb_section *section)
{
	struct rspb_resv_keys keys;
	bool more;

	if (rspb_resv_keys_init(&keys)) {
		rspb_observe->turn.at = 0;
		return false;
	}
	look->keys = &keys;
	more = look_on(look, section);
	look->keys = NULL;
	rspb_resv_keys_fini(&keys);
	return more;
}

/* Make the findings in short read sections; bookings that are made or end in between are found in
 * their turn, within a minute. The caller frees *found. RET how many. For the agent. */
static size_t findings_make(const struct rspb_config *config, int64_t now,
			    struct rspb_finding **out)
{
	struct findings findings = { .n = 0 };
	struct look look = {
		.config = config,
		.now = now,
		.findings = &findings,
	};
	struct rspb_section section;
	bool begun = false, more = true;

	while (more && rspb_section_enter(&section, RSPB_LOCK_READ, "watch")) {
		if (!begun && !look_begin(&look, &section))
			break;
		begun = true;
		more = look.listed ? look_listed(&look, &section) : look_on(&look, &section);
		section.items = findings.n;
		rspb_section_leave(&section);
	}
	free(look.ids);
	*out = findings.items;
	return findings.n;
}

/* Release a booking whose job cannot start (StartWithin). That is examined again, because the lock
 * was released since the verdict. */
static void give_up_stuck(const struct rspb_booking *b, const struct rspb_config *config,
			  int64_t now)
{
	char reason[RSPB_ERR_TEXT];
	struct rspb_err why;

	if (!booked_stuck(b, &why))
		return;
	snprintf(reason, sizeof(reason),
		 "its nodes were released, because its job could not start within %" PRId64 " s "
		 "(%.200s)",
		 config->start_within, why.text);
	rspb_end_give_up(b, reason, config, now);
}

/* Whether the booking was never tried, because slurmctld was down or the clock has jumped, and its
 * window leaves room for another start. */
static bool may_start_later(const struct rspb_booking *b, int64_t now)
{
	struct rspb_end_jobs jobs;

	rspb_end_look(b, &jobs);
	return b->state == RSPB_BOOKED && !b->request->held && !jobs.dependent &&
	       !rspb_attempt_find(b->request->id) &&
	       rspb_request_last(b->request) > now + RSPB_REPLAN_TOO_LATE_S;
}

/* Turn a missed booking back into a request for the rest of its window. RET false: that is not
 * possible, or memory is short. */
static bool ask_anew(const struct rspb_booking *b, int64_t now)
{
	uint64_t id = b->request->id;
	struct rspb_ask ask = { .n_jobs = 0 };
	bool done;

	if (!may_start_later(b, now))
		return false;
	/* Copy the request first: the event may free the booking. */
	done = rspb_ask_involve(&ask, b->request) &&
	       !rspb_book_event(id, RSPB_EV_CANCEL, now, NULL, NULL);
	if (done)
		rspb_outcome_lose(&ask, id,
				  "its start passed unnoticed; it is decided again for the rest "
				  "of its window");
	/* Slurm may have been first: it deletes a reservation whose end has passed, and holds the
	 * jobs that wait for it. */
	for (uint32_t i = 0; done && i < ask.n_jobs; i++)
		rspb_job_make_so(ask.jobs[i], &(struct rspb_job_wanted){ .released = true }, NULL);
	rspb_ask_fini(&ask);
	return done;
}

/* Act on one verdict, with the write lock. */
static void follow(const struct rspb_finding *finding, const struct rspb_config *config,
		   int64_t now)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), finding->id);
	struct rspb_err err;

	/* The finding was made under the read lock and may be out of date. */
	if (!b || rspb_state_final(b->state) ||
	    verdict_of(b, NULL, config, now) != finding->verdict)
		return;
	switch (finding->verdict) {
	case RSPB_VERDICT_STARTED:
		if (rspb_book_event(finding->id, RSPB_EV_START, now, NULL, &err))
			rspb_log_error("booking %" PRIu64 ": %s", finding->id, err.text);
		rspb_contract_state(finding->id, RSPB_ACTIVE, NULL);
		break;
	case RSPB_VERDICT_GONE:
		rspb_end_gone(b, config, now);
		break;
	case RSPB_VERDICT_DONE:
		rspb_end_booking(b, RSPB_EV_END, RSPB_COMPLETED, now, NULL);
		break;
	case RSPB_VERDICT_STOPPED:
		rspb_end_audit(b);
		rspb_end_booking(b, RSPB_EV_TERMINATE, RSPB_TERMINATED, now, RSPB_END_STOPPED);
		break;
	case RSPB_VERDICT_STUCK:
		give_up_stuck(b, config, now);
		break;
	case RSPB_VERDICT_MISSED:
		if (!ask_anew(b, now))
			rspb_end_give_up(b, "its time slot passed, and the job could not run",
					 config, now);
		break;
	case RSPB_VERDICT_MOVED:
		rspb_end_booking(b, RSPB_EV_CANCEL, RSPB_CANCELLED, now, RSPB_END_MOVED);
		break;
	case RSPB_VERDICT_DELETED:
		rspb_end_give_up(b, "its reservation was deleted", config, now);
		break;
	case RSPB_VERDICT_KEEP:
		break;
	}
}

void rspb_lifecycle_watch(const struct rspb_config *config, int64_t now)
{
	struct rspb_section section = { .what = NULL };
	struct rspb_finding *found;
	size_t n = findings_make(config, now, &found), i = 0;

	while (i < n && rspb_section_next(&section, RSPB_LOCK_WRITE, "follow"))
		follow(&found[i++], config, now);
	rspb_section_end(&section);
	free(found);
}

/* Whether both count licenses of one kind. */
static bool share_licenses(const struct rspb_request *a, const struct rspb_request *b)
{
	for (uint32_t p = 0; p < a->n_parts; p++)
		for (uint32_t q = 0; q < a->parts[p].n_quotas; q++) {
			const struct rspb_quota *quota = &a->parts[p].quotas[q];

			if (!rspb_quota_of_license(quota))
				continue;
			for (uint32_t o = 0; o < b->n_parts; o++)
				if (rspb_part_quota(&b->parts[o], quota->key))
					return true;
		}
	return false;
}

/* Whether another booking needs the nodes or licenses of b now, or so soon that the nodes are just
 * cleared by then (rspb_gap_whole()). The ledger is sorted by start. */
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
		if (share_licenses(b->request, f->request))
			return true;
		for (g = 0; g < b->n_grants; g++)
			for (h = 0; h < f->n_grants; h++)
				if (!rspb_nodeset_disjoint(b->grants[g].nodes, f->grants[h].nodes))
					return true;
	}
	return false;
}

/* End the time slot of an active booking, with the write lock. Jobs that still run are ended at
 * once, without SIGTERM and KillWait. If a job waits again, the booking is left to the watch. */
static void close_window(const struct rspb_booking *b, int64_t now)
{
	struct rspb_err err;
	struct rspb_end_jobs jobs;
	uint32_t i;

	rspb_end_look(b, &jobs);
	if (!jobs.running) {
		if (!jobs.pending)
			rspb_end_booking(b, RSPB_EV_END, RSPB_COMPLETED, now, NULL);
		return;
	}
	for (i = 0; i < jobs.n; i++) {
		struct rspb_job job;

		if (rspb_job_find(jobs.ids[i], &job) && job.phase == RSPB_JOB_RUNNING &&
		    rspb_job_end(jobs.ids[i], RSPB_JOB_TIME_OUT_NOW, NULL, &err))
			rspb_log_error("%s", err.text);
	}
	rspb_end_booking(b, RSPB_EV_TERMINATE, RSPB_TERMINATED, now,
			 "the job was still running when its time slot ended");
}

/* Overrun=end ends jobs at the end of their slots; otherwise they end when another booking needs
 * their nodes. */
static bool to_close(const struct rspb_booking *b, const struct rspb_config *config, int64_t now)
{
	return b->state == RSPB_ACTIVE && b->end <= now && rspb_kind_of(b->request)->has_jobs &&
	       (config->overrun == RSPB_OVERRUN_END || followed(b, now));
}

/* RET the first booking that is to be closed, NULL: none. It is good until the ledger changes. */
static const struct rspb_booking *next_to_close(const struct rspb_config *config, int64_t now)
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

/* Let jobs continue after their time slots if the site allows it. Slurm would end them with their
 * reservation, even if they were suspended or OverTimeLimit allows more. */
static void let_go_on(const struct rspb_config *config, int64_t now)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	char name[RSPB_RESV_NAME];
	const struct rspb_resv_spec over = { .name = name, .outlasts = true };
	struct rspb_section section = { .what = NULL };

	if (config->overrun == RSPB_OVERRUN_END)
		return;
	for (size_t i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (b->start > now)
			break;
		if (b->state != RSPB_ACTIVE || b->end > now || b->end <= rspb_observe->outlasted ||
		    !rspb_kind_of(b->request)->has_jobs)
			continue;
		if (!rspb_section_next(&section, RSPB_LOCK_WRITE, "outlast"))
			return;
		for (uint32_t p = 0; p < b->n_grants; p++) {
			rspb_resv_name(b->request->id, p, b->n_grants, name, sizeof(name));
			rspb_resv_make_so(&over, NULL);
		}
	}
	rspb_section_end(&section);
	rspb_observe->outlasted = now;
}

/* RET the next second in which time alone changes what is known of a booking that has begun: its
 * slot ends, or it has waited for too long to start. */
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
	struct rspb_section section = { .what = NULL };
	uint64_t before = 0;

	/* If the same booking comes again, its job waits again. The watch judges that. */
	while (b && b->request->id != before &&
	       rspb_section_next(&section, RSPB_LOCK_WRITE, "end")) {
		before = b->request->id;
		close_window(b, now);
		b = next_to_close(config, now);
	}
	rspb_section_end(&section);
	let_go_on(config, now);
	return next_end(config, now);
}
