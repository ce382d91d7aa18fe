/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspb timeline: takes its options and asks; what comes is drawn elsewhere (chart.c,
 * calendar.c). */
#include <errno.h>
#include <getopt.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/base/text.h"
#include "contrib/calendar/page.h"
#include "contrib/client/draw/calendar.h"
#include "contrib/client/draw/chart.h"
#include "contrib/client/draw/svg.h"
#include "contrib/client/moment.h"
#include "contrib/client/output.h"
#include "contrib/client/web/web.h"
#include "contrib/client/words.h"

enum { HOUR_S = 3600, WEEK_S = 7 * 86400 };

/* The options that the user typed. */
struct wish {
	const char *html, *svg; /* files, NULL: none */
	int64_t from, next;	/* seconds; 0: not said */
	const char *file;	/* a calendar that was kept, NULL: slurmctld's */
	int64_t port;		/* to serve, -1: none */
	bool ascii, plain, anonymous;
};

/* Without --next until all is over that is booked, a week at most. */
static int64_t usual_end(json_object *document, int64_t from)
{
	json_object *list = rspb_json_list(document, "bookings");
	int64_t last = from + HOUR_S;

	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		int64_t end = rspb_json_int(json_object_array_get_idx(list, i), "end");

		last = end > last ? end : last;
	}
	return last < from + WEEK_S ? last : from + WEEK_S;
}

static int64_t begin_of(json_object *document, const struct wish *wish)
{
	return wish->from ? wish->from : rspb_json_int(document, "time");
}

static int64_t end_of(json_object *document, const struct wish *wish)
{
	int64_t from = begin_of(document, wish);

	return wish->next ? from + wish->next : usual_end(document, from);
}

static int write_html(FILE *out, json_object *document, struct rspb_err *err)
{
	struct rspb_page_pass pass;

	return rspb_page_pass_make(&pass, err) ? -1 : rspb_page_write(out, document, &pass, err);
}

static int write_svg(FILE *out, json_object *document, const struct wish *wish,
		     struct rspb_err *err)
{
	return rspb_svg_write(out, document, begin_of(document, wish), end_of(document, wish), err);
}

/* RET 0, or -1 with err and no file: half a page is none. */
static int write_page(const char *path, json_object *document, const struct wish *wish,
		      struct rspb_err *err)
{
	FILE *out = strcmp(path, "-") ? fopen(path, "we") : stdout;
	int rc;

	if (!out)
		return rspb_fail(err, "%s cannot be written: %s", path, strerror(errno));
	rc = wish->svg ? write_svg(out, document, wish, err) : write_html(out, document, err);
	if (out != stdout && fclose(out) && !rc)
		rc = rspb_fail(err, "%s cannot be written: %s", path, strerror(errno));
	if (rc && out != stdout)
		remove(path);
	return rc;
}

static int set(int option, void *to, struct rspb_err *err)
{
	struct wish *wish = to;

	switch (option) {
	case 'H':
		wish->html = optarg;
		break;
	case 'S':
		wish->svg = optarg;
		break;
	case 'b':
		return rspb_moment_parse(optarg, time(NULL), &wish->from, err);
	case 'n':
		return rspb_words_span(optarg, &wish->next, err);
	case 'r':
		wish->file = optarg;
		break;
	case 'P':
		return rspb_words_port(optarg, &wish->port, err);
	case 'A':
		wish->anonymous = true;
		break;
	case 'a':
		wish->ascii = true;
		break;
	case 'p':
		wish->plain = true;
		break;
	}
	return 0;
}

static bool take_options(const struct rspb_command *command, struct wish *wish)
{
	static const struct option options[] = {
		{ "html", required_argument, NULL, 'H' }, { "svg", required_argument, NULL, 'S' },
		{ "read", required_argument, NULL, 'r' }, { "serve", required_argument, NULL, 'P' },
		{ "anonymous", no_argument, NULL, 'A' },  { "begin", required_argument, NULL, 'b' },
		{ "next", required_argument, NULL, 'n' }, { "ascii", no_argument, NULL, 'a' },
		{ "no-color", no_argument, NULL, 'p' },	  { NULL }
	};

	if (!rspb_command_options(command, "b:n:", options, set, wish))
		return false;
	if (!!wish->html + !!wish->svg + (wish->port >= 0) < 2)
		return true;
	rspb_command_misused(command, "use only one of --html, --svg and --serve");
	return false;
}

/* Characters of one kind tell nobody's from one's own by colour alone. */
static struct rspb_chart_style style_of(const struct wish *wish)
{
	const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
	size_t width = rspb_output_width();
	bool colour = !wish->plain && isatty(STDOUT_FILENO) && !(none && *none) && term &&
		      strcmp(term, "dumb");

	setlocale(LC_CTYPE, "");
	return (struct rspb_chart_style){
		.columns = width ? (uint32_t) width : 80,
		.lines = rspb_output_height(),
		.colour = colour,
		.blocks = colour && !wish->ascii && !strcmp(nl_langinfo(CODESET), "UTF-8"),
	};
}

static int draw(json_object *document, const struct wish *wish, struct rspb_err *err)
{
	const struct rspb_chart_style style = style_of(wish);

	return rspb_chart_print(document, begin_of(document, wish), end_of(document, wish), &style,
				err);
}

int rspb_command_timeline(const struct rspb_command *command)
{
	struct wish wish = { .port = -1 };
	json_object *document;
	struct rspb_err err;
	int rc;

	if (!take_options(command, &wish))
		return RSPB_EXIT_USAGE;
	if (wish.port >= 0)
		return rspb_web_show(command, (uint16_t) wish.port,
				     &(struct rspb_desk_view){ .readonly = true,
							       .anonymous = wish.anonymous,
							       .file = wish.file });
	rc = wish.file ? rspb_calendar_load(command, wish.file, wish.anonymous, &document)
		       : rspb_calendar_read(command, wish.anonymous, &document);
	if (rc)
		return rc;
	if (wish.html || wish.svg)
		rc = write_page(wish.svg ? wish.svg : wish.html, document, &wish, &err);
	else if (!command->json)
		rc = draw(document, &wish, &err);
	if (rc) {
		fprintf(stderr, "rspb timeline: %s\n", err.text);
		rc = RSPB_EXIT_USAGE;
	}
	if (command->json && !rc)
		rspb_output_json(document);
	else
		json_object_put(document);
	return rc;
}
