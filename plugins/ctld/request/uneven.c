/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Works out which nodes a part of several sizes has, and what of each. Slurm is asked afterwards
 * whether the job would start there. This is done under Slurm's locks, so the bookings are read
 * before (rspb_uneven_look). The test of a node takes the logarithm of its CPUs; with --switches=1
 * the nodes are gone over once for each leaf. */
#include "plugins/ctld/request/part.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "common/policy/policy.h"
#include "common/wire/texts.h"
#include "plugins/compat/node.h"
#include "plugins/compat/parts/cores.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/request/ask.h"

/* Reading the bookings of a window is the dear step, so it is done before the lock. The ledger has
 * to stay as it is while `out` is used. */
int rspb_uneven_look(const struct rspb_ledger *ledger, int64_t start, int64_t end,
		     struct rspb_uneven_free *out)
{
	uint32_t width = rspb_ledger_nodes(ledger);
	const struct rspb_room *rooms;
	size_t n;

	rooms = rspb_ledger_rooms(ledger, &n);
	*out = (struct rspb_uneven_free){
		.ledger = ledger,
		.start = start,
		.end = end,
		.nodes = rspb_nodeset_create(width),
		.cores = calloc(width + 1, sizeof(*out->cores)),
		.taken = calloc(n + 1, sizeof(*out->taken)),
	};
	if (!out->nodes || !out->cores || !out->taken || !rspb_ledger_shares(ledger) ||
	    rspb_ledger_shareable_over(ledger, start, end, out->nodes, NULL) ||
	    rspb_shares_peaks(rspb_ledger_shares(ledger), start, end, out->cores, NULL))
		return -1;
	for (; out->n_rooms < n; out->n_rooms++) {
		int64_t *taken = calloc(width + 1, sizeof(*taken));

		/* A row counts only once it is filled, so that fini() frees each row once. */
		out->taken[out->n_rooms] = taken;
		if (!taken ||
		    rspb_ledger_taken(ledger, rooms[out->n_rooms].key, start, end, taken, NULL)) {
			free(taken);
			return -1;
		}
	}
	return 0;
}

void rspb_uneven_free_fini(struct rspb_uneven_free *had)
{
	rspb_nodeset_destroy(had->nodes);
	free(had->cores);
	for (size_t i = 0; i < had->n_rooms; i++)
		free(had->taken[i]);
	free(had->taken);
}

/* The amounts of one kind, by node, and how much of them is taken; NULL: it is not counted. */
struct stock {
	const uint32_t *room;
	const int64_t *taken;
};

/* The part of a node that Slurm gives. */
struct given {
	uint32_t cores; /* 0: the node */
	struct rspb_quotas has;
};

/* A job that is spread. */
struct spread {
	const struct rspb_job *job;
	const struct rspb_uneven_free *at;
	struct rspb_cores_total total;
	char kind[RSPB_QUOTA_NAME]; /* total.kind without its type */
	struct stock typed, kinds, memory;
	uint32_t tasks; /* of each node, where devices or nodes are spread */
	bool parts;	/* it may have parts of nodes, not only nodes */
	struct rspb_uneven_how how;
	int64_t fixed, per_cpu;		       /* memory */
	struct rspb_nodeset *eligible, *named; /* owned */
	struct rspb_spread_node *places;       /* owned */
	struct given *given;		       /* owned: of each place; NULL: the load says */
	uint32_t n;
};

/* RET the amounts of a kind by node, as the ledger counts it; without a room if it is not counted
 * anywhere. */
static struct stock stock_of(const struct spread *s, const char *kind)
{
	const uint64_t key = rspb_room_key(kind);
	const struct rspb_room *rooms;
	size_t n;

	rooms = rspb_ledger_rooms(s->at->ledger, &n);
	for (size_t i = 0; i < n && i < s->at->n_rooms; i++)
		if (rooms[i].key == key)
			return (struct stock){ rooms[i].of, s->at->taken[i] };
	return (struct stock){ .room = NULL };
}

/* RET the memory that comes with so many CPUs on a node, MiB; 0: Slurm does not count memory. */
static int64_t memory_with(const struct spread *s, uint64_t cpus)
{
	struct rspb_quotas quotas = { .n = 0 };
	const uint64_t key = rspb_room_key(RSPB_ROOM_MEMORY);
	int64_t amount = 0;

	rspb_cores_besides(s->job, 1, cpus, &quotas);
	for (size_t i = 0; i < quotas.n; i++)
		if (quotas.items[i].key == key)
			amount = quotas.items[i].per_node;
	free(quotas.items);
	return amount;
}

