/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The actions of a seed: which, and of what, its dice say. They are dice of their own, so
 * that the same actions, played from a scenario, meet the same cluster. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/simulated/scenario.h"
#include "tests/simulated/world.h"

enum {
	USERS = 5,
	FIRST_USER = 1000,
	OPERATORS_NAMES = 12,
	STEPS = 115000,
	BURST_ONE_OF = 24,
	BURST_STEPS = 5,
	QUEUE = 150,  /* jobs that wait, or are held as declined, before the oldest are given up */
	LATE_S = 240, /* LateCancel is five minutes */
	UNLISTED = 8  /* in so many steps slurm.conf loses a node, if it ever does */
};

static uint64_t dice;

void sim_dice_seed(uint64_t seed)
{
	dice = seed * UINT64_C(0xD1342543DE82EF95) | 1;
	for (int i = 0; i < 8; i++)
		sim_dice(2);
}

uint64_t sim_dice(uint64_t n)
{
	dice ^= dice << 13;
	dice ^= dice >> 7;
	dice ^= dice << 17;
	return (dice >> 11) % n;
}

static void act(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void act(const char *fmt, ...)
{
	char text[SIM_ACTION];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	sim_act(text);
}

static uint32_t any_user(void)
{
	return FIRST_USER + (uint32_t) sim_dice(USERS);
}

/* The words of what it takes of each node, if that is not all. */
static void add_part(char *what, size_t size, bool range)
{
	size_t len = strlen(what);

	if (range || !sim_dice(4))
		return;
	if (!sim_run.settings.parts) {
		if (sim_run.settings.shares && sim_dice(2))
			snprintf(what + len, size - len, " share=%d", 10 * (1 + (int) sim_dice(9)));
		return;
	}
	len += (size_t) snprintf(what + len, size - len, " cpus=%d", 1 + (int) sim_dice(8));
	if (!sim_dice(3))
		len += (size_t) snprintf(what + len, size - len, " mem=%d",
					 1000 * (1 + (int) sim_dice(12)));
	if (!sim_dice(4))
		snprintf(what + len, size - len, " gpus=%c:%d", sim_dice(2) ? 'a' : 'b',
			 1 + (int) sim_dice(2));
}

/* The words of a job's size, length and owner. */
static const char *some_job(uint32_t nodes, bool range)
{
	static char text[256];
	int64_t limit = 60 * (1 + (int64_t) sim_dice(60));
	int64_t runs = sim_dice(3) ? limit + 5 : (int64_t) sim_dice((uint64_t) limit) + 1;
	char least[16] = "", what[128] = "";

	if (range && nodes > 1)
		snprintf(least, sizeof(least), "%d-", 1 + (int) sim_dice(nodes - 1));
	if (!sim_dice(8))
		snprintf(what, sizeof(what), " licenses=%d", 1 + (int) sim_dice(8));
	if (!sim_dice(8))
		snprintf(what + strlen(what), sizeof(what) - strlen(what), " feature=%c",
			 sim_dice(2) ? 'a' : 'b');
	if (sim_run.settings.partitions && !sim_dice(3))
		snprintf(what + strlen(what), sizeof(what) - strlen(what), " partition=small");
	add_part(what, sizeof(what), range);
	if (sim_run.settings.small_over == SIM_YES && sim_dice(2))
		snprintf(what + strlen(what), sizeof(what) - strlen(what), " oversubscribe");
	snprintf(text, sizeof(text),
		 "j%u user=%u nodes=%s%u limit=%" PRId64 " runs=%" PRId64 "%s%s",
		 ++sim_world->labels, any_user(), least, nodes, limit, runs,
		 sim_dice(4) ? "" : " no-requeue", what);
	return text;
}

/* More are submitted than the nodes can run. A queue that grew without end would leave no room
 * for bookings after a week, so the oldest job is given up. */
static void give_up_oldest(void)
{
	const struct sim_ids *list = &sim_world->waiting;
	uint32_t i = 0;

	while (i < list->n && !sim_job_find(list->id[i])->label)
		i++;
	if (i < list->n)
		act("cancel j%u", sim_job_find(list->id[i])->label);
}

static void submit_regular(void)
{
	if (sim_world->waiting.n > QUEUE)
		give_up_oldest();
	act("submit %s%s", some_job(1 + (uint32_t) sim_dice(8), false),
	    sim_dice(3) ? "" : " preemptable");
}

static void submit_booking(void)
{
	uint32_t nodes = 1 + (uint32_t) sim_dice(16);
	int64_t begin = 2 + (int64_t) sim_dice(sim_dice(4) ? 7200 : 43200);

	switch (sim_dice(8)) {
	case 7: /* tasks of an array */
		act("book %s begin=%" PRId64 " deadline=%" PRId64 " array=%d",
		    some_job(1 + nodes / 4, false), begin, begin + 14400, 2 + (int) sim_dice(4));
		break;
	case 4: /* of several components */
		act("book %s begin=%" PRId64 " parts=%d", some_job(1 + nodes / 4, false), begin,
		    2 + (int) sim_dice(2));
		break;
	case 5: /* one of a series */
		act("book %s begin=%" PRId64 " series=s%d", some_job(nodes, false), begin,
		    (int) sim_dice(2));
		break;
	case 6: /* behind another */
		act("book %s begin=%" PRId64 " deadline=%" PRId64 " after=j%u",
		    some_job(nodes, false), begin, begin + 20000,
		    sim_world->labels > 9 ? sim_world->labels - 1 - (uint32_t) sim_dice(8) : 1);
		break;
	case 0: /* as soon as it can be had */
		act("book %s asap deadline=%" PRId64, some_job(nodes, false),
		    7200 + (int64_t) sim_dice(36000));
		break;
	case 1: /* within a window */
		act("book %s begin=%" PRId64 " deadline=%" PRId64, some_job(nodes, false), begin,
		    begin + 3600 + (int64_t) sim_dice(7200));
		break;
	case 2: /* fewer nodes will do */
		act("book %s begin=%" PRId64, some_job(nodes, true), begin);
		break;
	default: /* a start */
		act("book %s begin=%" PRId64, some_job(nodes, false), begin);
		break;
	}
}

static void ask_group(void)
{
	int64_t begin = 60 + (int64_t) sim_dice(14400);
	int64_t limit = 60 * (1 + (int64_t) sim_dice(60));

	if (!sim_run.settings.groups)
		return;
	act("group g%d user=%u for=%u nodes=%d limit=%" PRId64 " begin=%" PRId64
	    " deadline=%" PRId64,
	    1 + (int) sim_dice(20), FIRST_USER + (uint32_t) sim_dice(2), any_user(),
	    1 + (int) sim_dice(8), limit, begin, begin + limit + (int64_t) sim_dice(2) * 7200);
}

static void change_group(void)
{
	int label = 1 + (int) sim_dice(20);

	if (sim_dice(3))
		act("change g%d user=0", label);
	else
		act("change g%d user=0 nodes=%d", label, 1 + (int) sim_dice(10));
}

/* RET some job that is not over; NULL: the dice found none. */
static struct sim_job *any_job(void)
{
	struct sim_job *job;

	if (!sim_world->jobs.n)
		return NULL;
	job = sim_job_find(sim_world->jobs.ids[sim_dice(sim_world->jobs.n)]);
	return job->phase == RSPB_JOB_DONE || !job->label ? NULL : job;
}

static void cancel_job(void)
{
	const struct sim_job *job = any_job();

	if (job)
		act("cancel j%u", job->label);
}

static void ask_change(void)
{
	const struct sim_job *job = any_job();
	char what[64];
	/* Limits do not hold for operators. */
	bool limited = sim_run.settings.booked_percent < 100 || sim_run.settings.max_nodes ||
		       sim_run.settings.min_notice || sim_run.settings.horizon < 86400;

	if (!job || !job->booking)
		return;
	switch (sim_dice(5)) {
	case 0:
		snprintf(what, sizeof(what), "nodes=%d", (int) (1 + sim_dice(20)));
		break;
	case 1:
		snprintf(what, sizeof(what), "limit=%d", 60 * (int) (1 + sim_dice(60)));
		break;
	case 2:
		snprintf(what, sizeof(what), "until=%d", 600 + (int) sim_dice(20000));
		break;
	case 3:
		snprintf(what, sizeof(what), "begin=%d", (int) sim_dice(10000));
		break;
	default:
		snprintf(what, sizeof(what), "limit=%d exact", 60 * (int) (1 + sim_dice(120)));
		break;
	}
	act("modify j%u %s%s", job->label, what, limited || sim_dice(4) ? "" : " user=0");
}

/* A user has offers held for several jobs that were declined, more than are allowed. */
static void hold_several(void)
{
	uint32_t n = sim_world->jobs.n, from = n ? (uint32_t) sim_dice(n) : 0, user = 0;

	for (uint32_t i = 0, held = 0; i < n && held < 4; i++) {
		const struct sim_job *job = sim_job_find(sim_world->jobs.ids[(from + i) % n]);

		if (!job->label || !job->booking || job->component || !job->held_by_us ||
		    job->phase != RSPB_JOB_PENDING || (user && job->uid != user))
			continue;
		user = job->uid;
		held++;
		act("modify j%u begin=%d until=%d hold=%d", job->label, 600 + (int) sim_dice(3600),
		    30000 + (int) sim_dice(10000), 120 + (int) sim_dice(300));
	}
}

/* The bookings of a series move together. */
static void move_series(void)
{
	uint32_t n = sim_world->n_live, from = n ? (uint32_t) sim_dice(n) : 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct sim_promise *promise =
			&sim_world->promises[sim_world->live[(from + i) % n] % SIM_JOBS];
		const struct sim_job *job = sim_job_find(promise->id);

		if (!job || !job->label || !promise->series || !promise->booked || promise->begun ||
		    promise->over)
			continue;
		act("together j%u by=%d", job->label, (int) sim_dice(7200) - 1800);
		return;
	}
}

