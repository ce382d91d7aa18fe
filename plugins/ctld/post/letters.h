/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells owners of bookings by mail, and the site's program about every owner: once, as soon as the
 * news is durable. For the agent. */
#ifndef RSPB_CTLD_POST_LETTERS_H
#define RSPB_CTLD_POST_LETTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "common/wire/flags.h"
#include "plugins/compat/job.h"
#include "plugins/ctld/post/event.h"
#include "plugins/ctld/post/outbox.h"

void rspb_letters_configure(const struct rspb_config *config);
/* Whether anybody would get letters about that job. */
bool rspb_letters_wanted(const struct rspb_job *job);
/* The recipient of a letter and its subject. */
struct rspb_reader {
	uint32_t key;	      /* no two alike: a job's number, or one that none has */
	uint32_t array, task; /* whose task the job is, and which; 0: of none */
	const char *name;     /* of a reservation, NULL: it is a job */
	const char *title;    /* of a job, as its owner calls it; NULL: not at all */
	uint32_t uid;
	bool begin, end, fail; /* by mail */
	const char *to;	       /* of a job, NULL: no mail; of others it is to the owner */
};
/* With a lock: write the letter, if any, that a change of a contract calls for. */
void rspb_letters_tell(const struct rspb_reader *reader, const struct rspb_contract *before,
		       const struct rspb_contract *now);
/* Likewise, but the caller names the event. */
void rspb_letters_write(const struct rspb_reader *reader, enum rspb_letter_event event,
			const struct rspb_contract *contract, int64_t now);
/* Whether a reminder of this start, or that it is firm until this end, was written. */
bool rspb_letters_written(const struct rspb_reader *reader, enum rspb_letter_event event,
			  const struct rspb_contract *contract);
struct rspb_reader rspb_letters_reader(const struct rspb_job *job);
/* RET the reader for a booking without a job: what its reservation says, or is about to say. */
struct rspb_reader rspb_letters_resv(const char *name, uint32_t number,
				     const struct rspb_contract *contract);
/* With a lock: a job's contract has changed. */
void rspb_letters_contract(const struct rspb_job *job, const struct rspb_contract *before);
/* After a start of slurmctld: the same, unless a notice to its owner is known. The former
 * one may have been killed after the decision and before that was noted. */
void rspb_letters_again(const struct rspb_job *job, const struct rspb_contract *before);
/* Every second at least, and with no lock: send what was written. */
void rspb_letters_run(int64_t now);

#endif
