/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes to nodes which share a job was granted. It waits for none of them. */
#include "plugins/ctld/kinds/job.h"

#include <stdio.h>
#include <stdlib.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/post/letters.h"

enum { REPORT_S = 30, REPORTS_A_SECOND = 50 };

/* RET the most that a job may use by ShareMode, also when CPUs are idle; 0: no limit. In
 * 1/10000 of a node. */
static int64_t ceiling(const struct rspb_booking *booking, uint32_t part,
		       const struct rspb_config *config)
{
	switch (config->share_mode) {
	case RSPB_SHARE_CEILING:
		return booking->request->parts[part].share;
	case RSPB_SHARE_HARD:
		return booking->grants[part].share;
	default:
		return 0;
	}
}

/* RET a number by which a node knows the newer of two messages. It grows with every start of
 * a requeued job and with every later decision, also across a restart of slurmctld. */
static uint64_t generation(const struct rspb_booking *booking)
{
	return (uint64_t) (booking->decided_at > booking->start ? booking->decided_at
								: booking->start);
}

/* Nodes of a large cluster report less often, so that no more than so many do in a second. */
static int64_t report_s(void)
{
	int64_t s = rspb_node_count() / REPORTS_A_SECOND;

	return s > REPORT_S ? s : REPORT_S;
}

/* RET false: the part has no share, and its nodes need no message. */
static bool fill(const struct rspb_booking *booking, uint32_t part, uint32_t job,
		 const struct rspb_config *config, struct rspb_share_env *env)
{
	if (part >= booking->n_grants || !booking->grants[part].share)
		return false;
	*env = (struct rspb_share_env){
		.job = job,
		.generation = generation(booking),
		.share = booking->grants[part].share,
		.ceiling = ceiling(booking, part, config),
		.period_ms = RSPB_SHARE_PERIOD_MS,
		.report_s = report_s(),
	};
	return true;
}

void rspb_message_send(const struct rspb_booking *booking, const uint32_t *ids, uint32_t n,
		       const struct rspb_config *config)
{
	char text[RSPB_SHARE_TEXT], socket[RSPB_CONFIG_PATH + 32], *nodes;
	struct rspb_share_env env;
	uint32_t i;

	snprintf(socket, sizeof(socket), "%s/%%n/%s", config->share_state_dir, RSPB_SHARE_SOCKET);
	for (i = 0; i < n; i++) {
		if (!fill(booking, i, ids[i], config, &env))
			continue;
		/* Without memory for the names, the next renewal tells these nodes. */
		nodes = rspb_node_names(NULL, booking->grants[i].nodes);
		if (!nodes)
			continue;
		rspb_share_env_print(&env, text, sizeof(text));
		rspb_messenger_send(nodes, socket, text);
		free(nodes);
	}
}

static void renew(const struct rspb_booking *booking, const struct rspb_config *config)
{
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(booking->request->id, ids);

	rspb_message_send(booking, ids, n, config);
}

/* RET the first booking from i on whose nodes are to be told; the number of
 * bookings: none. */
static size_t next_shared(const struct rspb_ledger *ledger, size_t i)
{
	for (; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (b->state == RSPB_ACTIVE && rspb_request_has_shares(b->request))
			break;
	}
	return i;
}

void rspb_message_renew(const struct rspb_config *config)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	struct rspb_section section = { .what = NULL };
	size_t i, n;

	if (!ledger)
		return;
	n = rspb_ledger_count(ledger);
	/* Bookings are counted by place across sections: only this thread changes the
	 * ledger. */
	i = next_shared(ledger, 0);
	for (; i < n && rspb_section_next(&section, RSPB_LOCK_READ, "shares");
	     i = next_shared(ledger, i + 1))
		renew(rspb_ledger_at(ledger, i), config);
	rspb_section_end(&section);
}
