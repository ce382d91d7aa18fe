/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A schedule looked through without the engine's calendars: nodes one by one, in
 * the order of the starts.
 */
#include "contrib/sim/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "contrib/sim/check_read.h"
#include "contrib/sim/jsonl/status.h"
#include "contrib/sim/report/options.h"

static int by_start(const void *left, const void *right)
{
	const struct rspb_booking *a = ((const struct check_kept *) left)->booking;
	const struct rspb_booking *b = ((const struct check_kept *) right)->booking;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->request->id < b->request->id ? -1 : a->request->id > b->request->id;
}

static void check_window(struct check *check, const struct rspb_booking *b)
{
	const struct rspb_request *request = b->request;

	if (b->start < request->ready || b->start < request->arrival || b->start < b->decided_at)
		check_complain(check, request->id, "it starts at %" PRId64 ", before it can",
			       b->start);
	if (b->end > request->deadline)
		check_complain(check, request->id, "it ends at %" PRId64 ", after its deadline",
			       b->end);
	if (b->end - b->start != request->duration)
		check_complain(check, request->id, "its booked time slot has another length");
	if (b->n_grants != request->n_parts)
		check_complain(check, request->id, "some of its parts are missing");
}

static void check_amount(struct check *check, const struct rspb_booking *b, uint32_t i)
{
	const struct rspb_part *part = &b->request->parts[i];
	const struct rspb_grant *grant = &b->grants[i];
	int64_t units = rspb_grant_units(grant);

	if (units < rspb_part_least(b->request, i) || units > rspb_part_asked(part))
		check_complain(check, b->request->id,
			       "part %" PRIu32 " has %" PRId64 " %s; allowed are %" PRId64
			       " to %" PRId64,
			       i, units, part->share ? "units" : "nodes",
			       rspb_part_least(b->request, i), rspb_part_asked(part));
	if (part->share && rspb_nodeset_count(grant->nodes) != part->nodes)
		check_complain(check, b->request->id,
			       "part %" PRIu32 " has another number of nodes", i);
	RSPB_NODESET_EACH (n, grant->nodes)
		if (!(part->fixed && rspb_nodeset_has(part->fixed, n)) &&
		    ((part->fixed && rspb_part_all_fixed(part)) ||
		     (part->eligible && !rspb_nodeset_has(part->eligible, n))))
			check_complain(check, b->request->id,
				       "part %" PRIu32 " may not have node %" PRIu32, i, n);
}

/* RET the share of a node that is held at a time; what is over is forgotten. */
static int64_t held(struct check_node *node, int64_t time)
{
	int64_t sum = 0;
	size_t left = 0;

	for (size_t i = 0; i < node->n; i++)
		if (node->guests[i].end > time) {
			sum += node->guests[i].share;
			node->guests[left++] = node->guests[i];
		}
	node->n = left;
	return sum;
}

static int64_t takes(const struct rspb_part *part, uint64_t key)
{
	for (uint32_t q = 0; q < part->n_quotas; q++)
		if (part->quotas[q].key == key)
			return part->quotas[q].per_node;
	return 0;
}

/* Is there of all that a part takes besides? Those that are over are forgotten. */
static void check_rooms(struct check *check, const struct rspb_booking *b,
			const struct rspb_part *part, uint32_t n)
{
	const struct check_node *node = &check->nodes[n];

	for (size_t k = 0; k < check->n_kinds; k++) {
		const struct check_kind *kind = &check->kinds[k];
		int64_t sum = takes(part, kind->key);

		for (size_t i = 0; sum && i < node->n; i++)
			sum += takes(node->guests[i].part, kind->key);
		if (sum > kind->of[n])
			check_complain(check, b->request->id,
				       "node %" PRIu32 " lacks %" PRId64 " of kind %" PRIu64, n,
				       sum, kind->key);
	}
}

/* Put one on a node. RET 0 or -1 with err. */
static int occupy(struct check *check, const struct check_kept *kept, uint32_t part, uint32_t n,
		  struct rspb_err *err)
{
	const struct rspb_booking *b = kept->booking;
	const struct rspb_grant *grant = &b->grants[part];
	struct check_node *node = &check->nodes[n];
	int64_t there = held(node, b->start);

	if (node->busy > b->start)
		check_complain(check, b->request->id,
			       "node %" PRIu32 " belongs to request %" PRIu64 " until %" PRId64, n,
			       node->by, node->busy);
	if (grant->share ? there + grant->share > node->capacity : there > 0)
		check_complain(check, b->request->id,
			       "node %" PRIu32 " has no room for it beside %" PRId64, n, there);
	if (!grant->share) {
		node->busy = kept->ended;
		node->by = b->request->id;
		return 0;
	}
	check_rooms(check, b, &b->request->parts[part], n);
	if (rspb_array_grow(&node->guests, &node->room, node->n + 1, sizeof(*node->guests)))
		return rspb_fail(err, "out of memory");
	node->guests[node->n++] = (struct check_guest){ kept->ended, grant->share,
							&b->request->parts[part] };
	return 0;
}

