/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Serves the plugins: start, stop, and questions about what is booked. Nothing here waits or asks
 * Slurm under the book's mutex. */
#include "plugins/ctld/broker.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/load/auth.h"
#include "plugins/ctld/agent.h"
#include "plugins/ctld/base/saver.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/base/tally.h"
#include "plugins/ctld/base/wake.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/no_show.h"
#include "plugins/ctld/controller.h"
#include "plugins/ctld/decide/batch.h"
#include "plugins/ctld/kinds/job.h"
#include "plugins/ctld/kinds/operator.h"
#include "plugins/ctld/kinds/watch.h"
#include "plugins/ctld/mirror/mirror.h"
#include "plugins/ctld/mirror/resv.h"
#include "plugins/ctld/post/letters.h"
#include "plugins/ctld/record/durable.h"
#include "plugins/ctld/record/replay.h"
#include "plugins/ctld/request/users.h"
#include "plugins/ctld/serve/server.h"
#include "plugins/wire/credential.h"

static const struct rspb_book_listener journal = {
	.reset = rspb_replay_reset,
	.record = rspb_replay_record,
	.purge = rspb_replay_purge,
};

/* All kinds of bookings, in the order in which they are asked, and where requests come from. */
static const struct rspb_kind *const kinds[] = {
	&rspb_kind_job, &rspb_kind_shares, &rspb_kind_group, &rspb_kind_operator, NULL,
};
static const struct rspb_source *const sources[] = {
	&rspb_source_jobs,
	&rspb_source_operators,
	NULL,
};

/* The kinds of records in the journal that are not promises. */
static const struct rspb_durable_kind *const kept[] = { &rspb_gap_durable, &rspb_no_show_durable,
							&rspb_letters_durable, NULL };

int rspb_broker_reconfig(struct rspb_err *err)
{
	/* Nothing is changed if the new settings are wrong. */
	if (rspb_settings_read(err))
		return -1;
	rspb_section_debug(rspb_settings_get()->debug_locks);
	rspb_server_configure(rspb_settings_get());
	rspb_users_learn();
	/* The agent reads its copy of the settings at its next round. */
	if (atomic_load(&rspb_controller.running))
		rspb_wake_up(RSPB_WAKE_CONFIG);
	return 0;
}

/* Start in an order in which each thread finds what it uses: the journal before the agent that
 * writes to it, the server last, because it takes messages at once. The caller ends slurmctld on
 * failure. */
int rspb_broker_start(struct rspb_err *err)
{
	const struct rspb_auth_way *way = rspb_auth_way();
	uint32_t last_job;

	if (atomic_load(&rspb_controller.running))
		return 0;
	if (rspb_broker_reconfig(err))
		return -1;
	rspb_kind_use(kinds, sources);
	if (way)
		rspb_credential_use((struct rspb_credential_way){ way->make, way->open });
	rspb_tally_begin(time(NULL));
	rspb_book_listen(&journal);
	if (rspb_durable_open(kept, time(NULL), &last_job, err))
		return -1;
	/* Until Slurm has read its jobs, no new job may get a number that the journal knows. */
	rspb_ctld_keep_ids(last_job);
	if (rspb_messenger_start(err) || rspb_postman_start(err) || rspb_saver_start(err) ||
	    rspb_users_start(err) || rspb_agent_start(err))
		goto no_agent;
	if (rspb_server_start(&rspb_answer_use, err))
		goto no_server;
	atomic_store(&rspb_controller.running, true);
	return 0;
no_server:
	/* The agent must end before the threads on which it relies. */
	rspb_wake_stop();
no_agent:
	rspb_users_stop();
	rspb_saver_stop();
	rspb_postman_stop();
	rspb_durable_close();
	rspb_messenger_stop();
	return -1;
}

/* Stop first what brings work to the agent, then the agent, then the threads that it uses. No lock
 * of slurmctld may be held, because the agent may be waiting for it. */
void rspb_broker_stop(void)
{
	if (!atomic_exchange(&rspb_controller.running, false))
		return;
	rspb_server_stop();
	rspb_users_stop();
	rspb_wake_stop();
	/* Tasks that the agent has not done are dropped without an answer. */
	rspb_tasks_drop();
	rspb_saver_stop();
	rspb_postman_stop();
	/* Note the letters that were delivered after the agent ended. */
	rspb_outbox_look(time(NULL));
	/* Write what was noted until now to the disk. If that fails, the stop continues. */
	rspb_durable_sync(time(NULL), NULL);
	rspb_durable_close();
	rspb_messenger_stop();
	rspb_room_close();
	rspb_book_reset(NULL, NULL, 0);
}

bool rspb_broker_running(void)
{
	return atomic_load(&rspb_controller.running);
}

bool rspb_broker_reading(void)
{
	return atomic_load(&rspb_controller.running) && rspb_book_unread();
}

bool rspb_broker_may_start(uint64_t job_id)
{
	enum rspb_state state;
	uint32_t user;

	/* A booking that has started, or is over, leaves its job to Slurm again. */
	return rspb_agent_is_self() || !rspb_book_state(job_id, &state, &user) ||
	       state != RSPB_BOOKED;
}

bool rspb_broker_lends(const char *reservation, uint32_t uid)
{
	enum rspb_state state;
	uint32_t user, part;
	uint64_t id;

	/* The name comes from a user. It may be a list of reservations, of which no part is
	 * lent. */
	return !rspb_settings_get()->release_early && !strchr(reservation, ',') &&
	       rspb_resv_of_job(reservation, &id, &part) && rspb_book_state(id, &state, &user) &&
	       user == uid && state == RSPB_ACTIVE;
}

bool rspb_broker_imminent(void)
{
	/* The select plugin asks this in each question of the backfill scheduler. */
	return atomic_load(&rspb_controller.running) && rspb_book_imminent(time(NULL), 1);
}

void rspb_broker_wake(int64_t ready)
{
	if (atomic_load(&rspb_controller.running) && rspb_batch_announce(ready))
		rspb_wake_up(RSPB_WAKE_SUBMIT);
}
