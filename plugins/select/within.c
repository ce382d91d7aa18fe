/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs in a reservation of cores that is a booking have of its nodes what it keeps, no
 * more. Whose the cores are Slurm itself looks after. */
#include "plugins/select/within.h"

#include <stdlib.h>
#include <string.h>

#include "common/wire/flags.h"
#include "plugins/compat/job.h"
#include "plugins/compat/parts/cores.h"
#include "plugins/compat/parts/cores_call.h"
#include "plugins/compat/parts/devices.h"
#include "plugins/ctld/book/placed.h"

struct within {
	const char *reservation;
	struct rspb_quotas has;		 /* of each of its nodes */
	struct rspb_quotas takes;	 /* the job, likewise */
	struct rspb_nodeset *nodes, *of; /* that are offered; of another job */
	int64_t *used; /* by those that are in it: of each node, of each of takes */
};

static int note(const struct rspb_job *job, void *arg)
{
	struct within *w = arg;

	if (!job->reservation || strcmp(job->reservation, w->reservation) != 0)
		return 0;
	rspb_nodeset_clear(w->of);
	rspb_job_nodes(job, w->of);
	rspb_nodeset_and(w->of, w->nodes);
	RSPB_NODESET_EACH (n, w->of) {
		struct rspb_quotas has = { .n = 0 };

		rspb_cores_used(job, n, &has);
		for (size_t i = 0; i < w->takes.n; i++)
			w->used[n * w->takes.n + i] += rspb_devices_of(&has, w->takes.items[i].key);
		free(has.items);
	}
	return 0;
}

static bool fits(const struct within *w, uint32_t n)
{
	for (size_t i = 0; i < w->takes.n; i++) {
		const struct rspb_quota *take = &w->takes.items[i];

		if (take->per_node > 0 && w->used[n * w->takes.n + i] + take->per_node >
						  rspb_devices_of(&w->has, take->key))
			return false;
	}
	return true;
}

static void restrict_to(struct within *w, const struct rspb_select_call *call)
{
	rspb_select_call_take(call, w->nodes);
	rspb_placed_each(note, w);
	RSPB_NODESET_EACH (n, w->nodes)
		if (!fits(w, n))
			rspb_nodeset_remove(w->nodes, n);
	rspb_select_call_put(call, w->nodes);
}

void rspb_within_restrict(const struct rspb_select_call *call)
{
	uint32_t width = rspb_select_call_width(call);
	struct within w = { .reservation = rspb_select_call_reservation(call) };
	struct rspb_contract contract;
	bool nodes;
	const char *tag = rspb_select_call_tag(call, &nodes);

	if (!tag || rspb_resv_ours(w.reservation) || rspb_contract_parse(tag, &contract, NULL) ||
	    !contract.cores)
		return;
	rspb_devices_kept(contract.mem, contract.gres, &w.has);
	rspb_cores_call_takes(call, &w.takes);
	w.nodes = rspb_nodeset_create(width);
	w.of = rspb_nodeset_create(width);
	w.used = calloc((size_t) width * w.takes.n + 1, sizeof(*w.used));
	if (w.nodes && w.of && w.used && !w.has.short_of_memory && !w.takes.short_of_memory)
		restrict_to(&w, call);
	rspb_nodeset_destroy(w.nodes);
	rspb_nodeset_destroy(w.of);
	free(w.used);
	free(w.has.items);
	free(w.takes.items);
}
