/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/jobs/update.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/jobs/recheck.h"

/* More at a time are looked at when they start. */
enum { NOTED_MOST = 256 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uint32_t noted[NOTED_MOST];
static size_t n_noted;

void rspb_job_update_note(uint32_t job)
{
	pthread_mutex_lock(&mutex);
	if (n_noted < NOTED_MOST)
		noted[n_noted++] = job;
	pthread_mutex_unlock(&mutex);
}

/* RET 0: there is none. */
static uint32_t next_noted(void)
{
	uint32_t job;

	pthread_mutex_lock(&mutex);
	job = n_noted ? noted[--n_noted] : 0;
	pthread_mutex_unlock(&mutex);
	return job;
}

/* The nodes that it may have are others now. */
static void refresh(const struct rspb_booking *b, int64_t now)
{
	const struct rspb_kind *kind = rspb_kind_of(b->request);
	struct rspb_booking *new = rspb_booking_clone(b);
	struct rspb_record record = { .kind = RSPB_REC_CHANGE,
				      .time = now,
				      .booking = new };
	struct rspb_err err;

	if (!new || !kind->refresh)
		return;
	kind->refresh(new, NULL);
	if (rspb_book_apply(&record, &err))
		rspb_log_error("booking %" PRIu64 ": %s", b->request->id,
			       err.text);
	rspb_booking_destroy(new);
}

/* Wants the write lock. */
static void follow(uint64_t id, int64_t now)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), id);
	char text[RSPB_ERR_TEXT];
	struct rspb_err err;

	if (!b || b->state != RSPB_BOOKED)
		return;
	refresh(b, now);
	b = rspb_ledger_find(rspb_book_ledger(), id);
	if (!b || !rspb_recheck_start(b, &err))
		return;
	snprintf(text, sizeof(text),
		 "its job was changed by an operator and cannot start so: "
		 "%.200s",
		 err.text);
	rspb_log_info("booking %" PRIu64 ": %s", id, text);
	rspb_kind_of(b->request)->tell(id, text);
}

void rspb_job_update_watch(int64_t now)
{
	struct rspb_section section;
	struct rspb_job job;
	uint32_t id;

	while ((id = next_noted())) {
		if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "updates"))
			return;
		if (rspb_job_find(id, &job))
			follow(job.leader, now);
		rspb_section_leave(&section);
	}
}
