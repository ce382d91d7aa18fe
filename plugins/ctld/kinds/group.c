/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bookings without a job for their owners: found, requested and released; and the table of
 * their kind. The owner of a booking is determined in request.c. */
#include "plugins/ctld/kinds/operator.h"

#include <stdio.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/limit/members.h"
#include "plugins/ctld/kinds/state.h"
#include "plugins/ctld/observe/finish.h"

/* Requests of one user that wait or were declined: each is a reservation. */
enum { ASKED_MOST = 16 };

static const char prefix[] = RSPB_GROUP_PREFIX;

/* RET whether it is one of ours, with what it says. */
static bool read_group(const struct rspb_resv *resv, struct rspb_contract *contract)
{
	return rspb_operator_meant(resv) && rspb_tag_answered(resv->tag) &&
	       !rspb_contract_parse(resv->tag, contract, NULL) && contract->owner;
}

bool rspb_group_find(const char *name, int64_t now, struct rspb_group *out)
{
	struct rspb_resv resv;

	if (!rspb_resv_find(name, now, &resv) || !read_group(&resv, &out->contract))
		return false;
	out->owner = out->contract.owner;
	out->number = resv.id;
	out->booking = rspb_reserved_find(resv.id);
	return true;
}

struct each {
	int (*fn)(const struct rspb_resv *resv, const struct rspb_contract *contract, void *arg);
	void *arg;
};

/* Pass on a reservation of a user that has no booking: it waits, or was declined. */
static int each_one(const struct rspb_resv *resv, void *arg)
{
	const struct each *each = arg;
	struct rspb_contract contract;

	return read_group(resv, &contract) && !rspb_reserved_find(resv->id)
		       ? each->fn(resv, &contract, each->arg)
		       : 0;
}

int rspb_group_each_asked(int64_t now,
			  int (*fn)(const struct rspb_resv *resv,
				    const struct rspb_contract *contract, void *arg),
			  void *arg)
{
	return rspb_resv_each(RSPB_RESV_OF_OTHERS, now, each_one, &(struct each){ fn, arg });
}

/* --- asking -------------------------------------------------------------------- */

int rspb_group_check(const struct rspb_resv *view, uint32_t owner, const struct rspb_config *config,
		     int64_t now, struct rspb_ask *ask, struct rspb_err *err)
{
	uint32_t width = rspb_ledger_nodes(rspb_book_ledger());
	char account[RSPB_USER_NAME];
	struct rspb_config space;

	*ask = (struct rspb_ask){ .n_jobs = 0 };
	rspb_group_account(view, owner, account, sizeof(account));
	/* The owner's right to the partition is checked before the request is read, and the
	 * size of the request afterwards. */
	if (rspb_member_partition(owner, account, view->partition, 0, 0, err) ||
	    rspb_operator_request(view, width, config, now, &ask->request, err))
		return -1;
	ask->request->id = rspb_reserved_new_id(rspb_book_ledger(), 0);
	snprintf(ask->account, sizeof(ask->account), "%s", account);
	if (rspb_member_partition(owner, account, view->partition, ask->request->parts[0].nodes_min,
				  ask->request->duration, err))
		return -1;
	return rspb_limits_check(ask, rspb_limits_settings(config, ask->request, &space), width,
				 now, err);
}

struct count {
	uint32_t owner, n;
};

static int count_one(const struct rspb_resv *resv, const struct rspb_contract *contract, void *arg)
{
	struct count *count = arg;

	(void) resv;
	count->n += contract->owner == count->owner;
	return 0;
}

/* Find a name that no reservation has and that was not given since slurmctld started. */
static void new_name(int64_t now, char name[RSPB_GROUP_NAME])
{
	struct rspb_resv resv;

	do {
		snprintf(name, RSPB_GROUP_NAME, "%s%u", prefix, ++rspb_of_kinds->group_number);
	} while (rspb_resv_find(name, now, &resv));
}

int rspb_group_ask(struct rspb_resv_spec *spec, const struct rspb_contract *contract, int64_t now,
		   char name[RSPB_GROUP_NAME], struct rspb_err *err)
{
	struct count count = { .owner = contract->owner };
	char text[RSPB_CONTRACT_TEXT];

	rspb_group_each_asked(now, count_one, &count);
	/* Slurm's reservations are few, and each request is one. */
	if (count.n >= ASKED_MOST)
		return rspb_fail(err,
				 "%u requests of yours wait or were declined; "
				 "cancel some of them first",
				 count.n);
	rspb_contract_print(contract, text, sizeof(text));
	new_name(now, name);
	spec->name = name;
	spec->create = true;
	spec->tag = text;
	return rspb_resv_make_so(spec, err);
}

int rspb_group_again(const char *name, struct rspb_contract *contract, struct rspb_err *err)
{
	char text[RSPB_CONTRACT_TEXT];
	const struct rspb_resv_spec spec = {
		.name = name,
		.tag = text,
		.start = contract->terms.ready,
		.end = contract->terms.ready + contract->terms.duration,
	};

	contract->state = RSPB_REQUESTED;
	contract->start = contract->end = 0;
	contract->reason[0] = '\0';
	rspb_contract_print(contract, text, sizeof(text));
	return rspb_resv_make_so(&spec, err);
}

/* --- giving back ---------------------------------------------------------------- */

int rspb_group_end(const char *name, uint32_t uid, const struct rspb_config *config, int64_t now,
		   char *what, size_t size, struct rspb_err *err)
{
	struct rspb_group group;
	const struct rspb_booking *b;
	struct rspb_err why;

	what[0] = '\0';
	if (!rspb_group_find(name, now, &group))
		return rspb_fail(err, "no booking has that name");
	/* The reservation goes first. If jobs are in it, Slurm refuses, and the booking
	 * stays. */
	if (rspb_resv_delete(name, err))
		return rspb_fail(err, "jobs are in it; cancel them first, or "
				      "shorten it with modify --time");
	b = group.booking;
	/* A request without a booking costs its owner nothing. An older file of Slurm must not
	 * bring it back. */
	if (!b) {
		rspb_operator_note_cancel(group.number, name);
		rspb_log_info("reservation %s was cancelled by its owner or an operator", name);
		return 0;
	}
	snprintf(what, size, "%s", rspb_end_given_back(b, group.owner == uid, config, now, &why));
	rspb_log_info("reservation %s: %s", name, why.text);
	rspb_operator_event(b, b->state == RSPB_BOOKED ? RSPB_EV_CANCEL : RSPB_EV_TERMINATE, now,
			    why.text);
	return 0;
}

/* --- the kind ------------------------------------------------------------------- */

static bool owns(const struct rspb_request *request)
{
	return rspb_reserved_owner(request);
}

/* The kind of operators collects the requests, ends what is over and recovers bookings after
 * a restart, for both kinds. */
const struct rspb_kind rspb_kind_group = {
	.owns = owns,
	RSPB_OPERATOR_ROWS,
};
