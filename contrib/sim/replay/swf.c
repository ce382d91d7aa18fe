/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/replay/swf.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/array.h"

const char *const sim_swf_fault_names[SIM_SWF_FAULTS] = {
	[SIM_SWF_FIELDS] = "not a job's line",
	[SIM_SWF_TIME] = "no submit time",
	[SIM_SWF_DURATION] = "no run time",
	[SIM_SWF_SIZE] = "no processors",
	[SIM_SWF_WIDE] = "wider than the machine",
};

/* The archive's fields, from 0. */
enum { SUBMIT = 1, RUN = 3, USED = 4, ASKED = 7, ASKED_TIME = 8, FIELDS = 18 };

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
		if (end == line || (*end && !isspace((unsigned char) *end)) ||
		    isnan(field[n]))
			return -1;
		n++;
		line = end;
	}
}

/* "; MaxProcs: 1152" */
static void read_comment(struct sim_swf *swf, const char *line, bool *procs)
{
	const char *at = line + strspn(line, "; \t");
	bool is_procs = !strncasecmp(at, "MaxProcs:", 9);
	long value;

	if (!is_procs && strncasecmp(at, "MaxNodes:", 9))
		return;
	value = strtol(at + 9, NULL, 10);
	/* Sizes of jobs are in processors, which may be more than nodes. */
	if (value > 0 && value <= 100000000 && (is_procs || !*procs)) {
		swf->nodes = (uint32_t) value;
		*procs = is_procs;
	}
}

static int skip(struct sim_swf *swf, enum sim_swf_fault fault, size_t line)
{
	if (!swf->skipped[fault]++)
		swf->first_line[fault] = line;
	return 0;
}

static int read_job(struct sim_swf *swf, const char *line, size_t number,
		    struct rspb_err *err)
{
	double field[FIELDS], size, time;
	int n = split(line, field);

	if (n < 5)
		return skip(swf, SIM_SWF_FIELDS, number);
	if (!(field[SUBMIT] >= 0 && field[SUBMIT] < most_time))
		return skip(swf, SIM_SWF_TIME, number);
	time = field[ASKED_TIME] > 0 ? field[ASKED_TIME] : field[RUN];
	if (!(time > 0 && time < most_time))
		return skip(swf, SIM_SWF_DURATION, number);
	size = field[ASKED] > 0 ? field[ASKED] : field[USED];
	if (!(size >= 1))
		return skip(swf, SIM_SWF_SIZE, number);
	if (size > 100000000)
		return skip(swf, SIM_SWF_WIDE, number);
	if (rspb_array_grow(&swf->jobs, &swf->room, swf->n + 1,
			    sizeof(*swf->jobs)))
		return rspb_fail(err, "out of memory");
	swf->jobs[swf->n] = (struct sim_swf_job){ (int64_t) field[SUBMIT],
						  (int64_t) ceil(time),
						  (uint32_t) size };
	if (swf->n && swf->jobs[swf->n].submit < swf->jobs[swf->n - 1].submit)
		swf->unordered++;
	swf->n++;
	return 0;
}

/* Jobs wider than the machine go; without a header the widest makes it. */
static void fit_machine(struct sim_swf *swf, uint32_t nodes)
{
	size_t kept = 0;

	if (nodes)
		swf->nodes = nodes;
	if (!swf->nodes)
		for (size_t i = 0; i < swf->n; i++)
			if (swf->jobs[i].nodes > swf->nodes)
				swf->nodes = swf->jobs[i].nodes;
	for (size_t i = 0; i < swf->n; i++) {
		if (swf->jobs[i].nodes > swf->nodes)
			skip(swf, SIM_SWF_WIDE, 0);
		else
			swf->jobs[kept++] = swf->jobs[i];
	}
	swf->n = kept;
}

