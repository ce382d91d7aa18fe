/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The agent's thread: what it does in each round, and in which order. How each step is done is
 * known to the modules. */
#include "plugins/ctld/agent.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/hash.h"
#include "common/base/times.h"
#include "plugins/compat/clock.h"
#include "plugins/compat/controller.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/base/wake.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/occupancy.h"
#include "plugins/ctld/controller.h"
#include "plugins/ctld/decide/batch.h"
#include "plugins/ctld/kinds/job.h"
#include "plugins/ctld/kinds/usage.h"
#include "plugins/ctld/kinds/watch.h"
#include "plugins/ctld/mirror/mirror.h"
#include "plugins/ctld/observe/changed.h"
#include "plugins/ctld/observe/following.h"
#include "plugins/ctld/post/letters.h"
#include "plugins/ctld/record/durable.h"
#include "plugins/ctld/record/replay.h"
#include "plugins/ctld/request/ask.h"
#include "plugins/ctld/start/launch.h"
#include "plugins/ctld/watch/watch.h"

/* Watches Slurm's counts of cancellations and reservations while the agent waits. It does not know
 * what was cancelled. */

enum {
	LOOK_MS = 20,
	REST_MS = 100,	 /* where nothing can be cancelled, or nothing changes */
	CALM_S = 1,	 /* how long that has to be so */
	PAUSE_TIMES = 9, /* of what a look takes */
	PAUSE_LEAST_US = 6000
};

static struct rspb_agent_state *const own = &rspb_controller.agent;

/* RET a number that changes when something was cancelled, or somebody else made or deleted a
 * reservation. No lock is needed. */
static uint64_t number(void)
{
	const struct rspb_ctld_counts counts = rspb_ctld_counts();

	return (uint64_t) counts.others << 32 | counts.cancels;
}

/* Whether jobs, nodes or reservations have changed just now. Further changes are then likely, and
 * the agent looks more often. */
static bool is_lively(void)
{
	return rspb_ctld_changed(RSPB_CHANGED_ANY) >= time(NULL) - CALM_S;
}

static int64_t steady_ms(void)
{
	return rspb_section_clock_us() / 1000;
}

/* Whether it is time to look at something. Without bookings no cancellation matters, but the
 * waiting room may have been deleted. */
static bool is_new(bool any)
{
	uint64_t differs = number() ^ own->seen;

	return (any ? differs : differs >> 32) && rspb_section_clock_us() >= own->not_before;
}

/* Wait until a time (ms since the epoch), in short steps between which the counts are read. Slurm
 * wakes nobody when a job is cancelled. The end is fixed by the monotonic clock, which nobody
 * sets. RET why the agent was woken, 0: it was not. */
static unsigned int cancels_wait(int64_t at_ms, bool any)
{
	int64_t now = rspb_clock_us(CLOCK_REALTIME) / 1000;
	int64_t left = at_ms - now, end = steady_ms() + left;
	unsigned int why = 0;

	do {
		int64_t rest = any && is_lively() ? LOOK_MS : REST_MS;

		left = end - steady_ms();
		now = rspb_clock_us(CLOCK_REALTIME) / 1000;
		why = rspb_wake_wait(now + (rest < left ? rest : left));
	} while (!why && steady_ms() < end && !is_new(any));
	return why;
}

/* Whether something was cancelled since this was last true, and it is time to look. Looks take up
 * at most a tenth of the time, however many cancellations come. */
static bool cancels_due(void)
{
	uint64_t now = number();
	bool news = now != own->seen;

	if (!(news || own->once_more) || rspb_section_clock_us() < own->not_before)
		return false;
	own->once_more = news;
	own->seen = now;
	return true;
}

/* Note that a look is over, and how long it took. */
static void cancels_looked(int64_t took_us)
{
	int64_t pause = took_us * PAUSE_TIMES;

	own->not_before = rspb_section_clock_us() +
			  (pause > PAUSE_LEAST_US ? pause : PAUSE_LEAST_US);
}

enum {
	UNRECOVERED_MS = 10, /* how often to look whether state is back */
	WATCH_MS = 1000,
	BEHIND_MS = 100,   /* how often a disk that fails is tried */
	BACK_MS = 2000,	   /* the clock was set back, and did not only jitter */
	HOUSE_MS = 60000,  /* how often to forget old bookings */
	TELL_MS = 3600000, /* how often to say how locks were held */
	FORGET_S = 3600	   /* final bookings are kept so long */
};

static _Thread_local bool self;

/* The state that the thread keeps between its rounds. */
struct rspb_agent_rounds {
	const struct rspb_config *config;
	int64_t watched;	    /* second of the last look at jobs */
	int64_t watch_at, house_at; /* next, ms */
	int64_t tell_at;	    /* likewise */
	int64_t asked;		    /* second of the last look at requests */
	int64_t last;		    /* ms: the last round */
	struct rspb_resv_seen_at seen;
};

