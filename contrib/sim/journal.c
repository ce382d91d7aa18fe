/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspb-sim journal: decide again what a controller decided, and compare.
 *
 * JSON lines, each an object with one member:
 *   {"machine":{"nodes":8,"preset":"live","now":0,"capacity":[10000,...]}}
 *     first; capacity (share units of each node) only where shares are booked
 *   {"block":{"start":0,"end":60,"nodes":"0-3"}}
 *     nodes taken from outside, for the next decision only
 *   {"request":{...}}  as common/json.h writes it: part of the next decision
 *   {"decide":{"now":5}}  the requests above are decided together
 *   {"booking":{...}}  what was decided, one for each of them, in their order
 *   {"event":{"id":7,"time":9,"event":"start"}}  as common/booking.h names them
 */
#include <stdlib.h>
#include <string.h>

#include "common/json.h"
#include "common/schedule.h"
#include "contrib/sim/model.h"
#include "contrib/sim/options.h"
#include "contrib/sim/sim.h"

static const int64_t time_limit = INT64_C(1) << 60;

enum { BATCH = 65536 };

struct journal {
	struct sim_options options;
	struct rspb_policy policy;
	struct rspb_ledger *ledger;	/* what was decided, as recorded */
	struct rspb_ledger *plan;	/* its clone for the next decision */
	uint32_t nodes;
	struct rspb_request **batch;	/* [BATCH] */
	struct rspb_booking **decided;	/* [BATCH], by us */
	size_t n_batch, n_decided, compared;
	size_t decisions, different;
	int64_t now;
};

static int fail_at(const struct sim_record *record, struct rspb_err *err)
{
	return sim_at(record, err);
}

static void forget_batch(struct journal *journal)
{
	for (size_t i = 0; i < journal->n_batch; i++)
		rspb_request_destroy(journal->batch[i]);
	for (size_t i = 0; i < journal->n_decided; i++)
		rspb_booking_destroy(journal->decided[i]);
	journal->n_batch = journal->n_decided = journal->compared = 0;
}

static int64_t *read_capacity(const struct sim_record *record, int64_t nodes,
			      struct rspb_err *err)
{
	struct json_object *list = sim_array(record, "capacity", err);
	int64_t *capacity = calloc((size_t) nodes, sizeof(*capacity));

	if (list && capacity &&
	    json_object_array_length(list) != (size_t) nodes) {
		sim_bad(record, "capacity", err, "has %zu entries, there are "
			"%lld nodes", json_object_array_length(list),
			(long long) nodes);
		list = NULL;
	}
	for (int64_t i = 0; list && capacity && i < nodes; i++)
		if (sim_value_int(record, "capacity",
				  json_object_array_get_idx(list, (size_t) i),
				  0, time_limit, &capacity[i], err))
			list = NULL;
	if (list && capacity)
		return capacity;
	free(capacity);
	return NULL;
}

static int read_machine(struct journal *journal,
			const struct sim_record *record, struct rspb_err *err)
{
	struct sim_options *options = &journal->options;
	struct json_object *preset = sim_get(record, "preset");
	int64_t nodes, now = 0, *capacity = NULL;

	if (journal->ledger)
		return sim_bad(record, "nodes", err, "a second machine");
	if (sim_int(record, "nodes", 1, 1 << 24, &nodes, err) ||
	    sim_int_or(record, "now", -time_limit, time_limit, &now, err))
		return -1;
	if (sim_has(record, "capacity")) {
		capacity = read_capacity(record, nodes, err);
		if (!capacity)
			return -1;
	}
	journal->ledger = rspb_ledger_create((uint32_t) nodes, capacity, now);
	free(capacity);
	if (!journal->ledger)
		return rspb_fail(err, "out of memory");
	journal->nodes = (uint32_t) nodes;
	if (options->conf) {
		journal->policy = options->config.policy;
		return 0;
	}
	return sim_preset_policy(options->n_presets ? options->presets[0] :
		json_object_is_type(preset, json_type_string) ?
		json_object_get_string(preset) : RSPB_PRESET_DEFAULT,
		&journal->policy, err);
}

/* The clone that the next decision is planned on. */
static int want_plan(struct journal *journal, const struct sim_record *record,
		     struct rspb_err *err)
{
	if (!journal->ledger) {
		rspb_fail(err, "the first line must be the machine");
		return fail_at(record, err);
	}
	if (!journal->plan)
		journal->plan = rspb_ledger_clone(journal->ledger);
	return journal->plan ? 0 : rspb_fail(err, "out of memory");
}

