/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Works out what of each node may be booked as shares, or lent in parts. The book keeps the
 * results. */
#include "plugins/ctld/book/book.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "plugins/compat/colocate.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/compat/parts/cores.h"
#include "plugins/ctld/book/state.h"

/* Whether some bookings may have part of a node: as a rule, or for those whom a Rule names. */
static bool lends(const struct rspb_config *config)
{
	return config->unit != RSPB_UNIT_NODE || rspb_rules_name(config, "Unit");
}

bool rspb_capacity_differs(const struct rspb_config *a, const struct rspb_config *b)
{
	/* Only such a change needs another ledger. All other settings count from the next
	 * decision on. */
	return lends(a) != lends(b) || (a->unit == RSPB_UNIT_PART) != (b->unit == RSPB_UNIT_PART) ||
	       memcmp(&a->dedicated, &b->dedicated, sizeof(a->dedicated)) ||
	       memcmp(&a->colocate, &b->colocate, sizeof(a->colocate)) ||
	       memcmp(&a->speed, &b->speed, sizeof(a->speed));
}

int rspb_capacity_lent(uint32_t width, const struct rspb_config *config, struct rspb_nodeset **lent)
{
	*lent = NULL;
	if (!lends(config))
		return 0;
	*lent = rspb_nodeset_create(width);
	if (!*lent)
		return -1;
	rspb_cores_lent(config->unit == RSPB_UNIT_PART, *lent);
	/* NULL spares everybody the tests for parts. */
	if (rspb_nodeset_empty(*lent)) {
		rspb_nodeset_destroy(*lent);
		*lent = NULL;
	}
	return 0;
}

void rspb_capacity_lend_early(uint32_t width, const struct rspb_config *config)
{
	struct rspb_nodeset *lent;

	/* Called for each submission, so the usual case must be cheap. */
	if (!rspb_book_unread() || rspb_book_lends() || rspb_capacity_lent(width, config, &lent) ||
	    !lent)
		return;
	rspb_book_lend(lent, true);
}

/* A slot of the node table without a node has neither cores nor CPUs, and keeps a capacity of
 * 0. */
int64_t *rspb_capacity_shares(uint32_t width, const struct rspb_config *config,
			      const struct rspb_nodeset *lent)
{
	int64_t *capacity = calloc(width + 1, sizeof(*capacity));

	for (uint32_t n = 0; capacity && n < width; n++) {
		struct rspb_node_kind is;

		rspb_node_kind_of(n, &is);
		if (lent && rspb_nodeset_has(lent, n))
			capacity[n] = (int64_t) RSPB_SHARE_CORE * is.cores;
		else if (is.cpus)
			capacity[n] = (int64_t) RSPB_SHARE_WHOLE *
				      rspb_by_feature_value(&config->dedicated, is.features) / 100;
	}
	return capacity;
}

/* Read what limits and shares count besides CPU shares, from Slurm and with cores as a kind of
 * their own. RET 0; -1: out of memory, and the caller frees what was read. */
static int read_rooms(struct rspb_rooms_read *read, uint32_t width)
{
	struct rspb_room cores = { .key = RSPB_ROOM_CORES };

	if (rspb_rooms_read(read, width) ||
	    rspb_array_grow(&read->items, &read->room, read->n + 1, sizeof(*read->items)))
		return -1;
	cores.of = calloc(width + 1, sizeof(*cores.of));
	for (uint32_t n = 0; cores.of && n < width; n++)
		cores.of[n] = RSPB_SHARE_CORE * rspb_node_is(n).cores;
	if (cores.of)
		read->items[read->n++] = cores;
	return cores.of ? 0 : -1;
}

static void drop_rooms(struct rspb_rooms_read *read)
{
	for (size_t i = 0; i < read->n; i++)
		free(read->items[i].of);
	free(read->items);
}

static int add_rooms(struct rspb_ledger *ledger)
{
	struct rspb_rooms_read read = { 0 };
	int rc = read_rooms(&read, rspb_ledger_nodes(ledger));

	for (size_t i = 0; i < read.n && !rc; i++)
		rc = rspb_ledger_add_room(ledger, read.items[i].key, read.items[i].of);
	drop_rooms(&read);
	return rc;
}