static int64_t now_ms(void)
{
	return rspb_clock_us(CLOCK_REALTIME) / 1000;
}

/* Whether it is time for what is done every so often, or the clock was set back. */
static bool is_due(int64_t at, int64_t ms, int64_t period_ms)
{
	return ms >= at || at > ms + period_ms;
}

/* Whether the ledger does not fit the nodes any more, by their numbers or their capacity. If
 * slurmctld is going down, the answer is false, and nothing is made anew. */
static bool table_changed(void)
{
	struct rspb_section section;
	bool changed;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "table"))
		return false;
	changed = !rspb_book_fits() || rspb_capacity_stale(rspb_book_ledger());
	rspb_section_leave(&section);
	return changed;
}

/* Forget what refers to the ledger or to numbers of nodes. at_end: also what outlives a ledger that
 * is built anew. Members of struct rspb_controller are cleared here; the functions that are called
 * belong to rooms whose members are guarded by a mutex or own other memory. */
#define FORGET(member) memset(&rspb_controller.member, 0, sizeof(rspb_controller.member))
static void reset(bool at_end)
{
	struct rspb_controller *all = &rspb_controller;

	rspb_occupancy_reset();
	/* Requests that are there when slurmctld starts have waited long enough: the first interval
	 * ends at once. */
	all->decide.batch.gathered = true;
	all->decide.batch.alone = false;
	FORGET(decide.batch.alone_at);
	all->decide.batch.due = all->decide.batch.look = INT64_MAX;
	all->decide.batch.basis_at = 0;
	all->decide.silent_until = 0;
	rspb_changed_reset();
	rspb_doubts_reset();
	rspb_recheck_end();
	free(all->observe.after.items);
	FORGET(observe.after);
	FORGET(observe.edit);
	FORGET(observe.late);
	all->observe.turn.at = all->observe.outlasted = 0;
	all->observe.recheck.judged_at = all->observe.recheck.limits_at = 0;
	all->observe.recheck.unjudged = false;
	all->observe.recheck.disowned = RSPB_HASH_START;
	free(all->start.ways.items);
	FORGET(start.ways);
	FORGET(start.looked);
	all->start.begun = 0;
	all->kinds.waiting.n = 0;
	all->kinds.waiting.earliest = INT64_MAX;
	rspb_aside_reset();
	rspb_comeback_end();
	FORGET(watch.comeback);
	FORGET(watch.grow);
	free(all->watch.sooner.list);
	FORGET(watch.sooner);
	all->watch.threat.resume_at = all->watch.threat.compared = 0;
	if (!at_end)
		return;
	/* Jobs keep their numbers when only the ledger is built anew, the nodes of suspects are
	 * still to be cleared, and reports of usage to be written. */
	rspb_placed_reset();
	free(all->kinds.suspects.items);
	FORGET(kinds.suspects);
	free(all->kinds.launches.items);
	FORGET(kinds.launches);
	rspb_usage_reset();
}
#undef FORGET

/* Let Slurm give out numbers of jobs again as FirstJobId says. Jobs of which the journal knows
 * have been read back by now, or never will be. */
static void settle_ids(void)
{
	struct rspb_section section;

	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "numbers"))
		return;
	rspb_ctld_keep_ids(0);
	rspb_section_leave(&section);
}

/* Build the ledger: at the start, after a change of the nodes or of what they keep for shares, and
 * after the clock was set back. An error is logged; without a ledger the next round tries again. */
static void recover(struct rspb_agent_rounds *agent, int64_t ms)
{
	bool fresh = !rspb_book_ledger();
	struct rspb_err err;

	reset(false);
	if (fresh)
		rspb_durable_begin(ms / 1000);
	settle_ids();
	if (rspb_recover(agent->config, fresh, ms / 1000, &err))
		rspb_log_error("%s", err.text);
}

/* Whether reservations of others have changed, or their time may have come. */
static bool reservations_changed(struct rspb_agent_rounds *agent, int64_t now)
{
	if (!rspb_news_of_resvs(&agent->seen, "reservations", now) &&
	    !rspb_news_overdue(agent->asked, now))
		return false;
	agent->asked = now;
	return true;
}

/* See, if reservations have changed, what is asked for or was changed; takes locks. */
static void look_at_resvs(const struct rspb_config *config, int64_t now)
{
	rspb_room_keep(now);
	rspb_edit_watch(config, now);
	rspb_operator_watch(config, now);
}

/* Look at jobs first, because a job that ended frees nodes, then at reservations and nodes. Urgent
 * work comes in between. The batch is last, to see who waits after all that. */
