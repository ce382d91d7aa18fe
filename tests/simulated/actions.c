/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The actions of users, operators, nodes, disk and clock, each a line of words. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/wire/flags.h"
#include "plugins/ctld/broker.h"
#include "tests/simulated/scenario.h"
#include "tests/simulated/world.h"

enum { WORDS = 24, BATCH_SCHED_DELAY_S = 3, SIM_PARTS = 4 };

struct words {
	int n;
	char *word[WORDS]; /* the first is the action */
	char text[SIM_ACTION];
};

static void split(const char *text, struct words *w)
{
	char *rest = NULL;

	snprintf(w->text, sizeof(w->text), "%s", text);
	w->n = 0;
	for (char *word = strtok_r(w->text, " ", &rest); word && w->n < WORDS;
	     word = strtok_r(NULL, " ", &rest))
		w->word[w->n++] = word;
}

/* RET what is behind key=; NULL: it is not said. */
static const char *value(const struct words *w, const char *key)
{
	size_t len = strlen(key);

	for (int i = 1; i < w->n; i++)
		if (!strncmp(w->word[i], key, len) && w->word[i][len] == '=')
			return w->word[i] + len + 1;
	return NULL;
}

static bool says(const struct words *w, const char *word)
{
	for (int i = 1; i < w->n; i++)
		if (!strcmp(w->word[i], word))
			return true;
	return false;
}

static int64_t number(const struct words *w, const char *key, int64_t otherwise)
{
	const char *text = value(w, key);

	return text ? strtoll(text, NULL, 10) : otherwise;
}

/* Times are seconds from now. */
static int64_t when(const struct words *w, const char *key, int64_t otherwise)
{
	return sim_now() + number(w, key, otherwise);
}

/* RET the job of a name, jN, that is not over. */
static struct sim_job *job_named(const struct words *w)
{
	uint32_t label = w->n > 1 && w->word[1][0] == 'j'
				 ? (uint32_t) strtoul(w->word[1] + 1, NULL, 10)
				 : 0;
	struct sim_job *job = sim_job_find(sim_world->of_label[label % SIM_LABELS]);

	return job && label && job->label == label && job->phase != RSPB_JOB_DONE ? job : NULL;
}

/* cpus=4 mem=2000 gpus=a:1, or share=50: of each node. */
static void take_part(struct sim_job *job, const struct words *w)
{
	const char *gpus = value(w, "gpus");

	job->share = 100 * (uint32_t) number(w, "share", 0);
	job->memory = (uint32_t) number(w, "mem", 0);
	if (sim_run.settings.parts)
		job->cpus = (uint32_t) number(w, "cpus", 0);
	if (job->cpus && gpus && (gpus[0] == 'a' || gpus[0] == 'b') && gpus[1] == ':') {
		job->gpu = gpus[0];
		job->gpus = (uint32_t) strtoul(gpus + 2, NULL, 10);
	}
}

/* Slurm refuses what is more than a partition allows. */
static void take_partition(struct sim_job *job, const char *name, bool over)
{
	job->small = sim_run.settings.partitions && name && !strcmp(name, "small");
	if (!job->small)
		return;
	/* Nobody has nodes for himself there, whatever he asks for. */
	if (sim_run.settings.small_over == SIM_FORCE && sim_run.settings.parts && !job->cpus)
		job->cpus = 1;
	job->over = job->cpus && (sim_run.settings.small_over == SIM_FORCE ||
				  (sim_run.settings.small_over == SIM_YES && over));
	if (job->nodes_max > SIM_SMALL_NODES)
		job->nodes_max = SIM_SMALL_NODES;
	if (job->nodes_min > job->nodes_max)
		job->nodes_min = job->nodes_max;
	if (job->limit > SIM_SMALL_S)
		job->limit = SIM_SMALL_S;
}

static struct sim_job *add_job(const struct words *w)
{
	const char *nodes = value(w, "nodes");
	uint32_t label = w->n > 1 && w->word[1][0] == 'j'
				 ? (uint32_t) strtoul(w->word[1] + 1, NULL, 10)
				 : 0;
	struct sim_job *job = label ? sim_job_add() : NULL;
	const char *range;

