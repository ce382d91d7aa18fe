/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judges requests and grants by the site's settings. It counts in a ledger and keeps no count of
 * its own. Rules of rspb.conf may give each request its own settings, so callers pass those of
 * rspb_limits_settings(). */
#include "plugins/ctld/request/ask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/compat/parts/cores.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/book/no_show.h"
#include "plugins/ctld/request/part.h"

const struct rspb_config *rspb_limits_settings(const struct rspb_config *config,
					       const struct rspb_request *request,
					       struct rspb_config *space)
{
	return rspb_rules_for(config, request, rspb_node_count(), space);
}

/* The submission and the decision both ask this, so a rule on users, accounts, QOS or partitions
 * counts in the same way for both. */
bool rspb_limits_parts(const struct rspb_job *job)
{
	struct rspb_request asker = { .user = job->uid };
	struct rspb_config space;
	enum rspb_unit unit;

	rspb_request_label(&asker, job->account, job->qos, job->partition);
	unit = rspb_limits_settings(rspb_settings_get(), &asker, &space)->unit;
	free(asker.labels);
	return unit == RSPB_UNIT_PART || (unit == RSPB_UNIT_AUTO && rspb_cores_asked(job).said);
}

/* An empty list allows all. */
static bool listed(const char *list, const char *word)
{
	return !*list || rspb_text_listed(list, word);
}

int rspb_limits_who(const struct rspb_ask *ask, const struct rspb_config *config, int64_t now,
		    struct rspb_err *err)
{
	if (rspb_kind_of(ask->request)->by_operator)
		return 0;
	if (!listed(config->allow_accounts, ask->account))
		return rspb_fail(err,
				 "account \"%s\" may not book "
				 "(AllowAccounts=%s)",
				 ask->account, config->allow_accounts);
	if (!listed(config->allow_qos, ask->qos))
		return rspb_fail(err, "QOS \"%s\" may not book (AllowQos=%s)", ask->qos,
				 config->allow_qos);
	if (ask->request->gated && !config->req_resv)
		return rspb_fail(err, "its partition is only for operators' reservations "
				      "(ReqResv=no)");
	if (config->allow_groups[0] && !rspb_users_may(ask->request->user, now))
		return rspb_fail(err,
				 "you are in none of the groups that may book "
				 "(AllowGroups=%s)",
				 config->allow_groups);
	return rspb_no_show_check(ask->request->user, now, err);
}

/* The nodes that the machine has count, not the places of its table: with MaxNodeCount there are
 * more of these. Forms that the site does not allow are taken out first, since the request is
 * judged by its first form. */
int rspb_limits_check(const struct rspb_ask *ask, const struct rspb_config *config, uint32_t width,
		      int64_t now, struct rspb_err *err)
{
	if (rspb_limits_forms(ask->request, config, rspb_node_count(), now))
		return rspb_fail(err, "out of memory");
	if (rspb_limits_who(ask, config, now, err) ||
	    rspb_limits_request(ask->request, config, rspb_node_count(), now, err) ||
	    (ask->request->user != RSPB_USER_NONE && rspb_hours_judge(ask->request, config, err)))
		return -1;
	return rspb_request_validate(ask->request, width, err);
}

int rspb_limits_foresee(const struct rspb_ask *ask, const struct rspb_config *config,
			uint32_t width, int64_t now, struct rspb_err *err)
{
	struct rspb_config known = *config;

	if (ask->qos[0])
		return rspb_limits_check(ask, config, width, now, err);
	known.allow_qos[0] = '\0';
	if (!rspb_rules_name(&known, "Qos"))
		return rspb_limits_check(ask, &known, width, now, err);
	/* A rule on QOS may change any limit, so only the account, the groups and the no-shows are
	 * checked. The decision checks the rest, once Slurm has chosen a QOS. */
	known.req_resv = true;
	return rspb_limits_who(ask, &known, now, err);
}

int rspb_limits_decision(const struct rspb_ledger *ledger, const struct rspb_booking *booking,
			 const struct rspb_config *config, int64_t now, struct rspb_err *err)
{
	struct rspb_config space;

	return rspb_limits_grant(ledger, booking, rspb_no_show_held(booking->request->user, now),
				 rspb_limits_settings(config, booking->request, &space), err);
}

/* The old booking is taken out of a copy of the ledger, so that the owner's sums do not count
 * both. */
int rspb_limits_instead(const struct rspb_ledger *ledger, const struct rspb_booking *old,
			const struct rspb_booking *new, const struct rspb_config *config,
			int64_t now, struct rspb_err *err)
{
	struct rspb_ledger *rest = rspb_limits_rest(ledger, old, now, err);
	int rc = rest ? rspb_limits_grant(rest, new, rspb_no_show_held(old->request->user, now),
					  config, err)
		      : -1;

	rspb_ledger_destroy(rest);
	return rc;
}

/* Log the names of a list that accounting does not know. A typing error there would otherwise show
 * only in refusals. */
static void check_names(const char *key, const char *list, enum rspb_ctld_named what)
{
	char copy[RSPB_CONFIG_LIST], *name, *rest;

	snprintf(copy, sizeof(copy), "%s", list);
	for (name = strtok_r(copy, ",", &rest); name; name = strtok_r(NULL, ",", &rest))
		if (!rspb_ctld_known(what, name))
			rspb_log_error("%s: the accounting database has no \"%s\"", key, name);
}

void rspb_limits_learn(const struct rspb_config *config)
{
	check_names("AllowAccounts", config->allow_accounts, RSPB_NAMED_ACCOUNT);
	check_names("AllowQos", config->allow_qos, RSPB_NAMED_QOS);
}
