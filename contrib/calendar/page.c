/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/calendar/page.h"

#include <errno.h>
#include <json-c/json.h>
#include <string.h>

/* The assembled page, made by the makefile. */
extern const char rspb_page_text[];

/* Where the document goes. */
#define MARK "@data"

/* A text of the document that says "</script>" or "<!--" would end the page's
 * data: no '<' comes through as itself, and in JSON it is only within texts. */
static void write_safe(FILE *out, const char *json)
{
	for (const char *at; (at = strchr(json, '<')); json = at + 1) {
		fwrite(json, 1, (size_t) (at - json), out);
		fputs("\\u003c", out);
	}
	fputs(json, out);
}

int rspb_page_write(FILE *out, json_object *document, struct rspb_err *err)
{
	const char *mark = strstr(rspb_page_text, MARK);
	const char *json = json_object_to_json_string_ext(
		document, JSON_C_TO_STRING_PLAIN);

	if (!json)
		return rspb_fail(err, "out of memory");
	fwrite(rspb_page_text, 1, (size_t) (mark - rspb_page_text), out);
	write_safe(out, json);
	fputs(mark + strlen(MARK), out);
	if (fflush(out) || ferror(out))
		return rspb_fail(err, "the page cannot be written: %s",
				 strerror(errno));
	return 0;
}
