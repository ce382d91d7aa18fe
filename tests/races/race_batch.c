/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Those who submit ask whether the agent is to be woken, while it begins intervals
 * and ends them. */
#include "plugins/ctld/decide/batch.h"

#include <stdatomic.h>
#include <time.h>

#include "common/ledger/ledger.h"
#include "plugins/compat/ctld.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/decide/basis.h"
#include "plugins/ctld/decide/state.h"
#include "plugins/ctld/request/ask.h"
#include "plugins/ctld/request/users.h"
#include "tests/races/races.h"

enum { ROUNDS = 3000, INTERVAL_S = 60 };
#define FAR_S (INT64_C(1) << 40)

static struct rspb_ledger *ledger;
static atomic_int submitting = 3;
/* Of the agent alone. */
static int64_t waiting;
static int collected;

NEVER(rspb_ask_fini)
NEVER(rspb_published_set)
NEVER(rspb_book_table)
NEVER(rspb_again_decide)
NEVER(rspb_dense_decide)
NEVER(rspb_recount_decide)
NEVER(rspb_commit_batch)
NEVER(rspb_commit_foresee)
NEVER(rspb_decide)
NEVER(rspb_decide_forget)
NEVER(rspb_holds_add)
NEVER(rspb_kind_of)
NEVER(rspb_tally_time)
NEVER(rspb_limits_check)
NEVER(rspb_limits_settings)
NEVER(rspb_log)
NEVER(rspb_offer_suits_fini)
NEVER(rspb_offer_suits_init)
NEVER(rspb_preempt_decide)
NEVER(rspb_users_known)
NEVER(rspb_users_soon)
NEVER(rspb_others_change)
NEVER(rspb_resume_block)
NEVER(rspb_silent_hold)

int64_t rspb_ctld_changed(unsigned int what)
{
	(void) what;
	return INT64_MAX;
}

int64_t rspb_section_clock_us(void)
{
	return 0;
}

const struct rspb_ledger *rspb_book_ledger(void)
{
	return ledger;
}

uint64_t rspb_book_version(void)
{
	return 0;
}

struct rspb_ledger *rspb_basis_make(const struct rspb_config *config, int64_t now)
{
	(void) config;
	(void) now;
	return NULL;
}

bool rspb_silent_wait(int64_t now_ms)
{
	(void) now_ms;
	return false;
}

int64_t rspb_sources_waiting(int64_t *earliest)
{
	*earliest = FAR_S;
	return waiting;
}

/* They have been withdrawn meanwhile. */
int rspb_sources_collect(uint32_t width, const struct rspb_config *config, int64_t now,
			 struct rspb_asks *asks, struct rspb_err *err)
{
	(void) config;
	(void) now;
	(void) asks;
	(void) err;
	MUST(width == 1);
	collected++;
	return 0;
}

void rspb_asks_fini(struct rspb_asks *asks)
{
	MUST(!asks->n);
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

static void submit(unsigned int part)
{
	(void) part;
	for (int64_t i = 0; i < ROUNDS; i++)
		rspb_batch_announce(now_ms() / 1000 + i % 3);
	submitting--;
}

static void agent(unsigned int part)
{
	const struct rspb_config config = { .batch_interval_ms = 1 };

	(void) part;
	do {
		waiting = (waiting + 1) % 3;
		rspb_batch_look(&config, now_ms());
		MUST(!rspb_batch_run(&config, now_ms() + 1));
		MUST(rspb_batch_due() > 0);
	} while (submitting);
}

int main(void)
{
	const struct rspb_config config = { .batch_interval_ms = INTERVAL_S * 1000 };
	int64_t now;

	ledger = rspb_ledger_create(1, NULL, 0);
	MUST(ledger);
	RACE(submit, submit, submit, agent);
	MUST(collected);
	/* Expected: where nobody waits, and where the interval ends too late. */
	rspb_batch->due = rspb_batch->look = INT64_MAX;
	rspb_batch->gathered = true;
	now = now_ms();
	waiting = 0;
	rspb_batch_look(&config, now);
	MUST(rspb_batch_announce(now / 1000 + 2 * INTERVAL_S));
	waiting = 2;
	rspb_batch_look(&config, now);
	MUST(!rspb_batch_announce(now / 1000 + 2 * INTERVAL_S));
	MUST(rspb_batch_announce(now / 1000 + INTERVAL_S / 2));
	rspb_ledger_destroy(ledger);
	return 0;
}
