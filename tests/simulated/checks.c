/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rules that must hold: no node is promised twice, no acknowledged booking is lost or changed
 * without notice, each begins at its second or its owner is told why, and no regular job
 * within its limit is ended. A booking is acknowledged as soon as its contract is in
 * Slurm's record of the job.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/wire/flags.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/no_show.h"
#include "tests/simulated/scenario.h"
#include "tests/simulated/world.h"

enum {
	HELD_MOST = 2, /* offers of a user, at a time */
	LATE_S = 3,    /* by then a start is late unless something was told */
	DECIDED_S = 120,
	CHARGE_S = 95,	     /* longer it may take until an end is seen */
	LATE_CANCEL_S = 240, /* so shortly before its start, at least, a cancelled one is charged */
	TOLD_S = 150,	     /* by then a notice is delivered */
	SETTLE_S = 30,
	APART_S = 240,	 /* what is further apart is in nobody's way */
	SPARE_NODES = 3, /* more than are needed */
	DOUBT_S = 5,
	FIXED_S = 60, /* the disk may be slow between a plan and what is told of it */
	STARVES_S = 200,
	LOOK_S = 5,   /* between two looks at jobs that an outage has cost their bookings */
	AGAIN_S = 20, /* a requeued job begins again by then, if nothing is in its way */
	START_WITHIN_S =
		300,	    /* after its start the nodes of a job that cannot start are released */
	SHARE_S = 3,	    /* what is booked first is compared with MaxBookedPercent for so long */
	AGAIN_US = 2500000, /* between two attempts of a start that is late */
	RECOVER_S = 40,	    /* after a start of slurmctld */
	MOST_CORES = 8,	    /* of a node */
	CLEARING_S = 15	    /* an owner need not be told sooner that nodes are being cleaned up */
};

static void doubt_decline(const struct sim_job *job, const char *reason);
static void check_declined(void);
static void note_loser(const struct sim_job *job, const struct rspb_contract *c);
static void check_groups_told(void);
static void check_losers(void);
static void check_regained(const struct sim_job *job, struct sim_promise *promise);

#define STAYS	"stays as it was booked"
#define CHANGED "changed by"

static struct sim_promise *promise_of(uint32_t id)
{
	struct sim_promise *promise = &sim_world->promises[id % SIM_JOBS];

	return promise->id == id ? promise : NULL;
}

static struct sim_promise *live(uint32_t i)
{
	return &sim_world->promises[sim_world->live[i] % SIM_JOBS];
}

/* Take out of the list what is over, or was of a job whose number another one has. */
static void drop_over(void)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < sim_world->n_live; i++)
		if (live(i)->id == sim_world->live[i] && !live(i)->over &&
		    live(i)->listed_at != sim_world->us) {
			live(i)->listed_at = sim_world->us;
			sim_world->live[n++] = sim_world->live[i];
		}
	sim_world->n_live = n;
}

bool sim_recovering(void)
{
	return sim_world->us < sim_world->began + RECOVER_S * SIM_S ||
	       sim_world->us < sim_world->calm_at;
}

static bool booked_state(enum rspb_state state)
{
	return state == RSPB_BOOKED || state == RSPB_BOOKED_CHANGE;
}

static bool counts(const struct sim_promise *promise)
{
	const struct sim_job *job = promise->id ? sim_job_find(promise->id) : NULL;

	/* A held booking may be given up at a start of slurmctld, and a record that a kill has made
	 * older may say something else. */
	return job && job->phase != RSPB_JOB_DONE && !job->held && promise->booked &&
	       !promise->over && !promise->lost_since &&
	       !(sim_recovering() && job->mark != promise->mark);
}

/* What a promise takes of a node. */
static struct sim_take taken_of(const struct sim_promise *promise, uint32_t node)
{
	return promise->takes.cores || promise->takes.share ? promise->takes : sim_node_has(node);
}

/* RET what there is too little of at an instant on a node, beside those in the list; NULL:
 * nothing. */
static const char *exceeds_at(const struct sim_promise *const *list, int n, int64_t at,
			      uint32_t node, const struct sim_take *own)
{
	struct sim_take sum = *own, has = sim_node_has(node);

	for (int i = 0; i < n; i++)
		if (list[i]->start <= at && list[i]->end > at && list[i]->on >> node & 1) {
			struct sim_take takes = taken_of(list[i], node);

			sim_take_add(&sum, &takes);
		}
	return sim_take_exceeds(&sum, &has);
}

/* RET what of a node within a time is promised twice if `own` is there, too; *with: to
 * whom; NULL: nothing is. */
static const char *promised_twice(uint32_t node, int64_t from, int64_t until,
				  const struct sim_take *own, const struct sim_promise *except,
				  uint32_t *with)
{
	const struct sim_promise *list[SIM_JOBS];
	const char *what;
	int n = 0;

	for (uint32_t i = 0; i < sim_world->n_live; i++) {
		const struct sim_promise *other = live(i);

		if (other != except && other->on >> node & 1 && other->start < until &&
		    from < other->end && other->end > sim_now() && counts(other))
			list[n++] = other;
	}
	if (!n)
		return NULL;
	*with = list[n - 1]->id;
	what = exceeds_at(list, n, from, node, own);
	for (int i = 0; i < n && !what; i++)
		if (list[i]->start > from) {
			*with = list[i]->id;
			what = exceeds_at(list, n, list[i]->start, node, own);
		}
	return what;
}

/* No two bookings are promised the same of a node at one time, near or far. */
static void check_promised_twice(const struct sim_promise *promise)
{
	for (uint64_t nodes = promise->on; nodes; nodes &= nodes - 1) {
		uint32_t node = (uint32_t) __builtin_ctzll(nodes), other = 0;
		struct sim_take takes = taken_of(promise, node);
		const char *what = promised_twice(node, promise->start, promise->end, &takes,
						  promise, &other);

		if (!what)
			continue;
		sim_fault("jobs %u and %u are promised the same %s of node n%u at one time",
			  promise->id, other, what, node + 1);
		return;
	}
}

/* RET as how many nodes, in 1/10000, a promise counts against limits, at least: memory and
 * GPUs may make it more. */
static int64_t weight_of(const struct sim_promise *promise, int64_t nodes)
{
	if (promise->takes.cores)
		return nodes * SIM_WHOLE * promise->takes.cores / MOST_CORES;
	return nodes * (promise->takes.share ? promise->takes.share : SIM_WHOLE);
}

/* Return how many nodes, in 1/10000, are booked at a time: of nodes that are booked in part, their
 * cores. */
static int64_t booked_at(int64_t time)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < sim_world->n_live; i++) {
		const struct sim_promise *other = live(i);

		if (!counts(other) || other->start > time || other->end <= time)
			continue;
		for (uint64_t on = other->on; on; on &= on - 1) {
			struct sim_take has = sim_node_has((uint32_t) __builtin_ctzll(on));

			sum += other->takes.cores ? SIM_WHOLE * other->takes.cores / has.cores
						  : weight_of(other, 1);
		}
	}
	return sum;
}

/* MaxBookedPercent, at the start of a booking and at those of others within its time slot. */
static void check_share(const struct sim_promise *promise)
{
	int64_t most = (int64_t) sim_run.settings.booked_percent * sim_run.nodes * SIM_WHOLE / 100;

	if (sim_run.settings.booked_percent >= 100)
		return;
	for (uint32_t i = 0; i < sim_world->n_live; i++) {
		const struct sim_promise *other = live(i);

		if (!counts(other) || other->start < promise->start ||
		    other->start >= promise->end || booked_at(other->start) <= most)
			continue;
		sim_fault("%.2f of %u nodes are booked at the start of job %u, above %u per cent",
			  (double) booked_at(other->start) / SIM_WHOLE, sim_run.nodes, other->id,
			  sim_run.settings.booked_percent);
		return;
	}
}

/* Whether one before it in the list is of the same series. */
static bool is_further(uint32_t i)
{
	for (uint32_t k = 0; k < i && live(i)->series; k++)
		if (live(k)->series == live(i)->series && counts(live(k)))
			return true;
	return false;
}

/* What a user, or all together (uid 0), have that has not ended; of a series one. series: seconds
 * of series alone, or of what is in none. RET how many; ahead: seconds of a node. */
static uint32_t holdings(uint32_t uid, bool series, int64_t *ahead)
{
	int64_t now = sim_now();
	uint32_t n = 0;

	*ahead = 0;
	for (uint32_t i = 0; i < sim_world->n_live; i++) {
		const struct sim_promise *other = live(i);
		const struct sim_job *job = counts(other) ? sim_job_find(other->id) : NULL;
		int64_t from = other->start > now ? other->start : now;

		if (!job || (uid && job->uid != uid) || job->array)
			continue;
		n += job->component == 0 && !is_further(i);
		if (other->end > from && (!uid || (other->series != 0) == series))
			*ahead += (other->end - from) * weight_of(other, other->owed) / SIM_WHOLE;
	}
	return n;
}

