/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * select_cons_tres.so: carries the name, type and id of Slurm's plugin and
 * hands everything on to it, but for the two operations that choose nodes.
 * Clients load it too and only ever hand on.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/wire/flags.h"
#include "plugins/compat/abi.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/parts/cores.h"
#include "plugins/compat/parts/cores_call.h"
#include "plugins/compat/parts/devices.h"
#include "plugins/compat/parts/share.h"
#include "plugins/compat/plugin.h"
#include "plugins/compat/select_call.h"
#include "plugins/compat/select_ops.h"
#include "plugins/compat/wrap.h"
#include "plugins/ctld/agent.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/occupancy.h"
#include "plugins/ctld/broker.h"
#include "plugins/select/place.h"

/* Keeps a job in a booking of cores to the memory and generic resources that its booking has on
 * each node. The cores are kept by Slurm itself. */

struct within {
	const char *reservation;
	struct rspb_quotas has;		 /* of each of its nodes */
	struct rspb_quotas takes;	 /* the job, likewise */
	struct rspb_nodeset *nodes, *of; /* that are offered; of another job */
	int64_t *used; /* by those that are in it: of each node, of each of takes */
};

/* Count what another job in the same reservation uses on the offered nodes. */
static int note(const struct rspb_job *job, void *arg)
{
	struct within *w = arg;

	if (!job->reservation || strcmp(job->reservation, w->reservation) != 0)
		return 0;
	rspb_nodeset_clear(w->of);
	rspb_job_nodes(job, RSPB_JOB_HOLDS, w->of);
	rspb_nodeset_and(w->of, w->nodes);
	RSPB_NODESET_EACH (n, w->of) {
		struct rspb_quotas has = { .n = 0 };

		rspb_cores_used(job, n, &has);
		for (size_t i = 0; i < w->takes.n; i++)
			w->used[n * w->takes.n + i] += rspb_quotas_of(&has, w->takes.items[i].key);
		free(has.items);
	}
	return 0;
}

/* Whether the booking still has on a node what the job takes there. */
static bool fits(const struct within *w, uint32_t n)
{
	for (size_t i = 0; i < w->takes.n; i++) {
		const struct rspb_quota *take = &w->takes.items[i];

		if (take->per_node > 0 && w->used[n * w->takes.n + i] + take->per_node >
						  rspb_quotas_of(&w->has, take->key))
			return false;
	}
	return true;
}

static void restrict_to(struct within *w, const struct rspb_select_call *call)
{
	rspb_select_call_take(call, w->nodes);
	rspb_placed_each(note, w);
	RSPB_NODESET_EACH (n, w->nodes)
		if (!fits(w, n))
			rspb_nodeset_remove(w->nodes, n);
	rspb_select_call_put(call, w->nodes);
}

/* The job is to start in a booking: leave it only the nodes of the call where its booking has
 * enough left. Memory counts where Slurm schedules it. What jobs take that are in the booking
 * already is subtracted. */
static void within_restrict(const struct rspb_select_call *call)
{
	uint32_t width = rspb_select_call_width(call);
	struct within w = { .reservation = rspb_select_call_reservation(call) };
	struct rspb_contract contract;
	bool nodes;
	const char *tag = rspb_select_call_tag(call, &nodes);

	if (!tag || rspb_resv_ours(w.reservation) || rspb_contract_parse(tag, &contract, NULL) ||
	    !contract.terms.cores)
		return;
	rspb_devices_kept(contract.terms.mem, contract.terms.gres, &w.has);
	rspb_cores_call_takes(call, &w.takes);
	w.nodes = rspb_nodeset_create(width);
	w.of = rspb_nodeset_create(width);
	w.used = calloc((size_t) width * w.takes.n + 1, sizeof(*w.used));
	if (w.nodes && w.of && w.used && !w.has.short_of_memory && !w.takes.short_of_memory)
		restrict_to(&w, call);
	rspb_nodeset_destroy(w.nodes);
	rspb_nodeset_destroy(w.of);
	free(w.used);
	free(w.has.items);
	free(w.takes.items);
}

RSPB_PLUGIN("Trackable resources, kept off advance reservations", "select/cons_tres");
extern const uint32_t plugin_id;
const uint32_t plugin_id = SELECT_PLUGIN_CONS_TRES;

static void *handle;
static struct rspb_select_ops stock;
static int (*stock_init)(void);
static void (*stock_fini)(void);
static void *const *stock_rows; /* its list of partitions; NULL: unknown */

RSPB_SELECT_OPS(RSPB_SELECT_FORWARD)

