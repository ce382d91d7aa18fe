/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes bookings and requests as objects of the protocol. The caller has checked who may see
 * them. */
#include "plugins/ctld/serve/reads.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "common/wire/flags.h"
#include "common/wire/json.h"
#include "common/wire/texts.h"
#include "plugins/ctld/base/report.h"

/* The members for either of them. 0, "" and NULL are left out. */
struct entry {
	uint64_t job;
	uint32_t array, task; /* as of the request */
	uint32_t uid;
	const char *reservation, *users, *accounts, *name;
	enum rspb_state state;
	int64_t start, end, held, firm_from;
	struct rspb_terms terms; /* what it asks for, with the memory and devices that it has */
	const char *binding;	 /* NULL: nothing is promised */
	uint32_t distance;	 /* of its nodes from those preferred, in 1/1000 */
	uint32_t components, nodes, promised;
	uint64_t gpus;		      /* of all nodes */
	json_object *by_node;	      /* given to the entry's object; NULL: as much of all */
	const struct rspb_part *part; /* NULL: not known */
	int64_t share;		      /* granted, 1/100 per cent of each node */
	struct rspb_ratio benefit;
	const char *names, *reason, *remark;
	bool open; /* it asked what could be had, and can still choose */
	const char *series, *account;
	size_t series_len, account_len;
};

static void add_number(json_object *to, const char *key, int64_t number)
{
	if (number)
		rspb_json_put_int(to, key, number);
}

static void add_text(json_object *to, const char *key, const char *text)
{
	if (text && *text)
		rspb_json_put_text(to, key, text);
}

/* Add which part of a node is taken, in per cent, if the part takes cores. */
static void add_part(json_object *to, const struct rspb_part *part)
{
	if (part->whole)
		rspb_json_put_real(to, "node_part",
				   100. * (double) part->share / (double) part->whole, 6);
}

/* Add the task of an array as squeue shows it: 12_3. */
static void add_task(json_object *to, const struct entry *e)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu32 "_%" PRIu32, e->array, e->task);
	if (e->array)
		add_text(to, "task", text);
}

/* Add the members of the flags that lists show. */
static void add_terms(json_object *to, const struct rspb_terms *flags)
{
	char key[RSPB_TERM_KEY];

	for (const struct rspb_term *t = rspb_terms; t->name; t++)
		if (t->where & RSPB_TERM_LISTED)
			add_number(to, rspb_term_key(t, key),
				   *(const int64_t *) rspb_term_at(t, flags));
}

/* Write an entry; the order of the members is that of doc/protocol.md. The entry's texts are only
 * read, but by_node goes over to the object, or is freed. RET the caller's object, NULL: out of
 * memory. */
static json_object *write_entry(const struct entry *e)
{
	json_object *to = json_object_new_object();

	if (!to) {
		json_object_put(e->by_node);
		return NULL;
	}
	add_number(to, "job", (int64_t) e->job);
	add_task(to, e);
	add_text(to, "reservation", e->reservation);
	add_text(to, "name", e->name);
	add_text(to, "users", e->users);
	add_text(to, "accounts", e->accounts);
	if (e->uid != RSPB_USER_NONE)
		rspb_json_put_int(to, "uid", e->uid);
	add_text(to, "state", rspb_state_name(e->state));
	add_text(to, "agreement", rspb_state_agreement(e->state));
	add_text(to, "binding", e->binding);
	add_number(to, "start", e->start);
	add_number(to, "end", e->end);
	add_number(to, "ready", e->terms.ready);
	add_number(to, "deadline", e->terms.deadline);
	add_number(to, "duration", e->terms.duration);
	add_number(to, "held", e->held);
	add_terms(to, &e->terms);
	add_number(to, "firm_from", e->firm_from);
	add_number(to, "components", e->components);
	add_number(to, "nodes_asked", e->terms.nodes);
	add_number(to, "nodes", e->nodes);
	add_number(to, "nodes_promised", e->promised);
	add_number(to, "cores", e->terms.cores);
	add_number(to, "mem", e->terms.mem);
	add_text(to, "gres", e->terms.gres);
	add_number(to, "gpus", (int64_t) e->gpus);
	add_text(to, "licenses", e->terms.licenses);
	if (e->by_node)
		rspb_json_put(to, "by_node", e->by_node);
	if (e->part)
		add_part(to, e->part);
	if (e->terms.share)
		rspb_json_put_real(to, "share_asked", (double) e->terms.share / 100, 6);
	if (e->share)
		rspb_json_put_real(to, "share", (double) e->share / 100, 6);
	if (e->distance)
		rspb_json_put_real(to, "distance", (double) e->distance / RSPB_PREFER_SCALE, 6);
	if (e->benefit.den)
		rspb_json_put_real(to, "benefit", rspb_ratio_double(e->benefit), 6);
	if (e->series_len)
		rspb_json_put(to, "series",
			      json_object_new_string_len(e->series, (int) e->series_len));
	if (e->account_len)
		rspb_json_put(to, "account",
			      json_object_new_string_len(e->account, (int) e->account_len));
	add_text(to, "names", e->names);
	add_text(to, "reason", e->reason);
	add_text(to, "remark", e->remark);
	if (e->open)
		rspb_json_put_bool(to, "open", true);
	return to;
}