/* Memory grows in a straight line with CPUs, so two questions give its fixed part and what each CPU
 * adds. A job that says no memory has UINT32_MAX as the fixed part, which stands for all of a
 * node. */
static void look_up(struct spread *s)
{
	int64_t one = memory_with(s, 1);

	s->per_cpu = memory_with(s, 2) - one;
	s->fixed = one - s->per_cpu;
	s->typed = stock_of(s, s->total.kind);
	s->kinds = stock_of(s, s->kind);
	s->memory = stock_of(s, RSPB_ROOM_MEMORY);
}

/* RET what is left of one kind on a node; many: it is not counted there. */
static int64_t left_of(struct stock stock, uint32_t n)
{
	return stock.room ? stock.room[n] - stock.taken[n] : INT64_MAX;
}

/* RET how many devices of the kind are left that a job may take there. A node with several types
 * has each type counted as well, and fewer of all types may be left than of the kind. */
static int64_t devices_left(const struct spread *s, uint32_t n)
{
	char types[RSPB_TYPES_MOST][RSPB_QUOTA_NAME];
	uint32_t n_types = rspb_cores_types(s->job, n, types);
	int64_t left = left_of(s->kinds, n), typed = left_of(s->typed, n), all = 0;

	for (uint32_t i = 0; i < n_types; i++) {
		int64_t own = left_of(stock_of(s, types[i]), n);

		all += own > 0 && own < left ? own : own > 0 ? left : 0;
	}
	if (n_types && all < left)
		left = all;
	return typed < left ? typed : left;
}

/* Whether devices are spread, not tasks or nodes. */
static bool by_devices(const struct spread *s)
{
	return s->kind[0] && !s->total.per_task && !s->total.per_node;
}

/* RET the devices that come with so much of the load. The load counts devices, tasks that have
 * devices each, or nodes with a fixed number of tasks or devices. */
static uint32_t devices_with(const struct spread *s, uint32_t load)
{
	if (s->total.per_node)
		return s->total.per_node;
	return by_devices(s)   ? load
	       : s->total.each ? s->total.each * s->total.per_task
			       : load * s->total.per_task;
}

/* RET the CPUs that come with so much of the load, 0: that is not known. */
static uint32_t asked_with(const struct spread *s, uint32_t load)
{
	uint32_t tasks = s->tasks ? s->tasks : load;

	return s->kind[0] ? 0 : tasks * (s->job->cpus_task ? s->job->cpus_task : 1);
}

/* RET the memory that it takes of a node with so many cores and so much of the load. */
static int64_t memory_of(const struct spread *s, uint32_t n, uint32_t cores, uint32_t load)
{
	uint64_t cpus = rspb_cores_charged(s->job, n, cores, asked_with(s, load), true);
	int64_t amount = s->total.memory ? (int64_t) s->total.memory * devices_with(s, load)
					 : s->fixed + s->per_cpu * (int64_t) cpus;
	const uint32_t *room = s->memory.room;

	return room && (amount > room[n] && s->fixed >= UINT32_MAX) ? room[n] : amount;
}

/* RET the cores that it takes of a node with so much of the load. */
static uint32_t cores_with(const struct spread *s, uint32_t n, uint32_t load)
{
	return rspb_cores_load(s->job, n, s->tasks ? s->tasks : load, devices_with(s, load));
}

/* RET the units that are left of a node: of what it has, and of what may be booked of it. */
static int64_t units_left(const struct spread *s, uint32_t n)
{
	int64_t all = (int64_t) RSPB_SHARE_CORE * rspb_node_is(n).cores;
	int64_t capacity = rspb_shares_capacity(rspb_ledger_shares(s->at->ledger), n);

	return (capacity < all ? capacity : all) - s->at->cores[n];
}

/* Whether a node has room for so much of the load. left: the devices that are left there. */
static bool has_room(const struct spread *s, uint32_t n, uint32_t load, int64_t left)
{
	uint32_t cores = cores_with(s, n, load), devices = devices_with(s, load);

	return cores && cores < UINT32_MAX &&
	       (int64_t) RSPB_SHARE_CORE * cores <= units_left(s, n) &&
	       (!s->kind[0] || devices <= left) &&
	       memory_of(s, n, cores, load) <= left_of(s->memory, n);
}

