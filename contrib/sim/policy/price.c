/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/policy/price.h"

#include <stdlib.h>

#include "contrib/sim/policy/steps.h"

enum { USUAL_PRIORITY = 50, WHOLE = 10000, MOST_WORK = 1 << 30 };

/* RET the least CPU time of a request in seconds of a CPU, 0: it asks for whole
 * nodes. */
static int64_t work_of(const struct rspb_request *request)
{
	int64_t shares = 0;

	for (uint32_t i = 0; i < request->n_parts; i++) {
		if (!request->parts[i].share)
			return 0;
		shares = rspb_part_add_cpu(&request->parts[i], rspb_part_least(request, i), shares);
	}
	return (int64_t) ((__int128) shares * request->duration / RSPB_SHARE_WHOLE) + 1;
}

/* RET the mean of what the ledger holds, 0: nothing. */
static int64_t mean_work(const struct rspb_ledger *ledger)
{
	int64_t n = 0, sum = 0;

	for (size_t i = 0; i < rspb_ledger_count(ledger); i++) {
		int64_t work = work_of(rspb_ledger_at(ledger, i)->request);

		n += work > 0;
		sum += work < MOST_WORK ? work : MOST_WORK;
	}
	return n ? sum / n : 0;
}

/* RET what of all shares is booked in the window, in 1/WHOLE; -1 with err. */
static int64_t load_of(const struct rspb_ledger *ledger, const struct rspb_request *request,
		       struct rspb_err *err)
{
	const struct rspb_shares *shares = rspb_ledger_shares(ledger);
	int64_t end = request->ready + request->duration;
	__int128 booked = 0, all = 0;
	int64_t *loads;

	if (!shares)
		return 0;
	loads = calloc(rspb_ledger_nodes(ledger), sizeof(*loads));
	if (!loads)
		return rspb_fail(err, "out of memory");
	if (rspb_shares_loads(shares, request->ready, end, loads, err)) {
		free(loads);
		return -1;
	}
	for (uint32_t m = 0; m < rspb_ledger_nodes(ledger); m++) {
		booked += loads[m];
		all += (__int128) rspb_shares_capacity(shares, m) * request->duration;
	}
	free(loads);
	return all > 0 ? (int64_t) (booked * WHOLE / all) : 0;
}

int rspb_price_met(const struct rspb_ledger *ledger, const struct rspb_policy *policy,
		   const struct rspb_request *request, struct rspb_err *err)
{
	int64_t work = work_of(request), mean = work ? mean_work(ledger) : 0;
	int64_t load = mean ? load_of(ledger, request, err) : 0;
	__int128 pays = request->priority < WHOLE ? request->priority : WHOLE;
	__int128 costs = (__int128) sim_steps_of(policy)->price * load / 100;

	if (load <= 0)
		return load < 0 ? -1 : 1;
	if (work > MOST_WORK)
		work = MOST_WORK;
	/* Both sides squared. */
	pays = pays * WHOLE / USUAL_PRIORITY;
	return pays * pays * mean >= costs * costs * work;
}