/* Return, in the protocol's words, whether the start of a booking is fixed by now. NULL: it has
 * ended, or has no nodes. */
static const char *binding_of(const struct rspb_booking *b, int64_t now)
{
	if (!b->n_grants || rspb_state_final(b->state))
		return NULL;
	return rspb_booking_firm_from(b) > now ? "provisional" : "firm";
}

/* Return the distance of the nodes from the preferred ones, the mean over all nodes. */
static uint32_t distance_of(const struct rspb_booking *b)
{
	uint64_t sum = 0, n = 0;

	for (uint32_t i = 0; i < b->n_grants; i++) {
		uint32_t nodes = rspb_nodeset_count(b->grants[i].nodes);

		n += nodes;
		sum += (uint64_t) nodes *
		       rspb_part_distance(&b->request->parts[i], b->grants[i].nodes);
	}
	return n ? (uint32_t) (sum / n) : 0;
}

/* Add up the numbers of nodes over all parts. Cores and shares are those of the first part: a
 * request of several parts is a heterogeneous job, and has one entry. */
static void count_parts(const struct rspb_booking *b, struct entry *e)
{
	const struct rspb_request *r = b->request;

	e->terms.nodes = (uint32_t) rspb_request_nodes(r);
	for (uint32_t i = 0; i < b->n_grants; i++) {
		const struct rspb_grant *grant = &b->grants[i];

		e->promised += grant->share ? rspb_nodeset_count(grant->nodes)
					    : (uint32_t) rspb_grant_promised(grant);
	}
	e->nodes = rspb_booking_nodes(b);
	/* The number of promised nodes is worth a member only if the booking has grown beyond
	 * it. */
	if (e->promised == e->nodes)
		e->promised = 0;
	e->terms.share = r->parts[0].whole ? 0 : r->parts[0].share;
	e->share = b->n_grants && e->terms.share ? b->grants[0].share : 0;
	e->terms.cores = rspb_part_cores(&r->parts[0], r->parts[0].share);
	e->part = &r->parts[0];
}

/* --- what it takes of each node --------------------------------------------------- */

/* Nodes of which a part takes the same. */
struct same_nodes {
	struct rspb_nodeset *nodes; /* owned */
	struct rspb_taken of;
};

static bool is_same(const struct same_nodes *a, const struct same_nodes *b)
{
	return a->of.cores == b->of.cores && a->of.memory == b->of.memory &&
	       !strcmp(a->of.gres, b->of.gres);
}

/* Sort the nodes of a part by what it takes of them. RET how many sorts there are in *list, whose
 * nodes and itself the caller frees; 0: out of memory. */
static size_t sort_nodes(const struct rspb_picture *picture, const struct rspb_part *part,
			 const struct rspb_grant *grant, struct same_nodes **list)
{
	struct rspb_nodeset *one = rspb_nodeset_create(grant->nodes->width);
	size_t n_list = 0, at;

	*list = calloc(rspb_nodeset_count(grant->nodes) + 1, sizeof(**list));
	RSPB_NODESET_EACH (n, grant->nodes) {
		struct same_nodes *new = *list ? &(*list)[n_list] : NULL;

		if (!new || !one)
			break;
		rspb_nodeset_clear(one);
		rspb_nodeset_add(one, n);
		rspb_report_taken(part, grant, n, rspb_node_classes_gres(&picture->classes, one),
				  &new->of);
		for (at = 0; at < n_list && !is_same(&(*list)[at], new);)
			at++;
		if (at == n_list)
			/* The new entry has been filled in place behind the last one; it is counted
			 * only if no earlier one is the same. */
			new->nodes = rspb_nodeset_create(grant->nodes->width);
		if (at == n_list && !new->nodes)
			break;
		n_list += at == n_list;
		rspb_nodeset_add((*list)[at].nodes, n);
	}
	rspb_nodeset_destroy(one);
	return n_list;
}

