/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names, finds and makes the reservations of booked jobs, and tells when a reservation is
 * due. All else that Slurm has of a booking is the task of mirror.c. */
#include "plugins/ctld/mirror/resv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/wire/flags.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/parts/cores.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/mirror/state.h"
#include "plugins/ctld/request/part.h"

/* A reservation that is still in use stays. That is only logged: its job goes on in it. */
void rspb_mirror_resv_release(uint64_t id, uint32_t n_parts)
{
	char name[RSPB_RESV_NAME];
	struct rspb_err err;
	uint32_t i;

	for (i = 0; i < n_parts; i++) {
		rspb_resv_name(id, i, n_parts, name, sizeof(name));
		if (rspb_resv_delete(name, &err))
			rspb_log_verbose("%s", err.text);
	}
}

/* Whether the start of a reservation differs from that of its booking. If both are past, it
 * does not matter: Slurm itself moves the start of a reservation that has begun. */
static bool start_differs(const struct rspb_resv *resv, const struct rspb_booking *b, int64_t now)
{
	return b->state == RSPB_BOOKED && resv->start != b->start &&
	       (resv->start > now || b->start > now);
}

/* RET what somebody else has changed of a reservation, by scontrol's name for it; NULL:
 * nothing. grown: it was given more nodes. */
static const char *strays(const struct rspb_resv *resv, const struct rspb_booking *b, uint32_t part,
			  bool grown)
{
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(b->request->id, ids);
	const char *account = NULL;
	struct rspb_job job;

	if (part < n && rspb_job_find(ids[part], &job))
		account = job.account;
	if (!rspb_tag_answered(resv->tag))
		return "BurstBuffer";
	return rspb_resv_strays(resv, b->request->user, account, grown);
}

bool rspb_mirror_resv_has_cores(const struct rspb_resv *resv, const struct rspb_booking *b,
				uint32_t part)
{
	const struct rspb_part *asked = &b->request->parts[part];
	char text[RSPB_CONTRACT_ODD + 32], odd[RSPB_CONTRACT_ODD];
	uint32_t cores = rspb_part_cores(asked, b->grants[part].share);

	if (!asked->whole)
		return true;
	/* The text of the reservation says with how many cores it was made. */
	rspb_uneven_print(asked, odd, sizeof(odd));
	snprintf(text, sizeof(text), " cores=%u %s%s%s", cores, *odd ? "odd=" : "", odd,
		 *odd ? " " : "");
	return resv->tag && strstr(resv->tag, text) && (*odd || !strstr(resv->tag, " odd="));
}

bool rspb_mirror_resv_as_booked(const struct rspb_resv *resv, const struct rspb_booking *b,
				uint32_t part, int64_t now, struct rspb_nodeset *scratch)
{
	if (resv->end != b->end || start_differs(resv, b, now) || strays(resv, b, part, false) ||
	    !rspb_mirror_resv_has_cores(resv, b, part))
		return false;
	rspb_nodeset_clear(scratch);
	rspb_resv_nodes(resv, scratch);
	return rspb_nodeset_equal(scratch, b->grants[part].nodes);
}

bool rspb_mirror_resv_find(const struct rspb_booking *b, uint32_t part, int64_t now,
			   struct rspb_resv *resv)
{
	char name[RSPB_RESV_NAME];

	rspb_resv_name(b->request->id, part, b->request->n_parts, name, sizeof(name));
	return rspb_resv_find(name, now, resv);
}

/* Whether a reservation has more nodes than its booking: an operator has added some, and
 * Slurm may have named the default partition in it then. */
static bool has_more(const struct rspb_booking *said, const struct rspb_booking *b, uint32_t part)
{
	return rspb_nodeset_count(said->grants[part].nodes) >
	       rspb_nodeset_count(b->grants[part].nodes);
}

bool rspb_mirror_resv_read(const struct rspb_booking *b, int64_t now, struct rspb_booking *said,
			   const char **stray)
{
	struct rspb_resv resv;

	*stray = NULL;
	for (uint32_t i = 0; i < b->n_grants; i++) {
		if (!rspb_mirror_resv_find(b, i, now, &resv))
			return false;
		if (start_differs(&resv, b, now))
			said->start = resv.start;
		if (resv.end != b->end)
			said->end = resv.end;
		if (resv.has_nodes) {
			rspb_nodeset_clear(said->grants[i].nodes);
			rspb_resv_nodes(&resv, said->grants[i].nodes);
		}
		if (!*stray)
			*stray = strays(&resv, b, i, has_more(said, b, i));
	}
	return true;
}

