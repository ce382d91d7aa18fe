/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a result as a line of JSON. What is in it is its algorithm's. */
#include "contrib/sim/alg/alg.h"

void sim_emit(struct sim_run *run, struct json_object *line)
{
	sim_print(run->out, line);
	fputc('\n', run->out);
	json_object_put(line);
}

void sim_emit_summary(struct sim_run *run, struct json_object *summary)
{
	struct json_object *line = json_object_new_object();

	rspb_json_put(line, "summary", summary);
	sim_emit(run, line);
}
