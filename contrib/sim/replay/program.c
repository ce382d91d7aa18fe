/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/replay/program.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/base/array.h"

/* The longest answer, so that a program that writes without end is noticed. */
enum { ANSWER_MOST = 1 << 26, PIECE = 1 << 16 };

struct sim_program_run {
	const char *command;
	int64_t patience;
	pid_t pid;
	int in, out; /* ends of its pipes: written to, read from */
	size_t answers;
	char *text; /* read and not yet handed out: from `from` to `n` */
	size_t from, n, room;
};

static int64_t now_ms(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return (int64_t) at.tv_sec * 1000 + at.tv_nsec / 1000000;
}

/* Run the command as a child in a process group of its own. RET does not. */
static void run_child(const char *command, int in, int out)
{
	setpgid(0, 0);
	signal(SIGPIPE, SIG_DFL);
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	execl("/bin/sh", "sh", "-c", command, (char *) NULL);
	_exit(127);
}

static int open_pipes(int to[2], int from[2])
{
	if (pipe2(to, O_CLOEXEC))
		return -1;
	if (!pipe2(from, O_CLOEXEC))
		return 0;
	close(to[0]);
	close(to[1]);
	return -1;
}

struct sim_program_run *sim_program_start(const char *command, int64_t patience,
					  struct rspb_err *err)
{
	struct sim_program_run *run = calloc(1, sizeof(*run));
	int to[2], from[2];

	if (!run || open_pipes(to, from)) {
		rspb_fail(err, "policy \"%.80s\": %s", command, strerror(errno));
		free(run);
		return NULL;
	}
	/* A program that has ended is an answer that does not come, no signal. */
	signal(SIGPIPE, SIG_IGN);
	*run = (struct sim_program_run){ .command = command, .patience = patience };
	run->pid = fork();
	if (!run->pid)
		run_child(command, to[0], from[1]);
	close(to[0]);
	close(from[1]);
	run->in = to[1];
	run->out = from[0];
	if (run->pid > 0) {
		/* The child does the same: either may be first. */
		setpgid(run->pid, run->pid);
		fcntl(run->in, F_SETFL, O_NONBLOCK);
		return run;
	}
	rspb_fail(err, "policy \"%.80s\": cannot be started", command);
	close(run->in);
	close(run->out);
	free(run);
	return NULL;
}

/* Say how it ended, which it has or is about to. RET -1. */
static int tell_end(struct sim_program_run *run, struct rspb_err *err)
{
	int status = 0;

	for (int i = 0; i < 100 && waitpid(run->pid, &status, WNOHANG) == 0; i++)
		nanosleep(&(const struct timespec){ 0, 10 * 1000 * 1000 }, NULL);
	if (WIFSIGNALED(status))
		return rspb_fail(err, "policy \"%.80s\": ended by signal %d before answer %zu",
				 run->command, WTERMSIG(status), run->answers + 1);
	return rspb_fail(err, "policy \"%.80s\": ended with status %d before answer %zu",
			 run->command, WIFEXITED(status) ? WEXITSTATUS(status) : 0,
			 run->answers + 1);
}

/* Wait for a pipe until a time. RET 0, or -1 with err. */
static int await(const struct sim_program_run *run, int fd, short events, int64_t until,
		 struct rspb_err *err)
{
	struct pollfd ends = { .fd = fd, .events = events };
	int64_t left;
	int rc;

	do {
		left = until - now_ms();
		rc = left > 0 ? poll(&ends, 1, (int) left) : 0;
	} while (rc < 0 && errno == EINTR);
	if (rc > 0)
		return 0;
	return rspb_fail(err,
			 "policy \"%.80s\": no answer %zu within %" PRId64 " s (--answer-within)",
			 run->command, run->answers + 1, run->patience);
}

int sim_program_send(struct sim_program_run *run, const char *line, size_t length,
		     struct rspb_err *err)
{
	int64_t until = now_ms() + run->patience * 1000;

	while (length) {
		ssize_t n = write(run->in, line, length);

		if (n < 0 && errno == EPIPE)
			return tell_end(run, err);
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return rspb_fail(err, "policy \"%.80s\": %s", run->command,
					 strerror(errno));
		if (n < 0 && await(run, run->in, POLLOUT, until, err))
			return -1;
		line += n > 0 ? n : 0;
		length -= n > 0 ? (size_t) n : 0;
	}
	return 0;
}

/* Read more. RET 0 or -1 with err. */
static int read_more(struct sim_program_run *run, int64_t until, struct rspb_err *err)
{
	ssize_t n;

	if (run->from) {
		memmove(run->text, run->text + run->from, run->n - run->from);
		run->n -= run->from;
		run->from = 0;
	}
	if (run->n > ANSWER_MOST)
		return rspb_fail(err, "policy \"%.80s\": answer %zu has more than %d bytes",
				 run->command, run->answers + 1, ANSWER_MOST);
	if (rspb_array_grow(&run->text, &run->room, run->n + PIECE, 1))
		return rspb_fail(err, "out of memory");
	if (await(run, run->out, POLLIN, until, err))
		return -1;
	n = read(run->out, run->text + run->n, PIECE);
	if (n < 0)
		return errno == EINTR ? 0
				      : rspb_fail(err, "policy \"%.80s\": %s", run->command,
						  strerror(errno));
	run->n += (size_t) n;
	return n ? 0 : tell_end(run, err);
}

const char *sim_program_answer(struct sim_program_run *run, size_t *length, struct rspb_err *err)
{
	int64_t until = now_ms() + run->patience * 1000;
	size_t seen = run->from;
	char *line, *end;

	while (!(end = run->n > seen ? memchr(run->text + seen, '\n', run->n - seen) : NULL)) {
		seen = run->n - run->from;
		if (read_more(run, until, err))
			return NULL;
	}
	line = run->text + run->from;
	*end = '\0';
	*length = (size_t) (end - line);
	run->from = (size_t) (end + 1 - run->text);
	run->answers++;
	return line;
}

int sim_program_at(const struct sim_program_run *run, struct rspb_err *err)
{
	return rspb_fail_at(err, "policy \"%.80s\", answer %zu", run->command, run->answers);
}

static void forget(struct sim_program_run *run)
{
	if (run->in >= 0)
		close(run->in);
	close(run->out);
	free(run->text);
	free(run);
}

int sim_program_end(struct sim_program_run *run, struct rspb_err *err)
{
	int64_t until = now_ms() + run->patience * 1000;
	int status = 0, rc = 0;
	pid_t done;

	close(run->in);
	run->in = -1;
	while (!(done = waitpid(run->pid, &status, WNOHANG)) && now_ms() < until)
		nanosleep(&(const struct timespec){ 0, 1000 * 1000 }, NULL);
	if (!done)
		rc = rspb_fail(err,
			       "policy \"%.80s\": runs on %" PRId64
			       " s after the end of its input (--answer-within)",
			       run->command, run->patience);
	else if (status)
		rc = rspb_fail(err, "policy \"%.80s\": ended with %s %d after the last answer",
			       run->command, WIFSIGNALED(status) ? "signal" : "status",
			       WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	if (!done) {
		kill(-run->pid, SIGKILL);
		waitpid(run->pid, &status, 0);
	}
	forget(run);
	return rc;
}

void sim_program_kill(struct sim_program_run *run)
{
	int status;

	if (!run)
		return;
	kill(-run->pid, SIGKILL);
	waitpid(run->pid, &status, 0);
	forget(run);
}
