/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A web site that the user visits can send requests to any port that the browser
 * reaches, also under a name of its own. It cannot choose Host, Origin or
 * Sec-Fetch-Site, and it does not know the token.
 */
#include "contrib/client/web/gate.h"

#include <string.h>
#include <strings.h>

static bool is_named(const char *host, const char *name)
{
	size_t len = strlen(name);

	return !strncasecmp(host, name, len) && (!host[len] || host[len] == ':');
}

bool rspb_gate_is_loopback(const char *host)
{
	return host && (is_named(host, "localhost") || is_named(host, "127.0.0.1") ||
			is_named(host, "[::1]"));
}

static bool is_own_host(const struct rspb_gate *gate, const char *host)
{
	return rspb_gate_is_loopback(host) || (host && gate->host && is_named(host, gate->host));
}

static bool is_own_origin(const struct rspb_gate_request *request)
{
	const char *origin = request->origin;

	if (!origin)
		return true;
	if (!strncmp(origin, "http://", 7))
		return !strcasecmp(origin + 7, request->host);
	return !strncmp(origin, "https://", 8) && !strcasecmp(origin + 8, request->host);
}

/* The time that it takes does not tell how much of the token was right. */
static bool is_token(const struct rspb_gate *gate, const char *token)
{
	unsigned char differ = 0;

	if (!token || strlen(token) != RSPB_GATE_TOKEN - 1)
		return false;
	for (int i = 0; i < RSPB_GATE_TOKEN - 1; i++)
		differ |= (unsigned char) (gate->token[i] ^ token[i]);
	return !differ;
}

static bool is_json(const char *type)
{
	static const char json[] = "application/json";
	size_t len = sizeof(json) - 1;

	return type && !strncasecmp(type, json, len) && (!type[len] || strchr("; ", type[len]));
}

unsigned int rspb_gate_judge(const struct rspb_gate *gate, const struct rspb_gate_request *request,
			     const char **why)
{
	bool post = !strcmp(request->method, "POST");

	*why = gate->is_open ? "this calendar can only be read" : "only GET and POST are allowed";
	if (post ? gate->is_open
		 : strcmp(request->method, "GET") && strcmp(request->method, "HEAD"))
		return 405;
	*why = "Host must be localhost, 127.0.0.1 or the name of --host";
	if (!is_own_host(gate, request->host))
		return 403;
	*why = "the request comes from another web site";
	if (!is_own_origin(request))
		return 403;
	if (request->site && strcmp(request->site, "same-origin") && strcmp(request->site, "none"))
		return 403;
	*why = "the token is missing or wrong; run rspb web again and open its address";
	if (!gate->is_open && !strncmp(request->path, "/api/", 5) &&
	    !is_token(gate, request->token))
		return 401;
	*why = "Content-Type must be application/json";
	return post && !is_json(request->type) ? 415 : 0;
}
