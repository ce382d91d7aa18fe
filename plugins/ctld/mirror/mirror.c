/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes Slurm's record of a job's booking agree with the book. It decides nothing; if Slurm
 * refuses, the caller decides what happens to the booking. */
#include "plugins/ctld/mirror/mirror.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/compat/colocate.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/node.h"
#include "plugins/compat/parts/cores.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/occupancy.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/mirror/resv.h"

/* The size of the job: as large as it was granted, or as it asked for. Other files decide how
 * large that is. */

/* RET the size of the contract's job with its booking, or without. */
static struct rspb_job_size size_of(const struct rspb_contract *contract, bool booked)
{
	struct rspb_job_size size;

	rspb_contract_size(contract, &size);
	size.limit = rspb_contract_limit(contract, booked);
	size.nodes = booked ? contract->nodes_granted : 0;
	return size;
}

/* Keep in the contract the tasks and CPUs that a job asked for before it is fitted to fewer
 * nodes. After a restart it can then still grow, or return to its request. fewer: so many
 * tasks on each node; 0: all of them. */
static void mirror_size_keep(uint32_t id, uint32_t fewer, struct rspb_contract *contract)
{
	struct rspb_job job;

	if (contract->terms.cpus || (!fewer && contract->nodes_granted >= contract->terms.nodes) ||
	    !rspb_job_find(id, &job))
		return;
	contract->terms.tasks = job.tasks;
	contract->terms.cpus = job.cpus;
}

void rspb_mirror_unfit(uint32_t id, struct rspb_contract *contract,
		       const struct rspb_job_wanted *also)
{
	struct rspb_job_size asked = size_of(contract, false);
	struct rspb_job_wanted wanted = *also;

	if (contract->terms.nodes)
		wanted.size = &asked;
	contract->terms.tasks = contract->terms.cpus = contract->speed = 0;
	contract->standard = 0;
	rspb_job_make_so(id, &wanted, NULL);
}

/* Put a job into the waiting room. */
static void send_to_room(uint32_t id)
{
	rspb_job_make_so(id, &(struct rspb_job_wanted){ .reservation = RSPB_WAITING_ROOM }, NULL);
}

/* Ask Slurm whether it would start the job on these nodes: a booking that it would not start
 * is worth nothing to its owner. RET 0, or -1 with the reason. */
static int would_start(uint32_t id, const struct rspb_nodeset *nodes, bool whole,
		       struct rspb_err *err)
{
	struct rspb_job job;

	if (!rspb_job_find(id, &job))
		return rspb_fail(err, "job %u no longer exists", id);
	return rspb_job_would_start(&job, nodes, whole, err);
}

/* The texts of a part of a booking, for its job and for its reservation. */
struct deed {
	struct rspb_contract contract;
	char text[RSPB_CONTRACT_TEXT];
	char *nodes;	/* by name, too many for the text; owned, else NULL */
	uint32_t fewer; /* tasks of each node; 0: all of them */
	bool grown;	/* to all of them, from fewer */
	/* The booking is promised as it is. Slurm is not asked once more whether it would start
	 * the job: a partition that is down just now is no reason to break the promise. */
	bool stands;
};

/* Keep the length that a component of several has on a usual node. It is the limit of its job
 * until the first booking, and from then on its contract has it. */
static void keep_own_length(struct deed *deed, const struct rspb_ask *ask, uint32_t part)
{
	struct rspb_job job;

	if (ask->n_jobs < 2 || !deed->contract.standard)
		return;
	if (ask->contracts[part].standard)
		deed->contract.standard = ask->contracts[part].standard;
	else if (rspb_job_find(ask->jobs[part], &job) && job.limit > 0)
		deed->contract.standard = job.limit;
}

/* Draw up the texts of a booked part from its present contract and the booking. Slurm is not
 * changed, so that the journal can have them first. deed->nodes is the caller's to free. */
