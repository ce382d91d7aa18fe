/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Refuses what json-c takes and the standard does not. It gives no meaning to any
 * member. */
#include "plugins/wire/strict.h"

#include <stdbool.h>
#include <stdlib.h>

/* A copy with another letter for each byte beyond ASCII. RET NULL: there is
 * none, or no memory. */
static char *in_ascii(const char *text, size_t length)
{
	char *copy = NULL;
	size_t i = 0;

	while (i < length && !((unsigned char) text[i] & 0x80))
		i++;
	if (i < length)
		copy = malloc(length);
	for (i = 0; copy && i < length; i++)
		copy[i] = (unsigned char) text[i] & 0x80 ? 'x' : text[i];
	return copy;
}

/* json-c 0.18, when it is strict, takes all beyond ASCII for control characters:
 * so such a text is read strictly without them, and then as it is. */
struct json_object *rspb_strict_parse(struct json_tokener *tok, const char *text, size_t length,
				      int flags)
{
	char *copy = in_ascii(text, length);
	bool again = copy != NULL;
	struct json_object *object;

	flags |= JSON_TOKENER_VALIDATE_UTF8;
	json_tokener_set_flags(tok, flags | JSON_TOKENER_STRICT);
	object = json_tokener_parse_ex(tok, copy ? copy : text, (int) length);
	free(copy);
	if (!again || json_tokener_get_error(tok) != json_tokener_success)
		return object;
	/* The copy was only for the strict check: its letters are not those of the text. */
	json_object_put(object);
	json_tokener_reset(tok);
	json_tokener_set_flags(tok, flags);
	return json_tokener_parse_ex(tok, text, (int) length);
}
