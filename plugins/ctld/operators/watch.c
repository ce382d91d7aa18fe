/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/operators/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"

/* No job has this number. */
#define NO_JOB UINT64_C(0xffffffff)
enum { NUMBER_SHIFT = 32, COUNT_SHIFT = 48, COUNT_MAX = 1 << 12 };

static struct {
	size_t n;
	int64_t earliest;
} waiting = { 0, INT64_MAX };

void rspb_door_reset(void)
{
	waiting.n = 0;
	waiting.earliest = INT64_MAX;
}

size_t rspb_door_waiting(int64_t *earliest)
{
	if (waiting.earliest < *earliest)
		*earliest = waiting.earliest;
	return waiting.n;
}

bool rspb_door_is(uint64_t id)
{
	return id > NO_JOB && (id & NO_JOB) == NO_JOB;
}

/* A reservation may be booked again after its booking was given up. */
static uint64_t id_of(uint32_t reservation, uint64_t count)
{
	return count << COUNT_SHIFT | (uint64_t) reservation << NUMBER_SHIFT |
	       NO_JOB;
}

uint32_t rspb_door_number(uint64_t id)
{
	return id >> NUMBER_SHIFT & 0xffff;
}

uint64_t rspb_door_new_id(const struct rspb_ledger *ledger,
			  uint32_t reservation)
{
	uint64_t count = 0;

	while (count < COUNT_MAX &&
	       rspb_ledger_find(ledger, id_of(reservation, count)))
		count++;
	return id_of(reservation, count);
}

const struct rspb_booking *rspb_door_find(uint32_t reservation)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	const struct rspb_booking *b;
	uint64_t count = 0;

	do {
		b = ledger ? rspb_ledger_find(ledger,
					      id_of(reservation, count++))
			   : NULL;
	} while (b && rspb_state_final(b->state));
	return b;
}

static bool too_long(const struct rspb_resv *resv)
{
	return strlen(resv->name) >= RSPB_DOOR_NAME ||
	       strlen(resv->tag) >= RSPB_TAG_TEXT;
}

bool rspb_door_snap(const struct rspb_resv *resv, struct rspb_door *out)
{
	if (!resv->tag || too_long(resv))
		return false;
	out->id = resv->id;
	out->start = resv->start;
	out->end = resv->end;
	strcpy(out->name, resv->name);
	strcpy(out->tag, resv->tag);
	return true;
}

bool rspb_door_same(const struct rspb_door *door, const struct rspb_resv *resv)
{
	return resv->tag && resv->id == door->id &&
	       resv->start == door->start && resv->end == door->end &&
	       !strcmp(resv->tag, door->tag);
}

/* Reservations of jobs and the waiting room carry texts of ours, too. */
static bool meant_for_us(const struct rspb_resv *resv)
{
	return rspb_tag_ours(resv->tag) &&
	       strncmp(resv->name, RSPB_BOOKING_PREFIX,
		       strlen(RSPB_BOOKING_PREFIX));
}

int64_t rspb_door_end(uint32_t reservation)
{
	struct rspb_resv resv;

	if (!rspb_resv_find_id(reservation, 0, &resv) || !meant_for_us(&resv) ||
	    !rspb_tag_answered(resv.tag))
		return INT64_MAX;
	return resv.end;
}

/* Slurm itself moves the start of one that has begun when its users change. */
static bool as_booked(const struct rspb_resv *resv,
		      const struct rspb_booking *b, int64_t now)
{
	struct rspb_nodeset *nodes;
	bool same;

	if (!rspb_tag_answered(resv->tag) || resv->end != b->end ||
	    (b->start > now && resv->start != b->start))
		return false;
	nodes = rspb_nodeset_create(b->grants[0].nodes->width);
	if (!nodes)
		return true;
	if (resv->has_nodes)
		rspb_resv_nodes(resv, nodes);
	same = rspb_nodeset_equal(nodes, b->grants[0].nodes);
	rspb_nodeset_destroy(nodes);
	return same;
}

enum rspb_door_verdict rspb_door_judge(const struct rspb_resv *resv,
				       const struct rspb_booking *b,
				       int64_t now)
{
	struct rspb_contract contract;

	if (b && (!resv || !meant_for_us(resv)))
		return RSPB_DOOR_GONE;
	if (!resv || !meant_for_us(resv))
		return RSPB_DOOR_KEEP;
	if (b && b->end <= now)
		return RSPB_DOOR_OVER;
	if (b)
		return as_booked(resv, b, now) ? RSPB_DOOR_KEEP
					       : RSPB_DOOR_CHANGED;
	if (!rspb_tag_answered(resv->tag))
		return resv->has_nodes || too_long(resv) ? RSPB_DOOR_ODD
							 : RSPB_DOOR_WAITS;
	if (rspb_contract_parse(resv->tag, &contract, NULL) || resv->end <= now)
		return RSPB_DOOR_KEEP;
	if (rspb_state_final(contract.state))
		/* Another window than the one that was declined is asked. */
		return !resv->has_nodes && (resv->start != contract.start ||
					    resv->end != contract.end)
			       ? RSPB_DOOR_WAITS
			       : RSPB_DOOR_KEEP;
	return resv->has_nodes ? RSPB_DOOR_ADOPT : RSPB_DOOR_WAITS;
}

