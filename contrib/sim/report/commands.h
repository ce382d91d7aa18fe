/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that has commands. */
#ifndef RSPB_SIM_REPORT_COMMANDS_H
#define RSPB_SIM_REPORT_COMMANDS_H

struct sim_program {
	const char *name; /* of the program */
	const struct sim_row {
		const char *name;
		const char *help;
		/* argv[0] is the command's name. RET an exit status; NULL: it is
		 * another program's. */
		int (*main)(int argc, char **argv);
	} * rows; /* ended by name NULL */
	/* Runs a command that is another program's. RET as above. */
	int (*other)(int argc, char **argv);
};

/* The program's main(). RET its exit status. */
int sim_program_main(const struct sim_program *program, int argc, char **argv);

#endif
