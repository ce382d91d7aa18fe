/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/submit.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/text.h"

/* Pass on what is said to a person, but for what is foreseen. */
static void pass_on(int from)
{
	FILE *said = fdopen(from, "r");
	char line[4096];

	while (said && fgets(line, sizeof(line), said))
		if (!strstr(line, "rspb: booking likely: "))
			fputs(line, stderr);
	if (said)
		fclose(said);
}

/* short_spoken: without what is foreseen of it. */
static int run(char *const *argv, char *text, size_t size, bool short_spoken)
{
	int ends[2], words[2], status = 0;
	size_t len = 0;
	ssize_t n;
	pid_t pid;

	if ((text && pipe(ends)) || (short_spoken && pipe(words)))
		return 127;
	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (text)
			dup2(ends[1], STDOUT_FILENO);
		if (short_spoken)
			dup2(words[1], STDERR_FILENO);
		execvp(argv[0], argv);
		fprintf(stderr, "rspb: %s: %s\n", argv[0], strerror(errno));
		_exit(127);
	}
	if (short_spoken) {
		close(words[1]);
		pass_on(words[0]);
	}
	if (text) {
		close(ends[1]);
		while (len + 1 < size && (n = read(ends[0], text + len, size - len - 1)) > 0)
			len += (size_t) n;
		text[len] = '\0';
		close(ends[0]);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return 127;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

int rspb_submit_run(char *const *argv, char *text, size_t size)
{
	return run(argv, text, size, false);
}

/* Whether the word after an option may be its value: it is "--name" or "-n". */
static bool may_want_value(const char *option)
{
	return option[0] == '-' && (option[1] == '-' ? !strchr(option, '=') : !option[2]);
}

bool rspb_submit_is_wait(char *const *words, int i)
{
	for (int k = 0; k < i; k++) {
		if (!strcmp(words[k], "--"))
			return false;
		/* A script, or the colon between components. */
		if (words[k][0] != '-' && strcmp(words[k], ":") &&
		    (!k || !may_want_value(words[k - 1])))
			return false;
	}
	return !strcmp(words[i], "-W") || !strcmp(words[i], "--wait");
}

int rspb_submit(char *const *argv, bool short_spoken, int64_t *job)
{
	char said[256] = "";

	/* Its environment counts more than its script. */
	setenv("SBATCH_WAIT", "no", true);
	/* JOB[;CLUSTER] */
	return run(argv, said, sizeof(said), short_spoken) ||
			       rspb_text_whole(said, strcspn(said, ";\n"), 1, UINT32_MAX, job, NULL)
		       ? -1
		       : 0;
}
