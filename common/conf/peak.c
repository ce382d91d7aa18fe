/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/conf/peak.h"

#include <stdlib.h>

/* How full each node is by what is scarcest of it, where that is not its cores. used:
 * scratch. RET -1 with err. */
static int besides(const struct rspb_ledger *ledger, const struct rspb_booking *booking,
		   int64_t *used, double *part, struct rspb_err *err)
{
	size_t n_rooms;
	const struct rspb_room *rooms = rspb_ledger_rooms(ledger, &n_rooms);

	for (size_t i = 0; i < n_rooms; i++) {
		if (rooms[i].key == RSPB_ROOM_CPUS || rooms[i].key == RSPB_ROOM_CORES)
			continue;
		if (rspb_ledger_taken(ledger, rooms[i].key, booking->start, booking->end, used,
				      err))
			return -1;
		for (uint32_t n = 0; n < rspb_ledger_nodes(ledger); n++)
			if (rooms[i].of[n] && part[n] * rooms[i].of[n] < (double) used[n])
				part[n] = (double) used[n] / rooms[i].of[n];
	}
	return 0;
}

int rspb_peak_nodes(const struct rspb_ledger *ledger, const struct rspb_booking *booking,
		    double *most, double *own, struct rspb_err *err)
{
	const struct rspb_shares *shares = rspb_ledger_shares(ledger);
	uint32_t nodes = rspb_ledger_nodes(ledger), peak = 0, fewest = 0;
	bool parts = rspb_request_has_cores(booking->request);
	int64_t *used;
	double *part;
	int rc;

	*own = 0;
	for (uint32_t i = 0; i < booking->n_grants; i++) {
		const struct rspb_part *asked = &booking->request->parts[i];

		*own += asked->whole ? rspb_grant_nodes(asked, &booking->grants[i])
				     : rspb_nodeset_count(booking->grants[i].nodes);
	}
	if (rspb_profile_peak(parts ? rspb_ledger_whole(ledger) : rspb_ledger_profile(ledger),
			      booking->start, booking->end, &peak, &fewest, err))
		return -1;
	*most = peak;
	if (!parts || !shares)
		return 0;
	used = malloc((nodes + 1) * sizeof(*used));
	part = malloc((nodes + 1) * sizeof(*part));
	if (!used || !part || rspb_shares_peaks(shares, booking->start, booking->end, used, err)) {
		free(used);
		free(part);
		return rspb_fail(err, "out of memory");
	}
	for (uint32_t n = 0; n < nodes; n++)
		part[n] = used[n] ? (double) used[n] / (double) rspb_shares_capacity(shares, n) : 0;
	rc = besides(ledger, booking, used, part, err);
	for (uint32_t n = 0; n < nodes; n++)
		*most += part[n];
	free(used);
	free(part);
	return rc;
}
