/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/replay/sites.h"

#include <stdlib.h>
#include <string.h>

#include "contrib/sim/replay/terms.h"

enum { SITES = 64, LINKS = 256, MOST_NODES = 1 << 20, MOST_BANDWIDTH = INT32_MAX };

struct site {
	const char *name;
	uint32_t first, nodes;
};

struct link {
	uint32_t ends[2]; /* sites */
	int64_t capacity;
};

struct net {
	struct site sites[SITES];
	uint32_t n_sites;
	struct link links[LINKS];
	uint32_t n_links;
	uint32_t nodes; /* of all sites */
};

bool sim_sites_are(const struct sim_lines *lines)
{
	return sim_has(&lines->config, "sites");
}

/* RET the next object of a list, in a record of its own, false with err: it is none. */
static bool take_object(const struct sim_record *record, const char *key, const char *within,
			struct json_object *list, size_t i, struct sim_record *one,
			struct rspb_err *err)
{
	*one = *record;
	one->within = within;
	one->object = json_object_array_get_idx(list, i);
	if (json_object_is_type(one->object, json_type_object))
		return true;
	sim_bad(record, key, err, "%.60s is not an object", sim_text(one->object));
	return false;
}

/* RET the site that a value names, SITES with err. */
static uint32_t find_site(const struct net *net, const struct sim_record *record, const char *key,
			  struct json_object *value, struct rspb_err *err)
{
	const char *name = json_object_is_type(value, json_type_string)
				   ? json_object_get_string(value)
				   : "";

	for (uint32_t i = 0; i < net->n_sites; i++)
		if (!strcmp(net->sites[i].name, name))
			return i;
	sim_bad(record, key, err, "%.60s is none of the sites", sim_text(value));
	return SITES;
}

static int read_site(struct net *net, const struct sim_record *record, struct rspb_err *err)
{
	struct json_object *name = sim_need(record, "name", err);
	struct site *site = &net->sites[net->n_sites];
	int64_t nodes;

	if (!name || sim_only(record, "name nodes", err) ||
	    sim_int(record, "nodes", 1, MOST_NODES - net->nodes, &nodes, err))
		return -1;
	if (!json_object_is_type(name, json_type_string) || !json_object_get_string_len(name))
		return sim_bad(record, "name", err, "%.60s is not a name", sim_text(name));
	for (uint32_t i = 0; i < net->n_sites; i++)
		if (!strcmp(net->sites[i].name, json_object_get_string(name)))
			return sim_bad(record, "name", err, "%.60s is already used",
				       sim_text(name));
	*site = (struct site){ json_object_get_string(name), net->nodes, (uint32_t) nodes };
	net->nodes += site->nodes;
	net->n_sites++;
	return 0;
}

/* The two sites of "between". RET 0 or -1 with err. */
static int read_ends(const struct net *net, const struct sim_record *record, uint32_t ends[2],
		     struct rspb_err *err)
{
	struct json_object *list = sim_array(record, "between", err);

	if (!list)
		return -1;
	if (json_object_array_length(list) != 2)
		return sim_bad(record, "between", err, "must name two sites");
	for (size_t i = 0; i < 2; i++) {
		ends[i] = find_site(net, record, "between", json_object_array_get_idx(list, i),
				    err);
		if (ends[i] == SITES)
			return -1;
	}
	return ends[0] != ends[1] ? 0 : sim_bad(record, "between", err, "both are the same site");
}

static int read_link(struct net *net, const struct sim_record *record, struct rspb_err *err)
{
	struct link *link = &net->links[net->n_links];

	if (sim_only(record, "between bandwidth", err) || read_ends(net, record, link->ends, err) ||
	    sim_int(record, "bandwidth", 1, MOST_BANDWIDTH, &link->capacity, err))
		return -1;
	net->n_links++;
	return 0;
}

/* Read all of a list. RET 0 or -1 with err. */
static int read_list(struct net *net, const struct sim_record *config, const char *key,
		     const char *within, size_t most,
		     int (*read)(struct net *net, const struct sim_record *record,
				 struct rspb_err *err),
		     struct rspb_err *err)
{
	struct json_object *list = sim_array(config, key, err);
	size_t n = list ? json_object_array_length(list) : 0;
	struct sim_record one;

	if (!list)
		return -1;
	if (n > most)
		return sim_bad(config, key, err, "has %zu entries, allowed are %zu", n, most);
	for (size_t i = 0; i < n; i++)
		if (!take_object(config, key, within, list, i, &one, err) || read(net, &one, err))
			return -1;
	return 0;
}