/* An offer is held for a while, and accepted or not. */
static void hold_offer(void)
{
	const struct sim_job *job = any_job();

	if (!job || !job->booking || job->phase != RSPB_JOB_PENDING)
		return;
	if (sim_dice(2))
		act("modify j%u begin=%d until=%d hold=%d", job->label, 300 + (int) sim_dice(3600),
		    30000 + (int) sim_dice(10000), 30 + (int) sim_dice(300));
	else
		act("modify j%u begin=%d until=%d", job->label, 300 + (int) sim_dice(3600),
		    30000 + (int) sim_dice(10000));
}

static void ask_release(void)
{
	const struct sim_job *job = any_job();

	if (job && job->booking && job->phase == RSPB_JOB_PENDING)
		act("release j%u", job->label);
}

/* An owner gives a booking up so late that it counts as unused. */
static void give_up_late(void)
{
	for (uint32_t i = 0; i < sim_world->n_live; i++) {
		const struct sim_promise *promise =
			&sim_world->promises[sim_world->live[i] % SIM_JOBS];
		const struct sim_job *job = sim_job_find(promise->id);

		if (!job || job->component || !promise->booked || promise->begun || promise->over ||
		    promise->start < sim_now() || promise->start > sim_now() + LATE_S)
			continue;
		act("%s j%u", sim_dice(3) ? "release" : "cancel", job->label);
		return;
	}
}