	if (!job)
		return NULL;
	job->label = label;
	sim_world->of_label[label % SIM_LABELS] = job->id;
	job->uid = (uint32_t) number(w, "user", 1000);
	job->nodes_min = job->nodes_max = nodes ? (uint32_t) strtoul(nodes, NULL, 10) : 1;
	range = nodes ? strchr(nodes, '-') : NULL;
	if (range)
		job->nodes_max = (uint32_t) strtoul(range + 1, NULL, 10);
	job->limit = number(w, "limit", 600);
	job->runs = number(w, "runs", job->limit + 5);
	job->phase = RSPB_JOB_PENDING;
	job->requeue = !says(w, "no-requeue");
	job->licenses = (uint32_t) number(w, "licenses", 0);
	job->feature = value(w, "feature") ? value(w, "feature")[0] : 0;
	job->preemptable = says(w, "preemptable");
	take_part(job, w);
	take_partition(job, value(w, "partition"), says(w, "oversubscribe"));
	if (value(w, "after"))
		job->after =
			sim_world->of_label[strtoul(value(w, "after") + 1, NULL, 10) % SIM_LABELS];
	return job;
}

static void submit(const struct words *w)
{
	struct sim_job *job = add_job(w);

	if (!job)
		return;
	job->share = 0; /* which only bookings have */
	sim_log("SUBMIT regular job %u, %u nodes, %" PRId64 " s", job->id, job->nodes_min,
		job->limit);
	sim_world_look(BATCH_SCHED_DELAY_S);
	sim_job_changed(job);
}

/* A heterogeneous job: its components are alike, and have the numbers behind it. */
static void add_components(struct sim_job *leader, uint32_t parts)
{
	for (uint32_t i = 1; i < parts && parts <= SIM_PARTS; i++) {
		struct sim_job *job = sim_job_find(leader->id + i) ? NULL : sim_job_add();
		uint32_t id = job ? job->id : 0;

		/* Another job still has the number behind. */
		if (job && id != leader->id + i)
			sim_job_forget(id);
		if (!job || id != leader->id + i)
			return;
		*job = *leader;
		job->id = id;
		job->label = 0;
		job->component = i;
		job->n_parts = 0;
		leader->n_parts = i + 1;
		sim_job_changed(job);
	}
}

/* The job_submit plugin has checked the flags, and puts the job into the waiting
 * room with its request. */
static void book(const struct words *w)
{
	const struct sim_resv *room = sim_resv_find(RSPB_WAITING_ROOM);
	struct rspb_contract c = { .state = RSPB_REQUESTED, .terms = { .book = true } };
	struct sim_job *job = room ? add_job(w) : NULL;

	if (!job)
		return;
	job->booking = true;
	/* With a range of nodes the tasks stay. */
	if (!job->cpus && !job->share && job->nodes_min == job->nodes_max)
		job->tasks = SIM_TASKS * job->nodes_max;
	c.terms.duration = job->limit;
	c.terms.ready = when(w, "begin", 0);
	c.terms.asap = says(w, "asap");
	c.terms.deadline = when(w, "deadline", c.terms.ready - sim_now() + c.terms.duration);
	if (value(w, "series"))
		snprintf(c.terms.series, sizeof(c.terms.series), "%.20s", value(w, "series"));
	c.terms.nodes_least = job->nodes_min < job->nodes_max ? job->nodes_min : 0;
	c.terms.nodes = job->nodes_max;
	c.terms.share = job->share;
	job->begin = c.terms.ready;
	job->deadline = c.terms.deadline;
	job->asked_from = c.terms.ready;
	job->asked_until = c.terms.deadline;
	rspb_contract_print(&c, job->contract, sizeof(job->contract));
	snprintf(job->resv, sizeof(job->resv), "%s", RSPB_WAITING_ROOM);
	job->resv_id = room->id;
	add_components(job, (uint32_t) number(w, "parts", 1));
	if (number(w, "array", 1) > 1) {
		job->undivided = (uint32_t) number(w, "array", 1);
		job->array = job->id;
	}
	sim_check_submitted(job);
	sim_world->counts.submitted++;
	sim_log("SUBMIT job %u of user %u: %s", job->id, job->uid, job->contract);
	sim_job_changed(job);
	rspb_broker_wake(c.terms.ready);
}

