/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace of real jobs (Standard Workload Format, gzip or not) replayed as a live cluster would
 * have it: each job is booked on arrival for the time it asked for, within 24 hours from when it
 * is ready, which is at once or up to four weeks ahead (no trace says). Nodes are chosen as by
 * the default preset; starts by PE worst, which looks at the whole window where first fit ends
 * at its first start. The time that a job does not use is freed when it ends. Figures are of the
 * second half, when the calendar is as full as it gets.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/policy.h"
#include "tests/bench/bench.h"
#include "tests/naive/rng.h"
#include "tests/validate/validate.h"

enum { MONTH = 672 * HOUR };

struct entry {
	int64_t submit, run, asked;
	uint32_t size;
};

struct trace {
	struct entry *at;
	size_t count;
	uint32_t machine; /* the largest job */
};

/* What runs or waits, until its real end. */
struct held {
	int64_t start, end, real_end;
	struct rspb_nodeset *nodes;
};

struct replay {
	struct load load; /* profile, list and sets alone */
	struct rspb_policy policy;
	uint64_t rng;
	int64_t notice; /* at most */
	struct held *held;
	size_t count, room;
	size_t booked, mismatches;
	int64_t naive_ns, lib_ns, where_ns;
};

static void add_entry(struct trace *trace, const char *line)
{
	long long submit, wait, run, size, asked_size, asked;
	struct entry *entry = &trace->at[trace->count];

	if (sscanf(line, "%*d %lld %lld %lld %lld %*s %*s %lld %lld", &submit, &wait, &run, &size,
		   &asked_size, &asked) != 6)
		return;
	if (size <= 0)
		size = asked_size;
	if (run <= 0 || size <= 0)
		return;
	*entry = (struct entry){ submit, run, asked < run ? run : asked, (uint32_t) size };
	if (entry->size > trace->machine)
		trace->machine = entry->size;
	trace->count++;
}

/* RET false when there is nothing to read. */
static bool read_trace(const char *path, struct trace *trace)
{
	char command[1024], line[512];
	size_t room = 0;
	FILE *file;

	*trace = (struct trace){ .count = 0 };
	if (!path || strchr(path, '\'') || strlen(path) > 900)
		return false;
	snprintf(command, sizeof(command), "gzip -dcf -- '%s'", path);
	file = popen(command, "r");
	while (file && fgets(line, sizeof(line), file)) {
		if (trace->count == room) {
			room = room ? 2 * room : 4096;
			trace->at = realloc(trace->at, room * sizeof(*trace->at));
			if (!trace->at)
				exit(2);
		}
		if (*line != ';')
			add_entry(trace, line);
	}
	if (file)
		pclose(file);
	return trace->count > 0;
}

/* Free what is not used of the jobs that have ended, and let time pass. */
static void pass_time(struct replay *replay, int64_t now)
{
	struct load *load = &replay->load;
	int64_t t0, t1;

	for (size_t i = 0; i < replay->count;) {
		struct held *job = &replay->held[i];
		int64_t from = job->real_end;

		if (from > now) {
			i++;
			continue;
		}
		if (from < job->end) {
			t0 = cpu_ns();
			naive_list_remove(load->list, from, job->end, job->nodes, NULL);
			t1 = cpu_ns();
			replay->naive_ns += t1 - t0;
			rspb_profile_remove(load->profile, from, job->end, job->nodes, NULL);
			replay->lib_ns += cpu_ns() - t1;
		}
		rspb_nodeset_destroy(job->nodes);
		*job = replay->held[--replay->count];
	}
	t0 = cpu_ns();
	naive_list_advance(load->list, now, NULL);
	t1 = cpu_ns();
	replay->naive_ns += t1 - t0;
	rspb_profile_advance(load->profile, now, NULL);
	replay->lib_ns += cpu_ns() - t1;
}

static void hold(struct replay *replay, const struct entry *entry, int64_t start)
{
	struct load *load = &replay->load;
	int64_t end = start + entry->asked, t0 = cpu_ns(), t1, t2;
	bool good = !naive_list_add(load->list, start, end, load->set, NULL);

	t1 = cpu_ns();
	good &= !rspb_profile_add(load->profile, start, end, load->set, NULL);
	t2 = cpu_ns();
	replay->naive_ns += t1 - t0;
	replay->lib_ns += t2 - t1;
	replay->mismatches += !good;
	if (replay->count == replay->room) {
		replay->room = replay->room ? 2 * replay->room : 1024;
		replay->held = realloc(replay->held, replay->room * sizeof(*replay->held));
		if (!replay->held)
			exit(2);
	}
	replay->held[replay->count++] = (struct held){ start, end, start + entry->run,
						       rspb_nodeset_clone(load->set) };
	replay->booked++;
}

