/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects the jobs that the readers of traces find. */
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/base/hash.h"
#include "contrib/sim/replay/trace.h"

const char *sim_trace_line(const char *line, size_t number)
{
	static const char mark[] = "\xef\xbb\xbf";

	return number == 1 && !strncmp(line, mark, 3) ? line + 3 : line;
}

/* RET the row of a name in the table, which has room. */
static uint32_t *row_of(const struct sim_trace *trace, const char *name)
{
	size_t at = rspb_hash_row(rspb_hash(RSPB_HASH_START, name, strlen(name)),
				  trace->n_name_rows);

	while (trace->name_rows[at] && strcmp(trace->names[trace->name_rows[at] - 1], name))
		at = (at + 1) & (trace->n_name_rows - 1);
	return &trace->name_rows[at];
}

/* Make room for one more name. RET 0, -1: out of memory. */
static int grow_rows(struct sim_trace *trace)
{
	size_t rows = trace->n_name_rows ? 2 * trace->n_name_rows : 256;
	uint32_t *new;

	if (2 * (trace->n_names + 1) <= trace->n_name_rows)
		return 0;
	new = calloc(rows, sizeof(*new));
	if (!new)
		return -1;
	free(trace->name_rows);
	trace->name_rows = new;
	trace->n_name_rows = rows;
	for (size_t i = 0; i < trace->n_names; i++)
		*row_of(trace, trace->names[i]) = (uint32_t) i + 1;
	return 0;
}

uint32_t sim_trace_name(struct sim_trace *trace, const char *name)
{
	uint32_t *row;
	char *copy;

	if (!*name || !strcmp(name, "-1") || grow_rows(trace))
		return 0;
	row = row_of(trace, name);
	if (*row)
		return *row;
	copy = strdup(name);
	if (!copy || rspb_array_grow(&trace->names, &trace->names_room, trace->n_names + 1,
				     sizeof(*trace->names))) {
		free(copy);
		return 0;
	}
	trace->names[trace->n_names++] = copy;
	*row = (uint32_t) trace->n_names;
	return *row;
}

const char *sim_trace_name_of(const struct sim_trace *trace, uint32_t number)
{
	return number ? trace->names[number - 1] : NULL;
}

void sim_trace_guess(struct sim_trace *trace, enum sim_trace_guess guess, size_t line)
{
	if (!trace->guessed[guess]++)
		trace->guessed_line[guess] = line;
}

int sim_trace_skip(struct sim_trace *trace, enum sim_trace_fault fault, size_t line)
{
	if (!trace->skipped[fault]++)
		trace->first_line[fault] = line;
	return 0;
}

int sim_trace_add(struct sim_trace *trace, const struct sim_trace_job *job, struct rspb_err *err)
{
	if (rspb_array_grow(&trace->jobs, &trace->room, trace->n + 1, sizeof(*trace->jobs)))
		return rspb_fail(err, "out of memory");
	if (trace->n && job->submit < trace->jobs[trace->n - 1].submit)
		trace->unordered++;
	trace->jobs[trace->n++] = *job;
	return 0;
}
