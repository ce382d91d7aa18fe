/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/request/request.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"

struct rspb_request *rspb_request_create(uint32_t n_parts)
{
	struct rspb_request *request = calloc(1, sizeof(*request));

	if (!request)
		return NULL;
	/* calloc() may return NULL for nothing, which would look like a failure. */
	request->parts = calloc(n_parts ? n_parts : 1, sizeof(*request->parts));
	if (!request->parts) {
		free(request);
		return NULL;
	}
	request->n_parts = n_parts;
	for (uint32_t i = 0; i < n_parts; i++)
		request->parts[i].nodes = request->parts[i].nodes_min = 1;
	return request;
}

/* Copy a set that may be absent. RET 0 or -1: out of memory. */
static int clone_set(struct rspb_nodeset **to, const struct rspb_nodeset *from)
{
	*to = from ? rspb_nodeset_clone(from) : NULL;
	return from && !*to ? -1 : 0;
}

/* Copy size bytes, of which there may be none, to *to. RET likewise. */
static int clone_bytes(void *to, const void *from, size_t size)
{
	void *copy = size ? malloc(size) : NULL;

	if (copy)
		memcpy(copy, from, size);
	/* `to` points to a pointer of any type, so it is written as bytes. */
	memcpy(to, &copy, sizeof(copy));
	return size && !copy ? -1 : 0;
}

/* Copy the tiers of a part. After a failure to->n_tiers counts what is to be freed. RET
 * likewise. */
static int clone_tiers(struct rspb_part *to, const struct rspb_part *from)
{
	int failed;

	to->tiers = from->n_tiers ? calloc(from->n_tiers, sizeof(*to->tiers)) : NULL;
	to->n_tiers = to->tiers ? from->n_tiers : 0;
	failed = to->n_tiers < from->n_tiers;
	for (uint32_t i = 0; i < to->n_tiers; i++) {
		to->tiers[i].distance = from->tiers[i].distance;
		failed |= clone_set(&to->tiers[i].nodes, from->tiers[i].nodes);
	}
	return failed ? -1 : 0;
}

/* Copy a part with all that it owns. RET likewise; members that were not copied are NULL. */
static int clone_part(struct rspb_part *to, const struct rspb_part *from)
{
	int failed;

	*to = *from;
	to->benefit = NULL;
	failed = rspb_benefit_keep(&to->benefit, from->benefit);
	failed |= clone_set(&to->fixed, from->fixed);
	failed |= clone_set(&to->eligible, from->eligible);
	failed |= clone_tiers(to, from);
	failed |= clone_bytes(&to->odd, from->odd, from->n_odd * sizeof(*from->odd));
	failed |= clone_bytes(&to->quotas, from->quotas, from->n_quotas * sizeof(*from->quotas));
	return failed;
}

struct rspb_request *rspb_request_clone(const struct rspb_request *request)
{
	struct rspb_request *copy = rspb_request_create(request->n_parts);
	struct rspb_part *parts;
	int failed = 0;

	if (!copy)
		return NULL;
	/* All members are copied at once. The owned ones are replaced then, also after a
	 * failure, so that destroy() frees nothing of the original. */
	parts = copy->parts;
	*copy = *request;
	copy->parts = parts;
	copy->benefit = NULL;
	copy->benefit_time = NULL;
	copy->labels = copy->name = NULL;
	failed |= rspb_text_keep(&copy->labels, request->labels);
	failed |= rspb_text_keep(&copy->name, request->name);
	failed |= rspb_benefit_keep(&copy->benefit, request->benefit);
	failed |= rspb_benefit_keep(&copy->benefit_time, request->benefit_time);
	failed |= clone_bytes(&copy->forms, request->forms,
			      request->n_forms * sizeof(*request->forms));
	for (uint32_t i = 0; i < request->n_parts; i++)
		failed |= clone_part(&parts[i], &request->parts[i]);
	if (failed) {
		rspb_request_destroy(copy);
		return NULL;
	}
	return copy;
}

void rspb_part_forget_nodes(struct rspb_part *part)
{
	rspb_nodeset_destroy(part->fixed);
	rspb_nodeset_destroy(part->eligible);
	for (uint32_t i = 0; i < part->n_tiers; i++)
		rspb_nodeset_destroy(part->tiers[i].nodes);
	free(part->tiers);
	part->fixed = part->eligible = NULL;
	part->tiers = NULL;
	part->n_tiers = 0;
}

void rspb_part_fini(struct rspb_part *part)
{
	rspb_part_forget_nodes(part);
	free(part->odd);
	free(part->quotas);
	free(part->benefit);
}