/* MaxWaitingPerUser and MaxAheadPerUser, as a booking is told first. */
static void check_holdings(const struct sim_promise *promise)
{
	const struct sim_settings *s = &sim_run.settings;
	const struct sim_job *job = sim_job_find(promise->id);
	int64_t most = promise->series ? s->max_series_ahead : s->max_ahead;
	int64_t ahead;
	uint32_t n, held = 0;

	if (!job || job->array)
		return;
	for (uint32_t i = 0; i < sim_world->n_live; i++)
		held += live(i)->held_until > sim_now() && counts(live(i)) &&
			sim_job_find(live(i)->id)->uid == job->uid &&
			!sim_job_find(live(i)->id)->component;
	if (promise->held_until && held > HELD_MOST)
		sim_fault("user %u has %u offers held with job %u", job->uid, held, job->id);
	n = holdings(0, false, &ahead);
	if (s->account_waiting && n > s->account_waiting)
		sim_fault("account a has %u bookings with job %u, above MaxWaitingPerAccount=%u", n,
			  job->id, s->account_waiting);
	if (s->account_ahead && ahead > s->account_ahead * sim_run.nodes)
		sim_fault("account a has booked %" PRId64 " s of a node with job %u, above "
			  "MaxAheadPerAccount=%" PRId64 " s of all",
			  ahead, job->id, s->account_ahead);
	n = holdings(job->uid, promise->series, &ahead);
	if (s->max_waiting && n > s->max_waiting)
		sim_fault("user %u has %u bookings with job %u, above MaxWaitingPerUser=%u",
			  job->uid, n, job->id, s->max_waiting);
	if (most && ahead > most * sim_run.nodes)
		sim_fault("user %u has booked %" PRId64
			  " s of a node with job %u, above %s=%" PRId64 " s of all",
			  job->uid, ahead, job->id,
			  promise->series ? "MaxSeriesAheadPerUser" : "MaxAheadPerUser", most);
}

/* MaxNodes and MaxNodeHours, of all components together. */
static void check_max_nodes(const struct sim_promise *promise)
{
	const struct sim_job *job = sim_job_find(promise->id);
	int64_t sum = 0;

	for (uint32_t i = 0; i < sim_world->n_live; i++) {
		const struct sim_promise *other = live(i);

		if (counts(other) && sim_job_find(other->id)->leader == job->leader)
			sum += weight_of(other, other->nodes);
	}
	if (sim_run.settings.node_hours &&
	    sum * (promise->end - promise->start) >
		    (int64_t) sim_run.settings.node_hours * 3600 * SIM_WHOLE)
		sim_fault("job %u is granted %.2f nodes for %" PRId64 " s, above MaxNodeHours=%u",
			  promise->id, (double) sum / SIM_WHOLE, promise->end - promise->start,
			  sim_run.settings.node_hours);
	if (sim_run.settings.max_nodes && sum > (int64_t) sim_run.settings.max_nodes * SIM_WHOLE)
		sim_fault("job %u is granted %.2f nodes, above MaxNodes=%u", promise->id,
			  (double) sum / SIM_WHOLE, sim_run.settings.max_nodes);
}

/* A grant is what was asked for, and what the site allows. */
static void check_grant(const struct sim_job *job, const struct sim_promise *promise,
			const struct rspb_contract *c)
{
	const struct sim_settings *s = &sim_run.settings;

	if (c->start < c->terms.ready || (c->terms.deadline && c->end > c->terms.deadline))
		sim_fault("job %u is booked for %" PRId64 " to %" PRId64
			  ", outside of its window of %" PRId64 " to %" PRId64,
			  job->id, c->start, c->end, c->terms.ready, c->terms.deadline);
	/* The words of the contract are the controller's own. */
	if (!promise->changed &&
	    (c->start < job->asked_from || (job->asked_until && c->end > job->asked_until)))
		sim_fault("job %u is booked for %" PRId64 " to %" PRId64
			  ", and was submitted for %" PRId64 " to %" PRId64,
			  job->id, c->start, c->end, job->asked_from, job->asked_until);
	if (c->end - c->start != c->terms.duration)
		sim_fault("job %u is booked for %" PRId64 " s, not %" PRId64, job->id,
			  c->end - c->start, c->terms.duration);
	if (s->max_duration && c->terms.duration > s->max_duration && !promise->changed)
		sim_fault("job %u is booked for %" PRId64 " s, above MaxDuration=%" PRId64, job->id,
			  c->terms.duration, s->max_duration);
	if (c->nodes_granted > c->terms.nodes || !c->nodes_granted)
		sim_fault("job %u is granted %u of %u nodes", job->id, c->nodes_granted,
			  c->terms.nodes);
	if (promise->on && (uint32_t) __builtin_popcountll(promise->on) != c->nodes_granted)
		sim_fault("job %u is granted %u nodes, and %d are named", job->id, c->nodes_granted,
			  __builtin_popcountll(promise->on));
	if (job->small && !promise->changed &&
	    (c->nodes_granted > SIM_SMALL_NODES || c->terms.duration > SIM_SMALL_S))
		sim_fault("job %u is granted %u nodes for %" PRId64
			  " s, above the limits of partition small",
			  job->id, c->nodes_granted, c->terms.duration);
	if (c->start < job->submitted + s->min_notice)
		sim_fault("job %u is booked %" PRId64 " s after its submission, MinNotice=%" PRId64,
			  job->id, c->start - job->submitted, s->min_notice);
	if (!c->terms.series[0] && c->end > sim_now() + s->horizon + 1)
		sim_fault("job %u ends in %" PRId64 " s, beyond Horizon=%" PRId64, job->id,
			  c->end - sim_now(), s->horizon);
}

/* No license is promised twice at the start of a booking. */
static void check_licenses(const struct sim_promise *promise)
{
	int64_t sum = 0;

	if (!sim_job_find(promise->id) || !sim_job_find(promise->id)->licenses)
		return;
	for (int i = 0; i < SIM_JOBS; i++) {
		const struct sim_promise *other = &sim_world->promises[i];
		const struct sim_job *job = sim_job_find(other->id);

		if (job && other->booked && !other->over && other->start <= promise->start &&
		    other->end > promise->start && !other->lost_since &&
		    job->phase != RSPB_JOB_DONE)
			sum += job->licenses;
	}
	if (sum > SIM_LICENSES)
		sim_fault("%d licenses of %d are promised at the start of job %u", (int) sum,
			  SIM_LICENSES, promise->id);
}

/* What the contract says of each node, and besides what the job itself asks for. */
static void take_terms(const struct sim_job *job, struct sim_promise *promise,
		       const struct rspb_contract *c)
{
	uint32_t had = promise->takes.cores;

	promise->takes = (struct sim_take){ .cores = c->terms.cores };
	if (c->terms.cores) {
		promise->takes = sim_job_takes(job, 0);
		promise->takes.cores = c->terms.cores;
		/* MaxCPUsPerNode is kept from when its reservation is there. */
		promise->takes.capped = 0;
	} else if (c->share_granted) {
		promise->takes.share = (uint32_t) c->share_granted;
		promise->takes.memory = job->memory;
	}
	for (uint64_t nodes = c->terms.cores ? promise->on : 0; nodes; nodes &= nodes - 1) {
		uint32_t node = (uint32_t) __builtin_ctzll(nodes);

		if (sim_job_takes(job, node).cores <= c->terms.cores)
			continue;
		sim_fault("job %u is granted %u cores of node n%u, where it needs %u", job->id,
			  c->terms.cores, node + 1, sim_job_takes(job, node).cores);
		break;
	}
	/* Whole nodes may be free where parts are not, but no part becomes whole nodes, unless it
	 * was lost and is decided anew. */
	if (had && !c->terms.cores && !promise->lost_since)
		sim_fault("job %u had cores, and is granted whole nodes", job->id);
}

/* Whether it is told while a regular job has the node beyond its start, as far as that could be
 * known. Jobs that are preemptable or suspended have no certain end. */
static bool outlasts(const struct sim_job *regular, uint32_t node, int64_t start)
{
	return !regular->booking && regular->phase == RSPB_JOB_RUNNING &&
	       regular->nodes >> node & 1 && regular->end > start && regular->end > sim_now() &&
	       !regular->suspended && !regular->lost && !regular->raised &&
	       !(regular->preemptable && sim_run.settings.preempts);
}

/* No booking is told for further nodes of which it is known that they do not serve. */
static void check_serving(const struct sim_promise *promise, uint64_t before)
{
	uint64_t lost = 0;

	for (uint32_t n = 0; n < sim_run.nodes; n++)
		if (sim_nodes_unusable() >> n & 1 && sim_world->lost_at[n] &&
		    !sim_world->reboots[n] &&
		    sim_world->lost_at[n] < sim_world->us - FIXED_S * SIM_S)
			lost |= UINT64_C(1) << n;
	if (promise->on & ~before & lost)
		sim_fault("job %u is booked on nodes that are down or drained: %016llx",
			  promise->id, (unsigned long long) (promise->on & ~before & lost));
}

