/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/calendar/page.h"

#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <string.h>
#include <sys/random.h>

/* The assembled page, made by the makefile. */
extern const char rspb_page_text[];

int rspb_page_pass_make(struct rspb_page_pass *pass, struct rspb_err *err)
{
	uint64_t number[2];

	if (getrandom(number, sizeof(number), 0) != sizeof(number))
		return rspb_fail(err, "the system gives no random number: %s", strerror(errno));
	snprintf(pass->nonce, sizeof(pass->nonce), "%016" PRIx64 "%016" PRIx64, number[0],
		 number[1]);
	snprintf(pass->policy, sizeof(pass->policy),
		 "default-src 'none'; script-src 'nonce-%s'; "
		 "style-src 'nonce-%s'; connect-src 'self'; "
		 "base-uri 'none'; form-action 'none'",
		 pass->nonce, pass->nonce);
	return 0;
}

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

/* RET how long a mark at this place of the page is, with what stands for it; 0:
 * there is none. */
static size_t write_mark(FILE *out, const char *at, const char *json,
			 const struct rspb_page_pass *pass)
{
	if (!strncmp(at, "@data", 5)) {
		write_safe(out, json);
		return 5;
	}
	if (!strncmp(at, "@nonce", 6)) {
		fputs(pass->nonce, out);
		return 6;
	}
	if (!strncmp(at, "@policy", 7)) {
		fputs(pass->policy, out);
		return 7;
	}
	return 0;
}

int rspb_page_write(FILE *out, json_object *document, const struct rspb_page_pass *pass,
		    struct rspb_err *err)
{
	const char *json = json_object_to_json_string_ext(document, JSON_C_TO_STRING_PLAIN);

	if (!json)
		return rspb_fail(err, "out of memory");
	for (const char *at = rspb_page_text; *at;) {
		size_t len = *at == '@' ? write_mark(out, at, json, pass) : 0;

		if (len) {
			at += len;
			continue;
		}
		len = 1 + strcspn(at + 1, "@");
		fwrite(at, 1, len, out);
		at += len;
	}
	if (fflush(out) || ferror(out))
		return rspb_fail(err, "the page cannot be written: %s", strerror(errno));
	return 0;
}
