/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the readers of traces fill. */
#include <string.h>

#include "common/base/array.h"
#include "contrib/sim/replay/trace.h"

const char *sim_trace_line(const char *line, size_t number)
{
	static const char mark[] = "\xef\xbb\xbf";

	return number == 1 && !strncmp(line, mark, 3) ? line + 3 : line;
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