void rspb_request_destroy(struct rspb_request *request)
{
	if (!request)
		return;
	for (uint32_t i = 0; i < request->n_parts; i++)
		rspb_part_fini(&request->parts[i]);
	free(request->parts);
	free(request->benefit);
	free(request->benefit_time);
	free(request->forms);
	free(request->labels);
	free(request->name);
	free(request);
}

int rspb_request_set_forms(struct rspb_request *request, const struct rspb_form *forms, uint32_t n)
{
	struct rspb_form *copy;

	/* The copy comes first, because `forms` may be the request's own. */
	if (clone_bytes(&copy, forms, n * sizeof(*forms)))
		return -1;
	free(request->forms);
	request->forms = copy;
	request->n_forms = n;
	return 0;
}

struct rspb_form rspb_request_form(const struct rspb_request *request)
{
	/* The forms may have changed the request since, so the first one tells what was asked
	 * for. */
	return request->n_forms ? request->forms[0]
				: (struct rspb_form){ .nodes = request->parts[0].nodes,
						      .duration = request->duration };
}

int64_t rspb_request_price(const struct rspb_request *request)
{
	return request->price ? request->price : RSPB_PRICE_USUAL;
}

uint32_t rspb_part_distance(const struct rspb_part *part, const struct rspb_nodeset *nodes)
{
	uint64_t sum = 0, n = rspb_nodeset_count(nodes);

	for (uint32_t i = 0; i < part->n_tiers; i++)
		RSPB_NODESET_EACH (node, part->tiers[i].nodes)
			/* Nodes in no tier add nothing, although they are the farthest: their
			 * distance is not known. */
			if (rspb_nodeset_has(nodes, node))
				sum += part->tiers[i].distance;
	return n ? (uint32_t) (sum / n) : 0;
}

void rspb_request_label(struct rspb_request *request, const char *account, const char *qos,
			const char *partition)
{
	/* The names that users give come last, because they may be too long for the room. */
	const char *const values[] = { partition, qos, account };
	static const char *const keys[] = { "partition", "qos", "account" };
	char labels[RSPB_REQUEST_LABELS];
	struct rspb_text out = rspb_text_over(labels, sizeof(labels));

	for (int i = 0; i < 3; i++)
		/* Users name accounts, and must not name more by that. */
		if (values[i] && *values[i] && !strpbrk(values[i], ",="))
			rspb_text_add(&out, "%s%s=%s", out.len ? "," : "", keys[i], values[i]);
	rspb_text_keep(&request->labels, labels);
}

/* Names have neither commas nor equals signs in them, so a label cannot be part of a value. */
static const char series_label[] = "series=";

void rspb_request_series(struct rspb_request *request, const char *series)
{
	const char *had = rspb_text_kept(request->labels);
	char labels[RSPB_REQUEST_LABELS];
	struct rspb_text out = rspb_text_over(labels, sizeof(labels));

	if (!series || !*series)
		return;
	rspb_text_add(&out, "%s%s%s%s", had, *had ? "," : "", series_label, series);
	/* Half a name would be another series. */
	if (out.len < out.size)
		rspb_text_keep(&request->labels, labels);
}

bool rspb_request_in_series(const struct rspb_request *request)
{
	return strstr(rspb_text_kept(request->labels), series_label);
}

/* RET the value of a label, of *len bytes; 0: it is not there. The end of the value is the next
 * comma. */
static const char *label_of(const struct rspb_request *request, const char *label, size_t *len)
{
	const char *at = strstr(rspb_text_kept(request->labels), label);

	at = at ? at + strlen(label) : "";
	*len = strcspn(at, ",");
	return at;
}

const char *rspb_request_series_of(const struct rspb_request *request, size_t *len)
{
	return label_of(request, series_label, len);
}

const char *rspb_request_account_of(const struct rspb_request *request, size_t *len)
{
	return label_of(request, "account=", len);
}

const struct rspb_benefit *rspb_request_benefit(const struct rspb_request *request, uint32_t part)
{
	const struct rspb_benefit *own = request->parts[part].benefit;

	if (!own)
		own = request->benefit;
	/* Without a function all is wanted, or nothing. */
	return own ? own : &rspb_benefit_hard;
}

struct rspb_ratio rspb_request_timely(const struct rspb_request *request, int64_t start)
{
	int64_t last = request->deadline - request->duration;

	/* Each start is worth as much then. */
	if (!request->benefit_time)
		return (struct rspb_ratio){ 1, 1 };
	return rspb_benefit_left(request->benefit_time, last - start, last - request->ready);
}

int64_t rspb_request_longest(const struct rspb_request *request)
{
	return request->n_forms ? request->forms[request->n_forms - 1].duration : request->duration;
}

