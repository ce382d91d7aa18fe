/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bookings without a job that users ask for, for the jobs of a group: users or
 * accounts that they name. Such a request is a reservation as of an operator's
 * request, made by us, whose text is a contract with an owner. The site's rules,
 * limits and charges for the owner count.
 */
#ifndef RSPB_CTLD_KINDS_GROUP_H
#define RSPB_CTLD_KINDS_GROUP_H

#include <stddef.h>
#include <stdint.h>

#include "plugins/compat/resv.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/request/ask.h"

enum { RSPB_GROUP_NAME = 64 };

extern const struct rspb_kind rspb_kind_group;

/* --- request.c --- */

/* RET the owner's uid of a request without a job; 0: it is the site's, or of a
 * job. */
uint32_t rspb_reserved_owner(const struct rspb_request *request);
/* Set the owner (0: nothing is done) and what the rules need to know of him; resv: the reservation
 * that asks. */
void rspb_group_sign(struct rspb_request *request, const struct rspb_resv *resv, uint32_t owner);
/* The account that counts: the group's, or that which its owner has; "": none. */
void rspb_group_account(const struct rspb_resv *resv, uint32_t owner, char *account, size_t size);
/* The same of a request that was signed. */
void rspb_group_name(const struct rspb_request *request, char *account, size_t size);

/* --- group.c --- */

/* A reservation that a user asked for, by its name. */
struct rspb_group {
	uint32_t owner;
	uint32_t number;
	const struct rspb_booking *booking; /* NULL: it has none */
	struct rspb_contract contract;
};
/* With the read lock. RET false: there is none of that name. */
bool rspb_group_find(const char *name, int64_t now, struct rspb_group *out);
/* Call fn for each that has no booking, until it returns non-zero. RET that. */
int rspb_group_each_asked(int64_t now,
			  int (*fn)(const struct rspb_resv *resv,
				    const struct rspb_contract *contract, void *arg),
			  void *arg);
/* A request of a contract, in a view that is no reservation yet: whether the site
 * would take it at all. Wants the read lock; the caller destroys *ask either
 * way. RET 0, or -1 with err. */
int rspb_group_check(const struct rspb_resv *view, uint32_t owner, const struct rspb_config *config,
		     int64_t now, struct rspb_ask *ask, struct rspb_err *err);
/* With the write lock: ask, by a reservation of a new name; spec: users or accounts,
 * times, partition, features. RET 0, or -1 with err. */
int rspb_group_ask(struct rspb_resv_spec *spec, const struct rspb_contract *contract, int64_t now,
		   char name[RSPB_GROUP_NAME], struct rspb_err *err);
/* Likewise: one without a booking asks anew. */
int rspb_group_again(const char *name, struct rspb_contract *contract, struct rspb_err *err);
/* Likewise: its booking, if it has one, ends, and the reservation goes, as uid
 * wants. what: what its owner should know of that, "". RET 0, or -1 with err. */
int rspb_group_end(const char *name, uint32_t uid, const struct rspb_config *config, int64_t now,
		   char *what, size_t size, struct rspb_err *err);

#endif
