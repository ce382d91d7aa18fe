/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's schedulers note jobs that wait, while the agent sees to those that are noted. */
#include <stdatomic.h>

#include "plugins/ctld/decide/basis.h"
#include "plugins/ctld/watch/watch.h"
#include "tests/races/races.h"

enum { NODES = 100, ROUNDS = 20000 };

static const struct rspb_config moves = { .policy.shift = 16 };
static atomic_int_fast64_t clock_us;
static atomic_bool over;

int64_t rspb_section_clock_us(void);
int64_t rspb_section_clock_us(void)
{
	return clock_us += 1000;
}

const struct rspb_config *rspb_settings_get(void);
const struct rspb_config *rspb_settings_get(void)
{
	return &moves;
}

void rspb_settings_policy(const struct rspb_config *config, struct rspb_policy *policy);
void rspb_settings_policy(const struct rspb_config *config, struct rspb_policy *policy)
{
	*policy = config->policy;
}

/* Nothing can be planned at the moment. */
struct rspb_ledger *rspb_basis_make(const struct rspb_config *config, int64_t now)
{
	(void) config;
	(void) now;
	return NULL;
}

NEVER(rspb_proposal_collect)
NEVER(rspb_propose)
NEVER(rspb_proposal_fini)
NEVER(rspb_log)

static void agent(unsigned int part)
{
	(void) part;
	for (int64_t now = 1; now <= ROUNDS; now++)
		rspb_aside_run(&moves, now);
	over = true;
	rspb_aside_reset();
}

static void scheduler(unsigned int part)
{
	struct rspb_nodeset *offered = rspb_nodeset_create(NODES);

	MUST(offered);
	rspb_nodeset_add(offered, part);
	for (uint64_t job = 1; !over; job++)
		rspb_aside_ask(job * 4 + part, 1, 60, offered);
	rspb_nodeset_destroy(offered);
}

int main(void)
{
	RACE(agent, scheduler, scheduler);
	rspb_aside_reset();
	return 0;
}