static int read_net(struct net *net, const struct sim_record *config, struct sim_workload *workload,
		    struct rspb_err *err)
{
	if (sim_only(config, "type sites links", err) ||
	    read_list(net, config, "sites", "sites[].", SITES, read_site, err))
		return -1;
	if (!net->n_sites)
		return sim_bad(config, "sites", err, "must have at least one site");
	if (sim_has(config, "links") &&
	    read_list(net, config, "links", "links[].", LINKS, read_link, err))
		return -1;
	workload->nodes = net->nodes + net->n_links;
	workload->links = net->n_links;
	if (!net->n_links)
		return 0;
	workload->capacity = calloc(workload->nodes, sizeof(*workload->capacity));
	if (!workload->capacity)
		return rspb_fail(err, "out of memory");
	for (uint32_t n = 0; n < net->nodes; n++)
		workload->capacity[n] = RSPB_SHARE_WHOLE;
	for (uint32_t i = 0; i < net->n_links; i++)
		workload->capacity[net->nodes + i] = net->links[i].capacity;
	return 0;
}

/* The links from one site to another, as few as possible, the first named of equals. RET how
 * many, 0: there is no way. */
static uint32_t find_way(const struct net *net, const uint32_t ends[2], uint32_t way[SITES])
{
	uint32_t from[SITES], by[SITES], queue[SITES], head = 0, tail = 0, n = 0;
	bool seen[SITES] = { false };

	queue[tail++] = ends[0];
	seen[ends[0]] = true;
	while (head < tail && !seen[ends[1]]) {
		uint32_t at = queue[head++];

		for (uint32_t i = 0; i < net->n_links; i++) {
			const struct link *link = &net->links[i];
			uint32_t to = link->ends[link->ends[0] == at];

			if ((link->ends[0] != at && link->ends[1] != at) || seen[to])
				continue;
			seen[to] = true;
			from[to] = at;
			by[to] = i;
			queue[tail++] = to;
		}
	}
	for (uint32_t at = ends[1]; seen[ends[1]] && at != ends[0]; at = from[at])
		way[n++] = by[at];
	return n;
}

/* The bandwidth of each link and the nodes of each site that a request takes. */
struct wants {
	struct {
		uint32_t site;
		int64_t nodes, least;
	} parts[RSPB_MAX_PARTS];
	uint32_t n_parts;
	int64_t of_link[LINKS];
	uint32_t n_links;
};

static int read_part(const struct net *net, const struct sim_record *record, struct wants *wants,
		     struct rspb_err *err)
{
	uint32_t site;
	int64_t nodes, least;

	if (sim_only(record, "site nodes least", err))
		return -1;
	site = find_site(net, record, "site", sim_get(record, "site"), err);
	if (site == SITES || sim_int(record, "nodes", 1, net->sites[site].nodes, &nodes, err))
		return -1;
	least = nodes;
	if (sim_int_or(record, "least", 1, nodes, &least, err))
		return -1;
	wants->parts[wants->n_parts].site = site;
	wants->parts[wants->n_parts].nodes = nodes;
	wants->parts[wants->n_parts++].least = least;
	return 0;
}

static int read_bandwidth(const struct net *net, const struct sim_record *record,
			  struct wants *wants, struct rspb_err *err)
{
	uint32_t ends[2], way[SITES], n;
	int64_t amount;

	if (sim_only(record, "between amount", err) || read_ends(net, record, ends, err) ||
	    sim_int(record, "amount", 1, MOST_BANDWIDTH, &amount, err))
		return -1;
	n = find_way(net, ends, way);
	if (!n)
		return sim_bad(record, "between", err, "no links lead from one to the other");
	for (uint32_t i = 0; i < n; i++) {
		wants->n_links += !wants->of_link[way[i]];
		wants->of_link[way[i]] += amount;
		if (wants->of_link[way[i]] > net->links[way[i]].capacity)
			return sim_bad(record, "amount", err,
				       "the link of %s and %s has a bandwidth of %lld",
				       net->sites[net->links[way[i]].ends[0]].name,
				       net->sites[net->links[way[i]].ends[1]].name,
				       (long long) net->links[way[i]].capacity);
	}
	return 0;
}

static int read_wants(const struct net *net, const struct sim_record *record, struct wants *wants,
		      struct rspb_err *err)
{
	struct json_object *parts = sim_array(record, "parts", err), *list = NULL;
	struct sim_record one;
	size_t n = parts ? json_object_array_length(parts) : 0;

