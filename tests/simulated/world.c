/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The behaviour of Slurm and the nodes. The stand-ins for plugins/compat
 * (slurm_*.c) show it to the controller. */
#include "tests/simulated/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/compat/node.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/occupancy.h"

enum {
	SAVE_DELAY_S = 5,
	SAVE_APART_US = 2000000, /* at most, between jobs and reservations */
	OLDER_S = 30,		 /* between copies that are kept */
	RENUMBERED_S = 20,	 /* so long what is late is forgiven */
	CHECK_LIMITS_S = 30,	 /* Slurm looks so often who is over its limit */
	REGISTER_S = 8		 /* after its start each node has registered by then */
};

struct sim_world *sim_world;
struct sim_run sim_run;

int64_t sim_now(void)
{
	return (sim_world->us + sim_world->offset) / SIM_S;
}

static void note_change(void)
{
	if (!sim_world->save_due)
		sim_world->save_due = sim_world->us + SAVE_DELAY_S * SIM_S;
}

struct sim_job *sim_job_find(uint32_t id)
{
	struct sim_job *job = &sim_world->jobs.slot[id % SIM_JOBS];

	return id && job->id == id ? job : NULL;
}

uint32_t sim_ids_place(const uint32_t *ids, uint32_t n, uint32_t id)
{
	uint32_t low = 0, high = n;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (ids[middle] < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* A number is in a list, or not. */
static void list_id(struct sim_ids *list, uint32_t id, bool is)
{
	uint32_t at = sim_ids_place(list->id, list->n, id);
	bool was = at < list->n && list->id[at] == id;

	if (is == was)
		return;
	memmove(&list->id[at + is], &list->id[at + was],
		(list->n - at - was) * sizeof(list->id[0]));
	if (is)
		list->id[at] = id;
	list->n += is;
	list->n -= was;
}

/* Each change of its record puts a job into the lists to which it belongs. */
static void list_job(const struct sim_job *job)
{
	bool placed = sim_job_placed(job);

	list_id(&sim_world->placed, job->id, placed);
	list_id(&sim_world->due, job->id, placed || job->phase == RSPB_JOB_DONE);
	list_id(&sim_world->waiting, job->id, job->phase == RSPB_JOB_PENDING && !job->resv[0]);
}

static void list_all_jobs(void)
{
	sim_world->placed.n = sim_world->due.n = sim_world->waiting.n = 0;
	for (uint32_t i = 0; i < sim_world->jobs.n; i++)
		list_job(sim_job_find(sim_world->jobs.ids[i]));
}

struct sim_job *sim_job_add(void)
{
	struct sim_jobs *jobs = &sim_world->jobs;

	if (jobs->n == SIM_JOBS)
		return NULL;
	for (int i = 0; i < SIM_JOBS; i++) {
		uint32_t id = jobs->next++;
		struct sim_job *job = &jobs->slot[id % SIM_JOBS];
		struct sim_promise *promise = &sim_world->promises[id % SIM_JOBS];

		if (job->id || (promise->id && promise->id != id && !promise->over))
			continue;
		if (promise->id == id && promise->booked && !promise->over)
			sim_fault("number %u is given to a second job", id);
		memset(promise, 0, sizeof(*promise));
		memset(job, 0, sizeof(*job));
		job->id = job->leader = id;
		job->requeue = true;
		job->submitted = sim_now();
		jobs->ids[jobs->n++] = id;
		list_job(job);
		return job;
	}
	return NULL;
}

void sim_job_forget(uint32_t id)
{
	struct sim_jobs *jobs = &sim_world->jobs;

	for (uint32_t i = 0; i < jobs->n; i++)
		if (jobs->ids[i] == id) {
			memmove(&jobs->ids[i], &jobs->ids[i + 1],
				(jobs->n - i - 1) * sizeof(jobs->ids[0]));
			jobs->n--;
			break;
		}
	list_id(&sim_world->due, id, false);
	list_id(&sim_world->waiting, id, false);
	jobs->slot[id % SIM_JOBS].id = 0;
	sim_world->changed_jobs = sim_now();
	note_change();
}

void sim_job_changed(struct sim_job *job)
{
	job->mark = ++sim_world->marks;
	sim_world->changed_jobs = sim_now();
	list_job(job);
	note_change();
}

struct sim_job *sim_job_leader(struct sim_job *job)
{
	struct sim_job *leader = sim_job_find(job->leader);

	return leader ? leader : job;
}

bool sim_job_placed(const struct sim_job *job)
{
	return job->phase == RSPB_JOB_RUNNING || job->unclean;
}

static void nodes_changed(void)
{
	sim_world->changed_nodes = sim_now();
	note_change();
}

void sim_job_begin(struct sim_job *job, uint64_t nodes, int64_t end)
{
	job->phase = RSPB_JOB_RUNNING;
	sim_world->asleep &= ~nodes;
	job->nodes = nodes;
	job->start = sim_now();
	job->end = job->start + job->limit;
	if (end && job->end > end)
		job->end = end;
	for (int n = 0; n < SIM_NODES; n++) {
		if (!(nodes >> n & 1))
			continue;
		sim_there_add(job, (uint32_t) n);
	}
	job->lost = 0;
	job->starts++;
	sim_log("START job %u %s nodes %016llx", job->id, job->booking ? job->resv : "regular",
		(unsigned long long) nodes);
	if (job->tasks && job->tasks != SIM_TASKS * (uint32_t) __builtin_popcountll(nodes))
		sim_fault("job %u begins with %u tasks on %d nodes", job->id, job->tasks,
			  __builtin_popcountll(nodes));
	nodes_changed();
	sim_job_changed(job);
	rspb_starts_note(job->id);
}

void sim_job_end(struct sim_job *job, bool cancelled, bool by_owner, bool requeued)
{
	bool ran = job->phase == RSPB_JOB_RUNNING;

	sim_log("END job %u%s%s%s", job->id, ran ? "" : " that waited",
		cancelled ? by_owner ? " cancelled by its owner" : " cancelled" : "",
		requeued ? " requeued" : "");
	if (ran) {
		/* The epilog of some jobs takes long. */
		uint64_t longest = sim_run.calm || sim_below(50) ? SIM_S / 8 : 20 * SIM_S;

		job->unclean = job->nodes;
		/* The select plugin is told before the lock is released. */
		if (job->booking && job->licenses && requeued)
			rspb_book_return(job->leader);
		for (int n = 0; n < SIM_NODES; n++)
			if (job->nodes >> n & 1)
				job->clean_at[n] = sim_world->us + SIM_S / 50 +
						   (int64_t) sim_below(longest);
		nodes_changed();
	}
	job->suspended = false;
	job->end = job->over_at = sim_now();
	if (requeued && ran) {
		job->phase = RSPB_JOB_PENDING;
		job->begin = sim_now() + SIM_REQUEUE_DELAY;
	} else {
		job->phase = RSPB_JOB_DONE;
		job->cancelled = cancelled;
		job->by_owner = by_owner;
	}
	sim_job_changed(job);
}

static uint32_t hash_of(const char *name)
{
	uint32_t hash = 0;

	for (; *name; name++)
		hash = hash * 31 + (unsigned char) *name;
	return hash;
}

struct sim_resv *sim_resv_find(const char *name)
{
	const struct sim_resvs *resvs = &sim_world->resvs;
	uint32_t hash = hash_of(name);

	for (int i = 0; i < resvs->top && name[0]; i++)
		if (resvs->hash[i] == hash && resvs->slot[i].used &&
		    !strcmp(resvs->slot[i].name, name))
			return &sim_world->resvs.slot[i];
	return NULL;
}

struct sim_resv *sim_resv_add(const char *name)
{
	for (int i = 0; i < SIM_RESVS; i++) {
		struct sim_resv *resv = &sim_world->resvs.slot[i];

		if (resv->used)
			continue;
		memset(resv, 0, sizeof(*resv));
		resv->used = true;
		resv->id = ++sim_world->resvs.next;
		if (i >= sim_world->resvs.top)
			sim_world->resvs.top = i + 1;
		snprintf(resv->name, sizeof(resv->name), "%s", name);
		sim_world->resvs.hash[i] = hash_of(resv->name);
		return resv;
	}
	return NULL;
}

void sim_resv_changed(bool others)
{
	sim_world->changed_resvs = sim_now();
	if (others)
		sim_world->others++;
	note_change();
	if (!others && sim_kill_passes(SIM_KILL_RESV))
		sim_die();
}

uint64_t sim_nodes_used(void)
{
	uint64_t used = 0;

	for (uint32_t i = 0; i < sim_world->placed.n; i++) {
		const struct sim_job *job = sim_job_find(sim_world->placed.id[i]);

		if (job->phase == RSPB_JOB_RUNNING)
			used |= job->nodes;
		used |= job->unclean;
	}
	return used;
}

uint64_t sim_nodes_unusable(void)
{
	return sim_world->down | sim_world->drained | sim_world->absent;
}

uint64_t sim_nodes_all(void)
{
	uint64_t all = sim_run.nodes == SIM_NODES ? ~UINT64_C(0)
						  : (UINT64_C(1) << sim_run.nodes) - 1;

	return all & ~sim_world->absent;
}

uint32_t sim_width(void)
{
	return (uint32_t) __builtin_popcountll(sim_nodes_all());
}

uint32_t sim_node_at(uint32_t number)
{
	uint64_t nodes = sim_nodes_all();

	if (!sim_world->absent)
		return number < sim_run.nodes ? number : SIM_NODES;
	for (; nodes && number; number--)
		nodes &= nodes - 1;
	return nodes ? (uint32_t) __builtin_ctzll(nodes) : SIM_NODES;
}

uint32_t sim_number_of(uint32_t node)
{
	if (!sim_world->absent)
		return node;
	return (uint32_t) __builtin_popcountll(sim_nodes_all() & ((UINT64_C(1) << node) - 1));
}

/* Nodes that have not registered since slurmctld was started are silent, too. */
uint64_t sim_nodes_silent(void)
{
	uint64_t nodes = sim_world->silent;

	for (int n = 0; n < SIM_NODES; n++)
		if (sim_world->registers[n])
			nodes |= UINT64_C(1) << n;
	return nodes & ~sim_world->down;
}

uint64_t sim_bits(const struct rspb_nodeset *set)
{
	uint64_t nodes = 0;

	RSPB_NODESET_EACH (n, set) {
		uint32_t node = sim_node_at(n);

		if (node < SIM_NODES)
			nodes |= UINT64_C(1) << node;
	}
	return nodes;
}

void sim_bits_add(uint64_t nodes, struct rspb_nodeset *set)
{
	for (nodes &= sim_nodes_all(); nodes; nodes &= nodes - 1) {
		uint32_t number = sim_number_of((uint32_t) __builtin_ctzll(nodes));

		if (number < set->width)
			rspb_nodeset_add(set, number);
	}
}

char *sim_names(uint64_t nodes)
{
	char *text = malloc(SIM_NODES * 4 + 1);
	size_t len = 0;

	if (!text)
		return NULL;
	text[0] = '\0';
	for (int n = 0; n < SIM_NODES; n++)
		if (nodes >> n & 1)
			len += (size_t) sprintf(text + len, "%sn%d", len ? "," : "", n + 1);
	return text;
}

uint64_t sim_nodes_parse(const char *names)
{
	uint64_t nodes = 0;

	while (names && names[0]) {
		int number = names[0] == 'n' ? atoi(names + 1) : 0;

		if (number >= 1 && number <= (int) sim_run.nodes)
			nodes |= UINT64_C(1) << (number - 1);
		names = strchr(names, ',');
		if (names)
			names++;
	}
	return nodes;
}

/* End all components of a job, as they do when one of them ends. */
static void end_all(struct sim_job *job)
{
	struct sim_job *leader = sim_job_leader(job);

	for (uint32_t i = 0; i < (leader->n_parts ? leader->n_parts : 1); i++) {
		struct sim_job *one = sim_job_find(leader->id + i);

		if (one && one->phase == RSPB_JOB_RUNNING)
			sim_job_end(one, false, false, one->requeue);
	}
}

/* A node is given up by Slurm: its jobs wait again, or end. */
void sim_node_fails(uint32_t node, int64_t back_after)
{
	uint64_t bit = UINT64_C(1) << node;

	sim_log("NODE n%u down", node + 1);
	sim_world->down |= bit;
	sim_world->back_at[node] = sim_world->us + back_after;
	sim_world->counts.nodes_down++;
	nodes_changed();
	for (uint32_t i = 0; i < sim_world->jobs.n; i++) {
		struct sim_job *job = sim_job_find(sim_world->jobs.ids[i]);

		if (job->phase == RSPB_JOB_RUNNING && job->nodes & bit)
			end_all(job);
		if (!(job->unclean & bit))
			continue;
		job->unclean &= ~bit;
		sim_job_changed(job);
	}
	memset(sim_world->there[node], 0, sizeof(sim_world->there[node]));
	sim_world->n_there[node] = 0;
}

/* For a moment what is late is forgiven. */
static void renumber(void)
{
	sim_world->renumbered_at = sim_now();
	sim_world->calm_at = sim_world->us + RENUMBERED_S * SIM_S;
	nodes_changed();
}

/* Slurm has read its records, and slurm.conf lists fewer nodes: jobs there fail, and
 * reservations make do with the others. */
static void leave_unlisted(void)
{
	for (uint32_t i = 0; sim_world->absent && i < sim_world->jobs.n; i++) {
		struct sim_job *job = sim_job_find(sim_world->jobs.ids[i]);

		if (job->phase == RSPB_JOB_RUNNING && job->nodes & sim_world->absent)
			end_all(job);
		if (!(job->unclean & sim_world->absent))
			continue;
		job->unclean &= ~sim_world->absent;
		sim_job_changed(job);
	}
	for (int i = 0; sim_world->absent && i < sim_world->resvs.top; i++) {
		struct sim_resv *resv = &sim_world->resvs.slot[i];

		if (!resv->used || !(resv->nodes & sim_world->absent))
			continue;
		resv->nodes &= ~sim_world->absent;
		resv->used = resv->nodes != 0;
		sim_log("RESV %s has nodes %016llx left", resv->name,
			(unsigned long long) resv->nodes);
		sim_resv_changed(true);
	}
}

void sim_node_unlisted(uint32_t node, int64_t for_us)
{
	sim_log("NODE n%u leaves slurm.conf", node + 1);
	sim_world->absent |= UINT64_C(1) << node;
	sim_world->listed_at[node] = sim_world->us + for_us;
	sim_world->asleep &= ~(UINT64_C(1) << node);
	sim_world->awake_at[node] = sim_world->registers[node] = sim_world->reboots[node] = 0;
	memset(sim_world->there[node], 0, sizeof(sim_world->there[node]));
	sim_world->n_there[node] = 0;
	renumber();
	leave_unlisted();
}

/* The node comes back as it was, without jobs. */
static void list_again(uint32_t node)
{
	sim_log("NODE n%u is in slurm.conf again", node + 1);
	sim_world->absent &= ~(UINT64_C(1) << node);
	sim_world->listed_at[node] = 0;
	sim_world->in_use[node] = sim_world->us;
	renumber();
}

/* The jobs that a node reports are compared with those that Slurm knows. */
static void node_registers(uint32_t node)
{
	struct sim_job *job;

	sim_world->registers[node] = 0;
	for (int i = 0; i < SIM_BESIDE; i++) {
		uint32_t id = sim_world->there[node][i].job;

		job = sim_job_find(id);
		if (!id || (job && job->phase == RSPB_JOB_RUNNING && job->nodes >> node & 1) ||
		    (job && job->unclean >> node & 1))
			continue;
		sim_log("NODE n%u ends job %u, which Slurm does not know there", node + 1, id);
		sim_there_drop(id, node);
	}
	for (uint32_t i = 0; i < sim_world->jobs.n; i++) {
		job = sim_job_find(sim_world->jobs.ids[i]);
		if (job->phase == RSPB_JOB_RUNNING && job->nodes >> node & 1 &&
		    !sim_there(job->id, node)) {
			sim_log("NODE n%u does not know job %u", node + 1, job->id);
			end_all(job);
		}
	}
}

static void tick_nodes(void)
{
	uint64_t blocked = sim_nodes_used() | sim_nodes_unusable() | sim_nodes_silent();

	for (uint32_t n = 0; n < sim_run.nodes; n++) {
		uint64_t bit = UINT64_C(1) << n;

		if (sim_world->listed_at[n] && sim_world->listed_at[n] <= sim_world->us)
			list_again(n);
		if (!(sim_nodes_unusable() & bit))
			sim_world->lost_at[n] = 0;
		else if (!sim_world->lost_at[n])
			sim_world->lost_at[n] = sim_world->us;
		if (blocked & bit || sim_there_any(n))
			sim_world->in_use[n] = sim_world->us;
		if (sim_world->registers[n] && sim_world->registers[n] <= sim_world->us &&
		    !(sim_world->down & bit))
			node_registers(n);
		if (sim_world->reboots[n] && !sim_there_any(n) && !sim_world->back_at[n] &&
		    !(sim_nodes_used() & bit)) {
			sim_log("NODE n%u reboots", n + 1);
			sim_world->down |= bit;
			sim_world->back_at[n] = sim_world->us + sim_world->reboots[n] * SIM_S;
			nodes_changed();
		}
		if (sim_world->drop & bit && !(sim_nodes_used() & bit)) {
			sim_world->drop &= ~bit;
			nodes_changed();
		}
		if (sim_world->back_at[n] && sim_world->back_at[n] <= sim_world->us) {
			sim_log("NODE n%u serves again", n + 1);
			sim_world->back_at[n] = sim_world->reboots[n] = 0;
			sim_world->down &= ~bit;
			sim_world->drained &= ~bit;
			sim_world->silent &= ~bit;
			sim_world->registers[n] = 0;
			nodes_changed();
		}
	}
}

void sim_wake_nodes(uint64_t nodes)
{
	for (uint32_t n = 0; n < sim_run.nodes; n++)
		if (sim_world->asleep & nodes & UINT64_C(1) << n && !sim_world->awake_at[n]) {
			sim_world->awake_at[n] = sim_world->us + 1 +
						 (int64_t) sim_below(SIM_RESUME_S * SIM_S);
			sim_log("NODE n%u wakes up", n + 1);
		}
}

static void tick_sleep(void)
{
	for (uint32_t n = 0; n < sim_run.nodes; n++) {
		uint64_t bit = UINT64_C(1) << n;

		if (sim_world->asleep & bit && sim_world->awake_at[n] &&
		    sim_world->awake_at[n] <= sim_world->us) {
			sim_world->asleep &= ~bit;
			sim_world->awake_at[n] = 0;
			sim_world->in_use[n] = sim_world->us;
			nodes_changed();
		} else if (!((sim_world->asleep | sim_world->absent) & bit) && !sim_there_any(n) &&
			   sim_world->us > sim_world->in_use[n] + SIM_SUSPEND_S * SIM_S) {
			sim_world->asleep |= bit;
			sim_world->awake_at[n] = 0;
			nodes_changed();
		}
	}
}

static void tick_job(struct sim_job *job)
{
	int64_t now = sim_now();
	uint64_t was = job->unclean;

	if (job->suspended && now >= job->resume_at) {
		int64_t by = now - job->suspended_at;

		job->suspended = false;
		job->end += by;
		job->lost += by;
		sim_log("RESUME job %u", job->id);
		nodes_changed();
		sim_job_changed(job);
	}
	if (job->suspended)
		return;
	if (job->phase == RSPB_JOB_RUNNING) {
		/* Slurm ends what is over its limit when it looks, half a minute apart. */
		if (now >= job->start + job->runs + job->lost ||
		    (now >= job->end && now / CHECK_LIMITS_S != job->end / CHECK_LIMITS_S))
			sim_job_end(job, false, false, false);
		return;
	}
	for (int n = 0; was && n < SIM_NODES; n++)
		if (job->unclean >> n & 1 && job->clean_at[n] <= sim_world->us) {
			job->unclean &= ~(UINT64_C(1) << n);
			sim_there_drop(job->id, (uint32_t) n);
		}
	if (was && !job->unclean) {
		sim_world_look(1);
		nodes_changed();
		sim_job_changed(job);
	}
	if (job->phase == RSPB_JOB_DONE && !job->unclean && now > job->over_at + SIM_MIN_JOB_AGE) {
		sim_check_forgotten(job);
		sim_job_forget(job->id);
	}
}

static void copy_jobs(struct sim_jobs *to, const struct sim_jobs *from)
{
	for (uint32_t i = 0; i < to->n; i++)
		to->slot[to->ids[i] % SIM_JOBS].id = 0;
	for (uint32_t i = 0; i < from->n; i++) {
		const struct sim_job *job = &from->slot[from->ids[i] % SIM_JOBS];
		struct sim_job *copy = &to->slot[from->ids[i] % SIM_JOBS];

		if (copy->mark == job->mark)
			copy->id = job->id;
		else
			*copy = *job;
	}
	memcpy(to->ids, from->ids, from->n * sizeof(from->ids[0]));
	to->n = from->n;
	to->next = from->next;
}

static void copy_resvs(struct sim_resvs *to, const struct sim_resvs *from)
{
	int top = from->top > to->top ? from->top : to->top;

	for (int i = 0; i < top; i++)
		if (from->slot[i].used)
			to->slot[i] = from->slot[i];
		else
			to->slot[i].used = false;
	memcpy(to->hash, from->hash, (size_t) top * sizeof(to->hash[0]));
	to->top = from->top;
	to->next = from->next;
}

void sim_save_jobs(void)
{
	copy_jobs(&sim_world->saved_jobs, &sim_world->jobs);
	sim_world->saved_at = sim_now();
	sim_world->counts.saves++;
}

/* Slurm saves its jobs, and a little later its reservations. */
static void tick_saving(void)
{
	if (sim_world->save_resvs_due && sim_world->us >= sim_world->save_resvs_due) {
		sim_world->save_resvs_due = 0;
		copy_resvs(&sim_world->saved_resvs, &sim_world->resvs);
		sim_world->saved_resvs_at = sim_now();
		/* Jobs may be older than reservations now. */
		if (sim_world->save_due && sim_kill_passes(SIM_KILL_RESVS_SAVED))
			sim_die();
	}
	if (sim_world->save_due && sim_world->us >= sim_world->save_due) {
		if (sim_now() > sim_world->older_at + OLDER_S) {
			copy_jobs(&sim_world->older_jobs, &sim_world->saved_jobs);
			copy_resvs(&sim_world->older_resvs, &sim_world->saved_resvs);
			sim_world->older_at = sim_now();
		}
		sim_world->save_due = 0;
		sim_save_jobs();
		sim_world->save_resvs_due = sim_world->us + SAVE_APART_US / 8 +
					    (int64_t) sim_below(SAVE_APART_US);
		if (sim_kill_passes(SIM_KILL_JOBS_SAVED))
			sim_die();
	}
}

void sim_world_tick(void)
{
	struct sim_resvs *resvs = &sim_world->resvs;

	for (uint32_t i = sim_world->due.n; i--;)
		tick_job(sim_job_find(sim_world->due.id[i]));
	tick_nodes();
	if (sim_run.settings.power_saving)
		tick_sleep();
	while (resvs->top && !resvs->slot[resvs->top - 1].used)
		resvs->top--;
	for (int i = 0; i < resvs->top; i++) {
		struct sim_resv *resv = &resvs->slot[i];

		if (resv->used && !rspb_resv_ours(resv->name) && resv->nodes &&
		    resv->end < sim_now()) {
			if (resv->period) {
				resv->start += resv->period;
				resv->end += resv->period;
			} else {
				resv->used = false;
			}
			sim_resv_changed(true);
		}
	}
	tick_saving();
}

void sim_world_look(int64_t seconds)
{
	if (!sim_world->look_at)
		sim_world->look_at = sim_world->us + seconds * SIM_S;
}

void sim_world_restart(void)
{
	/* The broker may not have heard yet of a reservation that was deleted just before. */
	for (int i = 0; i < SIM_GONE; i++)
		if (sim_world->gone[i].us > sim_world->us - SIM_S)
			sim_world->gone[i].name[0] = '\0';
	copy_jobs(&sim_world->jobs, &sim_world->saved_jobs);
	copy_resvs(&sim_world->resvs, &sim_world->saved_resvs);
	list_all_jobs();
	leave_unlisted();
	sim_world->save_due = sim_world->save_resvs_due = 0;
	sim_world->us += SIM_S / 4 + sim_below(sim_run.calm || sim_below(4) ? SIM_S : 60 * SIM_S);
	for (uint32_t n = 0; n < sim_run.nodes; n++)
		sim_world->registers[n] = sim_world->us + SIM_S +
					  sim_below(sim_run.calm ? SIM_S : REGISTER_S * SIM_S);
	sim_world->changed_jobs = sim_world->changed_nodes = sim_world->changed_resvs = sim_now();
	sim_world->began = sim_world->us;
}
