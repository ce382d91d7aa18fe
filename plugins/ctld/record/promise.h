/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps what users have been told, one promise for each job (each component of a heterogeneous one)
 * and each reservation of an operator: the contract as it stands in Slurm's record, with what tells
 * that record from another one of its number. The last one of a key counts. Slurm gives a
 * reservation's number to another one where its file was older, or they were too many: the name is
 * in the key. */
#ifndef RSPB_CTLD_RECORD_PROMISE_H
#define RSPB_CTLD_RECORD_PROMISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "plugins/compat/parts/needs.h"

struct rspb_promise {
	/* A job's id, or as of rspb_promise_resv(). */
	uint64_t key;
	uint32_t leader, user; /* of a job */
	int64_t submitted;     /* likewise */
	int64_t at;	       /* second in which it was said */
	bool ended;	       /* the job, not only its booking, is over */
	/* A damaged line follows it in the file, which may have replaced it. */
	bool doubted;
	/* A hash of the contract that it replaced, as Slurm's record has it; 0: of none. */
	uint64_t former;
	/* For a job, as Slurm has it: what its owner may change together with the booking. 0: not
	 * known, or not given. */
	int64_t limit; /* seconds */
	uint32_t tasks, cpus;
	/* For a reservation, owned; otherwise NULL. All but the name may be NULL where it names
	 * none. */
	char *name, *users, *accounts, *partition;
	char *features; /* of either, owned; NULL: any */
	char *needs;	/* of a job whose size was changed, owned; NULL: as it asked */
	/* Its nodes by name, owned, where they are too many for the contract to
	 * name them; else NULL. */
	char *nodes;
	char *contract; /* owned */
};

/* The key of a reservation, by its number and name; RET that of a promise, 0: it is a
 * job's. */
uint64_t rspb_promise_resv(uint32_t number, const char *name);
uint32_t rspb_promise_number(const struct rspb_promise *promise);

/* Have it ask for these features, or see whether it does; NULL or "": any. They are
 * not copied. */
void rspb_promise_ask(struct rspb_promise *promise, const char *features);
bool rspb_promise_asks(const struct rspb_promise *promise, const char *features);

/* Its nodes by name; on: those that its contract names. */
const char *rspb_promise_nodes(const struct rspb_promise *promise, const char *on);

/* Whether its booking is over, or its job. */
bool rspb_promise_over(const struct rspb_promise *promise);

/* A table for one thread. */
void rspb_promises_reset(void);
size_t rspb_promises_count(void);
/* RET the promise at i, by key; good until the next put or drop. */
const struct rspb_promise *rspb_promise_at(size_t i);
/* RET NULL: there is none. */
const struct rspb_promise *rspb_promise_find(uint64_t key);
/* RET the promise of the reservation with a number: the one that is not over, or was noted last. */
const struct rspb_promise *rspb_promise_find_resv(uint32_t number);
/* Whether a text of Slurm's record is the contract that it replaced: the record is older. */
bool rspb_promise_replaced(const struct rspb_promise *promise, const char *text);
/* Whether the same stands in the table, apart from `at`, `doubted` and `former`. */
bool rspb_promise_stands(const struct rspb_promise *promise);
/* Copied, with `former` taken from the promise that it replaces. RET 0, or -1: out of memory. */
int rspb_promise_put(const struct rspb_promise *promise);
void rspb_promise_drop(uint64_t key);
/* Mark all that are in the table as doubted. */
void rspb_promises_doubt(void);

/* RET its object, NULL: out of memory. */
struct json_object *rspb_promise_write(const struct rspb_promise *promise);
/* Read a promise from an object, which owns the texts. RET false: it is none. */
bool rspb_promise_read(struct json_object *object, struct rspb_promise *out);

/* The text of a promise's needs, without spaces but between members, and back. */
enum { RSPB_NEEDS_TEXT = 640 };
void rspb_needs_print(const struct rspb_needs *needs, char text[RSPB_NEEDS_TEXT]);
/* RET false: it is none. */
bool rspb_needs_parse(const char *text, struct rspb_needs *out);

#endif
