/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gathers what nodes report of shares and writes it into jobs. Reports arrive in threads of
 * slurmctld that hold locks already, so they are only kept in memory. The agent writes them
 * later. */
#include "plugins/ctld/kinds/usage.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/node.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/kinds/state.h"
#include "plugins/ctld/kinds/use_table.h"
#include "plugins/ctld/mirror/contract.h"

/* Records of running jobs are written so often; jobs that are gone looked for.
 */
enum { RUNNING_MS = 5000, HOUSE_MS = 60000 };

/* RET the place of the first entry whose job is `job` or later. The caller holds the mutex,
 * as for all functions that return a place or an entry. */
static size_t place_of(uint32_t job)
{
	return rspb_array_place(&job, rspb_usage->entries, rspb_usage->n_entries,
				sizeof(*rspb_usage->entries), rspb_array_by_u32);
}

static struct rspb_usage_entry *entry_of(uint32_t job)
{
	return rspb_array_find(&job, rspb_usage->entries, rspb_usage->n_entries,
			       sizeof(*rspb_usage->entries), rspb_array_by_u32);
}

/* RET NULL: out of memory. */
static struct rspb_usage_entry *find_or_make(uint32_t job)
{
	const struct rspb_usage_entry new = { .job = job };
	struct rspb_usage_entry *entry = entry_of(job);

	return entry ? entry
		     : rspb_array_insert(&rspb_usage->entries, &rspb_usage->room,
					 &rspb_usage->n_entries, place_of(job), &new, sizeof(new));
}

/* Drop a job's entry; the caller does not hold the mutex. */
static void forget(uint32_t job)
{
	struct rspb_usage_entry *entry;

	pthread_mutex_lock(&rspb_usage->mutex);
	entry = entry_of(job);
	if (entry) {
		rspb_use_table_fini(&entry->table);
		rspb_array_remove(rspb_usage->entries, &rspb_usage->n_entries, entry,
				  sizeof(*entry));
	}
	pthread_mutex_unlock(&rspb_usage->mutex);
}

/* Whether that node has reported on the job before: its job may have ended there since. */
static bool known_there(uint32_t job, const char *node)
{
	const struct rspb_usage_entry *entry;
	bool known;

	pthread_mutex_lock(&rspb_usage->mutex);
	entry = entry_of(job);
	known = entry && rspb_use_knows(&entry->table, node);
	pthread_mutex_unlock(&rspb_usage->mutex);
	return known;
}

/* Whether a node belongs to the job's reservation. Reports of the old run still come when the
 * job has just been put back into the queue and has no nodes. */
static bool reserved_there(const struct rspb_job *job, uint32_t node)
{
	uint32_t ids[RSPB_MAX_PARTS], n;
	struct rspb_nodeset *nodes;
	char name[RSPB_RESV_NAME];
	struct rspb_resv resv;
	bool found = false;

	n = rspb_components(job->leader, ids);
	rspb_resv_name(job->leader, job->component, n, name, sizeof(name));
	if (!rspb_resv_find(name, 0, &resv) || !resv.has_nodes)
		return false;
	nodes = rspb_nodeset_create(rspb_node_width());
	if (nodes) {
		rspb_resv_nodes(&resv, nodes);
		found = rspb_nodeset_has(nodes, node);
	}
	rspb_nodeset_destroy(nodes);
	return found;
}

/* RET 0 with how many nodes the job has (0: not known), or -1 with err. */
static int check(const struct rspb_use *use, const char *name, uint32_t node, uint32_t *nodes,
		 struct rspb_err *err)
{
	struct rspb_contract contract;
	struct rspb_job job;

	if (!rspb_job_find(use->job, &job))
		return rspb_fail(err, "there is no such job");
	if (!job.contract || rspb_contract_parse(job.contract, &contract, NULL) ||
	    !contract.share_granted)
		return rspb_fail(err, "no share is booked for it");
	*nodes = contract.nodes_granted;
	if (rspb_job_has_node(&job, node, name) || reserved_there(&job, node) ||
	    known_there(use->job, name))
		return 0;
	return rspb_fail(err, "it does not run on that node");
}

/* Keep one report for the agent. RET 0, or -1 with err: there is no memory, and the report is
 * lost. The next one makes up for it: its figures are sums since the run began. */
static int keep(const struct rspb_use *use, const char *node, uint32_t nodes, struct rspb_err *err)
{
	struct rspb_usage_entry *entry;
	int rc;

	pthread_mutex_lock(&rspb_usage->mutex);
	entry = find_or_make(use->job);
	rc = entry ? rspb_use_add(&entry->table, node, use) : -1;
	if (!rc) {
		entry->fresh = true;
		entry->nodes = nodes;
	}
	pthread_mutex_unlock(&rspb_usage->mutex);
	return rc ? rspb_fail(err, "out of memory") : 0;
}

/* RET 0, or -1 with err: that host does not speak for the node. */
static int check_host(const char *name, uint32_t node, const char *host, struct rspb_err *err)
{
	if (rspb_settings_get()->report_host == RSPB_REPORT_ANY ||
	    (host && rspb_node_runs_on(node, host)))
		return 0;
	return rspb_fail(err,
			 "a report for node %.64s came from host %.64s, which is not its NodeName, "
			 "NodeHostname or NodeAddr (ReportHost=any accepts it)",
			 name, host ? host : "(unknown)");
}

