/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Remembers what is known against bookings that are to start, and tells their owners. recheck.c
 * finds them, watch/threat.c helps. */
#include "plugins/ctld/observe/following.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "plugins/compat/ctld.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/observe/state.h"

/* The table has a row for each booking of which anything is known. */

static struct rspb_doubts_row *row_of(uint64_t id)
{
	return rspb_array_find(&id, rspb_doubts->rows, rspb_doubts->n, sizeof(*rspb_doubts->rows),
			       rspb_array_by_u64);
}

/* RET the row of a booking, which gets one if it has none. Pointers to other rows are not good any
 * more. RET NULL: out of memory. */
static struct rspb_doubts_row *row_for(uint64_t id)
{
	const struct rspb_doubts_row new = { .id = id, .node = RSPB_UNFIT_NONE };
	struct rspb_doubts_row *row = row_of(id);
	size_t at;

	if (row)
		return row;
	at = rspb_array_place(&id, rspb_doubts->rows, rspb_doubts->n, sizeof(new),
			      rspb_array_by_u64);
	return rspb_array_insert(&rspb_doubts->rows, &rspb_doubts->room, &rspb_doubts->n, at, &new,
				 sizeof(new));
}

/* Forget the doubts of a row. */
static void clear(struct rspb_doubts_row *row)
{
	for (int i = 0; i < RSPB_N_DOUBTS; i++) {
		free(row->text[i]);
		row->text[i] = NULL;
	}
	row->node = RSPB_UNFIT_NONE;
}

static bool is_doubted(const struct rspb_doubts_row *row)
{
	for (int i = 0; i < RSPB_N_DOUBTS; i++)
		if (row->text[i])
			return true;
	return row->node != RSPB_UNFIT_NONE;
}

/* Remove a row of which nothing is known any more. */
static void drop_empty(struct rspb_doubts_row *row)
{
	if (!is_doubted(row) && !row->trouble && !row->attempt.count)
		rspb_array_remove(rspb_doubts->rows, &rspb_doubts->n, row, sizeof(*row));
}

/* Obstacles of which owners were told. The items are large, and live beside the rows. */

struct rspb_trouble *rspb_trouble_next(uint64_t after)
{
	const uint64_t id = after + 1;
	size_t i = rspb_array_place(&id, rspb_doubts->rows, rspb_doubts->n,
				    sizeof(*rspb_doubts->rows), rspb_array_by_u64);

	/* Mostly there is none, and many rows need not be looked at for that. */
	if (!rspb_doubts->troubles)
		return NULL;
	while (i < rspb_doubts->n && !rspb_doubts->rows[i].trouble)
		i++;
	return i < rspb_doubts->n ? rspb_doubts->rows[i].trouble : NULL;
}

struct rspb_trouble *rspb_trouble_find(uint64_t id)
{
	const struct rspb_doubts_row *row = row_of(id);

	return row ? row->trouble : NULL;
}

struct rspb_trouble *rspb_trouble_add(uint64_t id)
{
	struct rspb_trouble *new = calloc(1, sizeof(*new));
	struct rspb_doubts_row *row = new ? row_for(id) : NULL;

	if (!row) {
		free(new);
		return NULL;
	}
	new->id = id;
	row->trouble = new;
	rspb_doubts->troubles++;
	return new;
}

void rspb_trouble_forget(struct rspb_trouble *notice)
{
	struct rspb_doubts_row *row = row_of(notice->id);

	row->trouble = NULL;
	rspb_doubts->troubles--;
	free(notice);
	drop_empty(row);
}

/* Doubts: why a booking would not start. */

/* Compare two texts up to the first semicolon. The offers after it change with the other bookings,
 * which is no reason to tell the owner again. */
static bool same(const char *a, const char *b)
{
	size_t length = strcspn(a, ";");

	return strcspn(b, ";") == length && !strncmp(a, b, length);
}

bool rspb_doubt_note(uint64_t id, enum rspb_doubt cause, const char *text)
{
	struct rspb_doubts_row *row = row_of(id);
	const char *was = row && row->text[cause] ? row->text[cause] : "";
	char *copy = NULL;

	/* Copy before the old text is freed. Without memory the old text stays and nothing counts
	 * as news, so that the next look tries again. */
	if (same(was, text) || (*text && !(copy = strdup(text))))
		return false;
	row = row_for(id);
	if (!row) {
		free(copy);
		return false;
	}
	free(row->text[cause]);
	row->text[cause] = copy;
	return true;
}

const char *rspb_doubt_says(uint64_t id)
{
	const struct rspb_doubts_row *row = row_of(id);

	for (int i = 0; row && i < RSPB_N_DOUBTS; i++)
		if (row->text[i])
			return row->text[i];
	return NULL;
}

/* How often a late booking was tried in vain. */

static struct rspb_attempt *attempt_of(uint64_t id)
{
	struct rspb_doubts_row *row = row_of(id);

	return row && row->attempt.count ? &row->attempt : NULL;
}

uint32_t rspb_attempt_count(uint64_t id)
{
	struct rspb_doubts_row *row = row_for(id);

	/* Without memory each attempt counts as the first. */
	return row ? ++row->attempt.count : 1;
}

