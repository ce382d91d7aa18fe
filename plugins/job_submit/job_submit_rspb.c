/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_submit_rspb.so: where submissions by sbatch, srun and salloc come in. What
 * the client sent is parsed again here, because clients are not trusted.
 * Called under slurmctld's read locks, also for --test-only: nothing is booked
 * here, a job with --book is only sent into the waiting room.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/err.h"
#include "common/base/text.h"
#include "common/wire/flags.h"
#include "plugins/compat/abi.h"
#include "plugins/compat/controller.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/parts/cores.h"
#include "plugins/compat/parts/devices.h"
#include "plugins/compat/plugin.h"
#include "plugins/compat/resv.h"
#include "plugins/compat/submit/draft.h"
#include "plugins/compat/submit/submission.h"
#include "plugins/compat/wrap.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/broker.h"
#include "plugins/ctld/kinds/usage.h"
#include "plugins/ctld/observe/changed.h"
#include "plugins/ctld/observe/following.h"
#include "plugins/ctld/request/part.h"
#include "plugins/ctld/serve/owners.h"
#include "plugins/job_submit/admit.h"

/* Takes an owner's update of a booked job for a change of the booking, and asks the
 * agent. It changes nothing itself. */

/* Whether a job asks for a booking, has one, or was declined and is held since. */
static bool can_be_asked(const job_record_t *job, struct rspb_job *view)
{
	const char *comment = rspb_submission_job_comment(job);

	rspb_job_view((void *) job, view);
	return rspb_contract_says(comment, RSPB_REQUESTED) ||
	       rspb_contract_says(comment, RSPB_BOOKED) ||
	       rspb_contract_says(comment, RSPB_ACTIVE) ||
	       (rspb_contract_says(comment, RSPB_DECLINED) && !view->priority);
}

/* Within job_modify(): hand time limit, nodes, start and deadline to the agent,
 * which decides as for rspb modify, and take them out of the update. What else
 * an update says, and others' updates, are left alone. from: the host of the update,
 * NULL: unknown. RET 0, or -1 with err. */
static int owner_update(job_desc_msg_t *desc, const job_record_t *job, uint32_t uid,
			const char *from, struct rspb_err *err)
{
	struct rspb_terms terms;
	struct rspb_job view;
	int rc;

	/* Operators change the reservation instead. Without the agent nobody could decide. */
	if (!rspb_submission_owner(job, uid) || rspb_submission_operator(uid) ||
	    !rspb_broker_running() || !can_be_asked(job, &view))
		return 0;
	rc = rspb_submission_terms(desc, &terms, err);
	if (rc > 0 && rspb_window_begin(terms.ready, time(NULL), "StartTime", err))
		rc = -1;
	if (rc > 0)
		rc = rspb_owner_ask(view.leader, uid, from, &terms, err);
	return rc ? rspb_fail_at(err, "job %u", view.id) : 0;
}

/* Tells at submission who would wait in a reservation of cores for ever. Who may have
 * what of it when he starts is select/select_cons_tres.c's. */

/* RET false: it is no booking of cores, or says nothing yet. */
static bool keeps(const char *reservation, struct rspb_quotas *quotas)
{
	struct rspb_contract contract;
	struct rspb_resv resv;

	if (!reservation || !*reservation || rspb_resv_ours(reservation) ||
	    !rspb_resv_find(reservation, time(NULL), &resv) || !resv.tag ||
	    rspb_contract_parse(resv.tag, &contract, NULL) || !contract.terms.cores ||
	    (contract.state != RSPB_BOOKED && contract.state != RSPB_ACTIVE))
		return false;
	rspb_devices_kept(contract.terms.mem, contract.terms.gres, quotas);
	return !quotas->short_of_memory;
}

/* RET 0, or -1 with err: the job takes more of a node than the reservation keeps of each, so
 * that it would wait for ever. */
