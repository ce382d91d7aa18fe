/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The terms that owners ask for through the socket: what is booked after an answer of yes is within
 * them, and an offer that is accepted is booked as it was made. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "plugins/ctld/mirror/contract.h"
#include "tests/simulated/world.h"

void sim_want_note(const struct sim_want *want)
{
	sim_world->wants[sim_world->n_wants++ % SIM_GONE] = *want;
}

void sim_want_forget(uint32_t id)
{
	for (int i = 0; i < SIM_GONE; i++)
		if (sim_world->wants[i].id == id)
			sim_world->wants[i].id = 0;
}

static void judge(const struct sim_want *want, const struct rspb_contract *c)
{
	bool good = c->start >= want->from && (!want->until || c->end <= want->until) &&
		    (!want->seconds || c->end - c->start == want->seconds) &&
		    (!want->nodes || c->nodes_granted <= want->nodes);

	if (want->offer)
		good &= c->start == want->from && c->nodes_granted == want->nodes;
	if (want->hold ? !c->held || c->held > want->hold : c->held)
		sim_fault("job %u is held until %" PRId64 ", and its owner asked for %" PRId64,
			  want->id, c->held, want->hold);
	if (!good)
		sim_fault("job %u is booked for %" PRId64 " to %" PRId64
			  " on %u nodes, and its owner asked for %" PRId64 " to %" PRId64
			  ", %" PRId64 " s, %u nodes",
			  want->id, c->start, c->end, c->nodes_granted, want->from, want->until,
			  want->seconds, want->nodes);
}

/* Compare it with the contract, if that has an answer already. A booking that runs keeps its
 * start. */
static void look(struct sim_want *want, const struct sim_job *job)
{
	static struct rspb_contract c;

	if (rspb_contract_parse(job->contract, &c, NULL) || c.state == RSPB_REQUESTED)
		return;
	if (c.state == RSPB_BOOKED)
		judge(want, &c);
	want->id = 0;
}

void sim_want_answered(uint64_t line, bool yes)
{
	for (int i = 0; i < SIM_GONE; i++) {
		struct sim_want *want = &sim_world->wants[i];
		const struct sim_job *job = want->id ? sim_job_find(want->id) : NULL;

		if (!want->id || want->line != line || want->life != sim_world->counts.lives)
			continue;
		want->agreed = yes;
		if (!yes || !job)
			want->id = 0;
		else
			look(want, job);
	}
}

void sim_want_told(const struct sim_job *job)
{
	for (int i = 0; i < SIM_GONE; i++) {
		struct sim_want *want = &sim_world->wants[i];

		if (want->id != job->id)
			continue;
		/* A kill may have undone it. */
		if (want->life != sim_world->counts.lives)
			want->id = 0;
		else if (want->agreed)
			look(want, job);
	}
}
