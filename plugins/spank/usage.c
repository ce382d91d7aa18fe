/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads what jobs have used, and keeps the last word of those that have ended. It
 * sends nothing. */
#include "plugins/spank/node.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/base/hash.h"

/* How many jobs may wait for a controller, and for how long. */
enum { LEFT_MOST = 1000, LEFT_S = 86400 };
/* The controller repeats every minute what is granted to a running job. When
 * nothing of a job runs here and no word comes, it is silent about, and then
 * forgotten: it never came, or its epilog did not. */
enum { SILENT_S = 180, GONE_S = 600 };

int64_t rspb_usage_clock(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_BOOTTIME, &ts);
	return ts.tv_sec * INT64_C(1000) + ts.tv_nsec / 1000000;
}

static int64_t known(int64_t value)
{
	return value > 0 ? value : 0;
}

/* Add the use of one group to a sum. If the CPU time of one is unknown, that of the sum is, too. */
static void add(struct rspb_cpu_use *sum, const struct rspb_cpu_use *use)
{
	sum->usage_us = sum->usage_us < 0 || use->usage_us < 0 ? -1 : sum->usage_us + use->usage_us;
	sum->periods += known(use->periods);
	sum->throttled += known(use->throttled);
	sum->throttled_us += known(use->throttled_us);
}

void rspb_usage_sample(const struct rspb_node *node, struct rspb_job_state *state)
{
	struct rspb_cpu_use use;

	/* Without a group the last numbers stay. */
	if (!*state->path || !rspb_file_exists(state->path))
		return;
	if (!rspb_tree_use(&node->tree, state->path, &use, NULL)) {
		/* Counters that have become smaller belong to a new group. The use of the old
		 * one is kept. */
		if ((use.usage_us >= 0 && use.usage_us < state->use.usage_us) ||
		    (use.periods >= 0 && use.periods < state->use.periods))
			add(&state->past, &state->use);
		else if (use.usage_us < 0)
			use.usage_us = state->use.usage_us > 0 ? state->use.usage_us : -1;
		state->use = use;
	}
	/* A report has what the kernel enforces, which may differ from what was granted. */
	rspb_tree_force(&node->tree, state->path, state->n_cpus, &state->force, NULL);
}

void rspb_usage_of(const struct rspb_job_state *state, bool ended, struct rspb_use *use)
{
	struct rspb_cpu_use sum = state->past;
	int64_t span = rspb_usage_clock() - state->since_ms;

	add(&sum, &state->use);
	*use = (struct rspb_use){
		.job = state->grant.job,
		.run = state->run,
		.ended = ended,
		.share = state->force.share,
		.ceiling = state->force.ceiling,
		.cpus = state->n_cpus > 0 ? state->n_cpus : 1,
		.span_ms = known(span),
		.used_ms = sum.usage_us < 0 ? -1 : sum.usage_us / 1000,
		.periods = sum.periods,
		.throttled = sum.throttled < sum.periods ? sum.throttled : sum.periods,
		.stalled_ms = sum.throttled_us / 1000,
	};
}

static int left_path(const struct rspb_node *node, const struct rspb_use *use, char path[RSPB_PATH],
		     struct rspb_err *err)
{
	return rspb_path(path, err, "%s/%s/" RSPB_STATE_ENDED "/%" PRIu32 ".%" PRId64, node->dir,
			 node->name, use->job, use->run);
}

/* Open one of the node's folders. */
static DIR *folder(const struct rspb_node *node, const char *name)
{
	char path[RSPB_PATH];

	if (rspb_path(path, NULL, "%s/%s/%s", node->dir, node->name, name))
		return NULL;
	return opendir(path);
}

/* RET about how many reports wait, at most LEFT_MOST; the two entries of any folder are counted,
 * too. */
