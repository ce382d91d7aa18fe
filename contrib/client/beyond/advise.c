/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspb advise: what to book for a job, by what its runs took. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contrib/client/beyond/history.h"
#include "contrib/client/command.h"
#include "contrib/client/output.h"
#include "contrib/client/submit.h"
#include "contrib/client/words.h"

enum { ROOM = 16 * 1024 * 1024, DAYS = 180, DAY = 86400, NAME = 400 };

struct wish {
	char user[RSPB_OUTPUT_CELL];
	int64_t days;
};

/* RET the name, or NULL: something is wrong, which was said. */
static const char *read_line(const struct rspb_command *command, struct wish *wish)
{
	static const struct option options[] = { { "user", required_argument, NULL, 'u' },
						 { "last", required_argument, NULL, 'l' },
						 { NULL } };
	struct rspb_err err;
	const char *name;
	int64_t seconds;
	int c;

	rspb_output_user(getuid(), wish->user);
	wish->days = DAYS;
	while ((c = getopt_long(command->argc, command->argv, "u:", options, NULL)) != -1) {
		if (c == '?')
			return NULL;
		if (c == 'u') {
			snprintf(wish->user, sizeof(wish->user), "%s", optarg);
		} else if (rspb_words_duration(optarg, &seconds, &err)) {
			rspb_command_misused(command, "%s", err.text);
			return NULL;
		} else {
			wish->days = (seconds + DAY - 1) / DAY;
		}
	}
	name = command->argv[optind];
	if (name && *name && strlen(name) <= NAME && !strchr(name, ',') &&
	    optind + 1 == command->argc)
		return name;
	rspb_command_misused(command, "give the name of a job, as in --job-name, without a comma");
	return NULL;
}

/* RET what sacct says, which the caller frees; NULL: it was said why not. */
static char *ask_sacct(const char *name, const struct wish *wish)
{
	char jobs[512], user[64], since[64], format[] = RSPB_HISTORY_FORMAT, sacct[] = "sacct",
					     n[] = "-n", parsable[] = "-P", whole[] = "-X",
					     o[] = "-o";
	char *line[] = { sacct, n, parsable, whole, jobs, user, since, o, format, NULL };
	char *text = malloc(ROOM);
	int rc;

	snprintf(jobs, sizeof(jobs), "--name=%s", name);
	snprintf(user, sizeof(user), "--user=%s", wish->user);
	snprintf(since, sizeof(since), "--starttime=now-%" PRId64 "days", wish->days);
	rc = text ? rspb_submit_run(line, text, ROOM) : 127;
	if (rc && text && strlen(text) + 1 == ROOM)
		fprintf(stderr, "rspb advise: too many runs; give a shorter "
				"--last\n");
	if (!rc)
		return text;
	free(text);
	return NULL;
}

static void flags_of(const struct rspb_history_row *row, char buf[RSPB_OUTPUT_CELL])
{
	snprintf(buf, RSPB_OUTPUT_CELL, "-N%" PRId64 " --time=%" PRId64, row->nodes,
		 rspb_history_minutes(row));
}

static void print_json(const char *name, const struct wish *wish,
		       const struct rspb_history *history)
{
	json_object *all = json_object_new_object(), *rows = json_object_new_array();
	char flags[RSPB_OUTPUT_CELL];

	rspb_json_put_text(all, "name", name);
	rspb_json_put_text(all, "user", wish->user);
	rspb_json_put_int(all, "days", wish->days);
	for (size_t i = 0; i < history->n; i++) {
		const struct rspb_history_row *row = &history->rows[i];
		json_object *one = json_object_new_object();

		flags_of(row, flags);
		rspb_json_put_int(one, "nodes", row->nodes);
		rspb_json_put_int(one, "runs", (int64_t) row->runs);
		rspb_json_put_int(one, "expired", (int64_t) row->expired);
		rspb_json_put_int(one, "median", row->median);
		rspb_json_put_int(one, "most95", row->most95);
		rspb_json_put_int(one, "longest", row->longest);
		rspb_json_put_text(one, "flags", flags);
		json_object_array_add(rows, one);
	}
	rspb_json_put(all, "rows", rows);
	rspb_json_put_int(all, "failed", (int64_t) history->failed);
	rspb_json_put_int(all, "cancelled", (int64_t) history->cancelled);
	rspb_output_json(all);
}

static void print_table(const char *name, const struct wish *wish,
			const struct rspb_history *history)
{
	char median[RSPB_OUTPUT_CELL], most[RSPB_OUTPUT_CELL], longest[RSPB_OUTPUT_CELL],
		flags[RSPB_OUTPUT_CELL];
	size_t expired = 0;

	printf("%5s  %5s  %11s  %11s  %11s  %s\n", "NODES", "RUNS", "MEDIAN", "95 %", "LONGEST",
	       "TO BOOK");
	for (size_t i = 0; i < history->n; i++) {
		const struct rspb_history_row *row = &history->rows[i];

		flags_of(row, flags);
		expired += row->expired;
		printf("%5" PRId64 "  %5zu  %11s  %11s  %11s  %s%s\n", row->nodes, row->runs,
		       rspb_output_duration(row->median, median),
		       rspb_output_duration(row->most95, most),
		       rspb_output_duration(row->longest, longest), flags,
		       row->expired ? " or more" : "");
	}
	printf("\n%s, of %s, in the last %" PRId64 " days", name, wish->user, wish->days);
	if (expired)
		printf("; %zu reached their time limit and need longer", expired);
	printf("; not counted: %zu failed, %zu cancelled\n", history->failed, history->cancelled);
}

int rspb_command_advise(const struct rspb_command *command)
{
	struct rspb_history history;
	struct rspb_err err;
	struct wish wish;
	const char *name = read_line(command, &wish);
	char *text;
	int rc = RSPB_EXIT_DONE;

	if (!name)
		return RSPB_EXIT_USAGE;
	text = ask_sacct(name, &wish);
	if (!text)
		return RSPB_EXIT_NO_ANSWER;
	if (rspb_history_read(text, name, &history, &err)) {
		fprintf(stderr, "rspb advise: %s\n", err.text);
		free(text);
		return RSPB_EXIT_NO_ANSWER;
	}
	if (command->json)
		print_json(name, &wish, &history);
	else if (history.n)
		print_table(name, &wish, &history);
	if (!history.n) {
		fprintf(stderr,
			"rspb advise: no run of %s, of %s, ended well in the "
			"last %" PRId64 " days (%zu failed, %zu were "
			"cancelled)\n",
			name, wish.user, wish.days, history.failed, history.cancelled);
		rc = RSPB_EXIT_NO;
	}
	rspb_history_fini(&history);
	free(text);
	return rc;
}
