/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/replicas.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 128 }; /* components that Slurm takes */

static bool is_wrap(const char *word)
{
	return !strncmp(word, "--wrap", 6) && (!word[6] || word[6] == '=');
}

/* RET where the options end, -1 with err. */
static int options_end(char *const *words, int n, int head, struct rspb_err *err)
{
	bool wraps = false;

	for (int i = head; i < n; i++) {
		if (!strcmp(words[i], "--"))
			return i;
		if (!strcmp(words[i], ":"))
			return rspb_fail(err, "--replicas: not allowed for a heterogeneous job "
					      "(\":\")");
		wraps |= is_wrap(words[i]);
	}
	if (wraps)
		return n;
	return rspb_fail(err, "--replicas: put \"--\" before the script, to show where the "
			      "options end");
}

/* Append the options, without what is to be run. */
static int copy(char *const *words, int head, int end, char **out, int at)
{
	for (int i = head; i < end; i++) {
		if (!is_wrap(words[i]))
			out[at++] = words[i];
		else if (!words[i][strlen("--wrap")])
			i++;
	}
	return at;
}

char **rspb_replicas_of(char *const *words, int n, int head, int64_t copies, struct rspb_err *err)
{
	static char colon[] = ":";
	int end = options_end(words, n, head, err), at = 0;
	char **out;

	if (end < 0)
		return NULL;
	if (copies > MOST) {
		rspb_fail(err, "--replicas=%lld: a job has at most %d", (long long) copies, MOST);
		return NULL;
	}
	out = calloc((size_t) (copies * (end - head + 1) + n + 1), sizeof(*out));
	if (!out) {
		rspb_fail(err, "out of memory");
		return NULL;
	}
	for (int i = 0; i < end; i++)
		out[at++] = words[i];
	for (int64_t i = 1; i < copies; i++) {
		out[at++] = colon;
		at = copy(words, head, end, out, at);
	}
	for (int i = end + 1; i < n; i++)
		out[at++] = words[i];
	return out;
}
