/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/replay/trace.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/calendar/profile.h"

const char *const sim_trace_fault_names[SIM_TRACE_FAULTS] = {
	[SIM_TRACE_FIELDS] = "not a job's line",
	[SIM_TRACE_TIME] = "no submission time",
	[SIM_TRACE_CLOCK] = "a time that does not exist or cannot be read",
	[SIM_TRACE_DURATION] = "no run time",
	[SIM_TRACE_SIZE] = "no size",
	[SIM_TRACE_WIDE] = "larger than the machine",
	[SIM_TRACE_STEP] = "steps of jobs",
	[SIM_TRACE_WAITED] = "never started",
	[SIM_TRACE_AGAIN] = "repeated",
	[SIM_TRACE_PART] = "parts of checkpointed jobs",
};

static const char *const guess_names[SIM_GUESSES] = {
	[SIM_GUESS_LIMIT] = "without a limit: their run time counts",
	[SIM_GUESS_SIZE] = "without a requested size: the used one counts",
	[SIM_GUESS_CUT] = "incomplete lines: what they have counts",
	[SIM_GUESS_CANCELLED] = "cancelled in the queue: their request counts",
	[SIM_GUESS_MEMORY] = "with unreadable memory: counted as none",
	[SIM_GUESS_GPUS] = "with unreadable GPUs: counted as none",
};

/* Skip jobs larger than the machine, whose size is known. */
static void fit_machine(struct sim_trace *trace, uint32_t nodes, uint32_t cores)
{
	size_t kept = 0;

	if (trace->nodes_alone && trace->nodes <= UINT32_MAX / cores)
		trace->nodes *= cores;
	if (nodes) {
		trace->nodes = nodes;
		trace->most_in_use = false;
	}
	for (size_t i = 0; !nodes && cores > 1 && i < trace->n; i++)
		if (trace->jobs[i].least > trace->nodes / cores &&
		    trace->jobs[i].least <= UINT32_MAX / cores)
			trace->nodes = trace->jobs[i].least * cores;
	for (size_t i = 0; i < trace->n; i++) {
		if (trace->jobs[i].nodes > trace->nodes)
			sim_trace_skip(trace, SIM_TRACE_WIDE, 0);
		else
			trace->jobs[kept++] = trace->jobs[i];
	}
	trace->n = kept;
}

/* Merge sort by submit time: stable, and nearly sorted files are the rule. */
static int sort_jobs(struct sim_trace *trace)
{
	struct sim_trace_job *from = trace->jobs, *swap, *to;
	size_t n = trace->n;

	if (!trace->unordered || n < 2)
		return 0;
	to = malloc(trace->room * sizeof(*to));
	if (!to)
		return -1;
	for (size_t width = 1; width < n; width *= 2) {
		for (size_t low = 0; low < n; low += 2 * width) {
			size_t middle = low + width < n ? low + width : n;
			size_t high = middle + width < n ? middle + width : n;
			size_t a = low, b = middle;

			for (size_t at = low; at < high; at++)
				to[at] = a < middle && (b >= high ||
							from[a].submit <= from[b].submit)
						 ? from[a++]
						 : from[b++];
		}
		swap = from;
		from = to;
		to = swap;
	}
	trace->jobs = from;
	free(to);
	return 0;
}

/* Say why a trace has no job. RET -1 with err. */
static int fail_empty(const struct sim_trace *trace, const char *name, bool swf,
		      struct rspb_err *err)
{
	char room[RSPB_ERR_TEXT];
	struct rspb_text why = rspb_text_over(room, sizeof(room));
	bool wide = trace->skipped[SIM_TRACE_WIDE] > 0;

	sim_trace_tell_skipped(trace, &why);
	if (wide)
		rspb_text_add(&why, " of %u %s", trace->nodes, trace->unit);
	return rspb_fail(err, "%s: no job in it%s%s", name, room,
			 wide  ? ""
			 : swf ? "; a trace has lines of 18 numbers"
			       : "; sacct --parsable2 prints a header and a line for each job "
				 "that started");
}

int sim_trace_parse(struct sim_trace *trace, FILE *in, const char *name,
		    enum sim_trace_format format, uint32_t nodes, uint32_t cores,
		    struct rspb_err *err)
{
	bool swf = format == SIM_TRACE_SWF;
	int rc;

	memset(trace, 0, sizeof(*trace));
	trace->unit = format == SIM_TRACE_SACCT_CPUS ? "CPUs" : cores > 1 ? "processors" : "nodes";
	rc = swf ? sim_swf_lines(trace, in, err) : sim_sacct_lines(trace, in, name, format, err);
	if (!rc && ferror(in))
		rc = rspb_fail(err, "%s: %s", name, strerror(errno));
	if (!rc && trace->n && !trace->nodes && !nodes)
		rc = rspb_fail(err,
			       "%s: the file does not say how large the machine is "
			       "(; MaxProcs: 1024); give nodes=N",
			       name);
	if (!rc)
		fit_machine(trace, nodes, cores);
	if (!rc && trace->nodes > RSPB_PROFILE_NODES)
		rc = rspb_fail(err,
			       "%s: a machine of %u %s is too large; at most %d can be simulated",
			       name, trace->nodes, trace->unit, RSPB_PROFILE_NODES);
	if (!rc && !trace->n)
		rc = fail_empty(trace, name, swf, err);
	if (!rc && sort_jobs(trace))
		rc = rspb_fail(err, "out of memory");
	if (rc)
		sim_trace_fini(trace);
	return rc;
}