static void free_sorts(struct same_nodes *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		rspb_nodeset_destroy(list[i].nodes);
	free(list);
}

/* Whether nodes of a part may give different things, so that each has to be looked at: other
 * amounts, or devices of other types. `gres` is what the part takes of each node, as far as all
 * have the same. */
static bool may_differ(const struct rspb_picture *picture, const struct rspb_part *part,
		       const struct rspb_grant *grant, const char *gres)
{
	if (part->whole)
		return part->n_odd || !rspb_gres_has_types(gres);
	return !grant->share && !*gres && rspb_node_classes_gpus(&picture->classes, grant->nodes);
}

/* Add the sorts of nodes as objects to a list, which is made for the first. */
static void add_sorts(const struct rspb_picture *picture, const struct same_nodes *list, size_t n,
		      json_object **out)
{
	for (size_t i = 0; i < n; i++) {
		json_object *to = json_object_new_object();
		char *names = rspb_picture_nodes(picture, list[i].nodes);

		add_text(to, "names", names);
		add_number(to, "nodes", rspb_nodeset_count(list[i].nodes));
		add_number(to, "cores", list[i].of.cores);
		add_number(to, "mem", list[i].of.memory);
		add_text(to, "gres", list[i].of.gres);
		free(names);
		*out = *out ? *out : json_object_new_array();
		json_object_array_add(*out, to);
	}
}

/* Write the licenses by their names, which the quota has only as a key. A license that the site no
 * longer has is left out. */
static void add_licenses(const struct rspb_picture *picture, const struct rspb_part *part,
			 struct rspb_text *out)
{
	for (uint32_t q = 0; q < part->n_quotas; q++) {
		const struct rspb_quota *quota = &part->quotas[q];

		for (size_t i = 0; rspb_quota_of_license(quota) && i < picture->n_stocks; i++)
			if (picture->stocks[i].key == quota->key)
				rspb_text_add(out, "%s%s:%" PRId64, out->len ? "," : "",
					      picture->stocks[i].name, quota->use);
	}
}

/* Find the memory, devices and licenses of a booking, and what its nodes give if they do not all
 * give the same (*by_node; NULL: they do). A booking of whole nodes has all GPUs of its nodes, and
 * a share of time has none. RET the GPUs of all nodes. */
static uint64_t find_besides(const struct rspb_picture *picture, const struct rspb_booking *b,
			     struct rspb_terms *out, json_object **by_node)
{
	const struct rspb_part *parts = b->request->parts;
	struct rspb_text licenses = rspb_text_over(out->licenses, sizeof(out->licenses));
	char gres[RSPB_CONTRACT_GRES];
	uint64_t gpus = 0;

	*by_node = NULL;
	out->mem = parts[0].whole ? (uint32_t) rspb_part_memory(&parts[0]) : 0;
	for (uint32_t i = 0; i < b->n_grants; i++) {
		const struct rspb_grant *grant = &b->grants[i];
		struct same_nodes *list = NULL;
		size_t n;

		rspb_report_gres(&parts[i], grant,
				 rspb_node_classes_gres(&picture->classes, grant->nodes), gres,
				 sizeof(gres));
		/* The amounts of each component of a heterogeneous job are listed. */
		n = may_differ(picture, &parts[i], grant, gres) ||
				    (b->n_grants > 1 && (parts[i].whole || *gres))
			    ? sort_nodes(picture, &parts[i], grant, &list)
			    : 0;
		for (size_t k = 0; k < n; k++)
			gpus += (uint64_t) rspb_gres_gpus(list[k].of.gres, NULL) *
				rspb_nodeset_count(list[k].nodes);
		if (!n && !(grant->share && !parts[i].whole))
			gpus += (uint64_t) rspb_gres_gpus(gres, NULL) *
				rspb_nodeset_count(grant->nodes);
		if (n == 1 && b->n_grants == 1) {
			/* All nodes give the same, of which the part itself names no type. */
			snprintf(gres, sizeof(gres), "%s", list[0].of.gres);
			out->mem = parts[0].whole ? (uint32_t) list[0].of.memory : 0;
			out->cores = list[0].of.cores;
		} else {
			add_sorts(picture, list, n, by_node);
		}
		free_sorts(list, n);
		/* A single text cannot say what several parts take of a node each. */
		if (b->n_grants == 1)
			snprintf(out->gres, sizeof(out->gres), "%s", gres);
		add_licenses(picture, &parts[i], &licenses);
	}
	return gpus;
}

