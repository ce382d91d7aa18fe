/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Works out which nodes a part of several sizes has, and what of each. Slurm is asked afterwards
 * whether the job would start there. All of it is linear in the nodes, but for a factor of the
 * logarithm of a node's CPUs: it is done under Slurm's locks. */
#include "plugins/ctld/requests/uneven.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "common/request/room.h"
#include "common/request/spread.h"
#include "common/wire/moldable.h"
#include "common/wire/odd.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_pick.h"
#include "plugins/compat/node.h"
#include "plugins/compat/parts/cores.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/requests/cores.h"
#include "plugins/ctld/requests/limits.h"
#include "plugins/ctld/requests/part.h"

/* A job that is spread, and what is free meanwhile. */
struct spread {
	const struct rspb_job *job;
	const struct rspb_ledger *ledger;
	struct rspb_cores_total total;
	char kind[RSPB_QUOTA_NAME];		 /* total.kind without its type */
	uint32_t tasks;				 /* of each node, where devices are spread */
	int64_t fixed, per_cpu;			 /* memory */
	struct rspb_nodeset *eligible, *named;	 /* owned */
	int64_t *cores, *types, *kinds, *memory; /* owned: what is taken of each node */
	struct rspb_spread_node *places;	 /* owned */
	uint32_t n;
};

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

/* RET 0, or -1: out of memory. */
static int look_around(struct spread *s, int64_t start, int64_t end)
{
	const struct rspb_ledger *l = s->ledger;
	uint32_t width = rspb_ledger_nodes(l);
	struct rspb_nodeset *free_nodes = rspb_nodeset_create(width);
	int64_t one = memory_with(s, 1);
	int rc = free_nodes ? 0 : -1;

	s->per_cpu = memory_with(s, 2) - one;
	s->fixed = one - s->per_cpu;
	s->cores = calloc(width + 1, sizeof(*s->cores));
	s->types = calloc(width + 1, sizeof(*s->types));
	s->kinds = calloc(width + 1, sizeof(*s->kinds));
	s->memory = calloc(width + 1, sizeof(*s->memory));
	s->places = calloc(width + 1, sizeof(*s->places));
	if (rc || !s->cores || !s->types || !s->kinds || !s->memory || !s->places ||
	    rspb_ledger_shareable_over(l, start, end, free_nodes, NULL) ||
	    rspb_shares_peaks(rspb_ledger_shares(l), start, end, s->cores, NULL) ||
	    rspb_ledger_taken(l, rspb_room_key(s->total.kind), start, end, s->types, NULL) ||
	    rspb_ledger_taken(l, rspb_room_key(s->kind), start, end, s->kinds, NULL) ||
	    rspb_ledger_taken(l, rspb_room_key(RSPB_ROOM_MEMORY), start, end, s->memory, NULL))
		rc = -1;
	else
		rspb_nodeset_and(s->eligible, free_nodes);
	rspb_nodeset_destroy(free_nodes);
	return rc;
}

/* RET what is left of one kind on a node; many: it is not counted there. */
static int64_t left_of(const struct spread *s, const char *kind, const int64_t *taken, uint32_t n)
{
	const uint32_t *room = rspb_ledger_room(s->ledger, rspb_room_key(kind));

	return room ? room[n] - taken[n] : INT64_MAX;
}

/* RET the memory that it takes of a node with so many cores. */
static int64_t memory_of(const struct spread *s, uint32_t n, uint32_t cores)
{
	const uint32_t *room = rspb_ledger_room(s->ledger, rspb_room_key(RSPB_ROOM_MEMORY));
	int64_t amount = s->fixed + s->per_cpu * cores * rspb_node_threads(n);

	return room && (amount > room[n] && s->fixed >= UINT32_MAX) ? room[n] : amount;
}

/* Whether devices are spread, not tasks. */
static bool by_devices(const struct spread *s)
{
	return s->kind[0] && !s->total.per_task;
}

/* RET the devices that come with so much of the load. */
static uint32_t devices_with(const struct spread *s, uint32_t load)
{
	return by_devices(s) ? load : load * s->total.per_task;
}

/* RET the cores that it takes of a node with so much of the load. */
static uint32_t cores_with(const struct spread *s, uint32_t n, uint32_t load)
{
	return rspb_cores_load(s->job, n, by_devices(s) ? s->tasks : load, devices_with(s, load));
}