/* Something that follows an action while the disk makes the broker wait. */
static struct {
	char text[SIM_ACTION];
	int steps; /* until then; 0: there is none */
} next_act;

/* Regular jobs begin while the decision on a booking is written. */
static void book_during_start(void)
{
	for (int i = 0; i < 4; i++)
		act("submit j%u user=%u nodes=%d limit=3600 runs=%d", ++sim_world->labels,
		    any_user(), 3 + (int) sim_dice(6), 60 + (int) sim_dice(900));
	act("disk-slow for=6");
	next_act.steps = 10 + (int) sim_dice(4);
	snprintf(next_act.text, sizeof(next_act.text),
		 "book j%u user=%u nodes=%d limit=%d runs=60 begin=%d deadline=30000",
		 ++sim_world->labels, any_user(), 3 + (int) sim_dice(6),
		 60 * (int) (1 + sim_dice(30)), 310 + (int) sim_dice(600));
}

/* A job is put back into the queue while a change of its booking is written. */
static void requeue_during_change(void)
{
	for (uint32_t i = 0; i < sim_world->n_live; i++) {
		const struct sim_job *job = sim_job_find(sim_world->live[i]);

		if (!job || !job->booking || !job->label || !job->requeue || !job->resv[0] ||
		    job->phase != RSPB_JOB_RUNNING || job->end < sim_now() + LATE_S)
			continue;
		act("disk-slow for=3");
		act("modify j%u limit=%d", job->label, 60 * (int) (1 + sim_dice(120)));
		next_act.steps = 1 + (int) sim_dice(3);
		snprintf(next_act.text, sizeof(next_act.text), "requeue j%u", job->label);
		return;
	}
}

