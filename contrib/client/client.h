/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A client of the broker's socket (doc/protocol.md). */
#ifndef RSPB_CLIENT_CLIENT_H
#define RSPB_CLIENT_CLIENT_H

#include <json-c/json.h>

#include "common/base/err.h"
#include "common/wire/json.h"
#include "contrib/client/site.h"

struct rspb_client {
	struct rspb_site site;
	int fd; /* -1: not connected */
	char munge[RSPB_SITE_TEXT];
};

/* RET 0, or -1 with err; server as of rspb_site_read(). Connects later. */
int rspb_client_init(struct rspb_client *client, const char *server, struct rspb_err *err);
void rspb_client_fini(struct rspb_client *client);
/*
 * Ask, and wait for the answer. Takes over the question and adds what all of
 * them have. RET the answer, genuine and to this question, "ok" or not; NULL
 * with err: there is none.
 */
json_object *rspb_client_ask(struct rspb_client *client, json_object *question,
			     struct rspb_err *err);

/* Which part of each of its nodes a booking, or what else is drawn, has: 0 to 1. */
double rspb_answer_part(json_object *item);
/* Have what is in that list in another one, too. */
void rspb_answer_append(json_object *object, const char *key, json_object *to);
bool rspb_answer_good(json_object *answer);

#endif
