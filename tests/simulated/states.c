/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each change of state of jobs and reservations, one a line, with the second of the run:
 * to be compared with those of a real cluster (tests/simulated/compare).
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/wire/flags.h"
#include "tests/simulated/world.h"

static const char *path;

void sim_states_open(const char *file)
{
	path = file;
}

static int64_t second_of(int64_t when)
{
	return when - (SIM_BEGIN + sim_world->offset) / SIM_S;
}

/* Write what is new of a job or a reservation. */
static void show(int64_t at, const char *name, const char *state)
{
	struct sim_shown *shown = sim_world->shown;
	FILE *file;

	while (shown->name[0] && strcmp(shown->name, name) != 0)
		if (++shown == sim_world->shown + SIM_SHOWN)
			return;
	shown->seen = true;
	if (!strcmp(shown->state, state))
		return;
	snprintf(shown->name, sizeof(shown->name), "%s", name);
	snprintf(shown->state, sizeof(shown->state), "%s", state);
	file = fopen(path, "a");
	if (!file)
		return;
	fprintf(file, "%" PRId64 " %s %s\n", second_of(at), name, state);
	fclose(file);
}

static void show_job(const struct sim_job *job)
{
	static struct rspb_contract c;
	char name[16], state[64];

	if (!job->label)
		return;
	snprintf(name, sizeof(name), "j%u", job->label);
	if (job->phase == RSPB_JOB_RUNNING) {
		snprintf(state, sizeof(state), "runs on %d nodes",
			 __builtin_popcountll(job->nodes));
		show(job->start, name, state);
		return;
	}
	if (job->phase == RSPB_JOB_DONE) {
		show(job->end, name, "has ended");
		return;
	}
	if (!job->booking || rspb_contract_parse(job->contract, &c, NULL))
		return;
	if (c.state == RSPB_BOOKED || c.state == RSPB_BOOKED_CHANGE) {
		snprintf(state, sizeof(state), "booked %" PRId64 " to %" PRId64 " nodes %u",
			 second_of(c.start), second_of(c.end), c.nodes_granted);
		show(sim_now(), name, state);
	} else if (c.state == RSPB_DECLINED) {
		show(sim_now(), name, "declined");
	}
}

static void show_resv(const struct sim_resv *resv)
{
	const struct sim_job *job;
	char name[40], state[64];
	uint64_t id;
	uint32_t part;

	snprintf(name, sizeof(name), "%.39s", resv->name);
	if (rspb_resv_of_job(resv->name, &id, &part)) {
		job = sim_job_find((uint32_t) id);
		snprintf(name, sizeof(name), "rspb_j%u", job ? job->label : 0);
	} else if (rspb_resv_ours(resv->name)) {
		return;
	}
	snprintf(state, sizeof(state), "there %" PRId64 " to %" PRId64 " nodes %d",
		 second_of(resv->start), second_of(resv->end), __builtin_popcountll(resv->nodes));
	show(sim_now(), name, state);
}

void sim_states_step(void)
{
	if (!path)
		return;
	for (int i = 0; i < SIM_SHOWN; i++)
		sim_world->shown[i].seen = false;
	for (uint32_t i = 0; i < sim_world->jobs.n; i++)
		show_job(sim_job_find(sim_world->jobs.ids[i]));
	for (int i = 0; i < sim_world->resvs.top; i++)
		if (sim_world->resvs.slot[i].used)
			show_resv(&sim_world->resvs.slot[i]);
	for (int i = 0; i < SIM_SHOWN; i++)
		if (!sim_world->shown[i].seen && !strncmp(sim_world->shown[i].state, "there", 5)) {
			char name[40];

			snprintf(name, sizeof(name), "%.39s", sim_world->shown[i].name);
			show(sim_now(), name, "gone");
		}
}