static void look_at_all(struct rspb_agent_rounds *agent, int64_t ms)
{
	int64_t now = ms / 1000;

	rspb_jobs_look(agent->config, now);
	rspb_breathe();
	if (reservations_changed(agent, now))
		look_at_resvs(agent->config, now);
	rspb_breathe();
	rspb_threat_watch(agent->config, now);
	rspb_breathe();
	rspb_batch_look(agent->config, ms);
}

/* Do what is done each second, each minute and each hour. */
static void watch(struct rspb_agent_rounds *agent, int64_t ms)
{
	agent->watch_at = ms + WATCH_MS;
	/* Changes are stamped in whole seconds: one that came later in the
	 * second of the last look counts as new. Windows pass without one. */
	if (rspb_ctld_changed(RSPB_CHANGED_ANY) >= agent->watched || own->ended ||
	    rspb_news_overdue(agent->watched, ms / 1000)) {
		agent->watched = ms / 1000;
		/* Reservations are looked at, too, when a time slot has ended. */
		if (own->ended)
			agent->asked = 0;
		own->ended = false;
		if (table_changed()) {
			rspb_log_info("the nodes have changed");
			rspb_gap_reset();
			recover(agent, ms);
			return;
		}
		look_at_all(agent, ms);
	}
	rspb_placed_keep_up();
	/* This comes after the watch, so that accounting gets a booking's last state. */
	rspb_jobs_flush(ms / 1000);
	rspb_usage_flush(ms);
	rspb_resume_run(ms / 1000);
	if (is_due(agent->tell_at, ms, TELL_MS)) {
		if (agent->tell_at)
			rspb_section_tell();
		agent->tell_at = ms + TELL_MS;
	}
	if (!is_due(agent->house_at, ms, HOUSE_MS))
		return;
	agent->house_at = ms + HOUSE_MS;
	rspb_book_purge(ms / 1000 - FORGET_S);
	rspb_message_renew(agent->config);
	rspb_durable_keep_house(ms / 1000);
}

/* Keep the bookings that could not start for start_due(). Urgent work may come within plans of
 * others, where none is to be made. More than there is room for are found at their next attempt. */
static void remember(const struct rspb_failed *failed)
{
	struct rspb_failed *all = &own->failed;

	for (size_t i = 0; i < failed->n && all->n < RSPB_FAILED_MOST; i++)
		all->items[all->n++] = failed->items[i];
}

/* Look at what was cancelled, so that it is in the journal soon. A booking whose end is in the
 * journal stays cancelled, even if slurmctld is killed before it saves its state. */
static void look_for_cancels(int64_t now)
{
	int64_t earliest = INT64_MAX;

	/* The next watch makes another ledger first. */
	if (table_changed())
		return;
	rspb_jobs_look(own->rounds->config, now);
	rspb_sources_waiting(&earliest);
	look_at_resvs(own->rounds->config, now);
}

/* Look for cancellations if it is time. The look itself breathes, so that it must not begin within
 * itself. */
static void see_cancels(int64_t now)
{
	int64_t began = rspb_section_clock_us();

	if (own->looking || !cancels_due())
		return;
	own->looking = true;
	look_for_cancels(now);
	own->looking = false;
	cancels_looked(rspb_section_clock_us() - began);
}

/* Look one last time: slurmctld has answered all clients and saved its state, and is going down.
 * Only now may this thread take the locks again. */
static void look_last(void)
{
	if (!rspb_ctld_stopping())
		return;
	rspb_section_last();
	if (rspb_book_ledger())
		look_for_cancels(now_ms() / 1000);
}

/* Close time slots before anything starts: the nodes of the next booking may be those of the last
 * one. Then note when this is due again, and for which version of the book that is true. */
static void start_what_is_due(int64_t ms)
{
	struct rspb_failed failed;

	if (ms / 1000 >= own->end)
		own->ended = true;
	own->end = rspb_lifecycle_ends(own->rounds->config, ms / 1000);
	rspb_launch_start(ms, &failed);
	own->next = rspb_launch_next(ms, &failed);
	remember(&failed);
	if (own->end != INT64_MAX)
		own->next = rspb_earlier(own->next, own->end * 1000);
	own->version = rspb_book_version();
}

/* Do the urgent work. Bookings are started also while a look at cancellations waits for the disk,
 * but starts do not begin within starts, nor looks within looks. */
static void do_urgent(void)
{
	int64_t ms;

	if (!rspb_book_ledger())
		return;
	see_cancels(now_ms() / 1000);
	ms = now_ms();
	rspb_durable_flush(ms / 1000);
	if (own->starting || (ms < own->next && rspb_book_version() == own->version))
		return;
	own->starting = true;
	start_what_is_due(ms);
	own->starting = false;
}