/* Merge sort by submit time: stable, and nearly sorted files are the rule. */
static int sort_jobs(struct sim_swf *swf)
{
	struct sim_swf_job *from = swf->jobs, *swap, *to;
	size_t n = swf->n;

	if (!swf->unordered || n < 2)
		return 0;
	to = malloc(swf->room * sizeof(*to));
	if (!to)
		return -1;
	for (size_t width = 1; width < n; width *= 2) {
		for (size_t low = 0; low < n; low += 2 * width) {
			size_t middle = low + width < n ? low + width : n;
			size_t high = middle + width < n ? middle + width : n;
			size_t a = low, b = middle;

			for (size_t at = low; at < high; at++)
				to[at] = a < middle && (b >= high ||
							from[a].submit <=
								from[b].submit)
						 ? from[a++]
						 : from[b++];
		}
		swap = from;
		from = to;
		to = swap;
	}
	swf->jobs = from;
	free(to);
	return 0;
}

int sim_swf_parse(struct sim_swf *swf, FILE *in, const char *name,
		  uint32_t nodes, struct rspb_err *err)
{
	char *line = NULL;
	size_t size = 0, number = 0;
	bool procs = false;
	int rc = 0;

	memset(swf, 0, sizeof(*swf));
	while (!rc && getline(&line, &size, in) >= 0) {
		const char *at = line + strspn(line, " \t\r\n");

		number++;
		if (*at == ';')
			read_comment(swf, at, &procs);
		else if (*at)
			rc = read_job(swf, at, number, err);
	}
	if (!rc && ferror(in))
		rc = rspb_fail(err, "%s: %s", name, strerror(errno));
	free(line);
	if (!rc) {
		fit_machine(swf, nodes);
		if (!swf->n)
			rc = rspb_fail(err,
				       "%s: no job in it, a trace has "
				       "lines of 18 numbers",
				       name);
		else if (sort_jobs(swf))
			rc = rspb_fail(err, "out of memory");
	}
	if (rc)
		sim_swf_fini(swf);
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

static int read_zipped(struct sim_swf *swf, const char *path, uint32_t nodes,
		       struct rspb_err *err)
{
	pid_t child;
	FILE *in = unzip(path, &child);
	int rc, status = 0;

	if (!in)
		return rspb_fail(err, "%s: gzip can't be started: %s", path,
				 strerror(errno));
	rc = sim_swf_parse(swf, in, path, nodes, err);
	fclose(in);
	waitpid(child, &status, 0);
	if (rc || (WIFEXITED(status) && WEXITSTATUS(status) == 0))
		return rc;
	sim_swf_fini(swf);
	return rspb_fail(err, "%s: gzip can't unpack it whole", path);
}

int sim_swf_read(struct sim_swf *swf, const char *path, uint32_t nodes,
		 struct rspb_err *err)
{
	FILE *in = fopen(path, "r");
	unsigned char magic[2] = { 0, 0 };
	int rc;

	if (!in)
		return rspb_fail(err, "%s: %s", path, strerror(errno));
	if (fread(magic, 1, 2, in) == 2 && magic[0] == 0x1f &&
	    magic[1] == 0x8b) {
		fclose(in);
		return read_zipped(swf, path, nodes, err);
	}
	rewind(in);
	rc = sim_swf_parse(swf, in, path, nodes, err);
	fclose(in);
	return rc;
}

void sim_swf_fini(struct sim_swf *swf)
{
	free(swf->jobs);
	memset(swf, 0, sizeof(*swf));
}

void sim_swf_report(const struct sim_swf *swf, const char *name, FILE *out)
{
	size_t skipped = 0;

	for (int i = 0; i < SIM_SWF_FAULTS; i++)
		skipped += swf->skipped[i];
	fprintf(out, "rspb-sim: %s: %zu jobs for %u nodes", name, swf->n,
		swf->nodes);
	if (swf->unordered)
		fprintf(out, ", %zu put into order of submission",
			swf->unordered);
	if (skipped)
		fprintf(out, ", %zu skipped", skipped);
	for (int i = 0; i < SIM_SWF_FAULTS; i++) {
		if (!swf->skipped[i])
			continue;
		fprintf(out, "; %s: %zu", sim_swf_fault_names[i],
			swf->skipped[i]);
		if (swf->first_line[i])
			fprintf(out, " (first in line %zu)",
				swf->first_line[i]);
	}
	fputc('\n', out);
}