static int compare(const struct rspb_submission *sub, const struct rspb_quotas *has,
		   const struct rspb_quotas *takes, struct rspb_err *err)
{
	for (size_t i = 0; i < takes->n; i++) {
		const struct rspb_quota *take = &takes->items[i];
		int64_t most = rspb_quotas_of(has, take->key);

		if (take->per_node > most)
			return rspb_fail(err,
					 "--reservation=%s: the reservation has %" PRId64
					 " %s of each of its nodes, and the "
					 "job needs %" PRId64,
					 sub->reservation, most, take->name, take->per_node);
	}
	return 0;
}

/* RET 0, or -1 with err: it names such a reservation, and takes more of a node, memory or
 * generic resources, than that keeps of each. With the locks that submissions have. */
static int within_check(const struct rspb_submission *sub, struct rspb_err *err)
{
	struct rspb_quotas has = { .n = 0 }, takes = { .n = 0 };
	struct rspb_draft *draft = NULL;
	struct rspb_job job;
	int rc = 0;

	/* Slurm itself says what else is wrong with it. */
	if (keeps(sub->reservation, &has))
		draft = rspb_draft_of_submission(sub->handle, rspb_book_lends(), NULL);
	if (draft) {
		rspb_draft_view(draft, &job);
		rspb_cores_takes(&job, &takes);
		rc = compare(sub, &has, &takes, err);
		rspb_draft_destroy(draft);
	}
	free(has.items);
	free(takes.items);
	return rc;
}

#define SHARE_NOTE "cpu-share=" /* a comment that asks for another share */

RSPB_PLUGIN_AS(uint32_t, "Requests for advance reservations", "job_submit/rspb");

/* Built for another Slurm: nothing of it is touched. */
static bool inert;

/*
 * Slurm has no other plugin of that name, and ends when one that is named in
 * JobSubmitPlugins has another version or will not start. So this one, which in
 * any release has the same functions to offer, says that it has the right one,
 * and is inert.
 */
static void __attribute__((constructor)) be_loadable(void)
{
	uint32_t running = rspb_running_version(plugin_type);

	if (running)
		plugin_version = running;
}

int init(void)
{
	struct rspb_err err;

	inert = rspb_running_check(plugin_version, &err) || rspb_abi_check(plugin_type, &err);
	if (inert)
		error("rspb: job_submit_rspb.so: %s; until then jobs with --book are regular jobs",
		      err.text);
	return SLURM_SUCCESS;
}

void fini(void)
{
}

static bool begins(const char *text, const char *with)
{
	return text && !strncmp(text, with, strlen(with));
}

/* Whether a list of reservations names one that begins so. */
static bool names(const char *list, const char *with)
{
	return list && rspb_text_list_begins(list, with);
}

/* Flags as they are read, and which rows of the table have been. */
struct reading {
	struct rspb_terms *flags;
	uint32_t seen;
};

static int set_flag(struct reading *reading, const struct rspb_term *flag, const char *value,
		    struct rspb_err *err)
{
	uint32_t bit = UINT32_C(1) << (flag - rspb_terms);

	if (reading->seen & bit)
		return rspb_fail(err, "--%s: the submitting host sent it twice; once is allowed",
				 flag->name);
	reading->seen |= bit;
	return rspb_flag_set(reading->flags, flag->name,
			     *value || !flag->optional_arg ? value : NULL, err);
}

/* Set one flag by the name that SPANK gave it. RET 0, or -1 with err. An unknown one is refused,
 * since the job would be booked otherwise than asked. */
static int take_flag(void *arg, const char *spelled, const char *value, struct rspb_err *err)
{
	/* SPANK spells every character that is no letter or digit as '_'. */
	const struct rspb_term *flag = rspb_term_find(spelled, strlen(spelled));

	if (flag)
		return set_flag(arg, flag, value, err);
	return rspb_fail(err,
			 "the submitting host sent a flag \"%s\" that slurmctld does not know: "
			 "its spank_rspb.so is of another version",
			 spelled);
}

static int read_flags(job_desc_msg_t *desc, struct rspb_terms *flags, struct rspb_err *err)
{
	struct reading reading = { .flags = flags };

	memset(flags, 0, sizeof(*flags));
	if (rspb_submission_flags(desc, take_flag, &reading, err))
		return -1;
	if (rspb_zone_is_here(flags->zone, time(NULL)))
		flags->zone[0] = '\0';
	return rspb_terms_check(flags, err);
}

