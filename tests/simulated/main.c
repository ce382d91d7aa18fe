/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run of the simulation: the lives of slurmctld one after the other, each a process
 * that a kill may end, and what was found. doc/testing.md says how to use it.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "plugins/compat/ctld.h"
#include "plugins/ctld/broker.h"
#include "tests/simulated/scenario.h"
#include "tests/simulated/world.h"

enum {
	KILLED = 3,
	REFUSED = 9,
	STEP_US = 200000,
	JITTER_US = 100000,
	HASTE_ONE_OF = 16,
	HASTE_US = 60000, /* within a batch interval */
	CHECKS = 4,
	PASSES = 120,
	LOOKS = 4
};

#define EPOCH INT64_C(1795000000)

int __real_clock_gettime(clockid_t clock, struct timespec *out);

static double real_seconds(void)
{
	struct timespec now;

	__real_clock_gettime(CLOCK_MONOTONIC, &now);
	return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

bool sim_may_act(void)
{
	return rspb_ctld_recovered();
}

/* RET how long until the next step. Some come in the middle of a decision. */
static int64_t pause_us(void)
{
	return sim_below(HASTE_ONE_OF) ? STEP_US + (int64_t) sim_below(JITTER_US)
				       : 1 + (int64_t) sim_below(HASTE_US);
}

/* The life of one slurmctld; does not return. */
static void live(void)
{
	struct rspb_err err = { "" };

	sim_threads_begin();
	/* A kill may strike while slurmctld starts. */
	sim_kill_step();
	if (sim_scenario_plays())
		sim_scenario_step();
	if (rspb_broker_start(&err)) {
		fprintf(stderr, "the broker does not start: %s\n", err.text);
		_exit(REFUSED);
	}
	for (uint64_t step = 1;
	     sim_world->us < sim_run.until && !(sim_run.stop && sim_world->faults); step++) {
		sim_sleep(pause_us());
		rspb_ctld_lock(RSPB_LOCK_WRITE);
		sim_kill_step();
		if (sim_scenario_plays())
			sim_scenario_step();
		else
			sim_kill_due();
		if (!sim_scenario_plays() && sim_may_act())
			sim_workload_step();
		sim_world_tick();
		if (step % CHECKS == 0)
			sim_check_all();
		if (step % PASSES == 0 ||
		    (sim_world->look_at && sim_world->us >= sim_world->look_at))
			sim_world_schedule(step % PASSES == 0);
		sim_states_step();
		rspb_ctld_unlock(RSPB_LOCK_WRITE);
	}
	sim_log_close();
	_exit(0);
}

static void take_files(void)
{
	if (mkdir("state", 0777) && errno != EEXIST) {
		perror("state");
		exit(2);
	}
	if (mkdir("conf", 0777) && errno != EEXIST) {
		perror("conf");
		exit(2);
	}
}

/* RET whether there is another life. */
static bool run_life(uint64_t number)
{
	pid_t child;
	int status;

	sim_seed(sim_run.seed * 1000003 + number);
	sim_dice_seed(sim_run.seed * 1000003 + number);
	sim_world->power = sim_world->damage = false;
	if (sim_run.kills > 0 && !sim_scenario_plays())
		sim_kill_choose();
	sim_world->counts.lives++;
	fflush(NULL);
	child = fork();
	if (child < 0) {
		perror("fork");
		exit(2);
	}
	if (!child) {
		sim_log_open("log");
		sim_log("LIFE %" PRIu64, number);
		live();
	}
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR) {
			perror("waitpid");
			exit(2);
		}
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return false;
	sim_log_open("log");
	if (!WIFEXITED(status) || WEXITSTATUS(status) != KILLED) {
		sim_fault("slurmctld ends with status %x in life %" PRIu64, (unsigned int) status,
			  number);
		sim_log_close();
		return false;
	}
	sim_world->counts.kills++;
	sim_seed(sim_run.seed * 7919 + number);
	if (sim_world->power) {
		sim_world->counts.power++;
		sim_disk_cut();
	} else if (sim_world->damage) {
		sim_disk_damage();
	}
	sim_world_restart();
	sim_log_close();
	return true;
}

