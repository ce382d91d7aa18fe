/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kills of slurmctld: at a time, or the n-th time that it passes a place. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/simulated/scenario.h"
#include "tests/simulated/world.h"

static const char *const ways[SIM_KILLS] = {
	[SIM_KILL_NOW] = "now",
	[SIM_KILL_SYNC] = "sync",
	[SIM_KILL_BOOKED] = "booked",
	[SIM_KILL_JOBS_SAVED] = "jobs-saved",
	[SIM_KILL_RESVS_SAVED] = "resvs-saved",
	[SIM_KILL_RESV] = "resv",
	[SIM_KILL_WRITE] = "write",
	[SIM_KILL_RENAME] = "rename",
};

/* The kill that is due in this life. */
static enum sim_kill armed;
static uint64_t armed_n;
static bool armed_power, armed_damage;
static int64_t due; /* microseconds; 0: at no time */
/* The passes of this step of the run. */
static uint64_t passed[SIM_KILLS];
static int64_t step_at;

void sim_die(void)
{
	sim_log("KILL");
	sim_log_close();
	_exit(3);
}

void sim_kill_arm(const char *way, uint64_t n, bool power, bool damage)
{
	for (int i = SIM_KILL_NOW; i < SIM_KILLS; i++)
		if (!strcmp(way, ways[i]))
			armed = (enum sim_kill) i;
	armed_n = n;
	sim_world->power = power;
	sim_world->damage = damage;
	if (armed == SIM_KILL_NOW)
		sim_die();
}

bool sim_kill_passes(enum sim_kill way)
{
	char text[64];

	passed[way]++;
	if (armed != way || !armed_n || --armed_n)
		return false;
	if (!sim_scenario_plays()) {
		snprintf(text, sizeof(text), "kill %s %" PRIu64 "%s%s", ways[way], passed[way],
			 armed_power ? " power" : "", armed_damage ? " damage" : "");
		sim_record(step_at, text);
		sim_world->power = armed_power;
		sim_world->damage = armed_damage;
	}
	return true;
}

void sim_kill_step(void)
{
	memset(passed, 0, sizeof(passed));
	step_at = sim_world->us;
}

void sim_kill_due(void)
{
	if (due && sim_world->us >= due)
		sim_act(armed_power    ? "kill now 1 power"
			: armed_damage ? "kill now 1 damage"
				       : "kill now");
}

void sim_kill_choose(void)
{
	static const enum sim_kill chosen[] = { SIM_KILL_NOW,	      SIM_KILL_SYNC,
						SIM_KILL_BOOKED,      SIM_KILL_BOOKED,
						SIM_KILL_SYNC,	      SIM_KILL_JOBS_SAVED,
						SIM_KILL_RESVS_SAVED, SIM_KILL_RESV,
						SIM_KILL_WRITE,	      SIM_KILL_RENAME };
	enum sim_kill way = chosen[sim_dice(sizeof(chosen) / sizeof(chosen[0]))];

	armed_power = !sim_dice(3);
	armed_damage = !armed_power && !sim_dice(6);
	if (way != SIM_KILL_NOW) {
		armed = way;
		armed_n = 1 + sim_dice((uint64_t) (3000 / sim_run.kills) + 1);
		if (way == SIM_KILL_RENAME) /* which happens seldom */
			armed_n = 1 + sim_dice(3);
		return;
	}
	/* Now and then it is killed again as soon as it is there. */
	due = sim_world->us + 100000;
	if (sim_dice(3))
		due += (int64_t) sim_dice((uint64_t) (2 * 86400e6 / sim_run.kills));
	else
		due += (int64_t) sim_dice(12 * SIM_S);
}
