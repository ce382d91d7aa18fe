/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes what users and operators see: contracts, reasons, lines in the log. */
#ifndef RSPB_CTLD_BASE_REPORT_H
#define RSPB_CTLD_BASE_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/text.h"
#include "common/request/booking.h"
#include "common/wire/flags.h"

/* --- report.c --- */

enum { RSPB_WINDOW_TEXT = 64 };

/* Reasons that more than one place gives, or knows again. */
#define RSPB_REASON_BY_OWNER	      "changed by its owner"
#define RSPB_REASON_BY_OPERATOR	      "changed by an operator"
#define RSPB_REASON_CHANGED(by_owner) ((by_owner) ? RSPB_REASON_BY_OWNER : RSPB_REASON_BY_OPERATOR)
#define RSPB_REASON_STAYS	      "stays as it was booked"

/* "Nov 24 09:00-11:00 CET", with seconds where they count, by that clock
 * (common/wire/texts.h); NULL: by the site's, which is not named, for the log. */
void rspb_report_window(int64_t start, int64_t end, const char *zone, char *buf, size_t size);
/* "2026-11-24T09:00:00Z to 2026-11-24T11:00:00Z": for who shows it by a clock of
 * his own. */
void rspb_report_times(int64_t start, int64_t end, char *buf, size_t size);
/* Write what would become of a request, in a line that goes on, by that clock; with at least
 * the read lock. */
void rspb_report_advice(const struct rspb_booking *booking, const char *zone, char *buf,
			size_t size);
/* The generic resources that a part with a grant has of each of its nodes, of which each has
 * those in `has`: "" for a share, all for whole nodes, else what the part asks for, with the
 * type that the nodes have. */
void rspb_report_gres(const struct rspb_part *part, const struct rspb_grant *grant, const char *has,
		      char *text, size_t size);
/* The generic resources that a part has of each of its nodes, as --gres takes them: of whole
 * nodes all that these have, if they have the same; else "". With at least the read lock. */
void rspb_report_devices(const struct rspb_booking *booking, uint32_t part, char *text,
			 size_t size);
/* The amounts that a part takes of a node. */
struct rspb_taken {
	uint32_t cores;
	int64_t memory; /* MiB */
	char gres[RSPB_CONTRACT_GRES];
};
/* Find what a part takes of one of its nodes, which has these generic resources. Nodes of a part
 * can give other amounts than most of them (part->odd). */
void rspb_report_taken(const struct rspb_part *part, const struct rspb_grant *grant, uint32_t node,
		       const char *has, struct rspb_taken *out);
/* Add the size of a booking: "4 nodes", "1 core, 2 GPUs (a100), 800 MiB of 1 node", "30% of the
 * CPUs of each of 4 nodes". For several parts only the total number of nodes is named. With at
 * least the read lock. */
void rspb_report_granted(const struct rspb_booking *booking, struct rspb_text *out);
/* The contract of one part of a booking, on top of what was asked. */
void rspb_report_contract(const struct rspb_booking *booking, uint32_t part,
			  struct rspb_contract *contract);
/* Into it the names of a part's nodes; with at least the read lock. RET these
 * names where they are too many for a contract, which then has none: the caller
 * frees them; else NULL. */
char *rspb_report_nodes(const struct rspb_booking *booking, uint32_t part,
			struct rspb_contract *contract);
/* RET the names of all nodes by their numbers, separated by commas, empty for a slot without a
 * node; the caller frees them. NULL: out of memory. With at least the read lock. */
char *rspb_report_all_names(void);
/* A line in the log about what was granted. */
void rspb_report_booked(const struct rspb_booking *booking, const char *user, const char *nodes);

/* --- audit.c --- */

/* Lines in slurmctld's log that name who changed a booking and from where (Audit=yes). */

/* Slurm does not tell plugins who it was. */
#define RSPB_AUDIT_UNKNOWN UINT32_MAX

struct rspb_audit {
	const char *action;	 /* one word: "book", "modify", "cancel" */
	uint32_t uid;		 /* of the requester */
	const char *from;	 /* its address or host, NULL or "": unknown */
	uint64_t job;		 /* 0: none */
	const char *reservation; /* in place of a job, NULL or "": none */
	bool done;		 /* else it was refused */
	const char *text;	 /* what was done, or why it was refused, NULL: nothing more */
};

/* Write the line if the site wants one. Control characters become '?', so that a user's text
 * stays within its line. Any thread, any locks. */
void rspb_audit_log(const struct rspb_audit *audit);

#endif
