/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/broker.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/conf/limits.h"
#include "common/conf/rules.h"
#include "common/plan/schedule.h"
#include "plugins/compat/ctld.h"
#include "plugins/ctld/agent.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/saver.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/base/task.h"
#include "plugins/ctld/base/wake.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/cancels.h"
#include "plugins/ctld/book/no_show.h"
#include "plugins/ctld/decide/batch.h"
#include "plugins/ctld/durable/durable.h"
#include "plugins/ctld/jobs/job_resv.h"
#include "plugins/ctld/jobs/room.h"
#include "plugins/ctld/kinds.h"
#include "plugins/ctld/letters/letters.h"
#include "plugins/ctld/post/journal.h"
#include "plugins/ctld/post/messenger.h"
#include "plugins/ctld/post/postman.h"
#include "plugins/ctld/socket/answer.h"
#include "plugins/ctld/stats/tally.h"

static atomic_bool running;

static const struct rspb_book_listener journal = {
	.reset = rspb_journal_reset,
	.record = rspb_journal_record,
	.purge = rspb_journal_purge,
};

static const struct rspb_durable_kind *const kept[] = { &rspb_no_show_durable,
							&rspb_letters_durable,
							NULL };

int rspb_broker_reconfig(struct rspb_err *err)
{
	struct rspb_config config;

	if (rspb_settings_read(err))
		return -1;
	rspb_settings_get(&config);
	rspb_section_debug(config.debug_locks);
	rspb_server_configure(&config);
	if (atomic_load(&running))
		rspb_wake_up(RSPB_WAKE_CONFIG);
	return 0;
}

int rspb_broker_start(struct rspb_err *err)
{
	if (atomic_load(&running))
		return 0;
	if (rspb_broker_reconfig(err) || rspb_messenger_start(err))
		return -1;
	if (rspb_postman_start(err))
		goto no_postman;
	rspb_kind_use(rspb_kinds);
	rspb_tally_begin(time(NULL));
	rspb_durable_open(kept, time(NULL));
	rspb_ctld_ids_raise(rspb_durable_last_job());
	rspb_book_listen(&journal);
	if (rspb_saver_start(err))
		goto no_saver;
	if (rspb_cancels_start(err))
		goto no_cancels;
	if (rspb_agent_start(err))
		goto no_agent;
	if (rspb_server_start(&rspb_answer_use, err))
		goto no_server;
	atomic_store(&running, true);
	return 0;
no_server:
	rspb_wake_stop();
no_agent:
	rspb_cancels_stop();
no_cancels:
	rspb_saver_stop();
no_saver:
	rspb_postman_stop();
no_postman:
	rspb_messenger_stop();
	return -1;
}

void rspb_broker_stop(void)
{
	if (!atomic_exchange(&running, false))
		return;
	rspb_server_stop();
	rspb_cancels_stop();
	rspb_wake_stop();
	rspb_tasks_drop();
	rspb_saver_stop();
	rspb_journal_stop();
	rspb_postman_stop();
	/* What came to its end behind the agent's. */
	rspb_outbox_look(time(NULL));
	rspb_durable_sync(time(NULL), NULL);
	rspb_durable_close();
	rspb_messenger_stop();
	rspb_room_close();
	rspb_book_reset(NULL, NULL, 0);
}

bool rspb_broker_running(void)
{
	return atomic_load(&running);
}

bool rspb_broker_idle(void)
{
	return rspb_book_idle();
}

bool rspb_broker_reading(void)
{
	return atomic_load(&running) && rspb_book_unread();
}

bool rspb_broker_booked(int64_t start, int64_t end, uint64_t except_id,
			struct rspb_nodeset *set)
{
	return rspb_book_booked(start, end, except_id, set);
}

bool rspb_broker_colocates(void)
{
	return rspb_book_colocates();
}

bool rspb_broker_beside(int64_t start, int64_t end, struct rspb_nodeset *set,
			uint8_t *dedicated)
{
	return rspb_book_beside(start, end, set, dedicated);
}

bool rspb_broker_next_start(int64_t from, uint32_t width, int64_t *next_start)
{
	return rspb_book_next_start(from, width, next_start);
}

bool rspb_broker_may_start(uint64_t job_id)
{
	enum rspb_state state;
	uint32_t user;

	return rspb_agent_is_self() ||
	       !rspb_book_state(job_id, &state, &user) || state != RSPB_BOOKED;
}

bool rspb_broker_lends(const char *reservation, uint32_t uid)
{
	struct rspb_config now_in_force;
	enum rspb_state state;
	uint32_t user;
	uint64_t id;

	rspb_settings_get(&now_in_force);
	return !now_in_force.release_early && !strchr(reservation, ',') &&
	       rspb_job_resv_is(reservation, &id) &&
	       rspb_book_state(id, &state, &user) && user == uid &&
	       state == RSPB_ACTIVE;
}

bool rspb_broker_imminent(void)
{
	return atomic_load(&running) && rspb_book_imminent(time(NULL), 1);
}

void rspb_broker_wake(int64_t ready)
{
	if (atomic_load(&running) && rspb_batch_announce(ready))
		rspb_wake_up(RSPB_WAKE_SUBMIT);
}

bool rspb_broker_advise(const struct rspb_request *request, char *text,
			size_t size)
{
	const struct rspb_request *const one[] = { request };
	struct rspb_booking *booking = NULL;
	struct rspb_ledger *ledger;
	struct rspb_config now_in_force, space;
	struct rspb_err err;
	int64_t at;

	ledger = rspb_book_basis(&at);
	if (!ledger)
		return false;
	rspb_settings_get(&now_in_force);
	now_in_force.policy.offer_horizon = now_in_force.horizon;
	if (rspb_schedule_batch(ledger, &now_in_force.policy, one, 1, at,
				&booking, &err))
		snprintf(text, size, "%s", err.text);
	else if (booking->state == RSPB_BOOKED &&
		 rspb_limits_grant(ledger, booking,
				   rspb_no_show_held(request->user, at),
				   rspb_rules_for(&now_in_force, request,
						  rspb_ledger_nodes(ledger),
						  &space),
				   &err))
		snprintf(text, size, "unlikely: %s", err.text);
	else
		rspb_report_advice(booking, time(NULL) - at, text, size);
	rspb_booking_destroy(booking);
	rspb_ledger_destroy(ledger);
	return true;
}