/* No booking is told for further nodes that somebody's reservation has in its time. */
static void check_reserved(const struct sim_promise *promise, uint64_t before)
{
	for (int i = 0; i < sim_world->resvs.top; i++) {
		const struct sim_resv *resv = &sim_world->resvs.slot[i];
		bool meets = resv->start < promise->end && promise->start < resv->end;

		if (!resv->used || rspb_resv_ours(resv->name) || !strncmp(resv->tag, "rspb", 4))
			continue;
		for (int64_t by = resv->period; by && resv->start + by < promise->end;
		     by += resv->period)
			meets |= promise->start < resv->end + by;
		if (meets && promise->on & ~before & resv->nodes)
			sim_fault("job %u is booked from %" PRId64 " on nodes of reservation %s",
				  promise->id, promise->start, resv->name);
	}
}

/* No booking is told for nodes on which regular jobs leave it too little. */
static void check_jobs_there(const struct sim_promise *promise)
{
	for (uint64_t nodes = promise->on; nodes; nodes &= nodes - 1) {
		uint32_t node = (uint32_t) __builtin_ctzll(nodes), last = 0;
		struct sim_take sum = taken_of(promise, node), has = sim_node_has(node);

		for (uint32_t i = 0; i < sim_world->placed.n; i++) {
			const struct sim_job *job = sim_job_find(sim_world->placed.id[i]);
			struct sim_take takes = sim_job_takes(job, node);

			if (!outlasts(job, node, promise->start))
				continue;
			sim_take_add(&sum, &takes);
			last = job->id;
		}
		if (!last || !sim_take_exceeds(&sum, &has))
			continue;
		sim_fault("job %u is booked from %" PRId64
			  " on node n%u, on which regular job %u runs until %" PRId64,
			  promise->id, promise->start, node + 1, last, sim_job_find(last)->end);
		return;
	}
}

/* A start that is fixed does not move for others. */
static void check_fixed(const struct sim_promise *promise, const struct rspb_contract *c)
{
	if (promise->asked || c->start == promise->start || !promise->fixed_at ||
	    sim_now() < promise->fixed_at + FIXED_S || sim_recovering() ||
	    !(strstr(c->reason, "to make room for another") || strstr(c->reason, "earlier")))
		return;
	sim_fault("job %u, whose start was fixed at %" PRId64 ", is moved from %" PRId64
		  " to %" PRId64 ": %s",
		  promise->id, promise->fixed_at, promise->start, c->start, c->reason);
}

static bool is_outage(const struct rspb_contract *c)
{
	/* The second is of a node that fails as a booking is to start. */
	return strstr(c->reason, "a node that is down or drained was in the way") ||
	       strstr(c->reason, "a node is down or drained");
}

/* A booking that lost nodes to an outage says what it had, and gets that back. Parts of nodes do
 * not come back. */
static void note_outage(struct sim_promise *promise, const struct rspb_contract *c)
{
	bool less = promise->booked && !promise->lost_since && c->nodes_granted < promise->nodes;

	if (promise->asked || promise->lost_since || c->terms.cores || c->share_granted ||
	    c->promise || c->nodes_granted >= promise->had) {
		promise->had = 0;
		promise->lacks_from = 0;
	}
	if (!promise->asked && less && is_outage(c) && !c->terms.cores && !c->share_granted &&
	    !c->promise && promise->had < promise->nodes)
		promise->had = promise->nodes;
	if (!promise->had || (c->outage && c->had >= promise->had))
		return;
	sim_fault("job %u has lost %u of %u nodes to an outage, and its contract does not say so",
		  promise->id, promise->had - c->nodes_granted, promise->had);
	promise->had = 0;
}

/* Series of the same name that belong to different users are different. */
static uint64_t series_of(const struct sim_job *job, const struct rspb_contract *c)
{
	uint64_t hash = job->uid;

	for (const char *at = c->terms.series; *at; at++)
		hash = hash * 131 + (unsigned char) *at;
	return hash;
}

static void check_terms(const struct sim_job *job, struct sim_promise *promise,
			const struct rspb_contract *c)
{
	uint64_t before = promise->booked && !promise->lost_since ? promise->on : 0;
	bool elsewhere = !promise->booked || promise->start != c->start ||
			 promise->on != sim_nodes_parse(c->on);
	bool moved = promise->start != c->start;
	/* The rest of a time slot, after a requeue, is on nodes that were its own before. */
	bool within = c->start >= promise->start && c->end <= promise->end;

	if (promise->booked)
		check_fixed(promise, c);
	if (promise->booked && (elsewhere || c->nodes_granted != promise->nodes) &&
	    !promise->wanted_at && !strncmp(c->reason, CHANGED, strlen(CHANGED)))
		sim_fault("job %u is %s, and neither its owner nor an operator has asked for that",
			  job->id, c->reason);
	promise->first = !promise->booked;
	promise->grown = promise->booked && !promise->lost_since &&
			 (c->nodes_granted > promise->nodes ||
			  c->end - c->start > promise->end - promise->start);
	promise->asked_more = promise->grown && promise->asked;
	note_outage(promise, c);
	if (promise->asked)
		promise->changed = true;
	if (!promise->booked) {
		sim_world->counts.booked++;
		promise->booked = true;
		promise->booked_at = sim_now();
		promise->booked_in = sim_world->sections;
		promise->series = c->terms.series[0] ? series_of(job, c) : 0;
		promise->firm_at = c->firm_from > sim_now() ? c->firm_from : sim_now();
	} else if (promise->start != c->start || c->nodes_granted < promise->nodes) {
		sim_world->counts.moved++;
		promise->moved = true;
		if (!c->reason[0] && !promise->asked)
			sim_fault("job %u is changed without notice: start %" PRId64
				  " on %u nodes is %" PRId64 " on %u",
				  promise->id, promise->start, promise->nodes, c->start,
				  c->nodes_granted);
	}
	/* What is undone within a section was not told. */
	if (promise->on && promise->on != sim_nodes_parse(c->on) && !promise->asked &&
	    promise->told_in != sim_world->sections && !strncmp(c->reason, STAYS, strlen(STAYS)))
		sim_fault("job %u is told that its booking stays, and has nodes %s", promise->id,
			  c->on);
	promise->told_firm &= !moved;
	promise->asked = false;
	promise->told_in = sim_world->sections;
	promise->held_until = c->held;
	promise->start = c->start;
	promise->end = c->end;
	promise->nodes = c->nodes_granted;
	promise->owed = c->promise && !c->share_granted ? (uint32_t) c->promise : c->nodes_granted;
	promise->on = sim_nodes_parse(c->on);
	take_terms(job, promise, c);
	promise->lost_since = 0;
	promise->gave_way = false;
	promise->fixed_at = c->firm_from;
	/* Its owner knows, even if nothing is in its way just before it begins. */
	promise->told_why = c->reason[0] || (promise->told_why && !moved);
	/* Another time slot than that in which it has begun. */
	if (job->phase == RSPB_JOB_PENDING && c->start > sim_now())
		promise->begun = promise->late = false;
	check_grant(job, promise, c);
	if (elsewhere && !sim_recovering()) {
		check_serving(promise, before);
		check_reserved(promise, within ? before : 0);
		check_jobs_there(promise);
	}
	if (promise->on & ~sim_feature_nodes(job->feature))
		sim_fault("job %u is granted nodes without feature %c", job->id, job->feature);
	else if (promise->on & ~sim_eligible(job))
		sim_fault("job %u is granted nodes that are too small for it", job->id);
	/* A batch is told one after the other: what is moved may be told later. */
	promise->fresh = true;
	promise->settle_at = sim_now() + SETTLE_S;
}

/* What was declined or released is asked for again. */
static void ask_again(struct sim_promise *promise, const struct sim_job *job)
{
	*promise = (struct sim_promise){ .id = job->id, .mark = job->mark };
	if (sim_world->n_live < SIM_JOBS)
		sim_world->live[sim_world->n_live++] = job->id;
}

/* After a kill a booking that was told is restored before the book is there, and is not decided
 * once more. */
void sim_check_decision(const struct sim_job *job)
{
	const struct sim_promise *promise = promise_of(job->id);

	if (promise && rspb_book_ledger() && promise->booked && !promise->lost_since &&
	    !promise->over && !promise->asked && !job->held)
		sim_fault("job %u, booked for %" PRId64 ", was a request after a kill, and is "
			  "decided again",
			  job->id, promise->start);
}

/* A contract that has come to an end says nothing else, unless it is asked for again. */
static void check_still_over(struct sim_promise *promise, const struct rspb_contract *c)
{
	/* A kill may undo an end, unless its owner knows of it. */
	if (!(booked_state(c->state) || c->state == RSPB_ACTIVE) ||
	    (!promise->told_over &&
	     (promise->final_in != sim_world->counts.lives || sim_recovering())))
		return;
	promise->final_in = 0;
	promise->told_over = false;
	sim_fault("job %u was over, and its contract says that it is %s", promise->id,
		  rspb_state_name(c->state));
}

/* A booking that did not begin costs its time at most (LateCancel). */
static void check_charged_once(const struct sim_job *job, const struct sim_promise *promise,
			       const struct rspb_contract *c)
{
	int64_t most = (promise->end - promise->start) * c->nodes_granted *
		       sim_run.settings.charge_percent / 100;

	if (!promise->takes.cores && !promise->takes.share && !promise->moved && c->charged > most)
		sim_fault("job %u is %s and charged %" PRId64 ", more than %" PRId64, job->id,
			  rspb_state_name(c->state), c->charged, most);
}

