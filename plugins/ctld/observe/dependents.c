/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Moves bookings of jobs to after the end of the jobs that they depend on, or gives them up. Which
 * jobs these are is known to observe/after.c. */
#include "plugins/ctld/observe/following.h"

#include <stdlib.h>

#include "plugins/compat/ctld.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/decide/basis.h"
#include "plugins/ctld/decide/proposal.h"
#include "plugins/ctld/observe/finish.h"
#include "plugins/ctld/observe/state.h"

/* A run stops after this many microseconds and leaves the rest of the second to other work. */
enum { RUN_US = 200000 };

static const struct rspb_booking *booked(uint32_t id)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), id);

	return b && b->state == RSPB_BOOKED ? b : NULL;
}

/* The action for a dependent booking. */
enum what { NOTHING, FORGET, GIVE_UP, MOVE, TELL };

/* Decide what to do about a dependent booking, with the read lock. *end: when the jobs that it
 * waits for are over. */
static enum what judge(const struct rspb_after *after, int64_t *end, int64_t now)
{
	const struct rspb_booking *b = booked(after->id);
	struct rspb_job job;

	if (!rspb_job_find(after->id, &job) || job.phase != RSPB_JOB_PENDING || !job.dependent)
		return FORGET;
	if (!b)
		return NOTHING;
	if (rspb_after_never(&job))
		return GIVE_UP;
	/* The end of a job without a booking is not known, so that there is no time to move to.
	 * The owner is told once. */
	if (!rspb_after_booked(&job, end))
		return after->told ? NOTHING : TELL;
	return *end > b->start && !rspb_after_rests(after, b, *end, now) ? MOVE : NOTHING;
}

/* --- behind what it waits for ---------------------------------------------- */

/* Find a place after a time. A request with a fixed start moves as far as it must; a request with
 * a window keeps to what is left of it. */
static bool find_place(struct rspb_replan *draft, struct rspb_ledger *basis, int64_t from)
{
	struct rspb_request *r;

	if (rspb_replan_as_before(draft))
		return false;
	r = draft->request;
	if (r->deadline == r->ready + r->duration)
		r->deadline = from + r->duration;
	r->ready = from;
	if (r->deadline < from + r->duration) {
		rspb_fail(&draft->why, "it would end after its deadline");
		return false;
	}
	return rspb_replan_go(draft, basis, r->ready, r->deadline);
}

/* Propose the new place. The locks were released since the plan was made, and rspb_propose()
 * checks that it still holds. RET whether the booking was moved, else why in the draft. */
static bool make_real(struct rspb_replan *draft)
{
	struct rspb_proposal one = { .why = "moved after a job on which it depends" };
	struct rspb_ask ask = { .n_jobs = 0 };
	struct rspb_section section;
	bool done = false;

	if (rspb_section_enter(&section, RSPB_LOCK_READ, "dependents")) {
		done = rspb_ask_involve(&ask, draft->old->request);
		rspb_section_leave(&section);
	}
	if (done)
		rspb_ask_user(&ask);
	else
		rspb_fail(&one.err, "its job cannot be read");
	done = done && !rspb_replan_propose(draft, &ask, NULL, &one) &&
	       rspb_propose(&one) == RSPB_PROPOSAL_MADE;
	if (!done)
		draft->why = one.err;
	rspb_proposal_fini(&one);
	rspb_ask_fini(&ask);
	return done;
}

/* Tell the owner once that the job may start late. A later successful move makes this possible
 * again. */
static void say_late(struct rspb_after *after, const char *why)
{
	struct rspb_section section;
	const struct rspb_booking *b;
	struct rspb_err text;

	if (after->told || !rspb_section_enter(&section, RSPB_LOCK_WRITE, "dependents"))
		return;
	after->told = true;
	b = booked(after->id);
	if (b) {
		rspb_fail(&text, "%s; it starts after that job", why);
		rspb_log_info("booking %u: %s", after->id, text.text);
		rspb_kind_of(b->request)->tell(after->id, text.text);
	}
	rspb_section_leave(&section);
}