int rspb_usage_take(const char *text, const char *host, struct rspb_err *err)
{
	struct rspb_use_report report;
	struct rspb_err why;
	uint32_t node, nodes = 0;
	size_t i;

	if (rspb_use_report_parse(text, &report, err))
		return -1;
	node = rspb_node_find(report.node);
	if (node >= rspb_node_width())
		return rspb_fail(err,
				 "a report from %s, which is not a node "
				 "of this cluster",
				 report.node);
	if (check_host(report.node, node, host, err))
		return -1;
	/* A bad line does not void the others: a node reports on all its jobs at once. */
	for (i = 0; i < report.n; i++)
		if (check(&report.uses[i], report.node, node, &nodes, &why) ||
		    keep(&report.uses[i], report.node, nodes, &why))
			rspb_log_info("the report on job %u from %s is ignored: %s",
				      report.uses[i].job, report.node, why.text);
	return 0;
}

/* The first job behind `after` that is due, 0: none. */
static uint32_t next_due(uint32_t after, bool running)
{
	uint32_t job = 0;
	size_t i;

	pthread_mutex_lock(&rspb_usage->mutex);
	for (i = place_of(after + 1); i < rspb_usage->n_entries && !job; i++)
		if (rspb_usage->entries[i].fresh &&
		    (running || rspb_use_ended(&rspb_usage->entries[i].table)))
			job = rspb_usage->entries[i].job;
	pthread_mutex_unlock(&rspb_usage->mutex);
	return job;
}

/* Print the words for a job's record, "" if there are none or too many. From now on the entry
 * waits for news. RET whether all nodes have said their last word. */
static bool take_words(uint32_t job, char words[RSPB_USE_WORDS])
{
	struct rspb_usage_entry *entry;
	bool ended = false;

	words[0] = '\0';
	pthread_mutex_lock(&rspb_usage->mutex);
	entry = entry_of(job);
	if (entry) {
		if (rspb_use_words(&entry->table, entry->nodes, words, RSPB_USE_WORDS) >=
		    RSPB_USE_WORDS)
			words[0] = '\0';
		entry->fresh = false;
		ended = rspb_use_ended(&entry->table);
	}
	pthread_mutex_unlock(&rspb_usage->mutex);
	return ended;
}

/* Write the figures of a job into its contract, and so into the journal; with the write lock.
 * A job without a contract is forgotten. */
static void write_one(uint32_t id)
{
	char text[RSPB_CONTRACT_TEXT], words[RSPB_USE_WORDS];
	struct rspb_contract contract;
	struct rspb_job job;
	bool ended;

	if (!rspb_contract_read(id, &job, &contract)) {
		forget(id);
		return;
	}
	ended = take_words(id, words);
	/* Unchanged words need no save of Slurm's state. */
	if (!words[0] || !strcmp(words, contract.use))
		return;
	memcpy(contract.use, words, sizeof(words));
	if (rspb_contract_print(&contract, text, sizeof(text)) >= sizeof(text))
		return;
	rspb_contract_put(id, text, NULL, NULL);
	/* Slurm has told accounting of the job's end before the nodes had
	 * counted; it takes the record again. */
	if (ended && job.phase == RSPB_JOB_DONE)
		rspb_job_make_so(id, &(struct rspb_job_wanted){ .accounted = true }, NULL);
}

/* Forget jobs that Slurm has forgotten. The mutex is released for each look at Slurm, because
 * it is taken inside Slurm's locks and never the other way round. */
static void clean(void)
{
	struct rspb_section section;
	uint32_t id = 0;
	struct rspb_job job;
	size_t i;

	if (!rspb_usage->n_entries || !rspb_section_enter(&section, RSPB_LOCK_READ, "usage"))
		return;
	do {
		pthread_mutex_lock(&rspb_usage->mutex);
		i = place_of(id + 1);
		id = i < rspb_usage->n_entries ? rspb_usage->entries[i].job : 0;
		pthread_mutex_unlock(&rspb_usage->mutex);
		if (id && !rspb_job_find(id, &job))
			forget(id);
		section.items++;
	} while (id);
	rspb_section_leave(&section);
}

void rspb_usage_flush(int64_t now_ms)
{
	bool running = now_ms >= rspb_usage->running_at;
	struct rspb_section section = { .what = NULL };
	uint32_t id = next_due(0, running);

	if (running)
		rspb_usage->running_at = now_ms + RUNNING_MS;
	/* The next job is searched by its id: reports that arrive in between move the
	 * entries. */
	for (; id; id = next_due(id, running)) {
		if (!rspb_section_next(&section, RSPB_LOCK_WRITE, "usage"))
			return;
		write_one(id);
	}
	rspb_section_end(&section);
	if (now_ms >= rspb_usage->house_at) {
		rspb_usage->house_at = now_ms + HOUSE_MS;
		clean();
	}
}

void rspb_usage_reset(void)
{
	size_t i;

	pthread_mutex_lock(&rspb_usage->mutex);
	for (i = 0; i < rspb_usage->n_entries; i++)
		rspb_use_table_fini(&rspb_usage->entries[i].table);
	free(rspb_usage->entries);
	rspb_usage->entries = NULL;
	rspb_usage->n_entries = rspb_usage->room = 0;
	pthread_mutex_unlock(&rspb_usage->mutex);
}