/* Somebody else tries to have a booking changed, or to read what its job could have. */
static void meddle(void)
{
	static const char *const asks[] = { "modify j%u limit=60 user=%u", "release j%u user=%u",
					    "offers j%u user=%u", "modify j%u nodes=1 user=%u" };
	const struct sim_job *job = any_job();
	uint64_t which = sim_dice(sizeof(asks) / sizeof(asks[0]) + 1);
	char text[SIM_ACTION];

	if (which == sizeof(asks) / sizeof(asks[0])) {
		act("change g%d stranger", 1 + (int) sim_dice(20));
		return;
	}
	if (!job || !job->booking)
		return;
	snprintf(text, sizeof(text), asks[which], job->label,
		 FIRST_USER + (job->uid - FIRST_USER + 1) % USERS);
	act("%s", text);
}

static void ask_offers(void)
{
	const struct sim_job *job = any_job();

	if (job && job->booking && job->phase == RSPB_JOB_PENDING)
		act("offers j%u", job->label);
}

/* A job that was declined, or is booked, takes an offer. */
static void accept_offer(void)
{
	const struct sim_job *job = any_job();

	if (job && job->booking && job->phase == RSPB_JOB_PENDING)
		act("accept j%u which=%d", job->label, 1 + (int) sim_dice(3));
}

static void ask_to_read(void)
{
	static const char *const asked[] = { "ping",	 "list",  "calendar", "stats",
					     "settings", "slots", "offers",   "nonsense" };

	act("ask %s user=%u", asked[sim_dice(sizeof(asked) / sizeof(asked[0]))], any_user());
}

static void requeue_job(void)
{
	const struct sim_job *job = any_job();

	if (job && job->phase == RSPB_JOB_RUNNING && job->requeue)
		act("requeue j%u", job->label);
}

static void step_clock(void)
{
	if (sim_run.settings.clock_steps)
		act("clock %d", (int) sim_dice(240) - 120);
}

static void close_partitions(void)
{
	act("close for=%d", 10 + (int) sim_dice(200));
}

static void fail_disk(void)
{
	if (sim_run.settings.disk_fails)
		act("disk-fails for=%d", 1 + (int) sim_dice(45));
}

static void slow_disk(void)
{
	act("disk-slow for=%d", 5 + (int) sim_dice(90));
}

static int any_node(void)
{
	return 1 + (int) sim_dice(sim_run.nodes);
}

static void reboot_node(void)
{
	act("reboot n%d for=%d", any_node(), 60 + (int) sim_dice(600));
}

static void suspend_job(void)
{
	const struct sim_job *job = any_job();

	if (job && !job->booking && job->phase == RSPB_JOB_RUNNING)
		act("suspend j%u for=%d", job->label, 10 + (int) sim_dice(900));
}

static void silence_node(void)
{
	act("silence n%d for=%d", any_node(), 10 + (int) sim_dice(300));
}

static void trouble_node(void)
{
	act("%s n%d for=%d", sim_dice(2) ? "fail" : "drain", any_node(), 60 + (int) sim_dice(3600));
}

