/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/study/study.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contrib/sim/jsonl/status.h"
#include "contrib/sim/report/simulate.h"

/* Run sbatch, which prints the number of a job. RET 0 or -1 with err. */
static int submit(char *const *argv, char job[32], struct rspb_err *err)
{
	int ends[2], status = 0;
	size_t len = 0;
	ssize_t n;
	pid_t pid;

	if (pipe(ends))
		return rspb_fail(err, "sbatch: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		dup2(ends[1], STDOUT_FILENO);
		execvp(argv[0], argv);
		fprintf(stderr, "rspb-sim: %s: %s\n", argv[0], strerror(errno));
		_exit(127);
	}
	close(ends[1]);
	while (len < 31 && (n = read(ends[0], job + len, 31 - len)) > 0)
		len += (size_t) n;
	job[len] = '\0';
	job[strcspn(job, ";\n")] = '\0';
	close(ends[0]);
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || status || !*job)
		return rspb_fail(err, "sbatch did not accept the job");
	return 0;
}

/* A word of a shell's line, whatever is in it. */
static void quote(FILE *out, const char *word)
{
	fputc('\'', out);
	for (; *word; word++)
		fputs(*word == '\'' ? "'\\''" : (char[]){ *word, 0 }, out);
	fputc('\'', out);
}

/* The line that a job runs: this very program on this very study. RET malloc'ed. */
static char *line_of(const struct study *study, const char *more)
{
	char self[1024], *line = NULL;
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	size_t length;
	FILE *out = open_memstream(&line, &length);

	if (!out)
		return NULL;
	self[n > 0 ? n : 0] = '\0';
	fputs("exec ", out);
	quote(out, self);
	fputs(" study ", out);
	quote(out, study->file);
	fputs(" --quiet --out ", out);
	quote(out, study->options->out);
	fputs(more, out);
	return fclose(out) ? NULL : line;
}

int study_submit(const struct study *study, size_t parts, struct rspb_err *err)
{
	char sbatch[] = "sbatch", parsable[] = "--parsable", wrap[] = "--wrap";
	char array[40], after[64], part[80], job[32], last[32], log[1024];
	char *line, *argv[] = { sbatch, parsable, log, array, wrap, NULL, NULL };
	int rc;

	snprintf(log, sizeof(log), "--output=%.900s/slurm-%%A_%%a.log", study->options->out);
	snprintf(array, sizeof(array), "--array=0-%zu", parts - 1);
	snprintf(part, sizeof(part), " --jobs 1 --part \"$SLURM_ARRAY_TASK_ID/%zu\"", parts);
	if (mkdir(study->options->out, 0777) && errno != EEXIST)
		return rspb_fail(err, "%s: %s", study->options->out, strerror(errno));
	line = line_of(study, part);
	argv[5] = line;
	rc = line ? submit(argv, job, err) : rspb_fail(err, "out of memory");
	free(line);
	if (rc)
		return -1;
	snprintf(log, sizeof(log), "--output=%.900s/study.txt", study->options->out);
	snprintf(after, sizeof(after), "--dependency=afterany:%s", job);
	line = line_of(study, "");
	argv[3] = after;
	argv[5] = line;
	rc = line ? submit(argv, last, err) : rspb_fail(err, "out of memory");
	free(line);
	if (!rc)
		printf("job %s runs %zu parts, then job %s runs what is "
		       "missing and writes %s/study.html\n",
		       job, parts, last, study->options->out);
	return rc;
}

/* "3/8" */
static int read_part(const char *text, size_t *part, size_t *of, struct rspb_err *err)
{
	int len = -1;

	if (sscanf(text, "%9zu/%9zu%n", part, of, &len) == 2 && len >= 0 && !text[len] &&
	    *part < *of)
		return 0;
	return rspb_fail(err,
			 "--part: \"%.60s\" is not allowed, it is I/N, part I "
			 "of N, from 0 on",
			 text);
}

/* Run a part, and report it in a line. RET 0 or -1 with err. */
static int run_part(struct study *study, size_t part, size_t of, struct rspb_err *err)
{
	size_t n = 0, reused = 0;

	if (study_run(study, part, of, err))
		return -1;
	for (size_t i = part; i < study_cells(study); i += of, n++)
		reused += study->reused[i];
	printf("part %zu/%zu: %zu results, %zu of them reused\n", part, of, n, reused);
	return fflush(stdout) ? rspb_fail(err, "stdout: %s", strerror(errno)) : 0;
}

static int run(struct study *study, struct rspb_err *err)
{
	const struct sim_options *options = study->options;
	size_t part, of;

	if (options->array) {
		size_t most = study_cells(study);

		return study_submit(study, options->array < most ? options->array : most, err);
	}
	if (options->part)
		return read_part(options->part, &part, &of, err) || run_part(study, part, of, err)
			       ? -1
			       : 0;
	return study_run(study, 0, 1, err) || study_merge(study, err) ? -1 : 0;
}

static void usage(void)
{
	puts("usage: rspb-sim study FILE --out DIR [OPTION ...]\n\n"
	     "Runs each workload of FILE by each preset with each seed, and writes "
	     "DIR/study.html\nand DIR/study.csv. A result in DIR is reused if its input, "
	     "its parameters and the\nprogram are the same. A preset can also be a file of "
	     "settings, or a program as\nNAME=COMMAND. FILE has JSON lines:\n\n"
	     "  {\"type\":\"config\",\"presets\":[\"li-ff\",\"live\"],"
	     "\"seeds\":8,\"seed\":1,\"x_label\":\"UMed\"}\n"
	     "  {\"name\":\"medium\",\"model\":\"lublin\",\"params\":"
	     "{\"umed\":7},\"x\":7}\n"
	     "  {\"name\":\"ours\",\"trace\":\"FILE.swf.gz\",\"params\":"
	     "{\"limit\":5000}}\n"
	     "  {\"name\":\"last year\",\"sacct\":\"FILE\"}\n");
	sim_options_help(SIM_STUDY, stdout);
	sim_options_help_presets(stdout);
}

int sim_study_main(int argc, char **argv)
{
	struct sim_options options;
	struct study *study = calloc(1, sizeof(*study));
	struct rspb_err err = { "out of memory" };
	int rc = study ? sim_options_parse(&options, SIM_STUDY, argc, argv, &err) : -1;

	if (!rc && options.help) {
		usage();
		free(study);
		return SIM_OK;
	}
	if (!rc && (options.n_left != 1 || !options.out))
		rc = rspb_fail(&err, "study: name one FILE, and --out DIR");
	if (!rc && options.array && options.part)
		rc = rspb_fail(&err, "--array and --part exclude each other");
	if (!rc) {
		study->options = &options;
		rc = study_read(study, options.left[0], &err) || run(study, &err) ? -1 : 0;
	}
	if (study)
		study_fini(study);
	free(study);
	return rc ? sim_complain(&err) : SIM_OK;
}