/* A time slot that its owner has given up too late counts until its end (NoShow). */
static void check_unused(const struct sim_job *job, const struct sim_promise *promise,
			 const struct rspb_contract *c)
{
	bool late = sim_now() >= promise->start && sim_now() < promise->end;

	if (sim_run.settings.no_show && late && !promise->asked && !sim_recovering() &&
	    strstr(c->reason, "its owner") && !strstr(c->reason, "NoShow"))
		sim_fault("job %u is given up by its owner after its start, and does not count "
			  "as unused: %s",
			  job->id, c->reason);
	if ((strstr(c->reason, "NoShow=count") && sim_now() < c->end &&
	     !rspb_no_show_held(job->uid, sim_now()).bookings) ||
	    (strstr(c->reason, "NoShow=bar") && !rspb_no_show_check(job->uid, sim_now(), NULL)))
		sim_fault("job %u is told to count as unused, and does not: %s", job->id,
			  c->reason);
}

void sim_check_contract(const struct sim_job *job)
{
	static struct rspb_contract c;
	struct sim_promise *promise = &sim_world->promises[job->id % SIM_JOBS];

	if (!job->booking || rspb_contract_parse(job->contract, &c, NULL))
		return;
	if (!promise->id && sim_world->n_live < SIM_JOBS)
		sim_world->live[sim_world->n_live++] = job->id;
	sim_want_told(job);
	promise->id = job->id;
	promise->mark = job->mark;
	promise->said = c.reason[0] != '\0';
	if (promise->over && c.state == RSPB_REQUESTED && !sim_recovering())
		ask_again(promise, job);
	if (c.state == RSPB_REQUESTED)
		promise->final_in = 0;
	if (c.state == RSPB_CANCELLED && promise->booked && !promise->begun) {
		check_charged_once(job, promise, &c);
		check_unused(job, promise, &c);
	}
	if (promise->over) {
		check_still_over(promise, &c);
		return;
	}
	if (booked_state(c.state)) {
		check_terms(job, promise, &c);
	} else if (c.state == RSPB_REQUESTED) {
		if (!promise->asked_at)
			promise->asked_at = sim_now();
		if (strstr(c.reason, "slurmctld has just started") && !sim_recovering())
			sim_fault("job %u waits for a node that fell silent later: %s", job->id,
				  c.reason);
		if (promise->booked && promise->booked_in == sim_world->sections) {
			/* Slurm refuses it: it is undone before anybody can read it. */
			promise->booked = false;
			promise->on = 0;
			promise->takes = (struct sim_take){ .cores = 0 };
			sim_world->counts.booked--;
		} else if (promise->booked && !promise->lost_since) {
			promise->lost_since = sim_world->us;
		}
		promise->gave_way |= promise->booked && !promise->asked && is_outage(&c);
		/* Its owner is told why, and not once more as it is booked again. */
		promise->asked |= c.reason[0] != '\0';
	} else if (c.state == RSPB_ACTIVE || c.state == RSPB_ACTIVE_CHANGE) {
		/* An owner who gave nodes back pays for the time that he had them. */
		if (promise->begun && sim_now() > promise->start)
			promise->given += (sim_now() - promise->start) *
					  __builtin_popcountll(promise->on &
							       ~sim_nodes_parse(c.on));
		promise->begun = true;
		promise->start = c.start;
		promise->end = c.end;
		promise->on = sim_nodes_parse(c.on);
		take_terms(job, promise, &c);
	} else {
		if (c.state == RSPB_COMPLETED && !sim_run.settings.release_early &&
		    sim_now() < c.end)
			sim_fault("job %u is completed %" PRId64
				  " s before the end of its time slot, with ReleaseEarly=no",
				  job->id, c.end - sim_now());
		if (!promise->given_up && !strncmp(c.reason, "released by", 11))
			sim_fault("job %u is %s, and nobody who may has asked for that", job->id,
				  c.reason);
		if (promise->booked && !promise->begun && !c.reason[0])
			sim_fault("job %u, booked for %" PRId64 ", is %s without a reason", job->id,
				  promise->start, rspb_state_name(c.state));
		if (promise->booked && sim_now() < promise->start + START_WITHIN_S &&
		    !promise->asked && !sim_recovering() &&
		    strstr(c.reason, "could not start within"))
			sim_fault("job %u, booked for %" PRId64 ", is given up before StartWithin",
				  job->id, promise->start);
		if (promise->booked && !promise->held_until && !sim_recovering() &&
		    strstr(c.reason, "was not accepted in time"))
			sim_fault("job %u is %s, and its offer had been accepted: %s", job->id,
				  rspb_state_name(c.state), c.reason);
		/* Nobody deletes reservations of jobs here, and a partition is opened again. */
		if (promise->booked && (strstr(c.reason, "its reservation was deleted") ||
					!strncmp(c.reason, "partition main is DOWN", 22)))
			sim_fault("job %u, booked for %" PRId64 ", is given up: %s", job->id,
				  promise->start, c.reason);
		if (promise->booked && !promise->begun)
			sim_world->counts.withdrawn++;
		else if (!promise->booked) {
			sim_world->counts.declined++;
			/* The components are declined with the first. */
			if (!job->component)
				doubt_decline(job, c.reason);
		}
		if (promise->gave_way && c.state == RSPB_DECLINED)
			note_loser(job, &c);
		promise->over = true;
		promise->ended_at = sim_now();
		sim_world->given_up_at = sim_now();
		promise->final_in = sim_world->counts.lives;
	}
}

/* Whether something is in the way on the nodes of its own reservation, or was until it was
 * tried last. */
static bool is_blocked_itself(const struct sim_job *job)
{
	const struct sim_resv *resv = sim_resv_find(job->resv);
	const struct sim_job *other = job->after ? sim_job_find(job->after) : NULL;

	/* The job that it waits for may run until Slurm looks at its limit. */
	if (other && (other->phase != RSPB_JOB_DONE || other->over_at > sim_now() - LATE_S))
		return true;
	for (int n = 0; resv && n < SIM_NODES; n++)
		if (resv->nodes >> n & 1 && sim_world->in_use[n] > sim_world->us - AGAIN_US)
			return true;
	return false;
}

/* Likewise for any component of its job, as they begin together. */
static bool is_blocked(const struct sim_job *job)
{
	const struct sim_job *leader = sim_job_find(job->leader);

	for (uint32_t i = 0; leader && i < leader->n_parts; i++) {
		const struct sim_job *part = sim_job_find(leader->id + i);

		if (part && part->leader == leader->id && is_blocked_itself(part))
			return true;
	}
	return is_blocked_itself(job);
}

void sim_check_begins(const struct sim_job *job)
{
	struct sim_promise *promise = promise_of(job->id);
	int64_t now = sim_now(), start;

	if (!promise || !promise->booked || promise->begun || promise->over)
		return;
	promise->begun = true;
	/* If its start comes while the disk writes the decision, it begins as it is told. */
	start = promise->booked_at > promise->start ? promise->booked_at : promise->start;
	if (sim_run.settings.remind && !promise->reminded && !job->component && !sim_recovering() &&
	    promise->booked_at < promise->start - sim_run.settings.remind - TOLD_S &&
	    !promise->moved && !promise->changed &&
	    (sim_world->began + sim_world->offset) / SIM_S <
		    promise->start - sim_run.settings.remind - LATE_S)
		sim_fault("the owner of job %u has not been reminded of its start", job->id);
	if (now < promise->start)
		sim_fault("job %u begins %" PRId64 " s before its start", job->id,
			  promise->start - now);
	else if (now > start && !promise->said && !promise->told_why && !promise->late &&
		 !sim_recovering() && !(is_blocked(job) && now <= start + CLEARING_S))
		sim_fault("job %u begins %" PRId64 " s late, and nothing was told", job->id,
			  now - promise->start);
}

/* A booked job that was requeued keeps its licenses until it runs again. */
static void check_licenses_left(const struct sim_job *job)
{
	int64_t used = sim_licenses_used() + job->licenses, now = sim_now();

	for (int i = 0; i < SIM_JOBS; i++) {
		const struct sim_promise *promise = &sim_world->promises[i];
		const struct sim_job *booked = sim_job_find(promise->id);

		if (!booked || booked->phase != RSPB_JOB_PENDING || !booked->licenses ||
		    !promise->booked || !promise->begun || promise->over || promise->asked ||
		    promise->lost_since || promise->start > now || promise->end <= now + 1)
			continue;
		used += booked->licenses;
		if (used > SIM_LICENSES && !sim_recovering())
			sim_fault("regular job %u gets licenses of job %u, which was requeued",
				  job->id, booked->id);
	}
}