/* RET when the next booking is to start or to end, ms. */
static int64_t start_due(void)
{
	rspb_breathe();
	/* Bookings that could not start may get other nodes, where they may start at once. These
	 * may fail, too, which is tried once more. */
	for (int i = 0; i < 2 && own->failed.n; i++) {
		struct rspb_failed failed = own->failed;

		own->failed.n = 0;
		if (!rspb_rescue_failed(&failed, now_ms() / 1000))
			break;
		own->next = 0;
		rspb_breathe();
	}
	rspb_durable_flush(now_ms() / 1000);
	return rspb_earlier(own->next, rspb_make_way(now_ms()));
}

/* Whether the clock was set back. The calendar knows nothing of the time before its own now, and
 * would take running jobs there for free nodes. Work that was done may be due again, and the other
 * way round. */
static bool set_back(struct rspb_agent_rounds *agent, int64_t ms)
{
	bool back = ms + BACK_MS < agent->last;

	agent->last = ms;
	if (back)
		rspb_log_info("the clock was set back");
	return back;
}

/* RET when the next round is due, ms. */
static int64_t round_once(struct rspb_agent_rounds *agent)
{
	int64_t ms = now_ms(), next;
	bool back = set_back(agent, ms);

	if (rspb_book_ledger() ? back : rspb_ctld_recovered())
		recover(agent, ms);
	if (!rspb_book_ledger())
		return ms + UNRECOVERED_MS;
	rspb_reminders_run(agent->config, ms / 1000);
	rspb_letters_run(ms / 1000);
	rspb_tasks_run(agent->config, ms / 1000);
	start_due();
	if (is_due(agent->watch_at, ms, WATCH_MS))
		watch(agent, ms);
	if (!rspb_book_ledger())
		return ms;
	/* The file may be another one by now. */
	rspb_replay_look(agent->config, rspb_book_ledger(), rspb_book_table());
	rspb_breathe();
	next = rspb_threat_run(agent->config, now_ms());
	rspb_breathe();
	next = rspb_earlier(next, rspb_grow_run(agent->config, now_ms()));
	rspb_breathe();
	next = rspb_earlier(next, rspb_sooner_run(agent->config, now_ms()));
	rspb_breathe();
	rspb_aside_run(agent->config, now_ms() / 1000);
	/* A batch may book something that is due at once. */
	if (rspb_batch_run(agent->config, now_ms()))
		return ms;
	next = rspb_earlier(rspb_earlier(next, rspb_batch_due()), start_due());
	if (rspb_durable_behind())
		next = rspb_earlier(next, now_ms() + BEHIND_MS);
	return rspb_earlier(next, agent->watch_at);
}

/* Take over new settings. The ledger is made for what the nodes keep for shares. If that differs,
 * the ledger is dropped, and the next round builds another. */
static void take_config(struct rspb_agent_rounds *agent)
{
	const struct rspb_config *old = agent->config, *new = rspb_settings_get();

	agent->config = new;
	if (!old || rspb_capacity_differs(old, new))
		rspb_book_reset(NULL, NULL, 0);
}

/* The thread: one round after the other, until it is to stop. */
static void run(void)
{
	struct rspb_agent_rounds agent = { 0 };
	unsigned int why = RSPB_WAKE_CONFIG;
	int64_t next;

	self = true;
	own->rounds = &agent;
	rspb_breath_use(do_urgent);
	while (!(why & RSPB_WAKE_STOP)) {
		/* slurmctld is going down, or it is a backup that is about to take over, which
		 * loads plugins while it stops being one. Only time shows which. */
		if (rspb_ctld_stopping()) {
			why |= rspb_wake_wait(now_ms() + UNRECOVERED_MS);
			continue;
		}
		if (why & RSPB_WAKE_CONFIG) {
			take_config(&agent);
			rspb_replay_configure(agent.config);
			rspb_durable_configure(agent.config->journal);
			rspb_letters_configure(agent.config);
			rspb_limits_learn(agent.config);
			rspb_threat_configure(agent.config);
			/* Without job_submit/rspb, --book would make a regular job. */
			if (!rspb_controller_names_ours(rspb_slurm_conf().submit_plugins))
				rspb_log_error(
					"nobody can book: JobSubmitPlugins in slurm.conf does not "
					"name rspb");
			agent.house_at = agent.watch_at = 0;
		}
		/* A submission is announced before Slurm has a record of the job. */
		if (why & RSPB_WAKE_SUBMIT)
			rspb_batch_expect(now_ms());
		next = round_once(&agent);
		why = cancels_wait(next, !rspb_book_idle() || rspb_batch_due() != INT64_MAX);
	}
	/* No more bookings are started from here on. */
	rspb_breath_use(NULL);
	look_last();
	rspb_gap_reset();
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