static void cancel(const struct words *w)
{
	struct sim_job *job = job_named(w);
	uint32_t first = (uint32_t) number(w, "part", 0);

	if (!job)
		return;
	sim_world->cancels++;
	sim_world->counts.cancelled++;
	for (uint32_t i = first; i < (first ? first + 1 : job->n_parts ? job->n_parts : 1); i++) {
		struct sim_job *part = sim_job_find(job->id + i);

		if (!part || part->phase == RSPB_JOB_DONE)
			continue;
		sim_check_cancelled(part->id);
		sim_job_end(part, true, true, false);
	}
}

/* Whether somebody asks who is neither the owner nor an operator. */
static bool is_stranger(const struct words *w, uint32_t owner)
{
	uint32_t uid = (uint32_t) number(w, "user", owner);

	return uid && uid != owner;
}

/* The owner of a booking, or an operator, asks through the socket to have it changed. */
static void modify(const struct words *w)
{
	struct sim_job *job = job_named(w);
	struct sim_want want;
	char text[512];
	size_t len;

	if (!job || !job->booking)
		return;
	len = (size_t) snprintf(text, sizeof(text), "{\"version\":1,\"op\":\"modify\",\"job\":%u",
				job->id);
	if (value(w, "nodes"))
		len += (size_t) snprintf(text + len, sizeof(text) - len, ",\"nodes\":%" PRId64,
					 number(w, "nodes", 1));
	if (value(w, "limit"))
		len += (size_t) snprintf(text + len, sizeof(text) - len, ",\"duration\":%" PRId64,
					 number(w, "limit", 60));
	if (value(w, "until"))
		len += (size_t) snprintf(text + len, sizeof(text) - len, ",\"until\":%" PRId64,
					 when(w, "until", 0));
	if (value(w, "begin"))
		len += (size_t) snprintf(text + len, sizeof(text) - len, ",\"begin\":%" PRId64,
					 when(w, "begin", 0));
	if (value(w, "hold"))
		len += (size_t) snprintf(text + len, sizeof(text) - len, ",\"hold\":%" PRId64,
					 number(w, "hold", 60));
	snprintf(text + len, sizeof(text) - len, "%s}", says(w, "exact") ? ",\"exact\":true" : "");
	if (is_stranger(w, job->uid)) {
		sim_door_refuses((uint32_t) number(w, "user", 0), text);
		return;
	}
	want = (struct sim_want){
		.id = job->id,
		.life = sim_world->counts.lives,
		.from = value(w, "begin") ? when(w, "begin", 0) : 0,
		.until = value(w, "until") ? when(w, "until", 0) : 0,
		.seconds = number(w, "limit", 0),
		.hold = value(w, "hold") ? when(w, "hold", 60) + 1 : 0,
		.nodes = (uint32_t) number(w, "nodes", 0),
	};
	for (uint32_t i = 0; i < (job->n_parts ? job->n_parts : 1); i++)
		sim_check_asked(job->id + i);
	/* The request has another window from now on. */
	job->asked_from = job->asked_until = 0;
	want.line = sim_door_lines() + 1;
	sim_door_ask((uint32_t) number(w, "user", job->uid), text);
	if (sim_door_lines() == want.line && !job->n_parts && !job->component)
		sim_want_note(&want);
}

/* rspb accept: an offer, by the word that the list has. */
static void accept_offer(const struct words *w)
{
	struct sim_job *job = job_named(w);

	if (job && job->booking && job->phase == RSPB_JOB_PENDING && !job->n_parts &&
	    !job->component)
		sim_door_accept(job, (uint32_t) number(w, "which", 1));
}

