/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/decide/silent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/compat/node.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/kind.h"

enum { ANSWER_MS = 30000 }; /* how long nodes get to answer after a start */

static int64_t until; /* ms: then they count as they are; 0: not yet known */

void rspb_silent_reset(void)
{
	until = 0;
}

/* RET the names of nodes that are silent, owned; NULL: there are none. */
static char *names_of_silent(void)
{
	struct rspb_nodeset *silent = rspb_nodeset_create(
		rspb_ledger_nodes(rspb_book_ledger()));
	struct rspb_section section;
	char *names = NULL;

	if (silent && rspb_section_enter(&section, RSPB_LOCK_READ, "silent")) {
		rspb_node_silent(silent);
		if (!rspb_nodeset_empty(silent))
			names = rspb_node_names(silent);
		rspb_section_leave(&section);
	}
	rspb_nodeset_destroy(silent);
	return names;
}

static char *awaited(int64_t now_ms)
{
	char *names = NULL;

	if (!until)
		until = now_ms + ANSWER_MS;
	if (now_ms < until)
		names = names_of_silent();
	if (!names)
		until = now_ms;
	return names;
}

bool rspb_silent_wait(int64_t now_ms)
{
	char *names = awaited(now_ms);

	free(names);
	return names;
}

static void tell(const struct rspb_ask *ask, const char *why)
{
	const struct rspb_kind *kind = rspb_kind_of(ask->request);
	struct rspb_section section;

	if (!ask->n_jobs || !strcmp(ask->contracts[0].reason, why) ||
	    !rspb_section_enter(&section, RSPB_LOCK_WRITE, "silent"))
		return;
	if (kind->waits(ask))
		kind->tell(ask->request->id, why);
	rspb_section_leave(&section);
}

size_t rspb_silent_hold(const struct rspb_asks *asks,
			struct rspb_booking **decisions, int64_t now_ms)
{
	char *names = awaited(now_ms);
	char why[RSPB_ERR_TEXT];
	size_t n = 0;

	if (!names)
		return 0;
	snprintf(why, sizeof(why),
		 "slurmctld has just started and waits, for up to %d s, until "
		 "%.100s%s answered",
		 ANSWER_MS / 1000, names,
		 strpbrk(names, "[,") ? " have" : " has");
	free(names);
	for (size_t i = 0; i < asks->n; i++) {
		if (!decisions[i] || decisions[i]->state == RSPB_BOOKED)
			continue;
		rspb_booking_destroy(decisions[i]);
		decisions[i] = NULL;
		tell(&asks->items[i], why);
		n++;
	}
	return n;
}
