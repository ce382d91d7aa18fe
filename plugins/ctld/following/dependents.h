/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bookings of jobs that wait for others: they move behind what they wait for, and
 * are given up when that has ended in a way that never lets them go. */
#ifndef RSPB_CTLD_FOLLOWING_DEPENDENTS_H
#define RSPB_CTLD_FOLLOWING_DEPENDENTS_H

#include <stdint.h>

/* Anything may have changed: the next run looks at them. */
void rspb_dependents_expect(void);
/* Agent, every second; takes locks. To move one is a plan, so that it is not done
 * where starts wait, and what is urgent comes between any two of them. */
void rspb_dependents_run(int64_t now);
/* The ledger is built anew. */
void rspb_dependents_reset(void);

#endif
