/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/client/draw/chart.h"
#include "tests/unit/runner.h"

enum { HOUR = 3600 };

static const char document[] =
	"{\"nodes\":[\"a1\",\"a2\",\"a3\",\"a4\"],\"bookings\":["
	"{\"start\":7200,\"end\":10800,\"on\":\"0-1\",\"mine\":true},"
	"{\"start\":14400,\"end\":18000,\"on\":\"0,3\",\"share\":25},"
	"{\"start\":-9000,\"end\":3600,\"on\":\"2\"}],\"others\":["
	"{\"kind\":\"taken\",\"start\":0,\"end\":3600,\"on\":\"3\"}]}";

/* What is printed in so many lines, without the axis and what follows. */
static char *drawn(const char *text, uint32_t lines, bool colour)
{
	/* A column an hour, beside a label and what stands around. */
	const struct rspb_chart_style style = { .columns = lines < 8 ? 19 : 15,
						.lines = lines,
						.colour = colour };
	json_object *object = json_tokener_parse(text);
	FILE *screen = stdout;
	struct rspb_err err = { "" };
	char *said = NULL;
	size_t size;
	int rc;

	stdout = open_memstream(&said, &size);
	rc = rspb_chart_print(object, 0, 10 * HOUR, &style, &err);
	fclose(stdout);
	stdout = screen;
	json_object_put(object);
	ck_assert_msg(!rc, "%s", err.text);
	return said;
}

static void check_lines(char *said, const char *wanted)
{
	ck_assert_msg(!strncmp(said, wanted, strlen(wanted)), "%s", said);
	free(said);
}

START_TEST(a_line_a_node)
{
	check_lines(drawn(document, 50, false), "a1 |..M.b.....|\n"
						"a2 |..M.......|\n"
						"a3 |B.........|\n"
						"a4 |X...b.....|\n");
}
END_TEST

START_TEST(a_line_for_two)
{
	check_lines(drawn(document, 6, false), "a1..a2 |..M.b.....|\n"
					       "a3..a4 |B...b.....|\n");
}
END_TEST

START_TEST(in_colours)
{
	char *said = drawn(document, 50, true);

	ck_assert_msg(strstr(said, "a1 |..\033[35mM\033[0m."), "%s", said);
	free(said);
}
END_TEST

START_TEST(no_nodes)
{
	const struct rspb_chart_style style = { .columns = 80, .lines = 24 };
	json_object *object = json_tokener_parse("{\"nodes\":[]}");
	struct rspb_err err;

	ck_assert_int_eq(rspb_chart_print(object, 0, HOUR, &style, &err), -1);
	json_object_put(object);
}
END_TEST

static Suite *suite(void)
{
	const TTest *const tests[] = { a_line_a_node, a_line_for_two,
				       in_colours, no_nodes };

	return suite_of("chart", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