/* RET an amount of the load that is too much for any node of this size, to begin a bisection with.
 * A user may ask for a million tasks. */
static uint32_t beyond(const struct spread *s, uint32_t n, int64_t left)
{
	int64_t most = by_devices(s) ? left
				     : (int64_t) rspb_node_is(n).cores * rspb_node_is(n).threads;

	if (s->total.each)
		most = 1;
	return most < s->total.load ? (uint32_t) most + 1 : s->total.load + 1;
}

/* RET the most of the load that a node has room for, by bisection: more load never needs less of a
 * node. */
static uint32_t most_on(const struct spread *s, uint32_t n)
{
	int64_t left = s->kind[0] ? devices_left(s, n) : 0;
	uint32_t good = 0, bad = has_room(s, n, 1, left) ? beyond(s, n, left) : 1;

	while (good + 1 < bad) {
		uint32_t half = good + (bad - good) / 2;

		if (has_room(s, n, half, left))
			good = half;
		else
			bad = half;
	}
	return good;
}

/* Spread the load over the eligible nodes with what is left on them. RET how many nodes it has,
 * with which s->places begins then; 0: there is too little. */
static uint32_t choose(struct spread *s)
{
	const uint32_t *weights = rspb_ledger_marks(s->at->ledger).weights;
	struct rspb_job_bounds may = rspb_job_bounds(s->job);
	uint32_t least = s->job->nodes_min, most = s->job->nodes_max, tasks = s->job->tasks;

	s->n = 0;
	RSPB_NODESET_EACH (n, s->eligible)
		s->places[s->n++] = (struct rspb_spread_node){
			.node = n,
			.weight = weights ? weights[n] : 0,
			.fits = most_on(s, n),
			.named = rspb_nodeset_has(s->named, n),
		};
	may.most = rspb_job_most_nodes(s->job, may.most);
	if (least < may.least)
		least = may.least;
	if (!most || most > may.most)
		most = may.most;
	/* Nodes that are chosen for their devices have to hold all tasks together as well. */
	if (by_devices(s) && !s->total.has_tasks && least < (tasks + s->tasks - 1) / s->tasks)
		least = (tasks + s->tasks - 1) / s->tasks;
	if (least > most)
		return 0;
	return (may.contiguous ? rspb_spread_row : rspb_spread)(s->places, s->n, s->total.load,
								least, most);
}

/* Choose nodes. If the load is devices, more nodes have fewer tasks each, and their cores may do
 * for more devices. At most four numbers of tasks are tried. */
static uint32_t choose_nodes(struct spread *s)
{
	uint32_t count = 0, tasks = s->job->tasks ? s->job->tasks : 1;

	s->tasks = s->total.has_tasks ? 1 : by_devices(s) ? tasks : s->total.each;
	for (int turn = 0; turn < 4; turn++) {
		uint32_t each;

		count = choose(s);
		each = count ? (tasks + count - 1) / count : (s->tasks + 1) / 2;
		if (!by_devices(s) || each >= s->tasks)
			break;
		s->tasks = each;
	}
	return count;
}

/* RET the weight of its dearest node. */
static uint64_t dearest(const struct spread *s, uint32_t count)
{
	uint64_t most = 0;

	for (uint32_t i = 0; i < count; i++)
		if (s->places[i].weight > most)
			most = s->places[i].weight;
	return most;
}

/* Choose nodes of one leaf alone, as --switches=1 demands: of the one on which they weigh least,
 * then are fewest. Named nodes must be on it. s->eligible has the nodes of that leaf afterwards. */