/* The bookings of the series of one are moved together: all, or none. */
static void move_together(const struct words *w)
{
	const struct sim_job *job = job_named(w);
	struct sim_together *all = &sim_world->together;
	char text[512] = "{\"version\":1,\"op\":\"modify\",\"jobs\":[";
	size_t len = strlen(text);

	if (!job || !job->booking || sim_now() < all->at + SIM_TOGETHER_S)
		return;
	*all = (struct sim_together){ .at = sim_now(), .by = number(w, "by", 600) };
	sim_check_series(job->id, all);
	if (!all->n)
		return;
	for (uint32_t i = 0; i < all->n; i++) {
		struct sim_job *one = sim_job_find(all->id[i]);

		len += (size_t) snprintf(text + len, sizeof(text) - len, "%s%u", i ? "," : "",
					 one->id);
		for (uint32_t k = 0; k < (one->n_parts ? one->n_parts : 1); k++)
			sim_check_asked(one->id + k);
		one->asked_from = one->asked_until = 0;
	}
	snprintf(text + len, sizeof(text) - len, "],\"moved\":%" PRId64 "}", all->by);
	sim_door_ask(job->uid, text);
}

static void release(const struct words *w)
{
	struct sim_job *job = job_named(w);
	char text[128];

	if (!job || !job->booking || job->phase != RSPB_JOB_PENDING)
		return;
	snprintf(text, sizeof(text), "{\"version\":1,\"op\":\"release\",\"job\":%u}", job->id);
	if (is_stranger(w, job->uid)) {
		sim_door_refuses((uint32_t) number(w, "user", 0), text);
		return;
	}
	for (uint32_t i = 0; i < (job->n_parts ? job->n_parts : 1); i++)
		sim_check_cancelled(job->id + i);
	sim_door_ask(job->uid, text);
}

/* RET the number of the node that is named; SIM_NODES: none, or it is in trouble already. */
static uint32_t node_named(const struct words *w)
{
	uint32_t node = w->n > 1 && w->word[1][0] == 'n'
				? (uint32_t) strtoul(w->word[1] + 1, NULL, 10) - 1
				: SIM_NODES;

	if (node >= sim_run.nodes || sim_world->back_at[node] ||
	    (sim_world->down | sim_world->absent) >> node & 1)
		return SIM_NODES;
	return node;
}

/* scontrol suspend; it is resumed later. */
static void suspend(const struct words *w)
{
	struct sim_job *job = job_named(w);

	if (!job || job->phase != RSPB_JOB_RUNNING || job->suspended || job->booking)
		return;
	job->suspended = true;
	job->suspended_at = sim_now();
	job->resume_at = when(w, "for", 60);
	sim_log("SUSPEND job %u", job->id);
	sim_world_look(1);
	sim_world->changed_nodes = sim_now();
	sim_job_changed(job);
}

/* scontrol reboot: once its jobs are over, it is away for a while. */
static void reboot_node(const struct words *w)
{
	uint32_t node = node_named(w);

	if (node == SIM_NODES || sim_world->reboots[node])
		return;
	sim_log("NODE n%u is to be rebooted", node + 1);
	sim_world->reboots[node] = number(w, "for", 120);
	sim_world->drained |= UINT64_C(1) << node;
	sim_world->changed_nodes = sim_now();
}

/* A user asks for a booking without a job. */
static void ask_group(const struct words *w)
{
	uint32_t label = w->n > 1 && w->word[1][0] == 'g'
				 ? (uint32_t) strtoul(w->word[1] + 1, NULL, 10)
				 : 0;
	int64_t begin = when(w, "begin", 60), limit = number(w, "limit", 600);
	char text[400];

	if (!label)
		return;
	snprintf(text, sizeof(text),
		 "{\"version\":1,\"op\":\"reserve\",\"nodes\":%" PRId64 ",\"duration\":%" PRId64
		 ",\"users\":\"u%" PRId64 "\",\"begin\":%" PRId64 ",\"until\":%" PRId64 "}",
		 number(w, "nodes", 1), limit, number(w, "for", 1001), begin,
		 when(w, "deadline", begin - sim_now() + limit));
	sim_door_reserve((uint32_t) number(w, "user", 1000), text, label);
}