/* Load the stock plugin and compare its id, which Slurm writes into its state files. */
static int load_stock(struct rspb_err *err)
{
	static const char *const names[] = RSPB_SELECT_NAMES;
	static const char *const id_name[] = { "plugin_id" };
	static const char *const life_names[] = { "init", "fini" };
	static const char *const rows_name[] = { RSPB_SELECT_ROWS };
	void *life[2], *id, *rows;

	handle = rspb_wrap_open("select_cons_tres.so", plugin_type, err);
	if (!handle)
		return -1;
	if (rspb_wrap_symbols(handle, names, (void **) &stock, sizeof(names) / sizeof(names[0]),
			      err) ||
	    rspb_wrap_symbols(handle, life_names, life, 2, err) ||
	    rspb_wrap_symbols(handle, id_name, &id, 1, err))
		return -1;
	if (*(uint32_t *) id != plugin_id)
		return rspb_fail(err, "the stock plugin has id %u instead of %u", *(uint32_t *) id,
				 plugin_id);
	stock_init = (int (*)(void)) life[0];
	stock_fini = (void (*)(void)) life[1];
	/* Without these rows a booked part of a node starts only if no jobs that may share cores
	 * are there. */
	if (!rspb_wrap_symbols(handle, rows_name, &rows, 1, err))
		stock_rows = rows;
	return 0;
}

int init(void)
{
	struct rspb_err err;

	if (!rspb_abi_check(plugin_type, &err) && !load_stock(&err)) {
		if (stock_init() == SLURM_SUCCESS)
			return SLURM_SUCCESS;
		rspb_fail(&err, "the stock plugin's init() failed");
	}
	error("rspb: select_cons_tres.so: %s", err.text);
	rspb_wrap_close(handle);
	handle = NULL;
	return SLURM_ERROR;
}

void fini(void)
{
	if (!handle)
		return;
	rspb_bookable_forget();
	stock_fini();
	rspb_wrap_close(handle);
	handle = NULL;
}

/* Whether the question is about a start. The others only ask whether the job could ever run. */
static bool of_a_start(const struct rspb_select_call *call)
{
	return rspb_select_call_run_now(call) || rspb_select_call_will_run(call);
}

/* Whether the reservation of the job is a request that is not granted. It has no nodes, and Slurm
 * would let the job run on any. */
static bool in_a_request(const struct rspb_select_call *call)
{
	bool nodes;
	const char *tag;

	if (!rspb_abi_in_slurmctld() || !of_a_start(call) || !rspb_abi_job_ok(call->job))
		return false;
	tag = rspb_select_call_tag(call, &nodes);
	return !nodes && rspb_tag_ours(tag);
}

/* Whether the reservation of the job is a booking. Its nodes belong to the job until Slurm ends
 * both. */
static bool in_a_booking(const struct rspb_select_call *call)
{
	bool nodes;
	const char *tag = rspb_select_call_tag(call, &nodes);

	return nodes && rspb_tag_answered(tag);
}

/* Whether the stock plugin answers alone: nothing is booked, the record cannot be trusted, or the
 * job is in a reservation that has its nodes anyway. */
static bool leave_alone(const struct rspb_select_call *call)
{
	const char *reservation;

	if (!rspb_abi_in_slurmctld() || rspb_book_idle() || !rspb_abi_job_ok(call->job))
		return true;
	if (!of_a_start(call) || in_a_booking(call))
		return true;
	reservation = rspb_select_call_reservation(call);
	return reservation && (rspb_resv_ours(reservation) || rspb_select_call_maintenance(call));
}

/* Other jobs in a reservation may have its nodes, but must leave bookings their licenses. */
static bool lacks_licenses(const struct rspb_select_call *call)
{
	return rspb_abi_in_slurmctld() && !rspb_book_idle() && rspb_abi_job_ok(call->job) &&
	       rspb_select_call_run_now(call) && !rspb_agent_is_self() &&
	       !rspb_place_licensed(call, time(NULL));
}

/*
 * A booking is about to start and needs the locks that a pass of the backfill
 * scheduler holds: let the pass run through. Its jobs are looked at again in
 * the next one.
 */
static bool hurry(const struct rspb_select_call *call)
{
	return rspb_select_call_will_run(call) && rspb_select_call_backfill() &&
	       rspb_broker_imminent();
}

/* Whether the job is booked, so that only the agent may start it. While the agent has not read the
 * bookings, any job in a booking is refused. A run that began before slurmctld was killed may
 * still be on its nodes. */
static bool not_theirs(const struct rspb_select_call *call)
{
	if (!rspb_select_call_run_now(call) || !rspb_abi_in_slurmctld() ||
	    !rspb_abi_job_ok(call->job))
		return false;
	if (rspb_broker_reading())
		return in_a_booking(call);
	return !rspb_book_idle() && !rspb_broker_may_start(rspb_select_call_leader(call));
}

/* Whether the question is about a booked job that the agent starts in a reservation of cores.
 * Slurm keeps its jobs to these cores. A job with a booked share gets all cores of its nodes,
 * where the kernel limits it. A job with cores of its own gets any that are free. */
static bool in_our_cores(const struct rspb_select_call *call)
{
	const char *name = rspb_select_call_reservation(call);

	return rspb_select_call_cores(call) && rspb_resv_ours(name) && rspb_abi_in_slurmctld() &&
	       rspb_abi_job_ok(call->job) && rspb_select_call_run_now(call);
}

