/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares the commands of rspb, each with a function and a row (main.c). */
#ifndef RSPB_CLIENT_COMMAND_H
#define RSPB_CLIENT_COMMAND_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

#include "contrib/client/client.h"

/* How rspb ends. */
enum {
	RSPB_EXIT_DONE = 0,
	RSPB_EXIT_NO = 1,	/* slurmctld has answered: no */
	RSPB_EXIT_USAGE = 2,	/* what was typed cannot be meant */
	RSPB_EXIT_NO_ANSWER = 3 /* slurmctld was not reached */
};

struct rspb_command {
	const char *server; /* NULL: as Slurm says */
	bool json;
	int argc; /* argv[0]: the command's own name */
	char **argv;
};

/* RET one of the above. */
int rspb_command_advise(const struct rspb_command *command);
int rspb_command_check(const struct rspb_command *command);
int rspb_command_limits(const struct rspb_command *command);
int rspb_command_list(const struct rspb_command *command);
int rspb_command_accept(const struct rspb_command *command);
int rspb_command_offers(const struct rspb_command *command);
int rspb_command_cancel(const struct rspb_command *command);
int rspb_command_conf(const struct rspb_command *command);
int rspb_command_metrics(const struct rspb_command *command);
int rspb_command_modify(const struct rspb_command *command);
int rspb_command_release(const struct rspb_command *command);
int rspb_command_request(const struct rspb_command *command);
int rspb_command_send(const struct rspb_command *command);
int rspb_command_show(const struct rspb_command *command);
int rspb_command_stats(const struct rspb_command *command);
int rspb_command_timeline(const struct rspb_command *command);
int rspb_command_web(const struct rspb_command *command);
int rspb_command_slots(const struct rspb_command *command);

/* The subject of a command: a job, or a booking without one, by its name. */
struct rspb_which {
	int64_t job;
	const char *name; /* NULL: a job */
};

/* All pages of what is booked and asked for, as one list. RET how it ended. */
int rspb_list_read(const struct rspb_command *command, bool all, bool ended, json_object *list);
/* As a table, each for itself. */
void rspb_list_print(json_object *list);
/* Ask for the offers of a job and print them, as a table or JSON; hold: hold the first for so
 * many seconds, 0: none. */
int rspb_offers_tell(const struct rspb_command *command, int64_t job, int64_t hold);
/* Until a request is decided, at most an hour. RET RSPB_EXIT_DONE with the answer, to
 * be put, and the booking in it; else it was said why not. */
int rspb_request_await(struct rspb_client *client, const struct rspb_command *command,
		       const struct rspb_which *which, json_object **answer, json_object **booking);
/* RET whether what has been decided is a booking. */
bool rspb_request_good(json_object *booking);
/* Say what has been decided, unless it is told as JSON. RET whether it is booked. */
bool rspb_request_print(const struct rspb_command *command, json_object *booking);
/* The same, with the answer, which is put, as JSON. RET how it ended. */
int rspb_request_tell(const struct rspb_command *command, json_object *answer,
		      json_object *booking);
/* Both. RET how it ended. */
int rspb_request_wait(const struct rspb_command *command, const struct rspb_which *which);

/* Tell on the standard error, with the times in it by this host's clock. */
void rspb_command_complain(const struct rspb_command *command, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Say what is wrong with what was typed. RET RSPB_EXIT_USAGE. */
int rspb_command_misused(const struct rspb_command *command, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* A job's number, or the name of a booking without one, group_N. RET false: it is
 * neither, which was said. */
bool rspb_command_which(const struct rspb_command *command, const char *text,
			struct rspb_which *which);
/* A question of that kind. */
json_object *rspb_command_question(const char *op);
/* The same about one job. */
json_object *rspb_command_question_job(const char *op, int64_t job);
json_object *rspb_command_question_which(const char *op, const struct rspb_which *which);
void rspb_command_add_which(json_object *question, const struct rspb_which *which);
/* RET the name of a booking, or request, from slurmctld's answer. */
struct rspb_which rspb_command_which_of(json_object *booking);
/* Options of getopt, ended by name NULL: these, and the members of the flags that have the door
 * (RSPB_TERM_OFFERS, ...), as RSPB_OPTION_TERM and more. */
enum { RSPB_OPTIONS_MOST = 64, RSPB_OPTION_TERM = 256 };
void rspb_command_options_of(uint8_t door, const struct option *plain,
			     struct option all[RSPB_OPTIONS_MOST]);
/* Add what optarg says of one of the options of getopt that commands share: -N
 * (one number), -t, -b, -p, -C, 'd' for --deadline, members of the flags. RET 0, or -1 with err:
 * it is wrong, or another option. */
int rspb_command_term(int option, json_object *question, struct rspb_err *err);
/* The same of -N, where it may also be MIN-MAX. */
int rspb_command_nodes(json_object *question, struct rspb_err *err);
/* The same of a member of the flags, by the words that sbatch takes. */
int rspb_command_flag(const char *name, json_object *question, struct rspb_err *err);
/* Read the options of a command that takes nothing else: set() each, whose value is in optarg,
 * into wish; it returns 0, or -1 with err. RET false: one is wrong, which was said. */
bool rspb_command_options(const struct rspb_command *command, const char *letters,
			  const struct option *options,
			  int (*set)(int option, void *wish, struct rspb_err *err), void *wish);
/* RET RSPB_EXIT_DONE, and a client to be ended with rspb_client_fini(); else it
 * was said why not. */
int rspb_command_connect(const struct rspb_command *command, struct rspb_client *client);
/* Ask once. RET RSPB_EXIT_DONE with the answer; else it was said why not. Takes
 * over the question. */
int rspb_command_ask(const struct rspb_command *command, json_object *question,
		     json_object **answer);
/* The same with a client that is there already. */
int rspb_command_ask_on(struct rspb_client *client, const struct rspb_command *command,
			json_object *question, json_object **answer);
/* Ask for all pages of an answer. fill(arg, question) completes each question,
 * take(arg, answer) reads each answer. RET how it ended. */
struct rspb_command_pages {
	const char *op;
	void (*fill)(void *arg, json_object *question); /* NULL: nothing to add */
	void (*take)(void *arg, json_object *answer);
	void *arg;
};
int rspb_command_read(struct rspb_client *client, const struct rspb_command *command,
		      const struct rspb_command_pages *pages);

#endif
