/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Slurm's own commands do: submit and cancel. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/text.h"
#include "contrib/client/command.h"
#include "contrib/client/output.h"

enum { POLL_MS = 200, PATIENCE_S = 3600 };

/* Run a command of Slurm's, what it prints into text (NULL: where ours goes).
 * RET its status. */
static int run(char *const *argv, char *text, size_t size)
{
	int ends[2], status = 0;
	size_t len = 0;
	ssize_t n;
	pid_t pid;

	if (text && pipe(ends))
		return 127;
	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (text)
			dup2(ends[1], STDOUT_FILENO);
		execvp(argv[0], argv);
		fprintf(stderr, "rspb: %s: %s\n", argv[0], strerror(errno));
		_exit(127);
	}
	if (text) {
		close(ends[1]);
		while (len + 1 < size &&
		       (n = read(ends[0], text + len, size - len - 1)) > 0)
			len += (size_t) n;
		text[len] = '\0';
		close(ends[0]);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return 127;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static int tell(const struct rspb_command *command, json_object *answer)
{
	json_object *booking = NULL;
	const char *state;
	bool good;

	json_object_object_get_ex(answer, "booking", &booking);
	state = rspb_answer_text(booking, "state");
	good = strcmp(state, "declined") && strcmp(state, "cancelled");
	if (command->json) {
		rspb_output_json(answer);
		return good ? RSPB_EXIT_DONE : RSPB_EXIT_NO;
	}
	if (good) {
		char from[RSPB_OUTPUT_CELL], nodes[RSPB_OUTPUT_CELL];

		printf("%" PRId64 " %s from %s on %s nodes %s\n",
		       rspb_answer_number(booking, "job"), state,
		       rspb_output_time(rspb_answer_number(booking, "start"),
					from),
		       rspb_output_nodes(booking, nodes),
		       rspb_answer_text(booking, "names"));
	} else {
		fprintf(stderr, "rspb %s: job %" PRId64 " %s: %s\n",
			command->argv[0], rspb_answer_number(booking, "job"),
			state, rspb_answer_text(booking, "reason"));
	}
	json_object_put(answer);
	return good ? RSPB_EXIT_DONE : RSPB_EXIT_NO;
}

/* Until it is decided. RET how it ended. */
int rspb_request_wait(const struct rspb_command *command, int64_t job)
{
	struct rspb_client client;
	json_object *answer, *booking;
	int rc = rspb_command_connect(command, &client);

	if (rc)
		return rc;
	for (int i = 0; i < PATIENCE_S * 1000 / POLL_MS; i++) {
		rc = rspb_command_ask_on(&client, command,
					 rspb_command_question_job("show", job),
					 &answer);
		if (rc)
			break;
		json_object_object_get_ex(answer, "booking", &booking);
		if (strcmp(rspb_answer_text(booking, "state"), "requested")) {
			rc = tell(command, answer);
			break;
		}
		json_object_put(answer);
		rc = RSPB_EXIT_NO_ANSWER;
		usleep(POLL_MS * 1000);
	}
	rspb_client_fini(&client);
	return rc;
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* sbatch --parsable --book and the rest. RET NULL: out of memory. */
static char **sbatch_args(const struct rspb_command *command, bool *wait)
{
	static char program[] = "sbatch", parsable[] = "--parsable",
		    book[] = "--book";
	char **args = calloc((size_t) command->argc + 4, sizeof(*args));
	bool has_book = false;
	int n = 0;

	if (!args)
		return NULL;
	args[n++] = program;
	args[n++] = parsable;
	for (int i = 1; i < command->argc; i++)
		has_book |= begins(command->argv[i], "--book");
	if (!has_book)
		args[n++] = book;
	for (int i = 1; i < command->argc; i++) {
		if (!strcmp(command->argv[i], "--wait"))
			*wait = true;
		else
			args[n++] = command->argv[i];
	}
	return args;
}

int rspb_command_request(const struct rspb_command *command)
{
	char said[256] = "";
	bool wait = false;
	char **args;
	int64_t job;
	int rc;

	if (command->argc < 2)
		return rspb_command_misused(command, "what sbatch takes is "
						     "wanted");
	args = sbatch_args(command, &wait);
	if (!args)
		return RSPB_EXIT_USAGE;
	rc = run(args, said, sizeof(said));
	free(args);
	/* JOB[;CLUSTER] */
	if (rc || rspb_text_whole(said, strcspn(said, ";\n"), 1, UINT32_MAX,
				  &job, NULL))
		return RSPB_EXIT_NO;
	if (wait)
		return rspb_request_wait(command, job);
	if (command->json)
		printf("{ \"version\":1, \"job\":%" PRId64 " }\n", job);
	else
		printf("%" PRId64 "\n", job);
	return RSPB_EXIT_DONE;
}

int rspb_command_cancel(const struct rspb_command *command)
{
	static char program[] = "scancel";
	char **args = calloc((size_t) command->argc + 2, sizeof(*args));
	int64_t job;
	int rc = RSPB_EXIT_DONE;

	if (!args || command->argc < 2) {
		free(args);
		return rspb_command_misused(command, "a job is wanted");
	}
	args[0] = program;
	for (int i = 1; i < command->argc && !rc; i++) {
		json_object *answer;

		args[i] = command->argv[i];
		if (!rspb_command_job(command, args[i], &job)) {
			rc = RSPB_EXIT_USAGE;
			break;
		}
		rc = rspb_command_ask(command,
				      rspb_command_question_job("show", job),
				      &answer);
		if (!rc)
			json_object_put(answer);
	}
	if (!rc && run(args, NULL, 0))
		rc = RSPB_EXIT_NO;
	free(args);
	return rc;
}
