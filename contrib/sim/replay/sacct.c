/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads what sacct --parsable2 prints: a header, and a line for each job. */
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "contrib/sim/replay/sacct_runs.h"
#include "contrib/sim/replay/sacct_values.h"
#include "contrib/sim/replay/trace.h"

enum { FIELDS = 256 };
static const int64_t most_size = 100000000, most_minutes = 1000000000;

/* The columns that are read; their order is the file's. */
enum column {
	ID,
	SUBMIT,
	START,
	END,
	LIMIT,
	SIZE,
	CPUS,
	STATE,
	LEAST,
	TRES,
	USER,
	ACCOUNT,
	PARTITION,
	QOS,
	COLUMNS
};

struct reader {
	struct sim_trace *trace;
	const char *name;      /* of the file */
	int fields;	       /* of each line, 0: no header yet */
	int at[COLUMNS];       /* where a column stands, -1: nowhere */
	struct sim_runs *runs; /* owned */
};

/* RET how many fields there are, without the blanks around them; more than FIELDS are counted,
 * not kept. */
static int split(char *line, char *field[FIELDS])
{
	int n = 0;

	for (char *at; (at = strsep(&line, "|")); n++) {
		size_t length = strlen(at);

		while (length && isspace((unsigned char) at[length - 1]))
			at[--length] = 0;
		if (n < FIELDS)
			field[n] = at + strspn(at, " \t");
	}
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
	static const char *const names[COLUMNS] = { [ID] = "JobID",
						    [SUBMIT] = "Submit",
						    [START] = "Start",
						    [END] = "End",
						    [LIMIT] = "TimelimitRaw",
						    [SIZE] = "NNodes",
						    [CPUS] = "AllocCPUS",
						    [STATE] = "State",
						    [LEAST] = "NNodes",
						    [TRES] = "AllocTRES",
						    [USER] = "User",
						    [ACCOUNT] = "Account",
						    [PARTITION] = "Partition",
						    [QOS] = "QOS" };
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

static bool never_started(const struct reader *reader, char *field[FIELDS])
{
	const char *state = reader->at[STATE] < 0 ? "" : field[reader->at[STATE]];

	/* Older releases give what was cancelled in the queue a start, but no
	 * CPUs; a revoked job ran on another cluster of the federation. */
	return sim_sacct_time(field[reader->at[START]]) < 0 || !strcmp(state, "PENDING") ||
	       !strcmp(state, "REVOKED") ||
	       (reader->at[CPUS] >= 0 && !sim_sacct_whole(field[reader->at[CPUS]], most_size));
}

/* Memory and GPUs that cannot be read are none, which is counted. */
static void read_tres(const char *list, struct sim_sacct_run *run)
{
	if (sim_sacct_memory(list, &run->job.memory))
		run->guesses |= 1U << SIM_GUESS_MEMORY;
	if (sim_sacct_gpus(list, &run->job.gpus))
		run->guesses |= 1U << SIM_GUESS_GPUS;
}

/* RET the number of a name, 0: there is no such column, or none in it. */
static uint32_t name_at(const struct reader *reader, char *field[FIELDS], enum column column)
{
	return reader->at[column] < 0 ? 0
				      : sim_trace_name(reader->trace, field[reader->at[column]]);
}

static int read_job(struct reader *reader, char *line, size_t number, struct rspb_err *err)
{
	struct sim_trace *trace = reader->trace;
	int64_t submit, minutes, size, duration;
	struct sim_sacct_run run = { .line = number };
	char *field[FIELDS];

	if (split(line, field) != reader->fields)
		return sim_trace_skip(trace, SIM_TRACE_FIELDS, number);
	if (strchr(field[reader->at[ID]], '.'))
		return sim_trace_skip(trace, SIM_TRACE_STEP, number);
	if (strtol(field[reader->at[ID]], NULL, 10) <= 0)
		return sim_trace_skip(trace, SIM_TRACE_FIELDS, number);
	submit = sim_sacct_time(field[reader->at[SUBMIT]]);
	run.start = sim_sacct_time(field[reader->at[START]]);
	run.end = sim_sacct_time(field[reader->at[END]]);
	if (submit == SIM_BAD_TIME || run.start == SIM_BAD_TIME || run.end == SIM_BAD_TIME)
		return sim_trace_skip(trace, SIM_TRACE_CLOCK, number);
	if (submit < 0)
		return sim_trace_skip(trace, SIM_TRACE_TIME, number);
	if (never_started(reader, field))
		return sim_trace_skip(trace, SIM_TRACE_WAITED, number);
	minutes = sim_sacct_whole(field[reader->at[LIMIT]], most_minutes);
	duration = minutes > 0 ? minutes * 60 : run.end - run.start;
	if (duration <= 0)
		return sim_trace_skip(trace, SIM_TRACE_DURATION, number);
	size = sim_sacct_whole(field[reader->at[SIZE]], most_size);
	if (size <= 0)
		return sim_trace_skip(trace, SIM_TRACE_SIZE, number);
	run.job = (struct sim_trace_job){ .submit = submit,
					  .duration = duration,
					  .waited = run.start > submit ? run.start - submit : 0,
					  .nodes = (uint32_t) size };
	if (reader->at[LEAST] >= 0) {
		int64_t least = sim_sacct_whole(field[reader->at[LEAST]], most_size);

		run.job.least = least > 0 ? (uint32_t) least : 0;
	}
	if (run.end > run.start && run.end - run.start < duration)
		run.job.ran = run.end - run.start;
	run.job.user = name_at(reader, field, USER);
	run.job.account = name_at(reader, field, ACCOUNT);
	run.job.partition = name_at(reader, field, PARTITION);
	run.job.qos = name_at(reader, field, QOS);
	if (minutes <= 0)
		run.guesses |= 1U << SIM_GUESS_LIMIT;
	if (reader->at[TRES] >= 0)
		read_tres(field[reader->at[TRES]], &run);
	return sim_runs_add(reader->runs, field[reader->at[ID]], &run, err);
}

/* Times count from the first submission, as in the archive's files. */
static void count_from_first(struct sim_trace *trace)
{
	int64_t first = trace->n ? trace->jobs[0].submit : 0;

	for (size_t i = 0; i < trace->n; i++)
		if (trace->jobs[i].submit < first)
			first = trace->jobs[i].submit;
	trace->began = first;
	for (size_t i = 0; i < trace->n; i++)
		trace->jobs[i].submit -= first;
}

int sim_sacct_lines(struct sim_trace *trace, FILE *in, const char *name,
		    enum sim_trace_format format, struct rspb_err *err)
{
	struct reader reader = { .trace = trace, .name = name, .runs = sim_runs_open() };
	char *line = NULL, *text, *header = NULL;
	size_t size = 0, number = 0;
	int rc = reader.runs ? 0 : rspb_fail(err, "out of memory");

	while (!rc && getline(&line, &size, in) >= 0) {
		number++;
		line[strcspn(line, "\r\n")] = 0;
		text = line + (sim_trace_line(line, number) - line);
		/* Several files in one have several headers. */
		if (!*text || (header && !strcmp(text, header)))
			continue;
		if (header) {
			rc = read_job(&reader, text, number, err);
			continue;
		}
		header = strdup(text);
		rc = header ? read_header(&reader, text, format == SIM_TRACE_SACCT_CPUS, number,
					  err)
			    : rspb_fail(err, "out of memory");
	}
	if (!rc)
		rc = sim_runs_finish(reader.runs, trace, err);
	if (!rc)
		count_from_first(trace);
	sim_runs_close(reader.runs);
	free(header);
	free(line);
	return rc;
}