/* RET the licenses that are promised or in use at a time, but those of one job. */
static int64_t licenses_at(int64_t at, const struct sim_job *but)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < sim_world->n_live; i++) {
		const struct sim_job *job = counts(live(i)) ? sim_job_find(live(i)->id) : NULL;

		if (job && !live(i)->begun && job->phase == RSPB_JOB_PENDING &&
		    live(i)->start <= at && live(i)->end > at)
			sum += job->licenses;
	}
	for (uint32_t i = 0; i < sim_world->placed.n; i++) {
		const struct sim_job *job = sim_job_find(sim_world->placed.id[i]);

		if (job != but && job->phase == RSPB_JOB_RUNNING && !job->suspended &&
		    !job->raised && !job->lost && job->end > at)
			sum += job->licenses;
	}
	return sum;
}

/* A regular job that begins leaves bookings their licenses. */
static void check_licenses_booked(const struct sim_job *job)
{
	int64_t now = sim_now();

	for (uint32_t i = 0; i < sim_world->n_live && !sim_recovering(); i++) {
		const struct sim_promise *promise = live(i);
		const struct sim_job *booked = counts(promise) ? sim_job_find(promise->id) : NULL;

		if (!booked || !booked->licenses || promise->begun || promise->asked ||
		    promise->start <= now + LATE_S || promise->start >= now + job->limit ||
		    licenses_at(promise->start, job) + job->licenses <= SIM_LICENSES)
			continue;
		sim_fault("regular job %u begins with %u licenses until %" PRId64
			  ", which job %u has booked from %" PRId64,
			  job->id, job->licenses, now + job->limit, booked->id, promise->start);
		return;
	}
}

void sim_check_regular(const struct sim_job *job, uint64_t nodes, int64_t start)
{
	int64_t end = start + job->limit;

	if (job->licenses && start <= sim_now()) {
		check_licenses_left(job);
		check_licenses_booked(job);
	}
	for (; nodes; nodes &= nodes - 1) {
		uint32_t node = (uint32_t) __builtin_ctzll(nodes), booked = 0;
		struct sim_take takes = sim_job_takes(job, node);
		const char *what = promised_twice(node, start, end, &takes, NULL, &booked);
		const struct sim_promise *promise = booked ? promise_of(booked) : NULL;

		if (!what || (promise && promise->asked))
			continue;
		sim_fault("regular job %u %s on node n%u, whose %s are booked by job %u", job->id,
			  start > sim_now() ? "is planned" : "begins", node + 1, what, booked);
		return;
	}
}

/* Whether somebody has booked what a job has on its nodes now, or soon: a job may take KillWait to
 * end, and its nodes have to be cleaned up. */
static bool is_followed(const struct sim_job *job)
{
	int64_t by = sim_now() + SIM_KILL_WAIT + rspb_gap_whole() + LATE_S;

	for (uint32_t i = 0; i < sim_world->n_live; i++) {
		const struct sim_promise *other = live(i);
		const struct sim_job *of = sim_job_find(other->id);

		if (of && of->leader != job->leader && other->booked && !other->over &&
		    other->start <= by && other->end > sim_now() &&
		    (other->on & job->nodes || (job->licenses && of->licenses)))
			return true;
	}
	for (int i = 0; i < sim_world->resvs.top; i++) {
		const struct sim_resv *resv = &sim_world->resvs.slot[i];

		if (resv->used && resv->nodes & job->nodes && resv->id != job->resv_id &&
		    resv->start <= by && resv->end > sim_now())
			return true;
	}
	return false;
}

/* The broker ends a job: only bookings whose time is over, or what is over its limit. */
void sim_check_ended_early(const struct sim_job *job, const char *how)
{
	/* A job that was suspended has an end that nobody could foresee, and is requeued before
	 * a slot that it would continue into: KillWait and CleanUp before. */
	int64_t early = job->lost ? SIM_KILL_WAIT + rspb_gap_whole() + LATE_S : 0;

	if (!job->booking && job->phase == RSPB_JOB_RUNNING && !job->suspended &&
	    !(job->preemptable && sim_run.settings.preempts) &&
	    job->end - job->lost > sim_now() + early)
		sim_fault("regular job %u is %s %" PRId64 " s before its limit", job->id, how,
			  job->end - sim_now());
	else if (job->booking && job->phase == RSPB_JOB_RUNNING && promise_of(job->id) &&
		 promise_of(job->id)->end > sim_now() && !promise_of(job->id)->asked &&
		 !promise_of(job->id)->over && !sim_recovering() && job->end > sim_now())
		sim_fault("booked job %u is %s %" PRId64 " s before its end", job->id, how,
			  promise_of(job->id)->end - sim_now());
	else if (job->booking && job->phase == RSPB_JOB_RUNNING && promise_of(job->id) &&
		 promise_of(job->id)->begun && !promise_of(job->id)->over &&
		 !sim_run.settings.overrun_ends && !sim_recovering() && !job->n_parts &&
		 !job->component && !is_followed(job))
		sim_fault("booked job %u is %s, and nobody has booked its nodes", job->id, how);
}

void sim_check_cancelled(uint32_t id)
{
	struct sim_promise *promise = promise_of(id);
	const struct sim_job *job = sim_job_find(id);

	/* A request that was declined, and whose job is held since, has nothing in the book. */
	if (job && job->booking && !(promise && promise->over))
		sim_world->given_up_at = sim_now();
	if (promise && !promise->over)
		promise->given_up = sim_now();
	if (promise) {
		promise->over = true;
		promise->gave_way = false;
	}
}

void sim_check_asked(uint32_t id)
{
	struct sim_promise *promise = promise_of(id);

	sim_want_forget(id);
	if (promise) {
		promise->asked = true;
		promise->gave_way = false;
		promise->wanted_at = sim_now();
	}
}

void sim_check_series(uint32_t id, struct sim_together *all)
{
	const struct sim_promise *first = promise_of(id);

	for (uint32_t i = 0; first && i < sim_world->n_live && all->n < SIM_SERIES; i++) {
		const struct sim_promise *one = live(i);
		const struct sim_job *job = sim_job_find(one->id);

		if (!first->series || one->series != first->series || !counts(one) || !job ||
		    job->component || one->begun || job->phase != RSPB_JOB_PENDING)
			continue;
		all->id[all->n] = one->id;
		all->start[all->n++] = one->start;
	}
}

/* Bookings that an owner moves together have all moved, or none has. */
static void check_together(void)
{
	struct sim_together *all = &sim_world->together;
	uint32_t moved = 0, stayed = 0;

	if (!all->n || all->judged || !all->by || sim_now() < all->at + SIM_TOGETHER_S ||
	    sim_recovering())
		return;
	all->judged = true;
	for (uint32_t i = 0; i < all->n; i++) {
		const struct sim_promise *one = promise_of(all->id[i]);

		/* What was changed since, or has begun, tells nothing. */
		if (!one || !counts(one) || one->begun || one->wanted_at > all->at)
			continue;
		moved += one->start == all->start[i] + all->by;
		stayed += one->start == all->start[i];
	}
	if (moved && stayed)
		sim_fault("%u of the bookings that were to move by %" PRId64
			  " s with job %u have moved, and %u have not",
			  moved, all->by, all->id[0], stayed);
}

bool sim_asked_at(uint32_t id, int64_t second)
{
	const struct sim_promise *promise = id ? promise_of(id) : NULL;

	return promise && promise->asked_at == second;
}

/* The record of a job that was booked is gone. */
static void check_gone(struct sim_promise *promise)
{
	char name[32];

	if (sim_recovering())
		return;
	promise->over = true;
	snprintf(name, sizeof(name), "kept_%u", promise->id);
	if (sim_resv_find(name))
		sim_world->counts.kept++;
	else if (promise->end > sim_now())
		sim_fault("job %u, booked for %" PRId64 ", is lost", promise->id, promise->start);
}

/* A request that waits is decided soon. */
static void check_decided(const struct sim_job *job, struct sim_promise *promise)
{
	int64_t since = promise->asked_at > job->submitted ? promise->asked_at : job->submitted;

	/* A request that is to begin while partitions are down waits for them. */
	if (since < sim_world->closed_until)
		since = sim_world->closed_until;
	if (promise->booked || promise->over || promise->stray || (job->held && !job->held_by_us) ||
	    job->after || sim_recovering() || job->phase != RSPB_JOB_PENDING ||
	    sim_world->us < sim_world->began + 2 * RECOVER_S * SIM_S ||
	    sim_now() < since + DECIDED_S)
		return;
	promise->stray = true;
	sim_fault("job %u has waited %" PRId64 " s for a decision", job->id, sim_now() - since);
}

/* Its owner has held it, or its first component. */
static bool is_held_back(const struct sim_job *job)
{
	const struct sim_job *leader = sim_job_find(job->leader);

	return job->held || (leader && leader->held);
}

/* Whether it waits for a job whose end nobody knows, so that its request cannot be decided. */
static bool waits_for_other(const struct sim_job *job)
{
	const struct sim_job *other = job->after ? sim_job_find(job->after) : NULL;

	return other && other->phase != RSPB_JOB_DONE &&
	       !(other->booking && (rspb_contract_says(other->contract, RSPB_BOOKED) ||
				    rspb_contract_says(other->contract, RSPB_ACTIVE)));
}