static void prepare(const struct rspb_select_resv *resv, struct rspb_nodeset *available)
{
	if (rspb_abi_in_slurmctld() && !rspb_book_idle())
		rspb_place_reservation(resv, available, time(NULL));
}

/* Answer where to put the reservation of somebody else, without the booked nodes. */
static int answer_resv(const struct rspb_select_call *call, const struct rspb_select_resv *resv)
{
	struct rspb_nodeset *nodes = rspb_nodeset_create(rspb_select_call_width(call));

	if (nodes) {
		rspb_select_call_take(call, nodes);
		prepare(resv, nodes);
		rspb_select_call_put(call, nodes);
	}
	rspb_nodeset_destroy(nodes);
	return rspb_select_ask(&stock, call);
}

static int answer_ordinary(const struct rspb_select_call *call)
{
	if (rspb_abi_in_slurmctld() && !rspb_book_idle() && rspb_abi_job_ok(call->job) &&
	    of_a_start(call) && in_a_booking(call))
		within_restrict(call);
	if (leave_alone(call))
		return lacks_licenses(call) ? ESLURM_NODES_BUSY : rspb_select_ask(&stock, call);
	if (hurry(call))
		return ESLURM_NODES_BUSY;
	return rspb_place_job(&stock, call, time(NULL));
}

/* RET the share of time that was granted to a job of ours, 0: it has none. */
static int64_t share_of(job_record_t *job)
{
	struct rspb_contract contract;
	struct rspb_job view;

	rspb_job_view(job, &view);
	if (!view.contract || rspb_contract_parse(view.contract, &contract, NULL))
		return 0;
	return contract.terms.cores ? 0 : contract.share_granted;
}

/* Whether the agent asks, before it decides, whether a job would start on nodes that it has chosen
 * itself, or what the job would be given. */
static bool is_question(const struct rspb_select_call *call)
{
	return rspb_agent_is_self() && (rspb_select_call_will_run(call) || in_a_request(call));
}

/* Choose who answers a question. The order matters: reservations and refusals come before the
 * questions of the agent, and these before regular jobs. */
static int choose(const struct rspb_select_call *call)
{
	struct rspb_select_resv resv;

	if (rspb_abi_in_slurmctld() && rspb_abi_job_ok(call->job) &&
	    rspb_select_resv_asked(call, &resv))
		return answer_resv(call, &resv);
	if (not_theirs(call) || (in_a_request(call) && !rspb_agent_is_self()))
		return ESLURM_NODES_BUSY;
	if (is_question(call))
		return rspb_select_ask(&stock, call);
	if (in_our_cores(call))
		return rspb_select_ask_part(&stock, call, rspb_placed_each, stock_rows);
	if (!rspb_abi_in_slurmctld() || !rspb_abi_job_ok(call->job) || rspb_agent_is_self())
		return answer_ordinary(call);
	return rspb_bookable_ask(call, time(NULL), answer_ordinary);
}

/* Note a start for those who keep count of the jobs with nodes (book/occupancy.h). A task of an
 * array has no number of its own yet. */
static void note_start(const job_record_t *job)
{
	if (job->array_task_id == NO_VAL)
		rspb_starts_note(job->job_id);
	else
		rspb_starts_note_task(job->array_job_id, job->array_task_id);
}

static int answer(const struct rspb_select_call *call)
{
	int rc = choose(call);
	int64_t share;

	if (rc != SLURM_SUCCESS || !rspb_select_call_run_now(call) || !rspb_abi_in_slurmctld() ||
	    !rspb_abi_job_ok(call->job) || is_question(call))
		return rc;
	/* The start may still fail in Slurm, which those who read the notes allow for. */
	note_start(call->job);
	if (!in_a_booking(call))
		return rc;
	share = share_of(call->job);
	if (share)
		rspb_share_placed(call->job, share);
	return rc;
}

RSPB_SELECT_JOB_TEST(answer)

static void lost_node(job_record_t *job)
{
	int64_t share = rspb_abi_job_ok(job) && IS_JOB_RUNNING(job) ? share_of(job) : 0;

	if (share)
		rspb_share_resized(job, share);
}

RSPB_SELECT_JOB_RESIZED(lost_node, stock)

static void loses_nodes(void *record)
{
	const job_record_t *job = record;

	/* Until the agent has seen whether a booked job waits again, nobody gets its licenses. A
	 * job that has lost a node, or that ends with a code of RequeueExit, looks as if it had
	 * ended before Slurm puts it back into the queue. */
	if (rspb_abi_in_slurmctld() && rspb_abi_job_ok(record) && job->licenses &&
	    (!IS_JOB_FINISHED(job) || IS_JOB_NODE_FAILED(job) ||
	     (IS_JOB_FAILED(job) && (slurm_conf.requeue_exit || slurm_conf.requeue_exit_hold))))
		rspb_book_return(job->het_job_id ? job->het_job_id : job->job_id);
	rspb_bookable_ended();
	rspb_job_loses_nodes(record);
}

RSPB_SELECT_JOB_FINI(loses_nodes, stock)

RSPB_SELECT_RESV_TEST(prepare, stock)
