/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Figures of the M/M/c queue, by which a pool of c resources is compared with
 * single ones. They only report, hence floating point.
 *
 * Source: Wu and Luo, section 4, formulas 1 and 2; C(c, a) by Erlang's
 * delay formula, since formula 3 as printed is no probability.
 */
#ifndef RSPB_PAPERS_QUEUEING_H
#define RSPB_PAPERS_QUEUEING_H

#include <stdint.h>

/* Probability that an arrival waits: c > 0 servers, load a >= 0 in servers. 1
 * when a >= c. */
double rspb_queueing_wait_chance(int64_t c, double a);
/* Mean wait of an arrival, mu > 0 jobs per server and time unit; infinite when
 * a >= c. */
double rspb_queueing_wait(int64_t c, double a, double mu);

#endif