void rspb_listing_taken(json_object *to, const struct rspb_picture *picture,
			const struct rspb_booking *b)
{
	struct rspb_terms has = {
		.book = true,
		.cores = rspb_part_cores(&b->request->parts[0], b->grants[0].share),
	};
	json_object *by_node;
	uint64_t gpus = find_besides(picture, b, &has, &by_node);

	add_part(to, &b->request->parts[0]);
	add_number(to, "cores", has.cores);
	add_number(to, "mem", has.mem);
	add_text(to, "gres", has.gres);
	add_number(to, "gpus", (int64_t) gpus);
	if (by_node)
		rspb_json_put(to, "by_node", by_node);
}

json_object *rspb_listing_booking(const struct rspb_picture *picture, const struct rspb_booking *b,
				  size_t most)
{
	const struct rspb_request *r = b->request;
	const struct rspb_named *named = rspb_picture_named(picture, r->id);
	/* Ids beyond the range of job ids are those of bookings without a job. */
	bool of_job = r->id <= UINT32_MAX;
	struct rspb_nodeset *all;
	json_object *object;
	char *names;
	struct entry e = {
		.job = of_job ? r->id : 0,
		.array = r->array,
		.task = r->task,
		.uid = r->user,
		/* Its reservation is deleted when it is over. */
		.reservation = named && named->name ? named->name
			       : of_job		    ? NULL
						    : r->name,
		.users = named ? named->users : NULL,
		.accounts = named ? named->accounts : NULL,
		.name = of_job ? r->name : NULL,
		.state = b->state,
		.start = b->start,
		.end = b->end,
		.held = r->held,
		.firm_from = rspb_booking_firm_from(b),
		.binding = binding_of(b, rspb_ledger_now(picture->ledger)),
		.distance = distance_of(b),
		.components = r->n_parts > 1 ? r->n_parts : 0,
		.benefit = b->benefit,
		.reason = b->why,
		.remark = named && !rspb_state_final(b->state) ? named->remark : NULL,
	};

	all = rspb_nodeset_create(rspb_ledger_nodes(picture->ledger));
	if (!all)
		return NULL;
	rspb_terms_asked(r, &e.terms);
	rspb_terms_size(r, 0, &e.terms);
	count_parts(b, &e);
	e.gpus = find_besides(picture, b, &e.terms, &e.by_node);
	e.series = rspb_request_series_of(r, &e.series_len);
	e.account = rspb_request_account_of(r, &e.account_len);
	rspb_booking_cover(b, all);
	names = rspb_picture_nodes(picture, all);
	/* A list of many bookings must fit into one frame of the protocol; rspb show has room for
	 * the names. */
	e.names = names && strlen(names) <= most ? names : NULL;
	object = write_entry(&e);
	free(names);
	rspb_nodeset_destroy(all);
	return object;
}

json_object *rspb_listing_asked(const struct rspb_asked *asked)
{
	char name[RSPB_REQUEST_NAME];
	struct rspb_contract c;

	if (rspb_contract_parse(asked->contract, &c, NULL))
		return NULL;
	/* A job name is any text of its user, also with characters that end a line. */
	rspb_text_clean(name, sizeof(name), asked->job_name ? asked->job_name : "");
	return write_entry(&(struct entry){
		.job = asked->name ? 0 : asked->id,
		.array = asked->array,
		.task = asked->task,
		.reservation = asked->name,
		.name = name,
		.users = asked->users,
		.accounts = asked->accounts,
		.uid = asked->uid,
		.state = c.state,
		.start = c.start,
		.end = c.end,
		.held = c.held,
		.terms = c.terms,
		.nodes = c.nodes_granted,
		.gpus = (uint64_t) rspb_gres_gpus(c.terms.gres, NULL) * c.terms.nodes,
		.share = c.share_granted,
		.benefit = c.benefit,
		.names = c.on,
		.reason = *c.reason || !asked->waits ? c.reason : asked->waits,
		/* A request for offers alone is declined with them, and its user can still accept
		 * one. */
		.open = c.terms.offers && c.state == RSPB_DECLINED,
		.series = c.terms.series,
		.series_len = strlen(c.terms.series),
	});
}