/* Whether its owner was told of something else than that it was requeued. */
static bool is_told(const struct sim_job *job)
{
	static const char *const requeued[] = { "its job was put back into the queue",
						"a node was lost while it ran" };
	static struct rspb_contract c;

	if (rspb_contract_parse(job->contract, &c, NULL))
		return true;
	for (size_t i = 0; i < sizeof(requeued) / sizeof(requeued[0]); i++)
		if (!strcmp(c.reason, requeued[i]))
			return false;
	return c.reason[0];
}

/* A job that has begun runs, or begins again soon within its time slot. */
static void check_begun(const struct sim_job *job, struct sim_promise *promise)
{
	bool waits = job->phase == RSPB_JOB_PENDING && !is_held_back(job) && !promise->asked;

	if (!waits || is_told(job) || is_blocked(job) || sim_resv_blocks(promise->on) ||
	    sim_now() < sim_world->closed_until || promise->start > sim_now() ||
	    promise->end < sim_now() + SETTLE_S) {
		promise->again_from = 0;
	} else if (!promise->again_from) {
		promise->again_from = sim_now();
	} else if (promise->again_from > 0 && sim_now() > promise->again_from + AGAIN_S) {
		promise->again_from = -1;
		sim_fault("job %u was requeued, and does not begin again in its time slot",
			  job->id);
	}
	if (job->phase == RSPB_JOB_RUNNING && sim_now() > job->start + LATE_S && !promise->stray &&
	    rspb_contract_says(job->contract, RSPB_BOOKED)) {
		promise->stray = true;
		sim_fault("job %u runs, and its contract says that it is booked", job->id);
	}
}

/* A booking begins after the one for whose end its job waits, or its owner is told once. */
static void check_order(const struct sim_job *job, struct sim_promise *promise)
{
	const struct sim_job *other = job->after ? sim_job_find(job->after) : NULL;
	const struct sim_promise *first = other ? promise_of(other->id) : NULL;

	if (!first || other->phase == RSPB_JOB_DONE || !counts(first) || first->asked ||
	    first->end <= promise->start || promise->asked || promise->lost_since ||
	    promise->start < sim_now() + SETTLE_S || is_held_back(job)) {
		promise->before_from = 0;
	} else if (promise->said) {
		promise->before_from = -1;
	} else if (!promise->before_from) {
		promise->before_from = sim_now();
	} else if (promise->before_from > 0 && sim_now() > promise->before_from + FIXED_S) {
		promise->before_from = -1;
		sim_fault("job %u is booked for %" PRId64
			  ", and waits for job %u, which is booked until %" PRId64,
			  job->id, promise->start, other->id, first->end);
	}
}

/* The last notice to an owner has the start and the number of nodes of the booking, as soon as its
 * start does not move any more. */
static void check_told(const struct sim_job *job, struct sim_promise *promise)
{
	int64_t now = sim_now();

	if (!promise->told_start || job->component || promise->had || promise->asked ||
	    promise->lost_since || now < promise->fixed_at + TOLD_S ||
	    now < promise->settle_at + TOLD_S || now < promise->start - sim_run.settings.horizon ||
	    sim_world->us < sim_world->began + TOLD_S * SIM_S ||
	    (promise->told_start == promise->start && promise->told_nodes == promise->nodes))
		return;
	sim_fault("job %u is booked for %" PRId64 " on %u nodes, and its owner was told of %" PRId64
		  " on %u last",
		  job->id, promise->start, promise->nodes, promise->told_start,
		  promise->told_nodes);
	promise->told_start = 0;
}

/* The owner of a booking whose start could move is told once it is fixed. What was told, or what a
 * start of slurmctld may have missed, about that time is no matter. */
static void check_firm(const struct sim_job *job, struct sim_promise *promise)
{
	int64_t told_at = promise->settle_at - SETTLE_S;

	if (promise->told_firm || job->component || promise->asked || promise->lost_since ||
	    promise->held_until || is_held_back(job) || told_at > promise->fixed_at - TOLD_S ||
	    sim_now() < promise->fixed_at + TOLD_S ||
	    (sim_world->began + sim_world->offset) / SIM_S > promise->fixed_at - TOLD_S)
		return;
	promise->told_firm = true;
	sim_fault("job %u has had a fixed start since %" PRId64 ", and its owner was not told so",
		  job->id, promise->fixed_at);
}

/* A job that its owner holds does not keep its nodes for longer than StartWithin. */
static void check_stuck(const struct sim_job *job, struct sim_promise *promise)
{
	int64_t now = sim_now();

	if (!is_held_back(job) || job->held_by_us || promise->asked || promise->lost_since ||
	    sim_run.settings.keeps_stuck || promise->end < now) {
		promise->stuck_from = 0;
		return;
	}
	if (!promise->stuck_from)
		promise->stuck_from = now;
	if (promise->stuck_from < 0 || now < promise->stuck_from + SETTLE_S ||
	    now < promise->start + START_WITHIN_S + SETTLE_S)
		return;
	promise->stuck_from = INT64_MIN;
	sim_fault("job %u, booked for %" PRId64
		  ", is held by its owner, and keeps its nodes since then",
		  job->id, promise->start);
}

static void check_promise(struct sim_promise *promise)
{
	const struct sim_job *job = sim_job_find(promise->id);

	if (!job) {
		if (promise->booked && !promise->begun)
			check_gone(promise);
		return;
	}
	/* Slurm's record may be older than what was told until the broker has read it. */
	if (sim_recovering())
		return;
	if (job->mark != promise->mark)
		sim_check_contract(job);
	check_decided(job, promise);
	if (!promise->over && promise->begun)
		check_begun(job, promise);
	if (promise->over || !promise->booked || promise->begun)
		return;
	if (job->held_by_us && !promise->asked && sim_now() > promise->settle_at) {
		promise->asked = true;
		sim_fault("job %u is booked, and held by the broker", job->id);
	}
	if (promise->held_until && sim_now() > promise->held_until + SETTLE_S &&
	    promise->held_until > (sim_world->began + sim_world->offset) / SIM_S) {
		sim_fault("job %u was held until %" PRId64 ", not accepted, and is booked still",
			  job->id, promise->held_until);
		promise->held_until = 0;
	}
	/* A held request is not decided, nor one that is to begin while partitions are down. */
	if (promise->lost_since &&
	    (waits_for_other(job) || is_held_back(job) || sim_now() < sim_world->closed_until))
		promise->lost_since = sim_world->us;
	if (promise->lost_since && sim_world->us > promise->lost_since + RECOVER_S * SIM_S) {
		promise->over = true;
		sim_fault("job %u, booked for %" PRId64 ", is only a request now", job->id,
			  promise->start);
		return;
	}
	if (!promise->told && !job->component && sim_now() > promise->firm_at + TOLD_S &&
	    promise->booked_at + TOLD_S < sim_now()) {
		promise->told = true;
		sim_fault("job %u is booked, and its owner has had no notice of it", job->id);
	}
	check_told(job, promise);
	check_firm(job, promise);
	check_stuck(job, promise);
	check_order(job, promise);
	if (is_held_back(job))
		promise->said = true;
	check_regained(job, promise);
	if (sim_now() <= promise->start + LATE_S || job->phase != RSPB_JOB_PENDING ||
	    promise->late || sim_recovering() ||
	    (is_blocked(job) && sim_now() <= promise->start + CLEARING_S))
		return;
	promise->late = true;
	if (!promise->said)
		sim_fault("job %u is late for %" PRId64
			  ", and its owner is not told why; it is in %s",
			  job->id, promise->start, job->resv[0] ? job->resv : "no reservation");
}

void sim_check_all(void)
{
	drop_over();
	check_declined();
	check_losers();
	check_together();
	check_groups_told();
	for (uint32_t i = 0; i < sim_world->n_live; i++)
		if (!live(i)->over)
			check_promise(live(i));
	for (uint32_t i = 0; i < sim_world->n_live; i++) {
		struct sim_promise *promise = live(i);

		if (promise->over || !promise->fresh || sim_recovering())
			continue;
		promise->fresh = false;
		if (!counts(promise))
			continue;
		check_promised_twice(promise);
		check_licenses(promise);
		check_max_nodes(promise);
		/* A rescued booking may be above: it was promised before. More than that, or
		 * longer, has to be within the limits. */
		if ((promise->first || promise->grown) &&
		    promise->settle_at > sim_now() + SETTLE_S - SHARE_S)
			check_share(promise);
		if ((promise->first && promise->booked_at + SHARE_S > sim_now()) ||
		    (promise->asked_more && promise->settle_at > sim_now() + SETTLE_S - SHARE_S))
			check_holdings(promise);
	}
	sim_check_state();
}

