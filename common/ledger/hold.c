/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What limits count besides the bookings. */
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/ledger/internal.h"

int rspb_ledger_set_cpus(struct rspb_ledger *ledger, const uint32_t *cpus)
{
	size_t size = ledger->nodes * sizeof(*cpus);
	uint32_t *copy = NULL;

	if (cpus && !(copy = malloc(size)))
		return -1;
	if (cpus)
		memcpy(copy, cpus, size);
	free(ledger->cpus);
	ledger->cpus = copy;
	return 0;
}

const uint32_t *rspb_ledger_cpus(const struct rspb_ledger *ledger)
{
	return ledger->cpus;
}

int rspb_ledger_hold(struct rspb_ledger *ledger, const struct rspb_hold *hold)
{
	if (rspb_array_grow(&ledger->holds, &ledger->size_holds,
			    ledger->n_holds + 1, sizeof(*ledger->holds)))
		return -1;
	ledger->holds[ledger->n_holds++] = *hold;
	return 0;
}

const struct rspb_hold *rspb_ledger_holds(const struct rspb_ledger *ledger,
					  size_t *n)
{
	*n = ledger->n_holds;
	return ledger->holds;
}
