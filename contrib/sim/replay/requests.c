/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/replay/requests.h"

#include <stdlib.h>
#include <string.h>

#include "contrib/sim/jsonl/lines.h"
#include "contrib/sim/replay/sites.h"
#include "contrib/sim/replay/terms.h"

enum { MOST_NODES = 1 << 20 };

/* "mem", "gpus" and "gres" of an object, of kinds that the machine has, or, of the
 * machine itself, may be new. RET 0 or -1 with err. */
static int read_kind(const struct sim_record *record, struct sim_sizes *sizes, const char *key,
		     const char *name, struct json_object *value, bool machine,
		     struct sim_size *size, struct rspb_err *err)
{
	uint32_t known = sizes->kinds;
	struct rspb_err why;
	int64_t amount;
	int k = sim_sizes_kind(sizes, name, &why);

	if (k >= 0 && !machine && sizes->kinds > known) {
		sizes->kinds = known;
		return sim_bad(record, key, err, "no node has any %s", name);
	}
	if (k < 0)
		return sim_bad(record, key, err, "%s", why.text);
	if (sim_value_int(record, key, value, 0, INT32_MAX, &amount, err))
		return -1;
	if (size->has[k])
		return sim_bad(record, key, err, "%s is given twice", name);
	size->has[k] = (uint32_t) amount;
	return 0;
}

static int read_size(const struct sim_record *record, struct sim_sizes *sizes, bool machine,
		     struct sim_size *size, struct rspb_err *err)
{
	static const char *const keys[][2] = { { "mem", "memory" }, { "gpus", "gpu" } };
	struct json_object *gres = sim_get(record, "gres");
	int64_t cores = 0;

	*size = (struct sim_size){ .cores = 0 };
	if (sim_int_or(record, "cores", 1, INT32_MAX / RSPB_SHARE_CORE, &cores, err))
		return -1;
	size->cores = (uint32_t) cores;
	for (size_t i = 0; i < 2; i++) {
		struct json_object *value = sim_get(record, keys[i][0]);

		if (value &&
		    read_kind(record, sizes, keys[i][0], keys[i][1], value, machine, size, err))
			return -1;
	}
	if (!gres)
		return 0;
	if (!json_object_is_type(gres, json_type_object))
		return sim_bad(record, "gres", err, "%.60s is not an object of names and numbers",
			       sim_text(gres));
	json_object_object_foreach(gres, name, value)
	{
		if (read_kind(record, sizes, "gres", name, value, machine, size, err))
			return -1;
	}
	return 0;
}

/* Read one class of nodes. */
static int read_class(const struct sim_record *record, struct sim_workload *workload,
		      struct rspb_err *err)
{
	struct sim_sizes *sizes = &workload->sizes;
	struct sim_size size;
	int64_t nodes;

	if (sim_only(record, "nodes cores mem gpus gres", err) ||
	    sim_int(record, "nodes", 1, MOST_NODES - sizes->nodes, &nodes, err) ||
	    !sim_need(record, "cores", err) || read_size(record, sizes, true, &size, err))
		return -1;
	return sim_sizes_add(sizes, (uint32_t) nodes, &size, err);
}

static int read_machine(const struct sim_record *config, struct sim_workload *workload,
			struct rspb_err *err)
{
	struct json_object *list;
	struct sim_record one = *config;
	size_t n;

	if (sim_only(config, "type machine undivided", err) ||
	    sim_bool_or(config, "undivided", &workload->undivided, err))
		return -1;
	list = sim_array(config, "machine", err);
	n = list ? json_object_array_length(list) : 0;
	if (!list)
		return -1;
	if (!n)
		return sim_bad(config, "machine", err, "must have at least one class of nodes");
	one.within = "machine[].";
	for (size_t i = 0; i < n; i++) {
		one.object = json_object_array_get_idx(list, i);
		if (!json_object_is_type(one.object, json_type_object))
			return sim_bad(config, "machine", err, "%.60s is not an object",
				       sim_text(one.object));
		if (read_class(&one, workload, err))
			return -1;
	}
	return sim_workload_sized(workload, err);
}

static int read_request(const struct sim_record *record, struct sim_workload *workload,
			struct rspb_err *err)
{
	struct sim_job job = { .request = NULL };
	struct sim_size takes;
	int64_t nodes = 1;
	int rc;

	if (sim_only(record,
		     "arrival ready deadline duration nodes cores mem gpus gres "
		     "priority price benefit benefit_time",
		     err) ||
	    sim_terms_window(record, workload, &job, err) ||
	    sim_int_or(record, "nodes", 1, MOST_NODES, &nodes, err) ||
	    read_size(record, &workload->sizes, false, &takes, err))
		return -1;
	job.nodes = (uint32_t) nodes;
	if (sim_terms_worth(record, workload->n + 1, &job, &job.request, err)) {
		rspb_request_destroy(job.request);
		return -1;
	}
	rc = sim_workload_add_sized(workload, &job, &takes, err);
	return rc <= 0 ? rc
		       : sim_bad(record, "nodes", err,
				 "the machine does not have %lld nodes with what it requests",
				 (long long) nodes);
}

/* Requests for nodes with sizes. RET 0 or -1 with err. */
static int read_parts(const struct sim_lines *lines, size_t limit, struct sim_workload *workload,
		      struct rspb_err *err)
{
	int rc = read_machine(&lines->config, workload, err);

	for (size_t i = 0; !rc && i < lines->n && (!limit || i < limit); i++)
		rc = read_request(&lines->records[i], workload, err);
	return rc;
}

int sim_requests_parse(const char *text, size_t length, const char *name, size_t limit,
		       struct sim_workload *workload, struct rspb_err *err)
{
	struct sim_lines lines = { .n = 0 };
	int rc;

	if (sim_lines_parse(&lines, text, length, name, err))
		return -1;
	if (sim_sites_are(&lines))
		rc = sim_sites_read(&lines, limit, workload, err);
	else
		rc = read_parts(&lines, limit, workload, err);
	if (!rc && !workload->n)
		rc = rspb_fail(err, "%s: there is no request in it", name);
	sim_lines_fini(&lines);
	return rc;
}

int sim_requests_read(const char *path, size_t limit, struct sim_workload *workload,
		      struct rspb_err *err)
{
	char *text;
	size_t length;
	int rc = sim_lines_slurp(path, &text, &length, err);

	if (!rc)
		rc = sim_requests_parse(text, length, path, limit, workload, err);
	free(text);
	return rc;
}