/* After its start Slurm learns from the nodes themselves how many GPUs they have. A ledger that
 * was made before does not have them. The look at all nodes is only repeated when one of them
 * may have changed. */
bool rspb_capacity_stale(const struct rspb_ledger *ledger)
{
	uint32_t width = rspb_ledger_nodes(ledger);
	struct rspb_rooms_read read = { 0 };
	bool stale = false;
	size_t n;

	if (!rspb_node_look_again(&rspb_book->capacity_look))
		return false;
	rspb_ledger_rooms(ledger, &n);
	if (!read_rooms(&read, width))
		stale = read.n != n;
	for (size_t i = 0; i < read.n && !stale; i++) {
		const uint32_t *of = rspb_ledger_room(ledger, read.items[i].key);

		stale = !of || memcmp(of, read.items[i].of, width * sizeof(*of));
	}
	drop_rooms(&read);
	return stale;
}

/* Give each node the speed that its features stand for. RET 0, -1: out of memory. */
static int add_speeds(struct rspb_ledger *ledger, const struct rspb_config *config)
{
	uint32_t width = rspb_ledger_nodes(ledger);
	uint32_t *speeds = malloc((width + 1) * sizeof(*speeds));
	int rc = speeds ? 0 : -1;

	for (uint32_t n = 0; speeds && n < width; n++) {
		struct rspb_node_kind is;

		rspb_node_kind_of(n, &is);
		speeds[n] = rspb_by_feature_value(&config->speed, is.features);
	}
	if (!rc)
		rc = rspb_ledger_speed(ledger, speeds);
	free(speeds);
	return rc;
}

struct rspb_ledger *rspb_capacity_ledger(uint32_t width, const struct rspb_config *config,
					 int64_t now)
{
	int64_t *capacity = calloc(width + 1, sizeof(*capacity));
	struct rspb_ledger *ledger;
	struct rspb_node_order order;

	if (!capacity)
		return NULL;
	/* While old bookings are entered, each node has room for shares as well as for cores,
	 * whichever is more. A booking of earlier settings is then not refused. */
	for (uint32_t n = 0; n < width; n++) {
		struct rspb_node_kind is;

		rspb_node_kind_of(n, &is);
		capacity[n] = is.cpus ? RSPB_SHARE_WHOLE : 0;
		if (capacity[n] < (int64_t) RSPB_SHARE_CORE * is.cores)
			capacity[n] = (int64_t) RSPB_SHARE_CORE * is.cores;
	}
	ledger = rspb_ledger_create(width, capacity, now);
	free(capacity);
	order = rspb_node_order();
	if (ledger)
		rspb_ledger_set_machine(ledger, rspb_node_count());
	/* A ledger without its marks would decide otherwise than the one before, so it is given
	 * up. */
	if (ledger &&
	    (rspb_ledger_weigh(ledger, order.ranks) || rspb_ledger_leaf(ledger, order.leaves) ||
	     add_rooms(ledger) || add_speeds(ledger, config))) {
		rspb_ledger_destroy(ledger);
		ledger = NULL;
	}
	free(order.ranks);
	free(order.leaves);
	return ledger;
}

uint8_t *rspb_capacity_beside(uint32_t width, const struct rspb_config *config)
{
	uint8_t *dedicated = calloc(width + 1, sizeof(*dedicated));
	uint32_t none_left = 0, some = 0;

	for (uint32_t n = 0; dedicated && n < width; n++) {
		struct rspb_node_kind is;
		uint32_t percent;

		rspb_node_kind_of(n, &is);
		percent = rspb_by_feature_value(&config->dedicated, is.features);
		if (!is.cpus || !percent || !rspb_by_feature_value(&config->colocate, is.features))
			continue;
		/* A percentage is rounded to cores; on a small node nothing may be left for
		 * regular jobs. */
		if (rspb_colocate_kept(percent, is.all_cores) < is.all_cores) {
			dedicated[n] = (uint8_t) percent;
			some++;
		} else {
			none_left++;
		}
	}
	if (none_left)
		rspb_log_error("Colocate has no effect on %u nodes, because DedicatedShare "
			       "leaves no core to regular jobs there",
			       none_left);
	if (some)
		return dedicated;
	free(dedicated);
	return NULL;
}
