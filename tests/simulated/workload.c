/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The actions of users and operators, and the events of nodes, as the seed says. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/wire/flags.h"
#include "plugins/ctld/broker.h"
#include "tests/simulated/world.h"

enum { USERS = 5, FIRST_USER = 1000, OPERATORS_NAMES = 12 };

static uint32_t any_user(void)
{
	return FIRST_USER + (uint32_t) sim_below(USERS);
}

static struct sim_job *add_job(uint32_t nodes)
{
	struct sim_job *job = sim_job_add();

	if (!job)
		return NULL;
	job->uid = any_user();
	job->nodes_min = job->nodes_max = nodes;
	job->limit = 60 * (1 + (int64_t) sim_below(60));
	job->runs = sim_below(3) ? job->limit + 5 : (int64_t) sim_below(job->limit) + 1;
	job->phase = RSPB_JOB_PENDING;
	job->requeue = sim_below(4);
	return job;
}

static void submit_regular(void)
{
	struct sim_job *job = add_job(1 + (uint32_t) sim_below(8));

	if (!job)
		return;
	sim_log("SUBMIT regular job %u, %u nodes, %" PRId64 " s", job->id, job->nodes_min,
		job->limit);
	sim_job_changed(job);
}

/* The job_submit plugin has checked the flags, and puts the job into the waiting
 * room with its request. */
static void submit_booking(void)
{
	const struct sim_resv *room = sim_resv_find(RSPB_WAITING_ROOM);
	struct rspb_contract c = { .state = RSPB_REQUESTED, .flags = { .book = true } };
	struct sim_job *job = room ? add_job(1 + (uint32_t) sim_below(16)) : NULL;

	if (!job)
		return;
	job->booking = true;
	c.ready = sim_now() + 2 + (int64_t) sim_below(sim_below(4) ? 7200 : 43200);
	c.duration = job->limit;
	c.deadline = c.ready + c.duration;
	switch (sim_below(4)) {
	case 0: /* as soon as it can be had */
		c.flags.asap = true;
		c.ready = sim_now();
		c.deadline = c.ready + c.duration + 3600 + (int64_t) sim_below(36000);
		break;
	case 1: /* within a window */
		c.deadline += (int64_t) sim_below(7200);
		break;
	case 2: /* fewer nodes will do */
		if (job->nodes_min > 1) {
			c.nodes_least = 1 + (uint32_t) sim_below(job->nodes_min - 1);
			job->nodes_min = c.nodes_least;
		}
		break;
	default: /* a start */
		break;
	}
	c.nodes_asked = job->nodes_max;
	job->begin = c.ready;
	job->deadline = c.deadline;
	rspb_contract_print(&c, job->contract, sizeof(job->contract));
	snprintf(job->resv, sizeof(job->resv), "%s", RSPB_WAITING_ROOM);
	job->resv_id = room->id;
	sim_world->counts.submitted++;
	sim_log("SUBMIT job %u of user %u: %s", job->id, job->uid, job->contract);
	sim_job_changed(job);
	rspb_broker_wake(c.ready);
}

/* RET some job that is not over; NULL: the dice found none. */
static struct sim_job *any_job(void)
{
	struct sim_job *job;

	if (!sim_world->jobs.n)
		return NULL;
	job = sim_job_find(sim_world->jobs.ids[sim_below(sim_world->jobs.n)]);
	return job->phase == RSPB_JOB_DONE ? NULL : job;
}

static void cancel_job(void)
{
	struct sim_job *job = any_job();

	if (!job)
		return;
	sim_world->cancels++;
	sim_world->counts.cancelled++;
	sim_check_cancelled(job->id);
	sim_job_end(job, true, true, false);
}

/* The owner of a booking, or an operator, asks through the socket to have it changed. */
static void ask_change(void)
{
	struct sim_job *job = any_job();
	char what[96], text[256];
	bool limited;

	if (!job || !job->booking)
		return;
	switch (sim_below(5)) {
	case 0:
		snprintf(what, sizeof(what), "\"nodes\":%d", (int) (1 + sim_below(20)));
		break;
	case 1:
		snprintf(what, sizeof(what), "\"duration\":%d", 60 * (int) (1 + sim_below(60)));
		break;
	case 2:
		snprintf(what, sizeof(what), "\"until\":%" PRId64,
			 sim_now() + 600 + (int64_t) sim_below(20000));
		break;
	case 3:
		snprintf(what, sizeof(what), "\"begin\":%" PRId64,
			 sim_now() + (int64_t) sim_below(10000));
		break;
	default:
		snprintf(what, sizeof(what), "\"duration\":%d,\"exact\":true",
			 60 * (int) (1 + sim_below(120)));
		break;
	}
	snprintf(text, sizeof(text), "{\"version\":1,\"op\":\"modify\",\"job\":%u,%s}", job->id,
		 what);
	sim_check_asked(job->id);
	/* Limits do not hold for operators. */
	limited = sim_run.settings.booked_percent < 100 || sim_run.settings.max_nodes ||
		  sim_run.settings.min_notice || sim_run.settings.horizon < 86400;
	sim_door_ask(limited || sim_below(4) ? job->uid : 0, text);
}

static void ask_release(void)
{
	struct sim_job *job = any_job();
	char text[128];

	if (!job || !job->booking || job->phase != RSPB_JOB_PENDING)
		return;
	snprintf(text, sizeof(text), "{\"version\":1,\"op\":\"release\",\"job\":%u}", job->id);
	sim_check_cancelled(job->id);
	sim_door_ask(job->uid, text);
}