/* Its owner releases one, or asks to have it changed. */
static void change_group(const struct words *w)
{
	uint32_t label = w->n > 1 && w->word[1][0] == 'g'
				 ? (uint32_t) strtoul(w->word[1] + 1, NULL, 10)
				 : 0;
	struct sim_group *group = &sim_world->groups[label % SIM_GROUPS];
	const struct sim_resv *resv;
	char text[400];

	if (!label || group->label != label || !group->name[0])
		return;
	if (value(w, "nodes")) {
		snprintf(
			text, sizeof(text),
			"{\"version\":1,\"op\":\"modify\",\"reservation\":\"%s\",\"nodes\":%" PRId64
			"}",
			group->name, number(w, "nodes", 1));
	} else {
		snprintf(text, sizeof(text),
			 "{\"version\":1,\"op\":\"release\",\"reservation\":\"%s\"}", group->name);
		resv = sim_resv_find(group->name);
		group->number = resv ? resv->id : 0;
	}
	if (says(w, "stranger")) {
		sim_door_refuses((uint32_t) number(w, "user", 1004), text);
		return;
	}
	sim_door_ask((uint32_t) number(w, "user", 1000), text);
	if (value(w, "nodes"))
		return;
	group->release_line = sim_door_lines();
	group->release_life = sim_world->counts.lives;
}

/* rspb offers: what a job could have instead. */
static void ask_offers(const struct words *w)
{
	const struct sim_job *job = job_named(w);
	char text[128];

	if (!job || !job->booking || job->phase != RSPB_JOB_PENDING)
		return;
	snprintf(text, sizeof(text), "{\"version\":1,\"op\":\"offers\",\"job\":%u}", job->id);
	if (is_stranger(w, job->uid))
		sim_door_refuses((uint32_t) number(w, "user", 0), text);
	else
		sim_door_ask((uint32_t) number(w, "user", job->uid), text);
}

/* Questions that change nothing. */
static void ask(const struct words *w)
{
	static const struct {
		const char *word, *asked;
	} asks[] = {
		{ "ping", "\"op\":\"ping\"" },
		{ "list", "\"op\":\"list\",\"all\":true,\"ended\":true" },
		{ "calendar", "\"op\":\"calendar\"" },
		{ "stats", "\"op\":\"stats\"" },
		{ "settings", "\"op\":\"settings\"" },
		{ "slots", "\"op\":\"slots\",\"duration\":3600,\"nodes\":8" },
		{ "offers", "\"op\":\"offers\",\"duration\":3600,\"nodes\":16" },
		{ "nonsense", "\"op\":\"nonsense\"" },
	};
	char text[160];

	for (size_t i = 0; w->n > 1 && i < sizeof(asks) / sizeof(asks[0]); i++)
		if (!strcmp(w->word[1], asks[i].word)) {
			snprintf(text, sizeof(text), "{\"version\":1,%s}", asks[i].asked);
			sim_door_ask((uint32_t) number(w, "user", 1000), text);
		}
}

/* scontrol requeue, of a job that runs. */
static void requeue(const struct words *w)
{
	struct sim_job *job = job_named(w);

	if (!job || job->phase != RSPB_JOB_RUNNING || !job->requeue)
		return;
	sim_world->counts.requeued++;
	for (uint32_t i = 0; i < (job->n_parts ? job->n_parts : 1); i++) {
		struct sim_job *part = sim_job_find(job->id + i);

		if (part && part->phase == RSPB_JOB_RUNNING)
			sim_job_end(part, false, false, true);
	}
}

static void step_clock(const struct words *w)
{
	int64_t by = w->n > 1 ? strtoll(w->word[1], NULL, 10) : 0;

	sim_world->offset += by * SIM_S;
	sim_world->counts.steps++;
	sim_world->calm_at = sim_world->us + 300 * SIM_S;
	sim_log("CLOCK steps by %" PRId64 " s", by);
}

static void fail_node(const struct words *w)
{
	uint32_t node = node_named(w);

	if (node < SIM_NODES)
		sim_node_fails(node, number(w, "for", 600) * SIM_S);
}

/* slurm.conf without a node, and scontrol reconfigure. */
static void unlist_node(const struct words *w)
{
	uint32_t node = node_named(w);

	if (node < SIM_NODES && sim_width() > 1)
		sim_node_unlisted(node, number(w, "for", 600) * SIM_S);
}

static void drain_node(const struct words *w)
{
	uint32_t node = node_named(w);

	if (node == SIM_NODES)
		return;
	sim_log("NODE n%u is drained", node + 1);
	sim_world->drained |= UINT64_C(1) << node;
	sim_world->back_at[node] = sim_world->us + number(w, "for", 600) * SIM_S;
	sim_world->changed_nodes = sim_now();
	sim_world->counts.nodes_down++;
}

