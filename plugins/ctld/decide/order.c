/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the order of arrival where it takes a moment to learn whether a user may book at all. The
 * name service is asked elsewhere (request/users.c), and nothing here waits for it. */
#include "plugins/ctld/decide/batch_steps.h"

#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/request/users.h"

struct arrival {
	int64_t at;
	uint64_t id;
};

static struct arrival arrival_of(const struct rspb_ask *ask)
{
	return (struct arrival){ ask->request->arrival, ask->request->id };
}

static bool came_before(struct arrival a, struct arrival b)
{
	return a.at != b.at ? a.at < b.at : a.id < b.id;
}

static bool by_operator(const struct rspb_ask *ask)
{
	return rspb_kind_of(ask->request)->by_operator;
}

/* Empty the asks of users who are not known yet, which have no request then. A user may become
 * known while we look. The latest ask comes first, so that an earlier one of the same user then
 * goes ahead of it. RET the first arrival for which others wait. */
static struct arrival empty_unknown(struct rspb_asks *asks, int64_t now)
{
	struct arrival first = { INT64_MAX, UINT64_MAX };

	for (size_t i = asks->n; i-- > 0;) {
		struct rspb_ask *ask = &asks->items[i];

		if (by_operator(ask) || rspb_users_known(ask->request->user, now))
			continue;
		if (rspb_users_soon(ask->request->user) && came_before(arrival_of(ask), first))
			first = arrival_of(ask);
		rspb_ask_fini(ask);
	}
	return first;
}

/* Later requests wait for the lookup of an earlier one, so that they do not go ahead of it. They
 * wait as long as rspb_users_soon() says, two seconds, and no longer if the name service hangs. */
bool rspb_order_keep(struct rspb_asks *asks, int64_t now)
{
	struct arrival first = empty_unknown(asks, now);
	size_t n = 0;
	bool behind = false;

	for (size_t i = 0; i < asks->n; i++) {
		struct rspb_ask *ask = &asks->items[i];

		if (!ask->request)
			continue;
		if (by_operator(ask) || came_before(arrival_of(ask), first)) {
			asks->items[n++] = *ask;
		} else {
			behind = true;
			rspb_ask_fini(ask);
		}
	}
	asks->n = n;
	return behind;
}
