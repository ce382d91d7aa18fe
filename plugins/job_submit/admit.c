/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judges a submission with --book, and writes the request. Whether there is room is
 * decided later, by the agent. */
#include "plugins/job_submit/admit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/text.h"
#include "common/conf/config.h"
#include "plugins/compat/abi.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/limit/members.h"
#include "plugins/compat/node.h"
#include "plugins/compat/resv.h"
#include "plugins/compat/submit/draft.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/occupancy.h"
#include "plugins/ctld/broker.h"
#include "plugins/ctld/request/ask.h"
#include "plugins/ctld/request/part.h"
#include "plugins/ctld/request/users.h"

/* The data gathered while one submission is examined. */
struct admission {
	const struct rspb_submission *sub;
	const struct rspb_terms *flags;
	int64_t now;
	uint32_t width;
	struct rspb_submission_part part;
	struct rspb_config config;
	struct rspb_request *request;
	struct rspb_draft *draft; /* the job that it is going to be */
	enum rspb_refusal refused_for;
	bool observes; /* Mode=observe */
	bool trial;    /* in one of several partitions */
	bool apart;    /* it may get parts of nodes */
	bool uneven;   /* parts of different sizes are foreseen */
};

/* Flags that contradict --book. */
static int check_company(const struct rspb_submission *sub, const struct rspb_terms *flags,
			 struct rspb_err *err)
{
	if (sub->array && flags->offers)
		return rspb_fail(
			err,
			"--array=%.40s: --book=offers is for one job, and an array has many; "
			"remove --array, or book the array with --book",
			sub->array);
	if (sub->array && strchr(sub->array, '%'))
		return rspb_fail(
			err,
			"--array=%s: booked tasks run when they are booked, so the number that "
			"run at a time cannot be limited; remove %% and what follows it",
			sub->array);
	if (sub->reservation)
		return rspb_fail(
			err,
			"--book: cannot be combined with --reservation=%s, because a booking has "
			"its own nodes and time; remove one of the two",
			sub->reservation);
	if (sub->immediate)
		return rspb_fail(
			err, "--book: cannot be combined with --immediate, because a booking is "
			     "decided a moment later; remove one of the two");
	if (sub->blocks)
		return rspb_fail(
			err, "--exclusive=topo: a booking has only its own nodes, not the rest of "
			     "their blocks; remove the option, or name all nodes of a block with "
			     "--nodelist");
	if (sub->least && (sub->component || rspb_moldable_said(&flags->work)))
		return rspb_fail(
			err, "--time-min: %s; remove --time-min",
			sub->component
				? "all components of a heterogeneous job are booked as long as "
				  "--time says"
				: "--work says how long the job takes");
	return 0;
}

/* Treat Slurm's --prefer like --prefer-qos, where that counts. */
static int take_preferred(const struct rspb_submission *sub, struct rspb_terms *flags,
			  struct rspb_err *err)
{
	return sub->prefer && !flags->share ? rspb_prefer_features(sub->prefer, &flags->prefer, err)
					    : 0;
}

/* Whether somebody is there who decides. */
static int check_open(int64_t now, bool observes, struct rspb_err *err)
{
	struct rspb_resv room;

	if (!rspb_broker_running())
		return rspb_fail(
			err, "--book: this slurmctld accepts no bookings, because its scheduler "
			     "plugin for them is not loaded");
	if (rspb_abi_mismatch())
		return rspb_fail(
			err,
			"--book: bookings are switched off; the log of slurmctld has the reason");
	if (observes || rspb_resv_find(RSPB_WAITING_ROOM, now, &room))
		return 0;
	if (!rspb_broker_reading())
		return rspb_fail(
			err, "--book: an operator has deleted reservation " RSPB_WAITING_ROOM
			     ", in which requests wait; it is being created again: try again in a "
			     "second");
	return rspb_fail(
		err,
		"--book: slurmctld has just started and accepts no bookings yet; try again in a "
		"few seconds");
}