void sim_check_notice(uint32_t id, const char *event, int64_t start, uint32_t nodes)
{
	struct sim_promise *promise = promise_of(id);
	int64_t now = sim_now();

	if (!promise || !id)
		return;
	promise->told = true;
	/* Another notice of that second, such as a reminder, takes the place of this one. */
	promise->told_firm |= start == promise->start &&
			      (now >= promise->fixed_at || !strcmp(event, "firm"));
	promise->told_start = start;
	promise->told_nodes = nodes;
	promise->told_over |= promise->over && !strcmp(event, "ended");
	/* A warning in the second of a reminder takes the place of that, which is not out yet. */
	if (!strcmp(event, "warned") && promise->start - now <= sim_run.settings.remind &&
	    promise->start - now > sim_run.settings.remind - DOUBT_S)
		promise->reminded = true;
	if (strcmp(event, "reminder") != 0)
		return;
	promise->reminded = true;
	/* A booking that was given up may have been kept, as a kill came first. */
	if (promise->over || sim_recovering())
		return;
	if (now > promise->start + LATE_S)
		sim_fault("the owner of job %u is reminded %" PRId64 " s after its start", id,
			  now - promise->start);
	if (now < promise->start - sim_run.settings.remind - 1)
		sim_fault("the owner of job %u is reminded %" PRId64 " s before its start", id,
			  promise->start - now);
}

void sim_check_group_notice(const char *name, int64_t start)
{
	for (int i = 0; i < SIM_GROUPS; i++)
		if (!strcmp(sim_world->groups[i].name, name))
			sim_world->groups[i].told_start = start;
}

/* The owners of bookings without a job are told of their starts. */
static void check_groups_told(void)
{
	static struct rspb_contract c;
	int64_t now = sim_now();

	for (int i = 0; i < SIM_GROUPS && now % LOOK_S == 0; i++) {
		struct sim_group *group = &sim_world->groups[i];
		const struct sim_resv *resv = group->name[0] ? sim_resv_find(group->name) : NULL;

		if (!resv || sim_recovering() || group->untold_from < 0 ||
		    rspb_contract_parse(resv->tag, &c, NULL) || c.state != RSPB_BOOKED ||
		    c.start == group->told_start)
			group->untold_from = group->untold_from < 0 ? -1 : 0;
		else if (!group->untold_from)
			group->untold_from = now;
		else if (now > group->untold_from + TOLD_S) {
			group->untold_from = -1;
			sim_fault("%s is booked for %" PRId64 ", and its owner was told of %" PRId64
				  " last",
				  group->name, c.start, group->told_start);
		}
	}
}

/* RET when the last of a job's components ended. */
static int64_t last_end(const struct sim_job *job)
{
	const struct sim_job *leader = sim_job_find(job->leader);
	int64_t last = job->end;

	for (uint32_t i = 0; leader && i < leader->n_parts; i++) {
		const struct sim_job *one = sim_job_find(leader->id + i);

		if (one && one->end > last)
			last = one->end;
	}
	return last;
}

/* What a booking that did not run to its end costs: its time slot if its owner cancelled it late,
 * which counts as unused, and its nodes until the last component ended, or for all of the time
 * slot, if it ran. */
static void check_charge_of_cut(const struct sim_job *job, const struct sim_promise *promise,
				const struct rspb_contract *c)
{
	const struct sim_settings *s = &sim_run.settings;
	int64_t window = c->end - c->start, ran = last_end(job) - c->start, least = 0, most;
	/* A booking that was released, or an offer that was not accepted, may end long before its
	 * job. */
	int64_t given_up = promise->given_up				       ? promise->given_up
			   : promise->ended_at && promise->ended_at < job->end ? promise->ended_at
									       : job->end;

	if (c->state == RSPB_CANCELLED && !promise->begun && job->by_owner && s->charge_unused &&
	    c->start > given_up && c->start < given_up + LATE_CANCEL_S)
		least = window * c->nodes_granted * s->charge_percent / 100;
	most = (ran > window ? ran : window) + CHARGE_S;
	most = (most * c->nodes_granted + promise->given) * s->charge_percent / 100;
	if (c->charged < least || (c->state == RSPB_TERMINATED && c->charged > most))
		sim_fault("job %u is %s and charged %" PRId64 ", not %" PRId64 " to %" PRId64,
			  job->id, rspb_state_name(c->state), c->charged, least, most);
}

/* What it costs: its nodes for as long as it had them, or for all of its time. */
static void check_charge(const struct sim_job *job, const struct sim_promise *promise,
			 const struct rspb_contract *c)
{
	const struct sim_settings *s = &sim_run.settings;
	/* After a kill Slurm may have a job that was over run, and end, once more. */
	int64_t end = promise->ended_at && promise->ended_at < job->end ? promise->ended_at
									: job->end;
	int64_t ran = end - c->start, window = c->end - c->start, least, most;

	if (!s->charge_percent || promise->moved || promise->takes.cores || promise->takes.share ||
	    job->starts > 1 || c->had)
		return;
	/* Nodes that are listed no longer are not charged. */
	if (sim_world->renumbered_at >= c->start)
		return;
	if (c->state != RSPB_COMPLETED || job->starts != 1) {
		check_charge_of_cut(job, promise, c);
		return;
	}
	least = ran < window ? ran - CHARGE_S : window;
	if (s->charge_unused || !s->release_early)
		least = window;
	/* Without ReleaseEarly it has its nodes until its end. */
	most = (ran > window || (!s->charge_unused && s->release_early) ? ran : window) + CHARGE_S;
	/* An owner who gave nodes back pays for the time that he had them. */
	least = (least * c->nodes_granted + promise->given) * s->charge_percent / 100;
	most = (most * c->nodes_granted + promise->given) * s->charge_percent / 100;
	if (c->charged < least || c->charged > most)
		sim_fault("job %u is charged %" PRId64 ", not %" PRId64 " to %" PRId64, job->id,
			  c->charged, least, most);
}

void sim_check_forgotten(const struct sim_job *job)
{
	static struct rspb_contract c;
	const struct sim_promise *promise = promise_of(job->id);

	if (!job->booking || !promise || !promise->booked || sim_recovering() ||
	    rspb_contract_parse(job->contract, &c, NULL))
		return;
	if (!rspb_state_final(c.state) &&
	    (sim_run.settings.release_early || sim_now() > c.end + SIM_MIN_JOB_AGE))
		sim_fault("job %u has been over for %d s, and its contract says that it is %s",
			  job->id, SIM_MIN_JOB_AGE, rspb_state_name(c.state));
	else if (rspb_state_final(c.state))
		check_charge(job, promise, &c);
}

/* Whether jobs without a booking, reservations, or bookings whose owners hold their jobs, are
 * on a node from then on. */
static bool is_held(uint32_t node, int64_t start, int64_t end)
{
	for (uint32_t i = 0; i < sim_world->n_live; i++) {
		const struct sim_job *job = sim_job_find(live(i)->id);

		if (job && is_held_back(job) && live(i)->on >> node & 1 &&
		    live(i)->start < end + APART_S && start < live(i)->end + APART_S)
			return true;
	}
	for (int i = 0; i < sim_world->resvs.top; i++) {
		const struct sim_resv *resv = &sim_world->resvs.slot[i];

		if (resv->used && resv->nodes >> node & 1 &&
		    (resv->period || (resv->start < end + APART_S && start < resv->end + APART_S)))
			return true;
	}
	for (uint32_t i = 0; i < sim_world->placed.n; i++) {
		const struct sim_job *job = sim_job_find(sim_world->placed.id[i]);
		uint64_t nodes = job->unclean | (job->phase == RSPB_JOB_RUNNING ? job->nodes : 0);

		if (nodes >> node & 1 && (job->suspended || job->end + APART_S > start))
			return true;
	}
	return false;
}

/* RET how many nodes there are for a job with nothing at all in its way. */
static uint32_t free_for(const struct sim_job *job, int64_t start, int64_t end)
{
	uint64_t nodes = sim_eligible(job) & ~(sim_nodes_unusable() | sim_nodes_silent());
	uint32_t n = 0, other;

	for (; nodes; nodes &= nodes - 1) {
		uint32_t node = (uint32_t) __builtin_ctzll(nodes);
		struct sim_take takes = sim_job_takes(job, node);

		n += !is_held(node, start, end) &&
		     !promised_twice(node, start - APART_S, end + APART_S, &takes, NULL, &other);
	}
	return n;
}

/* Whether MaxBookedPercent leaves room for a booking of whole nodes, whatever else is near. */
static bool is_below_share(const struct sim_job *job, int64_t start, int64_t end)
{
	const struct sim_settings *s = &sim_run.settings;
	int64_t sum = job->nodes_max;

	if (s->booked_percent >= 100)
		return true;
	/* The book may still have what was given up just before. */
	if (sim_now() < sim_world->given_up_at + SETTLE_S)
		return false;
	for (uint32_t i = 0; i < sim_world->n_live; i++)
		if (live(i)->id != job->id && live(i)->booked && live(i)->start < end + APART_S &&
		    start < live(i)->end + APART_S)
			sum += live(i)->on ? __builtin_popcountll(live(i)->on) : live(i)->nodes;
	for (int i = 0; i < sim_world->resvs.top; i++) {
		const struct sim_resv *resv = &sim_world->resvs.slot[i];

		if (resv->used &&
		    (resv->period || (resv->start < end + APART_S && start < resv->end + APART_S)))
			sum += __builtin_popcountll(resv->nodes);
	}
	return sum <= (int64_t) s->booked_percent * sim_width() / 100;
}

