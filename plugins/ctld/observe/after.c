/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Knows which booked jobs wait for others, and when these end. It moves none:
 * observe/dependents.c does. */
#include "plugins/ctld/observe/following.h"

#include <stdlib.h>

#include "common/base/array.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/observe/state.h"

/* A job that waits for more than WAITED_MOST jobs is treated like one that waits for a job without
 * a booking. AGAIN_S is the base of the pause between two tries, in seconds. */
enum { WAITED_MOST = 1024, AGAIN_S = 20 };

/* RET the end of the time slot of a job, 0: it has none. All components of a heterogeneous job
 * share the booking of their leader. */
static int64_t end_of(uint32_t id)
{
	const struct rspb_booking *b;
	struct rspb_job job;

	if (!rspb_job_find(id, &job))
		return 0;
	b = rspb_ledger_find(rspb_book_ledger(), job.leader);
	return b && !rspb_state_final(b->state) ? b->end : 0;
}

bool rspb_after_booked(const struct rspb_job *job, int64_t *end)
{
	uint32_t ids[WAITED_MOST];
	int n = rspb_job_waits_for(job, ids, WAITED_MOST);

	*end = 0;
	for (int i = 0; i < n; i++) {
		int64_t one = end_of(ids[i]);

		/* A single dependency on a job without a booking makes the time unknown. */
		if (!one)
			return false;
		if (one > *end)
			*end = one;
	}
	/* A negative count stands for a dependency on something else than the ends of jobs. */
	return n >= 0;
}

bool rspb_after_never(const struct rspb_job *job)
{
	return job->dependent && rspb_job_waits_for(job, NULL, 0) == RSPB_JOB_WAITS_NEVER;
}

/* Without memory the job is not noted. Its booking then keeps its start, even if the job that it
 * waits for ends later. */
void rspb_after_note(uint32_t id)
{
	for (size_t i = 0; i < rspb_observe->after.n; i++)
		if (rspb_observe->after.items[i].id == id)
			return;
	if (!rspb_array_grow(&rspb_observe->after.items, &rspb_observe->after.room,
			     rspb_observe->after.n + 1, sizeof(*rspb_observe->after.items)))
		rspb_observe->after.items[rspb_observe->after.n++] = (struct rspb_after){
			.id = id
		};
}

struct rspb_after *rspb_after_noted(size_t *n)
{
	*n = rspb_observe->after.n;
	return rspb_observe->after.items;
}

void rspb_after_forget(uint32_t id)
{
	for (size_t i = 0; i < rspb_observe->after.n; i++)
		/* Fill the gap with the last item. A caller that goes through the list therefore
		 * looks at the same index again. */
		if (rspb_observe->after.items[i].id == id) {
			rspb_observe->after.items[i] =
				rspb_observe->after.items[--rspb_observe->after.n];
			return;
		}
}

void rspb_after_failed(struct rspb_after *after, int64_t behind, int64_t now)
{
	after->tries = after->behind == behind ? after->tries + 1 : 1;
	after->behind = behind;
	after->tried = now;
}

bool rspb_after_rests(const struct rspb_after *after, const struct rspb_booking *booking,
		      int64_t behind, int64_t now)
{
	/* A decision that is newer than the last try may have made the place that was missing. */
	return after->tries && after->behind == behind && booking->decided_at <= after->tried &&
	       now < after->tried + rspb_backoff(AGAIN_S, after->tries);
}
