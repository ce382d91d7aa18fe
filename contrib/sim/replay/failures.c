/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/replay/failures.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "contrib/sim/replay/random.h"

static const int64_t most_time = INT64_C(1) << 53;

/* RET 0, -1: out of memory. */
static int add(struct sim_workload *workload, size_t *room, struct sim_down down)
{
	if (rspb_array_grow(&workload->downs, room, workload->n_downs + 1,
			    sizeof(*workload->downs)))
		return -1;
	workload->downs[workload->n_downs++] = down;
	return 0;
}

static int by_node(const void *left, const void *right)
{
	const struct sim_down *a = left, *b = right;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return (a->from > b->from) - (a->from < b->from);
}

static int by_begin(const void *left, const void *right)
{
	const struct sim_down *a = left, *b = right;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->node > b->node) - (a->node < b->node);
}

/* Join failures of a node that overlap, and sort them by their begin. */
static void tidy(struct sim_workload *workload)
{
	struct sim_down *downs = workload->downs;
	size_t n = 0;

	if (!workload->n_downs)
		return;
	qsort(downs, workload->n_downs, sizeof(*downs), by_node);
	for (size_t i = 0; i < workload->n_downs; i++) {
		if (n && downs[n - 1].node == downs[i].node &&
		    downs[i].from <= downs[n - 1].until) {
			if (downs[i].until > downs[n - 1].until)
				downs[n - 1].until = downs[i].until;
			continue;
		}
		downs[n++] = downs[i];
	}
	workload->n_downs = n;
	qsort(downs, n, sizeof(*downs), by_begin);
}

static int read_line(const char *path, size_t number, const char *line,
		     struct sim_workload *workload, size_t *room, struct rspb_err *err)
{
	struct sim_down down;
	int64_t node;
	int at = -1;

	line += strspn(line, " \t\r\n");
	if (!*line || *line == '#')
		return 0;
	if (sscanf(line, "%" SCNd64 " %" SCNd64 " %" SCNd64 " %n", &node, &down.from, &down.until,
		   &at) != 3 ||
	    at < 0 || line[at])
		return rspb_fail(err, "%s:%zu: must be NODE FROM UNTIL, as whole numbers", path,
				 number);
	if (node < 0 || node >= workload->nodes)
		return rspb_fail(err, "%s:%zu: node %" PRId64 " is none of 0 to %" PRIu32, path,
				 number, node, workload->nodes - 1);
	if (down.from < 0 || down.until <= down.from || down.until > most_time)
		return rspb_fail(err, "%s:%zu: a failure from %" PRId64 " to %" PRId64, path,
				 number, down.from, down.until);
	down.node = (uint32_t) node;
	return add(workload, room, down) ? rspb_fail(err, "out of memory") : 0;
}

int sim_failures_read(const char *path, struct sim_workload *workload, struct rspb_err *err)
{
	FILE *in = fopen(path, "re");
	char *line = NULL;
	size_t size = 0, number = 0, room = 0;
	int rc = 0;

	if (!in)
		return rspb_fail(err, "%s: %s", path, strerror(errno));
	while (!rc && getline(&line, &size, in) >= 0)
		rc = read_line(path, ++number, line, workload, &room, err);
	if (!rc && ferror(in))
		rc = rspb_fail(err, "%s: %s", path, strerror(errno));
	fclose(in);
	free(line);
	tidy(workload);
	return rc;
}

int sim_failures_draw(uint64_t seed, double mtbf, double repair, struct sim_workload *workload,
		      struct rspb_err *err)
{
	int64_t last = workload->n ? workload->jobs[workload->n - 1].arrival : 0;
	struct sim_random random;
	size_t room = 0;

	sim_random_seed(&random, seed);
	for (uint32_t n = 0; n < workload->nodes; n++) {
		double at = sim_random_exponential(&random, mtbf);

		while (at < (double) last) {
			struct sim_down down = { n, (int64_t) at, 0 };

			at += 1 + sim_random_exponential(&random, repair);
			down.until = (int64_t) at;
			if (add(workload, &room, down))
				return rspb_fail(err, "out of memory");
			at += 1 + sim_random_exponential(&random, mtbf);
		}
	}
	tidy(workload);
	return 0;
}
