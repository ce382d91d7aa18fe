/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page of a calendar that comes on standard input. */
#include <json-c/json.h>
#include <stdio.h>

#include "contrib/calendar/page.h"

int main(void)
{
	json_object *document = json_object_from_fd(fileno(stdin));
	struct rspb_err err = { "not a JSON document" };

	if (!document || rspb_page_write(stdout, document, &err)) {
		fprintf(stderr, "page: %s\n", err.text);
		return 1;
	}
	json_object_put(document);
	return 0;
}
