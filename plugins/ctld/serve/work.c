/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hands questions that change something to the agent, and its answers back to the socket's thread.
 * Their contents do not matter here. */
#include "plugins/ctld/serve/owners.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugins/ctld/base/errand.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/record/durable.h"
#include "plugins/ctld/request/users.h"
#include "plugins/ctld/serve/server.h"
#include "plugins/ctld/serve/state.h"

/* Inquiries between the socket's thread and the agent. The bound limits the memory if users ask
 * faster than the agent works. */
enum { MOST = 1000 };

/* An inquiry on its way to the agent, and with its result back to the socket's thread. */
struct job {
	struct rspb_task task; /* first */
	struct rspb_work work;
	void (*run)(struct rspb_work *work, const struct rspb_config *config, int64_t now);
};

static void audit_one(const struct rspb_work *work, const char *action, uint64_t job)
{
	const struct rspb_inquiry *q = &work->inquiry;

	rspb_audit_log(&(struct rspb_audit){
		.action = action,
		.uid = work->who.uid,
		.from = work->who.from,
		.job = job,
		.reservation = work->made[0] ? work->made : q->reservation,
		.done = work->done,
		.text = work->done ? work->said : work->err.text,
	});
}

void rspb_work_audit(const struct rspb_work *work)
{
	static const char *const actions[RSPB_N_ASKS] = {
		[RSPB_ASK_RESERVE] = "reserve",
		[RSPB_ASK_MODIFY] = "modify",
		[RSPB_ASK_RELEASE] = "release",
		[RSPB_ASK_OFFERS] = "hold",
	};
	const struct rspb_inquiry *q = &work->inquiry;

	/* Offers that are only listed change nothing. */
	if (q->op == RSPB_ASK_OFFERS && !q->hold)
		return;
	/* Each job of a series gets a line, so that a search for one job finds it. */
	for (uint32_t i = 0; i < q->jobs.n; i++)
		audit_one(work, actions[q->op], q->jobs.ids[i]);
	if (!q->jobs.n)
		audit_one(work, actions[q->op], (uint64_t) q->job);
}

/* The agent carries out the inquiry, and hands it to the socket's thread, which alone may touch
 * connections. */
static void run(struct rspb_task *task, const struct rspb_config *config, int64_t now)
{
	struct job *job = (struct job *) task;
	int64_t began = rspb_worker_cpu_us();
	struct rspb_err err;
	size_t len;

	job->run(&job->work, config, now);
	job->work.used_us = rspb_worker_cpu_us() - began;
	/* A user may rely on an answer, so the journal must be on the disk before it is sent. If
	 * the disk fails, Slurm already has the change; the answer says that a crash could undo
	 * it. */
	if (job->work.done && rspb_durable_sync(now, &err)) {
		len = strlen(job->work.said);
		snprintf(job->work.said + len, sizeof(job->work.said) - len,
			 "; a crash could undo it: %.160s", err.text);
	}
	rspb_work_audit(&job->work);
	rspb_server_hand(task);
}

int rspb_work_post(const struct rspb_work *work,
		   void (*do_it)(struct rspb_work *work, const struct rspb_config *config,
				 int64_t now),
		   struct rspb_err *err)
{
	struct job *job = rspb_task_new(sizeof(*job), run, &rspb_serve->works_under_way, MOST);

	if (!job)
		return rspb_fail(err, "%d changes wait already; try again in a second", MOST);
	job->work = *work;
	job->run = do_it;
	/* The agent must not wait for the name service when it checks groups, so the task is posted
	 * when the user is known. */
	rspb_users_then(work->who.uid, time(NULL), &job->task);
	return 0;
}

void rspb_work_refuse(struct rspb_work *work, const char *kind, const char *why)
{
	work->kind = kind;
	if (work->inquiry.reservation[0])
		rspb_fail(&work->err, "reservation %s: %s", work->inquiry.reservation, why);
	else
		rspb_fail(&work->err, "job %" PRId64 ": %s", work->inquiry.job, why);
}

void rspb_work_take(struct rspb_task *task, struct rspb_work *out)
{
	/* The result object goes over to the copy; the rest is freed. */
	*out = ((struct job *) task)->work;
	rspb_task_end(task);
}
