/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Questions that change something: done by the agent, in its own time, and
 * answered by the thread of the socket. */
#ifndef RSPB_CTLD_SERVE_WORK_H
#define RSPB_CTLD_SERVE_WORK_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "plugins/ctld/base/wake.h"
#include "plugins/ctld/kinds/operator.h"
#include "plugins/ctld/serve/inquiry.h"
#include "plugins/ctld/serve/reads.h"

/* A caller's request and its result. */
struct rspb_work {
	uint64_t line;
	struct rspb_caller_view who;
	struct rspb_inquiry inquiry;
	bool done;		    /* else err says why not */
	const char *kind;	    /* of the refusal, by doc/protocol.md */
	char said[RSPB_ERR_TEXT];   /* a sentence, "" */
	char made[RSPB_GROUP_NAME]; /* the reservation that was, "" */
	struct rspb_err err;
	json_object *result; /* owned: more of it, NULL: nothing */
	int64_t used_us;     /* processor time of the agent */
};

/* RET 0, or -1 with err. run: what the agent does; takes locks, fills in what
 * came of it. */
int rspb_work_post(const struct rspb_work *work,
		   void (*run)(struct rspb_work *work, const struct rspb_config *config,
			       int64_t now),
		   struct rspb_err *err);
/* Log who requested it, from where, and with what result (Audit=yes). */
void rspb_work_audit(const struct rspb_work *work);
/* Refuse it, with the name of the job or reservation that is asked about. */
void rspb_work_refuse(struct rspb_work *work, const char *kind, const char *why);
/* The socket's thread: take the result out of the task that was handed to it (serve/server.h),
 * which is freed. */
void rspb_work_take(struct rspb_task *task, struct rspb_work *out);

#endif