void rspb_door_text(const struct rspb_booking *b, char *text)
{
	const struct rspb_part *part = &b->request->parts[0];
	struct rspb_contract contract = {
		.flags = { .book = true,
			   .asap = b->request->asap,
			   .has_benefit = part->has_benefit,
			   .benefit = part->benefit },
	};

	rspb_report_contract(b, 0, &contract);
	rspb_contract_print(&contract, text, RSPB_CONTRACT_TEXT);
}

/* Write the state of a booking where its operator looks. */
static void report(uint64_t id)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), id);
	char text[RSPB_CONTRACT_TEXT];
	struct rspb_resv resv;

	if (!b || !rspb_resv_find_id(rspb_door_number(id), 0, &resv) ||
	    !meant_for_us(&resv))
		return;
	rspb_door_text(b, text);
	rspb_resv_set_tag(resv.name, text);
}

static void event(const struct rspb_booking *b, enum rspb_event event,
		  int64_t now, const char *reason)
{
	uint64_t id = b->request->id;
	struct rspb_err err;

	if (rspb_book_event(id, event, now, reason, &err))
		rspb_log_error("reservation %u: %s", rspb_door_number(id),
			       err.text);
	else
		report(id);
}

void rspb_door_start(uint64_t id, int64_t now)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), id);

	if (!b || b->state != RSPB_BOOKED)
		return;
	event(b, RSPB_EV_START, now, NULL);
	/* Its jobs are Slurm's to start, which may look twice a minute. */
	rspb_ctld_schedule();
}

void rspb_door_tell(uint64_t id, const char *text)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), id);
	char line[RSPB_CONTRACT_TEXT];
	struct rspb_booking *told;
	struct rspb_resv resv;

	if (!b || !rspb_resv_find_id(rspb_door_number(id), 0, &resv) ||
	    !meant_for_us(&resv))
		return;
	told = rspb_booking_clone(b);
	if (!told)
		return;
	snprintf(told->reason, sizeof(told->reason), "%s", text);
	rspb_door_text(told, line);
	rspb_resv_set_tag(resv.name, line);
	rspb_booking_destroy(told);
}

static void finish(const struct rspb_booking *b, enum rspb_door_verdict verdict,
		   int64_t now)
{
	uint32_t reservation = rspb_door_number(b->request->id);

	if (verdict == RSPB_DOOR_OVER || b->end <= now) {
		if (b->state == RSPB_BOOKED)
			rspb_book_event(b->request->id, RSPB_EV_START, now,
					NULL, NULL);
		b = rspb_door_find(reservation);
		if (b)
			event(b, RSPB_EV_END, now, NULL);
		return;
	}
	rspb_log_info("reservation %u is no booking any more", reservation);
	event(b, b->state == RSPB_BOOKED ? RSPB_EV_CANCEL : RSPB_EV_TERMINATE,
	      now, "its reservation was deleted, or its tag was taken away");
}

/* It stays an ordinary reservation, and says so. */
static void decline(const struct rspb_resv *resv, const char *reason)
{
	struct rspb_contract contract = {
		.state = RSPB_DECLINED,
		.start = resv->start,
		.end = resv->end,
	};
	char text[RSPB_CONTRACT_TEXT];

	snprintf(contract.reason, sizeof(contract.reason), "%s", reason);
	rspb_contract_print(&contract, text, sizeof(text));
	rspb_resv_set_tag(resv->name, text);
	rspb_log_info("reservation %s declined: %s", resv->name, reason);
}

static void adopt(const struct rspb_resv *resv, int64_t now)
{
	struct rspb_record record = { .kind = RSPB_REC_BOOK, .time = now };
	struct rspb_booking *b = rspb_door_rebuild(
		resv, rspb_ledger_nodes(rspb_book_ledger()), now);
	struct rspb_err err = { "its text cannot be read" };

	if (b) {
		b->request->id = rspb_door_new_id(rspb_book_ledger(), resv->id);
		record.id = b->request->id;
		record.booking = b;
	}
	if (!b || rspb_book_apply(&record, &err))
		decline(resv, err.text);
	rspb_booking_destroy(b);
}

