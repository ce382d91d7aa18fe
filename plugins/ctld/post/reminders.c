/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds letters that are due at a time and not by a change. letters.c writes them. */
#include "plugins/ctld/post/letters.h"

#include <string.h>

#include "plugins/compat/resv.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/post/state.h"

enum { REMIND_EVERY_S = 3 };

/* After a restart or a step of the clock the same time comes again. The outbox knows what was
 * written. */
static void tell_once(const struct rspb_reader *reader, enum rspb_letter_event event,
		      const struct rspb_contract *contract, int64_t now)
{
	if (!rspb_letters_written(reader, event, contract))
		rspb_letters_write(reader, event, contract, now);
}

/* A requeued job starts in what is left of its time slot, later than its contract says and at
 * once: its owner needs no reminder. */
static void tell_job(const struct rspb_booking *b, bool firm, int64_t now)
{
	struct rspb_contract contract;
	struct rspb_reader reader;
	struct rspb_job job;

	if (!rspb_job_find((uint32_t) b->request->id, &job) || !job.contract ||
	    job.phase != RSPB_JOB_PENDING || !rspb_letters_wanted(&job) ||
	    rspb_contract_parse(job.contract, &contract, NULL) || contract.start != b->start)
		return;
	reader = rspb_letters_reader(&job);
	tell_once(&reader, firm ? RSPB_LETTER_FIRM : RSPB_LETTER_REMINDER, &contract, now);
}

/* A booking without an owner is an operator's, and nobody is reminded of it. */
static void tell_reserved(uint64_t id, int64_t now)
{
	struct rspb_contract contract;
	struct rspb_reader reader;
	struct rspb_resv resv;

	if (!rspb_resv_find_id(rspb_reserved_number(id), 0, &resv) || !resv.tag ||
	    rspb_contract_parse(resv.tag, &contract, NULL) || !contract.owner)
		return;
	if (resv.nodes && strlen(resv.nodes) < sizeof(contract.on))
		strcpy(contract.on, resv.nodes);
	reader = rspb_letters_resv(resv.name, resv.id, &contract);
	tell_once(&reader, RSPB_LETTER_REMINDER, &contract, now);
}

/* RET seconds before the start; 0: no reminder. */
static int64_t lead_of(const struct rspb_booking *b, const struct rspb_config *config)
{
	return b->request->remind ? b->request->remind : config->remind;
}

/* Whether the time `lead` before the start has come after the second `after`. A booking that was
 * made later than that needs no reminder. For bookings that are numbered from their start on
 * (proposal.c), the time of the last change is not known. */
static bool is_due(const struct rspb_booking *b, int64_t lead, int64_t after, int64_t now)
{
	int64_t at = b->start - lead;

	return lead && at > after && at <= now && b->start > now &&
	       (b->decided_at < at || b->decided_at >= b->start);
}

static void note_next(const struct rspb_booking *b, int64_t lead, int64_t now)
{
	int64_t at = b->start - lead;

	if (lead && at > now && at < rspb_post->reminded.next)
		rspb_post->reminded.next = at;
}

struct due {
	bool remind, firm;
};

static struct due look_at(const struct rspb_booking *b, const struct rspb_config *config,
			  int64_t now)
{
	bool has_jobs = !rspb_reserved_is(b->request->id);
	int64_t lead = lead_of(b, config);
	int64_t firm = rspb_booking_firm_from(b) ? b->request->moves : 0;
	struct due due = { false, false };

	/* Reservations of groups are reminded of, too. Only jobs are told that their start is
	 * fixed. */
	if (b->state != RSPB_BOOKED || (!has_jobs && !rspb_reserved_owner(b->request)))
		return due;
	note_next(b, lead, now);
	note_next(b, firm, now);
	due.remind = is_due(b, lead, rspb_post->reminded.until, now);
	/* A decision may have fixed the start in the second of the last look, after that. */
	due.firm = has_jobs && is_due(b, firm, rspb_post->reminded.until - 1, now);
	return due;
}

static void tell_owner(const struct rspb_booking *b, struct due due, int64_t now)
{
	uint64_t id = b->request->id;

	if (due.firm)
		tell_job(b, true, now);
	if (due.remind && rspb_reserved_is(id))
		tell_reserved(id, now);
	else if (due.remind)
		tell_job(b, false, now);
}

/* Whether there is nothing to do. A few seconds do not matter to a reminder, and the next one
 * is known until the book changes. If the clock was set back, all is looked at again. */
static bool rests(int64_t now)
{
	return now >= rspb_post->reminded.until &&
	       (now < rspb_post->reminded.until + REMIND_EVERY_S ||
		(now < rspb_post->reminded.next &&
		 rspb_post->reminded.version == rspb_book_version()));
}

void rspb_reminders_run(const struct rspb_config *config, int64_t now)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	struct rspb_section section = { .what = NULL };

	if (rspb_post->reminded.lead != config->remind)
		/* With another Remind=, times that are past may be due now. The outbox drops
		 * those that were told. */
		rspb_post->reminded.until = rspb_post->reminded.next = 0;
	rspb_post->reminded.lead = config->remind;
	if (!ledger || rests(now))
		return;
	rspb_post->reminded.next = INT64_MAX;
	rspb_post->reminded.version = rspb_book_version();
	for (size_t i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);
		struct due due = look_at(b, config, now);

		if (!due.remind && !due.firm) {
			/* Tens of thousands may lie between two that are due. */
			rspb_section_end(&section);
			continue;
		}
		if (!rspb_section_next(&section, RSPB_LOCK_READ, "remind")) {
			rspb_post->reminded.next = 0;
			return;
		}
		tell_owner(b, due, now);
	}
	rspb_section_end(&section);
	rspb_post->reminded.until = now;
}