void rspb_mirror_resv_cores(const struct rspb_booking *b, uint32_t part, const char *reservation)
{
	const struct rspb_grant *grant = &b->grants[part];
	/* There is none yet after a start, when what was lost is made anew. */
	const struct rspb_ledger *ledger = rspb_book_ledger();
	const struct rspb_shares *shares = ledger ? rspb_ledger_shares(ledger) : NULL;
	uint32_t *first = calloc(grant->nodes->width + 1, sizeof(*first));
	const struct rspb_part *asked = &b->request->parts[part];
	uint32_t cores = rspb_part_cores(asked, grant->share);
	int64_t peak;

	/* Cores that other bookings of the same time may have come first, so that
	 * reservations of one node do not overlap more than they must. The booking itself is
	 * in the peak. */
	RSPB_NODESET_EACH (n, grant->nodes)
		if (first && shares &&
		    !rspb_shares_peak(shares, n, b->start, b->end, &peak, NULL) &&
		    peak > rspb_part_on(asked, grant->share, n))
			first[n] = (uint32_t) ((peak - rspb_part_on(asked, grant->share, n)) /
					       RSPB_SHARE_CORE);
	if (first)
		rspb_cores_resv(reservation, cores, first, asked);
	free(first);
}

/* 2037-01-01 and two months: as far as a 32-bit time goes. */
enum { ROOM_START = 2114380800, ROOM_END = 2119651200 };

static struct rspb_resv_spec room_spec(const char *name)
{
	return (struct rspb_resv_spec){
		.name = name,
		.room = true,
		.tag = "rspb",
		.start = ROOM_START,
		.end = ROOM_END,
	};
}

enum rspb_room_state rspb_mirror_resv_room_state(const char *name, int64_t now)
{
	const struct rspb_resv_spec spec = room_spec(name);
	struct rspb_resv room;

	if (!rspb_resv_find(name, now, &room))
		return RSPB_ROOM_GONE;
	return rspb_resv_is_room(&room, &spec) ? RSPB_ROOM_GOOD : RSPB_ROOM_CHANGED;
}

void rspb_mirror_resv_room(const char *name, int64_t now)
{
	struct rspb_resv_spec spec = room_spec(name);
	struct rspb_resv room;
	struct rspb_err err;

	if (rspb_resv_find(name, now, &room)) {
		if (rspb_resv_is_room(&room, &spec))
			return;
		/* An operator has changed it, or the site its mind about accounts. */
		rspb_log_info("reservation %s was changed, and the change was undone", name);
		/* The jobs in it stay where they are. */
		if (!rspb_resv_make_so(&spec, &err))
			return;
		rspb_log_error("%s", err.text);
		/* Slurm does not delete it while jobs wait in it. The next look tries
		 * again. */
		if (rspb_resv_delete(name, &err))
			return;
	}
	spec.create = true;
	if (rspb_resv_make_so(&spec, &err))
		rspb_log_error("%s: %s", name, err.text);
}

const char *rspb_mirror_resv_account(uint32_t id)
{
	struct rspb_job job;

	return rspb_slurm_conf().database && rspb_job_find(id, &job) ? job.account : NULL;
}

/* Slurm does not find an account that the user has in one partition only. The reservation is
 * then made without it. */
int rspb_mirror_resv_make(const struct rspb_resv_spec *spec, struct rspb_err *err)
{
	struct rspb_resv_spec without = *spec;

	without.accounts = NULL;
	if (!rspb_resv_make_so(spec, err))
		return 0;
	return spec->accounts ? rspb_resv_make_so(&without, err) : -1;
}

/* --- who has none yet ------------------------------------------------------ */

/* The least lead of a reservation, seconds: more than nodes take to wake and jobs on them to
 * end. */
enum { LEAST_S = 120 };

void rspb_mirror_resv_set_now(const struct rspb_config *config, int64_t now)
{
	int64_t ahead = config->reserve_ahead;

	rspb_mirror->until = !ahead ? INT64_MAX : now + (ahead > LEAST_S ? ahead : LEAST_S);
}

/* Only bookings of jobs: of an operator's booking the reservation itself is the record. */
bool rspb_mirror_resv_can_wait(const struct rspb_booking *b)
{
	return b->state == RSPB_BOOKED && b->request->id <= UINT32_MAX;
}

bool rspb_mirror_resv_due(const struct rspb_booking *b)
{
	return b->start <= rspb_mirror->until || !rspb_mirror_resv_can_wait(b);
}

static bool is_in(const struct rspb_job *job, const char *name)
{
	return job->reservation && !strcmp(job->reservation, name);
}

/* Whether a job waits for its reservation to be made. If somebody has just deleted the room
 * for that, its jobs have no reservation until late.c has made it again. */
static bool is_later(const struct rspb_job *job)
{
	struct rspb_resv room;

	return is_in(job, RSPB_LATER_ROOM) || (rspb_mirror->later && !job->reservation &&
					       !rspb_resv_find(RSPB_LATER_ROOM, 0, &room));
}

bool rspb_mirror_resv_without(const struct rspb_booking *b, uint32_t part)
{
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(b->request->id, ids);
	struct rspb_job job;

	if (!rspb_mirror_resv_can_wait(b) || part >= n || !rspb_job_find(ids[part], &job) ||
	    job.phase != RSPB_JOB_PENDING || !is_later(&job))
		return false;
	/* After a restart nothing else tells that such bookings exist. */
	rspb_mirror->later = true;
	return true;
}

bool rspb_mirror_resv_tied(const struct rspb_job *job, const char *name)
{
	return is_in(job, name) || is_later(job);
}

bool rspb_mirror_resv_any_later(void)
{
	return rspb_mirror->later;
}

void rspb_mirror_resv_set_later(bool any)
{
	rspb_mirror->later = any;
}
