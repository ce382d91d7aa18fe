/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The record of a run: what happened, at which microsecond of the simulated clock. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/simulated/world.h"

static FILE *file;

void sim_log_open(const char *path)
{
	file = fopen(path, "a");
	if (!file) {
		perror(path);
		exit(2);
	}
}

void sim_log_close(void)
{
	if (file)
		fclose(file);
	file = NULL;
}

void sim_log_lines(const char *level, const char *fmt, va_list args)
{
	int64_t us = sim_world->us + sim_world->offset;

	if (!file)
		return;
	fprintf(file, "%" PRId64 ".%06d %s", us / SIM_S, (int) (us % SIM_S), level);
	vfprintf(file, fmt, args);
	fputc('\n', file);
}

void sim_log(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	sim_log_lines("", fmt, args);
	va_end(args);
}

void sim_fault(const char *fmt, ...)
{
	int64_t us = sim_world->us - SIM_BEGIN;
	char text[200];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	sim_log("FAULT %s", text);
	if (sim_world->faults < SIM_FAULTS)
		snprintf(sim_world->fault[sim_world->faults], sizeof(sim_world->fault[0]),
			 "%" PRId64 ":%02d:%02d %s", us / (3600 * SIM_S),
			 (int) (us / (60 * SIM_S) % 60), (int) (us / SIM_S % 60), text);
	sim_world->faults++;
}