/* RET a stream of what gzip makes of a file. */
static FILE *unzip(const char *path, pid_t *child)
{
	int fd[2];

	if (pipe(fd))
		return NULL;
	*child = fork();
	if (*child == 0) {
		dup2(fd[1], STDOUT_FILENO);
		close(fd[0]);
		close(fd[1]);
		execlp("gzip", "gzip", "-dc", "--", path, (char *) NULL);
		_exit(127);
	}
	close(fd[1]);
	if (*child < 0) {
		close(fd[0]);
		return NULL;
	}
	return fdopen(fd[0], "r");
}

static int read_zipped(struct sim_trace *trace, const char *path, enum sim_trace_format format,
		       uint32_t nodes, uint32_t cores, struct rspb_err *err)
{
	pid_t child;
	FILE *in = unzip(path, &child);
	int rc, status = 0;

	if (!in)
		return rspb_fail(err, "%s: gzip cannot be started: %s", path, strerror(errno));
	rc = sim_trace_parse(trace, in, path, format, nodes, cores, err);
	fclose(in);
	waitpid(child, &status, 0);
	if (rc || (WIFEXITED(status) && WEXITSTATUS(status) == 0))
		return rc;
	sim_trace_fini(trace);
	return rspb_fail(err, "%s: gzip cannot unpack it completely", path);
}

enum { GZIP = 0x1f };

int sim_trace_read(struct sim_trace *trace, const char *path, enum sim_trace_format format,
		   uint32_t nodes, uint32_t cores, struct rspb_err *err)
{
	FILE *in = fopen(path, "r");
	int rc, first;

	if (!in)
		return rspb_fail(err, "%s: %s", path, strerror(errno));
	/* A pipe can be read once. No text begins with this byte. */
	first = getc(in);
	if (first == GZIP && fseek(in, 0, SEEK_SET)) {
		fclose(in);
		return rspb_fail(err,
				 "%s: a compressed file cannot come through a pipe; "
				 "unpack it there (gzip -dc)",
				 path);
	}
	if (first == GZIP) {
		fclose(in);
		return read_zipped(trace, path, format, nodes, cores, err);
	}
	ungetc(first, in);
	rc = sim_trace_parse(trace, in, path, format, nodes, cores, err);
	fclose(in);
	return rc;
}

void sim_trace_fini(struct sim_trace *trace)
{
	for (size_t i = 0; i < trace->n_names; i++)
		free(trace->names[i]);
	free(trace->names);
	free(trace->name_rows);
	free(trace->jobs);
	memset(trace, 0, sizeof(*trace));
}

static void tell_kind(struct rspb_text *text, const char *what, size_t n, size_t line)
{
	if (!n)
		return;
	rspb_text_add(text, "; %s: %zu", what, n);
	if (line)
		rspb_text_add(text, " (first in line %zu)", line);
}

void sim_trace_tell_skipped(const struct sim_trace *trace, struct rspb_text *text)
{
	for (int i = 0; i < SIM_TRACE_FAULTS; i++)
		tell_kind(text, sim_trace_fault_names[i], trace->skipped[i], trace->first_line[i]);
}

void sim_trace_report(const struct sim_trace *trace, const char *name, FILE *out)
{
	char room[2048];
	struct rspb_text text = rspb_text_over(room, sizeof(room));
	size_t skipped = 0, jobs = 0;
	double waited = 0;

	for (size_t i = 0; i < trace->n; i++) {
		if (trace->jobs[i].waited < 0)
			continue;
		waited += (double) trace->jobs[i].waited;
		jobs++;
	}
	for (int i = 0; i < SIM_TRACE_FAULTS; i++)
		skipped += trace->skipped[i];
	if (trace->most_in_use)
		rspb_text_add(&text, " (the most in use at one time)");
	if (jobs)
		rspb_text_add(&text, " that waited %.0f minutes on average",
			      waited / 60 / (double) jobs);
	if (trace->unordered)
		rspb_text_add(&text, ", %zu sorted by submission", trace->unordered);
	if (skipped)
		rspb_text_add(&text, ", %zu skipped", skipped);
	sim_trace_tell_skipped(trace, &text);
	for (int i = 0; i < SIM_GUESSES; i++)
		tell_kind(&text, guess_names[i], trace->guessed[i], trace->guessed_line[i]);
	fprintf(out, "rspb-sim: %s: %zu jobs for %u %s%s\n", name, trace->n, trace->nodes,
		trace->unit, room);
}
