/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives bookings their reservation of Slurm when their start is near (ReserveAhead). How a
 * reservation is made is known to mirror/mirror.c. */
#include "plugins/ctld/book/reserved.h"
#include "plugins/ctld/observe/following.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/base/array.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/mirror/resv.h"
#include "plugins/ctld/observe/outcome.h"
#include "plugins/ctld/observe/state.h"

enum {
	EVERY_S = 2, /* how often it is looked when the book has changed */
	IDLE_S = 10  /* and when it has not */
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

/* Choose the bookings that need a reservation, without a lock: only the agent changes the ledger.
 * If memory is short, a booking is chosen at a later look. */
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
		if ((due || look->room_gone) &&
		    !rspb_array_grow(&look->make, &look->space, look->n + 1, sizeof(*look->make)))
			look->make[look->n++] = b->request->id;
	}
}

/* Make the reservations of one booking, which may have changed or ended since it was chosen. RET
 * false: Slurm refuses, and the job stays where it is until the next look. */
static bool make(uint64_t id, const struct rspb_config *config, int64_t now)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), id);
	struct rspb_ask ask = { .n_jobs = 0 };
	struct rspb_err err;
	bool refused = b && rspb_mirror_resv_can_wait(b) &&
		       rspb_outcome_reserve(rspb_book_ledger(), id, &ask, config, now, &err) < 0;

	if (refused)
		rspb_log_error("booking %" PRIu64 " has no reservation yet: %s", id, err.text);
	rspb_ask_fini(&ask);
	return !refused;
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
		look.later |= !make(look.make[i], config, now);
		rspb_breathe();
	}
	if (!look.later)
		close_room();
	free(look.make);
}
