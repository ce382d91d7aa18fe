/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What sacct --parsable2 prints: a header, and a line for each job. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "common/base/array.h"
#include "contrib/sim/replay/trace.h"

enum { FIELDS = 256 };
static const int64_t most_size = 100000000, most_minutes = 1000000000;
static const int64_t most_time = 4000000000000;

/* The columns that are read; their order is the file's. */
enum column { ID, SUBMIT, START, END, LIMIT, SIZE, CPUS, STATE, LEAST, TRES, COLUMNS };

/* One node that is taken or given back. */
struct change {
	int64_t time, nodes;
};

struct reader {
	struct sim_trace *trace;
	const char *name;	/* of the file */
	int fields;		/* of each line, 0: no header yet */
	int at[COLUMNS];	/* where a column stands, -1: nowhere */
	struct change *changes; /* owned */
	size_t n_changes, room;
	long het_id; /* of the heterogeneous job that was read last */
	size_t het;  /* its place among the jobs */
};

/* RET how many fields there are; more than FIELDS are counted, not kept. */
static int split(char *line, char *field[FIELDS])
{
	int n = 0;

	for (char *at; (at = strsep(&line, "|")); n++)
		if (n < FIELDS)
			field[n] = at;
	return n;
}

static int column_of(char *field[FIELDS], int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (!strcasecmp(field[i], name))
			return i;
	return -1;
}

static int read_header(struct reader *reader, char *line, bool cpus, size_t number,
		       struct rspb_err *err)
{
	static const char *const names[COLUMNS] = {
		[ID] = "JobID",	      [SUBMIT] = "Submit",	[START] = "Start",
		[END] = "End",	      [LIMIT] = "TimelimitRaw", [SIZE] = "NNodes",
		[CPUS] = "AllocCPUS", [STATE] = "State",	[LEAST] = "NNodes",
		[TRES] = "AllocTRES"
	};
	char *field[FIELDS];
	int n = split(line, field);

	if (n > FIELDS)
		return rspb_fail(err, "%s:%zu: more than %d columns", reader->name, number, FIELDS);
	for (int i = 0; i < COLUMNS; i++)
		reader->at[i] = column_of(field, n, names[i]);
	if (reader->at[ID] < 0)
		reader->at[ID] = column_of(field, n, "JobIDRaw");
	if (reader->at[TRES] < 0)
		reader->at[TRES] = column_of(field, n, "ReqTRES");
	if (cpus)
		reader->at[SIZE] = reader->at[CPUS];
	for (int i = 0; i < CPUS; i++)
		if (reader->at[i] < 0)
			return rspb_fail(err,
					 "%s:%zu: there is no column %s; "
					 "rspb-sim(1) has the line of sacct that "
					 "prints what is needed",
					 reader->name, number, names[i == SIZE && cpus ? CPUS : i]);
	reader->fields = n;
	return 0;
}

/* RET a whole number, -1: it is none or above most. */
static int64_t whole(const char *text, int64_t most)
{
	char *end;
	long long value = strtoll(text, &end, 10);

	return *text && !*end && value >= 0 && value <= most ? value : -1;
}

/* RET seconds of a time such as 2026-03-01T10:00:00, taken as UTC, or of one in
 * seconds; -1: Unknown, None, and what else is no time. */
static int64_t moment(const char *text)
{
	struct tm tm = { .tm_isdst = 0 };
	const char *end = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
	int64_t at = end && !*end ? timegm(&tm) : whole(text, most_time);

	return at > 0 && at <= most_time ? at : -1;
}

static int note_use(struct reader *reader, int64_t start, int64_t end, int64_t nodes,
		    struct rspb_err *err)
{
	if (end >= 0 && end <= start)
		return 0;
	if (rspb_array_grow(&reader->changes, &reader->room, reader->n_changes + 2,
			    sizeof(*reader->changes)))
		return rspb_fail(err, "out of memory");
	reader->changes[reader->n_changes++] = (struct change){ start, nodes };
	/* What still runs gives nothing back. */
	if (end >= 0)
		reader->changes[reader->n_changes++] = (struct change){ end, -nodes };
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct change *left = a, *right = b;

	if (left->time != right->time)
		return left->time < right->time ? -1 : 1;
	return (left->nodes > right->nodes) - (left->nodes < right->nodes);
}

/* RET the most nodes that were in use at once, or those of the largest job. */
static uint32_t most_in_use(struct reader *reader)
{
	const struct sim_trace *trace = reader->trace;
	int64_t used = 0, most = 0;

	for (size_t i = 0; i < trace->n; i++)
		if (trace->jobs[i].nodes > most)
			most = trace->jobs[i].nodes;
	if (reader->n_changes)
		qsort(reader->changes, reader->n_changes, sizeof(*reader->changes), by_time);
	for (size_t i = 0; i < reader->n_changes; i++) {
		used += reader->changes[i].nodes;
		if (used > most)
			most = used;
	}
	return (uint32_t) (most < most_size ? most : most_size);
}

/* RET the number behind a name in "cpu=8,mem=16G,gres/gpu=2", in the unit's multiples
 * of it: 1, or with memory MB, rounded up; 0: it is not there. */
static uint32_t tres(const char *list, const char *name, bool memory)
{
	static const char units[] = "KMGTP";
	size_t length = strlen(name);
	const char *at = list, *unit;
	double value;
	char *end;

	while (strncmp(at, name, length) || at[length] != '=') {
		at = strchr(at, ',');
		if (!at++)
			return 0;
	}
	value = strtod(at + length + 1, &end);
	if (memory) {
		unit = *end ? strchr(units, *end) : NULL;
		/* As Slurm prints it, a number alone is MB. */
		value = ldexp(value, unit ? 10 * (int) (unit - units) - 10 : 0);
	}
	if (!(value > 0))
		return 0;
	return value < UINT32_MAX ? (uint32_t) ceil(value) : UINT32_MAX;
}