/* Plan without a lock and on a copy of the ledger. A failed try is noted, so that the next one
 * waits longer. */
static void move(struct rspb_after *after, const struct rspb_config *config, int64_t end,
		 int64_t now)
{
	const struct rspb_booking *b = booked(after->id);
	struct rspb_ledger *basis = rspb_basis_make(config, now);
	const struct rspb_request *const one[] = { b ? b->request : NULL };
	struct rspb_replan draft = { .now = now };
	struct rspb_err why;
	int64_t from = end > now + RSPB_REPLAN_TOO_LATE_S ? end : now + RSPB_REPLAN_TOO_LATE_S;

	if (!b || !basis || rspb_replan_init(&draft, b, config, now) ||
	    rspb_holds_add(basis, one, 1, now)) {
		/* the next look tries again */
	} else if (find_place(&draft, basis, from) && make_real(&draft)) {
		after->told = false;
		after->tries = 0;
	} else {
		rspb_after_failed(after, end, now);
		rspb_fail(&why,
			  "a job on which it depends now ends later, and there is no room after "
			  "it: %.200s",
			  draft.why.text);
		say_late(after, why.text);
	}
	rspb_replan_fini(&draft);
	rspb_ledger_destroy(basis);
}

static void give_up(uint32_t id, const struct rspb_config *config, int64_t now)
{
	struct rspb_section section;
	const struct rspb_booking *b;

	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "dependents"))
		return;
	/* The lock was released since the decision: the booking may have started or ended. */
	b = booked(id);
	if (b)
		rspb_end_give_up(b, RSPB_AFTER_NEVER, config, now);
	rspb_section_leave(&section);
}

/* Find the first booking from *i on about which something is to be done. *what is NOTHING if this
 * section found none. RET false: slurmctld is going down. */
static bool find_next(size_t *i, enum what *what, int64_t *end, int64_t now)
{
	struct rspb_section section;
	struct rspb_after *all;
	size_t n;

	*what = NOTHING;
	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "dependents"))
		return false;
	all = rspb_after_noted(&n);
	do {
		*what = judge(&all[*i], end, now);
		section.items++;
	} while (*what == NOTHING && ++*i < n && !rspb_section_spent(&section));
	rspb_section_leave(&section);
	return true;
}

/* RET false: the booking is to be removed from the list. */
static bool act(struct rspb_after *after, enum what what, const struct rspb_config *config,
		int64_t end, int64_t now)
{
	if (what == GIVE_UP)
		give_up(after->id, config, now);
	else if (what == MOVE)
		move(after, config, end, now);
	else if (what == TELL)
		say_late(after, "a job on which it depends no longer has a booking");
	return what != FORGET && what != GIVE_UP;
}

void rspb_dependents_expect(void)
{
	rspb_observe->dependents_expected = true;
}

void rspb_dependents_run(int64_t now)
{
	int64_t began = rspb_section_clock_us();
	const struct rspb_config *config;
	struct rspb_after *all;
	enum what what;
	int64_t end;
	size_t n, i = 0;

	if (!rspb_book_ledger() || !rspb_observe->dependents_expected)
		return;
	rspb_observe->dependents_expected = false;
	config = rspb_settings_get();
	while ((all = rspb_after_noted(&n)) && i < n && find_next(&i, &what, &end, now)) {
		if (what == NOTHING)
			continue;
		if (act(&all[i], what, config, end, now))
			i++;
		else
			rspb_after_forget(all[i].id);
		/* Leave time for requests that wait for a decision. The next run begins with the
		 * first again. */
		rspb_observe->dependents_expected = rspb_section_clock_us() > began + RUN_US;
		if (rspb_observe->dependents_expected)
			break;
		rspb_breathe();
	}
}
