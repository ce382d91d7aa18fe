/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads what a message asks for: one JSON object, of which each member is known and of its kind
 * (doc/protocol.md). */
#ifndef RSPB_CTLD_SERVE_INQUIRY_H
#define RSPB_CTLD_SERVE_INQUIRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/wire/flags.h"

enum {
	RSPB_PROTOCOL = 1,
	RSPB_ASK_TAG = 64,
	RSPB_ASK_NAME = RSPB_TERMS_NAME,
	RSPB_ASK_LIST_TEXT = RSPB_TERMS_LIST,
	RSPB_ASK_JOBS = 366 /* of a series, a year of days */
};

enum rspb_inquiry_op {
	RSPB_ASK_PING,
	RSPB_ASK_LIST,
	RSPB_ASK_SHOW,
	RSPB_ASK_CALENDAR,
	RSPB_ASK_SLOTS,
	RSPB_ASK_RESERVE,
	RSPB_ASK_MODIFY,
	RSPB_ASK_RELEASE,
	RSPB_ASK_OFFERS,
	RSPB_ASK_STATS,
	RSPB_ASK_SETTINGS,
	RSPB_ASK_LIMITS,
	RSPB_N_ASKS
};

struct rspb_inquiry {
	enum rspb_inquiry_op op;
	char tag[RSPB_ASK_TAG]; /* is repeated in the answer */
	int64_t version;
	int64_t job;   /* 0: none */
	int64_t first; /* of a list: what comes before was read already */
	int64_t most;  /* answers about what could be booked */
	int64_t days;  /* of the calendar that are summed up */
	bool exact;    /* that, and no less of it */
	int64_t hold;  /* seconds, 0: for good */
	/* In place of one job several, all or none, and by how many seconds each
	 * is to begin later, 0: it stays. */
	struct rspb_inquiry_jobs {
		uint32_t n, ids[RSPB_ASK_JOBS];
	} jobs;
	int64_t moved;
	/* The start, end and nodes that a booking is expected to have; it is not changed
	 * if it has others. 0: any value will do. */
	struct rspb_inquiry_expect {
		bool said;
		int64_t start, end, nodes;
	} expect;
	int64_t seen; /* the serial of an answer that the requester has; 0: none */
	int64_t uid;  /* whose it is to be, 0: as it is */
	/* The terms that are asked for, and the sentence about the first flag of sbatch that cannot
	 * be read; "": all can. The CPUs are those of each node. */
	struct rspb_terms terms;
	struct rspb_err wrong;
	char partition[RSPB_ASK_NAME]; /* "": the default one */
	char features[RSPB_ASK_NAME];
	bool has_features; /* they are named, "": none */
	char account[RSPB_ASK_TAG], qos[RSPB_ASK_TAG];
	/* In place of a job: a booking without one, by its name. */
	char reservation[RSPB_ASK_NAME];
	/* For a booking without a job: its users or accounts. */
	char users[RSPB_ASK_LIST_TEXT], accounts[RSPB_ASK_LIST_TEXT];
	/* When its owner is mailed, as --mail-type has it. */
	char mail[RSPB_ASK_TAG];
	bool all;   /* not just one's own */
	bool ended; /* also those that are over */
};

/* RET 0, or -1 with err, and *out as far as it could be read. */
int rspb_inquiry_read(const char *text, size_t len, struct rspb_inquiry *out, struct rspb_err *err);

#endif