static uint32_t choose_leaf(struct spread *s)
{
	const uint32_t *leaves = rspb_ledger_marks(s->at->ledger).leaves;
	struct rspb_nodeset *all = rspb_nodeset_clone(s->eligible);
	struct rspb_nodeset *left = rspb_nodeset_clone(s->eligible);
	uint32_t best = 0, best_leaf = 0;
	uint64_t weight = 0;

	while (all && left && !rspb_nodeset_empty(left)) {
		uint32_t leaf = leaves[rspb_nodeset_next(left, 0)], count;

		rspb_nodeset_copy(s->eligible, left);
		rspb_leaves_keep(leaves, leaf, s->eligible);
		rspb_nodeset_minus(left, s->eligible);
		if (!rspb_nodeset_within(s->named, s->eligible))
			continue;
		count = choose_nodes(s);
		if (!count || (best && (dearest(s, count) > weight ||
					(dearest(s, count) == weight && count >= best))))
			continue;
		best = count;
		best_leaf = leaf;
		weight = dearest(s, count);
	}
	if (best) {
		rspb_nodeset_copy(s->eligible, all);
		rspb_leaves_keep(leaves, best_leaf, s->eligible);
		best = choose_nodes(s);
	}
	rspb_nodeset_destroy(all);
	rspb_nodeset_destroy(left);
	return best;
}

static int note_given(uint32_t node, uint32_t cores, struct rspb_quotas *has, void *arg)
{
	struct spread *s = arg;

	/* A job of whole nodes has no cores of its own. */
	s->parts = s->parts && cores;
	s->places[s->n] = (struct rspb_spread_node){ .node = node };
	s->given[s->n++] = (struct given){ cores, *has };
	*has = (struct rspb_quotas){ .n = 0 };
	return 0;
}

/* Take the places that Slurm would give the job this second, with what it would give of each. RET
 * how many there are. */
static uint32_t be_given(struct spread *s)
{
	const struct rspb_layout layout = { .start = s->at->start, .end = s->at->end };

	s->given = calloc(s->eligible->width + 1, sizeof(*s->given));
	return s->given && rspb_layout_give(s->job, s->eligible, &layout, note_given, s) ? s->n : 0;
}

static int by_node(const void *left, const void *right)
{
	const struct rspb_spread_node *a = left, *b = right;

	return a->node < b->node ? -1 : a->node > b->node;
}

static int by_size(const void *left, const void *right)
{
	int64_t a = *(const int64_t *) left, b = *(const int64_t *) right;

	return a < b ? -1 : a > b;
}

/* RET what Slurm gives of a place; NULL: the load says what it takes there. */
static const struct given *given_of(const struct spread *s, const struct rspb_spread_node *place)
{
	return s->given ? &s->given[place - s->places] : NULL;
}

/* RET the memory that it takes of a place with so many cores. */
static int64_t memory_at(const struct spread *s, const struct rspb_spread_node *place,
			 uint32_t cores)
{
	const struct given *given = given_of(s, place);
	uint32_t n = place->node;

	if (!given)
		return memory_of(s, n, cores, place->gets);
	return rspb_quotas_of(&given->has, rspb_room_key(RSPB_ROOM_MEMORY)) +
	       s->per_cpu * (int64_t) (rspb_cores_charged(s->job, n, cores, 0, true) -
				       rspb_cores_charged(s->job, n, given->cores, 0, true));
}

/* RET the cores that it takes of a node in all. The memory of further cores must be left, too. */
static uint32_t cores_of(const struct spread *s, const struct rspb_spread_node *place)
{
	const struct given *given = given_of(s, place);
	uint32_t n = place->node, cores = given ? given->cores : cores_with(s, n, place->gets);
	int64_t left = units_left(s, n) / RSPB_SHARE_CORE, memory = left_of(s->memory, n);

	for (uint32_t i = 0; i < s->how.extra && cores < left; i++, cores++)
		if (memory_at(s, place, cores + 1) > memory)
			break;
	return cores;
}

/* RET the number of cores that most of its nodes have, the larger one of two; 0: out of memory.
 * That becomes the usual size: only nodes of another size are listed, in a contract that has little
 * room. */
static uint32_t usual_cores(struct spread *s, uint32_t count)
{
	int64_t *sizes = calloc(count, sizeof(*sizes));
	uint32_t usual = 0, times = 0, same = 0;

	if (!sizes)
		return 0;
	for (uint32_t i = 0; i < count; i++)
		sizes[i] = cores_of(s, &s->places[i]);
	qsort(sizes, count, sizeof(*sizes), by_size);
	for (uint32_t i = 0; i < count; i++) {
		same = i && sizes[i] == sizes[i - 1] ? same + 1 : 1;
		if (same >= times) {
			times = same;
			usual = (uint32_t) sizes[i];
		}
	}
	free(sizes);
	return usual;
}

/* Divide so many devices of a node among its types: as many of the first types as there are, or one
 * of each type in turn. */