/* Fill in the nodes by the same logic as the decision, for a job that does not exist yet. */
static int fill_nodes(struct admission *a, struct rspb_err *err)
{
	struct rspb_part *part = &a->request->parts[0];
	struct rspb_job job;

	a->draft = rspb_draft_of_submission(a->sub->handle, rspb_book_lends(), err);
	if (!a->draft)
		return -1;
	rspb_draft_view(a->draft, &job);
	a->request->gated = job.gated;
	if (rspb_numbers_begin(&job, a->flags, a->width, part, err))
		return -1;
	/* As the decision has it, which knows that it is a component. */
	if (a->sub->component && part->tasks && rspb_part_take_nodes(&job, part, err))
		return -1;
	a->apart = part->whole || (!a->sub->component && rspb_uneven_may(&job, a->flags));
	/* The job gets whole nodes then, and is judged as one with all of their CPUs. */
	if (!a->apart)
		rspb_draft_alone(a->draft, a->sub->handle);
	if (part->nodes_min > a->part.nodes_most)
		return rspb_fail(err, "--nodes=%u: a job can have at most %u nodes in partition %s",
				 part->nodes_min, a->part.nodes_most, a->part.name);
	/* More nodes than the partition allows were only wished for: the least number fits. */
	if (part->nodes > a->part.nodes_most)
		part->nodes = a->part.nodes_most;
	return 0;
}

/* How long: --time, or what the partition gives without, and what input that is
 * late may take of it. */
static int fill_duration(struct admission *a, struct rspb_job *job, struct rspb_err *err)
{
	if (a->sub->limit < 0)
		return rspb_fail(err, "--time: a booking cannot be unlimited; give its length");
	job->limit = a->sub->limit ? a->sub->limit : a->part.default_limit;
	if (rspb_moldable_said(&a->flags->work))
		return 0;
	if (job->limit <= 0)
		return rspb_fail(
			err,
			"--book: a booking needs a length; give --time (partition %s has no "
			"default time)",
			a->part.name);
	rspb_terms_stage(a->flags, a->now, &job->begin, &job->limit);
	return 0;
}

/* --time bounds how long its work may take, else the partition does. */
static int fill_forms(struct admission *a, struct rspb_err *err)
{
	int64_t longest = a->sub->limit;

	if (!rspb_moldable_said(&a->flags->work))
		return 0;
	if (a->sub->component)
		return rspb_fail(err, "--work: not allowed for components of a heterogeneous job");
	if (!longest && a->part.max_limit > 0)
		longest = a->part.max_limit;
	return rspb_want_forms(a->flags, a->request, longest, err);
}

static int fill_times(struct admission *a, struct rspb_err *err)
{
	struct rspb_job job = { .submitted = a->now,
				.begin = a->sub->begin,
				.deadline = a->sub->deadline };

	if (rspb_window_begin(job.begin, a->now, "--begin", err) || fill_duration(a, &job, err))
		return -1;
	rspb_window_add(a->request, &job, a->flags->asap, a->now);
	if (fill_forms(a, err))
		return -1;
	if (rspb_window_check(a->request, a->sub->least, &a->part, err))
		return -1;
	rspb_window_close(a->request, &a->config, a->now);
	rspb_limits_moves(a->request, &a->config, a->flags->firm);
	if (rspb_want_speed(&a->config, a->request, false, err))
		return -1;
	return rspb_want_shorter(a->sub->least, a->request, err);
}

/* The site's limits, but for what only the decision can tell. */
static int check_limits(struct admission *a, struct rspb_err *err)
{
	struct rspb_ask ask = { .request = a->request, .n_jobs = 1 };

	rspb_submission_account(a->sub, ask.account, sizeof(ask.account));
	snprintf(ask.qos, sizeof(ask.qos), "%s", a->sub->qos ? a->sub->qos : "");
	if (!rspb_limits_foresee(&ask, &a->config, a->width, a->now, err))
		return 0;
	a->refused_for = RSPB_REFUSAL_LIMITS;
	return rspb_fail_at(err, "--book");
}

/* Shares are of use only where several jobs may be on a CPU. */
static int check_share(const struct admission *a, struct rspb_err *err)
{
	if (!a->flags->share)
		return 0;
	if (a->sub->exclusive)
		return rspb_fail(
			err, "--cpu-share: cannot be combined with --exclusive, because other jobs "
			     "have shares of the same nodes; remove one of the two");
	return rspb_part_beside(&a->part, err);
}

