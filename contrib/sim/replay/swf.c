/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Standard Workload Format: 18 numbers a line, and comments. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "contrib/sim/replay/trace.h"

/* The archive's fields, from 0. */
enum {
	SUBMIT = 1,
	WAIT = 2,
	RUN = 3,
	USED = 4,
	USED_MEMORY = 6,
	ASKED = 7,
	ASKED_TIME = 8,
	ASKED_MEMORY = 9,
	STATUS = 10,
	USER = 11,
	QUEUE = 14,
	FIELDS = 18
};

static const double most_time = 4e15;

/* Numbers of a line, missing ones -1. RET how many, -1: something else. */
static int split(const char *line, double field[FIELDS])
{
	int n = 0;
	char *end;

	for (int i = 0; i < FIELDS; i++)
		field[i] = -1;
	for (;;) {
		while (isspace((unsigned char) *line))
			line++;
		if (!*line || n == FIELDS)
			return n;
		field[n] = strtod(line, &end);
		if (end == line || (*end && !isspace((unsigned char) *end)) || isnan(field[n]))
			return -1;
		n++;
		line = end;
	}
}

/* RET a whole number such as 1152 or 1,152, of which a word may follow; -1: none is there. */
static long read_size(const char *at)
{
	long value = 0;
	bool any = false;

	at += strspn(at, " \t");
	for (;
	     isdigit((unsigned char) *at) || (any && *at == ',' && isdigit((unsigned char) at[1]));
	     at++) {
		if (*at == ',')
			continue;
		any = true;
		if (value > 100000000)
			return -1;
		value = 10 * value + (*at - '0');
	}
	return any && (!*at || isspace((unsigned char) *at) || strchr(",;(", *at)) ? value : -1;
}

/* Take the machine's size from "; MaxProcs: 1152". Without a readable one,
 * nodes=N is asked for. */
static void read_comment(struct sim_trace *trace, const char *line, bool *procs)
{
	const char *at = line + strspn(line, "; \t");
	bool is_procs = !strncasecmp(at, "MaxProcs:", 9);
	long value;

	if (!strncasecmp(at, "UnixStartTime:", 14)) {
		value = strtol(at + 14, NULL, 10);
		trace->began = value > 0 && (double) value < most_time / 1000 ? value : 0;
		return;
	}

	if (!is_procs && strncasecmp(at, "MaxNodes:", 9))
		return;
	value = read_size(at + 9);
	/* Sizes of jobs are in processors, which may be more than nodes. */
	if (value > 0 && value <= 100000000 && (is_procs || !*procs)) {
		trace->nodes = (uint32_t) value;
		trace->nodes_alone = !is_procs;
		*procs = is_procs;
	}
}

/* RET whether a job was cancelled before it had a processor. */
static bool was_cancelled_waiting(const double field[FIELDS])
{
	return field[STATUS] == 5 && field[RUN] <= 0 && field[USED] <= 0;
}

/* RET the MB of so many processors, of what the format says in kB of each. */
static uint32_t memory_of(const double field[FIELDS], double processors)
{
	double each = field[ASKED_MEMORY] > 0 ? field[ASKED_MEMORY] : field[USED_MEMORY];
	double mb = each > 0 ? ceil(each * processors / 1024) : 0;

	return mb < UINT32_MAX ? (uint32_t) mb : UINT32_MAX;
}

/* RET the number of a name that is a number, 0: it is not given. */
static uint32_t name_of(struct sim_trace *trace, double field)
{
	char name[32];

	if (!(field >= 0 && field < most_time))
		return 0;
	snprintf(name, sizeof(name), "%.0f", field);
	return sim_trace_name(trace, name);
}

static int read_job(struct sim_trace *trace, const char *line, size_t number, struct rspb_err *err)
{
	double field[FIELDS], size, time;
	struct sim_trace_job job;
	int n = split(line, field);

	if (n < 5)
		return sim_trace_skip(trace, SIM_TRACE_FIELDS, number);
	/* A part that goes on later, and the last one; the whole job has a line, too. */
	if (field[STATUS] >= 2 && field[STATUS] <= 4)
		return sim_trace_skip(trace, SIM_TRACE_PART, number);
	if (!(field[SUBMIT] >= 0 && field[SUBMIT] < most_time))
		return sim_trace_skip(trace, SIM_TRACE_TIME, number);
	time = field[ASKED_TIME] > 0 ? field[ASKED_TIME] : field[RUN];
	if (!(time > 0 && time < most_time))
		return sim_trace_skip(trace, SIM_TRACE_DURATION, number);
	size = field[ASKED] > 0 ? field[ASKED] : field[USED];
	if (!(size >= 1))
		return sim_trace_skip(trace, SIM_TRACE_SIZE, number);
	if (size > 100000000)
		return sim_trace_skip(trace, SIM_TRACE_WIDE, number);
	job = (struct sim_trace_job){ .submit = (int64_t) field[SUBMIT],
				      .duration = (int64_t) ceil(time),
				      .waited = -1,
				      .nodes = (uint32_t) size,
				      .memory = memory_of(field, size) };
	if (field[RUN] > 0 && field[RUN] < time)
		job.ran = (int64_t) ceil(field[RUN]);
	job.user = name_of(trace, field[USER]);
	job.partition = name_of(trace, field[QUEUE]);
	if (field[WAIT] >= 0 && field[WAIT] < most_time)
		job.waited = (int64_t) field[WAIT];
	if (n < FIELDS)
		sim_trace_guess(trace, SIM_GUESS_CUT, number);
	if (field[ASKED_TIME] <= 0)
		sim_trace_guess(trace, SIM_GUESS_LIMIT, number);
	if (field[ASKED] <= 0)
		sim_trace_guess(trace, SIM_GUESS_SIZE, number);
	if (was_cancelled_waiting(field))
		sim_trace_guess(trace, SIM_GUESS_CANCELLED, number);
	return sim_trace_add(trace, &job, err);
}

int sim_swf_lines(struct sim_trace *trace, FILE *in, struct rspb_err *err)
{
	char *line = NULL;
	size_t size = 0, number = 0;
	bool procs = false;
	int rc = 0;

	while (!rc && getline(&line, &size, in) >= 0) {
		const char *at;

		at = sim_trace_line(line, ++number);
		at += strspn(at, " \t\r\n");
		if (*at == ';')
			read_comment(trace, at, &procs);
		else if (*at)
			rc = read_job(trace, at, number, err);
	}
	free(line);
	return rc;
}

int sim_swf_write(const struct sim_workload *workload, FILE *out, struct rspb_err *err)
{
	int64_t first = workload->n ? workload->jobs[0].arrival : 0;

	fprintf(out,
		"; Version: 2.2\n; MaxJobs: %zu\n; MaxNodes: %" PRIu32 "\n; MaxProcs: %" PRIu32
		"\n",
		workload->n, workload->nodes, workload->nodes);
	for (size_t i = 0; i < workload->n; i++) {
		const struct sim_job *job = &workload->jobs[i];

		if (job->request || workload->sizes.of)
			return rspb_fail(err,
					 "request %zu: the Standard Workload "
					 "Format has only jobs on whole nodes",
					 i + 1);
		fprintf(out,
			"%zu %" PRId64 " -1 %" PRId64 " %" PRIu32 " -1 -1 %" PRIu32 " %" PRId64
			" -1 -1 -1 -1 -1 -1 -1 -1 -1\n",
			i + 1, job->arrival - first, job->duration, job->nodes, job->nodes,
			job->duration);
	}
	return 0;
}