static void replay_one(struct replay *replay, const struct entry *entry, uint32_t size)
{
	struct load *load = &replay->load;
	const struct rspb_preference *prefers = &replay->policy.when->prefers;
	struct rspb_query query = {
		.ready = entry->submit +
			 (int64_t) rng_below(&replay->rng, (uint64_t) replay->notice + 1),
		.duration = entry->asked,
		.nodes = size,
	};
	struct rspb_rect x = { 0 }, y = { 0 };
	int64_t t0, t1, t2;
	int rc;

	query.deadline = query.ready + 24 * HOUR + entry->asked;
	pass_time(replay, entry->submit);
	t0 = cpu_ns();
	rc = naive_list_search(load->list, &query, prefers, &x, load->other, NULL);
	t1 = cpu_ns();
	replay->mismatches += rc != rspb_profile_search(load->profile, &query, prefers, &y,
							load->set, NULL);
	t2 = cpu_ns();
	replay->naive_ns += t1 - t0;
	replay->lib_ns += t2 - t1;
	if (rc != 1)
		return;
	replay->mismatches += !same_rect(&x, &y) || !rspb_nodeset_equal(load->set, load->other);
	t0 = cpu_ns();
	rspb_where_keep(replay->policy.where, (struct rspb_marks){ 0 }, NULL, load->profile,
			y.start, y.start + entry->asked, size, load->set, NULL);
	replay->where_ns += cpu_ns() - t0;
	hold(replay, entry, y.start);
}

static void replay_trace(struct bench *bench, const struct trace *trace, uint32_t nodes,
			 int64_t notice)
{
	size_t count = bench->quick ? 12000 : 20000, from = 0;
	struct replay replay = { .load = { .nodes = nodes }, .notice = notice, .rng = bench->seed };
	struct load *load = &replay.load;
	struct result result = { .op = "trace",
				 .nodes = nodes,
				 .window = "24h",
				 .request = notice ? "month" : "now",
				 .policy = "pe-worst",
				 .style = "tight" };

	if (count < trace->count)
		from = rng_below(&replay.rng, trace->count - count);
	else
		count = trace->count;
	rspb_policy_from_preset(rspb_preset_find("live"), &replay.policy);
	replay.policy.when = rspb_when_find(result.policy);
	load->profile = rspb_profile_create(nodes, trace->at[from].submit);
	load->list = naive_list_create(nodes, trace->at[from].submit);
	load->set = rspb_nodeset_create(nodes);
	load->other = rspb_nodeset_create(nodes);
	if (!load->profile || !load->list || !load->set || !load->other)
		exit(2);
	for (size_t i = from; i < from + count; i++) {
		if (i == from + count / 2) {
			replay.naive_ns = replay.lib_ns = replay.where_ns = 0;
			result.points = result.groups = 0;
		}
		uint64_t size = (uint64_t) trace->at[i].size * nodes / trace->machine;

		replay_one(&replay, &trace->at[i], size ? (uint32_t) size : 1);
		load->stats = validate_stats(load->profile);
		result.points += load->stats.points;
		result.groups += load->stats.groups;
	}
	count -= count / 2;
	result.points /= count;
	result.groups /= count;
	result.bookings = replay.booked;
	result.naive_ns = replay.naive_ns / (int64_t) count;
	result.lib_ns = replay.lib_ns / (int64_t) count;
	result.mismatches = replay.mismatches;
	bench_report(bench, &result);
	printf("# N %u: search and updates %.1f us a job, choice of nodes "
	       "%.1f us, %zu booked\n",
	       nodes, (double) result.lib_ns / 1e3, (double) replay.where_ns / (double) count / 1e3,
	       replay.booked);
	while (replay.count)
		rspb_nodeset_destroy(replay.held[--replay.count].nodes);
	free(replay.held);
	load_fini(load);
}

void bench_trace(struct bench *bench)
{
	struct trace trace;

	if (read_trace(bench->trace, &trace)) {
		for (int64_t notice = 0; notice <= MONTH; notice += MONTH) {
			replay_trace(bench, &trace, 1152, notice);
			replay_trace(bench, &trace, 10240, notice);
		}
	} else {
		printf("# gate 8 is skipped: %s\n",
		       bench->trace ? "no jobs are in the file of --trace"
				    : "no --trace FILE or RSPB_TRACE names a "
				      "trace of jobs (SWF)");
	}
	free(trace.at);
}
