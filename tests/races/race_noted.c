/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What others note for the agent while it goes through what was noted: updates of
 * jobs, shares that are to be others, what owners change by scontrol. */
#include <stdatomic.h>
#include <string.h>

#include "common/ledger/ledger.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job_edit.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/wake.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/decide/proposal.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/observe/changed.h"
#include "plugins/ctld/observe/following.h"
#include "plugins/ctld/request/users.h"
#include "plugins/ctld/serve/owners.h"
#include "tests/races/races.h"

enum { NOTERS = 3, ROUNDS = 3000, SHARE = 1 << 20, TICK_US = 10000 };

static struct rspb_ledger *ledger;
static atomic_int noting = NOTERS, noted, shares, owners;
/* Of the agent alone: what it has come to. */
static int seen_noted, seen_shares, seen_owners, compared;
static int64_t clock_us;

NEVER(rspb_admit_grant)
NEVER(rspb_admit_request)
NEVER(rspb_basis_make)
NEVER(rspb_book_advance)
NEVER(rspb_book_change)
NEVER(rspb_contract_read)
NEVER(rspb_contract_state)
NEVER(rspb_doubt_note)
NEVER(rspb_doubt_tell)
NEVER(rspb_durable_behind)
NEVER(rspb_durable_sync)
NEVER(rspb_intake_refresh)
NEVER(rspb_job_barred)
NEVER(rspb_job_eligible)
NEVER(rspb_job_make_so)
NEVER(rspb_job_nodes)
NEVER(rspb_job_would_start)
NEVER(rspb_kind_of)
NEVER(rspb_limits_settings)
NEVER(rspb_mirror_resv_find)
NEVER(rspb_node_width)
NEVER(rspb_node_kind_of)
NEVER(rspb_node_names)
NEVER(rspb_proposal_collect)
NEVER(rspb_propose)
NEVER(rspb_report_times)
NEVER(rspb_resv_make_so)

void rspb_log(enum rspb_log_level level, const char *fmt, ...)
{
	(void) fmt;
	MUST(level != RSPB_LOG_ERROR);
}

void rspb_breathe(void)
{
}

void rspb_proposal_fini(struct rspb_proposal *proposal)
{
	MUST(!proposal->n);
}

bool rspb_section_enter(struct rspb_section *section, enum rspb_lock kind, const char *what)
{
	(void) kind;
	(void) what;
	memset(section, 0, sizeof(*section));
	return true;
}

bool rspb_section_spent(const struct rspb_section *section)
{
	return section->items > 3;
}

void rspb_section_leave(struct rspb_section *section)
{
	(void) section;
}

int64_t rspb_section_clock_us(void)
{
	return clock_us += TICK_US;
}

const struct rspb_ledger *rspb_book_ledger(void)
{
	return ledger;
}

/* They are gone by now. */
bool rspb_job_find(uint32_t id, struct rspb_job *out)
{
	(void) out;
	*(id < SHARE ? &seen_noted : &seen_shares) += 1;
	return false;
}

uint32_t rspb_components(uint64_t id, uint32_t ids[RSPB_MAX_PARTS])
{
	(void) id;
	(void) ids;
	return 0;
}

struct rspb_ctld_counts rspb_ctld_counts(void)
{
	return (struct rspb_ctld_counts){ .cancels = 0 };
}

int64_t rspb_ctld_changed(unsigned int what)
{
	(void) what;
	return INT64_MAX;
}

unsigned int rspb_job_asks(const struct rspb_job_mark *mark)
{
	(void) mark;
	return 0;
}

int rspb_job_walk(rspb_job_mark_fn fn, bool (*rest)(void *arg), void *arg)
{
	const struct rspb_job_mark one = { .id = 1, .leader = 1 };

	(void) rest;
	return fn(&one, arg);
}

bool rspb_job_mark_find(uint32_t id, struct rspb_job_mark *out)
{
	compared++;
	*out = (struct rspb_job_mark){ .id = id, .leader = 1 };
	return true;
}

int rspb_job_marks_behind(uint32_t id, rspb_job_mark_fn fn, void *arg, size_t *all)
{
	(void) id;
	(void) fn;
	(void) arg;
	*all = 1;
	return 0;
}

void rspb_users_then(uint32_t user, int64_t now, struct rspb_task *task)
{
	(void) user;
	(void) now;
	rspb_task_post(task);
}

/* Every other one is refused. */
void rspb_work_audit(const struct rspb_work *work)
{
	(void) work;
}

void rspb_change_modify(struct rspb_work *work, const struct rspb_config *config, int64_t now)
{
	(void) config;
	(void) now;
	work->done = ++seen_owners % 2;
	rspb_fail(&work->err, "no");
}

static void note(unsigned int part)
{
	const struct rspb_terms terms = { .nodes = 1 };
	struct rspb_err err;

	for (uint32_t i = 0; i < ROUNDS; i++) {
		rspb_changed_update();
		rspb_update_note(1 + i);
		noted++;
		shares += !rspb_share_change_ask(SHARE + i, 1, true, &err);
		owners += !rspb_owner_ask(1 + i, part, NULL, &terms, &err);
	}
	noting--;
}

/* RET whether it looked at new ones alone. */
static bool looks(void)
{
	struct rspb_section section = { .kind = RSPB_LOCK_READ };
	bool inside, new = rspb_changed_look(&section, &inside);

	MUST(inside);
	return new;
}

static void agent_looks(void)
{
	static const struct rspb_config config = { .policy.keep_surplus = true };
	uint64_t *ids;

	looks();
	rspb_changed_jobs(&ids);
	free(ids);
	rspb_tasks_run(&config, 1);
}

static void agent(unsigned int part)
{
	(void) part;
	while (noting)
		agent_looks();
}

int main(void)
{
	int before;

	ledger = rspb_ledger_create(1, NULL, 0);
	MUST(ledger);
	RACE(note, note, note, agent);
	agent_looks();
	/* Of a flood of updates some are not looked at; nothing else is lost. */
	MUST(seen_noted && seen_noted <= noted);
	/* Each is looked for twice: to plan it, and to say that it is refused. */
	MUST(shares && seen_shares == 2 * shares);
	MUST(owners && seen_owners == owners);
	/* Behind an update all are compared, once. */
	before = compared;
	rspb_changed_update();
	MUST(!looks() && compared == before + 1);
	MUST(looks() && compared == before + 1);
	rspb_changed_reset();
	rspb_ledger_destroy(ledger);
	return 0;
}
