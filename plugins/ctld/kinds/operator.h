/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RSPB_CTLD_KINDS_OPERATOR_H
#define RSPB_CTLD_KINDS_OPERATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "common/wire/flags.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/request/ask.h"

/* Operators' requests come before users' bookings, as in Slurm itself: as high
 * as a job's priority can be. */
#define RSPB_OPERATOR_PRIORITY ((int64_t) UINT32_MAX)
enum { RSPB_OPERATOR_NAME = 256 };

/* --- request.c: what a reservation is by now --- */

/* A reservation as it was when it was asked about. */
struct rspb_resv_seen {
	uint32_t id;
	int64_t start, end;
	char name[RSPB_OPERATOR_NAME];
	char tag[RSPB_TAG_TEXT];
};

/* RET false: its name or text is too long to be one of ours. */
bool rspb_operator_snap(const struct rspb_resv *resv, struct rspb_resv_seen *out);
/* Whether it is still the same. */
bool rspb_operator_same(const struct rspb_resv_seen *seen, const struct rspb_resv *resv);
/* Whether it carries a tag; reservations of jobs and the waiting room have
 * texts of ours, too, and are not meant. */
bool rspb_operator_meant(const struct rspb_resv *resv);
/* The action for a reservation that is meant for us, or for a booking. */
enum rspb_operator_verdict {
	RSPB_OPERATOR_KEEP,
	RSPB_OPERATOR_WAITS,   /* a request */
	RSPB_OPERATOR_CHANGED, /* is no longer as it was booked */
	RSPB_OPERATOR_ADOPT,   /* says that it is booked, the ledger does not */
	RSPB_OPERATOR_ODD,     /* a request that can be none */
	RSPB_OPERATOR_GONE,    /* deleted, or its tag was */
	RSPB_OPERATOR_OVER     /* its window has passed */
};
/* The booking: that of the reservation (NULL: none). Neither is KEEP. */
enum rspb_operator_verdict rspb_operator_judge(const struct rspb_resv *resv,
					       const struct rspb_booking *booking, int64_t now);

/* --- request.c: what a reservation asks for --- */

/*
 * The request that a reservation makes, by its tag, or by its contract when it
 * has been answered before. Wants the read lock. RET 0, or -1 with a sentence
 * in err; the caller destroys *out, if any, either way.
 */
int rspb_operator_request(const struct rspb_resv *resv, uint32_t width,
			  const struct rspb_config *config, int64_t now, struct rspb_request **out,
			  struct rspb_err *err);
/* A request is called as its reservation, also when that is deleted; a name that is too long
 * is left out. */
void rspb_operator_name(struct rspb_request *request, const struct rspb_resv *resv);
/* RET whether its text can be read, with what it asks for, or did before it was answered;
 * the deadline is not. */
bool rspb_operator_asked(const char *text, struct rspb_contract *asked);
/* Look again which nodes a part may have, in the reservation's partition. RET
 * 0, or -1 with err. */
int rspb_operator_refresh(const struct rspb_resv *resv, uint32_t width, struct rspb_part *part,
			  struct rspb_err *err);

/* --- answer.c: what becomes of the reservation; wants the write lock --- */

/* Make a reservation what its booking says. */
int rspb_operator_place(const char *name, const struct rspb_booking *booking, struct rspb_err *err);
/* A reservation without a booking stays an ordinary one, and says so. The
 * contract says what was asked for; its state and reason are filled in. */
void rspb_operator_decline(const char *name, struct rspb_contract *contract, const char *reason);
/* Log a change of a reservation (Audit=yes). owner: its owner's uid, 0: an operator's, of whom
 * Slurm tells no plugin who it was. text: what was done, or why not. */
void rspb_operator_audit(const char *action, const char *name, uint32_t owner, bool done,
			 const char *text);
/* Something has happened to a booking; its reservation says so. */
void rspb_operator_event(const struct rspb_booking *booking, enum rspb_event event, int64_t now,
			 const char *reason);
/* Members of struct rspb_kind. */
bool rspb_operator_waits(const struct rspb_ask *ask);
int rspb_operator_commit(const struct rspb_ask *ask, const struct rspb_booking *booking,
			 const struct rspb_config *config, struct rspb_err *err);
bool rspb_operator_refuse(const struct rspb_ask *ask, const char *reason,
			  const struct rspb_config *config);
int rspb_operator_start(const struct rspb_booking *booking, int64_t now, struct rspb_err *err);
void rspb_operator_tell(uint64_t id, const char *text);
int rspb_operator_mirror(const struct rspb_ask *ask, const struct rspb_booking *booking, bool moved,
			 const struct rspb_config *config, int64_t now, struct rspb_err *err);

/* --- promise.c: the journal; wants the read lock --- */

/* Write what a reservation says of a booking into text[RSPB_CONTRACT_TEXT]. */
void rspb_operator_text(const struct rspb_booking *booking, char *text);
/* The same with the nodes by name, which the reservation does without. RET them
 * where they are too many for the text, the caller frees them; else NULL. */
char *rspb_operator_text_with_nodes(const struct rspb_booking *booking, char *text);
/* Note how a booking of the ledger is by now. */
void rspb_operator_note(uint64_t id);
/* Note that a reservation was deleted which had no booking. */
void rspb_operator_note_cancel(uint32_t number, const char *name);
/* Members of struct rspb_kind. */
void rspb_operator_promise(const struct rspb_ask *ask, const struct rspb_booking *booking);

/* --- change.c; it takes locks --- */

/* A booking is not any more as its reservation: decide which follows which. */
void rspb_operator_change(uint32_t reservation, const struct rspb_config *config, int64_t now);

/* Members of struct rspb_kind that all bookings without a job share; Slurm itself starts what waits
 * in them. */
#define RSPB_OPERATOR_ROWS                                                                         \
	.waits = rspb_operator_waits, .promise = rspb_operator_promise,                            \
	.commit = rspb_operator_commit, .refuse = rspb_operator_refuse,                            \
	.start = rspb_operator_start, .mirror = rspb_operator_mirror, .tell = rspb_operator_tell

/*
 * Bookings without a job that users ask for, for the jobs of a group: users or
 * accounts that they name. Such a request is a reservation as of an operator's
 * request, made by us, whose text is a contract with an owner. The site's rules,
 * limits and charges for the owner count.
 */

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
