/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scenarios, and the actions that they are of. */
#ifndef RSPB_TESTS_SIMULATED_SCENARIO_H
#define RSPB_TESTS_SIMULATED_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { SIM_ACTION = 400 };

/* scenario.c */
/* Read one; a file that is none ends the program. */
void sim_scenario_read(const char *path);
/* Whether one is played, so that no dice make actions. */
bool sim_scenario_plays(void);
/* Do what is due. */
void sim_scenario_step(void);
/* Write what is done from now on into this file. */
void sim_scenario_record(const char *path);
void sim_record(int64_t us, const char *text);

/* actions.c */
/* Whether the first word of a text is an action's. */
bool sim_action_known(const char *text);
/* Do it, and record it. */
void sim_act(const char *text);
/* Whether users and operators are answered: slurmctld has read its state. */
bool sim_may_act(void);

/* settings.c */
/* Take a line of rspb.conf. RET false: it is none that the simulation knows. */
bool sim_settings_line(const char *line);
/* Replace the line of its key. RET false: there is none. */
bool sim_settings_change(const char *line);
void sim_settings_print(FILE *file, const char *prefix);

#endif
