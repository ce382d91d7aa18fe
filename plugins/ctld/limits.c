/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/limits.h"

#include <grp.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/ctld/book.h"

/* Whether word is one of a comma list; an empty list allows all. */
static bool listed(const char *list, const char *word)
{
	size_t len = strlen(word);
	const char *at = list;

	if (!*list)
		return true;
	while (*at) {
		size_t here = strcspn(at, ",");

		if (here == len && !strncmp(at, word, len))
			return true;
		at += here;
		at += *at == ',';
	}
	return false;
}

static bool in_groups(const char *list, const struct rspb_ask *ask)
{
	int n = 256, i;
	gid_t groups[256];
	struct passwd pw, *found = NULL;
	char buf[4096];

	if (!*list)
		return true;
	if (getpwuid_r(ask->request->user, &pw, buf, sizeof(buf), &found) ||
	    !found)
		return false;
	if (getgrouplist(pw.pw_name, pw.pw_gid, groups, &n) < 0)
		n = 256;
	for (i = 0; i < n; i++) {
		struct group gr, *group = NULL;
		char names[8192];

		if (!getgrgid_r(groups[i], &gr, names, sizeof(names), &group) &&
		    group && listed(list, gr.gr_name))
			return true;
	}
	return false;
}

static int who(const struct rspb_ask *ask, const struct rspb_config *config,
	       struct rspb_err *err)
{
	if (!listed(config->allow_accounts, ask->account))
		return rspb_fail(err, "account \"%s\" may not book "
				 "(AllowAccounts=%s)", ask->account,
				 config->allow_accounts);
	if (!listed(config->allow_qos, ask->qos))
		return rspb_fail(err, "QOS \"%s\" may not book (AllowQOS=%s)",
				 ask->qos, config->allow_qos);
	if (!in_groups(config->allow_groups, ask))
		return rspb_fail(err, "user %s may not book (AllowGroups=%s)",
				 ask->user, config->allow_groups);
	return 0;
}

static int size(const struct rspb_request *request,
		const struct rspb_config *config, struct rspb_err *err)
{
	uint64_t nodes = 0;
	uint32_t i;

	for (i = 0; i < request->n_parts; i++)
		nodes += request->parts[i].nodes;
	if (config->max_nodes && nodes > config->max_nodes)
		return rspb_fail(err, "%" PRIu64 " nodes are more than one "
				 "booking may have (MaxNodes=%u)", nodes,
				 config->max_nodes);
	if (!request->duration)
		return rspb_fail(err, "a booking needs a time limit (--time)");
	if (config->max_duration && request->duration > config->max_duration)
		return rspb_fail(err, "%" PRId64 " minutes are longer than a "
				 "booking may be (MaxDuration, %" PRId64
				 " minutes)", request->duration / 60,
				 config->max_duration / 60);
	return 0;
}

static int times(const struct rspb_request *request,
		 const struct rspb_config *config, int64_t now,
		 struct rspb_err *err)
{
	if (request->ready < request->arrival + config->min_notice)
		return rspb_fail(err, "a booking must be asked for at least %"
				 PRId64 " s before its start (MinNotice)",
				 config->min_notice);
	if (request->ready + request->duration > now + config->horizon)
		return rspb_fail(err, "the booking would end more than %"
				 PRId64 " hours from now (Horizon)",
				 config->horizon / 3600);
	if (request->deadline < request->ready + request->duration)
		return rspb_fail(err, "begin and time limit end %" PRId64
				 " s after the deadline", request->ready +
				 request->duration - request->deadline);
	return 0;
}

int rspb_limits_check(const struct rspb_ask *ask,
		      const struct rspb_config *config, uint32_t width,
		      int64_t now, struct rspb_err *err)
{
	if (who(ask, config, err) || size(ask->request, config, err) ||
	    times(ask->request, config, now, err))
		return -1;
	return rspb_request_validate(ask->request, width, err);
}

static uint32_t user_waiting(uint32_t user)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	uint32_t n = 0;
	size_t i;

	for (i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		n += b->state == RSPB_BOOKED && b->request->user == user;
	}
	return n;
}

static uint32_t nodes_granted(const struct rspb_booking *booking)
{
	uint32_t n = 0, i;

	for (i = 0; i < booking->n_grants; i++)
		n += rspb_nodeset_count(booking->grants[i].nodes);
	return n;
}

int rspb_limits_check_grant(const struct rspb_booking *booking,
			    const struct rspb_config *config,
			    struct rspb_err *err)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	uint32_t most = 0, fewest = 0, allowed;

	if (config->max_waiting_user &&
	    user_waiting(booking->request->user) >= config->max_waiting_user)
		return rspb_fail(err, "you have %u bookings that have not "
				 "started, which is as many as you may "
				 "(MaxWaitingPerUser)", config->max_waiting_user);
	if (!config->max_share_percent || config->max_share_percent >= 100)
		return 0;
	allowed = (uint64_t) rspb_ledger_nodes(ledger) *
		  config->max_share_percent / 100;
	if (rspb_profile_peak(rspb_ledger_profile(ledger), booking->start,
			      booking->end, &most, &fewest, err))
		return -1;
	if (most + nodes_granted(booking) > allowed)
		return rspb_fail(err, "%u of %u nodes that may be booked at "
				 "one time are taken (MaxShare=%u%%)", most,
				 allowed, config->max_share_percent);
	return 0;
}