static void deed_draw(struct deed *deed, const struct rspb_ask *ask,
		      const struct rspb_booking *booking, uint32_t part)
{
	const struct rspb_part *asked = &booking->request->parts[part];
	struct rspb_terms *flags = &deed->contract.terms;

	deed->contract = ask->contracts[part];
	/* Its owner may want another share by now. */
	if (flags->share && flags->share != asked->share) {
		flags->share = asked->share;
		flags->share_min = asked->share_min < asked->share ? asked->share_min : 0;
	}
	/* The size that its job gets now is the one that it asks for, unless the change was
	 * refused and this is the booking of before. */
	if (ask->nodes && ask->nodes == asked->nodes)
		flags->tasks = flags->cpus = 0;
	if (!deed->contract.held)
		rspb_was_forget(&deed->contract);
	deed->nodes = rspb_contract_grant(booking, part, &deed->contract);
	keep_own_length(deed, ask, part);
	deed->fewer = asked->fewer;
	deed->stands = false;
	deed->grown = asked->tasks && !asked->fewer &&
		      deed->contract.terms.cores > ask->contracts[part].terms.cores &&
		      ask->contracts[part].terms.cores;
	/* A running job keeps its size, and a share changes no number of nodes or tasks. */
	if ((!booking->grants[part].share || asked->fewer) && booking->state == RSPB_BOOKED)
		mirror_size_keep(ask->jobs[part], asked->fewer, &deed->contract);
	rspb_contract_print(&deed->contract, deed->text, sizeof(deed->text));
}

/* The same of a part that has no booking: the contract says what was asked for. */
static void deed_as_asked(struct deed *deed, const struct rspb_ask *ask, uint32_t part)
{
	deed->nodes = NULL;
	deed->fewer = 0;
	deed->grown = false;
	rspb_contract_print(&ask->contracts[part], deed->text, sizeof(deed->text));
}

/* Remember the size of a job before it is fitted, to restore it after a refusal. RET 0, or -1
 * with err: the job is gone. */
static int size_had(uint32_t id, struct rspb_job_size *had, struct rspb_err *err)
{
	struct rspb_job job;

	if (!rspb_job_find(id, &job))
		return rspb_fail(err, "job %u no longer exists", id);
	*had = (struct rspb_job_size){ .nodes_min = job.nodes_min,
				       .nodes_max = job.nodes_max,
				       .tasks = job.tasks,
				       .cpus = job.cpus,
				       .limit = job.limit };
	return 0;
}

/* Fit a job to its grant and, unless the booking stands, ask Slurm whether it would start so.
 * RET 0, or -1 with err; the job may be fitted then, and the caller restores its size. */
static int suit(uint32_t id, const struct rspb_grant *grant, bool whole, const struct deed *deed,
		struct rspb_err *err)
{
	struct rspb_job_size asked = size_of(&deed->contract, true);
	const struct rspb_job_wanted wanted = {
		.size = !grant->share || deed->fewer || deed->grown ? &asked : NULL,
		.limit = grant->share && deed->contract.standard ? deed->contract.terms.duration
								 : 0,
	};

	asked.fewer = deed->fewer * deed->contract.nodes_granted;
	if (rspb_job_make_so(id, &wanted, err))
		return -1;
	return deed->stands ? 0 : would_start(id, grant->nodes, whole, err);
}

/* Put a job into a reservation, fit it and write its contract. The contract comes last: it
 * says only what Slurm has accepted. RET 0, or -1 with err and the size that the job had, but
 * not its former reservation. */
static int tie(uint32_t id, const char *reservation, const struct rspb_booking *booking,
	       uint32_t part, const struct deed *deed, struct rspb_err *err)
{
	const struct rspb_job_wanted wanted = { .reservation = reservation,
						.begin = booking->start };
	struct rspb_job_size had;
	int rc;

	if (size_had(id, &had, err))
		return -1;
	rc = rspb_job_make_so(id, &wanted, err);
	if (!rc)
		rc = suit(id, &booking->grants[part], !booking->request->parts[part].whole, deed,
			  err);
	if (!rc)
		rc = rspb_contract_put(id, deed->text, deed->nodes, err);
	if (rc)
		rspb_job_make_so(id, &(struct rspb_job_wanted){ .size = &had }, NULL);
	return rc;
}