static size_t count_left(const struct rspb_node *node)
{
	DIR *dir = folder(node, RSPB_STATE_ENDED);
	size_t n = 0;

	while (dir && n < LEFT_MOST && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n;
}

int rspb_usage_leave(const struct rspb_node *node, const struct rspb_job_state *state,
		     struct rspb_err *err)
{
	char path[RSPB_PATH], line[RSPB_USE_LINE];
	struct rspb_use use;

	/* A controller that is gone for long must not fill the file system. */
	if (count_left(node) >= LEFT_MOST)
		return rspb_fail(err,
				 "what it used is not reported: %d jobs "
				 "wait to be reported already",
				 LEFT_MOST);
	rspb_usage_of(state, true, &use);
	rspb_use_line(&use, line, sizeof(line));
	if (left_path(node, &use, path, err))
		return -1;
	return rspb_file_replace(path, line, err);
}

/* Take one that has ended, from its file, into the report. */
static void take_left(const struct rspb_node *node, const char *name, struct rspb_usage *usage)
{
	char path[RSPB_PATH], text[RSPB_USE_LINE];
	struct rspb_use *use = &usage->report.uses[usage->report.n];
	struct stat st;
	int len;

	if (rspb_path(path, NULL, "%s/%s/" RSPB_STATE_ENDED "/%s", node->dir, node->name, name))
		return;
	len = rspb_file_read(path, text, sizeof(text), NULL);
	if (len < 0 || rspb_use_parse(text, (size_t) len, use, NULL) ||
	    (!stat(path, &st) && st.st_mtime + LEFT_S < time(NULL))) {
		unlink(path);
		return;
	}
	usage->report.n++;
	usage->n_ended++;
}

/* Anything that is different when a grant is. */
static uint64_t mark_of(uint32_t job, const struct rspb_job_state *state)
{
	const uint64_t all[] = { job, (uint64_t) state->run, state->grant.generation };

	return rspb_hash(RSPB_HASH_START, all, sizeof(all));
}

/* Nothing of a job is here, now. RET 0 when it is to be told of. */
static int leave_alone(const struct rspb_node *node, const struct rspb_job_state *state)
{
	uint32_t job = state->grant.job;
	int64_t age = rspb_state_age(node->dir, node->name, job);

	if (age > GONE_S)
		rspb_state_remove(node->dir, node->name, job);
	return *state->path && age <= SILENT_S ? 0 : -1;
}

/* A job with a share that has begun. */
static void take_job(const struct rspb_node *node, uint32_t job, struct rspb_usage *usage)
{
	int lock = rspb_state_lock(node->dir, node->name);
	struct rspb_job_state state;
	int rc = rspb_state_read(node->dir, node->name, job, &state, NULL);

	/* Only granted shares are reported while their jobs run. */
	if (rc || !state.grant.share)
		rc = -1;
	else if (*state.path && rspb_file_exists(state.path))
		rspb_usage_sample(node, &state);
	else
		rc = leave_alone(node, &state);
	rspb_state_unlock(lock);
	if (rc)
		return;
	/* A sum: folders are read in any order. */
	usage->news += mark_of(job, &state);
	if (state.grant.report_s > 0 && (!usage->every_s || state.grant.report_s < usage->every_s))
		usage->every_s = state.grant.report_s;
	/* Jobs that do not fit still say how often reports are due. */
	if (usage->report.n == RSPB_USE_JOBS)
		return;
	rspb_usage_of(&state, false, &usage->report.uses[usage->report.n++]);
	usage->n_jobs++;
}

void rspb_usage_look(const struct rspb_node *node, struct rspb_usage *usage)
{
	struct dirent *entry;
	unsigned long job;
	char *end;
	DIR *dir;

	memset(usage, 0, sizeof(*usage));
	dir = folder(node, RSPB_STATE_ENDED);
	while (dir && (entry = readdir(dir)) && usage->report.n < RSPB_USE_JOBS)
		if (entry->d_name[0] != '.')
			take_left(node, entry->d_name, usage);
	if (dir)
		closedir(dir);
	dir = folder(node, RSPB_STATE_JOBS);
	while (dir && (entry = readdir(dir))) {
		job = strtoul(entry->d_name, &end, 10);
		if (!*end && job && job <= UINT32_MAX)
			take_job(node, (uint32_t) job, usage);
	}
	if (dir)
		closedir(dir);
}

size_t rspb_usage_print(const struct rspb_node *node, const struct rspb_usage *usage, char *buf,
			size_t size)
{
	size_t len = rspb_use_head(node->name, buf, size);

	for (size_t i = 0; i < usage->report.n; i++) {
		/* As with snprintf, the length counts on when the buffer is full. */
		if (len + 1 < size)
			buf[len] = '\n';
		len++;
		len += rspb_use_line(&usage->report.uses[i], len < size ? buf + len : NULL,
				     len < size ? size - len : 0);
	}
	return len;
}

void rspb_usage_told(const struct rspb_node *node, const struct rspb_usage *usage)
{
	char path[RSPB_PATH];

	for (size_t i = 0; i < usage->report.n; i++)
		if (usage->report.uses[i].ended &&
		    !left_path(node, &usage->report.uses[i], path, NULL))
			unlink(path);
}