static bool has_room(const struct spread *s, uint32_t n, uint32_t load)
{
	int64_t all = (int64_t) RSPB_SHARE_CORE * rspb_node_cores(n);
	int64_t capacity = rspb_shares_capacity(rspb_ledger_shares(s->ledger), n);
	uint32_t cores = cores_with(s, n, load), devices = devices_with(s, load);

	return cores && cores < UINT32_MAX &&
	       (int64_t) RSPB_SHARE_CORE * cores <=
		       (capacity < all ? capacity : all) - s->cores[n] &&
	       (!s->kind[0] || (devices <= left_of(s, s->total.kind, s->types, n) &&
				devices <= left_of(s, s->kind, s->kinds, n))) &&
	       memory_of(s, n, cores) <= left_of(s, RSPB_ROOM_MEMORY, s->memory, n);
}

/* RET more of the load than any node of this size can have. A user may ask for a million tasks. */
static uint32_t beyond(const struct spread *s, uint32_t n)
{
	int64_t most = by_devices(s) ? left_of(s, s->kind, s->kinds, n)
				     : (int64_t) rspb_node_cores(n) * rspb_node_threads(n);

	return most < s->total.load ? (uint32_t) most + 1 : s->total.load + 1;
}

/* RET the most of the load that a node has room for. */
static uint32_t most_on(const struct spread *s, uint32_t n)
{
	uint32_t good = 0, bad = has_room(s, n, 1) ? beyond(s, n) : 1;

	while (good + 1 < bad) {
		uint32_t half = good + (bad - good) / 2;

		if (has_room(s, n, half))
			good = half;
		else
			bad = half;
	}
	return good;
}

/* RET how many nodes it has, with which s->places begins; 0: there is too little. */
static uint32_t choose(struct spread *s)
{
	const uint32_t *weights = rspb_ledger_marks(s->ledger).weights;
	uint32_t least = s->job->nodes_min, most = s->job->nodes_max, lower, upper;

	s->n = 0;
	RSPB_NODESET_EACH (n, s->eligible)
		s->places[s->n++] = (struct rspb_spread_node){
			.node = n,
			.weight = weights ? weights[n] : 0,
			.fits = most_on(s, n),
			.named = rspb_nodeset_has(s->named, n),
		};
	rspb_job_node_bounds(s->job, &lower, &upper);
	if (least < lower)
		least = lower;
	if (!most || most > upper)
		most = upper;
	return rspb_spread(s->places, s->n, s->total.load, least, most);
}

