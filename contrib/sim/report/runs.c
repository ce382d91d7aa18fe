/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/report/runs.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_JOBS = 256 };

/* The memory that all processes share. */
struct board {
	atomic_size_t next, done;
	atomic_int failed; /* 1: somebody writes err, 2: it is written */
	struct rspb_err err;
};

static double seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

/* RET the processor time of this process and of the programs that it has run. */
static double used_seconds(void)
{
	struct rusage used;

	getrusage(RUSAGE_CHILDREN, &used);
	return seconds(CLOCK_PROCESS_CPUTIME_ID) +
	       (double) (used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
	       1e-6 * (double) (used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static void *shared(size_t size)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

size_t sim_pool_order(size_t i, size_t n)
{
	size_t step = n < 3 ? 1 : (size_t) (0.618033988749895 * (double) n), a = 0, b;

	/* If there is no common divisor, each run comes once. */
	for (; a != 1; step += a != 1) {
		size_t rest;

		for (a = step, b = n; b; a = b, b = rest)
			rest = a % b;
	}
	return (size_t) ((unsigned __int128) i * step % n);
}

static void work(struct board *board, size_t n, struct sim_metrics *metrics, sim_task_fn fn,
		 void *arg)
{
	struct rspb_err err = { "" };
	double before;
	int idle = 0;
	size_t turn, i;

	while (!atomic_load(&board->failed) && (turn = atomic_fetch_add(&board->next, 1)) < n) {
		i = sim_pool_order(turn, n);
		before = used_seconds();
		sim_metrics_clear(&metrics[i]);
		if (fn(i, &metrics[i], arg, &err)) {
			if (atomic_compare_exchange_strong(&board->failed, &idle, 1)) {
				board->err = err;
				atomic_store(&board->failed, 2);
			}
			return;
		}
		metrics[i].value[SIM_SECONDS] = used_seconds() - before;
		atomic_fetch_add(&board->done, 1);
	}
}

static void show(const struct board *board, size_t n, double began)
{
	size_t done = atomic_load(&board->done);
	double so_far = seconds(CLOCK_MONOTONIC) - began;

	fprintf(stderr, "\r%zu of %zu runs, %.0f s", done, n, so_far);
	if (done)
		fprintf(stderr, ", about %.0f s left ",
			so_far / (double) done * (double) (n - done));
	fflush(stderr);
}

/* Wait for the children. RET 0, or -1 when one ended badly. */
static int watch(struct board *board, size_t n, int children, bool quiet)
{
	const struct timespec nap = { 0, 50 * 1000 * 1000 };
	double began = seconds(CLOCK_MONOTONIC), patience = 2;
	bool shown = false;
	int status, rc = 0;
	pid_t pid;

	if (isatty(STDERR_FILENO))
		patience = 0.3;
	while (children > 0) {
		pid = waitpid(-1, &status, WNOHANG);
		if (pid > 0) {
			children--;
			if (!WIFEXITED(status) || WEXITSTATUS(status))
				rc = -1;
			continue;
		}
		if (pid < 0 && errno != EINTR)
			return -1;
		if (!quiet && seconds(CLOCK_MONOTONIC) - began > patience) {
			show(board, n, began);
			shown = true;
			patience += isatty(STDERR_FILENO) ? 0.5 : 10;
		}
		nanosleep(&nap, NULL);
	}
	if (shown) {
		show(board, n, began);
		fputc('\n', stderr);
	}
	return rc;
}

struct sim_metrics *sim_pool_run(size_t n, int jobs, bool quiet, sim_task_fn fn, void *arg,
				 struct rspb_err *err)
{
	struct board *board = shared(sizeof(*board));
	struct sim_metrics *metrics = shared((n + 1) * sizeof(*metrics));
	int children = 0, rc = -1;
	pid_t pid;

	if (jobs <= 0)
		jobs = (int) sysconf(_SC_NPROCESSORS_ONLN);
	if (jobs > MAX_JOBS)
		jobs = MAX_JOBS;
	fflush(NULL);
	for (int i = 0; board && metrics && i < jobs && (size_t) i < n; i++) {
		pid = fork();
		if (pid == 0) {
			work(board, n, metrics, fn, arg);
			_exit(0);
		}
		children += pid > 0;
	}
	rspb_fail(err, "no run can be started: %s", strerror(errno));
	if (children || !n) {
		rspb_fail(err, "the system ended a run");
		rc = watch(board, n, children, quiet);
		if (!rc && atomic_load(&board->failed)) {
			*err = board->err;
			rc = -1;
		}
	}
	if (board)
		munmap(board, sizeof(*board));
	if (rc && metrics) {
		sim_pool_free(metrics, n);
		metrics = NULL;
	}
	return metrics;
}

void sim_pool_free(struct sim_metrics *metrics, size_t n)
{
	if (metrics)
		munmap(metrics, (n + 1) * sizeof(*metrics));
}
