/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells owners of bookings without a job what has become of them. What is told letters/ words
 * and keeps. */
#include "plugins/ctld/operators/notice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/compat/resv.h"
#include "plugins/ctld/letters/letters.h"
#include "plugins/ctld/operators/group.h"
#include "plugins/ctld/operators/internal.h"

/* With the nodes by name. */
static void contract_of(const struct rspb_booking *b, struct rspb_contract *contract)
{
	char text[RSPB_CONTRACT_TEXT];

	free(rspb_operator_text_with_nodes(b, text));
	if (rspb_contract_parse(text, contract, NULL))
		*contract = (struct rspb_contract){ .state = b->state };
}

void rspb_notice_begin(struct rspb_notice *notice, const struct rspb_booking *b)
{
	const struct rspb_promise *promise;
	struct rspb_resv resv;

	notice->name[0] = '\0';
	if (!b || !rspb_reserved_owner(b->request))
		return;
	notice->number = rspb_reserved_number(b->request->id);
	/* Slurm may have deleted it, at its end. */
	promise = rspb_promise_find_resv(notice->number);
	if (rspb_resv_find_id(notice->number, 0, &resv))
		snprintf(notice->name, sizeof(notice->name), "%s", resv.name);
	else if (promise && promise->name)
		snprintf(notice->name, sizeof(notice->name), "%s", promise->name);
	contract_of(b, &notice->before);
}

void rspb_notice_of(struct rspb_notice *notice, const char *name)
{
	struct rspb_contract *before = &notice->before;
	struct rspb_resv resv;

	notice->name[0] = '\0';
	if (!rspb_resv_find(name, 0, &resv) || !resv.tag ||
	    rspb_contract_parse(resv.tag, before, NULL) || !before->owner)
		return;
	notice->number = resv.id;
	snprintf(notice->name, sizeof(notice->name), "%s", name);
	if (resv.nodes && strlen(resv.nodes) < sizeof(before->on))
		strcpy(before->on, resv.nodes);
}

void rspb_notice_tell(const struct rspb_notice *notice, const struct rspb_contract *now)
{
	struct rspb_reader reader = rspb_letters_resv(notice->name, notice->number, now);

	if (notice->name[0])
		rspb_letters_tell(&reader, &notice->before, now);
}

void rspb_notice_end(const struct rspb_notice *notice, const struct rspb_booking *b)
{
	struct rspb_contract now;

	if (!notice->name[0] || !b)
		return;
	contract_of(b, &now);
	rspb_notice_tell(notice, &now);
}
