/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/report/params.h"

#include <stdlib.h>
#include <string.h>

void sim_params_defaults(const struct sim_param *rows, struct sim_params *params)
{
	*params = (struct sim_params){ .setup = { .firm = 0 } };
	for (size_t i = 0; rows[i].name; i++)
		params->value[i] = rows[i].fallback;
}

int sim_params_set(const char *whose, const struct sim_param *rows, struct sim_params *params,
		   const char *assignment, struct rspb_err *err)
{
	const struct sim_param *row = rows;
	size_t length = strcspn(assignment, "=");
	const char *text = assignment + length + (assignment[length] == '=');
	char *end, names[200] = "";
	double value;

	for (; row->name; row++) {
		if (strlen(row->name) == length && !strncmp(row->name, assignment, length))
			break;
		strncat(names, *names ? ", " : "", sizeof(names) - strlen(names) - 1);
		strncat(names, row->name, sizeof(names) - strlen(names) - 1);
	}
	if (!row->name)
		return rspb_fail(err,
				 "\"%.60s\": %s has no such "
				 "parameter, its parameters are %s",
				 assignment, whose, names);
	value = strtod(text, &end);
	if (end == text || *end || !(value >= row->low && value <= row->high))
		return rspb_fail(err,
				 "%s: \"%.60s\" is not allowed, it is a "
				 "number from %g to %g",
				 row->name, text, row->low, row->high);
	params->value[row - rows] = value;
	return 0;
}
