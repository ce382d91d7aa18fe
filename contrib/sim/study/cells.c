/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cells of a study: what each is, whether it is there, and running them. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "contrib/sim/study/study.h"

enum { PATH = 1024, MAX_JOBS = 256 };

size_t study_cells(const struct study *study)
{
	return study->n_workloads * study->n_presets * study->seeds;
}

const char *study_command(const struct study *study, size_t cell, char *argv[STUDY_WORDS + 8],
			  char room[64], char text[STUDY_COMMAND])
{
	static char preset[] = "--preset", seed[] = "--seed", json[] = "--json",
		    quiet[] = "--quiet";
	const struct study_workload *workload =
		&study->workloads[cell / study->seeds / study->n_presets];
	size_t n = 1, len = 0;

	for (int i = 0; i < workload->n_words; i++)
		argv[n++] = workload->words[i];
	snprintf(room, 64, "%" PRId64, study->seed + (int64_t) (cell % study->seeds));
	argv[n++] = preset;
	argv[n++] = (char *) (uintptr_t) study->presets[cell / study->seeds % study->n_presets];
	argv[n++] = seed;
	argv[n++] = room;
	argv[n++] = json;
	argv[n++] = quiet;
	argv[n] = NULL;
	text[0] = '\0';
	for (size_t i = 1; i < n && len < STUDY_COMMAND; i++)
		len += (size_t) snprintf(text + len, STUDY_COMMAND - len, "%s%s", i > 1 ? " " : "",
					 argv[i]);
	return text;
}

/* A cell is known by what it does: who changes the study runs what is new. */
static void path_of(const struct study *study, const char *command, char path[PATH])
{
	uint64_t hash = UINT64_C(14695981039346656037);

	for (const char *c = command; *c; c++)
		hash = (hash ^ (unsigned char) *c) * UINT64_C(1099511628211);
	snprintf(path, PATH, "%.900s/cells/%016" PRIx64 ".json", study->options->out, hash);
}

static void take_metrics(struct json_object *line, struct sim_metrics *metrics)
{
	sim_metrics_clear(metrics);
	for (int m = 0; m < SIM_METRICS; m++) {
		struct json_object *value;

		if (json_object_object_get_ex(line, sim_metric_rows[m].name, &value))
			metrics->value[m] = json_object_get_double(value);
	}
}

bool study_result(const struct study *study, size_t cell, struct sim_metrics *metrics)
{
	char *argv[STUDY_WORDS + 8], room[64], command[STUDY_COMMAND];
	char path[PATH], first[STUDY_COMMAND + 1], second[8192];
	struct json_object *line = NULL;
	FILE *in;

	study_command(study, cell, argv, room, command);
	path_of(study, command, path);
	in = fopen(path, "r");
	if (!in)
		return false;
	if (fgets(first, sizeof(first), in) && fgets(second, sizeof(second), in)) {
		first[strcspn(first, "\n")] = '\0';
		if (!strcmp(first, command))
			line = json_tokener_parse(second);
	}
	fclose(in);
	if (!json_object_is_type(line, json_type_object)) {
		json_object_put(line);
		return false;
	}
	take_metrics(line, metrics);
	json_object_put(line);
	return true;
}

/* In a child: what it does, then what it says, in a file that has its name when
 * all is in it. Two that run the same cell write the same. */
static void run_cell(const struct study *study, size_t cell)
{
	char *argv[STUDY_WORDS + 8], room[64], command[STUDY_COMMAND];
	char path[PATH], new[PATH + 32], self[PATH];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	int fd, status = 0;
	pid_t pid;

	self[n > 0 ? n : 0] = '\0';
	argv[0] = self;
	study_command(study, cell, argv, room, command);
	path_of(study, command, path);
	snprintf(new, sizeof(new), "%s.%ld", path, (long) getpid());
	fd = open(new, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (fd < 0 || dprintf(fd, "%s\n", command) < 0)
		_exit(1);
	pid = fork();
	if (!pid) {
		dup2(fd, STDOUT_FILENO);
		execv(self, argv);
		_exit(127);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (pid > 0 && !status && !fsync(fd) && !rename(new, path))
		_exit(0);
	unlink(new);
	fprintf(stderr, "rspb-sim: this was not run: rspb-sim %s\n", command);
	_exit(1);
}

static double now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return (double) at.tv_sec + 1e-9 * (double) at.tv_nsec;
}

static void show(size_t done, size_t n, double began, bool end)
{
	double so_far = now() - began;

	fprintf(stderr, "\r%zu of %zu runs, %.0f s", done, n, so_far);
	if (done && !end)
		fprintf(stderr, ", about %.0f s left ",
			so_far / (double) done * (double) (n - done));
	fputs(end ? "\n" : "", stderr);
	fflush(stderr);
}

/* Wait for one. RET whether it went well. */
static bool await(void)
{
	int status = 0;
	pid_t pid;

	do
		pid = wait(&status);
	while (pid < 0 && errno == EINTR);
	return pid > 0 && !status;
}

static int run_list(const struct study *study, const size_t *list, size_t n, struct rspb_err *err)
{
	long jobs = study->options->jobs ? (long) study->options->jobs
					 : sysconf(_SC_NPROCESSORS_ONLN);
	size_t running = 0, done = 0, failed = 0;
	double began = now(), shown = began;
	double pause = isatty(STDERR_FILENO) ? 0.5 : 10;
	pid_t pid;

	fflush(NULL);
	for (size_t i = 0; i < n || running;) {
		if (i < n && running < (size_t) jobs && !failed) {
			pid = fork();
			if (!pid)
				run_cell(study, list[i]);
			running += pid > 0;
			failed += pid < 0;
			i += pid > 0;
			continue;
		}
		if (!running)
			break;
		failed += !await();
		running--;
		done++;
		if (!study->options->quiet && now() - shown > pause) {
			shown = now();
			show(done, n, began, false);
		}
	}
	if (!study->options->quiet && n && shown > began)
		show(done, n, began, true);
	return failed ? rspb_fail(err, "%zu runs ended badly; what is done is kept", failed) : 0;
}

int study_run(const struct study *study, size_t first, size_t step, struct rspb_err *err)
{
	size_t n = 0, *list = calloc(study_cells(study) + 1, sizeof(*list));
	struct sim_metrics ignored;
	char path[PATH];
	int rc;

	if (!list)
		return rspb_fail(err, "out of memory");
	snprintf(path, sizeof(path), "%.900s/cells", study->options->out);
	if ((mkdir(study->options->out, 0777) && errno != EEXIST) ||
	    (mkdir(path, 0777) && errno != EEXIST)) {
		free(list);
		return rspb_fail(err, "%s: %s", path, strerror(errno));
	}
	for (size_t i = first; i < study_cells(study); i += step)
		if (!study_result(study, i, &ignored))
			list[n++] = i;
	rc = run_list(study, list, n, err);
	free(list);
	return rc;
}