/* Do as rspb_mirror_lay(); reservation: NULL if the cores are not to be kept. */
static int lay(const struct rspb_ask *ask, const struct rspb_booking *booking, uint32_t part,
	       const char *reservation, struct rspb_err *err)
{
	const struct rspb_grant *grant = &booking->grants[part];
	const struct rspb_layout layout = {
		.start = booking->start,
		.end = booking->end,
		.cores = rspb_part_cores(&booking->request->parts[part], grant->share),
		.part = &booking->request->parts[part],
		.each = rspb_placed_each,
	};
	struct rspb_job job;

	if (!booking->request->parts[part].whole || booking->state != RSPB_BOOKED)
		return 0;
	if (!rspb_job_find(ask->jobs[part], &job))
		return rspb_fail(err, "job %u no longer exists", ask->jobs[part]);
	return rspb_layout_keep(&job, grant->nodes, &layout, reservation, err);
}

int rspb_mirror_lay(const struct rspb_ask *ask, const struct rspb_booking *booking, uint32_t part,
		    struct rspb_err *err)
{
	char name[RSPB_RESV_NAME];

	rspb_resv_name(booking->request->id, part, ask->n_jobs, name, sizeof(name));
	return lay(ask, booking, part, name, err);
}

int rspb_mirror_suits(const struct rspb_ask *ask, const struct rspb_booking *booking,
		      struct rspb_err *err)
{
	struct rspb_job_size had;
	struct deed deed;
	int rc = 0;

	/* A trial: each job has its former size again before the lock is released. */
	for (uint32_t i = 0; i < ask->n_jobs && !rc; i++) {
		rc = size_had(ask->jobs[i], &had, err);
		if (rc)
			break;
		deed_draw(&deed, ask, booking, i);
		rc = suit(ask->jobs[i], &booking->grants[i], !booking->request->parts[i].whole,
			  &deed, err) ||
				     lay(ask, booking, i, NULL, err)
			     ? -1
			     : 0;
		rspb_job_make_so(ask->jobs[i], &(struct rspb_job_wanted){ .size = &had }, NULL);
		free(deed.nodes);
	}
	return rc;
}

void rspb_mirror_promise(const struct rspb_ask *ask, const struct rspb_booking *booking)
{
	struct deed deed;

	for (uint32_t i = 0; i < ask->n_jobs; i++) {
		if (booking)
			deed_draw(&deed, ask, booking, i);
		else
			deed_as_asked(&deed, ask, i);
		rspb_contract_promise(ask->jobs[i], deed.text, deed.nodes, booking ? ask : NULL);
		free(deed.nodes);
	}
}

/* Make a reservation with the job in it. RET 0, or -1 with err, the job in the waiting room
 * and no reservation. */
static int make(const struct rspb_ask *ask, const struct rspb_booking *booking, uint32_t part,
		const struct rspb_resv_spec *spec, const struct deed *deed, struct rspb_err *err)
{
	const struct rspb_grant *grant = &booking->grants[part];

	if (rspb_mirror_resv_make(spec, err))
		return -1;
	if (booking->request->parts[part].whole)
		rspb_mirror_resv_cores(booking, part, spec->name);
	else if (grant->share)
		rspb_colocate_resv(spec->name, rspb_book_dedicated(), grant->nodes->width);
	if (!tie(ask->jobs[part], spec->name, booking, part, deed, err))
		return 0;
	send_to_room(ask->jobs[part]);
	rspb_resv_delete(spec->name, NULL);
	return -1;
}

