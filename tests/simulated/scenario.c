/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A scenario: a text of dated actions, as a seed's workload has made it or somebody has
 * written it. tests/simulated/actions.txt has its words. Each run records one, which gives
 * the same run when it is played, byte for byte.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/simulated/scenario.h"
#include "tests/simulated/world.h"

static struct action {
	int64_t at; /* microseconds after the beginning */
	char text[SIM_ACTION];
} * actions;
static size_t n_actions, room;
static bool playing;
static FILE *record;

bool sim_scenario_plays(void)
{
	return playing;
}

static void complain(const char *path, size_t line, const char *what)
{
	fprintf(stderr, "%s, line %zu: %s\n", path, line, what);
	exit(2);
}

/* RET the microseconds of H:MM:SS[.FRACTION], the rest of the text in *rest; -1: it is none. */
static int64_t parse_time(const char *text, const char **rest)
{
	int hours, minutes, used = 0;
	double seconds;

	if (sscanf(text, "%d:%2d:%lf%n", &hours, &minutes, &seconds, &used) != 3 || !used)
		return -1;
	*rest = text + used + strspn(text + used, " \t");
	return ((int64_t) hours * 3600 + minutes * 60) * SIM_S + (int64_t) (seconds * 1e6 + 0.5);
}

/* A kill counts places from the beginning of its step, so it goes before the other actions of the
 * same time: one of them may pass such a place itself. */
static void add_action(int64_t at, const char *text)
{
	bool counts = !strncmp(text, "kill ", 5) && strncmp(text, "kill now", 8) != 0;
	size_t i;

	if (n_actions == room) {
		room = room ? 2 * room : 256;
		actions = realloc(actions, room * sizeof(*actions));
		if (!actions) {
			perror("a scenario");
			exit(2);
		}
	}
	for (i = n_actions++; counts && i && actions[i - 1].at == at; i--)
		actions[i] = actions[i - 1];
	actions[i].at = at;
	snprintf(actions[i].text, SIM_ACTION, "%s", text);
}

/* Read a line that stands before the first action. RET false: it is not known. */
static bool parse_head(const char *text)
{
	int64_t at;

	if (!strncmp(text, "seed ", 5))
		sim_run.seed = strtoull(text + 5, NULL, 10);
	else if (!strncmp(text, "nodes ", 6))
		sim_run.nodes = (uint32_t) strtoul(text + 6, NULL, 10);
	else if (!strcmp(text, "calm"))
		sim_run.calm = true;
	else if (!strncmp(text, "end ", 4) && (at = parse_time(text + 4, &text)) > 0)
		sim_run.until = sim_world->us + at;
	else if (strncmp(text, "conf ", 5) || !sim_settings_line(text + 5))
		return false;
	return sim_run.nodes >= 1 && sim_run.nodes <= SIM_NODES;
}

void sim_scenario_read(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[SIM_ACTION + 64];
	int64_t last = 0;

	if (!file) {
		perror(path);
		exit(2);
	}
	playing = true;
	for (size_t number = 1; fgets(line, sizeof(line), file); number++) {
		const char *text = line + strspn(line, " \t");
		int64_t at;

		line[strcspn(line, "\n#")] = '\0';
		for (size_t end = strlen(line); end && isspace((unsigned char) line[end - 1]);)
			line[--end] = '\0';
		if (!*text)
			continue;
		at = parse_time(text, &text);
		if (at >= 0) {
			if (at < last)
				complain(path, number, "this action is before the one above it");
			if (!sim_action_known(text))
				complain(path, number, "no action has such words");
			add_action(last = at, text);
		} else if (n_actions || !parse_head(text)) {
			complain(path, number, "not understood");
		}
	}
	fclose(file);
}

void sim_scenario_record(const char *path)
{
	int64_t seconds = (sim_run.until - SIM_BEGIN) / SIM_S;

	record = fopen(path, "w");
	if (!record) {
		perror(path);
		exit(2);
	}
	fprintf(record, "seed %" PRIu64 "\nnodes %u\nend %" PRId64 ":%02d:%02d\n", sim_run.seed,
		sim_run.nodes, seconds / 3600, (int) (seconds / 60 % 60), (int) (seconds % 60));
	if (sim_run.calm)
		fprintf(record, "calm\n");
	sim_settings_print(record, "conf ");
	fflush(record);
}

void sim_record(int64_t us, const char *text)
{
	int64_t at = us - SIM_BEGIN;

	if (!record || playing)
		return;
	fprintf(record, "%" PRId64 ":%02d:%02d.%06d %s\n", at / (3600 * SIM_S),
		(int) (at / (60 * SIM_S) % 60), (int) (at / SIM_S % 60), (int) (at % SIM_S), text);
	fflush(record);
}

void sim_scenario_step(void)
{
	while (sim_world->next_action < n_actions) {
		const struct action *action = &actions[sim_world->next_action];

		if (SIM_BEGIN + action->at > sim_world->us ||
		    (!sim_may_act() && strncmp(action->text, "kill", 4)))
			return;
		sim_world->next_action++;
		sim_act(action->text);
	}
}
