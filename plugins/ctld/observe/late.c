/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the reservations of bookings as the book has them: of those whose start is near
 * (ReserveAhead), and of all after a restart. How a reservation is made is known to
 * mirror/mirror.c. */
#include "plugins/ctld/observe/following.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "plugins/compat/ctld.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/mirror/resv.h"
#include "plugins/ctld/observe/outcome.h"
#include "plugins/ctld/observe/state.h"
#include "plugins/ctld/record/durable.h"

enum {
	EVERY_S = 2, /* how often it is looked when the book has changed */
	IDLE_S = 10, /* and when it has not */
	STEP = 64    /* bookings to compare in a section, however long its list takes */
};

struct look {
	struct rspb_resv_keys keys;
	bool room_gone; /* somebody has deleted it */
	bool later;	/* some stay without */
	uint64_t *make; /* who is to have one, or be in the room again */
	size_t n, space;
};

/* Read the names of all reservations in one section, so that the bookings can be compared without
 * a lock. RET false: slurmctld is going down, or out of memory. */
static bool look_at_slurm(struct look *look, int64_t now)
{
	struct rspb_section section;
	struct rspb_resv room;
	bool good;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "later"))
		return false;
	good = !rspb_resv_keys_init(&look->keys);
	look->room_gone = !rspb_resv_find(RSPB_LATER_ROOM, now, &room);
	rspb_section_leave(&section);
	return good;
}

/* RET whether each part has its reservation: after a change of nodes only some have one. */
static bool has_all(const struct look *look, const struct rspb_booking *b, int64_t now)
{
	for (uint32_t i = 0; i < b->n_grants; i++)
		if (!rspb_resv_keys_find(&look->keys, b->request->id, i, now, NULL))
			return false;
	return true;
}

/* Note a booking whose reservations are to be made. If memory is short, it is chosen at a later
 * look. */
static void choose(struct look *look, const struct rspb_booking *b)
{
	if (!rspb_array_grow(&look->make, &look->space, look->n + 1, sizeof(*look->make)))
		look->make[look->n++] = b->request->id;
}

/* Choose the bookings that need a reservation, without a lock: only the agent changes the
 * ledger. */
static void look_at_all(struct look *look, int64_t now)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();

	for (size_t i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);
		bool due = rspb_mirror_resv_due(b);

		/* The list is sorted by start: after the first booking that stays without a
		 * reservation all do, except for some that were moved. */
		if (!due && look->later && !look->room_gone)
			break;
		if (!rspb_mirror_resv_can_wait(b) || has_all(look, b, now))
			continue;
		look->later |= !due;
		if (due || look->room_gone)
			choose(look, b);
	}
}

bool rspb_late_make(uint64_t id, const struct rspb_config *config, int64_t now)
{
	struct rspb_err err;

	if (rspb_outcome_again(id, config, now, &err) >= 0)
		return true;
	rspb_log_error("booking %" PRIu64 " has no reservation as booked yet: %s", id, err.text);
	return false;
}

/* Remove the waiting room of later bookings. Slurm keeps a reservation with a pending job in it.
 * Such a job sets the flag again when its booking is watched (rspb_mirror_resv_without()). */
static void close_room(void)
{
	struct rspb_section section;

	rspb_mirror_resv_set_later(false);
	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "later"))
		return;
	rspb_resv_delete(RSPB_LATER_ROOM, NULL);
	rspb_section_leave(&section);
}

static bool is_time(int64_t now)
{
	/* A negative difference means that the clock was set back. */
	int64_t since = now - rspb_observe->late.at;
	uint64_t version = rspb_book_version();

	if (rspb_observe->late.at && since >= 0 && since < IDLE_S &&
	    (version == rspb_observe->late.version || since < EVERY_S))
		return false;
	rspb_observe->late.at = now;
	rspb_observe->late.version = version;
	return true;
}

void rspb_late_run(const struct rspb_config *config, int64_t now)
{
	struct look look = { .n = 0 };

	/* This comes first because new bookings are compared with it, even if none waits for a
	 * reservation. */
	rspb_mirror_resv_set_now(config, now);
	if (!rspb_book_ledger() || !rspb_mirror_resv_any_later() || !is_time(now))
		return;
	if (!look_at_slurm(&look, now))
		return;
	look_at_all(&look, now);
	rspb_resv_keys_fini(&look.keys);
	for (size_t i = 0; i < look.n; i++) {
		look.later |= !rspb_late_make(look.make[i], config, now);
		rspb_breathe();
	}
	if (!look.later)
		close_room();
	free(look.make);
}

/* After a restart Slurm's reservations may be older than the book. */

