/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides requests in the order of arrival, even where it takes a moment to learn whether a user
 * may book at all. */
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

/* Empties those whose users are not known. One may become known while we look, so the
 * latest comes first: of a user's requests it is then an earlier one that goes ahead
 * of a later one. RET the first of those that others wait for. */
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