/* Whether a job is in its reservation with the grant of the deed. Then only texts differ, and
 * Slurm is not asked once more whether it would start the job. */
static bool is_tied(uint32_t id, const char *reservation, const struct rspb_contract *grants)
{
	struct rspb_contract had;
	struct rspb_job job;

	return rspb_contract_read(id, &job, &had) && job.reservation &&
	       !strcmp(job.reservation, reservation) && had.state == grants->state &&
	       had.start == grants->start && had.end == grants->end &&
	       had.nodes_granted == grants->nodes_granted && !strcmp(had.on, grants->on);
}

/* Put a job into the room of those whose reservation is made later (late.c). The room is made
 * if it does not exist. RET 0, or -1 with err and the job in the waiting room. */
static int put_off(const struct rspb_ask *ask, const struct rspb_booking *booking, uint32_t part,
		   const struct deed *deed, struct rspb_err *err)
{
	uint32_t id = ask->jobs[part];

	rspb_mirror_resv_room(RSPB_LATER_ROOM, 0);
	rspb_mirror_resv_set_later(true);
	if (is_tied(id, RSPB_LATER_ROOM, &deed->contract))
		return rspb_contract_put(id, deed->text, deed->nodes, err);
	if (!tie(id, RSPB_LATER_ROOM, booking, part, deed, err))
		return 0;
	send_to_room(id);
	return -1;
}

/* Whether the reservation of a part is made now: if its start is near, or Slurm has to keep its
 * cores. */
static bool is_due(const struct rspb_ask *ask, const struct rspb_booking *booking, uint32_t part)
{
	struct rspb_job job;

	return rspb_mirror_resv_due(booking) ||
	       (booking->request->parts[part].whole && rspb_job_find(ask->jobs[part], &job) &&
		rspb_layout_needed(&job));
}

/* Make what Slurm has of a part, of which it has nothing. stands: as of a deed. RET 0, or -1 with
 * err, the job in the waiting room and no reservation. */
static int make_part(const struct rspb_ask *ask, const struct rspb_booking *booking, uint32_t part,
		     bool stands, const struct rspb_config *config, struct rspb_err *err)
{
	char name[RSPB_RESV_NAME];
	struct deed deed;
	struct rspb_resv_spec spec = {
		.name = name,
		.create = true,
		.user = ask->user,
		.accounts = rspb_mirror_resv_account(ask->jobs[part]),
		.tag = deed.text,
		.start = booking->start,
		.end = booking->end,
		.purge = config->release_early,
	};
	char *nodes = rspb_node_names(NULL, booking->grants[part].nodes);
	int rc;

	if (!nodes)
		return rspb_fail(err, "out of memory");
	rspb_resv_name(booking->request->id, part, ask->n_jobs, name, sizeof(name));
	deed_draw(&deed, ask, booking, part);
	deed.stands = stands;
	spec.nodes = nodes;
	rc = is_due(ask, booking, part) ? make(ask, booking, part, &spec, &deed, err)
					: put_off(ask, booking, part, &deed, err);
	free(deed.nodes);
	free(nodes);
	return rc;
}

int rspb_mirror_new(const struct rspb_ask *ask, const struct rspb_booking *booking, uint32_t part,
		    const struct rspb_config *config, struct rspb_err *err)
{
	return make_part(ask, booking, part, false, config, err);
}

/* Change a reservation that exists: its nodes, its window, or what an operator changed of it.
 * RET 0, or -1 with err and the reservation as it was. */
