/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "contrib/calendar/page.h"
#include "contrib/client/calendar.h"
#include "contrib/client/output.h"

/* RET 0, or -1 with err and no file: half a page is none. */
static int write_page(const char *path, json_object *document,
		      struct rspb_err *err)
{
	FILE *out = strcmp(path, "-") ? fopen(path, "we") : stdout;
	int rc;

	if (!out)
		return rspb_fail(err, "%s cannot be written: %s", path,
				 strerror(errno));
	rc = rspb_page_write(out, document, err);
	if (out != stdout && fclose(out) && !rc)
		rc = rspb_fail(err, "%s cannot be written: %s", path,
			       strerror(errno));
	if (rc && out != stdout)
		remove(path);
	return rc;
}

int rspb_command_timeline(const struct rspb_command *command)
{
	static const struct option options[] = {
		{ "html", required_argument, NULL, 'H' }, { NULL }
	};
	const char *html = NULL;
	json_object *document;
	struct rspb_err err;
	int c, rc;

	while ((c = getopt_long(command->argc, command->argv, "", options,
				NULL)) != -1) {
		if (c == '?')
			return RSPB_EXIT_USAGE;
		html = optarg;
	}
	if (optind < command->argc)
		return rspb_command_misused(command, "%s was not expected",
					    command->argv[optind]);
	if (!html && !command->json)
		return rspb_command_misused(command, "--html=FILE is missing");
	rc = rspb_calendar_read(command, &document);
	if (rc)
		return rc;
	if (html && write_page(html, document, &err)) {
		fprintf(stderr, "rspb timeline: %s\n", err.text);
		rc = RSPB_EXIT_USAGE;
	}
	if (command->json && !rc)
		rspb_output_json(document);
	else
		json_object_put(document);
	return rc;
}
