/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/requests/limits.h"

#include <grp.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/conf/limits.h"
#include "plugins/ctld/book/kind.h"

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
	if (rspb_kind_of(ask->request)->by_operator)
		return 0;
	if (!listed(config->allow_accounts, ask->account))
		return rspb_fail(err,
				 "account \"%s\" may not book "
				 "(AllowAccounts=%s)",
				 ask->account, config->allow_accounts);
	if (!listed(config->allow_qos, ask->qos))
		return rspb_fail(err, "QOS \"%s\" may not book (AllowQos=%s)",
				 ask->qos, config->allow_qos);
	if (!in_groups(config->allow_groups, ask))
		return rspb_fail(err, "user %s may not book (AllowGroups=%s)",
				 ask->user, config->allow_groups);
	return 0;
}

int rspb_limits_check(const struct rspb_ask *ask,
		      const struct rspb_config *config, uint32_t width,
		      int64_t now, struct rspb_err *err)
{
	if (who(ask, config, err) ||
	    rspb_limits_request(ask->request, config, now, err))
		return -1;
	return rspb_request_validate(ask->request, width, err);
}