/* With more nodes each has fewer tasks, and its cores may do for more devices. */
static uint32_t choose_nodes(struct spread *s)
{
	uint32_t count = 0, tasks = s->job->tasks ? s->job->tasks : 1;

	s->tasks = by_devices(s) ? tasks : 0;
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

/* RET the number of cores that most of its nodes have, the larger one of two. */
static uint32_t usual_cores(struct spread *s, uint32_t count)
{
	int64_t *sizes = s->cores; /* what is taken of nodes is known by now */
	uint32_t usual = 0, times = 0, same = 0;

	for (uint32_t i = 0; i < count; i++)
		sizes[i] = cores_with(s, s->places[i].node, s->places[i].gets);
	qsort(sizes, count, sizeof(*sizes), by_size);
	for (uint32_t i = 0; i < count; i++) {
		same = i && sizes[i] == sizes[i - 1] ? same + 1 : 1;
		if (same >= times) {
			times = same;
			usual = (uint32_t) sizes[i];
		}
	}
	return usual;
}

/* Add what one of its nodes has, where that is not the usual amount. */
static int add_node(const struct spread *s, const struct rspb_spread_node *place,
		    struct rspb_part *part)
{
	uint32_t n = place->node, cores = cores_with(s, n, place->gets);
	struct rspb_odd odd = { n, RSPB_ROOM_CORES, (int64_t) RSPB_SHARE_CORE * cores };
	int rc = rspb_part_add_odd(part, odd, part->share);

	for (uint32_t q = 0; q < part->n_quotas && !rc; q++) {
		const struct rspb_quota *quota = &part->quotas[q];

		odd.key = quota->key;
		if (odd.key == rspb_room_key(RSPB_ROOM_MEMORY))
			odd.amount = memory_of(s, n, cores);
		else if (s->kind[0] && (odd.key == rspb_room_key(s->total.kind) ||
					odd.key == rspb_room_key(s->kind)))
			odd.amount = devices_with(s, place->gets);
		else
			continue;
		if (odd.amount > 0)
			rc = rspb_part_add_odd(part, odd, quota->per_node);
	}
	return rc;
}

static int fill(struct spread *s, uint32_t count, struct rspb_part *part, struct rspb_err *err)
{
	uint32_t fewest = UINT32_MAX;
	int rc = 0;

	qsort(s->places, count, sizeof(*s->places), by_node);
	part->nodes = part->nodes_min = count;
	part->leaves = rspb_job_leaves(s->job, &part->leaves_for);
	part->eligible = s->eligible;
	s->eligible = NULL;
	rspb_nodeset_clear(part->eligible);
	for (uint32_t i = 0; i < count; i++) {
		rspb_nodeset_add(part->eligible, s->places[i].node);
		if (rspb_node_cores(s->places[i].node) < fewest)
			fewest = rspb_node_cores(s->places[i].node);
	}
	if (!rspb_nodeset_empty(s->named)) {
		part->fixed = s->named;
		s->named = NULL;
	}
	part->share = (int64_t) RSPB_SHARE_CORE * usual_cores(s, count);
	part->whole = (int64_t) RSPB_SHARE_CORE * fewest;
	if (rspb_part_count(s->job, part, err))
		return -1;
	for (uint32_t i = 0; i < count && !rc; i++)
		rc = add_node(s, &s->places[i], part);
	rspb_part_weigh_odd(part);
	return rc ? rspb_fail(err, "out of memory") : 0;
}

static void spread_fini(struct spread *s)
{
	rspb_nodeset_destroy(s->eligible);
	rspb_nodeset_destroy(s->named);
	free(s->cores);
	free(s->types);
	free(s->kinds);
	free(s->memory);
	free(s->places);
}

static bool may_spread(const struct rspb_job *job, const struct rspb_flags *flags)
{
	return !flags->share && !flags->has_benefit && !rspb_moldable_said(&flags->work) &&
	       rspb_book_lends() && rspb_cores_asks(job) && rspb_limits_parts(job);
}

bool rspb_uneven_may(const struct rspb_job *job, const struct rspb_flags *flags)
{
	struct rspb_cores_total total = { .load = 0 };

	if (may_spread(job, flags))
		rspb_cores_total(job, &total);
	return total.load > 1;
}

int rspb_uneven_fill(const struct rspb_job *job, const struct rspb_flags *flags,
		     const struct rspb_ledger *ledger, int64_t start, int64_t end,
		     struct rspb_part *part, struct rspb_err *err)
{
	struct spread s = { .job = job, .ledger = ledger };
	char text[RSPB_CONTRACT_ODD];
	uint32_t count = 0;
	int rc = -1;

	rspb_part_fini(part);
	*part = (struct rspb_part){ .nodes = 1, .nodes_min = 1 };
	if (may_spread(job, flags) && rspb_ledger_shares(ledger))
		rspb_cores_total(job, &s.total);
	if (s.total.load < 2)
		return rspb_fail(err, "its load cannot be spread");
	snprintf(s.kind, sizeof(s.kind), "%.*s", (int) strcspn(s.total.kind, ":"), s.total.kind);
	s.eligible = rspb_nodeset_create(rspb_ledger_nodes(ledger));
	s.named = rspb_nodeset_create(rspb_ledger_nodes(ledger));
	if (s.eligible && s.named && !rspb_job_eligible(job, s.eligible, err) &&
	    rspb_book_lent_of(s.eligible)) {
		rspb_job_required(job, s.named);
		if (!look_around(&s, start, end) && rspb_nodeset_within(s.named, s.eligible))
			count = choose_nodes(&s);
	}
	if (count)
		rc = fill(&s, count, part, err);
	else
		rspb_fail(err, "too little is free for its load");
	if (!rc && !rspb_uneven_print(part, text, sizeof(text)))
		rc = rspb_fail(err, "too many of its nodes differ");
	spread_fini(&s);
	return rc;
}

/* --- as text ---------------------------------------------------------------------- */

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
			name = rspb_node_names(one);
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

		if (odd.node < rspb_node_width() && rspb_part_add_odd(part, odd, 0))
			return -1;
	}
	rspb_part_weigh_odd(part);
	return 0;
}
