/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does urgent work between any two longer pieces of the agent's work: starts, and windows that
 * end. */
#ifndef RSPB_CTLD_BASE_BREATH_H
#define RSPB_CTLD_BASE_BREATH_H

/* Set the function for that work; it must be cheap when nothing is due. It may breathe itself.
 * NULL: nothing. */
void rspb_breath_use(void (*fn)(void));
/* The agent's thread, which holds no pointer into the ledger: do it now, unless
 * it holds locks. */
void rspb_breathe(void);

#endif