static int read_block(struct journal *journal, const struct sim_record *record,
		      struct rspb_err *err)
{
	struct json_object *nodes = sim_need(record, "nodes", err);
	struct rspb_nodeset *set;
	int64_t start, end;
	int rc;

	if (!nodes || want_plan(journal, record, err) ||
	    sim_int(record, "start", -time_limit, time_limit, &start, err) ||
	    sim_int(record, "end", -time_limit, time_limit, &end, err))
		return -1;
	set = rspb_nodeset_create(journal->nodes);
	if (!set)
		return rspb_fail(err, "out of memory");
	rc = rspb_nodeset_parse(set, json_object_get_string(nodes), err) ||
		rspb_ledger_block(journal->plan, start, end, set, err) ?
		fail_at(record, err) : 0;
	rspb_nodeset_destroy(set);
	return rc;
}

static int read_request(struct journal *journal,
			const struct sim_record *record, struct rspb_err *err)
{
	const char *text = sim_text(record->object);
	struct rspb_request *request;

	if (want_plan(journal, record, err))
		return -1;
	if (journal->n_decided)
		forget_batch(journal);
	if (journal->n_batch == BATCH)
		return rspb_fail(err, "more than %d requests at once", BATCH);
	request = rspb_request_from_json(text, strlen(text), journal->nodes,
					 err);
	if (!request)
		return fail_at(record, err);
	journal->batch[journal->n_batch++] = request;
	return 0;
}

static int advance(struct rspb_ledger *ledger, int64_t now,
		   struct rspb_err *err)
{
	struct rspb_record record = { .kind = RSPB_REC_ADVANCE, .time = now };

	return rspb_ledger_apply(ledger, &record, err);
}

static int read_decide(struct journal *journal,
		       const struct sim_record *record, struct rspb_err *err)
{
	if (want_plan(journal, record, err) ||
	    sim_int(record, "now", -time_limit, time_limit, &journal->now,
		    err))
		return -1;
	if (advance(journal->plan, journal->now, err) ||
	    advance(journal->ledger, journal->now, err) ||
	    rspb_schedule_batch(journal->plan, &journal->policy,
		(const struct rspb_request *const *) journal->batch,
		journal->n_batch, journal->now, journal->decided, err))
		return fail_at(record, err);
	journal->n_decided = journal->n_batch;
	rspb_ledger_destroy(journal->plan);
	journal->plan = NULL;
	return 0;
}

/* Is it the same decision? What is said about it may differ. */
static bool same_decision(struct rspb_booking *ours,
			  const struct rspb_booking *theirs)
{
	char *a, *b;
	bool same;

	memcpy(ours->reason, theirs->reason, sizeof(ours->reason));
	ours->decided_at = theirs->decided_at;
	a = rspb_booking_to_json(ours);
	b = rspb_booking_to_json(theirs);
	same = a && b && !strcmp(a, b);
	free(a);
	free(b);
	return same;
}

static int keep(struct journal *journal, const struct rspb_booking *booking,
		struct rspb_err *err)
{
	struct rspb_record record = {
		.kind = RSPB_REC_BOOK, .time = journal->now,
		.booking = booking,
	};

	if (booking->state != RSPB_BOOKED && booking->state != RSPB_ACTIVE)
		return 0;
	return rspb_ledger_apply(journal->ledger, &record, err);
}

static int read_booking(struct journal *journal,
			const struct sim_record *record, struct rspb_err *err)
{
	const char *text = sim_text(record->object);
	struct rspb_booking *booking, *ours;
	int rc;

	if (journal->compared == journal->n_decided) {
		rspb_fail(err, "a booking that no request before it asks for");
		return fail_at(record, err);
	}
	booking = rspb_booking_from_json(text, strlen(text), journal->nodes,
					 err);
	if (!booking)
		return fail_at(record, err);
	ours = journal->decided[journal->compared++];
	journal->decisions++;
	if (!same_decision(ours, booking)) {
		journal->different++;
		text = rspb_booking_to_json(ours);
		printf("line %zu: decided otherwise: %s\n", record->line,
		       text ? text : "");
		free((void *) (uintptr_t) text);
	}
	rc = keep(journal, booking, err) ? fail_at(record, err) : 0;
	rspb_booking_destroy(booking);
	return rc;
}