/* A job without --book keeps its hands off what is ours. */
static int check_ordinary(const struct rspb_submission *sub, uint32_t uid, struct rspb_err *err)
{
	if (begins(sub->comment, "rspb:"))
		return rspb_fail(
			err,
			"--admin-comment: texts that begin with \"rspb:\" can be written only by "
			"the booking system");
	if (names(sub->reservation, RSPB_WAITING_ROOM))
		return rspb_fail(err,
				 "--reservation=%s: jobs get into this reservation only "
				 "with --book",
				 sub->reservation);
	if (names(sub->reservation, RSPB_BOOKING_PREFIX) && !rspb_submission_operator(uid) &&
	    !rspb_broker_lends(sub->reservation, uid))
		return rspb_fail(
			err,
			"--reservation=%s: a booking is only for its own job (with "
			"ReleaseEarly=no also for other jobs of its owner, from its start on)",
			sub->reservation);
	return 0;
}

/* --test-only: Slurm itself says where the job would begin, bookings being
 * reservations to it, from the second on at which it would be booked. */
static int foresee(job_desc_msg_t *desc, const struct rspb_contract *contract, const char *advice,
		   struct rspb_err *err)
{
	if (*advice && !contract->start)
		return rspb_fail(err, "%s", advice);
	rspb_submission_times(desc, contract->start, contract->terms.duration);
	if (!contract->apart)
		rspb_submission_alone(desc);
	return 0;
}

static int submit(job_desc_msg_t *desc, uint32_t uid, struct rspb_terms *flags, char *advice,
		  size_t size, struct rspb_err *err)
{
	char text[RSPB_CONTRACT_TEXT];
	struct rspb_contract contract;
	struct rspb_submission sub;
	int rc;

	rspb_submission_view(desc, &sub);
	if (read_flags(desc, flags, err) || check_ordinary(&sub, uid, err))
		return -1;
	if (!flags->book)
		return within_check(&sub, err);
	if (rspb_submission_bounded(desc, err))
		return -1;
	rc = rspb_partitions_admit(desc, flags, &contract, advice, size, err);
	if (rc)
		return rc < 0 ? -1 : 0;
	/* The window and the length that are booked are not those of --begin and --time then. */
	if (flags->stage_in || flags->time_sigma || rspb_moldable_said(&flags->work))
		rspb_submission_times(desc, contract.terms.ready, contract.terms.duration);
	if (contract.terms.nodes_least)
		rspb_submission_bear(desc, contract.terms.nodes_least, &contract.terms.tasks,
				     &contract.terms.cpus);
	if (flags->test)
		return foresee(desc, &contract, advice, err);
	/* The foreseen start is for --test-only: a request has none. */
	contract.start = 0;
	if (rspb_contract_print(&contract, text, sizeof(text)) >= sizeof(text))
		return rspb_fail(err, "--benefit: is too long");
	rspb_submission_divert(desc, RSPB_WAITING_ROOM, text, !contract.apart);
	rspb_broker_wake(contract.terms.ready);
	return 0;
}

/* Say times by that zone's clock. */
static void say(char **message, const char *lead, const char *text, const char *zone)
{
	char line[2 * RSPB_ADVICE_TEXT], local[2 * RSPB_ADVICE_TEXT - 16];

	if (!message || *message)
		return;
	rspb_zone_localize(zone, text, local, sizeof(local));
	snprintf(line, sizeof(line), "%s%s", lead, local);
	*message = rspb_submission_text(line);
}

/* A node's word on what its jobs use, in the disguise of a submission. Slurm
 * takes admin comments from administrators only; this one must come from root
 * or SlurmUser, as slurmd is, and from the node's host.
 */