static int judge(struct check *check, struct rspb_err *err)
{
	if (check->n_kept)
		qsort(check->kept, check->n_kept, sizeof(*check->kept), by_start);
	for (size_t k = 0; k < check->n_kept; k++) {
		const struct check_kept *kept = &check->kept[k];
		const struct rspb_booking *b = kept->booking;

		if (!kept->regular)
			check_window(check, b);
		for (uint32_t i = 0; i < b->n_grants; i++) {
			check_amount(check, b, i);
			/* A booking that was lost before its start has no nodes. */
			if (kept->ended <= b->start)
				continue;
			RSPB_NODESET_EACH (n, b->grants[i].nodes)
				if (occupy(check, kept, i, n, err))
					return -1;
		}
	}
	for (size_t id = 0; id < check->promised_room; id++)
		if (check->promised[id] == 'b')
			check_complain(check, id, "it was booked but not kept");
	return 0;
}

static void check_fini(struct check *check)
{
	for (size_t i = 0; i < check->n_kept; i++)
		rspb_booking_destroy(check->kept[i].booking);
	for (size_t i = 0; i < check->n_declined; i++)
		rspb_booking_destroy(check->declined[i]);
	free(check->declined);
	for (uint32_t n = 0; n < check->width; n++)
		free(check->nodes[n].guests);
	for (size_t k = 0; check->kinds && k <= check->n_kinds; k++)
		free(check->kinds[k].of);
	free(check->kinds);
	free(check->kept);
	free(check->nodes);
	free(check->promised);
}

static void usage(void)
{
	puts("usage: rspb-sim check FILE [OPTION ...]\n\n"
	     "Checks a schedule of --schedule or of another program: no node is given "
	     "twice, and\neach booking is kept, within its window and with what it "
	     "requested. If there is no\nfault, prints the results: acceptance, work, "
	     "slowdown, benefit. If there is one, the\nexit status is 1.\n");
	sim_options_help(SIM_CHECK, stdout);
}

/* Print the figures of a schedule without faults. RET 0 or -1 with err. */
static int report(const struct check *check, struct sim_options *options, struct rspb_err *err)
{
	struct sim_metrics metrics;

	fprintf(check->told, "%zu requests, %zu booked and kept, ", check->requests,
		check->n_kept - check->n_regular - check->n_lost);
	if (check->n_lost)
		fprintf(check->told, "%zu lost to failures, ", check->n_lost);
	if (check->n_regular)
		fprintf(check->told, "%zu runs of regular jobs, ", check->n_regular);
	fprintf(check->told, "%zu faults\n", check->faults);
	if (check->faults || !check->requests)
		return 0;
	if (options->use)
		return check_print_use(check, options->json, err);
	if (options->timeline)
		return check_print_timeline(check, (int64_t) options->began, err);
	if (options->per_request)
		return check_print_requests(check, options->json, err);
	sim_metrics_clear(&metrics);
	sim_sums_metrics(&check->sums, &metrics);
	options->presets[options->n_presets++] = "schedule";
	return sim_report(options, options->left[0], &metrics, err);
}

int sim_check_main(int argc, char **argv)
{
	struct check check = { .width = 0 };
	struct sim_options options;
	struct rspb_err err = { "" };
	int rc = sim_options_parse(&options, SIM_CHECK, argc, argv, &err);

	if (!rc && options.help) {
		usage();
		return SIM_OK;
	}
	if (!rc && options.n_left != 1)
		rc = rspb_fail(&err, "check: name one file");
	if (!rc && options.per_request + options.use + options.timeline > 1)
		rc = rspb_fail(&err, "--per-request, --use and --timeline exclude each other");
	if (!rc && (options.per_request || options.use) && !options.json && !options.csv)
		rc = rspb_fail(&err, "--per-request and --use need --csv or --json");
	check.told = options.json || options.csv || options.timeline ? stderr : stdout;
	if (!rc)
		rc = check_read(&check, options.left[0], &err);
	if (!rc)
		rc = judge(&check, &err);
	if (!rc)
		rc = report(&check, &options, &err);
	if (rc)
		fprintf(stderr, "rspb-sim: %s\n", err.text);
	check_fini(&check);
	return rc ? SIM_BAD_INPUT : check.faults ? SIM_TROUBLE : SIM_OK;
}
