/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/decide/commit.h"

#include <inttypes.h>

#include "common/conf/limits.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/breath.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/book/no_show.h"
#include "plugins/ctld/decide/since.h"
#include "plugins/ctld/post/journal.h"

/* RET whether it is decided for good. */
static bool accept(const struct rspb_ask *ask,
		   const struct rspb_booking *booking,
		   const struct rspb_config *config, struct rspb_since *since)
{
	struct rspb_record record = {
		.kind = RSPB_REC_BOOK,
		.time = since->planned_at,
		.id = booking->request->id,
		.booking = booking,
	};
	const struct rspb_kind *kind = rspb_kind_of(ask->request);
	struct rspb_err err;

	if (!rspb_since_leaves(since, booking))
		return false;
	if (rspb_limits_grant(rspb_book_ledger(), booking,
			      rspb_no_show_held(booking->request->user,
						since->planned_at),
			      config, &err)) {
		rspb_journal_refuse(booking->request->id, err.text);
		kind->refuse(ask, err.text, config);
		return true;
	}
	if (rspb_book_apply(&record, &err)) {
		rspb_log_error("job %" PRIu64 ": %s", booking->request->id,
			       err.text);
		return false;
	}
	if (kind->commit(ask, booking, config, &err)) {
		rspb_book_event(booking->request->id, RSPB_EV_CANCEL,
				since->planned_at, err.text, NULL);
		kind->refuse(ask, err.text, config);
	}
	return true;
}

static bool decide(const struct rspb_ask *ask,
		   const struct rspb_booking *decision,
		   const struct rspb_config *config, struct rspb_since *since)
{
	const struct rspb_kind *kind = rspb_kind_of(ask->request);

	if (!kind->waits(ask))
		return true;
	if (!decision) {
		rspb_journal_refuse(ask->request->id, ask->refusal.text);
		kind->refuse(ask, ask->refusal.text, config);
		return true;
	}
	if (decision->state != RSPB_BOOKED) {
		kind->refuse(ask, decision->reason, config);
		return true;
	}
	return accept(ask, decision, config, since);
}

size_t rspb_commit_batch(const struct rspb_asks *asks,
			 struct rspb_booking *const *decisions,
			 const struct rspb_config *config, uint64_t table,
			 int64_t planned_at)
{
	struct rspb_since since;
	struct rspb_section section;
	size_t i = 0, done = 0;

	rspb_since_init(&since, config, planned_at);
	while (i < asks->n) {
		rspb_breathe();
		if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "commit"))
			break;
		rspb_since_again(&since);
		if (rspb_node_fingerprint() != table) {
			rspb_section_leave(&section);
			break;
		}
		do {
			done += decide(&asks->items[i], decisions[i], config,
				       &since);
			i++;
			section.items++;
		} while (i < asks->n && !rspb_section_spent(&section));
		rspb_section_leave(&section);
	}
	rspb_since_fini(&since);
	return done;
}
