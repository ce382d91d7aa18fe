/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes what a policy that is a program is told. */
#include <inttypes.h>
#include <stdlib.h>

#include "common/wire/json.h"
#include "contrib/sim/replay/outside_internal.h"

void sim_outside_write_machine(struct sim_outside *outside)
{
	const struct sim_workload *w = outside->workload;
	FILE *out = outside->out;

	fprintf(out, "{\"protocol\":%d,\"nodes\":%" PRIu32 ",\"firm\":%" PRId64,
		SIM_OUTSIDE_PROTOCOL, w->nodes, w->setup.firm);
	for (uint32_t n = 0; w->capacity && n < w->nodes; n++)
		fprintf(out, "%s%" PRId64, n ? "," : ",\"capacity\":[", w->capacity[n]);
	fputs(w->capacity ? "]" : "", out);
	if (w->links)
		fprintf(out, ",\"links\":%" PRIu32, w->links);
	fputs("}\n", out);
}

/* The steps of the calendar that are written. */
struct steps {
	struct sim_outside *outside;
	int64_t from, until;
	size_t n;
};

static void write_step(struct steps *steps, int64_t time, const struct rspb_nodeset *booked)
{
	struct sim_outside *outside = steps->outside;
	char text[256];

	fprintf(outside->out, "%s[%" PRId64 ",", steps->n++ ? "," : "", time);
	if (outside->send == SIM_SEND_COUNTS) {
		fprintf(outside->out, "%" PRIu32 "]",
			outside->workload->nodes - rspb_nodeset_count(booked));
		return;
	}
	rspb_nodeset_fill(outside->set);
	rspb_nodeset_minus(outside->set, booked);
	if (rspb_nodeset_print(outside->set, text, sizeof(text)) < sizeof(text)) {
		fprintf(outside->out, "\"%s\"]", text);
	} else {
		struct json_object *whole = rspb_json_nodes(outside->set);

		fprintf(outside->out, "%s]", json_object_to_json_string(whole));
		json_object_put(whole);
	}
}

static int add_step(int64_t time, const struct rspb_nodeset *booked, void *arg)
{
	struct steps *steps = arg;

	if (time > steps->until)
		return 1;
	/* The first step began at some earlier time. */
	write_step(steps, time > steps->from ? time : steps->from, booked);
	return 0;
}

/* The free nodes from now until the last deadline. */
static int write_free(struct sim_outside *outside, const struct rspb_ledger *ledger, int64_t now,
		      int64_t until, struct rspb_err *err)
{
	struct steps steps = { outside, now, until, 0 };

	fputs(",\"free\":[", outside->out);
	/* Nothing is recorded before the first booking. */
	if (rspb_profile_free_over(rspb_ledger_profile(ledger), now, now + 1, outside->free, err))
		return -1;
	rspb_nodeset_fill(outside->set);
	rspb_nodeset_minus(outside->set, outside->free);
	rspb_nodeset_copy(outside->free, outside->set);
	write_step(&steps, now, outside->free);
	steps.from = now + 1;
	rspb_profile_records(rspb_ledger_profile(ledger), add_step, &steps);
	fputs("]", outside->out);
	return 0;
}

/* Find the free rectangles of a query, at most outside->most; one alone is searched for, which
 * is faster. RET how many, in *rects, for the caller; -1 with err. */
static int64_t find_starts(const struct sim_outside *outside, const struct rspb_profile *profile,
			   const struct rspb_query *query, struct rspb_rect **rects,
			   struct rspb_err *err)
{
	static const struct rspb_preference first = { NULL, false };
	int64_t n;

	if (outside->most != 1) {
		n = rspb_profile_candidates(profile, query, rects, err);
		return outside->most && n > outside->most ? outside->most : n;
	}
	*rects = calloc(1, sizeof(**rects));
	if (!*rects)
		return rspb_fail(err, "out of memory");
	n = rspb_profile_search(profile, query, &first, *rects, outside->set, err);
	if (n < 0)
		free(*rects);
	return n;
}