/* Its limits, as far as is known for whom it is. */
static void take_rules(struct admission *a)
{
	char account[RSPB_USER_NAME];
	struct rspb_config space;
	const struct rspb_config *config;

	rspb_submission_account(a->sub, account, sizeof(account));
	rspb_request_label(a->request, account, a->sub->qos, a->part.name);
	rspb_request_series(a->request, a->flags->series);
	config = rspb_limits_settings(&a->config, a->request, &space);
	if (config != &a->config)
		a->config = *config;
}

static int fill_request(struct admission *a, struct rspb_err *err)
{
	a->request = rspb_request_create(1);
	if (!a->request)
		return rspb_fail(err, "out of memory");
	a->request->user = a->sub->user;
	a->request->arrival = a->now;
	if (rspb_submission_part(a->sub, &a->part, err) || check_share(a, err) ||
	    fill_nodes(a, err))
		return -1;
	/* The decision itself tells this for a single job. */
	if (a->trial && rspb_draft_let_in(a->draft, a->sub->handle, err))
		return -1;
	/* Rules may depend on the partition, which is known by now. */
	take_rules(a);
	return fill_times(a, err);
}

/* Write the request as its job carries it. Nothing of it is granted yet. */
static void fill_contract(const struct admission *a, struct rspb_contract *contract)
{
	const struct rspb_part *part = &a->request->parts[0];

	*contract = (struct rspb_contract){
		.state = RSPB_REQUESTED,
		.terms = *a->flags,
		.apart = a->apart,
	};
	rspb_terms_size(a->request, 0, &contract->terms);
	contract->terms.duration = rspb_request_longest(a->request);
	contract->terms.cores = rspb_part_cores(part, part->share);
	rspb_part_tell_besides(part, &contract->terms);
}

enum { FORESEE_MOST = 4 }; /* other numbers of nodes, for which the submission waits */

/* Fill in a part of different sizes, by what is free at the first start. RET whether there is
 * one. */
static bool fill_uneven(const struct admission *a, const struct rspb_job *job,
			struct rspb_request *request)
{
	int64_t start = rspb_request_first(request, a->now), at;
	struct rspb_ledger *ledger = rspb_published_get(&at, NULL);
	struct rspb_uneven_free is_free;
	struct rspb_err err;
	bool good;

	if (!ledger)
		return false;
	good = !rspb_uneven_look(ledger, start, start + request->duration, &is_free) &&
	       !rspb_uneven_fill(job, a->flags, &is_free, (struct rspb_uneven_how){ .extra = 0 },
				 &request->parts[0], &err);
	rspb_uneven_free_fini(&is_free);
	rspb_ledger_destroy(ledger);
	return good;
}

/* RET whether it is likely in another form (so many nodes; 0: parts of different sizes) to begin
 * before `until`; text and start are of it then. */
static bool foresee_other(const struct admission *a, const struct rspb_job *job, uint32_t nodes,
			  int64_t until, const char *then, char *text, size_t size, int64_t *start)
{
	struct rspb_request *other = rspb_request_clone(a->request);
	char line[RSPB_ADVICE_TEXT];
	struct rspb_err err;
	int64_t at = 0;
	bool good = other && (nodes ? !rspb_numbers_fill(job, a->flags, nodes, a->width,
							 &other->parts[0], &err)
				    : fill_uneven(a, job, other));

	good = good &&
	       rspb_broker_advise(other, rspb_abi_job_known() ? job : NULL, a->flags->zone, then,
				  line, sizeof(line), &at) == RSPB_ADVICE_LIKELY &&
	       at < until;
	rspb_request_destroy(other);
	if (good) {
		snprintf(text, size, "%s", line);
		*start = at;
	}
	return good;
}

/* RET whether the first other number of nodes is likely, where Slurm may choose it, or parts of
 * different sizes are; text and start are as they were if none is. */