/* Whether a request has to be booked, as one can that begins then. */
static bool must_fit_at(const struct sim_job *job, int64_t begin)
{
	const struct sim_settings *s = &sim_run.settings;
	int64_t now = sim_now(), end = begin + job->limit;

	/* A booking of parts is not divided between nodes that lend them and others. */
	if (job->cpus && sim_lent_nodes() != sim_nodes_all())
		return false;
	return begin > now + APART_S + s->min_notice && !job->n_parts && !job->component &&
	       !job->after && !job->licenses && !job->array && !s->power_saving &&
	       !(job->small && s->small_cpus) && s->release_early &&
	       is_below_share(job, begin, end) && s->max_waiting >= 1000 && s->max_ahead > 86400 &&
	       !s->account_waiting && !s->account_ahead && !s->node_hours &&
	       !(s->max_series_ahead && strstr(job->contract, " series=")) &&
	       (!s->max_nodes || job->nodes_max <= s->max_nodes) &&
	       (!s->max_duration || job->limit <= s->max_duration) && end < now + s->horizon &&
	       free_for(job, begin, end) >= job->nodes_max + SPARE_NODES;
}

/* The same at the first, a middle or the last start of the window in which it was submitted. */
static bool must_fit(const struct sim_job *job)
{
	int64_t last = job->asked_until - job->limit;

	if (!job->asked_from)
		return must_fit_at(job, job->begin);
	return must_fit_at(job, job->asked_from) ||
	       (last > job->asked_from && !sim_run.settings.first_start &&
		!sim_world->first_start &&
		(must_fit_at(job, (job->asked_from + last) / 2) || must_fit_at(job, last)));
}

/* An outage has cost a job its booking: it asks again once there is room. */
static void note_loser(const struct sim_job *job, const struct rspb_contract *c)
{
	if (sim_recovering() || job->component)
		return;
	if (!c->outage)
		sim_fault("job %u has lost its booking to an outage, and its contract does not say "
			  "so",
			  job->id);
	else
		sim_world->losers[sim_world->n_losers++ % SIM_GONE] = (struct sim_loser){
			.id = job->id
		};
}

static bool is_loser(const struct sim_job *job)
{
	return job && job->phase == RSPB_JOB_PENDING && job->held_by_us && job->asked_from &&
	       rspb_contract_says(job->contract, RSPB_DECLINED);
}

static void check_losers(void)
{
	int64_t now = sim_now();

	if (now >= sim_world->losers_at && now < sim_world->losers_at + LOOK_S)
		return;
	sim_world->losers_at = now;
	for (int i = 0; i < SIM_GONE; i++) {
		struct sim_loser *loser = &sim_world->losers[i];
		const struct sim_job *job = loser->id ? sim_job_find(loser->id) : NULL;

		if (loser->id && !is_loser(job))
			loser->id = 0;
		else if (!loser->id || sim_recovering() || !must_fit(job))
			loser->from = 0;
		else if (!loser->from)
			loser->from = now;
		else if (now > loser->from + STARVES_S) {
			loser->id = 0;
			sim_fault(
				"job %u has lost its booking to an outage, and does not ask again",
				job->id);
		}
	}
}

/* Whether what a booking has lost to an outage can be given back. */
static bool can_regain(const struct sim_job *job, const struct sim_promise *promise)
{
	const struct sim_settings *s = &sim_run.settings;

	return promise->start > sim_now() + APART_S && !promise->asked && !promise->held_until &&
	       !job->n_parts && !job->component && !job->after && !job->licenses &&
	       !is_held_back(job) && !s->power_saving && s->max_waiting >= 1000 &&
	       s->max_ahead > 86400 && !s->account_waiting && !s->account_ahead && !s->node_hours &&
	       !(s->max_series_ahead && promise->series) && !s->max_nodes &&
	       sim_now() >= sim_world->closed_until &&
	       is_below_share(job, promise->start, promise->end) &&
	       free_for(job, promise->start, promise->end) >=
		       promise->had - promise->nodes + SPARE_NODES;
}

/* A booking gets back the nodes that an outage has taken. */
static void check_regained(const struct sim_job *job, struct sim_promise *promise)
{
	if (!promise->had || promise->lost_since || !can_regain(job, promise)) {
		promise->lacks_from = 0;
	} else if (!promise->lacks_from) {
		promise->lacks_from = sim_now();
	} else if (promise->lacks_from > 0 && sim_now() > promise->lacks_from + STARVES_S) {
		promise->lacks_from = -1;
		sim_fault("job %u had %u nodes before an outage and is not given back the %u that "
			  "it lacks",
			  job->id, promise->had, promise->had - promise->nodes);
	}
}

void sim_check_submitted(struct sim_job *job)
{
	job->fits = !job->held && must_fit(job);
}

/* Whether one before it in the list of jobs is a booking of the same series. */
static bool counts_before(uint32_t i, const struct sim_promise *promise)
{
	for (uint32_t k = 0; k < i && promise && promise->series && counts(promise); k++) {
		const struct sim_promise *other = promise_of(sim_world->jobs.ids[k]);

		if (other && other->series == promise->series && counts(other))
			return true;
	}
	return false;
}

/* Nobody is refused for a limit that he is far from. What was not used counts as well
 * (NoShow), and groups; a booking that was just given up does not. */
static void check_limit_named(const struct sim_job *job, const char *reason)
{
	const struct sim_settings *s = &sim_run.settings;
	int64_t ahead = job->limit * job->nodes_max * (job->n_parts ? job->n_parts : 1);
	uint32_t n = 1;

	/* Without ReleaseEarly a job that is over, and forgotten, counts until its slot ends. */
	if (sim_run.settings.groups || !s->release_early || sim_recovering())
		return;
	for (uint32_t i = 0; i < sim_world->jobs.n; i++) {
		const struct sim_job *other = sim_job_find(sim_world->jobs.ids[i]);
		const struct sim_promise *promise = promise_of(other->id);

		if (other == job || other->uid != job->uid || !other->booking ||
		    (other->phase == RSPB_JOB_DONE && other->over_at < sim_now() - DOUBT_S))
			continue;
		n += other->component == 0 && !counts_before(i, promise);
		if (promise && promise->end > sim_now())
			ahead += (promise->end - promise->start) * promise->owed;
	}
	if (strstr(reason, "MaxWaitingPerUser") && n <= s->max_waiting)
		sim_fault("job %u is declined for MaxWaitingPerUser=%u, and user %u has %u",
			  job->id, s->max_waiting, job->uid, n - 1);
	/* In a workload this sum was once less than that of the plugin. Why is not known yet. */
	if (sim_scenario_plays() && strstr(reason, "MaxAheadPerUser") &&
	    ahead <= s->max_ahead * sim_width())
		sim_fault("job %u is declined for MaxAheadPerUser, and user %u has %" PRId64
			  " s of a node",
			  job->id, job->uid, ahead);
}

static void doubt_decline(const struct sim_job *job, const char *reason)
{
	check_limit_named(job, reason);
	if (job->fits && !job->held && !sim_recovering() && must_fit(job)) {
		sim_world->doubts[sim_world->n_doubts++ % SIM_GONE] = (struct sim_doubt){
			job->id, sim_now() + DOUBT_S
		};
	}
}

/* A request is not declined that has all it needs, also a little later. */
static void check_declined(void)
{
	for (int i = 0; i < SIM_GONE; i++) {
		struct sim_doubt *doubt = &sim_world->doubts[i];
		const struct sim_job *job = sim_job_find(doubt->id);

		if (!doubt->id || sim_now() < doubt->at)
			continue;
		doubt->id = 0;
		/* The broker holds what it has declined. */
		if (job && !sim_recovering() && (!job->held || job->held_by_us) && must_fit(job))
			sim_fault("job %u is declined, and more than its %u nodes are free in its "
				  "window",
				  job->id, job->nodes_max);
	}
}

/* Whether a regular job that came before it waits for nodes, which are kept for that one. */
static bool waits_behind(const struct sim_job *job)
{
	for (uint32_t i = 0; i < sim_world->waiting.n; i++) {
		const struct sim_job *other = sim_job_find(sim_world->waiting.id[i]);

		if (!other->booking && sim_job_before(other, job))
			return true;
	}
	return false;
}

void sim_check_waits(struct sim_job *job)
{
	int64_t now = sim_now();

	/* Without ReleaseEarly nodes may be kept that no promise has any more. */
	if (job->licenses || !sim_run.settings.release_early || sim_recovering() ||
	    (job->small && sim_run.settings.small_cpus) || job->phase != RSPB_JOB_PENDING ||
	    waits_behind(job) ||
	    free_for(job, now, now + job->limit) < job->nodes_min + SPARE_NODES) {
		job->starves_from = 0;
	} else if (!job->starves_from) {
		job->starves_from = now;
	} else if (job->starves_from > 0 && now > job->starves_from + STARVES_S) {
		job->starves_from = -1;
		sim_fault("regular job %u waits, and nothing is in its way", job->id);
	}
}
