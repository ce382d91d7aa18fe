/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A schedule that is looked through: what was read of it, and its faults. */
#ifndef RSPB_SIM_CHECK_READ_H
#define RSPB_SIM_CHECK_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/base/err.h"
#include "common/request/booking.h"
#include "contrib/sim/replay/sums.h"

/* A share that lies on a node until then, of a part that is kept. */
struct check_guest {
	int64_t end, share;
	const struct rspb_part *part;
};

struct check_node {
	int64_t capacity;
	int64_t busy; /* held whole until then, by ... */
	uint64_t by;
	struct check_guest *guests; /* owned */
	size_t n, room;
};

/* The amount of a kind on each node. */
struct check_kind {
	uint64_t key;
	int64_t *of; /* owned, by node */
};

/* A booking that has nodes until it ends, which may be before its window does. */
struct check_kept {
	struct rspb_booking *booking; /* owned */
	int64_t ended;
	bool regular; /* of a job that books nothing: not a result */
};

struct check {
	uint32_t width;
	struct check_kind *kinds; /* owned */
	size_t n_kinds;
	struct check_node *nodes; /* owned */
	bool shares;
	struct check_kept *kept; /* owned */
	size_t n_kept, kept_room, n_lost, n_regular;
	struct rspb_booking **declined; /* owned */
	size_t n_declined, declined_room;
	char *promised; /* owned, by id: 'b'ooked, 'd'eclined, 'k'ept */
	size_t promised_room;
	size_t requests, faults;
	int64_t cores;	      /* of each node of the booking that was read last, 0: not stated */
	struct sim_sums sums; /* of the requests, in the order of the lines */
	FILE *told;	      /* where faults are reported */
};

/* Read a file: machine, promises and what was kept, and add it up. RET 0 or -1 with err. */
int check_read(struct check *check, const char *file, struct rspb_err *err);
/* Print a row for each request, in CSV or JSON, by id. RET 0 or -1 with err. */
int check_print_requests(const struct check *check, bool json, struct rspb_err *err);
/* Print how many nodes are in use, from when on. RET as above. */
int check_print_use(const struct check *check, bool json, struct rspb_err *err);
/* Print the document that `rspb timeline --read` draws; began: when time 0 was, seconds since
 * 1970. RET as above. */
int check_print_timeline(const struct check *check, int64_t began, struct rspb_err *err);
/* RET the nodes of a booking, without its links, a share as the part of a node that it is. */
double check_granted(const struct check *check, const struct rspb_booking *booking);
/* Count a fault of a request, and tell it if it is one of the first ten. */
void check_complain(struct check *check, uint64_t id, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