static uint32_t sum_of(uint32_t a, uint32_t b)
{
	return a < UINT32_MAX - b ? a + b : UINT32_MAX;
}

/* Parts of a heterogeneous job, 12+0 and 12+1, start together: one job. RET 0,
 * or -1 with err. */
static int add(struct reader *reader, const char *id, const struct sim_trace_job *job,
	       struct rspb_err *err)
{
	struct sim_trace *trace = reader->trace;
	const char *plus = strchr(id, '+');
	long leader = plus ? strtol(id, NULL, 10) : 0;
	struct sim_trace_job *whole_job;

	if (leader > 0 && leader == reader->het_id) {
		whole_job = &trace->jobs[reader->het];
		/* No machine is as large as that: it is skipped. */
		if (whole_job->nodes > most_size - job->nodes)
			whole_job->nodes = (uint32_t) most_size + 1;
		else
			whole_job->nodes += job->nodes;
		whole_job->least = sum_of(whole_job->least, job->least);
		whole_job->memory = sum_of(whole_job->memory, job->memory);
		whole_job->gpus = sum_of(whole_job->gpus, job->gpus);
		if (job->duration > whole_job->duration)
			whole_job->duration = job->duration;
		return 0;
	}
	if (sim_trace_add(trace, job, err))
		return -1;
	if (leader > 0) {
		reader->het_id = leader;
		reader->het = trace->n - 1;
	}
	return 0;
}

static bool never_started(const struct reader *reader, char *field[FIELDS])
{
	const char *state = reader->at[STATE] < 0 ? "" : field[reader->at[STATE]];

	/* Older releases give what was cancelled in the queue a start, but no
	 * CPUs; a revoked job ran on another cluster of the federation. */
	return moment(field[reader->at[START]]) < 0 || !strcmp(state, "PENDING") ||
	       !strcmp(state, "REVOKED") ||
	       (reader->at[CPUS] >= 0 && !whole(field[reader->at[CPUS]], most_size));
}

static int read_job(struct reader *reader, char *line, size_t number, struct rspb_err *err)
{
	struct sim_trace *trace = reader->trace;
	int64_t submit, start, end, minutes, size, duration;
	struct sim_trace_job job;
	char *field[FIELDS];

	if (split(line, field) != reader->fields)
		return sim_trace_skip(trace, SIM_TRACE_FIELDS, number);
	if (strchr(field[reader->at[ID]], '.'))
		return sim_trace_skip(trace, SIM_TRACE_STEP, number);
	if (strtol(field[reader->at[ID]], NULL, 10) <= 0)
		return sim_trace_skip(trace, SIM_TRACE_FIELDS, number);
	submit = moment(field[reader->at[SUBMIT]]);
	if (submit < 0)
		return sim_trace_skip(trace, SIM_TRACE_TIME, number);
	if (never_started(reader, field))
		return sim_trace_skip(trace, SIM_TRACE_WAITED, number);
	start = moment(field[reader->at[START]]);
	end = moment(field[reader->at[END]]);
	minutes = whole(field[reader->at[LIMIT]], most_minutes);
	duration = minutes > 0 ? minutes * 60 : end - start;
	if (duration <= 0)
		return sim_trace_skip(trace, SIM_TRACE_DURATION, number);
	size = whole(field[reader->at[SIZE]], most_size);
	if (size <= 0)
		return sim_trace_skip(trace, SIM_TRACE_SIZE, number);
	if (note_use(reader, start, end, size, err))
		return -1;
	job = (struct sim_trace_job){ .submit = submit,
				      .duration = duration,
				      .waited = start > submit ? start - submit : 0,
				      .nodes = (uint32_t) size };
	if (reader->at[LEAST] >= 0) {
		int64_t least = whole(field[reader->at[LEAST]], most_size);

		job.least = least > 0 ? (uint32_t) least : 0;
	}
	if (reader->at[TRES] >= 0) {
		const char *list = field[reader->at[TRES]];

		job.memory = tres(list, "mem", true);
		job.gpus = tres(list, "gres/gpu", false);
	}
	return add(reader, field[reader->at[ID]], &job, err);
}

/* Times count from the first submission, as in the archive's files. */
static void count_from_first(struct sim_trace *trace)
{
	int64_t first = trace->n ? trace->jobs[0].submit : 0;

	for (size_t i = 0; i < trace->n; i++)
		if (trace->jobs[i].submit < first)
			first = trace->jobs[i].submit;
	for (size_t i = 0; i < trace->n; i++)
		trace->jobs[i].submit -= first;
}

int sim_sacct_lines(struct sim_trace *trace, FILE *in, const char *name,
		    enum sim_trace_format format, struct rspb_err *err)
{
	struct reader reader = { .trace = trace, .name = name };
	char *line = NULL, *header = NULL;
	size_t size = 0, number = 0;
	int rc = 0;

	while (!rc && getline(&line, &size, in) >= 0) {
		number++;
		line[strcspn(line, "\r\n")] = 0;
		/* Several files in one have several headers. */
		if (!*line || (header && !strcmp(line, header)))
			continue;
		if (header) {
			rc = read_job(&reader, line, number, err);
			continue;
		}
		header = strdup(line);
		rc = header ? read_header(&reader, line, format == SIM_TRACE_SACCT_CPUS, number,
					  err)
			    : rspb_fail(err, "out of memory");
	}
	if (!rc) {
		trace->nodes = most_in_use(&reader);
		count_from_first(trace);
	}
	free(reader.changes);
	free(header);
	free(line);
	return rc;
}