/* One reservation or booking about which something is to be done. */
struct finding {
	uint32_t reservation;
	enum rspb_door_verdict verdict;
};

struct look {
	int64_t now, earliest;
	size_t n, room, n_waiting;
	struct finding *items;
};

static void note(struct look *look, uint32_t reservation,
		 enum rspb_door_verdict verdict)
{
	if (rspb_array_grow(&look->items, &look->room, look->n + 1,
			    sizeof(*look->items)))
		return;
	look->items[look->n++] = (struct finding){ reservation, verdict };
}

static int look_at(const struct rspb_resv *resv, void *arg)
{
	struct look *look = arg;
	enum rspb_door_verdict verdict;

	if (!meant_for_us(resv))
		return 0;
	verdict = rspb_door_judge(resv, rspb_door_find(resv->id), look->now);
	if (verdict == RSPB_DOOR_WAITS) {
		look->n_waiting++;
		if (resv->start < look->earliest)
			look->earliest = resv->start;
	} else if (verdict != RSPB_DOOR_KEEP) {
		note(look, resv->id, verdict);
	}
	return 0;
}

/* Bookings whose reservation is not there any more. */
static void look_for_gone(struct look *look)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	struct rspb_resv resv;

	for (size_t i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);
		uint32_t id = rspb_door_number(b->request->id);

		if (rspb_door_is(b->request->id) &&
		    !rspb_state_final(b->state) &&
		    (!rspb_resv_find_id(id, look->now, &resv) ||
		     !meant_for_us(&resv)))
			note(look, id, RSPB_DOOR_GONE);
	}
}

/* Wants the write lock; what was found may be past already. */
static void follow(const struct finding *finding, int64_t now)
{
	const struct rspb_booking *b = rspb_door_find(finding->reservation);
	struct rspb_resv resv;
	bool there = rspb_resv_find_id(finding->reservation, now, &resv);

	if (rspb_door_judge(there ? &resv : NULL, b, now) != finding->verdict)
		return;
	if (finding->verdict == RSPB_DOOR_ADOPT)
		adopt(&resv, now);
	else if (finding->verdict == RSPB_DOOR_ODD)
		decline(&resv,
			resv.has_nodes
				? "it has nodes already and stays an ordinary "
				  "reservation; a request is made with Flags=ANY_NODES, "
				  "without nodes"
				: "its name or text is too long");
	else if (b)
		finish(b, finding->verdict, now);
}

static void follow_all(const struct look *look,
		       const struct rspb_config *config)
{
	struct rspb_section section;

	for (size_t i = 0; i < look->n; i++) {
		if (look->items[i].verdict == RSPB_DOOR_CHANGED) {
			rspb_door_change(look->items[i].reservation, config,
					 look->now);
			continue;
		}
		if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "door"))
			return;
		follow(&look->items[i], look->now);
		section.items++;
		rspb_section_leave(&section);
	}
}

void rspb_door_watch(const struct rspb_config *config, int64_t now)
{
	struct look look = { .now = now, .earliest = INT64_MAX };
	struct rspb_section section;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "door"))
		return;
	rspb_resv_each(now, look_at, &look);
	look_for_gone(&look);
	section.items = look.n + look.n_waiting;
	rspb_section_leave(&section);
	waiting.n = look.n_waiting;
	waiting.earliest = look.earliest;
	follow_all(&look, config);
	free(look.items);
}

struct recovery {
	struct rspb_ledger *ledger;
	int64_t now;
	size_t n;
};

static int recover_one(const struct rspb_resv *resv, void *arg)
{
	struct recovery *to = arg;
	struct rspb_record record = { .kind = RSPB_REC_BOOK, .time = to->now };
	struct rspb_booking *b;
	struct rspb_err err;

	if (!meant_for_us(resv) ||
	    rspb_door_judge(resv, NULL, to->now) != RSPB_DOOR_ADOPT)
		return 0;
	b = rspb_door_rebuild(resv, rspb_ledger_nodes(to->ledger), to->now);
	if (!b)
		return 0;
	b->request->id = rspb_door_new_id(to->ledger, resv->id);
	record.id = b->request->id;
	record.booking = b;
	if (rspb_ledger_apply(to->ledger, &record, &err))
		rspb_log_error("reservation %s had a booking that cannot be "
			       "kept: %s",
			       resv->name, err.text);
	else
		to->n++;
	rspb_booking_destroy(b);
	return 0;
}

size_t rspb_door_recover(struct rspb_ledger *ledger, int64_t now)
{
	struct recovery to = { .ledger = ledger, .now = now };

	rspb_resv_each(now, recover_one, &to);
	return to.n;
}
