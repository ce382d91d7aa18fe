/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/beyond/history.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/base/text.h"

struct run {
	int64_t nodes, seconds;
	bool expired;
};

struct runs {
	struct run *list;
	size_t n, room;
};

enum { N_FIELDS = 4 };

/* States of jobs that are not over, or have begun anew. */
static bool goes_on(const char *state)
{
	static const char *const states[] = { "PENDING",  "RUNNING",  "SUSPENDED",
					      "REQUEUED", "RESIZING", "COMPLETING" };

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (!strncmp(state, states[i], strlen(states[i])))
			return true;
	return false;
}

/* Read a line, which is cut into its fields; the last may hold any character. */
static int read_line(char *line, const char *name, struct runs *runs, struct rspb_history *out,
		     struct rspb_err *err)
{
	char *field[N_FIELDS] = { line };
	struct run run;

	for (int i = 1; i < N_FIELDS; i++) {
		field[i] = strchr(field[i - 1], '|');
		if (!field[i])
			return rspb_fail(err, "sacct: '%.60s' is not a line of %d fields", line,
					 N_FIELDS);
		*field[i]++ = '\0';
	}
	if (strcmp(field[3], name) || goes_on(field[2]))
		return 0;
	run.expired = !strcmp(field[2], "TIMEOUT");
	if (!run.expired && strcmp(field[2], "COMPLETED")) {
		/* "CANCELLED by 1000" */
		if (!strncmp(field[2], "CANCELLED", 9))
			out->cancelled++;
		else
			out->failed++;
		return 0;
	}
	if (rspb_text_whole(field[0], strlen(field[0]), 0, INT32_MAX, &run.seconds, err) ||
	    rspb_text_whole(field[1], strlen(field[1]), 1, INT32_MAX, &run.nodes, err))
		return rspb_fail_at(err, "sacct");
	if (rspb_array_grow(&runs->list, &runs->room, runs->n + 1, sizeof(*runs->list)))
		return rspb_fail(err, "out of memory");
	runs->list[runs->n++] = run;
	return 0;
}

static int compare(const void *left, const void *right)
{
	const struct run *a = left, *b = right;

	if (a->nodes != b->nodes)
		return a->nodes < b->nodes ? -1 : 1;
	return a->seconds < b->seconds ? -1 : a->seconds > b->seconds;
}

/* The row of n runs on as many nodes, by their seconds. */
static struct rspb_history_row row_of(const struct run *runs, size_t n)
{
	struct rspb_history_row row = {
		.nodes = runs->nodes,
		.runs = n,
		.median = runs[(n + 1) / 2 - 1].seconds,
		.most95 = runs[(n * 95 + 99) / 100 - 1].seconds,
		.longest = runs[n - 1].seconds,
	};

	for (size_t i = 0; i < n; i++)
		row.expired += runs[i].expired;
	return row;
}

static int sum_up(struct runs *runs, struct rspb_history *out, struct rspb_err *err)
{
	size_t n = 0;

	if (!runs->n)
		return 0;
	qsort(runs->list, runs->n, sizeof(*runs->list), compare);
	out->rows = calloc(runs->n, sizeof(*out->rows));
	if (!out->rows)
		return rspb_fail(err, "out of memory");
	for (size_t i = 0; i < runs->n; i += n) {
		for (n = 1; i + n < runs->n && runs->list[i + n].nodes == runs->list[i].nodes;)
			n++;
		out->rows[out->n++] = row_of(runs->list + i, n);
	}
	return 0;
}

int rspb_history_read(const char *lines, const char *name, struct rspb_history *out,
		      struct rspb_err *err)
{
	char *text = strdup(lines), *save = NULL;
	struct runs runs = { 0 };
	int rc = text ? 0 : rspb_fail(err, "out of memory");

	*out = (struct rspb_history){ 0 };
	for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line && !rc;
	     line = strtok_r(NULL, "\n", &save))
		rc = read_line(line, name, &runs, out, err);
	if (!rc)
		rc = sum_up(&runs, out, err);
	free(runs.list);
	free(text);
	return rc;
}

void rspb_history_fini(struct rspb_history *history)
{
	free(history->rows);
	*history = (struct rspb_history){ 0 };
}

int64_t rspb_history_minutes(const struct rspb_history_row *row)
{
	return row->most95 ? (row->most95 + 59) / 60 : 1;
}
