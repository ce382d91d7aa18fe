/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the waiting room, and sends jobs back to it. Nobody gets a booking here. */
#include "plugins/ctld/mirror/room.h"

#include <stdio.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/mirror/mirror.h"
#include "plugins/ctld/mirror/resv.h"

void rspb_room_make(int64_t now)
{
	rspb_mirror_resv_room(RSPB_WAITING_ROOM, now);
}

void rspb_room_send_back(uint32_t id, const char *why)
{
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(id, ids), i;
	struct rspb_contract contract;
	struct rspb_job job;

	for (i = 0; i < n; i++) {
		if (!rspb_contract_read(ids[i], &job, &contract))
			continue;
		rspb_job_attach(ids[i], RSPB_WAITING_ROOM, 0, NULL);
		if (contract.state == RSPB_REQUESTED)
			continue;
		rspb_mirror_unfit(ids[i], &contract);
		rspb_contract_reopen(ids[i], &contract);
		contract.state = RSPB_REQUESTED;
		contract.start = 0;
		contract.end = 0;
		contract.nodes_granted = contract.leaves = 0;
		contract.on[0] = '\0';
		contract.share_granted = 0;
		/* This is for a booking that had less, not for one that was lost. */
		if (contract.had)
			contract.outage = 0;
		contract.promise = contract.had = 0;
		contract.untried = rspb_contract_partitions(&contract);
		contract.untried -= contract.untried > 0;
		contract.benefit = (struct rspb_ratio){ 0, 0 };
		if (why)
			snprintf(contract.reason, sizeof(contract.reason), "%s", why);
		rspb_contract_write(ids[i], &contract, NULL);
	}
}

void rspb_room_keep(int64_t now)
{
	enum rspb_room_state waiting, later;
	struct rspb_section section;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "room"))
		return;
	waiting = rspb_mirror_resv_room_state(RSPB_WAITING_ROOM, now);
	later = rspb_mirror_resv_room_state(RSPB_LATER_ROOM, now);
	rspb_section_leave(&section);
	if ((waiting == RSPB_ROOM_GOOD && later != RSPB_ROOM_CHANGED) ||
	    !rspb_section_enter(&section, RSPB_LOCK_WRITE, "room"))
		return;
	rspb_room_make(now);
	if (later == RSPB_ROOM_CHANGED)
		rspb_mirror_resv_room(RSPB_LATER_ROOM, now);
	rspb_section_leave(&section);
}

void rspb_room_close(void)
{
	/* No section: those are refused while slurmctld stops, and this is
	 * the one thing left to do then, before it saves its state. */
	if (!rspb_ctld_recovered())
		return;
	rspb_ctld_lock(RSPB_LOCK_WRITE);
	/* Slurm itself refuses while somebody waits in it. */
	rspb_resv_delete(RSPB_WAITING_ROOM, NULL);
	rspb_resv_delete(RSPB_LATER_ROOM, NULL);
	rspb_ctld_unlock(RSPB_LOCK_WRITE);
}