	if (!parts)
		return -1;
	if (!n || n > RSPB_MAX_PARTS)
		return sim_bad(record, "parts", err, "has %zu entries, allowed are 1 to %d", n,
			       RSPB_MAX_PARTS);
	for (size_t i = 0; i < n; i++)
		if (!take_object(record, "parts", "parts[].", parts, i, &one, err) ||
		    read_part(net, &one, wants, err))
			return -1;
	if (sim_has(record, "bandwidth") && !(list = sim_array(record, "bandwidth", err)))
		return -1;
	for (size_t i = 0; list && i < json_object_array_length(list); i++)
		if (!take_object(record, "bandwidth", "bandwidth[].", list, i, &one, err) ||
		    read_bandwidth(net, &one, wants, err))
			return -1;
	if (wants->n_parts + wants->n_links > RSPB_MAX_PARTS)
		return sim_bad(record, "bandwidth", err, "more than %d parts and links",
			       RSPB_MAX_PARTS);
	return 0;
}

/* RET a set of these nodes, NULL: out of memory. */
static struct rspb_nodeset *range(uint32_t width, uint32_t first, uint32_t n)
{
	struct rspb_nodeset *set = rspb_nodeset_create(width);

	for (uint32_t i = 0; set && i < n; i++)
		rspb_nodeset_add(set, first + i);
	return set;
}

/* Fill the parts of a request: nodes of sites first, then links. RET 0 or -1 with err. */
static int fill_parts(const struct net *net, const struct wants *wants, uint32_t width,
		      struct rspb_request *request, struct rspb_err *err)
{
	uint32_t at = 0;

	for (; at < wants->n_parts; at++) {
		const struct site *site = &net->sites[wants->parts[at].site];
		struct rspb_part *part = &request->parts[at];

		part->nodes = (uint32_t) wants->parts[at].nodes;
		part->nodes_min = (uint32_t) wants->parts[at].least;
		part->eligible = range(width, site->first, site->nodes);
		if (!part->eligible)
			return rspb_fail(err, "out of memory");
	}
	for (uint32_t i = 0; i < net->n_links; i++) {
		struct rspb_part *part = &request->parts[at];

		if (!wants->of_link[i])
			continue;
		part->nodes = part->nodes_min = 1;
		part->share = wants->of_link[i];
		part->fixed = range(width, net->nodes + i, 1);
		if (!part->fixed)
			return rspb_fail(err, "out of memory");
		at++;
	}
	return 0;
}

/* RET a request for all of it, with the terms of a plain one, NULL with err. */
static struct rspb_request *join(const struct net *net, const struct wants *wants, uint32_t width,
				 const struct rspb_request *plain, struct rspb_err *err)
{
	struct rspb_request *request = rspb_request_create(wants->n_parts + wants->n_links);

	if (!request) {
		rspb_fail(err, "out of memory");
		return NULL;
	}
	request->id = plain->id;
	request->arrival = plain->arrival;
	request->ready = plain->ready;
	request->deadline = plain->deadline;
	request->duration = plain->duration;
	request->priority = plain->priority;
	request->price = plain->price;
	if (rspb_benefit_keep(&request->benefit, plain->benefit) ||
	    rspb_benefit_keep(&request->benefit_time, plain->benefit_time))
		rspb_fail(err, "out of memory");
	else if (!fill_parts(net, wants, width, request, err))
		return request;
	rspb_request_destroy(request);
	return NULL;
}

static int read_request(const struct net *net, const struct sim_record *record,
			struct sim_workload *workload, struct rspb_err *err)
{
	struct wants *wants = calloc(1, sizeof(*wants));
	struct sim_job job = { .nodes = 1 };
	struct rspb_request *plain = NULL;
	int rc = wants ? 0 : rspb_fail(err, "out of memory");

	if (!rc)
		rc = sim_only(record,
			      "arrival ready deadline duration parts bandwidth priority price "
			      "benefit benefit_time",
			      err) || sim_terms_window(record, workload, &job, err) ||
				     read_wants(net, record, wants, err) ||
				     sim_terms_worth(record, workload->n + 1, &job, &plain, err)
			     ? -1
			     : 0;
	if (!rc) {
		job.request = join(net, wants, workload->nodes, plain, err);
		job.nodes = 0;
		for (uint32_t i = 0; i < wants->n_parts; i++)
			job.nodes += (uint32_t) wants->parts[i].nodes;
		rc = job.request ? sim_workload_add(workload, &job, err) : -1;
	}
	rspb_request_destroy(plain);
	free(wants);
	return rc;
}

int sim_sites_read(const struct sim_lines *lines, size_t limit, struct sim_workload *workload,
		   struct rspb_err *err)
{
	struct net *net = calloc(1, sizeof(*net));
	int rc = net ? read_net(net, &lines->config, workload, err)
		     : rspb_fail(err, "out of memory");

	for (size_t i = 0; !rc && i < lines->n && (!limit || i < limit); i++)
		rc = read_request(net, &lines->records[i], workload, err);
	free(net);
	return rc;
}
