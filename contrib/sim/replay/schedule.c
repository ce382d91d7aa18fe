/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/replay/schedule.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/wire/json.h"

void sim_schedule_machine(const struct sim_workload *workload)
{
	const struct sim_sizes *sizes = &workload->sizes;
	FILE *out = workload->setup.schedule;

	if (!out)
		return;
	fprintf(out, "{\"machine\":{\"nodes\":%" PRIu32, workload->nodes);
	for (uint32_t n = 0; workload->capacity && n < workload->nodes; n++)
		fprintf(out, "%s%" PRId64, n ? "," : ",\"capacity\":[", workload->capacity[n]);
	fputs(workload->capacity ? "]" : "", out);
	if (workload->links)
		fprintf(out, ",\"links\":%" PRIu32, workload->links);
	for (uint32_t k = 0; workload->capacity && k < sizes->kinds; k++) {
		fprintf(out, "%s{\"key\":%" PRIu64 ",\"of\":[", k ? "," : ",\"rooms\":[",
			sim_sizes_key(k));
		for (uint32_t n = 0; n < workload->nodes; n++)
			fprintf(out, "%s%" PRIu32, n ? "," : "", sizes->of[n].has[k]);
		fprintf(out, "]}%s", k + 1 < sizes->kinds ? "" : "]");
	}
	fputs("}}\n", out);
}

static void write_line(const struct sim_workload *workload, const char *what,
		       const struct rspb_booking *booking, int64_t ended)
{
	char *line;

	if (!workload->setup.schedule)
		return;
	line = rspb_json_line(rspb_json_write(rspb_json_booking, booking));
	fprintf(workload->setup.schedule, "{\"%s\":%s", what, line ? line : "");
	if (workload->sizes.of)
		fprintf(workload->setup.schedule, ",\"cores\":%.0f",
			sim_workload_cores(workload, booking->request->id - 1));
	if (ended < booking->end)
		fprintf(workload->setup.schedule, ",\"ended\":%" PRId64, ended);
	fputs("}\n", workload->setup.schedule);
	free(line);
}

void sim_schedule_decided(const struct sim_workload *workload, const struct rspb_booking *booking)
{
	write_line(workload, "decided", booking, booking->end);
}

void sim_schedule_kept(const struct sim_workload *workload, const struct rspb_booking *booking,
		       int64_t ended)
{
	write_line(workload, "kept", booking, ended);
}

void sim_schedule_lost(const struct sim_workload *workload, const struct rspb_booking *booking,
		       int64_t ended)
{
	write_line(workload, "lost", booking, ended);
}

void sim_schedule_regular(const struct sim_workload *workload, const struct rspb_booking *booking,
			  int64_t ended)
{
	write_line(workload, "regular", booking, ended);
}
