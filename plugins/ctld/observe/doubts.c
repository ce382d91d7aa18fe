/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Remembers what is known against bookings that are to start, and tells their owners. recheck.c
 * finds them, watch/threat.c helps. */
#include "plugins/ctld/observe/doubts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
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

/* Items are large, and an outage of all nodes adds thousands at once, so pointers are sorted. */
static int by_id(const void *a, const void *b)
{
	const struct rspb_trouble *const *x = a, *const *y = b;

	return rspb_array_by_u64(*x, *y);
}

struct rspb_trouble *rspb_trouble_find(uint64_t id)
{
	const struct rspb_trouble key = { .id = id }, *sought = &key;
	struct rspb_trouble **at = rspb_array_find(&sought, rspb_observe->told.items,
						   rspb_observe->told.n,
						   sizeof(*rspb_observe->told.items), by_id);

	return at ? *at : NULL;
}

static size_t place_of(const struct rspb_trouble *notice)
{
	return rspb_array_place(&notice, rspb_observe->told.items, rspb_observe->told.n,
				sizeof(*rspb_observe->told.items), by_id);
}

struct rspb_trouble *rspb_trouble_add(uint64_t id)
{
	struct rspb_trouble *new = calloc(1, sizeof(*new));

	if (!new)
		return NULL;
	new->id = id;
	if (rspb_array_insert(&rspb_observe->told.items, &rspb_observe->told.room,
			      &rspb_observe->told.n, place_of(new), &new, sizeof(new)))
		return new;
	free(new);
	return NULL;
}

void rspb_trouble_forget(struct rspb_trouble *notice)
{
	rspb_array_remove(rspb_observe->told.items, &rspb_observe->told.n,
			  rspb_observe->told.items + place_of(notice), sizeof(notice));
	free(notice);
}

/* The second part is the table of doubts. */

static struct rspb_doubts_row *row_of(uint64_t id)
{
	return rspb_array_find(&id, rspb_doubts->rows, rspb_doubts->n, sizeof(*rspb_doubts->rows),
			       rspb_array_by_u64);
}

static void clear(struct rspb_doubts_row *row)
{
	for (int i = 0; i < RSPB_N_DOUBTS; i++)
		free(row->text[i]);
}

static bool is_known(const struct rspb_doubts_row *row)
{
	for (int i = 0; i < RSPB_N_DOUBTS; i++)
		if (row->text[i])
			return true;
	return row->node != RSPB_UNFIT_NONE;
}

/* Add a row for a booking that has none. Pointers to other rows are not good any more. RET NULL:
 * out of memory. */
static struct rspb_doubts_row *add(uint64_t id)
{
	const struct rspb_doubts_row new = { .id = id, .node = RSPB_UNFIT_NONE };
	size_t at = rspb_array_place(&id, rspb_doubts->rows, rspb_doubts->n, sizeof(new),
				     rspb_array_by_u64);

	return rspb_array_insert(&rspb_doubts->rows, &rspb_doubts->room, &rspb_doubts->n, at, &new,
				 sizeof(new));
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
	return rspb_array_find(&id, rspb_observe->attempts.items, rspb_observe->attempts.n,
			       sizeof(*rspb_observe->attempts.items), rspb_array_by_u64);
}

uint32_t rspb_attempt_count(uint64_t id)
{
	const struct rspb_attempt new = { .id = id };
	struct rspb_attempt *attempt = attempt_of(id);

	if (!attempt)
		attempt = rspb_array_insert(&rspb_observe->attempts.items,
					    &rspb_observe->attempts.room, &rspb_observe->attempts.n,
					    rspb_array_place(&id, rspb_observe->attempts.items,
							     rspb_observe->attempts.n, sizeof(new),
							     rspb_array_by_u64),
					    &new, sizeof(new));
	/* Without memory each attempt counts as the first. */
	return attempt ? ++attempt->count : 1;
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
	rspb_array_remove(rspb_observe->attempts.items, &rspb_observe->attempts.n, attempt_of(id),
			  sizeof(struct rspb_attempt));
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
	for (size_t i = 0; *list && i < rspb_doubts->n; i++)
		if (rspb_doubts->rows[i].node != RSPB_UNFIT_NONE)
			(*list)[n++] = (struct rspb_overfull){ rspb_doubts->rows[i].id,
							       rspb_doubts->rows[i].node,
							       "what its job requests" };
	return n;
}

void rspb_doubts_tidy(bool (*looked_at)(const struct rspb_booking *b))
{
	size_t kept = 0;

	rspb_doubts->unfit = 0;
	for (size_t i = 0; i < rspb_doubts->n; i++) {
		struct rspb_doubts_row row = rspb_doubts->rows[i];

		if (is_known(&row) && looked_at(rspb_ledger_find(rspb_book_ledger(), row.id))) {
			rspb_doubts->rows[kept++] = row;
			rspb_doubts->unfit += row.node != RSPB_UNFIT_NONE;
		} else {
			clear(&row);
		}
	}
	rspb_doubts->n = kept;
}

void rspb_doubts_reset(void)
{
	/* The mark never goes back. Whoever compares it must see that the unsuitable nodes are
	 * forgotten. */
	uint64_t mark = rspb_doubts->mark + (rspb_doubts->unfit != 0);

	for (size_t i = 0; i < rspb_doubts->n; i++)
		clear(&rspb_doubts->rows[i]);
	free(rspb_doubts->rows);
	memset(rspb_doubts, 0, sizeof(*rspb_doubts));
	rspb_doubts->mark = mark;
	for (size_t i = 0; i < rspb_observe->told.n; i++)
		free(rspb_observe->told.items[i]);
	free(rspb_observe->told.items);
	memset(&rspb_observe->told, 0, sizeof(rspb_observe->told));
}
