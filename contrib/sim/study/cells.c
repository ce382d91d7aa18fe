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

#include "common/base/hash.h"
#include "contrib/sim/study/study.h"

enum { PATH = 1024, MAX_JOBS = 256 };

size_t study_cells(const struct study *study)
{
	return study->n_workloads * study->n_presets * study->seeds;
}

static const struct study_workload *workload_of(const struct study *study, size_t cell)
{
	return &study->workloads[cell / study->seeds / study->n_presets];
}

static const struct study_policy *policy_of(const struct study *study, size_t cell)
{
	return &study->policies[cell / study->seeds % study->n_presets];
}

/* The words of a cell's command into argv, after its name; the seed is written into room. */
static void words_of(const struct study *study, size_t cell, char *argv[STUDY_WORDS + 8],
		     char room[64])
{
	static char preset[] = "--preset", program[] = "--policy", seed[] = "--seed",
		    json[] = "--json", quiet[] = "--quiet";
	const struct study_workload *workload = workload_of(study, cell);
	const struct study_policy *policy = policy_of(study, cell);
	size_t n = 1;

	for (int i = 0; i < workload->n_words; i++)
		argv[n++] = workload->words[i];
	snprintf(room, 64, "%" PRId64, study->seed + (int64_t) (cell % study->seeds));
	argv[n++] = policy->program ? program : preset;
	argv[n++] = (char *) (uintptr_t) policy->text;
	argv[n++] = seed;
	argv[n++] = room;
	argv[n++] = json;
	argv[n++] = quiet;
	argv[n] = NULL;
}

static void join(const char *first, char *const *words, char text[STUDY_COMMAND])
{
	size_t len = (size_t) snprintf(text, STUDY_COMMAND, "%s", first);

	for (; *words && len < STUDY_COMMAND; words++)
		len += (size_t) snprintf(text + len, STUDY_COMMAND - len, " %s", *words);
}

/* The key of a result: version and contents of the program, and the command with the
 * contents of its files: of the workload instead of its name, of the policy behind it. */
static void key_of(const struct study *study, size_t cell, char key[STUDY_COMMAND])
{
	const struct study_workload *workload = workload_of(study, cell);
	const struct study_policy *policy = policy_of(study, cell);
	char *argv[STUDY_WORDS + 8], room[64], contents[64], first[128], behind[32] = "";

	words_of(study, cell, argv, room);
	snprintf(contents, sizeof(contents), "%016" PRIx64 ":%" PRIu64, workload->contents.hash,
		 workload->contents.size);
	if (workload->file)
		argv[1 + workload->file] = contents;
	if (policy->contents.hash)
		snprintf(behind, sizeof(behind), "/%016" PRIx64, policy->contents.hash);
	snprintf(first, sizeof(first), "%s/%016" PRIx64 "%s", PACKAGE_VERSION, study->build,
		 behind);
	join(first, argv + 1, key);
}

static void path_of(const struct study *study, const char *key, char path[PATH])
{
	snprintf(path, PATH, "%.900s/cells/%016" PRIx64 ".json", study->options->out,
		 rspb_hash(RSPB_HASH_START, key, strlen(key)));
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
	char path[PATH], key[STUDY_COMMAND], first[STUDY_COMMAND + 1], second[8192];
	struct json_object *line = NULL;
	FILE *in;

	key_of(study, cell, key);
	path_of(study, key, path);
	in = fopen(path, "r");
	if (!in)
		return false;
	if (fgets(first, sizeof(first), in) && fgets(second, sizeof(second), in)) {
		first[strcspn(first, "\n")] = '\0';
		if (!strcmp(first, key))
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

/* RET whether the file of a cell has the contents under which its result is filed. */
static bool is_unchanged(const struct study_workload *workload)
{
	struct study_contents now;
	struct rspb_err err;

	if (!workload->file)
		return true;
	if (!study_contents(workload->words[workload->file], &now, &err) &&
	    now.hash == workload->contents.hash && now.size == workload->contents.size)
		return true;
	fprintf(stderr, "rspb-sim: %s: changed while the study ran\n",
		workload->words[workload->file]);
	return false;
}

/* Run a cell in a child. The file gets its final name when the result is complete. Two
 * processes that run the same cell write the same. */
static void run_cell(const struct study *study, size_t cell)
{
	char *argv[STUDY_WORDS + 8], room[64], command[STUDY_COMMAND], key[STUDY_COMMAND];
	char path[PATH], new[PATH + 32], self[PATH];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	int fd, status = 0;
	pid_t pid;

	self[n > 0 ? n : 0] = '\0';
	argv[0] = self;
	words_of(study, cell, argv, room);
	key_of(study, cell, key);
	path_of(study, key, path);
	snprintf(new, sizeof(new), "%s.%ld", path, (long) getpid());
	fd = open(new, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (fd < 0 || dprintf(fd, "%s\n", key) < 0)
		_exit(1);
	pid = fork();
	if (!pid) {
		dup2(fd, STDOUT_FILENO);
		execv(self, argv);
		_exit(127);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (pid > 0 && !status && is_unchanged(workload_of(study, cell)) && !fsync(fd) &&
	    !rename(new, path))
		_exit(0);
	unlink(new);
	join("rspb-sim", argv + 1, command);
	fprintf(stderr, "rspb-sim: this was not run: %s\n", command);
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
	return failed ? rspb_fail(err, "%zu runs failed; the other results are kept", failed) : 0;
}

int study_run(struct study *study, size_t first, size_t step, struct rspb_err *err)
{
	size_t n = 0, *list = calloc(study_cells(study) + 1, sizeof(*list));
	struct sim_metrics ignored;
	char path[PATH];
	int rc;

	study->reused = calloc(study_cells(study) + 1, sizeof(*study->reused));
	if (!list || !study->reused) {
		free(list);
		return rspb_fail(err, "out of memory");
	}
	snprintf(path, sizeof(path), "%.900s/cells", study->options->out);
	if ((mkdir(study->options->out, 0777) && errno != EEXIST) ||
	    (mkdir(path, 0777) && errno != EEXIST)) {
		free(list);
		return rspb_fail(err, "%s: %s", path, strerror(errno));
	}
	for (size_t i = first; i < study_cells(study); i += step) {
		study->reused[i] = study_result(study, i, &ignored);
		if (!study->reused[i])
			list[n++] = i;
	}
	rc = run_list(study, list, n, err);
	free(list);
	return rc;
}
