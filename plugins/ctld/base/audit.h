/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines in slurmctld's log that name who changed a booking and from where (Audit=yes). */
#ifndef RSPB_CTLD_BASE_AUDIT_H
#define RSPB_CTLD_BASE_AUDIT_H

#include <stdbool.h>
#include <stdint.h>

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