static void divide(const struct spread *s, uint32_t n, int64_t want, uint32_t n_types,
		   char types[RSPB_TYPES_MOST][RSPB_QUOTA_NAME], int64_t amounts[RSPB_TYPES_MOST])
{
	int64_t before;

	do {
		before = want;
		for (uint32_t i = 0; i < n_types && want; i++) {
			int64_t left = left_of(stock_of(s, types[i]), n) - amounts[i];
			int64_t most = s->how.mixes ? 1 : want;

			if (left <= 0)
				continue;
			amounts[i] += left < most ? left : most;
			want -= left < most ? left : most;
		}
	} while (want && want < before);
}

/* Take devices of each type of a node that has several. The booking is of these alone, so that
 * others know what is left. RET 0, -1: out of memory. */
static int add_types(const struct spread *s, const struct rspb_spread_node *place,
		     struct rspb_part *part)
{
	char types[RSPB_TYPES_MOST][RSPB_QUOTA_NAME];
	uint32_t n_types = rspb_cores_types(s->job, place->node, types);
	const struct given *given = given_of(s, place);
	int64_t amounts[RSPB_TYPES_MOST] = { 0 };
	int rc = 0;

	for (uint32_t i = 0; given && i < n_types; i++)
		amounts[i] = rspb_quotas_of(&given->has, rspb_room_key(types[i]));
	if (!given)
		divide(s, place->node, devices_with(s, place->gets), n_types, types, amounts);
	for (uint32_t i = 0; i < n_types && !rc; i++) {
		struct rspb_odd odd = { place->node, rspb_room_key(types[i]), amounts[i] };

		if (!odd.amount)
			continue;
		rc = rspb_part_add_kind(part, types[i]);
		if (!rc)
			rc = rspb_part_add_odd(part, odd, 0);
	}
	return rc;
}

/* Add what one of its nodes has, where that is not the usual amount. RET 0, -1: out of memory. */
static int add_node(const struct spread *s, const struct rspb_spread_node *place,
		    struct rspb_part *part)
{
	const struct given *given = given_of(s, place);
	uint32_t n = place->node, cores = cores_of(s, place);
	struct rspb_odd odd = { n, RSPB_ROOM_CORES, (int64_t) RSPB_SHARE_CORE * cores };
	int rc = rspb_part_add_odd(part, odd, part->share);

	for (uint32_t q = 0; q < part->n_quotas && !rc; q++) {
		const struct rspb_quota *quota = &part->quotas[q];

		odd.key = quota->key;
		if (odd.key == rspb_room_key(RSPB_ROOM_MEMORY))
			odd.amount = memory_at(s, place, cores);
		else if (given)
			odd.amount = rspb_quotas_of(&given->has, odd.key);
		else if (s->kind[0] && (odd.key == rspb_room_key(s->total.kind) ||
					odd.key == rspb_room_key(s->kind)))
			odd.amount = devices_with(s, place->gets);
		else
			continue;
		if (odd.amount > 0)
			rc = rspb_part_add_odd(part, odd, quota->per_node);
	}
	return rc || (!s->kind[0] && !given) ? rc : add_types(s, place, part);
}

/* Make the part of the chosen nodes. It may have no others (part->eligible): its amounts are of
 * these nodes. They come by rising number, as rspb_part_add_odd() wants them. */
static int fill(struct spread *s, uint32_t count, struct rspb_part *part, struct rspb_err *err)
{
	const struct rspb_job_bounds may = rspb_job_bounds(s->job);
	uint32_t fewest = UINT32_MAX;
	int rc = 0;

	qsort(s->places, count, sizeof(*s->places), by_node);
	part->nodes = part->nodes_min = count;
	part->leaves = may.leaves;
	part->leaves_for = may.leaves_for;
	/* The sets belong to the part from here on, also if this fails. */
	part->eligible = s->eligible;
	s->eligible = NULL;
	rspb_nodeset_clear(part->eligible);
	for (uint32_t i = 0; i < count; i++) {
		rspb_nodeset_add(part->eligible, s->places[i].node);
		if (rspb_node_is(s->places[i].node).cores < fewest)
			fewest = rspb_node_is(s->places[i].node).cores;
	}
	if (!rspb_nodeset_empty(s->named)) {
		part->fixed = s->named;
		s->named = NULL;
	}
	if (s->given && !s->parts)
		return rspb_part_take_nodes(s->job, part, err);
	part->share = (int64_t) RSPB_SHARE_CORE * usual_cores(s, count);
	part->whole = (int64_t) RSPB_SHARE_CORE * fewest;
	if (rspb_part_count(s->job, part, err))
		return -1;
	for (uint32_t i = 0; i < count && !rc; i++)
		rc = add_node(s, &s->places[i], part);
	/* Limits of Slurm count what all nodes have together, which is known now. */
	if (!rc && part->n_odd)
		rc = rspb_part_count(s->job, part, err);
	rspb_part_weigh_odd(part);
	return rc ? rspb_fail(err, "out of memory") : 0;
}

