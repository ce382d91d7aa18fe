/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds bookings of which something is to be said, with few looks at those of which
 * nothing has changed. What that is verdict.c says, who acts on it lifecycle.c. */
#include "plugins/ctld/following/findings.h"

#include <stdlib.h>

#include "common/base/array.h"
#include "plugins/ctld/asking/changed.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/kind.h"

/* Each has its turn to be looked at, whatever is known of it: so often, so many
 * parts of all. */
enum { TURN_S = 10, TURNS = 6 };
/* To ask Slurm for the reservations of more than these costs more than to walk
 * its list once. */
enum { FEW = 8 };
/* After so many it is asked what they have taken. */
enum { STEP = 64 };

static struct {
	int64_t at;  /* when some had theirs, 0: all have */
	size_t next; /* in the order of the ledger */
} turn;
static int64_t others; /* as compat/resv.h has them */

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

static void judge_one(const struct rspb_booking *b, const struct look *look)
{
	struct findings *findings = look->findings;
	enum rspb_verdict verdict;

	if (!b || rspb_state_final(b->state) || !rspb_kind_of(b->request)->has_jobs)
		return;
	verdict = rspb_verdict_of(b, look->keys, look->config, look->now);
	if (verdict != RSPB_VERDICT_KEEP &&
	    !rspb_array_grow(&findings->items, &findings->room, findings->n + 1,
			     sizeof(*findings->items)))
		findings->items[findings->n++] = (struct rspb_finding){
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

/* As many as a section has time for. RET whether there are others. */
static bool judge_turn(struct look *look, const struct rspb_section *section)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();

	while (look->next < rspb_ledger_count(ledger)) {
		size_t i = look->next++;
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

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

/* Choose what to look at: only the bookings of which something may have changed. RET false: the
 * section is left, slurmctld is going down. */
static bool look_begin(struct look *look, struct rspb_section *section)
{
	bool all, inside;

	look->ended = rspb_changed_look(section, &inside);
	if (!inside)
		return false;
	look->n = rspb_changed_jobs(&look->ids);
	all = look->n < 0 || !turn.at;
	if (all)
		look->n = 0;
	take_turn(look, all);
	look->resvs = all || rspb_resv_others() != others;
	others = rspb_resv_others();
	look->listed = look->resvs || look->to || look->n > FEW;
	return true;
}

/* RET whether there is more to look at. */
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

/* Slurm's reservations are listed anew in each section: none of them outlives one. RET
 * as above. */
static bool look_listed(struct look *look, const struct rspb_section *section)
{
	struct rspb_resv_keys keys;
	bool more;

	if (rspb_resv_keys_init(&keys)) {
		turn.at = 0;
		return false;
	}
	look->keys = &keys;
	more = look_on(look, section);
	look->keys = NULL;
	rspb_resv_keys_fini(&keys);
	return more;
}

size_t rspb_findings_make(const struct rspb_config *config, int64_t now, struct rspb_finding **out)
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

void rspb_findings_reset(void)
{
	rspb_changed_reset();
	turn.at = 0;
}