static void silence_node(const struct words *w)
{
	uint32_t node = node_named(w);

	if (node == SIM_NODES)
		return;
	sim_log("NODE n%u is silent", node + 1);
	sim_world->silent |= UINT64_C(1) << node;
	sim_world->back_at[node] = sim_world->us + number(w, "for", 60) * SIM_S;
	sim_world->changed_nodes = sim_now();
}

/* RET the reservation that is named, of an operator. */
static struct sim_resv *resv_named(const struct words *w)
{
	return w->n > 1 && !strncmp(w->word[1], "op", 2) ? sim_resv_find(w->word[1]) : NULL;
}

/* An operator makes a reservation that asks for its nodes by its tag. */
static void reserve(const struct words *w)
{
	struct sim_resv *resv;

	if (w->n < 2 || strncmp(w->word[1], "op", 2) || sim_resv_find(w->word[1]))
		return;
	resv = sim_resv_add(w->word[1]);
	if (!resv)
		return;
	snprintf(resv->users, sizeof(resv->users), "u%" PRId64, number(w, "user", 1000));
	snprintf(resv->tag, sizeof(resv->tag), "rspb:nodes=%" PRId64, number(w, "nodes", 1));
	resv->start = when(w, "start", 60);
	resv->end = resv->start + number(w, "limit", 600);
	sim_log("OPERATOR makes %s, %s, %" PRId64 " to %" PRId64, resv->name, resv->tag,
		resv->start, resv->end);
	sim_resv_changed(true);
	sim_world->counts.edits++;
}

/* An operator's reservation without a tag: no booking gets its nodes. */
static void block(const struct words *w)
{
	const char *first = value(w, "from");
	uint32_t from = first && first[0] == 'n' ? (uint32_t) strtoul(first + 1, NULL, 10) - 1 : 0;
	uint32_t nodes = (uint32_t) number(w, "nodes", 1);
	struct sim_resv *resv;

	if (w->n < 2 || strncmp(w->word[1], "op", 2) || sim_resv_find(w->word[1]) ||
	    from + nodes > sim_run.nodes)
		return;
	resv = sim_resv_add(w->word[1]);
	if (!resv)
		return;
	snprintf(resv->users, sizeof(resv->users), "u%" PRId64, number(w, "user", 1000));
	for (uint32_t n = from; n < from + nodes; n++)
		resv->nodes |= UINT64_C(1) << n;
	resv->start = when(w, "start", 60);
	resv->end = resv->start + number(w, "limit", 600);
	resv->maintenance = says(w, "maintenance");
	resv->period = says(w, "daily") ? 86400 : says(w, "hourly") ? 3600 : 0;
	sim_log("OPERATOR makes %s, %" PRId64 " to %" PRId64 " nodes %016llx", resv->name,
		resv->start, resv->end, (unsigned long long) resv->nodes);
	sim_resv_changed(true);
	sim_world->counts.edits++;
}

