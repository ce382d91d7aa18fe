/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which late bookings were tried in vain, and how often: to log it once in a
 * while, and not to be patient for ever. For the agent alone. */
#ifndef RSPB_CTLD_START_ATTEMPTS_H
#define RSPB_CTLD_START_ATTEMPTS_H

#include <stdbool.h>
#include <stdint.h>

struct rspb_attempt {
	uint64_t id;
	uint32_t count;
	bool refused; /* at last by Slurm, though its nodes are well */
	bool told;    /* its owner has been told why it waits */
};

void rspb_attempts_reset(void);
/* Count one more attempt for a booking. RET how many there are now. */
uint32_t rspb_attempt_count(uint64_t id);
/* How the last one failed; nothing when there was none. */
void rspb_attempt_refused(uint64_t id, bool refused);
/* Note that its owner is told why it waits. RET whether that is the first time. */
bool rspb_attempt_tell(uint64_t id);
/* RET NULL: none. Good until the next change. */
const struct rspb_attempt *rspb_attempt_find(uint64_t id);
void rspb_attempt_forget(uint64_t id);

#endif
