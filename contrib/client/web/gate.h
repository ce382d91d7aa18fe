/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tell which HTTP requests the page in the user's own browser may have sent. */
#ifndef RSPB_CLIENT_GATE_H
#define RSPB_CLIENT_GATE_H

#include <stdbool.h>

enum { RSPB_GATE_TOKEN = 33 };

struct rspb_gate {
	char token[RSPB_GATE_TOKEN];
	const char *host; /* a name beside those of loopback, NULL: none */
	bool is_open;	  /* no token is needed, and nothing can be changed */
};

/* Return whether the header Host of a request names loopback, as no other web site's does. */
bool rspb_gate_is_loopback(const char *host);

/* The request line and the headers that count; NULL: not sent. Cookies do not count. */
struct rspb_gate_request {
	const char *method, *path, *host, *origin, *site, *token, *type;
};

/* RET 0, or the status of HTTP with which to refuse, and a sentence in why. */
unsigned int rspb_gate_judge(const struct rspb_gate *gate, const struct rspb_gate_request *request,
			     const char **why);

#endif