void rspb_attempt_refused(uint64_t id, bool refused)
{
	struct rspb_attempt *attempt = attempt_of(id);

	if (attempt)
		attempt->refused = refused;
}

bool rspb_attempt_tell(uint64_t id)
{
	struct rspb_attempt *attempt = attempt_of(id);

	if (!attempt || attempt->told)
		return false;
	attempt->told = true;
	return true;
}

void rspb_attempt_untell(uint64_t id)
{
	struct rspb_attempt *attempt = attempt_of(id);

	if (attempt)
		attempt->told = false;
}

const struct rspb_attempt *rspb_attempt_find(uint64_t id)
{
	return attempt_of(id);
}

void rspb_attempt_forget(uint64_t id)
{
	struct rspb_doubts_row *row = row_of(id);

	if (!row)
		return;
	row->attempt = (struct rspb_attempt){ .count = 0 };
	drop_empty(row);
}

/* Every doubt is told with this lead. After a restart, which forgets all doubts, the reason of a
 * booking is known by it to be one. */
#define LEAD "it cannot start: "

void rspb_doubt_tell(uint64_t id)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), id);
	const struct rspb_trouble *trouble = rspb_trouble_find(id);
	const char *doubt = rspb_doubt_says(id);
	char text[sizeof(LEAD) + RSPB_ERR_TEXT + RSPB_TROUBLE_OFFERS] = "";

	if (!b)
		return;
	if (doubt)
		snprintf(text, sizeof(text), "%s%s", strncmp(doubt, LEAD, strlen(LEAD)) ? LEAD : "",
			 doubt);
	else if (trouble)
		snprintf(text, sizeof(text), "%s%s", trouble->text, trouble->offers);
	if (!text[0])
		rspb_attempt_untell(id);
	rspb_log_info("booking %" PRIu64 ": %s", id,
		      text[0] ? text : "nothing prevents its start any more");
	rspb_kind_of(b->request)->tell(id, text);
}

bool rspb_doubt_outdated(const struct rspb_booking *b)
{
	return !strncmp(rspb_booking_why(b), LEAD, strlen(LEAD)) &&
	       !rspb_doubt_says(b->request->id);
}

/* The next change of the booking would bring its reason back into the contract. */
void rspb_doubt_withdraw(const struct rspb_booking *b)
{
	struct rspb_booking *new = rspb_booking_clone(b);
	struct rspb_err err;

	rspb_doubt_tell(b->request->id);
	if (!new)
		return;
	rspb_booking_say(new, "");
	if (rspb_book_change(new, rspb_ledger_now(rspb_book_ledger()), &err))
		rspb_log_error("booking %" PRIu64 ": %s", new->request->id, err.text);
	rspb_booking_destroy(new);
}

bool rspb_doubt_unfit(uint64_t id, uint32_t node)
{
	struct rspb_doubts_row *row = row_of(id);

	/* A booking without a row has no unsuitable node. */
	if ((row ? row->node : RSPB_UNFIT_NONE) == node)
		return false;
	row = row_for(id);
	if (!row)
		return true;
	rspb_doubts->unfit += row->node == RSPB_UNFIT_NONE;
	rspb_doubts->unfit -= node == RSPB_UNFIT_NONE;
	row->node = node;
	rspb_doubts->mark++;
	return true;
}

uint64_t rspb_doubts_mark(void)
{
	return rspb_doubts->mark;
}

size_t rspb_doubts_unfit(struct rspb_overfull **list)
{
	size_t n = 0;

	*list = rspb_doubts->unfit ? calloc(rspb_doubts->unfit, sizeof(**list)) : NULL;
	for (size_t i = 0; *list && i < rspb_doubts->n; i++)
		if (rspb_doubts->rows[i].node != RSPB_UNFIT_NONE)
			(*list)[n++] = (struct rspb_overfull){ rspb_doubts->rows[i].id,
							       rspb_doubts->rows[i].node,
							       "what its job requests" };
	return n;
}

void rspb_doubts_tidy(bool (*looked_at)(const struct rspb_booking *b))
{
	rspb_doubts->unfit = 0;
	for (size_t i = rspb_doubts->n; i-- > 0;) {
		struct rspb_doubts_row *row = &rspb_doubts->rows[i];

		if (!looked_at(rspb_ledger_find(rspb_book_ledger(), row->id)))
			clear(row);
		rspb_doubts->unfit += row->node != RSPB_UNFIT_NONE;
		drop_empty(row);
	}
}

void rspb_doubts_reset(void)
{
	/* The mark never goes back. Whoever compares it must see that the unsuitable nodes are
	 * forgotten. */
	uint64_t mark = rspb_doubts->mark + (rspb_doubts->unfit != 0);

	for (size_t i = 0; i < rspb_doubts->n; i++) {
		clear(&rspb_doubts->rows[i]);
		free(rspb_doubts->rows[i].trouble);
	}
	free(rspb_doubts->rows);
	memset(rspb_doubts, 0, sizeof(*rspb_doubts));
	rspb_doubts->mark = mark;
}
