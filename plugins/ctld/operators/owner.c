/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the owner of a booking without a job. */
#include <stdio.h>
#include <string.h>

#include "common/base/text.h"
#include "plugins/compat/limit/members.h"
#include "plugins/ctld/operators/group.h"

/* Requests of jobs, which have a priority, come first. */
enum { PRIORITY = 1 };

void rspb_group_account(const struct rspb_resv *resv, uint32_t owner, char *account, size_t size)
{
	if (resv->accounts && !strpbrk(resv->accounts, ",-"))
		snprintf(account, size, "%s", resv->accounts);
	else
		rspb_member_usual(owner, account, size);
}

void rspb_group_sign(struct rspb_request *request, const struct rspb_resv *resv, uint32_t owner)
{
	char account[RSPB_USER_NAME];

	if (!owner)
		return;
	request->user = owner;
	request->priority = PRIORITY;
	rspb_group_account(resv, owner, account, sizeof(account));
	rspb_request_label(request, account, NULL, resv->partition);
}

void rspb_group_name(const struct rspb_request *request, char *account, size_t size)
{
	static const char label[] = "account=";
	const char *at = strstr(rspb_text_kept(request->labels), label);

	at = at ? at + sizeof(label) - 1 : "";
	snprintf(account, size, "%.*s", (int) strcspn(at, ","), at);
}