static int take_report(const struct rspb_submission *sub, uint32_t uid, struct rspb_err *err)
{
	int rc;

	if (!rspb_submission_daemon(uid))
		rc = rspb_fail(err, "only slurmd, as root or SlurmUser, can report what jobs use");
	else if (!rspb_broker_running() || rspb_abi_mismatch())
		rc = rspb_fail(err, "bookings are switched off");
	else
		rc = rspb_usage_take(sub->comment, sub->host, err);
	if (!rc)
		return RSPB_CONTROLLER_TAKEN;
	info("rspb: report from uid %u refused: %s", uid, err->text);
	return ESLURM_ACCESS_DENIED;
}

static int answer_submit(job_desc_msg_t *desc, uint32_t uid, char **message)
{
	char advice[RSPB_ADVICE_TEXT] = "";
	struct rspb_submission sub;
	struct rspb_terms flags;
	struct rspb_err err;
	int rc;

	if (inert)
		return SLURM_SUCCESS;
	rspb_submission_view(desc, &sub);
	if (begins(sub.comment, RSPB_USE_HEAD)) {
		rc = take_report(&sub, uid, &err);
		if (rc != RSPB_CONTROLLER_TAKEN)
			say(message, "", err.text, "");
		return rc;
	}
	/* A submission may be refused before its flags are read. */
	flags.zone[0] = '\0';
	if (rspb_submission_readable(desc, &err) ||
	    submit(desc, uid, &flags, advice, sizeof(advice), &err)) {
		say(message, "", err.text, flags.zone);
		/* Slurm adds the sentence of this number, and has none that fits. */
		return ECANCELED;
	}
	if (advice[0])
		say(message, "rspb: ", advice, flags.zone);
	return SLURM_SUCCESS;
}

RSPB_JOB_SUBMIT(answer_submit)

static void audit(const job_record_t *job, uint32_t uid, const struct rspb_submission *update,
		  bool done, const char *text)
{
	rspb_audit_log(&(struct rspb_audit){
		.action = "update",
		.uid = uid,
		.from = update->host,
		.job = rspb_submission_job_id(job),
		.done = done,
		.text = text,
	});
}

static int part_of_it(const job_record_t *job, const char *what, const char *instead,
		      struct rspb_err *err)
{
	return rspb_fail(
		err,
		"job %u: %s is part of its booking: rspb modify %u changes its nodes, time, "
		"begin, deadline or features, or cancel it and book again%s",
		rspb_submission_job_id(job), what, rspb_submission_job_id(job), instead);
}

/* A contract that stands is kept by its owner, and what an operator changes of
 * its job must fit what is booked. RET 0, or -1 with err. */
static int check_contract(const job_desc_msg_t *desc, const struct rspb_submission *update,
			  const job_record_t *job, uint32_t uid, struct rspb_err *err)
{
	const char *comment = rspb_submission_job_comment(job), *what;
	bool by_operator = rspb_submission_operator(uid);
	struct rspb_contract contract;
	struct rspb_err why;

	if (!comment || rspb_contract_parse(comment, &contract, NULL) ||
	    rspb_state_final(contract.state))
		return 0;
	/* Operators may change all but place and time, which belong to the reservation. */
	what = rspb_submission_changes(desc, by_operator);
	if (what)
		return part_of_it(job, what, by_operator ? ", or change its reservation" : "", err);
	if (update->limit < 0 || update->limit > contract.terms.duration)
		return part_of_it(job, "TimeLimit",
				  by_operator ? ", or first the Duration of "
						"its reservation"
					      : "",
				  err);
	what = rspb_submission_changes(desc, false);
	if ((!what && !rspb_submission_holds(desc)) || contract.state != RSPB_BOOKED)
		return 0;
	if (what && rspb_submission_fits(desc, job, rspb_book_lends(), &why))
		return rspb_fail(err, "job %u: %s does not fit what is booked: %.250s",
				 rspb_submission_job_id(job), what, why.text);
	audit(job, uid, update, true, what ? what : "held or released");
	rspb_update_note(rspb_submission_job_id(job));
	return 0;
}

/* A comment "cpu-share=50%" asks for another share of a booking of shares. RET
 * whether it is one, with *rc and err when it can't be had. */