/* Whether all reservations of a booking exist as promised and hold their jobs. Slurm saves
 * jobs before reservations, so a job may be older than its reservation. A part in the room
 * for later bookings needs no reservation yet. */
static bool is_as_promised(const struct look *look, const struct rspb_booking *b, int64_t now)
{
	struct rspb_nodeset *scratch = rspb_nodeset_create(b->grants[0].nodes->width);
	struct rspb_resv resv;
	bool good = scratch;

	for (uint32_t i = 0; good && i < b->n_grants; i++) {
		bool waits = rspb_mirror_resv_without(b, i);

		good = rspb_resv_keys_find(&look->keys, b->request->id, i, now, &resv)
			       ? !waits && rspb_mirror_resv_as_booked(&resv, b, i, now, scratch)
			       : waits;
	}
	rspb_nodeset_destroy(scratch);
	return good;
}

/* Whether jobs of a booking were about to be put into its reservation. Such a job is in the
 * waiting room, or in no reservation because Slurm had not saved that one yet. A user or
 * operator may also have taken the job out. If that was seen, the journal says so, and the
 * job is not booked. */
static bool is_loose(const struct rspb_booking *b, bool fresh)
{
	bool unseen = !fresh || !rspb_durable_lost(RSPB_DURABLE_UNSEEN_S);
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(b->request->id, ids);
	bool loose = false;

	for (uint32_t i = 0; i < n; i++) {
		char name[RSPB_RESV_NAME];
		struct rspb_job job;

		rspb_resv_name(b->request->id, i, b->n_grants, name, sizeof(name));
		if (!rspb_job_find(ids[i], &job) || job.phase != RSPB_JOB_PENDING ||
		    rspb_mirror_resv_tied(&job, name))
			continue;
		loose = job.reservation ? !strcmp(job.reservation, RSPB_WAITING_ROOM) : !unseen;
		if (!loose)
			return false;
	}
	return loose;
}

/* Whether a running booking has a reservation that Slurm saved before its job. The text of
 * the reservation shows that. An operator's change leaves the text alone, and must not be
 * undone here. */
static bool is_older(const struct look *look, const struct rspb_booking *b, int64_t now)
{
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(b->request->id, ids);

	for (uint32_t i = 0; i < n && i < b->n_grants; i++) {
		struct rspb_contract said, counts;
		struct rspb_resv resv;
		struct rspb_job job;

		/* The reservation of one component may be lost, and that of another older. */
		if (!rspb_resv_keys_find(&look->keys, b->request->id, i, now, &resv))
			continue;
		if (!rspb_contract_read(ids[i], &job, &counts) ||
		    rspb_contract_parse(resv.tag, &said, NULL))
			return false;
		if (said.end != counts.end || strcmp(said.on, counts.on) != 0)
			return true;
	}
	return false;
}

/* Whether the reservations of a booking are to be made again or corrected. */
static bool differs(const struct look *look, const struct rspb_booking *b, bool fresh, int64_t now)
{
	if (!rspb_kind_of(b->request)->has_jobs || rspb_state_final(b->state) || b->end <= now)
		return false;
	if (b->state == RSPB_BOOKED)
		return is_loose(b, fresh) || !is_as_promised(look, b, now);
	return !is_as_promised(look, b, now) && is_older(look, b, now);
}

/* Choose the bookings that differ, in sections in each of which Slurm's reservations are listed:
 * the list is good for one section. Without memory for it the reservations stay as they are. */
static void compare_all(struct look *look, bool fresh, int64_t now)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	size_t n = rspb_ledger_count(ledger), i = 0;
	struct rspb_section section;

	while (i < n && rspb_section_enter(&section, RSPB_LOCK_READ, "compare")) {
		size_t until = rspb_resv_keys_init(&look->keys) ? 0 : n;

		while (i < until) {
			const struct rspb_booking *b = rspb_ledger_at(ledger, i++);

			section.items++;
			if (differs(look, b, fresh, now))
				choose(look, b);
			if (i % STEP == 0 && rspb_section_spent(&section))
				break;
		}
		rspb_resv_keys_fini(&look->keys);
		rspb_section_leave(&section);
		if (!until)
			return;
	}
}

void rspb_late_compare(const struct rspb_config *config, bool fresh, int64_t now)
{
	struct look look = { .n = 0 };

	rspb_mirror_resv_set_now(config, now);
	compare_all(&look, fresh, now);
	for (size_t i = 0; i < look.n; i++) {
		rspb_log_info("booking %" PRIu64 ": its reservation was lost or older than its "
			      "contract, and is made as promised",
			      look.make[i]);
		rspb_late_make(look.make[i], config, now);
	}
	free(look.make);
}
