/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts what each user asks, and says who has to wait. It knows no connection's
 * state. */
#include "plugins/ctld/socket/callers.h"

#include <stdlib.h>

#include "common/base/array.h"

enum { THOUSAND = 1000 };

static struct rspb_caller *caller_of(const struct rspb_callers *callers, uint32_t uid)
{
	for (size_t i = 0; i < callers->n; i++)
		if (callers->items[i].uid == uid)
			return &callers->items[i];
	return NULL;
}

static void earn(struct rspb_caller *caller, int64_t now_ms)
{
	const int64_t most = (int64_t) RSPB_CALLER_BURST * THOUSAND;
	int64_t passed = now_ms - caller->seen_ms;

	if (passed > most / RSPB_CALLER_RATE)
		caller->credit = most;
	else if (passed > 0)
		caller->credit += passed * RSPB_CALLER_RATE;
	if (caller->credit > most)
		caller->credit = most;
	caller->seen_ms = now_ms;
}

/* Forget callers that are not connected and have not asked lately. */
static void forget(struct rspb_callers *callers, int64_t now_ms)
{
	size_t kept = 0;

	for (size_t i = 0; i < callers->n; i++) {
		struct rspb_caller *caller = &callers->items[i];

		earn(caller, now_ms);
		if (caller->lines || caller->credit < (int64_t) RSPB_CALLER_BURST * THOUSAND)
			callers->items[kept++] = *caller;
	}
	callers->n = kept;
}

bool rspb_callers_join(struct rspb_callers *callers, uint32_t uid, int64_t now_ms)
{
	struct rspb_caller *caller = caller_of(callers, uid);

	if (!caller) {
		forget(callers, now_ms);
		if (rspb_array_grow(&callers->items, &callers->room, callers->n + 1,
				    sizeof(*callers->items)))
			return false;
		caller = &callers->items[callers->n++];
		*caller = (struct rspb_caller){
			.uid = uid,
			.credit = (int64_t) RSPB_CALLER_BURST * THOUSAND,
			.seen_ms = now_ms,
		};
	}
	if (caller->lines >= RSPB_CALLER_LINES)
		return false;
	caller->lines++;
	return true;
}

void rspb_callers_leave(struct rspb_callers *callers, uint32_t uid)
{
	struct rspb_caller *caller = caller_of(callers, uid);

	if (caller && caller->lines)
		caller->lines--;
}

int64_t rspb_callers_credit(struct rspb_callers *callers, uint32_t uid, int64_t now_ms)
{
	struct rspb_caller *caller = caller_of(callers, uid);

	if (!caller)
		return (int64_t) RSPB_CALLER_BURST * THOUSAND;
	earn(caller, now_ms);
	return caller->credit;
}

static void charge_credit(struct rspb_callers *callers, uint32_t uid, int64_t amount,
			  int64_t now_ms)
{
	struct rspb_caller *caller = caller_of(callers, uid);
	const int64_t least = (int64_t) -RSPB_CALLER_BURST * THOUSAND;

	if (!caller)
		return;
	earn(caller, now_ms);
	caller->credit -= amount;
	if (caller->credit < least)
		caller->credit = least;
}

void rspb_callers_use(struct rspb_callers *callers, uint32_t uid, int64_t us, int64_t now_ms)
{
	charge_credit(callers, uid, us * THOUSAND / RSPB_CALLER_COST_US, now_ms);
}

int64_t rspb_callers_charge(struct rspb_callers *callers, uint32_t uid, int64_t now_ms)
{
	int64_t credit;

	charge_credit(callers, uid, THOUSAND, now_ms);
	credit = rspb_callers_credit(callers, uid, now_ms);
	return credit >= 0 ? 0 : -credit / RSPB_CALLER_RATE + 1;
}

void rspb_callers_fini(struct rspb_callers *callers)
{
	free(callers->items);
	*callers = (struct rspb_callers){ .n = 0 };
}