static int place(const struct rspb_ask *ask, const struct rspb_booking *booking, uint32_t part,
		 const struct rspb_resv *resv, const struct rspb_nodeset *has, struct rspb_err *err)
{
	const struct rspb_nodeset *nodes = booking->grants[part].nodes;
	bool active = booking->state == RSPB_ACTIVE;
	struct rspb_resv_spec spec = {
		.name = resv->name,
		.user = ask->user,
		.accounts = resv->accounts ? rspb_mirror_resv_account(ask->jobs[part]) : NULL,
		.start = active ? resv->start : booking->start,
		.end = booking->end,
	};
	char *names = NULL;
	int rc;

	if (!rspb_nodeset_equal(has, nodes))
		spec.nodes = names = rspb_node_names(NULL, nodes);
	rc = rspb_resv_make_so(&spec, err);
	/* With other nodes Slurm makes it one of whole nodes. */
	if (!rc && names && booking->request->parts[part].whole)
		rspb_mirror_resv_cores(booking, part, resv->name);
	free(names);
	return rc;
}

/* How a reservation differs from its booking. It may be missing, have to be made anew, or be
 * changed in place; or at most a text differs. */
enum lacks { ALL, ANEW, PLACE, TEXT };

/* Find the difference; has: scratch, which has its nodes afterwards. Slurm does not move the
 * cores of a share. A change of nodes also costs more than a new reservation, by walks over
 * all of them. A running booking keeps its reservation, and one that somebody changed by hand
 * is changed back in place. */
static enum lacks lacks(const struct rspb_resv *resv, const struct rspb_booking *booking,
			uint32_t part, bool moved, int64_t now, struct rspb_nodeset *has)
{
	if (rspb_mirror_resv_as_booked(resv, booking, part, now, has))
		return TEXT;
	rspb_nodeset_clear(has);
	rspb_resv_nodes(resv, has);
	if (booking->state != RSPB_BOOKED)
		return PLACE;
	if (!rspb_mirror_resv_has_cores(resv, booking, part))
		return ANEW;
	return (moved || booking->grants[part].share) &&
			       !rspb_nodeset_equal(has, booking->grants[part].nodes)
		       ? ANEW
		       : PLACE;
}

/* Put a job into its existing reservation and write both texts. as_is: the reservation needed
 * no change. RET 0, or -1 with err; the reservation keeps its former text then. */
static int say_so(const struct rspb_ask *ask, const struct rspb_booking *booking, uint32_t part,
		  const char *name, bool as_is, bool stands, struct rspb_err *err)
{
	uint32_t id = ask->jobs[part];
	struct deed deed;
	int rc;

	deed_draw(&deed, ask, booking, part);
	deed.stands = stands;
	if (booking->state == RSPB_ACTIVE || (as_is && is_tied(id, name, &deed.contract)))
		rc = rspb_contract_put(id, deed.text, deed.nodes, err);
	else
		rc = tie(id, name, booking, part, &deed, err);
	free(deed.nodes);
	if (!rc)
		rspb_resv_make_so(&(struct rspb_resv_spec){ .name = name, .tag = deed.text }, NULL);
	return rc;
}

/* Put the job of a booking without a reservation where those wait whose reservation is made later:
 * the booking stands, and late.c tries again. A partition may be down just now. */
static void await_reservation(uint32_t id, const struct rspb_booking *booking)
{
	const struct rspb_job_wanted wanted = { .reservation = RSPB_LATER_ROOM,
						.begin = booking->start };

	rspb_mirror_resv_room(RSPB_LATER_ROOM, 0);
	rspb_mirror_resv_set_later(true);
	rspb_job_make_so(id, &wanted, NULL);
}

/* Whether a job is in the waiting room although it is booked. */
static bool is_loose(uint32_t id)
{
	struct rspb_job job;

	return rspb_job_find(id, &job) && job.reservation &&
	       !strcmp(job.reservation, RSPB_WAITING_ROOM);
}

/* Make Slurm agree with one part, whatever it has of it. RET 0, or -1 with err and that part
 * as far as it came: the caller gives the booking up or tries again. */
