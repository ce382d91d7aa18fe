/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a message to a node, and judges whether to believe it. */
#include <arpa/inet.h>
#include <inttypes.h>
#include <string.h>

#include "plugins/spank/node.h"

/* RET a number in network order, wherever it is aligned. */
static uint32_t number_at(const void *data, size_t offset)
{
	uint32_t value;

	memcpy(&value, (const char *) data + offset, sizeof(value));
	return ntohl(value);
}

int rspb_message_read(uid_t user, uid_t peer, const void *data, size_t len,
		      struct rspb_share_env *out, struct rspb_err *err)
{
	char text[RSPB_SHARE_TEXT];
	uint32_t told, sender;
	size_t got;

	/* The kernel vouches for the process at the other end, and slurmd for the sender in the
	 * message. */
	if (peer && peer != user)
		return rspb_fail(err,
				 "a message from user %u, not from "
				 "SlurmUser",
				 (unsigned int) peer);
	if (len < RSPB_MESSAGE_HEADER)
		return rspb_fail(err,
				 "a message of %zu bytes, at least %d are "
				 "needed",
				 len, RSPB_MESSAGE_HEADER);
	sender = number_at(data, 0);
	told = number_at(data, sizeof(uint32_t));
	got = len - RSPB_MESSAGE_HEADER;
	if (sender && sender != user)
		return rspb_fail(err, "a message in the name of user %" PRIu32 ", not of SlurmUser",
				 sender);
	if (told != got || got >= sizeof(text))
		return rspb_fail(err,
				 "a message of %zu bytes that says it has "
				 "%" PRIu32 ", at most %zu are allowed",
				 got, told, sizeof(text) - 1);
	memcpy(text, (const char *) data + RSPB_MESSAGE_HEADER, got);
	text[got] = '\0';
	/* Text after a NUL byte would escape the parser. */
	if (strlen(text) != got)
		return rspb_fail(err, "a message with a null byte in it");
	return rspb_share_env_parse(text, out, err);
}