/* Questions that change nothing. */
static void ask_to_read(void)
{
	static const char *const asked[] = {
		"\"op\":\"ping\"",
		"\"op\":\"list\",\"all\":true,\"ended\":true",
		"\"op\":\"calendar\"",
		"\"op\":\"stats\"",
		"\"op\":\"settings\"",
		"\"op\":\"slots\",\"duration\":3600,\"nodes\":8",
		"\"op\":\"offers\",\"duration\":3600,\"nodes\":16",
		"\"op\":\"nonsense\"",
	};
	char text[160];

	snprintf(text, sizeof(text), "{\"version\":1,%s}",
		 asked[sim_below(sizeof(asked) / sizeof(asked[0]))]);
	sim_door_ask(any_user(), text);
}

/* scontrol requeue, of a job that runs. */
static void requeue_job(void)
{
	struct sim_job *job = any_job();

	if (!job || job->phase != RSPB_JOB_RUNNING || !job->requeue)
		return;
	sim_world->counts.requeued++;
	sim_job_end(job, false, false, true);
}

static void step_clock(void)
{
	int64_t by = (int64_t) sim_below(240) - 120;

	if (!sim_run.settings.clock_steps)
		return;
	sim_world->offset += by * SIM_S;
	sim_world->counts.steps++;
	sim_world->calm_at = sim_world->us + 300 * SIM_S;
	sim_log("CLOCK steps by %" PRId64 " s", by);
}

static void silence_node(void)
{
	uint32_t node = (uint32_t) sim_below(SIM_NODES);

	if (sim_world->back_at[node] || sim_world->down >> node & 1)
		return;
	sim_log("NODE n%u is silent", node + 1);
	sim_world->silent |= UINT64_C(1) << node;
	sim_world->back_at[node] = sim_world->us + (10 + (int64_t) sim_below(300)) * SIM_S;
	sim_world->changed_nodes = sim_now();
}

static struct sim_resv *any_operators(void)
{
	struct sim_resv *list[SIM_RESVS];
	size_t n = 0;

	for (int i = 0; i < SIM_RESVS; i++)
		if (sim_world->resvs.slot[i].used &&
		    !strncmp(sim_world->resvs.slot[i].name, "op", 2))
			list[n++] = &sim_world->resvs.slot[i];
	return n ? list[sim_below(n)] : NULL;
}

/* An operator makes a reservation that asks for its nodes by its tag. */
static void operator_creates(void)
{
	struct sim_resv *resv;
	char name[32];

	snprintf(name, sizeof(name), "op%d", (int) sim_below(OPERATORS_NAMES));
	if (sim_resv_find(name))
		return;
	resv = sim_resv_add(name);
	if (!resv)
		return;
	snprintf(resv->users, sizeof(resv->users), "u%u", any_user());
	snprintf(resv->tag, sizeof(resv->tag), "rspb:nodes=%d", (int) (1 + sim_below(12)));
	resv->start = sim_now() + 60 + (int64_t) sim_below(7200);
	resv->end = resv->start + 60 * (1 + (int64_t) sim_below(40));
	sim_log("OPERATOR makes %s, %s, %" PRId64 " to %" PRId64, name, resv->tag, resv->start,
		resv->end);
	sim_resv_changed(true);
	sim_world->counts.edits++;
}

static void operator_deletes(void)
{
	struct sim_resv *resv = any_operators();
	struct sim_gone *gone = &sim_world->gone[sim_world->n_gone % SIM_GONE];

	if (!resv)
		return;
	sim_log("OPERATOR deletes %s", resv->name);
	if (resv->nodes) {
		snprintf(gone->name, sizeof(gone->name), "%s", resv->name);
		gone->us = sim_world->us;
		gone->start = resv->start;
		gone->nodes = resv->nodes;
		sim_world->n_gone++;
	}
	resv->used = false;
	sim_resv_changed(true);
	sim_world->counts.edits++;
}

static void operator_moves(void)
{
	struct sim_resv *resv = any_operators();
	int64_t by = (int64_t) sim_below(1200) - 300;

	if (!resv || !resv->nodes || resv->start < sim_now() + 600)
		return;
	resv->start += by;
	resv->end += by;
	sim_log("OPERATOR moves %s by %" PRId64 " s", resv->name, by);
	sim_resv_changed(true);
	sim_world->counts.edits++;
}

static void trouble_node(void)
{
	uint32_t node = (uint32_t) sim_below(SIM_NODES);
	uint64_t bit = UINT64_C(1) << node;
	int64_t back = (60 + (int64_t) sim_below(3600)) * SIM_S;

	if (sim_world->back_at[node] || sim_world->down & bit)
		return;
	if (sim_below(2)) {
		sim_node_fails(node, back);
		return;
	}
	sim_log("NODE n%u is drained", node + 1);
	sim_world->drained |= bit;
	sim_world->back_at[node] = sim_world->us + back;
	sim_world->changed_nodes = sim_now();
	sim_world->counts.nodes_down++;
}

/* The actions, and how often they happen in 100,000 steps of a quarter of a second. */
static const struct action {
	uint32_t weight;
	void (*act)(void);
} actions[] = {
	{ 250, submit_booking }, { 500, submit_regular },  { 30, cancel_job },
	{ 40, ask_change },	 { 15, ask_release },	   { 20, ask_to_read },
	{ 8, requeue_job },	 { 60, operator_creates }, { 20, operator_deletes },
	{ 10, operator_moves },	 { 6, trouble_node },	   { 3, silence_node },
	{ 1, step_clock },
};

void sim_workload_step(void)
{
	uint32_t dice = (uint32_t) sim_below(100000);

	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
		if (dice < actions[i].weight) {
			sim_world->counts.events++;
			actions[i].act();
			return;
		}
		dice -= actions[i].weight;
	}
}