static int part_so(const struct rspb_ask *ask, const struct rspb_booking *booking, uint32_t part,
		   bool moved, const struct rspb_config *config, int64_t now, struct rspb_err *err)
{
	struct rspb_nodeset *has = rspb_nodeset_create(booking->grants[part].nodes->width);
	char name[RSPB_RESV_NAME];
	enum lacks what = ALL;
	struct rspb_resv resv;
	int rc = 0;

	if (!has)
		return rspb_fail(err, "out of memory");
	rspb_resv_name(booking->request->id, part, ask->n_jobs, name, sizeof(name));
	if (rspb_resv_find(name, now, &resv))
		what = lacks(&resv, booking, part, moved, now, has);
	if (what == ALL && booking->state == RSPB_ACTIVE)
		rc = rspb_fail(err, "its reservation no longer exists");
	else if (what == PLACE)
		rc = place(ask, booking, part, &resv, has, err);
	rspb_nodeset_destroy(has);
	if (rc && !is_loose(ask->jobs[part]))
		return rc;
	if (what == ANEW) {
		/* Slurm deletes no reservation for which a job waits. */
		send_to_room(ask->jobs[part]);
		rspb_resv_delete(name, NULL);
	}
	if (!rc)
		rc = what == ALL || what == ANEW
			     ? make_part(ask, booking, part, !moved, config, err)
			     : say_so(ask, booking, part, name, what == TEXT, !moved, err);
	/* A job of a booking that stays in the waiting room would count as taken out of its
	 * reservation. late.c tries again with a new one. */
	if (rc && rspb_mirror_resv_can_wait(booking) &&
	    (what == ALL || what == ANEW || is_loose(ask->jobs[part]))) {
		rspb_resv_delete(name, NULL);
		await_reservation(ask->jobs[part], booking);
	}
	/* Without a layout of its cores the booking still stays promised. */
	if (!rc && what != TEXT)
		rspb_mirror_lay(ask, booking, part, NULL);
	return rc;
}

int rspb_mirror_jobs(const struct rspb_ask *ask, const struct rspb_booking *booking, bool moved,
		     const struct rspb_config *config, int64_t now, struct rspb_err *err)
{
	int rc = 0;

	/* A failure of one part does not keep the others from being made. The first error is
	 * reported. */
	for (uint32_t i = 0; i < ask->n_jobs; i++)
		if (part_so(ask, booking, i, moved, config, now, rc ? NULL : err))
			rc = -1;
	return rc;
}

/* Keeps the waiting room and sends jobs back to it. No booking is made here. */

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
		struct rspb_job_wanted wanted = { .reservation = RSPB_WAITING_ROOM };

		if (!rspb_contract_read(ids[i], &job, &contract))
			continue;
		/* Also a job that still asks, which somebody may have taken out of the
		 * room. */
		if (contract.state == RSPB_REQUESTED) {
			rspb_job_make_so(ids[i], &wanted, NULL);
			continue;
		}
		rspb_contract_reopen(&contract, &wanted);
		rspb_mirror_unfit(ids[i], &contract, &wanted);
		contract.state = RSPB_REQUESTED;
		contract.start = 0;
		contract.end = 0;
		contract.nodes_granted = contract.leaves = 0;
		contract.on[0] = '\0';
		contract.share_granted = 0;
		/* The time of an outage counts for a booking that had less, and not for a
		 * lost one. */
		if (contract.had)
			contract.outage = 0;
		contract.promise = contract.had = 0;
		/* All partitions of a job with several may be tried again. */
		contract.untried = rspb_contract_partitions(&contract);
		contract.untried -= contract.untried > 0;
		contract.benefit = (struct rspb_ratio){ 0, 0 };
		if (why)
			snprintf(contract.reason, sizeof(contract.reason), "%s", why);
		rspb_contract_write(ids[i], &contract, NULL);
	}
}

/* Look with the read lock first, because the rooms are there nearly always. */
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
	/* Slurm refuses while a job waits in it, and the room stays. */
	rspb_resv_delete(RSPB_WAITING_ROOM, NULL);
	rspb_resv_delete(RSPB_LATER_ROOM, NULL);
	rspb_ctld_unlock(RSPB_LOCK_WRITE);
}
