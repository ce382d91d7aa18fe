/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/replay/batches.h"

#include <stdlib.h>

/* The first event after now, events being `step` apart. */
static int64_t next_due(int64_t due, int64_t step, int64_t now)
{
	return due + ((now - due) / step + 1) * step;
}

int sim_batches(const struct sim_arrival *arrivals, size_t n, int64_t t0, int64_t interval,
		sim_batch_fn fn, void *arg, struct rspb_err *err)
{
	size_t *list = malloc((n + 1) * sizeof(*list)), waiting = 0;
	int64_t due = t0 + interval;
	int rc = list ? 0 : rspb_fail(err, "out of memory");

	for (size_t i = 0; !rc && i < n; i++) {
		const struct sim_arrival *next = &arrivals[i];

		if (interval > 0 && due <= next->time) {
			if (waiting)
				rc = fn(list, waiting, due, arg, err);
			waiting = 0;
			due = next_due(due, interval, next->time);
		}
		list[waiting++] = next->request;
		if (rc || (interval > 0 && next->ready >= due))
			continue;
		rc = fn(list, waiting, next->time, arg, err);
		waiting = 0;
		due = next->time + interval;
	}
	if (!rc && waiting)
		rc = fn(list, waiting, due, arg, err);
	free(list);
	return rc;
}