/* Write the starts at which all of a request fits, with the free rectangle around each. */
static int write_starts(struct sim_outside *outside, const struct rspb_ledger *ledger,
			const struct rspb_request *request, int64_t now, struct rspb_err *err)
{
	const struct rspb_part *part = &request->parts[0];
	struct rspb_query query = {
		.ready = request->ready > now ? request->ready : now,
		.deadline = request->deadline,
		.duration = request->duration,
		.nodes = part->nodes_min,
		.eligible = part->eligible,
	};
	struct rspb_rect *rects;
	int64_t n;

	if (request->n_parts != 1 || part->share || part->fixed ||
	    part->nodes_min > outside->workload->nodes)
		return 0;
	n = find_starts(outside, rspb_ledger_profile(ledger), &query, &rects, err);
	if (n < 0)
		return -1;
	fputs(",\"starts\":[", outside->out);
	for (int64_t i = 0; i < n; i++)
		fprintf(outside->out, "%s[%" PRId64 ",%" PRIu32 ",%" PRId64 ",%" PRId64 "]",
			i ? "," : "", rects[i].start, rects[i].free, rects[i].left, rects[i].right);
	fputs("]", outside->out);
	free(rects);
	return 0;
}

/* Write what nobody has of each node in the first window of a request. */
static int write_room(struct sim_outside *outside, const struct rspb_ledger *ledger,
		      const struct rspb_request *request, int64_t now, struct rspb_err *err)
{
	const struct rspb_shares *shares = rspb_ledger_shares(ledger);
	int64_t start = request->ready > now ? request->ready : now;

	if (rspb_ledger_shareable_over(ledger, start, start + request->duration, outside->set,
				       err) ||
	    rspb_shares_peaks(shares, start, start + request->duration, outside->peaks, err))
		return -1;
	fputs(",\"room\":[", outside->out);
	for (uint32_t n = 0; n < outside->workload->nodes; n++)
		fprintf(outside->out, "%s%" PRId64, n ? "," : "",
			rspb_nodeset_has(outside->set, n)
				? rspb_shares_capacity(shares, n) - outside->peaks[n]
				: 0);
	fputs("]", outside->out);
	return 0;
}

/* Write the terms of a request that a line of numbers does not have. */
static int write_terms(struct sim_outside *outside, const struct rspb_request *request,
		       struct rspb_err *err)
{
	struct json_object *value = rspb_json_write(rspb_json_request, request);

	if (!value)
		return rspb_fail(err, "out of memory");
	fprintf(outside->out, ",\"terms\":%s",
		json_object_to_json_string_ext(value, JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(value);
	return 0;
}

static int write_request(struct sim_outside *outside, const struct rspb_ledger *ledger,
			 const struct rspb_request *request, int64_t now, struct rspb_err *err)
{
	FILE *out = outside->out;
	uint32_t nodes = 0;
	bool shares = false;

	for (uint32_t i = 0; i < request->n_parts; i++) {
		nodes += request->parts[i].nodes;
		shares |= request->parts[i].share > 0;
	}
	fprintf(out,
		"{\"id\":%" PRIu64 ",\"arrival\":%" PRId64 ",\"ready\":%" PRId64
		",\"deadline\":%" PRId64 ",\"duration\":%" PRId64 ",\"nodes\":%" PRIu32
		",\"priority\":%" PRId64,
		request->id, request->arrival, request->ready, request->deadline, request->duration,
		nodes, request->priority);
	if (outside->workload->jobs[request->id - 1].request || outside->workload->sizes.of)
		if (write_terms(outside, request, err))
			return -1;
	if (outside->send == SIM_SEND_STARTS &&
	    (shares ? write_room : write_starts)(outside, ledger, request, now, err))
		return -1;
	fputs("}", out);
	return 0;
}

int sim_outside_write_batch(struct sim_outside *outside, const struct rspb_ledger *ledger,
			    const struct rspb_request *const *requests, const bool *done, size_t n,
			    int64_t now, struct rspb_err *err)
{
	int64_t until = now;
	bool first = true;

	fprintf(outside->out, "{\"now\":%" PRId64 ",\"ended\":[", now);
	for (size_t i = 0; i < outside->n_ended; i++)
		fprintf(outside->out, "%s%" PRIu64, i ? "," : "", outside->ended[i]);
	outside->n_ended = 0;
	fputs("],\"requests\":[", outside->out);
	for (size_t i = 0; i < n; i++) {
		if (done[i])
			continue;
		fputs(first ? "" : ",", outside->out);
		first = false;
		if (write_request(outside, ledger, requests[i], now, err))
			return -1;
		until = requests[i]->deadline > until ? requests[i]->deadline : until;
	}
	fputs("]", outside->out);
	if ((outside->send == SIM_SEND_COUNTS || outside->send == SIM_SEND_NODES) &&
	    write_free(outside, ledger, now, until, err))
		return -1;
	fputs("}\n", outside->out);
	return 0;
}