static bool foresee_others(struct admission *a, const struct rspb_job *job, bool likely,
			   const char *then, char *text, size_t size, int64_t *start)
{
	uint32_t numbers[RSPB_NUMBERS_MOST], had = a->request->parts[0].nodes;
	uint32_t n = likely || a->request->n_forms > 1 || a->flags->benefit.n_points
			     ? 0
			     : rspb_numbers_of(job, a->width, numbers);

	for (uint32_t i = 0, tried = 0; i < n && tried < FORESEE_MOST; i++) {
		if (numbers[i] == had)
			continue;
		tried++;
		if (foresee_other(a, job, numbers[i], INT64_MAX, then, text, size, start))
			return true;
	}
	a->uneven = a->request->n_forms < 2 && rspb_uneven_may(job, a->flags) &&
		    foresee_other(a, job, 0, likely ? *start : INT64_MAX, then, text, size, start);
	return a->uneven;
}

/* Whether equal parts take more devices than the job asks for in total, or whole nodes more than
 * parts of different sizes would. */
static bool has_spare(const struct admission *a, const struct rspb_job *job)
{
	const struct rspb_part *part = &a->request->parts[0];

	return (!part->whole || rspb_job_bounds(job).devices % part->nodes) &&
	       rspb_uneven_may(job, a->flags);
}

/* RET the advice on how it will be decided. */
static enum rspb_advice foresee(struct admission *a, const char *then, char *text, size_t size,
				int64_t *start)
{
	enum rspb_advice advice;
	struct rspb_job job;
	bool late;

	/* The job's QOS matters here only if Slurm preempts. */
	if (rspb_slurm_conf().preempts)
		rspb_draft_rank(a->draft, a->sub->handle);
	rspb_draft_view(a->draft, &job);
	/* Slurm is not asked about a record that may have other fields there. */
	advice = rspb_broker_advise(a->request, rspb_abi_job_known() ? &job : NULL, a->flags->zone,
				    then, text, size, start);
	/* A job that wants to start as soon as possible may start earlier in another form. */
	late = advice == RSPB_ADVICE_LIKELY && a->request->asap && *start > a->now &&
	       *start > a->request->ready;
	if ((advice == RSPB_ADVICE_ROOM || late) && !a->sub->component &&
	    foresee_others(a, &job, late, then, text, size, start))
		advice = RSPB_ADVICE_LIKELY;
	else if (advice == RSPB_ADVICE_LIKELY && !a->sub->component && has_spare(a, &job))
		a->uneven = foresee_other(a, &job, 0, *start + 1, then, text, size, start);
	return advice;
}

/* Explain that the forecast is for one task of an array, and why a job that could use parts of
 * nodes gets whole nodes. */
static void explain(const struct admission *a, char *text, size_t size)
{
	size_t len = strlen(text);
	struct rspb_job job;
	const char *why;

	rspb_draft_view(a->draft, &job);
	why = a->request->parts[0].whole || a->sub->exclusive || a->uneven
		      ? NULL
		      : rspb_part_why_nodes(&job, a->flags, &a->request->parts[0]);
	if (why && len < size)
		snprintf(text + len, size - len, "%s%s", len ? "; " : "", why);
	len = strlen(text);
	if (a->sub->array && len < size)
		snprintf(text + len, size - len, "%seach task of the array is booked by itself",
			 len ? "; " : "");
}

/* Whether a request waits for its partition, which starts no jobs now, before it is decided; the
 * line says so. One that begins later is decided at once. */
static bool rests(const struct admission *a, char *text, size_t size)
{
	struct rspb_job job;
	struct rspb_err why;

	rspb_draft_view(a->draft, &job);
	/* Offers are listed at once. */
	if (a->flags->offers || a->sub->begin > a->now ||
	    !rspb_job_barred(&job, RSPB_BAR_PARTITION, &why))
		return false;
	snprintf(text, size, "%s; the request is decided then", why.text);
	return true;
}

/* Tell a user whose job goes on as an ordinary one, and count for the site, what was foreseen, or
 * why (refused, err) it would have been declined. A job that waits for others or for its partition
 * would be decided later. */