static void print_result(double took)
{
	const struct sim_counts *n = &sim_world->counts;
	double days = (double) (sim_world->us - SIM_BEGIN) / 86400e6;

	printf("seed %" PRIu64 ": %.2f days in %.1f s, %" PRIu64 " faults; asked %" PRIu64
	       ", booked %" PRIu64 ", declined %" PRIu64 ", started %" PRIu64 ", moved %" PRIu64
	       ", withdrawn %" PRIu64 ", regular %" PRIu64 ", cancelled %" PRIu64
	       ", messages %" PRIu64 ", notices %" PRIu64 ", nodes lost %" PRIu64 ", edits %" PRIu64
	       ", syncs %" PRIu64 ", kills %" PRIu64 " (power %" PRIu64 ", files cut %" PRIu64
	       "), kept %" PRIu64 "\n",
	       sim_run.seed, days, took, sim_world->faults, n->submitted, n->booked, n->declined,
	       n->started, n->moved, n->withdrawn, n->regular, n->cancelled, n->asked, n->notices,
	       n->nodes_down, n->edits, n->syncs, n->kills, n->power, n->torn, n->kept);
	for (uint64_t i = 0; i < sim_world->faults && i < SIM_FAULTS; i++)
		printf("  %s\n", sim_world->fault[i]);
	if (sim_world->faults > SIM_FAULTS)
		printf("  and %" PRIu64 " more: see the log\n", sim_world->faults - SIM_FAULTS);
}

static void usage(void)
{
	fprintf(stderr, "usage: simulated --dir DIR [--seed N] [--hours H] [--kills PER_DAY]\n"
			"       [--scenario FILE] [--states] [--verbose] [--stop]\n");
	exit(2);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "seed", required_argument, NULL, 's' },
		{ "hours", required_argument, NULL, 'h' },
		{ "kills", required_argument, NULL, 'k' },
		{ "dir", required_argument, NULL, 'd' },
		{ "scenario", required_argument, NULL, 'f' },
		{ "states", no_argument, NULL, 't' },
		{ "verbose", no_argument, NULL, 'v' },
		{ "stop", no_argument, NULL, 'x' },
		{ 0 },
	};
	double hours = 24, begun;
	const char *dir = NULL;
	char *scenario = NULL;
	uint64_t number = 1;
	int c;

	sim_run = (struct sim_run){ .seed = 1, .kills = 24, .nodes = SIM_NODES };
	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (c) {
		case 's':
			sim_run.seed = strtoull(optarg, NULL, 10);
			break;
		case 'h':
			hours = strtod(optarg, NULL);
			break;
		case 'k':
			sim_run.kills = strtod(optarg, NULL);
			break;
		case 'd':
			dir = optarg;
			break;
		case 'f':
			scenario = realpath(optarg, NULL);
			if (!scenario) {
				perror(optarg);
				return 2;
			}
			break;
		case 't':
			sim_states_open("states");
			break;
		case 'v':
			sim_run.verbose++;
			break;
		case 'x':
			sim_run.stop = true;
			break;
		default:
			usage();
		}
	if (!dir || optind != argc)
		usage();
	if (chdir(dir)) {
		perror(dir);
		return 2;
	}
	setenv("TZ", "UTC", 1);
	sim_world = mmap(NULL, sizeof(*sim_world), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (sim_world == MAP_FAILED) {
		perror("mmap");
		return 2;
	}
	sim_world->us = SIM_BEGIN;
	sim_world->offset = EPOCH * SIM_S;
	sim_world->jobs.next = sim_world->saved_jobs.next = sim_world->older_jobs.next = 1;
	sim_world->began = sim_world->us;
	sim_run.until = sim_world->us + (int64_t) (hours * 3600e6);
	take_files();
	sim_seed(sim_run.seed);
	if (scenario)
		sim_scenario_read(scenario);
	else
		sim_settings_choose();
	sim_settings_write();
	sim_scenario_record("scenario");
	begun = real_seconds();
	while (run_life(number))
		number++;
	print_result(real_seconds() - begun);
	free(scenario);
	return sim_world->faults ? 1 : 0;
}
