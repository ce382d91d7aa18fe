/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes the flags of sbatch, salloc and srun, and hands them on. What they are worth
 * is said by slurmctld, which trusts nothing of it. */
#include "plugins/spank/submit.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/wire/flags.h"
#include "plugins/compat/controller.h"

enum { MAX_FLAGS = 32, NAME_SIZE = 128 };

/* The prefix that Slurm puts before an option's name in spank_job_env, and the one before that
 * where salloc and sbatch hand it to the job's own environment. */
#define OPTION_PREFIX "_SLURM_SPANK_OPTION_rspb_"
#define CLIENT_PREFIX "SLURM_SPANK_"

/* How sbatch, salloc and srun end when an option's value is wrong, and when
 * options don't go together (unless SLURM_EXIT_ERROR says otherwise). */
enum { EXIT_BAD_VALUE = 255, EXIT_BAD_OPTIONS = 1 };

struct given {
	bool set;
	char text[RSPB_FLAG_TEXT_MAX + 1];
};

/* The flags of the component whose options are being read. */
static struct rspb_terms component;
static struct given given[MAX_FLAGS];
/* --book as the first component has it; only that of a whole job is one. */
static struct given job_book;
static bool past_first;

static int n_flags(void)
{
	int n = 0;

	while (n < MAX_FLAGS && rspb_terms[n].name)
		n++;
	return n;
}

/* The name of a flag's entry in spank_job_env. */
static const char *option_name(int flag, char buf[NAME_SIZE])
{
	char key[RSPB_TERM_KEY];

	snprintf(buf, NAME_SIZE, "%s%s", OPTION_PREFIX, rspb_term_key(&rspb_terms[flag], key));
	return buf;
}

/* The name under which sbatch and salloc export that entry to the job. */
static const char *client_name(int flag, char buf[NAME_SIZE])
{
	char name[NAME_SIZE];

	snprintf(buf, NAME_SIZE, "%s%.*s", CLIENT_PREFIX, (int) (NAME_SIZE - sizeof(CLIENT_PREFIX)),
		 option_name(flag, name));
	return buf;
}

/*
 * Between the components of a heterogeneous job, sbatch and salloc export the
 * flags of the earlier one and then read them back as if the user had exported
 * them. Such a value is the very string getenv() returns, one from the command
 * line or the script never is.
 */
static bool is_inherited(int flag, const char *value)
{
	char name[NAME_SIZE];

	return value && value == getenv(client_name(flag, name));
}

/* Note a flag as it was written: slurmctld gets the text, and parses it again. */
static void keep(int flag, const char *value)
{
	given[flag].set = true;
	snprintf(given[flag].text, sizeof(given[flag].text), "%s", value ? value : "");
}

/*
 * Called by Slurm for each option as it is read. A wrong one ends the command
 * here instead of by a return value: for that, Slurm would print the raw
 * value, whatever its length and characters, in a second message.
 */
static int take_flag(int flag, const char *value, int remote)
{
	struct rspb_err err;

	/* In slurmstepd the flags have been handled by slurmctld already. */
	if (remote || flag < 0 || flag >= n_flags() || is_inherited(flag, value))
		return 0;
	if (value && !*value && rspb_terms[flag].optional_arg)
		value = NULL;
	/* scrontab reads the options of plugins and then drops them: the job would run unbooked. */
	if (!strcmp(program_invocation_short_name, "scrontab")) {
		slurm_error("--%s: scrontab does not pass options of plugins on to jobs; use "
			    "rspb request --repeat for recurring bookings",
			    rspb_terms[flag].name);
		exit(EXIT_BAD_VALUE);
	}
	if (rspb_flag_set(&component, rspb_terms[flag].name, value, &err)) {
		slurm_error("%s", err.text);
		exit(EXIT_BAD_VALUE);
	}
	keep(flag, value);
	return 0;
}

void rspb_submit_forget_inherited(void)
{
	char name[NAME_SIZE];

	for (int i = 0; i < n_flags(); i++) {
		unsetenv(option_name(i, name));
		unsetenv(client_name(i, name));
	}
}

void rspb_submit_register(spank_t sp)
{
	for (int i = 0; i < n_flags(); i++) {
		const struct rspb_term *flag = &rspb_terms[i];
		struct spank_option option = {
			.name = (char *) flag->name,
			.arginfo = (char *) flag->arginfo,
			.usage = (char *) flag->help,
			.has_arg = flag->optional_arg ? optional_argument : required_argument,
			.val = i,
			.cb = take_flag,
		};

		/* Flags without a help text are set by this plugin, not by users. */
		if (flag->help && spank_option_register(sp, &option) != ESPANK_SUCCESS)
			slurm_error("rspb: --%s could not be registered", flag->name);
	}
}

/* RET the status with which Slurm's commands end for wrong options. */
static int exit_status(void)
{
	const char *text = getenv("SLURM_EXIT_ERROR");
	int status = text ? atoi(text) : 0;

	return status ? status : EXIT_BAD_OPTIONS;
}

/*
 * A heterogeneous job is booked as a whole, so the later components take the
 * first one's --book. RET 0, or -1 with err when only a later one has it.
 */
static int share_book(struct rspb_err *err)
{
	const int book = (int) (rspb_term_find("book", strlen("book")) - rspb_terms);

	if (!past_first) {
		past_first = true;
		job_book = given[book];
		return 0;
	}
	if (given[book].set && !job_book.set)
		return rspb_fail(err, "--book: given to a later component of a "
				      "heterogeneous job only; a job is booked as a "
				      "whole, so give it to the first component");
	if (!job_book.set || given[book].set)
		return 0;
	keep(book, job_book.text);
	return rspb_flag_set(&component, "book", *job_book.text ? job_book.text : NULL, err);
}

/* Without our job_submit plugin slurmctld would start the job as a regular one, without a word.
 * It is asked once for all components. */
static int check_admission(struct rspb_err *err)
{
	static bool asked;

	if (!component.book || asked)
		return 0;
	asked = true;
	if (rspb_controller_admits())
		return 0;
	return rspb_fail(
		err, "--book: this cluster accepts no bookings: JobSubmitPlugins in its slurm.conf "
		     "does not name rspb");
}

void rspb_submit_component_done(spank_t sp)
{
	char name[NAME_SIZE], zone[RSPB_ZONE_TEXT] = "";
	struct rspb_err err;

	if (share_book(&err) || rspb_terms_check(&component, &err) || check_admission(&err)) {
		slurm_error("%s", err.text);
		exit(exit_status());
	}
	/* Messages show times in the time zone of the requester. */
	if (component.book)
		rspb_zone_here(time(NULL), zone);
	for (int i = 0; i < n_flags(); i++) {
		option_name(i, name);
		unsetenv(name);
		if (*zone && !strcmp(rspb_terms[i].name, "zone"))
			keep(i, zone);
		if (*zone && !strcmp(rspb_terms[i].name, "test-only") &&
		    rspb_controller_asked_only())
			keep(i, NULL);
		/* A flag that was not given is removed, since Slurm keeps the one of the
		 * component before. */
		if (given[i].set)
			spank_job_control_setenv(sp, name, given[i].text, 1);
		else
			spank_job_control_unsetenv(sp, name);
	}
	memset(&component, 0, sizeof(component));
	memset(given, 0, sizeof(given));
}

void rspb_submit_hide(spank_t sp)
{
	char name[NAME_SIZE];

	for (int i = 0; i < n_flags(); i++)
		spank_unsetenv(sp, client_name(i, name));
}