static void observe(struct admission *a, bool refused, const struct rspb_err *err, char *advice,
		    size_t size)
{
	struct rspb_text out = rspb_text_over(advice, size);
	enum rspb_advice foreseen = RSPB_ADVICE_NONE;
	char line[RSPB_ADVICE_TEXT];
	int64_t start;

	rspb_text_add(&out, "nothing is booked here yet (Mode=observe); the job is a regular one");
	if (refused) {
		rspb_text_add(&out, "; would be refused: %s", err->text);
		rspb_tally_observed(a->sub->user, false, a->refused_for);
	} else if (!a->sub->dependent && !rspb_submission_idle(a->sub) &&
		   !rests(a, line, sizeof(line))) {
		foreseen = foresee(a, "", line, sizeof(line), &start);
	}
	if (foreseen == RSPB_ADVICE_NONE)
		return;
	rspb_text_add(&out, "; %s", line);
	rspb_tally_observed(a->sub->user, foreseen == RSPB_ADVICE_LIKELY,
			    foreseen == RSPB_ADVICE_LIMITS ? RSPB_REFUSAL_LIMITS
							   : RSPB_REFUSAL_ROOM);
}

/*
 * RET 0: it becomes a request, with the contract "requested" and one line of advice
 * ("" when there is nothing to say yet), which names contract->start (0: none); 1: it
 * goes on as an ordinary job (Mode=observe), which the advice says with what would
 * have become of it; or -1 with one sentence in err. trial: it is only looked at, and
 * nothing is counted. Takes no slurmctld lock; wants read locks on nodes and partitions.
 */
static int admit(const struct rspb_submission *sub, const struct rspb_terms *flags, int64_t now,
		 bool trial, struct rspb_contract *contract, char *advice, size_t size,
		 struct rspb_err *err)
{
	struct rspb_terms own = *flags;
	struct admission a = {
		.sub = sub, .flags = &own, .now = now, .width = rspb_node_width(), .trial = trial
	};
	int rc;

	advice[0] = '\0';
	/* Looked up by the time that it is decided, which others do not go before. */
	rspb_users_known(sub->user, now);
	a.config = *rspb_settings_get();
	a.observes = a.config.mode == RSPB_MODE_OBSERVE;
	/* Judged as if it were to be booked. */
	a.config.mode = RSPB_MODE_BOOK;
	rspb_capacity_lend_early(a.width, &a.config);
	rc = check_company(sub, flags, err) || check_open(now, a.observes, err) ||
			     take_preferred(sub, &own, err) || fill_request(&a, err) ||
			     check_limits(&a, err)
		     ? -1
		     : 0;
	/* No submission fails in Mode=observe. */
	if (a.observes && !trial) {
		observe(&a, rc, err, advice, size);
		rc = 1;
	} else if (!rc) {
		fill_contract(&a, contract);
		/* The forecast for a single component says little except where to look; nor does
		 * that for a job that does not wait. */
		if ((trial || !sub->component) && !sub->dependent && !rspb_submission_idle(sub) &&
		    !rspb_draft_refused(a.draft, sub->handle) && !rests(&a, advice, size))
			foresee(&a, flags->test ? "" : "; rspb list shows the decision", advice,
				size, &contract->start);
		if (!flags->test)
			explain(&a, advice, size);
	} else if (!trial) {
		rspb_tally_turned_away(sub->user, a.refused_for);
	}
	rspb_draft_destroy(a.draft);
	rspb_request_destroy(a.request);
	return rc;
}

/* Picks one of the partitions that a submission names, by what could be had. It books
 * nothing there. */

/* Each costs a look at the calendar, under Slurm's read locks. */
enum { PARTITIONS_MOST = 8 };

/* A partition, and when the job would begin there; INT64_MAX: it is not known. */
struct outlook {
	const char *name;
	int64_t start;
};

/* RET 0, or -1 with err: it is not for that one. *at_once: it begins nowhere sooner. */
static int look_in(job_desc_msg_t *desc, const struct rspb_terms *flags, int64_t now,
		   struct outlook *out, bool *at_once, struct rspb_err *err)
{
	char account[RSPB_USER_NAME], line[RSPB_ADVICE_TEXT];
	struct rspb_contract contract;
	struct rspb_submission sub;

	rspb_submission_view(desc, &sub);
	rspb_submission_account(&sub, account, sizeof(account));
	if (rspb_member_partition(sub.user, account, out->name, 0, 0, err) ||
	    admit(&sub, flags, now, true, &contract, line, sizeof(line), err))
		return -1;
	/* Partitions without a foreseen start come last. */
	out->start = contract.start ? contract.start : INT64_MAX;
	*at_once = contract.start && contract.start <= contract.terms.ready;
	return 0;
}