static bool wants_share(const job_desc_msg_t *desc, const struct rspb_submission *update,
			const job_record_t *job, uint32_t uid, int *rc, struct rspb_err *err)
{
	const char *note = rspb_submission_note(desc);
	const char *comment = rspb_submission_job_comment(job);
	uint32_t id = rspb_submission_job_id(job);
	bool owner = rspb_submission_owner(job, uid);
	struct rspb_contract contract;
	struct rspb_terms flags = { 0 };

	if (!begins(note, SHARE_NOTE) || !comment || rspb_contract_parse(comment, &contract, NULL))
		return false;
	if (!owner && !rspb_submission_operator(uid))
		*rc = rspb_fail(err, "job %u: only its owner changes its share", id);
	else if (!contract.share_granted)
		*rc = rspb_fail(err, "job %u: no share is booked for it", id);
	else if (rspb_flag_set(&flags, "cpu-share", note + strlen(SHARE_NOTE), err))
		*rc = -1;
	else
		*rc = rspb_share_change_ask(id, flags.share, owner, err);
	if (!*rc)
		audit(job, uid, update, true, note);
	return true;
}

/* Slurm 22.05 shows no text of ours: the nearest of its own has to do for who
 * may change the job, and the job itself says the rest. */
static int refuse_update(job_record_t *job, uint32_t uid, const struct rspb_submission *update,
			 const struct rspb_err *err, char **message)
{
	char line[RSPB_ERR_TEXT + 32], local[RSPB_ERR_TEXT];
	const char *comment = rspb_submission_job_comment(job);
	struct rspb_contract contract = { .terms = { .zone = "" } };

	if (comment)
		rspb_contract_parse(comment, &contract, NULL);
	info("rspb: update by uid %u refused: %s", uid, err->text);
	audit(job, uid, update, false, err->text);
	say(message, "", err->text, contract.terms.zone);
	if (!rspb_submission_owner(job, uid) && !rspb_submission_operator(uid))
		return ESLURM_ACCESS_DENIED;
	rspb_zone_localize(contract.terms.zone, err->text, local, sizeof(local));
	snprintf(line, sizeof(line), "rspb: refused: %s", local);
	rspb_submission_remark(job, line);
	return ESLURM_RESERVATION_BUSY;
}

/*
 * A job whose booking is asked for or granted has a contract, and what it is
 * made of stays: its owner may change name, comment, mail, nice and the like, hold it and
 * let it go, cancel it, and ask for another time, number of nodes, start or deadline.
 * Operators may also shorten it and change priority, account, partition and resources as
 * far as its nodes allow it, but place and time only by its reservation. Nobody but the
 * agent, which changes records without asking here, takes a job out of the waiting room. A
 * declined job is its owner's again.
 */
static int answer_modify(job_desc_msg_t *desc, job_record_t *job, uint32_t uid, char **message)
{
	struct rspb_submission update;
	struct rspb_err err;
	int rc = 0;

	if (inert)
		return SLURM_SUCCESS;
	rspb_changed_update();
	/* The agent's own updates were judged already. */
	if (!rspb_abi_job_ok(job) || rspb_job_updates())
		return SLURM_SUCCESS;
	rspb_submission_view(desc, &update);
	if (rspb_submission_readable(desc, &err))
		return refuse_update(job, uid, &update, &err, message);
	/* The part that the agent has been asked for is not in the update any more. */
	if (!begins(rspb_submission_note(desc), SHARE_NOTE))
		rc = owner_update(desc, job, uid, update.host, &err);
	rspb_submission_view(desc, &update);
	if (rc || check_contract(desc, &update, job, uid, &err))
		rc = -1;
	else if (names(update.reservation, RSPB_BOOKING_PREFIX) || begins(update.comment, "rspb:"))
		rspb_fail(&err, "job %u: names that begin with rspb are for bookings",
			  rspb_submission_job_id(job));
	else if (!wants_share(desc, &update, job, uid, &rc, &err) || !rc)
		return SLURM_SUCCESS;
	return refuse_update(job, uid, &update, &err, message);
}

RSPB_JOB_MODIFY(answer_modify)
