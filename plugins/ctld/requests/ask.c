/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests that wait for a decision, with what they carry. Where they come from is
 * their kind's. */
#include "plugins/ctld/requests/ask.h"

#include <stdlib.h>

#include "common/base/array.h"

void rspb_ask_fini(struct rspb_ask *ask)
{
	rspb_request_destroy(ask->request);
	free(ask->jobs);
	free(ask->contracts);
	free(ask->source);
	*ask = (struct rspb_ask){ 0 };
}

void rspb_asks_fini(struct rspb_asks *asks)
{
	size_t i;

	for (i = 0; i < asks->n; i++)
		rspb_ask_fini(&asks->items[i]);
	free(asks->items);
	*asks = (struct rspb_asks){ 0 };
}

struct rspb_ask *rspb_asks_add(struct rspb_asks *asks)
{
	if (rspb_array_grow(&asks->items, &asks->room, asks->n + 1,
			    sizeof(*asks->items)))
		return NULL;
	asks->items[asks->n] = (struct rspb_ask){ 0 };
	return &asks->items[asks->n];
}

void rspb_ask_user(struct rspb_ask *ask)
{
	rspb_users_name(ask->request->user, ask->user);
}
