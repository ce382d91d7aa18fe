/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes jobs of the tasks of arrays that wait for a booking. What becomes of each of
 * these intake.c and others see to, who know of no arrays. */
#include "plugins/ctld/asking/divide.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/wire/flags.h"
#include "plugins/compat/resv.h"
#include "plugins/compat/submit/tasks.h"
#include "plugins/ctld/asking/changed.h"
#include "plugins/ctld/base/breath.h"
#include "plugins/ctld/base/saver.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/mirror/contract.h"

struct arrays {
	uint32_t *ids;
	size_t n, room;
};

bool rspb_divide_due(const struct rspb_job *job)
{
	return job->undivided && job->phase == RSPB_JOB_PENDING && job->priority &&
	       job->reservation && !strcmp(job->reservation, RSPB_WAITING_ROOM) &&
	       rspb_contract_says(job->contract, RSPB_REQUESTED);
}

static int add(const struct rspb_job *job, void *arg)
{
	struct arrays *all = arg;

	if (!rspb_divide_due(job))
		return 0;
	if (rspb_array_grow(&all->ids, &all->room, all->n + 1, sizeof(*all->ids)))
		return -1;
	all->ids[all->n++] = job->id;
	return 0;
}

/* All tasks have the contract that stands in the record they come from. */
static void make_series(uint32_t id)
{
	struct rspb_contract contract;
	struct rspb_job job;

	if (!rspb_contract_read(id, &job, &contract) || contract.flags.series[0])
		return;
	snprintf(contract.flags.series, sizeof(contract.flags.series), RSPB_ARRAY_PREFIX "%" PRIu32,
		 id);
	rspb_contract_write(id, &contract, NULL);
}

/* RET false: slurmctld goes down. */
static bool divide(uint32_t id)
{
	struct rspb_section section;
	struct rspb_job job;
	struct rspb_err err;
	int left;

	do {
		rspb_breathe();
		if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "tasks"))
			return false;
		left = rspb_job_find(id, &job) && rspb_divide_due(&job);
		if (left)
			make_series(id);
		while (left > 0 && !rspb_section_spent(&section)) {
			left = rspb_job_divide(id, &err);
			section.items++;
		}
		rspb_section_leave(&section);
	} while (left > 0);
	if (left < 0)
		rspb_log_error("%s", err.text);
	return true;
}

bool rspb_divide_arrays(void)
{
	struct rspb_section section;
	struct arrays all = { .n = 0 };
	bool any;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "arrays"))
		return false;
	rspb_changed_asking(add, &all);
	rspb_section_leave(&section);
	for (size_t i = 0; i < all.n && divide(all.ids[i]); i++)
		;
	any = all.n;
	/* They were submitted before, and Slurm's files don't have them. */
	if (any)
		rspb_saver_outdated();
	free(all.ids);
	return any;
}