static void operator_creates(void)
{
	act("reserve op%d user=%u nodes=%d start=%d limit=%d", (int) sim_dice(OPERATORS_NAMES),
	    any_user(), 1 + (int) sim_dice(12), 60 + (int) sim_dice(7200),
	    60 * (1 + (int) sim_dice(40)));
}

static void operator_blocks(void)
{
	int nodes = 1 + (int) sim_dice(8);
	bool hourly = !sim_dice(12); /* each makes hundreds of time slots */

	act("block op%d from=n%d nodes=%d start=%d limit=%d%s%s", (int) sim_dice(OPERATORS_NAMES),
	    1 + (int) sim_dice(sim_run.nodes - nodes), nodes, 60 + (int) sim_dice(14400),
	    60 * (1 + (int) sim_dice(hourly ? 40 : 120)), sim_dice(2) ? " maintenance" : "",
	    hourly	  ? " hourly"
	    : sim_dice(3) ? ""
			  : " daily");
}

static void limit_regular(void)
{
	const struct sim_job *job = any_job();

	if (job && !job->booking)
		act("limit j%u limit=%d", job->label, 60 * (1 + (int) sim_dice(90)));
}

static void hold_job(void)
{
	const struct sim_job *job = any_job();

	if (job && job->phase == RSPB_JOB_PENDING)
		act("%s j%u", job->held ? "unhold" : "hold", job->label);
}

static void reconfigure(void)
{
	static const char *const lines[] = { "FirmNotice=60s", "FirmNotice=600s", "Algorithm=live",
					     "Algorithm=rb" };

	act("set %s", lines[sim_dice(sizeof(lines) / sizeof(lines[0]))]);
}

static void operator_deletes(void)
{
	act("delete op%d", (int) sim_dice(OPERATORS_NAMES));
}

static void operator_moves(void)
{
	act("move op%d by=%d", (int) sim_dice(OPERATORS_NAMES), (int) sim_dice(1200) - 300);
}

static void unlist_node(void)
{
	act("unlist n%d for=%d", any_node(), 60 + (int) sim_dice(7200));
}

/* The actions, and how often they happen in 115,000 steps of a quarter of a second, besides
 * bursts. */
static const struct action {
	uint32_t weight;
	void (*act)(void);
} actions[] = {
	{ 250, submit_booking },  { 500, submit_regular },
	{ 30, cancel_job },	  { 40, ask_change },
	{ 15, ask_release },	  { 20, ask_to_read },
	{ 8, requeue_job },	  { 60, operator_creates },
	{ 30, operator_deletes }, { 20, operator_moves },
	{ 10, operator_blocks },  { 10, limit_regular },
	{ 10, hold_job },	  { 4, reconfigure },
	{ 6, trouble_node },	  { 3, silence_node },
	{ 1, step_clock },	  { 3, fail_disk },
	{ 20, slow_disk },	  { 12, ask_group },
	{ 10, change_group },	  { 4, reboot_node },
	{ 8, suspend_job },	  { 20, hold_offer },
	{ 2, close_partitions },  { 6, give_up_late },
	{ 8, book_during_start }, { 12, requeue_during_change },
	{ 12, meddle },		  { 10, ask_offers },
	{ 8, hold_several },	  { 12, move_series },
	{ 12, accept_offer },
};

/* RET a number below STEPS. In a burst, each of several steps has an action, so that some meet the
 * decision on another. */
static uint32_t roll_dice(void)
{
	uint32_t roll = (uint32_t) sim_dice(STEPS), most = 0;
	static int burst;

	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
		most += actions[i].weight;
	if (burst) {
		burst--;
		return (uint32_t) sim_dice(most);
	}
	if (roll < most && !sim_dice(BURST_ONE_OF))
		burst = 2 + (int) sim_dice(BURST_STEPS);
	return roll;
}

void sim_workload_step(void)
{
	uint32_t roll;

	if (next_act.steps && !--next_act.steps) {
		act("%s", next_act.text);
		return;
	}
	roll = roll_dice();

	if (sim_run.settings.node_list && roll >= STEPS - UNLISTED)
		unlist_node();
	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
		if (roll < actions[i].weight) {
			actions[i].act();
			return;
		}
		roll -= actions[i].weight;
	}
}