static void spread_fini(struct spread *s)
{
	rspb_nodeset_destroy(s->eligible);
	rspb_nodeset_destroy(s->named);
	for (uint32_t i = 0; s->given && i < s->n; i++)
		free(s->given[i].has.items);
	free(s->given);
	free(s->places);
}

/* Shares of time, benefit functions and --work have one size on all nodes. */
static bool has_one_size(const struct rspb_terms *flags)
{
	return flags->share || flags->benefit.n_points || rspb_moldable_said(&flags->work);
}

/* RET what a job asks for, of which a load of 0 cannot be spread. */
static struct rspb_cores_asked spread_of(const struct rspb_job *job, const struct rspb_terms *flags)
{
	struct rspb_cores_asked asked = { .parts = false };

	if (!has_one_size(flags) && rspb_book_lends() && rspb_limits_parts(job))
		asked = rspb_cores_asked(job);
	if (!asked.parts)
		asked.total.load = 0;
	return asked;
}

bool rspb_uneven_may(const struct rspb_job *job, const struct rspb_terms *flags)
{
	return spread_of(job, flags).total.load;
}

int rspb_uneven_fill(const struct rspb_job *job, const struct rspb_terms *flags,
		     const struct rspb_uneven_free *at, struct rspb_uneven_how how,
		     struct rspb_part *part, struct rspb_err *err)
{
	uint32_t count = 0, width = rspb_ledger_nodes(at->ledger);
	struct rspb_job exact = *job;
	struct rspb_cores_asked asked;
	struct spread s = { .job = job, .at = at, .how = how };
	char text[RSPB_CONTRACT_ODD];
	int rc = -1;

	rspb_part_fini(part);
	*part = (struct rspb_part){ .nodes = 1, .nodes_min = 1 };
	/* Slurm gives a job a number of nodes, also if it asks for a range. */
	if (how.given && exact.nodes_max)
		exact.nodes_max = exact.nodes_min;
	asked = spread_of(&exact, flags);
	s.total = asked.total;
	/* Slurm may put parts of GPUs on GPUs of another type at the start. */
	s.parts = asked.parts && !(asked.shares && rspb_cores_why(job));
	if (how.given ? has_one_size(flags) : !s.total.load)
		return rspb_fail(err, "its load cannot be spread");
	snprintf(s.kind, sizeof(s.kind), "%.*s", (int) strcspn(s.total.kind, ":"), s.total.kind);
	s.eligible = rspb_nodeset_create(width);
	s.named = rspb_nodeset_create(width);
	s.places = calloc(width + 1, sizeof(*s.places));
	if (s.eligible && s.named && s.places && !rspb_job_eligible(job, s.eligible, err) &&
	    (!s.parts || rspb_book_lent_of(s.eligible))) {
		/* Only nodes that nobody has as a whole in the window may give a part, and all
		 * named ones must be among them. */
		rspb_job_nodes(job, RSPB_JOB_NAMES, s.named);
		rspb_nodeset_and(s.eligible, at->nodes);
		look_up(&s);
		if (rspb_nodeset_within(s.named, s.eligible))
			count = how.given ? be_given(&s)
				: rspb_ledger_marks(at->ledger).leaves &&
						rspb_job_bounds(job).leaves == 1
					? choose_leaf(&s)
					: choose_nodes(&s);
	}
	if (count)
		rc = fill(&s, count, part, err);
	else
		rspb_fail(err, "too little is free for its load");
	/* A booking whose amounts do not fit into the contract could not be made again after a
	 * restart. */
	if (!rc && !rspb_uneven_print(part, text, sizeof(text)))
		rc = rspb_fail(err, "too many of its nodes differ");
	spread_fini(&s);
	return rc;
}