static int read_event(struct journal *journal, const struct sim_record *record,
		      struct rspb_err *err)
{
	struct rspb_record change = { .kind = RSPB_REC_EVENT };
	struct json_object *event = sim_need(record, "event", err);
	int64_t id;

	if (!event || want_plan(journal, record, err) ||
	    sim_int(record, "id", 0, time_limit, &id, err) ||
	    sim_int(record, "time", -time_limit, time_limit, &change.time,
		    err))
		return -1;
	change.id = (uint64_t) id;
	if (rspb_event_parse(json_object_get_string(event), &change.event))
		return sim_bad(record, "event", err, "%.60s is no event",
			       sim_text(event));
	/* The next decision is planned on what is true after this. */
	rspb_ledger_destroy(journal->plan);
	journal->plan = NULL;
	return rspb_ledger_apply(journal->ledger, &change, err) ?
		fail_at(record, err) : 0;
}

static const struct kind {
	const char *name;
	int (*read)(struct journal *journal, const struct sim_record *record,
		    struct rspb_err *err);
} kinds[] = {
	{ "machine", read_machine }, { "block", read_block },
	{ "request", read_request }, { "decide", read_decide },
	{ "booking", read_booking }, { "event", read_event },
	{ NULL, NULL }
};

static int read_line(struct journal *journal, const struct sim_record *line,
		     struct rspb_err *err)
{
	struct sim_record inner = *line;

	for (const struct kind *kind = kinds; kind->name; kind++) {
		inner.object = sim_get(line, kind->name);
		if (!json_object_is_type(inner.object, json_type_object))
			continue;
		inner.within = kind->name;
		return kind->read(journal, &inner, err);
	}
	rspb_fail(err, "none of machine, block, request, decide, booking, "
		  "event");
	return sim_at(line, err);
}

static int read_file(struct journal *journal, const char *path,
		     struct rspb_err *err)
{
	struct sim_lines lines;
	FILE *in = fopen(path, "r");
	char *text = NULL;
	size_t length;
	int rc;

	if (!in)
		return rspb_fail(err, "%s: it can't be opened", path);
	rc = sim_lines_slurp(in, path, &text, &length, err);
	fclose(in);
	if (rc)
		return -1;
	rc = sim_lines_parse(&lines, text, length, path, err);
	free(text);
	if (rc)
		return -1;
	for (size_t i = 0; !rc && i < lines.n; i++)
		rc = read_line(journal, &lines.records[i], err);
	sim_lines_fini(&lines);
	return rc;
}

static int replay(struct journal *journal, struct rspb_err *err)
{
	journal->batch = calloc(BATCH, sizeof(struct rspb_request *));
	journal->decided = calloc(BATCH, sizeof(struct rspb_booking *));
	if (!journal->batch || !journal->decided)
		return rspb_fail(err, "out of memory");
	if (read_file(journal, journal->options.left[0], err))
		return -1;
	printf("%zu decisions, %zu otherwise than recorded\n",
	       journal->decisions, journal->different);
	return 0;
}

int sim_journal_main(int argc, char **argv)
{
	struct journal journal = { .nodes = 0 };
	struct rspb_err err = { "" };
	int rc = sim_options_parse(&journal.options, argc, argv, &err);

	if (!rc && journal.options.help) {
		puts("usage: rspb-sim journal FILE [--preset NAME | --conf "
		     "FILE]\nDecides again what a journal records and "
		     "compares; exit status 1 when a decision\ndiffers. "
		     "rspb-sim(1) tells the format.");
		return SIM_OK;
	}
	if (!rc && journal.options.n_left != 1)
		rc = rspb_fail(&err, "journal: one file, please");
	if (!rc)
		rc = replay(&journal, &err);
	if (rc)
		fprintf(stderr, "rspb-sim: %s\n", err.text);
	forget_batch(&journal);
	rspb_ledger_destroy(journal.plan);
	rspb_ledger_destroy(journal.ledger);
	free(journal.batch);
	free(journal.decided);
	sim_options_fini(&journal.options);
	return rc ? SIM_BAD_INPUT : journal.different ? SIM_TROUBLE : SIM_OK;
}