/* The last one of n goes before those where it would be later. */
static void rank(struct outlook *all, uint32_t n)
{
	struct outlook last = all[--n];

	for (; n && all[n - 1].start > last.start; n--)
		all[n] = all[n - 1];
	all[n] = last;
}

/* Find the partitions of the list, which is lost, that would take the job. RET how many, -1 with
 * err. */
static int look_at_all(job_desc_msg_t *desc, const struct rspb_terms *flags, int64_t now,
		       char *list, struct outlook *all, struct rspb_err *err)
{
	struct rspb_submission_part part;
	struct rspb_submission sub;
	struct rspb_err why, first = { "" };
	bool at_once = false;
	char *name, *rest;
	int n = 0, rc;

	for (name = strtok_r(list, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
		if (n == PARTITIONS_MOST)
			return rspb_fail(err,
					 "--partition: a booking can name at most %d partitions",
					 PARTITIONS_MOST);
		all[n] = (struct outlook){ name, INT64_MAX };
		rspb_submission_partition(desc, name);
		rspb_submission_view(desc, &sub);
		rc = rspb_submission_part(&sub, &part, &why);
		if (rc < 0) {
			*err = why;
			return -1;
		}
		/* Slurm, too, leaves out a partition that accepts no jobs. Once the job can begin
		 * at once in one partition, the others are only listed: each look takes time under
		 * Slurm's locks. */
		if (!rc && (at_once || !look_in(desc, flags, now, &all[n], &at_once, &why)))
			rank(all, (uint32_t) ++n);
		else if (!first.text[0])
			first = why;
	}
	if (!n)
		*err = first;
	return n ? n : -1;
}

/* RET how many would take it, in their order, which its partition is the first of; 0: it
 * names no list; -1 with err. */
static int choose(job_desc_msg_t *desc, const struct rspb_terms *flags, int64_t now, char *order,
		  struct rspb_err *err)
{
	struct rspb_text out = rspb_text_over(order, RSPB_PARTITIONS_TEXT);
	struct outlook all[PARTITIONS_MOST];
	char names[RSPB_PARTITIONS_TEXT];
	struct rspb_submission sub;
	int n;

	rspb_submission_view(desc, &sub);
	if (!sub.partition || !strchr(sub.partition, ','))
		return 0;
	if (strlen(sub.partition) >= sizeof(names) || strchr(sub.partition, ' '))
		return rspb_fail(err,
				 "--partition: with a booking the list has at most %d characters "
				 "and no blanks",
				 RSPB_PARTITIONS_TEXT - 1);
	strcpy(names, sub.partition);
	n = look_at_all(desc, flags, now, names, all, err);
	for (int i = 0; i < n; i++)
		rspb_text_add(&out, "%s%s", i ? "," : "", all[i].name);
	if (n > 0)
		rspb_submission_partition(desc, all[0].name);
	return n;
}

int rspb_partitions_admit(job_desc_msg_t *desc, const struct rspb_terms *flags,
			  struct rspb_contract *contract, char *advice, size_t size,
			  struct rspb_err *err)
{
	char order[RSPB_PARTITIONS_TEXT], list[RSPB_PARTITIONS_TEXT] = "";
	struct rspb_submission sub;
	int64_t now = time(NULL);
	int n, rc;

	rspb_submission_view(desc, &sub);
	snprintf(list, sizeof(list), "%s", sub.partition ? sub.partition : "");
	/* If it names several, the submission is left with the best of them. */
	n = choose(desc, flags, now, order, err);
	if (n < 0)
		return -1;
	rspb_submission_view(desc, &sub);
	rc = admit(&sub, flags, now, false, contract, advice, size, err);
	/* Mode=observe: an ordinary job may have any of them. */
	if (rc > 0 && n)
		rspb_submission_partition(desc, list);
	if (!rc && n && advice[0])
		snprintf(advice + strlen(advice), size - strlen(advice), ", in partition %s",
			 sub.partition);
	if (!rc && n > 1) {
		strcpy(contract->partitions, order);
		contract->untried = (uint32_t) n - 1;
	}
	return rc;
}