int64_t rspb_request_first(const struct rspb_request *request, int64_t now)
{
	return request->ready > now ? request->ready : now;
}

int64_t rspb_request_last(const struct rspb_request *request)
{
	int64_t last = request->deadline - request->duration;
	int64_t slack = last - request->ready;
	struct rspb_ratio least;

	/* With a single start nothing is left to lose. */
	if (!request->benefit_time || slack <= 0)
		return last;
	/* A function that begins above 0 gives nothing to starts with less than that fraction of
	 * the slack left. */
	least = request->benefit_time->points[0].fraction;
	return least.num ? last - rspb_benefit_min_units(request->benefit_time, slack) : last;
}

bool rspb_part_all_fixed(const struct rspb_part *part)
{
	/* A part that names fewer nodes than it asks for gets others besides. */
	return part->fixed && rspb_nodeset_count(part->fixed) >= part->nodes;
}

uint64_t rspb_request_nodes(const struct rspb_request *request)
{
	uint64_t nodes = 0;

	for (uint32_t i = 0; i < request->n_parts; i++)
		nodes += request->parts[i].nodes;
	return nodes;
}

/* --- work on fewer or more nodes --- */

bool rspb_moldable_said(const struct rspb_moldable *work)
{
	return work->seconds || work->n;
}

int64_t rspb_moldable_duration(const struct rspb_moldable *work, uint32_t nodes)
{
	__int128 parts, per = (__int128) RSPB_MOLDABLE_WHOLE * nodes;

	/* A number in the table counts as it is, whatever a formula would say. */
	for (uint32_t i = 0; i < work->n; i++)
		if (work->table[i].nodes == nodes)
			return work->table[i].duration;
	if (!work->seconds)
		return 0;
	/* Amdahl's law in whole numbers, rounded up: the division comes last, and the product
	 * may need more than 64 bits. */
	parts = (__int128) work->serial * nodes + (RSPB_MOLDABLE_WHOLE - work->serial);
	return (int64_t) ((work->seconds * parts + per - 1) / per);
}

/* RET the i-th of n numbers, evenly from most down to least, with both of them. */
static uint32_t spread(uint32_t least, uint32_t most, uint32_t i, uint32_t n)
{
	return n == 1 ? most : most - (uint32_t) ((uint64_t) (most - least) * i / (n - 1));
}

/* The i-th number of so many that are tried; 0: it is not in the range. */
static uint32_t number_of(const struct rspb_moldable *work, const struct rspb_form_range *range,
			  uint32_t i, uint32_t tries)
{
	uint32_t number = work->n ? work->table[work->n - 1 - i].nodes
				  : spread(range->least, range->most, i, tries);

	/* A table counts all tasks; only numbers that fill all nodes evenly can be a form. */
	if (work->n && range->on)
		number = number % range->on ? 0 : number / range->on;
	return number < range->least || number > range->most ? 0 : number;
}

static struct rspb_form form_of(const struct rspb_moldable *work,
				const struct rspb_form_range *range, uint32_t number)
{
	uint32_t all = range->on ? number * range->on : number;
	/* The length is rounded up to whole units, such as the minutes of Slurm's time limits. */
	int64_t takes = rspb_moldable_duration(work, all) + range->unit - 1;

	return (struct rspb_form){
		.nodes = range->on ? range->on : number,
		.tasks = range->on ? number : 0,
		.duration = takes / range->unit * range->unit,
	};
}

uint32_t rspb_moldable_forms(const struct rspb_moldable *work, const struct rspb_form_range *range,
			     struct rspb_form out[RSPB_FORMS_MOST], struct rspb_err *err)
{
	uint32_t all = range->most - range->least + 1, n = 0;
	uint32_t tries = work->n ? work->n : all < RSPB_FORMS_MOST ? all : RSPB_FORMS_MOST;
	uint32_t each = range->on ? range->on : 1;

	for (uint32_t i = 0; i < tries; i++) {
		uint32_t number = number_of(work, range, i, tries);
		struct rspb_form form;

		if (!number)
			continue;
		form = form_of(work, range, number);
		/* A bound on the time rules out small numbers. */
		if (range->longest && form.duration > range->longest)
			continue;
		/* Drop forms on more nodes or tasks that take as long: they would only cost
		 * more. */
		while (n && out[n - 1].duration >= form.duration)
			n--;
		out[n++] = form;
	}
	if (!n)
		rspb_fail(err,
			  "on %" PRIu32 " to %" PRIu32 " %s it is not done "
			  "within %" PRId64 " minutes",
			  range->least * each, range->most * each, range->on ? "tasks" : "nodes",
			  range->longest / 60);
	return n;
}
