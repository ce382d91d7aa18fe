/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Remembers what is known against bookings that are to start, and tells their owners. recheck.c
 * finds them, watch/threat.c helps. */
#include "plugins/ctld/observe/doubts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/base/hash.h"
#include "plugins/compat/ctld.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/observe/state.h"

/* The first part remembers what owners were told about obstacles. It tells nobody. */

size_t rspb_trouble_count(void)
{
	return rspb_observe->told.n;
}

struct rspb_trouble *rspb_trouble_at(size_t i)
{
	return rspb_observe->told.items[i];
}

/* RET the place of the first notice whose id is not lower, which is where a new one belongs. */
static size_t place_of_trouble(uint64_t id)
{
	size_t low = 0, high = rspb_observe->told.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (rspb_observe->told.items[middle]->id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct rspb_trouble *rspb_trouble_find(uint64_t id)
{
	size_t at = place_of_trouble(id);

	return at < rspb_observe->told.n && rspb_observe->told.items[at]->id == id
		       ? rspb_observe->told.items[at]
		       : NULL;
}

struct rspb_trouble *rspb_trouble_add(uint64_t id)
{
	struct rspb_trouble *notice;
	size_t at = place_of_trouble(id);

	if (rspb_array_grow(&rspb_observe->told.items, &rspb_observe->told.room,
			    rspb_observe->told.n + 1, sizeof(*rspb_observe->told.items)))
		return NULL;
	notice = calloc(1, sizeof(*notice));
	if (!notice)
		return NULL;
	notice->id = id;
	memmove(rspb_observe->told.items + at + 1, rspb_observe->told.items + at,
		(rspb_observe->told.n - at) * sizeof(*rspb_observe->told.items));
	rspb_observe->told.items[at] = notice;
	rspb_observe->told.n++;
	return notice;
}

void rspb_trouble_forget(struct rspb_trouble *notice)
{
	size_t at = place_of_trouble(notice->id);

	rspb_observe->told.n--;
	memmove(rspb_observe->told.items + at, rspb_observe->told.items + at + 1,
		(rspb_observe->told.n - at) * sizeof(*rspb_observe->told.items));
	free(notice);
}

/* The second part is the table of doubts. */

/* RET the row of an id, or the free row where it belongs. The table must have a free row, which
 * add() ensures. */
static struct rspb_doubts_row *place_of(uint64_t id)
{
	size_t at = rspb_hash_row(id, rspb_doubts->size);

	while (rspb_doubts->rows[at].id && rspb_doubts->rows[at].id != id)
		at = (at + 1) & (rspb_doubts->size - 1);
	return &rspb_doubts->rows[at];
}

static struct rspb_doubts_row *row_of(uint64_t id)
{
	struct rspb_doubts_row *row = rspb_doubts->size ? place_of(id) : NULL;

	return row && row->id ? row : NULL;
}

static void clear(struct rspb_doubts_row *row)
{
	for (int i = 0; i < RSPB_N_DOUBTS; i++)
		free(row->text[i]);
	*row = (struct rspb_doubts_row){ .id = 0 };
}

static bool is_known(const struct rspb_doubts_row *row)
{
	for (int i = 0; i < RSPB_N_DOUBTS; i++)
		if (row->text[i])
			return true;
	return row->node != RSPB_UNFIT_NONE;
}

/* Move all into a table of that size, but for those that rspb_doubts_tidy() forgets;
 * looked_at: NULL: none. RET false: out of memory, and all is as it was. */
static bool move_all(size_t size, bool (*looked_at)(const struct rspb_booking *b))
{
	struct rspb_doubts_row *old = rspb_doubts->rows, *new = calloc(size, sizeof(*new));
	size_t n = rspb_doubts->size;

	if (!new)
		return false;
	rspb_doubts->rows = new;
	rspb_doubts->size = size;
	rspb_doubts->n = rspb_doubts->unfit = 0;
	for (size_t i = 0; i < n; i++) {
		if (!old[i].id)
			continue;
		if (looked_at && !(is_known(&old[i]) &&
				   looked_at(rspb_ledger_find(rspb_book_ledger(), old[i].id)))) {
			clear(&old[i]);
			continue;
		}
		/* The texts go over to the new row. */
		*place_of(old[i].id) = old[i];
		rspb_doubts->n++;
		rspb_doubts->unfit += old[i].node != RSPB_UNFIT_NONE;
	}
	free(old);
	return true;
}

/* Add a row for a booking that has none. Pointers to other rows are not good any more. RET NULL:
 * out of memory. */
static struct rspb_doubts_row *add(uint64_t id)
{
	struct rspb_doubts_row *row;

	/* Half of the rows stay free, so that each search finds an end. */
	if (2 * (rspb_doubts->n + 1) > rspb_doubts->size &&
	    !move_all(rspb_doubts->size ? 2 * rspb_doubts->size : 16, NULL))
		return NULL;
	row = place_of(id);
	*row = (struct rspb_doubts_row){ .id = id, .node = RSPB_UNFIT_NONE };
	rspb_doubts->n++;
	return row;
}

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
	if (same(was, text) || (!row && !(row = add(id))) || (*text && !(copy = strdup(text))))
		return false;
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

/* The third part counts how often a late booking was tried in vain. */

static struct rspb_attempt *attempt_of(uint64_t id)
{
	for (size_t i = 0; i < rspb_observe->attempts.n; i++)
		if (rspb_observe->attempts.items[i].id == id)
			return &rspb_observe->attempts.items[i];
	return NULL;
}

uint32_t rspb_attempt_count(uint64_t id)
{
	struct rspb_attempt *attempt = attempt_of(id);

	if (attempt)
		return ++attempt->count;
	/* Without memory each attempt counts as the first. */
	if (rspb_array_grow(&rspb_observe->attempts.items, &rspb_observe->attempts.room,
			    rspb_observe->attempts.n + 1, sizeof(*rspb_observe->attempts.items)))
		return 1;
	rspb_observe->attempts.items[rspb_observe->attempts.n++] = (struct rspb_attempt){
		.id = id,
		.count = 1,
	};
	return 1;
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
	struct rspb_attempt *attempt = attempt_of(id);

	if (attempt)
		*attempt = rspb_observe->attempts.items[--rspb_observe->attempts.n];
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
	if (!row && !(row = add(id)))
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
	for (size_t i = 0; *list && i < rspb_doubts->size; i++)
		if (rspb_doubts->rows[i].id && rspb_doubts->rows[i].node != RSPB_UNFIT_NONE)
			(*list)[n++] = (struct rspb_overfull){ rspb_doubts->rows[i].id,
							       rspb_doubts->rows[i].node,
							       "what its job requests" };
	return n;
}

void rspb_doubts_tidy(bool (*looked_at)(const struct rspb_booking *b))
{
	/* Without memory for the new table all rows stay. */
	if (rspb_doubts->n)
		move_all(rspb_doubts->size, looked_at);
}

void rspb_doubts_reset(void)
{
	/* The mark never goes back. Whoever compares it must see that the unsuitable nodes are
	 * forgotten. */
	uint64_t mark = rspb_doubts->mark + (rspb_doubts->unfit != 0);

	for (size_t i = 0; i < rspb_doubts->size; i++)
		clear(&rspb_doubts->rows[i]);
	free(rspb_doubts->rows);
	memset(rspb_doubts, 0, sizeof(*rspb_doubts));
	rspb_doubts->mark = mark;
	for (size_t i = 0; i < rspb_observe->told.n; i++)
		free(rspb_observe->told.items[i]);
	free(rspb_observe->told.items);
	memset(&rspb_observe->told, 0, sizeof(rspb_observe->told));
}
