/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/agent.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/base/wake.h"

#include <string.h>
#include <time.h>

#include "plugins/compat/abi.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/decide/batch.h"
#include "plugins/ctld/post/journal.h"
#include "plugins/ctld/requests/limits.h"
#include "plugins/ctld/start/launch.h"
#include "plugins/ctld/watch/grow.h"
#include "plugins/ctld/watch/recover.h"
#include "plugins/ctld/watch/rescue.h"
#include "plugins/ctld/watch/share_change.h"
#include "plugins/ctld/watch/threat.h"

enum {
	UNRECOVERED_MS = 50, /* how often to look whether state is back */
	WATCH_MS = 1000,
	HOUSE_MS = 60000, /* how often to forget old bookings */
	FORGET_S = 3600	  /* final bookings are kept so long */
};

static _Thread_local bool self;

/* What the thread remembers between its rounds. */
struct agent {
	struct rspb_config config;
	int64_t watched;	    /* second of the last look at jobs */
	int64_t watch_at, house_at; /* next, ms */
};

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return ts.tv_sec * INT64_C(1000) + ts.tv_nsec / 1000000;
}

/* Whether the time has come for what is done every so often; also where the
 * clock was set back behind it. */
static bool is_due(int64_t at, int64_t ms, int64_t period_ms)
{
	return ms >= at || at > ms + period_ms;
}

static bool table_changed(void)
{
	struct rspb_section section;
	bool changed;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "table"))
		return false;
	changed = rspb_node_fingerprint() != rspb_book_table();
	rspb_section_leave(&section);
	return changed;
}

static void reset(bool at_end)
{
	rspb_launch_reset();
	rspb_batch_reset();
	rspb_grow_reset();
	rspb_threat_reset();
	rspb_kinds_reset(at_end);
}

static void recover(struct agent *agent, int64_t ms)
{
	bool fresh = !rspb_book_ledger();
	struct rspb_err err;

	reset(false);
	if (rspb_recover(&agent->config, fresh, ms / 1000, &err))
		rspb_log_error("%s", err.text);
	rspb_journal_look(&agent->config, rspb_book_ledger(),
			  rspb_book_table());
}

/* Jobs, reservations or nodes may be others now. */
static void look(struct agent *agent, int64_t ms)
{
	int64_t now = ms / 1000;

	rspb_kinds_ended(&agent->config, now);
	rspb_kinds_asked(&agent->config, now);
	rspb_threat_watch(&agent->config, now);
	rspb_batch_look(&agent->config, ms);
}

static void watch(struct agent *agent, int64_t ms)
{
	agent->watch_at = ms + WATCH_MS;
	/* Changes are stamped in whole seconds: one that came later in the
	 * second of the last look counts as new. Windows pass without one. */
	if (rspb_ctld_changed() >= agent->watched ||
	    agent->watched > ms / 1000 || ms / 1000 % 10 == 0) {
		agent->watched = ms / 1000;
		if (table_changed()) {
			rspb_log_info("the node table has changed");
			recover(agent, ms);
			return;
		}
		look(agent, ms);
	}
	/* Behind the watch, so that accounting gets a booking's last state. */
	rspb_kinds_flush(ms);
	if (!is_due(agent->house_at, ms, HOUSE_MS))
		return;
	agent->house_at = ms + HOUSE_MS;
	rspb_book_purge(ms / 1000 - FORGET_S);
	rspb_kinds_keep_house(&agent->config, ms / 1000);
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* RET when the next booking is to start, ms. */
static int64_t start_due(int64_t ms)
{
	struct rspb_failed failed;

	rspb_launch_start(ms, &failed);
	/* On other nodes, maybe at once. */
	if (rspb_rescue_failed(&failed, ms / 1000)) {
		rspb_launch_start(ms, &failed);
		rspb_rescue_failed(&failed, ms / 1000);
	}
	return rspb_launch_next(ms);
}

/* RET when the next round is due, ms. */
static int64_t round_once(struct agent *agent)
{
	int64_t ms = now_ms(), next, end;

	if (!rspb_book_ledger()) {
		if (rspb_ctld_recovered() && !rspb_abi_mismatch())
			recover(agent, ms);
		if (!rspb_book_ledger())
			return ms + UNRECOVERED_MS;
	}
	rspb_journal_look(&agent->config, rspb_book_ledger(),
			  rspb_book_table());
	rspb_share_change_run(&agent->config, ms / 1000);
	end = rspb_kinds_close(&agent->config, ms / 1000);
	next = start_due(ms);
	if (end != INT64_MAX)
		next = earlier(next, end * 1000);
	if (is_due(agent->watch_at, ms, WATCH_MS))
		watch(agent, ms);
	if (!rspb_book_ledger())
		return ms;
	next = earlier(next, rspb_grow_run(&agent->config, now_ms()));
	/* A batch may book something that is due at once. */
	if (rspb_batch_run(&agent->config, now_ms()))
		return ms;
	next = earlier(next, rspb_batch_due());
	return earlier(next, agent->watch_at);
}

/* The ledger is made for what the nodes dedicate to shares. */
static void take_config(struct agent *agent)
{
	struct rspb_config old = agent->config;

	rspb_settings_get(&agent->config);
	if (memcmp(&old.dedicated, &agent->config.dedicated,
		   sizeof(old.dedicated)) ||
	    memcmp(&old.colocate, &agent->config.colocate,
		   sizeof(old.colocate)))
		rspb_book_reset(NULL, NULL, 0);
}

/* --book would make an ordinary job. */
static void check_admission(void)
{
	if (!rspb_ctld_admits())
		rspb_log_error(
			"nobody can book: JobSubmitPlugins in slurm.conf does not name rspb");
}

static void run(void)
{
	struct agent agent = { 0 };
	unsigned int why = RSPB_WAKE_CONFIG;

	self = true;
	while (!(why & RSPB_WAKE_STOP)) {
		/* Over, or a backup that is about to take over, which loads
		 * plugins while it ends being one: only time tells. */
		if (rspb_ctld_stopping()) {
			why |= rspb_wake_wait(now_ms() + UNRECOVERED_MS);
			continue;
		}
		if (why & RSPB_WAKE_CONFIG) {
			take_config(&agent);
			rspb_journal_configure(&agent.config);
			rspb_limits_learn(&agent.config);
			check_admission();
			agent.house_at = 0;
			agent.watch_at = 0;
		}
		if (why & RSPB_WAKE_SUBMIT)
			rspb_batch_expect(now_ms());
		why = rspb_wake_wait(round_once(&agent));
	}
	reset(true);
}

int rspb_agent_start(struct rspb_err *err)
{
	return rspb_wake_start(run, err);
}

bool rspb_agent_is_self(void)
{
	return self;
}