static void delete_resv(const struct words *w)
{
	struct sim_resv *resv = resv_named(w);
	struct sim_gone *gone = &sim_world->gone[sim_world->n_gone % SIM_GONE];

	if (!resv)
		return;
	sim_log("OPERATOR deletes %s", resv->name);
	if (resv->nodes && resv->tag[0]) {
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

static void move_resv(const struct words *w)
{
	struct sim_resv *resv = resv_named(w);
	int64_t by = number(w, "by", 0);

	if (!resv || !resv->nodes || !resv->tag[0] || resv->start < sim_now() + 600)
		return;
	resv->start += by;
	resv->end += by;
	sim_log("OPERATOR moves %s by %" PRId64 " s", resv->name, by);
	sim_resv_changed(true);
	sim_world->counts.edits++;
}

/* An operator gives a job another time limit (scontrol update TimeLimit=). */
static void limit_job(const struct words *w)
{
	struct sim_job *job = job_named(w);

	if (!job || job->booking)
		return;
	job->limit = number(w, "limit", 600);
	job->raised = true;
	if (job->phase == RSPB_JOB_RUNNING && !job->suspended)
		job->end = job->start + job->limit;
	sim_log("OPERATOR limits job %u to %" PRId64 " s", job->id, job->limit);
	sim_job_changed(job);
}

/* scontrol update partition state=down, and up again later. */
static void close_partitions(const struct words *w)
{
	sim_world->closed_at = sim_now();
	sim_world->closed_until = when(w, "for", 60);
	sim_log("PARTITIONS are down until %" PRId64, sim_world->closed_until);
}

/* For a time Slurm does not know a user whom reservations name. */
static void fix_resvs(const struct words *w)
{
	sim_world->fixed_until = when(w, "for", 10);
	sim_log("RESERVATIONS cannot be changed until %" PRId64, sim_world->fixed_until);
}

/* scontrol hold, and release. */
static void hold(const struct words *w)
{
	struct sim_job *job = job_named(w);

	if (!job || job->phase != RSPB_JOB_PENDING || job->held)
		return;
	job->held = true;
	sim_log("HELD job %u by its owner", job->id);
	sim_job_changed(job);
}

static void unhold(const struct words *w)
{
	struct sim_job *job = job_named(w);

	if (!job || job->phase != RSPB_JOB_PENDING || !job->held)
		return;
	job->held = job->held_by_us = false;
	sim_log("UNHELD job %u by its owner", job->id);
	sim_job_changed(job);
}

/* Write another line of rspb.conf, and reconfigure. */
static void set_conf(const struct words *w)
{
	struct rspb_err err = { "" };

	if (w->n < 2 || !sim_settings_change(w->word[1]))
		return;
	sim_settings_write();
	/* Requests that were declined just before were decided with the former settings. */
	sim_world->first_start |= !strcmp(w->word[1], "Algorithm=rb");
	sim_log("CONF %s", w->word[1]);
	if (rspb_broker_reconfig(&err))
		sim_fault("%s is not taken: %s", w->word[1], err.text);
}

static void fail_disk(const struct words *w)
{
	sim_disk_fails(number(w, "for", 10) * SIM_S);
}

static void slow_disk(const struct words *w)
{
	sim_disk_slow(number(w, "for", 10) * SIM_S);
}

/* kill [WAY N] [power]: now, or at the N-th time of something. */
static void kill_ctld(const struct words *w)
{
	sim_kill_arm(w->n > 1 ? w->word[1] : "now", w->n > 2 ? strtoull(w->word[2], NULL, 10) : 1,
		     says(w, "power"), says(w, "damage"));
}

static const struct {
	const char *word;
	void (*act)(const struct words *w);
} verbs[] = {
	{ "submit", submit },	     { "book", book },
	{ "cancel", cancel },	     { "modify", modify },
	{ "release", release },	     { "ask", ask },
	{ "requeue", requeue },	     { "clock", step_clock },
	{ "fail", fail_node },	     { "drain", drain_node },
	{ "unlist", unlist_node },   { "silence", silence_node },
	{ "reserve", reserve },	     { "delete", delete_resv },
	{ "move", move_resv },	     { "block", block },
	{ "limit", limit_job },	     { "hold", hold },
	{ "unhold", unhold },	     { "set", set_conf },
	{ "suspend", suspend },	     { "reboot", reboot_node },
	{ "group", ask_group },	     { "change", change_group },
	{ "disk-fails", fail_disk }, { "disk-slow", slow_disk },
	{ "kill", kill_ctld },	     { "close", close_partitions },
	{ "offers", ask_offers },    { "together", move_together },
	{ "accept", accept_offer },  { "fix", fix_resvs },
};

static int find_verb(const char *text)
{
	size_t len = strcspn(text, " ");

	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (strlen(verbs[i].word) == len && !strncmp(text, verbs[i].word, len))
			return (int) i;
	return -1;
}

bool sim_action_known(const char *text)
{
	return find_verb(text) >= 0;
}

void sim_act(const char *text)
{
	int verb = find_verb(text);
	struct words w;

	if (verb < 0)
		return;
	sim_record(sim_world->us, text);
	split(text, &w);
	sim_world->counts.events++;
	verbs[verb].act(&w);
}