/* Whether a node can give what a lost one gave. Its cores have as many threads, so that as many
 * cores hold the same tasks. Nodes with several types of devices are left out, since the amounts of
 * each type are not known there. */
static bool can_replace(const struct rspb_job *job, const struct rspb_part *part, uint32_t threads,
			uint32_t n)
{
	char types[RSPB_TYPES_MOST][RSPB_QUOTA_NAME];

	return rspb_node_is(n).threads == threads && !rspb_cores_types(job, n, types) &&
	       (part->n_odd ||
		rspb_cores_needs(job, part->nodes, n) <= rspb_part_cores(part, part->share));
}

struct rspb_nodeset *rspb_uneven_others(const struct rspb_job *job, const struct rspb_part *part,
					const struct rspb_nodeset *granted)
{
	struct rspb_nodeset *out;
	uint32_t threads = 0;

	/* A part that may have other nodes than those that it has needs no help. */
	if (!part->whole || !part->eligible || !rspb_nodeset_equal(part->eligible, granted))
		return NULL;
	out = rspb_nodeset_create(granted->width);
	if (!out || rspb_job_eligible(job, out, NULL) || !rspb_book_lent_of(out)) {
		rspb_nodeset_destroy(out);
		return NULL;
	}
	RSPB_NODESET_EACH (n, granted)
		if (rspb_node_is(n).threads > threads)
			threads = rspb_node_is(n).threads;
	RSPB_NODESET_EACH (n, out)
		if (!can_replace(job, part, threads, n))
			rspb_nodeset_remove(out, n);
	return out;
}

/* --- as text ---------------------------------------------------------------------- */

/* RET the name of a kind in a contract; NULL: the part does not count it any more. */
static const char *kind_of(const struct rspb_part *part, uint64_t key)
{
	const struct rspb_quota *quota = rspb_part_quota(part, key);

	if (key == RSPB_ROOM_CORES)
		return RSPB_ODD_CORES;
	return quota ? quota->name : NULL;
}

static int64_t printed(const struct rspb_odd *odd)
{
	return odd->key == RSPB_ROOM_CORES ? odd->amount / RSPB_SHARE_CORE : odd->amount;
}

/* Amounts come by node, so each node is named once, before its first amount. */
bool rspb_uneven_print(const struct rspb_part *part, char *text, size_t size)
{
	struct rspb_text out = rspb_text_over(text, size);
	struct rspb_nodeset *one = part->n_odd ? rspb_nodeset_create(part->eligible->width) : NULL;
	uint32_t last = UINT32_MAX;

	*text = '\0';
	for (uint32_t i = 0; one && i < part->n_odd; i++) {
		const struct rspb_odd *odd = &part->odd[i];
		const char *kind = kind_of(part, odd->key);
		char *name = NULL;

		if (!kind)
			continue;
		if (odd->node != last) {
			rspb_nodeset_clear(one);
			rspb_nodeset_add(one, odd->node);
			name = rspb_node_names(NULL, one);
			rspb_text_add(&out, "%s%s", out.len ? "," : "", name ? name : "?");
			free(name);
			last = odd->node;
		}
		rspb_text_add(&out, "/%s=%" PRId64, kind, printed(odd));
	}
	rspb_nodeset_destroy(one);
	if (out.len < size)
		return true;
	*text = '\0';
	return false;
}

int rspb_uneven_recall(const char *text, struct rspb_part *part)
{
	struct rspb_odd_word word = { .amount = 0 };

	rspb_part_even(part);
	while (rspb_odd_next(&text, &word)) {
		bool cores = !strcmp(word.kind, RSPB_ODD_CORES);
		const struct rspb_odd odd = {
			.node = rspb_node_find(word.node),
			.key = cores ? RSPB_ROOM_CORES : rspb_room_key(word.kind),
			.amount = cores ? RSPB_SHARE_CORE * word.amount : word.amount,
		};

		/* A node that has left slurm.conf since has nothing to give. */
		if (odd.node >= rspb_node_width())
			continue;
		if ((!cores && rspb_part_add_kind(part, word.kind)) ||
		    rspb_part_add_odd(part, odd, 0))
			return -1;
	}
	rspb_part_weigh_odd(part);
	return 0;
}
